"""Takeback, redo, new game, resigning, draws, confirming the board; and clocks."""

import json
from math import inf
from random import Random

import pytest

from game.rules.azteka import GAME as AZTEKA
from game.rules.base.clocks import SAVE_S
from game.rules.base.errors import BadOption
from game.rules.circle_of_life import GAME
from game.store import JournalLine, lines_of
from game.store.record import from_journal
from game.store.record_json import record_to_json, records_from_json
from game.store.record_text import record_to_text, records_from_text
from game.table import Cue, Phase, Table
from game.table.entries import ASSISTANCES, CLOCKS, Agreement, Entry, EntryKind, parse
from game.table.inputs import Asked, Command, Dismissed, Lifted, Touched
from game.table.reducer import CONFIRM_S
from tests.table.random_game import LEVELS, TWO_MEALS, TableSession

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
def test_redo_makes_again_what_was_taken_back_until_another_move(sit, presence):
    session = sit(presence=presence).do(*MEALS)
    after = session.pieces
    assert len(session.do(BACK, BACK).state.undone) == 2
    session.ask(REDO, REDO)
    assert (session.state.undone, session.pieces) == ((), after)
    assert session.phase is Phase.TAP, "hands had not undone anything yet"
    assert session.do(REDO).notice == "table.nothing_to_redo"
    # The same move does not end what can be made again.
    session = sit().do("e5", "a1", "a3", BACK, BACK, BACK, "a3", "a1", "e5", "e5")
    assert (session.state.undone, session.do("i5").state.undone) == (("a3", "a1"), ())


def test_redo_goes_on_to_the_persons_turn_and_is_known_after_a_restart(sit):
    session = sit().oppose("", "3").do("e5").think("a1").do("a1", BACK)
    assert session.restarted().state.undone == ("a1", "e5")
    assert session.do(REDO).moves == ["e5", "a1"]
    session.do("c3").think("i5").do("i5", BACK, BACK)
    assert session.do(REDO).moves == ["e5", "a1"], "as far as the next turn of the person"


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


def test_all_stones_are_shown_where_they_should_stand_once_the_board_is_well(resumed):
    session = resumed("e5", "a1", "e6")
    assert (session.phase, session.cues("stands")) == (Phase.CONFIRM, ["a1", "e5", "e6"])
    scene = session.table.scene()
    assert [scene.cells[cell].side for cell in ("a1", "e5", "e6")] == [2, 1, 1]
    assert (scene.notice, scene.turn) == (None, 2)
    assert (scene.prompt[0].key, scene.prompt[0].args) == ("table.confirm_board", {"count": 3})
    session.disturb("i5").do("a1", CONFIRM, Command.TOUCH_CELL)
    assert (session.phase, session.notice) == (Phase.CONFIRM, "table.paused")
    assert session.mend().cues("stands") == ["a1", "e5", "e6"]
    # Pieces that must be put back or removed are asked for again, and compared at any time.
    session = resumed(*MEALS, BACK)
    for _ in range(2):
        assert (session.cues("put"), session.cues("remove")) == (["d4", "f5"], ["e6"])
        assert session.prompts == ["table.confirm_board", "table.take_away", "table.put"]
        assert session.do(CONFIRM).phase is Phase.EDIT
        session.ask(CONFIRM)


@pytest.mark.parametrize("spot", ["e5", "a1", "i5", "key:pass"])
def test_one_touch_anywhere_confirms_and_makes_no_move(resumed, spot):
    session = resumed("e5", "a1")
    saved = list(session.saved)
    session.do(Touched(spot), Lifted(spot), Touched(spot), Lifted(spot))
    assert (session.saved, session.phase, session.cues("stands")) == (saved, Phase.TAP, [])
    assert session.do("i5").moves == ["e5", "a1", "i5"]


def test_a_board_that_senses_its_stones_compares_itself(sit):
    session = sit(presence=True).do("e5", "a1")
    again = session.restarted()
    assert again.state.phase is Phase.TAP
    assert Cue.STANDS not in {lamp.cue for lamp in again.scene().cells.values()}
    assert session.do(CONFIRM).notice == "table.nothing_to_confirm"


# Clocks that players agree on before a game.


FISCHER = {"clock": "fischer:60+5"}


def left(session: TableSession) -> list[float]:
    clocks = session.state.clocks
    return [round(each) for each in clocks.left_at(session.now)]


