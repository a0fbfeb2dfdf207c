"""One finger, one touch: bounces, slides and palms where touches are moments."""

from game.rules.base.moves import MoveList
from game.table.inputs import Command, Lifted, PalmDetected, Touched
from game.table.records import Phase
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


def texts(sitting):
    return [each.text for each in sitting.table.state.history]


def bounce(sitting, cell, pause):
    """Touch and lift a cell, and again after a pause."""
    for gap in (1.0, pause):
        sitting.now += gap - 0.05
        sitting.give(Touched(cell))
        sitting.give(Lifted(cell))


def test_a_bounce_on_the_stone_just_set_is_silent(sit):
    sitting = sit()
    bounce(sitting, "e5", 0.1)
    assert (texts(sitting), sitting.notice, sitting.cue("e5")) == (["e5"], "", "placed")
    assert sitting.table.state.fingers.down == sitting.table.state.fingers.repeats == frozenset()


def test_a_finger_that_slides_on_from_the_stone_it_has_set_sets_no_other(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.give(Touched("e6"))
    sitting.give(Lifted("e5"))
    sitting.give(Lifted("e6"))
    assert (texts(sitting), sitting.notice, sitting.cue("e6")) == (["e5"], "table.slid", "wrong")


def test_a_finger_that_slides_from_the_eater_to_its_prey_takes_nothing_away(sit):
    sitting = sit()
    sitting.tap("e5", "e4", "a1", "e7", "a3", "i5")
    sitting.wait(1.0)
    sitting.give(Touched("e6"))
    sitting.give(Touched("e7"))
    assert (sitting.notice, sitting.cue("e7")) == ("table.slid_off", "wrong")
    assert sitting.table.state.standing["e7"] == "2"
    sitting.give(Lifted("e6"))
    sitting.give(Lifted("e7"))
    sitting.tap("e7", "e4")
    assert sitting.table.state.phase is Phase.TAP


def test_a_slide_from_the_last_stone_taken_away_sets_none(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS, "d4")
    sitting.give(Touched("f5"))
    sitting.give(Touched("f4"))
    assert (texts(sitting)[-1], sitting.notice) == ("e6x", "table.slid")


def test_a_palm_whose_first_cell_was_felt_as_a_touch_is_forgiven_by_taking_back(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.give(PalmDetected(frozenset({"e4", "e5", "e6"})))
    sitting.give(Lifted("e5"))
    sitting.ask(BACK)
    sitting.tap("e5")
    assert (texts(sitting), sitting.table.state.phase) == ([], Phase.TAP)


def test_fingers_are_forgotten_in_a_pause(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.disturb("e5")
    sitting.mend()
    assert sitting.table.state.fingers.debounce_until == {}
    sitting.give(Touched("e6"))
    assert texts(sitting) == ["e5", "e6"]


def test_a_bounce_is_no_second_tap_of_a_move_that_touches_a_cell_twice(sit):
    sitting = sit(Stay())
    bounce(sitting, "a", 0.1)
    assert (sitting.table.state.taps, sitting.notice) == (("a",), "table.echo")
    sitting.tap("a")
    assert texts(sitting) == ["a-a"]


def test_two_stones_set_at_once_are_not_two_moves(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.give(Touched("a1"))
    assert (texts(sitting), sitting.notice) == (["e5"], "table.one_stone")
    sitting.give(Lifted("a1"))
    sitting.give(Lifted("e5"))
    sitting.tap("a1")
    assert texts(sitting) == ["e5", "a1"]
