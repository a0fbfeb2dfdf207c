"""A game can be replayed from its entries, and ends in the same state."""

from random import Random

import pytest

from game.rules.base.errors import RulesError
from game.rules.circle_of_life import GAME
from game.table.entries import Entry, EntryKind, options_text
from game.table.phases import Phase, resting
from game.table.table import Table


def logical(table: Table) -> tuple[object, ...]:
    """The state that must be the same after resuming, whatever else people ask for."""
    state = table.state
    phase = resting(state)
    texts = [played.text for played in state.history]
    return phase, state.position, dict(state.standing), texts, state.outcome, state.options


def test_resume_refuses_entries_that_do_not_fit_the_rules():
    table = Table(GAME, {}, Random(0))
    entries = [Entry(EntryKind.START, options_text({"first": "1"})), Entry(EntryKind.MOVE, "e5")]
    with pytest.raises(RulesError, match="occupied"):
        table.resume([*entries, Entry(EntryKind.MOVE, "e5")], 0.0)


@pytest.mark.parametrize(
    "entry",
    [
        Entry(EntryKind.START, "first"),
        Entry(EntryKind.START, "[" * 99_999),
        Entry(EntryKind.START, '{"first": 1}'),
        Entry(EntryKind.START, '{"first": "3"}'),
        Entry(EntryKind.RESIGN, "3"),
        Entry(EntryKind.RESIGN, "x"),
        Entry(EntryKind.EDIT, "z9"),
        Entry(EntryKind.STANDS, "e5"),
        Entry(EntryKind.STANDS, '{"z9": "1"}'),
        Entry(EntryKind.STANDS, '{"e5": "3"}'),
        Entry(EntryKind.NAMES, '["Anna"]'),
        Entry(EntryKind.SET_UP, "nonsense"),
        Entry(EntryKind.MOVE, "nonsense"),
        Entry(EntryKind.TAKE_BACK),
    ],
)
def test_resume_refuses_an_entry_that_means_nothing(entry: Entry):
    table = Table(GAME, {}, Random(0))
    table.start(0.0)
    before = logical(table)
    with pytest.raises(RulesError):
        table.resume([entry], 0.0)
    assert logical(table) == before


def test_resume_takes_an_edit_of_a_cell_that_is_right_already():
    # Where stones are sensed, hands may bring a cell right without an entry, and a key again.
    table = Table(GAME, {}, Random(0))
    table.start(0.0)
    before = logical(table)
    table.resume([Entry(EntryKind.EDIT, "a1")], 0.0)
    assert logical(table) == (Phase.TAP, *before[1:])
