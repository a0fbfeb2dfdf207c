"""Tools are tested without waiting for the real disk."""

import os

import pytest


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the real disk: how long it takes is made up in the tests of the doctor."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
