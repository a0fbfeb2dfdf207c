"""Tools are tested without waiting for the real disk."""

import os

import pytest


@pytest.fixture(autouse=True)
def unsynced(monkeypatch):
    """Skip syncing to the real disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
