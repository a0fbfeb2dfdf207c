"""Table bugs that the soak has found, each reproduced with as few inputs as possible."""

from collections.abc import Sequence
from typing import Any

from game.rules.adaptoid import GAME as ADAPTOID
from game.rules.azteka import GAME as AZTEKA
from game.rules.base.edits import differences
from game.rules.base.game import Game
from game.table.entries import Entry, EntryKind, options_text
from game.table.inputs import Command, Lifted, Touched
from game.table.phases import Phase
from tests.table.random_game import TableSession


def after(game: Game[Any, Any], moves: Sequence[str], presence: bool) -> TableSession:
    """A table at which these moves have been made, whose board is right."""
    session = TableSession(game, {"first": "1"}, presence)
    entries, position = [Entry(EntryKind.START, options_text({"first": "1"}))], game.initial()
    for move in moves:
        before = game.pieces(position)
        position = game.play(position, game.parse_move(position, move))
        edits = differences(before, game.pieces(position), game.board.cells)
        entries.append(Entry(EntryKind.MOVE, move))
        entries += [Entry(EntryKind.EDIT, edit.cell) for edit in edits]
    session.table.resume(entries, session.now)
    session.do({*game.pieces(position)} if presence else Command.CONFIRM)
    assert (session.phase, session.moves) == (Phase.TAP, [*moves])
    return session.do(30.0)


def test_a_body_lifted_after_others_have_grown_takes_no_moves_back():
    moves = ["W:d4 B:g4", "white", "/+d5", "/g4L", "/d4L"]
    session = after(ADAPTOID, moves, presence=True).do("d5")
    assert (session.moves, session.cue("d5")) == (moves, "put")
    session.do(3.0, "d5")
    assert (session.moves, session.phase) == (moves, Phase.TAP)


def test_a_new_body_where_another_has_just_left_is_not_that_one():
    moves = ["W:d4 B:g4", "white", "/d4L", "/+g3"]
    session = after(ADAPTOID, moves, presence=True).do("d4", 2.0, "e4", 2.0, "d4", 2.0)
    assert session.moves == [*moves, "d4-e4/+d4"]
    # Without e4 the stones stand as before that move, but one is another piece.
    session.do("e4")
    assert (session.moves[-1], session.cue("e4")) == ("d4-e4/+d4", "put")
    assert session.do(2.0, "e4").phase is Phase.TAP


def test_hands_that_go_on_when_a_round_ends_do_not_say_that_the_board_is_clear():
    moves = ("a1", "b1", "a2", "b2", "T4", "b3", "T4")
    session = after(AZTEKA, moves, presence=False).do(Touched("b4"), Lifted("b4"))
    assert session.phase is Phase.CONFIRM
    session.do(0.3, Touched("h3"), Lifted("h3"))
    assert (session.phase, "b1" in session.state.standing) == (Phase.CONFIRM, True)
    session.do(1.5, Touched("h3"))
    assert (session.phase, dict(session.state.standing)) == (Phase.TAP, {})
