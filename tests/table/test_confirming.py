"""After a restart people say by one touch that the board stands as it is shown (touch sensing)."""

from random import Random

import pytest

from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command, Lifted, Touched
from game.table.records import Phase
from game.table.scene import Cue
from game.table.table import Table
from tests.table.random_game import TWO_MEALS

CONFIRM = Command.CONFIRM


@pytest.fixture
def resumed(sit):
    """Resume a game of some moves; the sitting goes on with it."""

    def _resumed(*cells, **options):
        sitting = sit(**options)
        sitting.tap(*cells)
        sitting.wait(10.0)
        sitting.table = sitting.restarted()
        return sitting

    return _resumed


def test_all_stones_are_shown_where_they_should_stand(resumed):
    sitting = resumed("e5", "a1", "e6")
    assert sitting.table.state.phase is Phase.CONFIRM
    assert sitting.cues("stands") == ["a1", "e5", "e6"]
    scene = sitting.table.scene()
    assert [scene.cells[cell].side for cell in ("a1", "e5", "e6")] == [2, 1, 1]
    assert scene.notice is None
    confirm = scene.prompt[0]
    assert (confirm.key, confirm.args) == ("table.confirm_board", {"count": 3})
    assert scene.turn == 2


@pytest.mark.parametrize("spot", ["e5", "a1", "i5", "key:pass"])
def test_one_touch_anywhere_confirms_and_makes_no_move(resumed, spot):
    sitting = resumed("e5", "a1")
    kept = list(sitting.kept)
    sitting.tap(spot)
    assert sitting.kept == kept
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.notice == ""
    assert sitting.cues("stands") == []


def test_the_touch_that_confirms_may_bounce_without_a_move(resumed):
    sitting = resumed("e5", "a1")
    for _ in range(2):
        sitting.give(Touched("i5"))
        sitting.give(Lifted("i5"))
    assert len(sitting.table.state.history) == 2
    sitting.tap("i5")
    assert len(sitting.table.state.history) == 3


def test_pieces_to_be_put_back_are_asked_for_again_after_a_restart(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS, "d4", "f5")
    sitting.ask(Command.TAKE_BACK)
    sitting.table = sitting.restarted()
    assert sitting.cues("put") == ["d4", "f5"]
    assert sitting.cues("remove") == ["e6"]
    assert sitting.prompts == ["table.confirm_board", "table.take_away", "table.put"]


def test_a_disturbed_board_is_confirmed_when_it_is_well_again(resumed):
    sitting = resumed("e5", "a1")
    sitting.disturb("i5")
    sitting.tap("a1")
    sitting.ask(CONFIRM, Command.TOUCH_CELL)
    assert (sitting.table.state.phase, sitting.notice) == (Phase.CONFIRM, "table.paused")
    sitting.mend()
    assert sitting.cues("stands") == ["a1", "e5"]
    sitting.tap("a1")
    assert sitting.table.state.phase is Phase.TAP


def test_a_board_that_feels_its_stones_compares_itself(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1")
    again = sitting.restarted()
    assert again.state.phase is Phase.TAP
    assert Cue.STANDS not in {lamp.cue for lamp in again.scene().cells.values()}
    sitting.ask(CONFIRM)
    assert sitting.notice == "table.nothing_to_confirm"


def test_before_it_has_told_a_board_that_feels_its_stones_confirms_nothing(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1")
    again = Table(GAME, {}, Random(0), presence=True)
    again.resume(sitting.kept, 0.0)
    again.handle(Asked(CONFIRM), 0.1)
    assert again.state.phase is not Phase.CONFIRM


@pytest.mark.parametrize("moves", [("e5", "a1"), TWO_MEALS], ids=["tap", "edit"])
def test_people_may_compare_the_board_at_any_time(sit, moves):
    sitting = sit()
    sitting.tap(*moves)
    before = sitting.table.state
    sitting.ask(CONFIRM)
    assert sitting.table.state.phase is Phase.CONFIRM
    assert set(sitting.cues("stands")) == set(sitting.pieces)
    sitting.ask(CONFIRM)
    assert sitting.table.state.phase is before.phase
    assert sitting.table.state.standing == before.standing
