"""Clocks that are agreed before a game: who pays for the time, and what a restart knows of it."""

import json
from random import Random

import pytest

from game.rules.base.errors import BadOption
from game.rules.circle_of_life import GAME
from game.store.journal.store import JournalLine
from game.store.records import record_json, record_text
from game.store.records.record import from_journal, lines_of
from game.table import agreement
from game.table.agreement import ASSISTANCE, CLOCKS, Agreement
from game.table.clock import SAVE_S
from game.table.entries import EntryKind
from game.table.inputs import Asked, Command, FaultsChanged
from game.table.table import Table
from tests.table.random_game import LEVELS, TWO_MEALS, Sitting

FISCHER = {"clock": "fischer:60+5"}


def left(sitting: Sitting) -> list[float]:
    clocks = sitting.table.state.clocks
    assert clocks is not None
    return [round(each) for each in clocks.left_at(sitting.now)]


def pass_time(sitting: Sitting, seconds: int) -> None:
    """Let time pass as the loop does, and keep what the table tells then."""
    for _ in range(seconds):
        sitting.now += 1
        sitting.kept += sitting.table.tick(sitting.now)


def test_what_is_agreed_is_read_and_anything_else_is_refused():
    for clock in CLOCKS:
        for help_ in ASSISTANCE:
            told = Agreement(clock, help_)
            options = {"clock": clock, "assistance": help_, "target": "5"}
            assert agreement.parse(options) == (told, {"target": "5"})
            assert agreement.parse(told.options) == (told, {})
    assert Agreement().options == {}
    for wrong in ({"clock": "move:0"}, {"clock": "fischer:60"}, {"assistance": "none"}):
        with pytest.raises(BadOption):
            agreement.parse(wrong)


def test_a_fischer_clock_runs_for_the_player_to_move_after_the_first_move_and_adds_for_each(sit):
    sitting = sit(**FISCHER)
    pass_time(sitting, 30)
    sitting.tap("e5")
    assert left(sitting) == [65, 60]
    pass_time(sitting, 20)
    assert left(sitting) == [65, 40]
    assert sitting.table.due() is not None
    sitting.tap("a1")
    assert left(sitting)[1] in (44, 45)


def test_a_clock_for_each_move_begins_anew(sit):
    sitting = sit(clock="move:30")
    sitting.tap("e5")
    pass_time(sitting, 20)
    sitting.tap("a1")
    assert left(sitting) == [30, 30]


def test_clocks_stand_while_stones_are_taken_off_and_while_play_pauses(sit):
    sitting = sit(**FISCHER)
    sitting.tap(*TWO_MEALS)
    before = left(sitting)
    pass_time(sitting, 30)
    assert left(sitting) == before
    assert sitting.table.scene().time == ()
    sitting.tap("d4", "f5")
    assert sitting.table.scene().time
    sitting.disturb("a1")
    before = left(sitting)
    pass_time(sitting, 30)
    assert left(sitting) == before
    sitting.give(FaultsChanged(frozenset(), ()))
    pass_time(sitting, 10)
    assert sum(left(sitting)) == sum(before) - 10


def test_a_computer_player_has_no_clock(sit):
    sitting = sit(**FISCHER)
    sitting.oppose("", "3")
    sitting.tap("e5")
    pass_time(sitting, 100)
    assert sitting.table.state.outcome is None
    assert left(sitting)[1] == 60


def test_time_that_is_up_loses_the_game_and_records_of_it_go_round(sit):
    sitting = sit(**FISCHER)
    sitting.tap("e5")
    pass_time(sitting, 61)
    outcome = sitting.table.state.outcome
    assert (outcome.winner, outcome.reason, outcome.message.key) == (1, "time up", "table.time_up")
    assert (sitting.kept[-1].kind, sitting.kept[-1].text) == (EntryKind.FLAG, "2")
    at = "2026-11-21T08:00:00.000+00:00"
    record = from_journal(GAME.name, "board", [JournalLine(each, at, 0.0) for each in sitting.kept])
    assert record.options["clock"] == "fischer:60+5"
    (again,) = record_text.read(record_text.write(record))
    assert again.same_game(record)
    assert lines_of(again, at)[-1].entry.kind is EntryKind.FLAG
    assert record_json.read(json.dumps(record_json.write(record))) == [record]
    # Who takes that back plays on without a clock.
    sitting.give(Asked(Command.TAKE_BACK))
    assert sitting.table.state.outcome is None
    assert sitting.table.state.clocks is None


def test_a_restart_goes_on_with_the_time_of_the_last_move_and_of_a_long_thought(sit):
    sitting = sit(**FISCHER)
    sitting.tap("e5")
    pass_time(sitting, 7)
    sitting.tap("a1")
    assert left(resumed(sitting)) == left(sitting)
    pass_time(sitting, 25)
    lost = left(resumed(sitting))[0] - left(sitting)[0]
    assert 0 <= lost <= SAVE_S
    pass_time(sitting, 5)
    sitting.ask(Command.TAKE_BACK)
    assert left(resumed(sitting)) == left(sitting)
    # What was added for the move is gone with it.
    assert left(sitting)[1] == 52


def resumed(sitting: Sitting) -> Sitting:
    """Return a sitting that was resumed from what is kept, at another time."""
    again = sitting.twin()
    again.table = Table(GAME, {}, Random(0), levels=LEVELS)
    again.now = 1000.0
    again.table.resume(sitting.kept, again.now)
    return again


def test_the_next_game_has_the_same_clock_and_the_bars_show_the_time(sit):
    sitting = sit(**FISCHER)
    sitting.tap("e5")
    pass_time(sitting, 30)
    assert sitting.table.scene().time == pytest.approx((1.0, 0.5), abs=0.01)
    again = resumed(sitting)
    again.ask(Command.NEW_GAME, Command.NEW_GAME)
    assert again.table.state.clocks is not None
    assert left(again) == [60, 60]
