"""Two games that differ in hidden faces alone are the same to all who must not know them.

Everything that leaves the table is compared, byte by byte: the pages of each viewer, the lights,
what the board is told, the status, the log, and what commands tell of the kept game.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from game.common.errors import AppError
from game.store.records.archive import export, record_of, show
from game.store.records.listing import history
from tests.helpers.programs.mind_umpire import (
    Heard,
    Umpire,
    set_up,
    shown_by,
    some_moves,
    twin_of,
    umpire,
)

PLIES = 26
Play = Callable[[Umpire], None]


def everything(table: Umpire, log: str, data: Path, viewers: tuple[int | None, ...]) -> list[str]:
    """Write down all that these viewers, and everybody else, have been told."""
    told = [page for viewer in viewers for page in table.heard.pages[viewer]]
    told += [*table.heard.lights, *table.heard.status]
    told += [f"{sorted(table.backend.empty)} {len(table.backend.frames)}"]
    told += log.replace(str(data), "DATA").splitlines()
    told += [history(data, None, as_json=as_json) for as_json in (False, True)]
    for tell in (show, record_of, export_text, export_json):
        try:
            told.append(str(tell(data, "last")))
        except AppError as error:
            told.append(str(error))
    told += sorted(str(file.relative_to(data)) for file in data.rglob("*"))
    return told


def export_text(data: Path, which: str) -> str:
    return export(data, [which], as_json=False)


def export_json(data: Path, which: str) -> str:
    return export(data, [which, "all"], as_json=True)


def told_of(
    data: Path,
    caplog: pytest.LogCaptureFixture,
    viewers: tuple[int | None, ...],
    play: Play,
    level: str = "easy",
    **more: Any,
) -> list[str]:
    caplog.set_level(logging.DEBUG)
    caplog.clear()
    with umpire(data, level, **more) as table:
        play(table)
        return everything(table, caplog.text, data, viewers)


def differing(one: list[str], other: list[str]) -> list[tuple[str, str]]:
    assert len(one) == len(other)
    return [(mine, theirs) for mine, theirs in zip(one, other, strict=True) if mine != theirs]


@pytest.mark.parametrize(("level", "player"), [("easy", 1), ("medium", 2), ("super", 1)])
def test_games_that_differ_in_unseen_faces_are_the_same_to_everybody_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, level: str, player: int
):
    set_ups = {each: set_up(each, each) for each in (1, 2)}
    moves = some_moves(level, set_ups, PLIES)
    shown = shown_by(level, set_ups, moves)
    assert len(shown) >= 4
    twin = {**set_ups, player: twin_of(set_ups[player], shown)}
    assert shown_by(level, twin, moves) == shown
    heard: list[Heard] = []

    def game(laid: dict[int, dict[str, str]]) -> Play:
        def play(table: Umpire) -> None:
            heard.append(table.heard)
            for each, pieces in laid.items():
                table.arrange(each, pieces)
            if exchanged:
                # Who leads an army now has been told it, once; so has who laid it out before.
                first, *_ = moves
                table.play(first)
                for viewer in (1, 2):
                    table.heard.pages[viewer].clear()
            for move in moves[1 if exchanged else 0 :]:
                table.play(move)
            table.make_ready()

        return play

    exchanged = level.startswith("super")
    others = (None, 1, 2) if exchanged else (None, 3 - player)
    one = told_of(tmp_path / "one", caplog, others, game(set_ups), level)
    other = told_of(tmp_path / "other", caplog, others, game(twin), level)
    assert differing(one, other) == []
    if not exchanged:
        assert heard[0].pages[player] != heard[1].pages[player]


@pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
def test_set_up_under_a_cover_is_the_same_to_everybody_whatever_it_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, presence: bool
):
    pieces = set_up(1, 1)

    def game(laid: dict[str, str]) -> Play:
        return lambda table: table.cover(laid)

    one = told_of(tmp_path / "one", caplog, (None, 2), game(pieces), presence=presence)
    twin = twin_of(pieces, set())
    other = told_of(tmp_path / "other", caplog, (None, 2), game(twin), presence=presence)
    assert differing(one, other) == []


def test_comparison_finds_what_is_leaked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    set_ups = {each: set_up(each, each) for each in (1, 2)}
    twin = {**set_ups, 1: twin_of(set_ups[1], set())}

    def game(laid: dict[int, dict[str, str]]) -> Play:
        def play(table: Umpire) -> None:
            monkeypatch.setattr(table.table, "seen", lambda viewer=None: table.table.state)
            for each, pieces in laid.items():
                table.arrange(each, pieces)

        return play

    one = told_of(tmp_path / "one", caplog, (None, 2), game(set_ups))
    other = told_of(tmp_path / "other", caplog, (None, 2), game(twin))
    assert differing(one, other) != []
