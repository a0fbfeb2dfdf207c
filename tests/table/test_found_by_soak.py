"""Table bugs that the soak has found, each reproduced with as few inputs as possible."""

from collections.abc import Sequence
from random import Random
from typing import Any

from game.rules.adaptoid import GAME as ADAPTOID
from game.rules.azteka import GAME as AZTEKA
from game.rules.base.edits import differences
from game.rules.base.game import Game
from game.table.entries import Entry, EntryKind, options_text
from game.table.inputs import Asked, Command, Lifted, StonesChanged, Touched
from game.table.phases import Phase
from game.table.scene import Cue
from game.table.table import Table


def table_after(game: Game[Any, Any], moves: Sequence[str], presence: bool) -> Table:
    """A table at which these moves have been made, whose board is right."""
    table = Table(game, {"first": "1"}, Random(1), presence=presence)
    entries, position = [Entry(EntryKind.START, options_text({"first": "1"}))], game.initial()
    for move in moves:
        before = game.pieces(position)
        position = game.play(position, game.parse_move(position, move))
        edits = differences(before, game.pieces(position), game.board.cells)
        entries += [
            Entry(EntryKind.MOVE, move),
            *(Entry(EntryKind.EDIT, edit.cell) for edit in edits),
        ]
    table.resume(entries, 0.0)
    stand = frozenset(game.pieces(position))
    table.handle(StonesChanged(stand) if presence else Asked(Command.CONFIRM), 1.0)
    assert table.state.phase is Phase.TAP
    return table


def test_a_body_lifted_after_others_have_grown_takes_no_moves_back():
    moves = ("W:d4 B:g4", "white", "/+d5", "/g4L", "/d4L")
    table = table_after(ADAPTOID, moves, presence=True)
    table.handle(StonesChanged(frozenset({"d4", "g4"})), 30.0)
    assert len(table.state.history) == len(moves)
    assert table.scene().cells["d5"].cue is Cue.PUT
    table.handle(StonesChanged(frozenset({"d4", "d5", "g4"})), 33.0)
    assert table.state.phase is Phase.TAP
    assert len(table.state.history) == len(moves)


def test_a_new_body_where_another_has_just_left_is_not_that_one():
    moves = ("W:d4 B:g4", "white", "/d4L", "/+g3")
    table = table_after(ADAPTOID, moves, presence=True)
    now = 30.0
    for stand in ({"g3", "g4"}, {"e4", "g3", "g4"}, {"d4", "e4", "g3", "g4"}):
        table.handle(StonesChanged(frozenset(stand)), now)
        now += 2.0
    assert table.state.history[-1].text == "d4-e4/+d4"
    # Without e4 the stones stand as before that move, but one is another piece.
    table.handle(StonesChanged(frozenset({"d4", "g3", "g4"})), now)
    assert len(table.state.history) == len(moves) + 1
    assert table.scene().cells["e4"].cue is Cue.PUT
    table.handle(StonesChanged(frozenset({"d4", "e4", "g3", "g4"})), now + 2.0)
    assert table.state.phase is Phase.TAP


def test_hands_that_go_on_when_a_round_ends_do_not_say_that_the_board_is_clear():
    moves = ("a1", "b1", "a2", "b2", "T4", "b3", "T4")
    table = table_after(AZTEKA, moves, presence=False)
    table.handle(Touched("b4"), 10.0)
    table.handle(Lifted("b4"), 10.1)
    assert table.state.phase is Phase.CONFIRM
    table.handle(Touched("h3"), 10.4)
    table.handle(Lifted("h3"), 10.5)
    assert table.state.phase is Phase.CONFIRM
    assert "b1" in table.state.standing
    table.handle(Touched("h3"), 12.0)
    assert table.state.phase is Phase.TAP
    assert not table.state.standing
