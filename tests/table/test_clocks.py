"""Clocks that players agree on before a game: whose time runs, and what a restart restores."""

import json
from random import Random

import pytest

from game.rules.base.clocks import SAVE_S
from game.rules.base.errors import BadOption
from game.rules.circle_of_life import GAME
from game.store import JournalLine, lines_of
from game.store.record import from_journal
from game.store.record_json import record_to_json, records_from_json
from game.store.record_text import record_to_text, records_from_text
from game.table.entries import ASSISTANCES, CLOCKS, Agreement, EntryKind, parse
from game.table.inputs import Command
from game.table.table import Table
from tests.table.random_game import LEVELS, TWO_MEALS, TableSession

FISCHER = {"clock": "fischer:60+5"}


def left(session: TableSession) -> list[float]:
    clocks = session.state.clocks
    assert clocks is not None
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


def test_a_fischer_clock_runs_for_the_player_to_move_after_the_first_move_and_adds_for_each(sit):
    session = sit(**FISCHER)
    pass_time(session, 30)
    assert (left(session.do("e5")), pass_time(session, 20)) == ([65, 60], [65, 40])
    assert session.table.due() is not None
    assert left(session.do("a1"))[1] in (44, 45)
    # A clock for each move begins again.
    session = sit(clock="move:30").do("e5")
    pass_time(session, 20)
    assert left(session.do("a1")) == [30, 30]


def test_clocks_stand_while_stones_are_taken_off_and_while_play_pauses(sit):
    session = sit(**FISCHER).do(*TWO_MEALS)
    assert left(session) == pass_time(session, 30)
    before = left(session.do("d4", "f5").disturb("a1"))
    assert before == pass_time(session, 30)
    assert sum(pass_time(session.mend(), 10)) == sum(before) - 10
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
    assert left(resumed(session)) == left(session)
    now = pass_time(session, 25)
    assert 0 <= left(resumed(session))[0] - now[0] <= SAVE_S
    pass_time(session, 5)
    session.ask(Command.TAKE_BACK)
    assert left(resumed(session)) == left(session)
    # Taking the move back also takes back its increment.
    assert left(session)[1] == 52


def resumed(session: TableSession) -> TableSession:
    """Return a session resumed at another time from what was saved."""
    again = session.twin()
    again.table = Table(GAME, {}, Random(0), levels=LEVELS)
    again.now = 1000.0
    again.table.resume(session.saved, again.now)
    return again


def test_the_lights_learn_when_the_time_of_who_is_to_move_becomes_short(sit):
    session = sit(**FISCHER).do("e5")
    while (due := session.table.due()) is not None and left(session)[1] > 10:
        assert not session.table.scene().time_short
        session.now = due
        session.table.tick(due)
    assert left(session)[1] == 10
    assert session.table.scene().time_short
    assert not session.do("a1").table.scene().time_short
    # The next game has the same clock.
    again = resumed(session).do(Command.NEW_GAME, Command.NEW_GAME)
    assert again.state.clocks is not None
    assert left(again) == [60, 60]
