"""What pages that look back are sent: of the game in progress, and of stored ones."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from game.common import AppError, StoreError
from game.engine import Point
from game.opponent import Course, analysis
from game.rules import adaptoid, azteka, circle_of_life, cirkle_mind
from game.rules.base.game import Game
from game.store import BOARD, Record, Result, Store, lines_of
from game.store.record import checked
from game.table.inputs import Asked, Command, MaskChanged, ScoredMove, SetOpponents
from game.web import server_messages
from game.web.past_game import past_page
from tests.helpers.pages.described import conforms
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.scripted_table import NAMES, ScriptedTable

CIRCLE = circle_of_life.GAME
MOVES = ("e5", "e4", "e6", "d1")
STARTED = "2026-11-21T12:00:00.000+00:00"


def played(game: Game[Any, Any], count: int) -> ScriptedTable:
    """Make the first legal moves of a game by hand, with all edits that hands must make."""
    table = ScriptedTable(game, presence=False)
    for _ in range(count):
        position = table.table.state.position
        table.play(game.move_text(position, next(iter(game.legal_moves(position)))))
        for edit in table.table.state.pending:
            table.tap(edit.cell)
    return table


@pytest.mark.parametrize("game", [CIRCLE, azteka.GAME, adaptoid.GAME], ids=lambda g: g.name)
def test_every_position_of_a_game_can_be_looked_at(game):
    table = played(game, 8)
    state = table.table.state
    positions = [*(each.before for each in state.history), state.position]
    assert len(positions) == 9
    for ply, position in enumerate(positions):
        reported = table.looked(ply)
        shown = {cell: each["piece"] for cell, each in reported["cells"].items() if each["piece"]}
        standing = {cell: each["standing"] for cell, each in reported["cells"].items()}
        assert shown == game.pieces(position)
        assert {cell: piece for cell, piece in standing.items() if piece} == shown
        assert (reported["ply"], reported["to_move"]) == (ply, game.to_move(position))
        assert reported["scores"] == game.score(position)
        assert not {each["cue"] for each in reported["cells"].values()} & {"legal", "remove", "put"}
        assert not reported["keys"]
        assert reported["message"]
        assert int(reported["rgb"], 16) != 0
    assert table.looked(-3)["ply"] == 0
    assert table.looked(10**9) == table.looked(8)
    assert conforms(table.looked(3), server_messages.PastState)


def course(table: ScriptedTable, best: str) -> Course:
    history = table.table.state.history
    return Course(
        len(history),
        tuple(
            Point(ply, each.player, each.text, 0.5, best, (best,), 0.1 if each.player == 1 else 0.9)
            for ply, each in enumerate(history)
        ),
    )


def test_a_better_move_is_marked_where_it_was_to_be_played_once_a_game_is_judged():
    table = ScriptedTable()
    table.tap("e5", "a1", "i5")
    table.course = course(table, "d4")
    assert table.looked(2)["cells"]["d4"]["cue"] == ""
    table.ask(Command.RESIGN, Command.RESIGN)
    for ply, cue in ((0, "hint"), (2, "hint"), (3, "")):
        reported = table.looked(ply)["cells"]["d4"]
        assert reported["cue"] == cue
        assert ("a good move" in reported["label"]) is bool(cue)
    # The best move, and one that was hardly worse.
    table.course = course(table, "i5")
    assert table.looked(2)["cells"]["i5"]["cue"] == ""
    slight = tuple(replace(each, after=0.49) for each in course(table, "d4").points)
    table.course = replace(table.course, points=slight)
    assert table.looked(2)["cells"]["d4"]["cue"] == ""


def test_what_a_move_took_is_a_ghost_after_it():
    table = ScriptedTable(presence=False)
    while not any(each.removed for each in table.table.state.history):
        position = table.table.state.position
        moves = list(CIRCLE.legal_moves(position))
        table.play(max(moves, key=lambda each: len(CIRCLE.result(position, each).removed)))
    last, ply = table.table.state.history[-1], len(table.table.state.history)
    stood = CIRCLE.pieces(last.before)
    reported = table.looked(ply)
    assert reported["ghosts"] == {cell: stood[cell] for cell in last.removed}
    assert {*reported["ghosts"].values()} <= reported["pieces"].keys()
    assert table.looked(ply - 1)["ghosts"] == {}


def test_a_better_turn_of_a_ring_is_marked_on_all_its_cells():
    game = azteka.GAME
    table = played(game, 8)
    position = table.table.state.history[-1].before
    turns = (game.plain_text(position, move) for move in game.legal_moves(position))
    table.ask(Command.RESIGN, Command.RESIGN)
    table.course = course(table, next(text for text in turns if text.startswith("T")))
    hinted = {c for c, each in table.looked(7)["cells"].items() if each["cue"] == "hint"}
    assert any(hinted >= set(ring) for ring in game.board.rings.values())


def test_how_often_to_take_back_is_told_as_the_table_wants_to_be_asked():
    table = ScriptedTable()
    table.tap("e5", "a1", "i5")
    assert [table.looked(ply)["take_backs"] for ply in range(4)] == [3, 2, 1, 0]
    table.ask(Command.CONFIRM)
    assert table.looked(0)["take_backs"] == 0
    table.ask(Command.CONFIRM, Command.RESIGN, Command.RESIGN)
    assert [table.looked(ply)["take_backs"] for ply in range(4)] == [4, 3, 2, 0]
    # What a computer answered is taken back with it.
    against = ScriptedTable(levels=NAMES)
    against.give(SetOpponents(("", "3")))
    for own, answer in (("e5", "e6"), ("a1", "a3")):
        against.tap(own)
        against.think("3", ScoredMove(answer, 0.6))
        against.tap(answer)
    asked = [against.looked(ply)["take_backs"] for ply in range(5)]
    assert asked == [2, 2, 1, 1, 0]
    against.ask(*[Command.TAKE_BACK] * asked[0])
    assert against.table.state.history == ()


def test_a_page_looks_back_while_another_plays_and_is_told_new_moves_only(board):
    with board.talk() as talk, board.talk() as other:
        other.until(lambda t: t.state.get("phase") == "tap")
        for ply, cell in enumerate(("e5", "a1", "i5"), start=1):
            other.tap(cell)
            other.until(lambda t, ply=ply: t.state.get("ply") == ply)
        talk.send(do="look", ply=1)
        talk.until(lambda t: t.look)
        assert {c for c, each in talk.look["cells"].items() if each["piece"]} == {"e5"}
        other.tap("a5")
        talk.until(lambda t: t.state["ply"] == 4)
        assert [each["text"] for each in talk.state["moves"]] == ["e5", "a1", "i5", "a5"]
        assert talk.shown_moves == 1
        other.send(do="command", name="take_back")
        talk.until(lambda t: t.state["ply"] == 3)
        assert (talk.shown_moves, len(talk.state["moves"])) == (0, 3)
        assert other.look == {}


def stored(folder: Path, record: Record) -> None:
    with Store(folder) as store:
        store.begin(record.game, BOARD, lines_of(record, STARTED), record.result)


def test_a_stored_game_is_shown_on_a_page_of_its_own(tmp_path):
    start = {"first": "1"}
    names = ("Anna", "Beat")
    record = Record(CIRCLE.name, start, names, moves=MOVES, result=Result(2, "resigned"))
    stored(tmp_path, checked(record))
    stored(tmp_path, checked(Record(azteka.GAME.name, moves=())))
    with hosted(tmp_path) as board, board.talk("en&game=1") as talk:
        talk.until(lambda t: t.state and t.lights)
        assert talk.hello["replay"] == {
            "number": 1, "day": "2026-11-21", "judged": True, "lesson": "",
        }  # fmt: skip
        assert (talk.state["ply"], talk.state["outcome"]["winner"]) == (4, 2)
        assert talk.state["names"] == list(names)
        talk.send(do="look", ply=1)
        talk.send(do="command", name="take_back")
        talk.tap("a1")
        talk.until(lambda t: t.state["ply"] == 1 and t.errors)
        assert (talk.shown_moves, len(talk.state["moves"])) == (0, 4)
        assert len(talk.errors) == 1
        with board.talk("en&game=2") as azteca:
            assert (azteca.hello["game"], azteca.hello["replay"]["judged"]) == ("azteka", False)
        with board.talk("en&game=77") as none:
            none.until(lambda t: t.errors)
            assert none.errors[0].startswith("Game 77 cannot be shown")
            assert none.hello["replay"] is None


def test_a_game_that_hides_things_is_shown_only_once_it_has_ended(tmp_path):
    game = cirkle_mind.GAME
    for _ in range(2):
        stored(tmp_path, checked(Record(game.name, {"level": "easy"})))
    for number in ("1", "2"):
        with pytest.raises(AppError), past_page(tmp_path, number):
            pass


class Judge:
    """An analyst that judges a whole game at once."""

    closed = 0

    def __init__(self, game: Game[Any, Any], wake: Callable[[], None]) -> None:
        self.wake = wake

    def start(self, position: str, moves: list[str]) -> Course:
        points = [Point(n, 1, each, 0.5, "a1", ("a1",), 0.3) for n, each in enumerate(moves)]
        self.course = Course(len(moves), tuple(points), done=True)
        self.wake()
        return Course(len(moves))

    def poll(self) -> Course:
        return self.course

    def close(self) -> None:
        Judge.closed += 1


def test_one_stored_game_is_judged_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(analysis, "Analyst", Judge)
    record = Record(CIRCLE.name, moves=MOVES, result=Result(2, "resigned"))
    stored(tmp_path, checked(record))

    async def judged() -> None:
        with past_page(tmp_path, "1") as page, past_page(tmp_path, "1") as other:
            page.control.analyse()
            await asyncio.sleep(0)
            course = page.broadcaster.latest.course
            assert (course.moves, course.trouble) == (4, None)
            page.control.seek(2)
            assert page.broadcaster.latest.snapshot.scene.cells["a1"].cue.value == "hint"
            other.control.analyse()
            assert other.broadcaster.latest.course.trouble.key == "analysis.busy"
        assert Judge.closed == 1
        with past_page(tmp_path, "1") as page:
            page.control.analyse()
            await asyncio.sleep(0)
            assert page.broadcaster.latest.course.trouble is None

    asyncio.run(judged())


def test_a_game_is_not_copied_where_it_is_played(tmp_path, monkeypatch):
    stored(tmp_path, checked(Record(CIRCLE.name, moves=MOVES)))

    def refuse(_: Path) -> None:
        raise StoreError("it is locked")

    monkeypatch.setattr("game.store.store.open_read_only", refuse)
    # Closing a copy's source would release the journal's own locks on the file.
    with pytest.raises(StoreError, match="it is locked"), past_page(tmp_path, "1"):
        pass


def test_masked_cells_and_faults_are_those_of_the_present():
    table = ScriptedTable()
    table.tap("e5", "a1")
    table.give(MaskChanged(frozenset({"c3"})), Asked(Command.HINT))
    assert "masked" not in table.looked(1)
    assert table.looked(1)["cells"]["c3"]["label"] == "c3, empty"
