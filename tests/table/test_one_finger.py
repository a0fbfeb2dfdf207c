"""One finger is one touch: bounces, slides and palms where touches are events."""

from game.rules.base.moves import MoveList
from game.table.inputs import Command, Lifted, PalmDetected, Touched
from game.table.phases import Phase
from tests.helpers.games.toy_game import Row, Toy
from tests.table.random_game import TWO_MEALS

BACK = Command.TAKE_BACK


class Stay(Toy):
    """The toy with one more move: a runner touched twice stays where it is."""

    def legal_moves(self, position: Row) -> MoveList[str]:
        moves = super().legal_moves(position)
        at = next((move.split("-")[0] for move in moves if "-" in move), "")
        return MoveList((*moves, f"{at}-{at}")) if at else moves

    def play(self, position: Row, move: str) -> Row:
        return (
            Row(position.pieces, position.ply + 1)
            if self._stays(move)
            else super().play(position, move)
        )

    def _stays(self, move: str) -> bool:
        start, _, goal = move.partition("-")
        return start == goal


def bounce(session, cell, pause):
    """Touch and lift a cell, and again after a pause."""
    for gap in (1.0, pause):
        session.now += gap - 0.05
        session.do(Touched(cell), Lifted(cell))


def test_a_bounce_on_the_stone_just_set_is_silent(sit):
    session = sit()
    bounce(session, "e5", 0.1)
    assert (session.moves, session.notice, session.cue("e5")) == (["e5"], "", "placed")
    assert session.state.fingers.down == session.state.fingers.repeats == frozenset()


def test_a_finger_that_slides_on_from_the_stone_it_has_set_sets_no_other(sit):
    session = sit().do(Touched("e5"), Touched("e6"), Lifted("e5"), Lifted("e6"))
    assert (session.moves, session.notice, session.cue("e6")) == (["e5"], "table.slid", "wrong")


def test_a_finger_that_slides_from_the_eater_to_its_prey_takes_nothing_away(sit):
    session = sit().do("e5", "e4", "a1", "e7", "a3", "i5", 1.0, Touched("e6"), Touched("e7"))
    assert (session.notice, session.cue("e7")) == ("table.slid_off", "wrong")
    assert session.state.standing["e7"] == "2"
    session.do(Lifted("e6"), Lifted("e7"), "e7", "e4")
    assert session.phase is Phase.TAP


def test_a_slide_from_the_last_stone_taken_away_sets_none(sit):
    session = sit().do(*TWO_MEALS, "d4", Touched("f5"), Touched("f4"))
    assert (session.moves[-1], session.notice) == ("e6x", "table.slid")


def test_a_palm_whose_first_cell_was_felt_as_a_touch_is_forgiven_by_taking_back(sit):
    session = sit()
    session.do(Touched("e5"), PalmDetected(frozenset({"e4", "e5", "e6"})), Lifted("e5"), BACK, "e5")
    assert (session.moves, session.phase) == ([], Phase.TAP)


def test_fingers_are_forgotten_in_a_pause(sit):
    session = sit().do(Touched("e5"))
    session.disturb("e5")
    session.mend()
    assert session.state.fingers.debounce_until == {}
    session.give(Touched("e6"))
    assert session.moves == ["e5", "e6"]


def test_a_bounce_is_no_second_tap_of_a_move_that_touches_a_cell_twice(sit):
    session = sit(Stay())
    bounce(session, "a", 0.1)
    assert (session.state.taps, session.notice) == (("a",), "table.echo")
    session.tap("a")
    assert session.moves == ["a-a"]


def test_two_stones_set_at_once_are_not_two_moves(sit):
    session = sit().do(Touched("e5"), Touched("a1"))
    assert (session.moves, session.notice) == (["e5"], "table.one_stone")
    session.do(Lifted("a1"), Lifted("e5"), "a1")
    assert session.moves == ["e5", "a1"]
