"""Who plays, and whether the game is being saved."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.base.errors import RulesError
from game.rules.base.message import say
from game.rules.base.names import LONGEST_NAME
from game.rules.circle_of_life import GAME
from game.table.entries import Entry, EntryKind, names_in, names_text
from game.table.inputs import Command, Saved, SetNames, StartGame
from game.table.table import Table
from tests.table.random_game import TableSession

FULL = say("journal.full")
NEW = Command.NEW_GAME


def test_names_are_kept_and_change_nothing_else(sit):
    session = sit().do("e5")
    before = session.state
    session.give(SetNames(("Ada", "Bea")))
    after = session.state
    assert session.saved[-1] == Entry(EntryKind.NAMES, '["Ada", "Bea"]')
    assert after.names == ("Ada", "Bea")
    assert (after.position, after.phase, after.history) == (
        before.position,
        before.phase,
        before.history,
    )


def test_the_same_names_again_are_not_kept_twice(sit):
    session = sit().do(SetNames(("Ada", "")))
    before, saved = session.state, list(session.saved)
    session.give(SetNames((" Ada ", "")))
    assert (session.state is before, session.saved) == (True, saved)


def test_names_go_on_into_the_next_game_and_empty_ones_do_not(sit):
    session = sit().do(SetNames(("Ada", "Bea")), NEW)
    assert [entry.kind for entry in session.saved[-2:]] == [EntryKind.START, EntryKind.NAMES]
    session.do(10.0, SetNames(("", "")))
    assert session.saved[-1] == Entry(EntryKind.NAMES, '["", ""]')
    assert session.state.names == ()
    session.ask(NEW)
    assert session.saved[-1].kind is EntryKind.START


@pytest.mark.parametrize("make", [SetNames, lambda names: StartGame(names=names)])
@pytest.mark.parametrize(
    ("names", "why"),
    [
        ((), "table.bad_entry"),
        (("A",), "table.bad_entry"),
        (("A", "B", "C"), "table.bad_entry"),
        (("A", "B" * (LONGEST_NAME + 1)), "rules.long_name"),
    ],
)
def test_names_that_do_not_fit_are_refused_with_words(sit, names, why, make):
    session = sit().do(SetNames(("Ada", "Bea")), make(names))
    assert (session.state.names, session.notice) == (("Ada", "Bea"), why)


def test_one_name_in_two_unicode_forms_is_one_name_in_all_that_reads_entries():
    assert names_in('["Jos\u00e9", "Jose\u0301"]') == ("Jos\u00e9",) * 2


@given(st.text(st.characters(codec=None), max_size=LONGEST_NAME))
def test_any_name_is_noted_so_that_it_can_be_noted_again(name):
    session = TableSession(GAME, {"first": "1"}, presence=False)
    session.give(SetNames((name, "Bea")))
    noted = session.state.names
    saved = list(session.saved)
    session.give(SetNames(noted))
    assert session.saved == saved, "what is tidy stays as it is"
    assert names_in(names_text(noted).encode().decode()) == noted
    assert noted[0] == noted[0].strip()


@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", '["A"]', '["A", "B", "C"]', "[" * 99_999])
def test_a_names_entry_that_means_nothing_is_refused(text):
    table = Table(GAME, {}, Random(0))
    table.start(0.0)
    before = table.state
    with pytest.raises(RulesError, match="bad_entry"):
        table.resume([Entry(EntryKind.NAMES, text)], 0.0)
    assert table.state is before


def test_that_the_game_is_not_kept_is_shown_and_play_goes_on(sit):
    session = sit().do(Saved(FULL))
    assert session.state.notices.save_problem == FULL
    assert session.table.scene().unsaved
    session.tap("e5")
    assert session.pieces == {"e5": "1"}
    assert session.table.scene().unsaved


def test_that_the_game_is_kept_again_is_good_news_once(sit):
    session = sit().do(Saved(FULL), Saved(None))
    assert not session.table.scene().unsaved
    assert (session.notice, session.state.notices.current.good) == ("table.kept_again", True)
    session.wait(10.0)
    before = session.state
    session.give(Saved(None))
    assert session.state is before


def test_a_trouble_that_loses_nothing_is_told_without_alarm(sit):
    session = sit().do(Saved(FULL, safe=True))
    assert session.state.notices.save_problem == FULL
    assert not session.table.scene().unsaved
    session.give(Saved(None))
    assert session.notice == ""
