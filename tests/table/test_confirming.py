"""After a restart, one touch confirms that the board is as shown (touch sensing)."""

from random import Random

import pytest

from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command, Lifted, Touched
from game.table.phases import Phase
from game.table.scene import Cue
from game.table.table import Table
from tests.table.random_game import TWO_MEALS

CONFIRM = Command.CONFIRM


@pytest.fixture
def resumed(sit):
    """Resume a game of some moves; the session goes on with it."""

    def _resumed(*cells, **options):
        session = sit(**options).do(*cells, 10.0)
        session.table = session.restarted()
        return session

    return _resumed


def test_all_stones_are_shown_where_they_should_stand(resumed):
    session = resumed("e5", "a1", "e6")
    assert session.phase is Phase.CONFIRM
    assert session.cues("stands") == ["a1", "e5", "e6"]
    scene = session.table.scene()
    assert [scene.cells[cell].side for cell in ("a1", "e5", "e6")] == [2, 1, 1]
    assert scene.notice is None
    confirm = scene.prompt[0]
    assert (confirm.key, confirm.args) == ("table.confirm_board", {"count": 3})
    assert scene.turn == 2


@pytest.mark.parametrize("spot", ["e5", "a1", "i5", "key:pass"])
def test_one_touch_anywhere_confirms_and_makes_no_move(resumed, spot):
    session = resumed("e5", "a1")
    saved = list(session.saved)
    session.tap(spot)
    assert session.saved == saved
    assert session.phase is Phase.TAP
    assert session.notice == ""
    assert session.cues("stands") == []


def test_the_touch_that_confirms_may_bounce_without_a_move(resumed):
    session = resumed("e5", "a1")
    for _ in range(2):
        session.do(Touched("i5"), Lifted("i5"))
    assert len(session.moves) == 2
    session.tap("i5")
    assert len(session.moves) == 3


def test_pieces_to_be_put_back_are_asked_for_again_after_a_restart(sit):
    session = sit().do(*TWO_MEALS, "d4", "f5", Command.TAKE_BACK)
    session.table = session.restarted()
    assert session.cues("put") == ["d4", "f5"]
    assert session.cues("remove") == ["e6"]
    assert session.prompts == ["table.confirm_board", "table.take_away", "table.put"]


def test_a_disturbed_board_is_confirmed_when_it_is_well_again(resumed):
    session = resumed("e5", "a1")
    session.disturb("i5")
    session.do("a1", CONFIRM, Command.TOUCH_CELL)
    assert (session.phase, session.notice) == (Phase.CONFIRM, "table.paused")
    session.mend()
    assert session.cues("stands") == ["a1", "e5"]
    session.tap("a1")
    assert session.phase is Phase.TAP


def test_a_board_that_feels_its_stones_compares_itself(sit):
    session = sit(presence=True).do("e5", "a1")
    again = session.restarted()
    assert again.state.phase is Phase.TAP
    assert Cue.STANDS not in {lamp.cue for lamp in again.scene().cells.values()}
    session.ask(CONFIRM)
    assert session.notice == "table.nothing_to_confirm"


def test_before_it_has_told_a_board_that_feels_its_stones_confirms_nothing(sit):
    session = sit(presence=True).do("e5", "a1")
    again = Table(GAME, {}, Random(0), presence=True)
    again.resume(session.saved, 0.0)
    again.handle(Asked(CONFIRM), 0.1)
    assert again.state.phase is not Phase.CONFIRM


@pytest.mark.parametrize("moves", [("e5", "a1"), TWO_MEALS], ids=["tap", "edit"])
def test_people_may_compare_the_board_at_any_time(sit, moves):
    session = sit().do(*moves)
    before = session.state
    session.ask(CONFIRM)
    assert session.phase is Phase.CONFIRM
    assert set(session.cues("stands")) == set(session.pieces)
    session.ask(CONFIRM)
    assert session.phase is before.phase
    assert session.state.standing == before.standing
