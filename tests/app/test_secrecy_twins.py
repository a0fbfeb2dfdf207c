"""Two games that differ in hidden faces alone are the same to all who must not know them.

Everything that leaves the table is compared, byte by byte: the pages of each viewer, the lights,
what the board is told, the status, the log, and what commands tell of the kept game.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from game.app import session as session_module
from game.app.errors import AppError
from game.app.history.archive import export, history, record_of, show
from game.rules.cirkle_mind import GAME
from game.table.inputs import Command
from game.table.state import Phase
from tests.helpers.programs.mind_umpire import (
    VIEWERS,
    Heard,
    Umpire,
    set_up,
    shown_by,
    some_moves,
    twin_of,
    umpire,
)

LEVELS = ("easy", "medium", "super", "super-easy")
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


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("player", [1, 2])
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


def test_set_up_under_a_cover_is_the_same_to_everybody_whatever_it_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    pieces = set_up(1, 1)

    def game(laid: dict[str, str]) -> Play:
        return lambda table: table.cover(laid)

    one = told_of(tmp_path / "one", caplog, (None, 2), game(pieces))
    other = told_of(tmp_path / "other", caplog, (None, 2), game(twin_of(pieces, set())))
    assert differing(one, other) == []


def test_set_up_with_stones_under_a_cover_is_the_same_to_everybody_whatever_it_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    pieces = set_up(1, 1)

    def game(laid: dict[str, str]) -> Play:
        def play(table: Umpire) -> None:
            table.ask(Command.SET_UP)
            for piece in GAME.arranging(table.table.state.position, 1).pieces:  # type: ignore[union-attr]
                table.backend.press("hand", next(c for c, each in laid.items() if each == piece))
                table.run(1.0)
            table.ask(Command.CONFIRM)
            assert set(table.table.state.sealed) == {1}

        return play

    one = told_of(tmp_path / "one", caplog, (None, 2), game(pieces), presence=True)
    other = told_of(
        tmp_path / "other", caplog, (None, 2), game(twin_of(pieces, set())), presence=True
    )
    assert differing(one, other) == []


def test_status_tells_that_set_ups_are_under_way(tmp_path: Path):
    with umpire(tmp_path) as table:
        assert table.heard.status[-1] == "CirKle Mind, the players set up their pieces"


def test_after_the_end_everybody_sees_all(tmp_path: Path):
    set_ups = {each: set_up(each, each) for each in (1, 2)}
    with umpire(tmp_path) as table:
        for each, pieces in set_ups.items():
            table.arrange(each, pieces)
        table.make_ready()
        assert not any('"GgX"' in table.heard.pages[viewer][-1] for viewer in (None, 2))
        table.resign()
        assert all('"GgX"' in table.heard.pages[viewer][-1] for viewer in VIEWERS)
        record = record_of(tmp_path, "last")[1]
    assert record.moves[0].startswith("setup A")
    assert "setup_A" in show(tmp_path, "last")


def _true_state(table: Umpire, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the public snapshot be that of the umpire."""
    monkeypatch.setattr(table.table, "seen", lambda viewer=None: table.table.state)


def _true_log(table: Umpire, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the log tell of every input what it holds."""
    handle = table.table.handle

    def talkative(event: Any, now: float) -> Any:
        session_module.log.debug("%s %s", event, getattr(event, "pieces", ""))
        return handle(event, now)

    monkeypatch.setattr(table.table, "handle", talkative)


def _true_lights(table: Umpire, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the lights be brighter by one where a circle lies."""
    see = table.heard.see_lights

    def bright(colours: Any) -> None:
        pieces = GAME.pieces(table.table.state.position)
        count = sum(1 for cell, piece in pieces.items() if piece.endswith("O") and cell < "D")
        see((*colours, *colours[:count]))

    monkeypatch.setattr(table.heard, "see_lights", bright)


@pytest.mark.parametrize("leak", [_true_state, _true_log, _true_lights])
def test_comparison_finds_what_is_leaked(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    leak: Callable[[Umpire, pytest.MonkeyPatch], None],
):
    set_ups = {each: set_up(each, each) for each in (1, 2)}
    twin = {**set_ups, 1: twin_of(set_ups[1], set())}

    def game(laid: dict[int, dict[str, str]]) -> Play:
        def play(table: Umpire) -> None:
            with monkeypatch.context() as patch:
                leak(table, patch)
                for each, pieces in laid.items():
                    table.arrange(each, pieces)
                table.make_ready()
                assert table.phase is Phase.TAP

        return play

    one = told_of(tmp_path / "one", caplog, (None, 2), game(set_ups))
    other = told_of(tmp_path / "other", caplog, (None, 2), game(twin))
    assert differing(one, other) != []
