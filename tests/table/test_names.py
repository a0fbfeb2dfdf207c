"""Who plays, and whether the game is being kept."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.rules.errors import RulesError
from game.rules.message import say
from game.table.entries import Entry, Kind, names_in, names_text
from game.table.inputs import Command, Kept, Named
from game.table.state import Phase
from game.table.table import LONGEST_NAME, Table
from tests.table.sitting import Sitting

FULL = say("journal.full")
NEW = Command.NEW_GAME


def test_names_are_kept_and_change_nothing_else(sit):
    sitting = sit()
    sitting.tap("e5")
    before = sitting.table.state
    sitting.give(Named(("Ada", "Bea")))
    after = sitting.table.state
    assert sitting.kept[-1] == Entry(Kind.NAMES, '["Ada", "Bea"]')
    assert after.names == ("Ada", "Bea")
    assert (after.position, after.phase, after.history) == (
        before.position,
        before.phase,
        before.history,
    )


def test_the_same_names_again_are_not_kept_twice(sit):
    sitting = sit()
    sitting.give(Named(("Ada", "")))
    before, kept = sitting.table.state, list(sitting.kept)
    sitting.give(Named((" Ada ", "")))
    assert (sitting.table.state is before, sitting.kept) == (True, kept)


def test_names_go_on_into_the_next_game_and_nobodys_do_not(sit):
    sitting = sit()
    sitting.give(Named(("Ada", "Bea")))
    sitting.ask(NEW)
    assert [entry.kind for entry in sitting.kept[-2:]] == [Kind.START, Kind.NAMES]
    sitting.wait(10.0)
    sitting.give(Named(("", "")))
    assert sitting.kept[-1] == Entry(Kind.NAMES, '["", ""]')
    assert sitting.table.state.names == ()
    sitting.ask(NEW)
    assert sitting.kept[-1].kind is Kind.START


def test_names_are_resumed(sit):
    sitting = sit()
    sitting.give(Named(("Ada", "Bea")))
    sitting.tap("e5")
    assert sitting.restarted().state.names == ("Ada", "Bea")


@pytest.mark.parametrize("names", [(), ("A",), ("A", "B", "C"), ("A", "B" * (LONGEST_NAME + 1))])
def test_names_that_do_not_fit_are_refused_with_words(sit, names):
    sitting = sit()
    sitting.give(Named(("Ada", "Bea")))
    sitting.give(Named(names))
    assert (sitting.table.state.names, sitting.notice) == (("Ada", "Bea"), "table.bad_names")


@pytest.mark.parametrize(
    ("told", "noted"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ada\nBea\tC", "Ada Bea C"),
        ("Ada \x00", "Ada"),
        ("A \x07 B", "A B"),
        ("\ud800Ada", "Ada"),
        ("Zoë Müller-Žák", "Zoë Müller-Žák"),
    ],
)
def test_a_name_is_one_line_of_what_can_be_shown(sit, told, noted):
    sitting = sit()
    sitting.give(Named((told, "")))
    assert sitting.table.state.names == ((noted, "") if noted else ())


@given(st.text(st.characters(codec=None), max_size=LONGEST_NAME))
def test_any_name_is_noted_so_that_it_can_be_noted_again(name):
    sitting = Sitting(GAME, {"first": "1"}, presence=False)
    sitting.give(Named((name, "Bea")))
    noted = sitting.table.state.names
    kept = list(sitting.kept)
    sitting.give(Named(noted))
    assert sitting.kept == kept, "what is tidy stays as it is"
    assert names_in(names_text(noted).encode().decode()) == noted
    assert noted[0] == noted[0].strip()


@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", '["A"]', '["A", "B", "C"]', "[" * 99_999])
def test_a_names_entry_that_means_nothing_is_refused(text):
    table = Table(GAME, {}, Random(0))
    table.start(0.0)
    before = table.state
    with pytest.raises(RulesError, match="bad_entry"):
        table.resume([Entry(Kind.NAMES, text)], 0.0)
    assert table.state is before


def test_names_do_not_end_the_draw(sit):
    sitting = sit()
    sitting.ask(NEW)
    sitting.give(Named(("Ada", "Bea")))
    assert sitting.table.state.phase is Phase.DRAW
    sitting.wait(10.0)
    assert sitting.table.state.phase is Phase.TAP


def test_that_the_game_is_not_kept_is_shown_and_play_goes_on(sit):
    sitting = sit()
    sitting.give(Kept(FULL))
    assert sitting.table.state.unkept == FULL
    assert sitting.table.scene().unkept
    sitting.tap("e5")
    assert sitting.pieces == {"e5": "1"}
    assert sitting.table.scene().unkept


def test_that_the_game_is_kept_again_is_good_news_once(sit):
    sitting = sit()
    sitting.give(Kept(FULL))
    sitting.give(Kept(None))
    assert not sitting.table.scene().unkept
    assert (sitting.notice, sitting.table.state.notice.good) == ("table.kept_again", True)
    sitting.wait(10.0)
    before = sitting.table.state
    sitting.give(Kept(None))
    assert sitting.table.state is before


def test_a_trouble_that_loses_nothing_is_told_without_alarm(sit):
    sitting = sit()
    sitting.give(Kept(FULL, safe=True))
    assert sitting.table.state.unkept == FULL
    assert not sitting.table.scene().unkept
    sitting.give(Kept(None))
    assert sitting.notice == ""
