"""Takeback, redo, new game, resigning, draws and confirming the board, by key or from the page."""

from random import Random

import pytest

from game.rules.azteka import GAME as AZTEKA
from game.rules.circle_of_life import GAME
from game.rules.cirkle_mind import GAME as MIND
from game.table.entries import Entry, EntryKind
from game.table.inputs import Asked, Command, Dismissed, Lifted, SubmitSetup, Touched
from game.table.phases import Phase
from game.table.reducer import CONFIRM_S
from game.table.scene import Cue
from game.table.table import Table
from tests.table.random_game import TWO_MEALS

NEW, BACK, REDO, RESIGN = Command.NEW_GAME, Command.TAKE_BACK, Command.REDO, Command.RESIGN
CONFIRM = Command.CONFIRM
MEALS = (*TWO_MEALS, "d4", "f5")
SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])


def test_takeback_of_a_meal_asks_to_put_the_eaten_stones_back_in_any_order(sit):
    session = sit().do(*MEALS, BACK)
    assert (session.cue("d4"), session.cue("f5"), session.cue("e6")) == ("put", "put", "remove")
    assert session.prompts == ["table.take_away", "table.put"]
    assert session.do("f5", "a5", "e6", "d4").phase is Phase.TAP
    assert (session.state.standing, session.table.scene().score) == (session.pieces, (0, 0))
    # Redo asks for them again.
    session.ask(REDO)
    cues = {each: session.cue(each) for each in ("d4", "f5", "e6")}
    assert cues == {"d4": "remove", "f5": "remove", "e6": "put"}


def test_new_game_in_the_middle_asks_once_more_until_it_is_forgotten(sit):
    session = sit().do("e5", NEW)
    assert (session.notice, session.pieces) == ("table.confirm_new", {"e5": "1"})
    assert session.do(CONFIRM_S, NEW).phase is Phase.TAP, "too late"
    assert session.do("a1", NEW).phase is Phase.TAP, "played on"
    assert session.state.notices.confirmation.command is NEW
    assert session.do(NEW).phase is Phase.DRAW
    assert (session.kinds()[-1], session.moves) == ("START", [])


def test_resigning_makes_the_other_player_win_unless_it_is_answered_with_no(sit):
    session = sit().do("e5")
    before = session.state
    assert session.do(RESIGN).notice == "table.confirm_resign"
    assert session.do(Dismissed()).state == before
    session.do(Dismissed(), RESIGN)
    assert (session.state.outcome, session.notice) == (None, "table.confirm_resign")
    outcome = session.do(RESIGN).state.outcome
    assert (outcome.winner, outcome.reason) == (1, "resigned")
    assert session.saved[-1] == Entry(EntryKind.RESIGN, "2")
    assert session.do(RESIGN).notice == "table.nothing_to_resign"


@SENSING
def test_redo_makes_again_what_was_taken_back(sit, presence):
    session = sit(presence=presence).do(*MEALS)
    after = session.pieces
    assert len(session.do(BACK, BACK).state.undone) == 2
    session.ask(REDO, REDO)
    assert (session.state.undone, session.pieces) == ((), after)
    assert session.phase is Phase.TAP, "hands had not undone anything yet"
    assert session.do(REDO).notice == "table.nothing_to_redo"


def test_another_move_ends_what_can_be_made_again_and_the_same_one_does_not(sit):
    session = sit().do("e5", "a1", "a3", BACK, BACK, BACK, "a3", "a1", "e5", "e5")
    assert (session.state.undone, session.do("i5").state.undone) == (("a3", "a1"), ())


def test_redo_goes_on_to_the_persons_turn_and_is_known_after_a_restart(sit):
    session = sit().oppose("", "3").do("e5").think("a1").do("a1", BACK)
    assert session.restarted().state.undone == ("a1", "e5")
    assert session.do(REDO).moves == ["e5", "a1"]
    session.do("c3").think("i5").do("i5", BACK, BACK)
    assert session.do(REDO).moves == ["e5", "a1"], "as far as the next turn of the person"


def test_what_was_taken_back_of_hidden_pieces_is_not_shown(sit):
    session = sit(MIND)
    for player in (1, 2):
        pieces = MIND.arranged_at_random(session.state.position, player, Random(1))
        session.give(SubmitSetup(player, pieces))
    session.ask(CONFIRM)
    move = MIND.legal_moves(session.state.position)[0]
    session.do(*MIND.taps(session.state.position, move), BACK)
    assert (len(session.state.undone), session.table.seen().undone) == (1, ("",))