def pass_time(session: TableSession, seconds: int) -> list[float]:
    """Let time pass as the loop does, and record what the table reports; return what is left."""
    for _ in range(seconds):
        session.now += 1
        session.saved += session.table.tick(session.now)
    return left(session)


def test_what_is_agreed_is_read_and_anything_else_is_refused():
    for clock in CLOCKS:
        for help_ in ASSISTANCES:
            shown = Agreement(clock, help_)
            options = {"clock": clock, "assistance": help_, "target": "5"}
            assert parse(options) == (shown, {"target": "5"})
            assert parse(shown.options) == (shown, {})
    assert Agreement().options == {}
    for wrong in ({"clock": "move:0"}, {"clock": "fischer:60"}, {"assistance": "none"}):
        with pytest.raises(BadOption):
            parse(wrong)


def test_a_clock_runs_for_the_person_to_move_after_the_first_move_while_the_board_is_right(sit):
    session = sit(**FISCHER)
    pass_time(session, 30)
    assert (left(session.do("e5")), pass_time(session, 20)) == ([65, 60], [65, 40])
    assert session.table.due() < inf
    assert left(session.do("a1"))[1] in (44, 45)
    # It stands while stones are taken off, and while play pauses.
    session = sit(**FISCHER).do(*TWO_MEALS)
    assert left(session) == pass_time(session, 30)
    before = left(session.do("d4", "f5").disturb("a1"))
    assert before == pass_time(session, 30)
    assert sum(pass_time(session.mend(), 10)) == sum(before) - 10
    # A clock for each move begins again.
    session = sit(clock="move:30").do("e5")
    pass_time(session, 20)
    assert left(session.do("a1")) == [30, 30]
    # A computer player has no clock.
    session = sit(**FISCHER).oppose("", "3").do("e5")
    assert (pass_time(session, 100)[1], session.state.outcome) == (60, None)


def test_time_that_is_up_loses_the_game_and_records_of_it_go_round(sit):
    session = sit(**FISCHER).do("e5")
    pass_time(session, 61)
    outcome = session.state.outcome
    assert (outcome.winner, outcome.reason, outcome.message.key) == (1, "time up", "table.time_up")
    assert (session.saved[-1].kind, session.saved[-1].text) == (EntryKind.FLAG, "2")
    at = "2026-11-21T08:00:00.000+00:00"
    record = from_journal(
        GAME.name, "board", [JournalLine(each, at, 0.0) for each in session.saved]
    )
    assert record.options["clock"] == "fischer:60+5"
    (again,) = records_from_text(record_to_text(record))
    assert again.same_game(record)
    assert lines_of(again, at)[-1].entry.kind is EntryKind.FLAG
    assert records_from_json(json.dumps(record_to_json(record))) == [record]
    # Taking that back continues the game without a clock.
    session.ask(Command.TAKE_BACK)
    assert (session.state.outcome, session.state.clocks) == (None, None)


def test_a_restart_goes_on_with_the_time_of_the_last_move_and_of_a_long_thought(sit):
    session = sit(**FISCHER).do("e5")
    pass_time(session, 7)
    session.tap("a1")
    assert left(resumed_later(session)) == left(session)
    now = pass_time(session, 25)
    assert 0 <= left(resumed_later(session))[0] - now[0] <= SAVE_S
    pass_time(session, 5)
    session.ask(Command.TAKE_BACK)
    assert left(resumed_later(session)) == left(session)
    # Taking the move back also takes back its increment.
    assert left(session)[1] == 52


def resumed_later(session: TableSession) -> TableSession:
    """Return a session resumed at another time from what was saved."""
    again = session.twin()
    again.table = Table(GAME, {}, Random(0), levels=LEVELS)
    again.now = 1000.0
    again.table.resume(session.saved, again.now)
    return again


def test_the_lights_learn_when_the_time_of_who_is_to_move_becomes_short(sit):
    session = sit(**FISCHER).do("e5")
    while (due := session.table.due()) < inf and left(session)[1] > 10:
        assert not session.table.scene().time_short
        session.now = due
        session.table.tick(due)
    assert left(session)[1] == 10
    assert session.table.scene().time_short
    assert not session.do("a1").table.scene().time_short
    # The next game has the same clock.
    again = resumed_later(session).do(Command.NEW_GAME, Command.NEW_GAME)
    assert again.state.clocks is not None
    assert left(again) == [60, 60]
