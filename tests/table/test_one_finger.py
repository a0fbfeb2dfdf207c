"""One finger, one touch: bounces, slides and palms where touches are moments."""

import pytest

from game.rules.circle_of_life import GAME
from game.rules.moves import MoveList
from game.table.entries import Entry, Kind
from game.table.inputs import Command, Lifted, Palmed, Touched
from game.table.state import Phase
from game.table.touching import ECHO_S, SLIDE_S
from tests.helpers.games.toy_game import Row, Toy
from tests.table.sitting import TWO_MEALS

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
    assert sitting.table.state.down == sitting.table.state.echoes == frozenset()


@pytest.mark.parametrize(
    ("pause", "told"), [(ECHO_S - 0.01, ""), (ECHO_S + 0.01, "circle_of_life.occupied")]
)
def test_a_second_touch_is_an_echo_for_half_a_second(sit, pause, told):
    sitting = sit()
    bounce(sitting, "e5", pause)
    assert sitting.notice == told


def test_a_finger_that_is_felt_twice_without_a_lift_is_an_echo_however_late(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.wait(100.0)
    sitting.give(Touched("e5"))
    sitting.give(Lifted("e5"))
    assert (texts(sitting), sitting.notice) == (["e5"], "")


def test_a_bounce_on_a_stone_that_has_just_been_taken_away_sets_none(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS, "d4")
    bounce(sitting, "f5", 0.1)
    assert (texts(sitting)[-1], sitting.notice, sitting.cue("f5")) == ("e6x", "table.echo", "wrong")
    sitting.tap("f5")
    assert texts(sitting)[-1].startswith("f5")


def test_a_bounce_on_a_stone_that_has_just_been_put_back_is_silent(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS, "d4", "f5")
    sitting.ask(BACK)
    sitting.wait(10.0)
    bounce(sitting, "d4", 0.1)
    assert sitting.notice == ""
    assert [edit.cell for edit in sitting.table.state.pending(GAME)] == ["e6", "f5"] or [
        edit.cell for edit in sitting.table.state.pending(GAME)
    ] == ["f5", "e6"]


def test_a_stone_put_by_a_move_taken_back_at_once_may_go_at_once(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.give(Lifted("e5"))
    sitting.ask(BACK)
    sitting.give(Touched("e5"))
    assert sitting.kept[-1] == Entry(Kind.EDIT, "e5")
    assert sitting.table.state.phase is Phase.TAP


def test_a_finger_that_slides_on_from_the_stone_it_has_set_sets_no_other(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.give(Touched("e6"))
    sitting.give(Lifted("e5"))
    sitting.give(Lifted("e6"))
    assert (texts(sitting), sitting.notice, sitting.cue("e6")) == (["e5"], "table.slid", "wrong")


@pytest.mark.parametrize(("pause", "moves"), [(SLIDE_S - 0.01, 1), (SLIDE_S + 0.01, 2)])
def test_a_slide_may_lose_the_board_for_a_quarter_of_a_second(sit, pause, moves):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.give(Lifted("e5"))
    sitting.now += pause - 0.05
    sitting.give(Touched("e6"))
    assert len(texts(sitting)) == moves


def test_a_quick_touch_elsewhere_is_the_next_players_move(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.give(Lifted("e5"))
    sitting.give(Touched("a1"))
    assert texts(sitting) == ["e5", "a1"]


def test_a_cell_refused_as_a_slide_can_be_touched_when_the_finger_has_gone(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.give(Touched("e6"))
    sitting.give(Lifted("e6"))
    sitting.give(Lifted("e5"))
    sitting.tap("e6")
    assert texts(sitting) == ["e5", "e6"]


def test_removals_in_one_stroke_over_neighbours_are_all_taken(sit):
    sitting = sit()
    sitting.tap("d1", "e4", "d2", "f4", "i1", "f5", "d3")
    sitting.wait(SLIDE_S)
    away = [edit.cell for edit in sitting.table.state.pending(GAME)]
    for cell in away:
        sitting.give(Touched(cell))
    for cell in away:
        sitting.give(Lifted(cell))
    assert (sitting.table.state.phase, sitting.notice) == (Phase.TAP, "")


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
    sitting.give(Palmed(frozenset({"e4", "e5", "e6"})))
    sitting.give(Lifted("e5"))
    sitting.ask(BACK)
    sitting.tap("e5")
    assert (texts(sitting), sitting.table.state.phase) == ([], Phase.TAP)


def test_fingers_are_forgotten_in_a_pause(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.disturb("e5")
    sitting.mend()
    assert sitting.table.state.contacts == {}
    sitting.give(Touched("e6"))
    assert texts(sitting) == ["e5", "e6"]


def test_a_game_of_several_taps_goes_on_to_a_neighbour_at_once(sit):
    sitting = sit(Toy())
    sitting.give(Touched("a"))
    sitting.give(Touched("b"))
    assert texts(sitting) == ["a-b"]


def test_a_slide_begins_no_move_of_several_taps(sit):
    sitting = sit(Toy())
    sitting.tap("key:pass", "e")
    sitting.give(Touched("d"))
    assert texts(sitting) == ["pass", "e-d"]
    sitting.give(Touched("key:pass"))
    assert texts(sitting) == ["pass", "e-d", "pass"]
    sitting.give(Lifted("d"))
    sitting.give(Touched("d"))
    assert (sitting.table.state.taps, sitting.notice) == ((), "table.echo")


def test_a_bounce_is_no_second_tap_of_a_move_that_touches_a_cell_twice(sit):
    sitting = sit(Stay())
    bounce(sitting, "a", 0.1)
    assert (sitting.table.state.taps, sitting.notice) == (("a",), "table.echo")
    sitting.tap("a")
    assert texts(sitting) == ["a-a"]


def test_trying_again_and_again_is_an_echo_no_longer_than_the_first_one(sit):
    sitting = sit()
    sitting.tap("e5", "a1")
    sitting.give(Touched("a2"))
    assert sitting.notice == "table.slid"
    sitting.give(Lifted("a2"))
    sitting.now += SLIDE_S
    sitting.give(Touched("a2"))
    assert texts(sitting) == ["e5", "a1", "a2"]


def test_an_echo_is_one_only_for_as_long_as_the_touch_that_had_an_effect(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS, "d4", "f5")
    moves = texts(sitting)
    for _ in range(20):
        sitting.give(Touched("f5"))
        sitting.give(Lifted("f5"))
        if texts(sitting) != moves:
            break
    assert texts(sitting) == [*moves, "f5"]
    assert sitting.notice == ""


def test_two_stones_set_at_once_are_not_two_moves(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.give(Touched("a1"))
    assert (texts(sitting), sitting.notice) == (["e5"], "table.one_stone")
    sitting.give(Lifted("a1"))
    sitting.give(Lifted("e5"))
    sitting.tap("a1")
    assert texts(sitting) == ["e5", "a1"]