@SENSING
def test_a_strict_game_takes_nothing_back(sit, presence):
    session = sit(presence=presence, assistance="strict").do("e5")
    assert session.do(BACK).notice == "table.strict"
    session.do(*["e5"] * presence)
    assert session.moves == ["e5"]
    assert "TAKE_BACK" not in session.kinds()


@pytest.mark.parametrize(("seat", "offers", "other"), [(0, 1, 0), (1, 1, 2), (2, 2, 0), (0, 1, 2)])
def test_a_draw_is_offered_by_name_and_a_seat_agrees_for_its_own_player_only(
    sit, seat, offers, other
):
    session = sit(AZTEKA)
    # A second press of the same seat offers it once more; where there are no seats it agrees.
    session.do(*[Asked(Command.DRAW, seat)] * (2 if seat else 1))
    asked = session.table.scene().notice
    assert asked.key == "table.draw_offered"
    called = [AZTEKA.presentation.called(session.state.position, n) for n in (1, 2)]
    assert called.index(asked.args["player"]) + 1 == offers
    assert called.index(asked.args["other"]) + 1 == 3 - offers
    assert session.state.outcome is None
    session.give(Asked(Command.DRAW, other))
    assert session.saved[-1] == Entry(EntryKind.DRAW)
    outcome = session.state.outcome
    assert (outcome.winner, outcome.reason) == (None, "agreed")
    assert session.do(BACK).state.outcome is None


# After a restart, one touch confirms that the board is as shown (touch sensing).


@pytest.fixture
def resumed(sit):
    """Resume a game of some moves; the session goes on with it."""

    def _resumed(*steps):
        session = sit().do(*steps, 10.0)
        session.table = session.restarted()
        return session

    return _resumed


def test_all_stones_are_shown_where_they_should_stand(resumed):
    session = resumed("e5", "a1", "e6")
    assert (session.phase, session.cues("stands")) == (Phase.CONFIRM, ["a1", "e5", "e6"])
    scene = session.table.scene()
    assert [scene.cells[cell].side for cell in ("a1", "e5", "e6")] == [2, 1, 1]
    assert (scene.notice, scene.turn) == (None, 2)
    assert (scene.prompt[0].key, scene.prompt[0].args) == ("table.confirm_board", {"count": 3})
    # Pieces that must be put back or removed are asked for again.
    session = resumed(*MEALS, BACK)
    assert (session.cues("put"), session.cues("remove")) == (["d4", "f5"], ["e6"])
    assert session.prompts == ["table.confirm_board", "table.take_away", "table.put"]


@pytest.mark.parametrize("spot", ["e5", "a1", "i5", "key:pass"])
def test_one_touch_anywhere_confirms_and_makes_no_move(resumed, spot):
    session = resumed("e5", "a1")
    saved = list(session.saved)
    session.do(Touched(spot), Lifted(spot), Touched(spot), Lifted(spot))
    assert (session.saved, session.phase, session.cues("stands")) == (saved, Phase.TAP, [])
    assert session.do("i5").moves == ["e5", "a1", "i5"]


def test_a_board_with_a_fault_is_confirmed_when_it_is_well_again(resumed):
    session = resumed("e5", "a1").disturb("i5").do("a1", CONFIRM, Command.TOUCH_CELL)
    assert (session.phase, session.notice) == (Phase.CONFIRM, "table.paused")
    assert session.mend().cues("stands") == ["a1", "e5"]
    assert session.do("a1").phase is Phase.TAP


def test_a_board_that_senses_its_stones_compares_itself(sit):
    session = sit(presence=True).do("e5", "a1")
    again = session.restarted()
    assert again.state.phase is Phase.TAP
    assert Cue.STANDS not in {lamp.cue for lamp in again.scene().cells.values()}
    assert session.do(CONFIRM).notice == "table.nothing_to_confirm"
    # Before it has reported, it confirms nothing.
    again = Table(GAME, {}, Random(0), presence=True)
    again.resume(session.saved, 0.0)
    again.handle(Asked(CONFIRM), 0.1)
    assert again.state.phase is not Phase.CONFIRM


@pytest.mark.parametrize("moves", [("e5", "a1"), TWO_MEALS], ids=["tap", "edit"])
def test_people_may_compare_the_board_at_any_time(sit, moves):
    session = sit().do(*moves)
    before = session.state
    assert session.do(CONFIRM).phase is Phase.CONFIRM
    assert set(session.cues("stands")) == set(session.pieces)
    session.ask(CONFIRM)
    assert (session.phase, session.state.standing) == (before.phase, before.standing)
