"""A running lifeboard, its disk, and a game of the tests, as fixtures for all tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from game.rules.base import registry as catalogue
from game.rules.base.game import Game
from tests.helpers.games.carousel import GAME as CAROUSEL
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
def carousel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a made-up game for three be found among the others."""
    found = catalogue._found

    def more() -> Iterator[Game[Any, Any]]:
        yield from found()
        yield CAROUSEL

    monkeypatch.setattr(catalogue, "_found", more)


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)
