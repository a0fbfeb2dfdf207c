"""A running lifeboard and its disk, as fixtures for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.pages.hosted import Hosted, hosted
from tests.helpers.programs.held_disk import Disk
from tests.helpers.programs.running import Lifeboard


@pytest.fixture
def lifeboard(tmp_path: Path) -> Iterator[Lifeboard]:
    with Lifeboard(tmp_path / "data", "--seed", "1") as running:
        yield running


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Hosted]:
    """A board that plays in a thread of this process."""
    with hosted(tmp_path / "data") as running:
        yield running


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)
