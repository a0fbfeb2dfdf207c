"""A game can be told again from its entries, and ends in the same state."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.rules.errors import RulesError
from game.rules.message import say
from game.table.entries import Entry, Kind, options_in, options_text
from game.table.inputs import (
    Asked,
    Command,
    Disturbed,
    Held,
    Lifted,
    Masked,
    Palmed,
    Touched,
)
from game.table.state import Phase
from game.table.table import Table

CELLS = st.sampled_from(GAME.board.cells)
SOME_CELLS = st.frozensets(CELLS, max_size=4)
REASONS = st.sampled_from([(), (), (say("fault.strip"),)])
INPUTS = st.one_of(
    st.builds(Touched, CELLS),
    st.builds(Lifted, CELLS),
    st.builds(Held, CELLS),
    st.builds(Asked, st.sampled_from([each for each in Command if each is not Command.SET_UP])),
    st.just(Palmed(frozenset({"a1", "a2", "a3"}))),
    st.builds(Disturbed, SOME_CELLS, REASONS),
    st.builds(Masked, SOME_CELLS),
    st.just("legal"),
    st.just("pending"),
    st.floats(0.0, 4.0),
)


def logical(table: Table) -> tuple[object, ...]:
    """What must be the same after resuming, whatever people are asked for beside it."""
    state = table.state
    phase = state.resting(GAME)
    texts = [played.text for played in state.history]
    return phase, state.position, dict(state.standing), texts, state.outcome, state.options


def played_at_random(inputs: list[object], seed: int) -> tuple[Table, list[Entry]]:
    """Give a table any inputs, with enough sensible ones among them that a game goes on."""
    table, rng, now = Table(GAME, {"target": "4"}, Random(seed)), Random(seed), 0.0
    kept = list(table.start(now))
    for each in inputs:
        state = table.state
        if isinstance(each, float):
            now += each
            table.tick(now)
            continue
        if each == "legal":
            moves = GAME.legal_moves(state.position)
            each = Touched(moves.pick(rng)) if moves else Asked(Command.NEW_GAME)
        elif each == "pending":
            pending = state.pending(GAME)
            each = Touched(pending[0].cell if pending else "e5")
        entries = list(table.handle(each, now))
        if any(entry.kind is Kind.START for entry in entries):
            kept.clear()
        kept += entries
    return table, kept


@settings(max_examples=150, deadline=None)
@given(st.lists(INPUTS, max_size=60), st.integers(0, 1000))
def test_any_inputs_leave_a_game_that_resumes_to_the_same_state(inputs, seed):
    table, kept = played_at_random(inputs, seed)
    again = Table(GAME, {}, Random(0))
    again.resume(kept, 0.0)
    assert logical(again) == logical(table)
    assert GAME.parse(GAME.text(table.state.position)) == table.state.position
    if table.state.phase is Phase.TAP:
        assert table.state.standing == GAME.pieces(table.state.position)


@settings(max_examples=100, deadline=None)
@given(st.lists(INPUTS, max_size=40), st.integers(0, 1000), INPUTS)
def test_an_input_that_keeps_nothing_changes_nothing_logical(inputs, seed, last):
    table, _ = played_at_random(inputs, seed)
    if not isinstance(last, str | float):
        before = logical(table)
        if not table.handle(last, 1000.0):
            assert logical(table)[1:] == before[1:]


def test_resume_refuses_entries_that_do_not_fit_the_rules():
    table = Table(GAME, {}, Random(0))
    entries = [Entry(Kind.START, options_text({"first": "1"})), Entry(Kind.MOVE, "e5")]
    with pytest.raises(RulesError, match="occupied"):
        table.resume([*entries, Entry(Kind.MOVE, "e5")], 0.0)


@pytest.mark.parametrize(
    "entry",
    [
        Entry(Kind.START, "first"),
        Entry(Kind.START, "[" * 99_999),
        Entry(Kind.START, '{"first": 1}'),
        Entry(Kind.START, '{"first": "3"}'),
        Entry(Kind.RESIGN, "3"),
        Entry(Kind.RESIGN, "x"),
        Entry(Kind.EDIT, "z9"),
        Entry(Kind.STANDS, "e5"),
        Entry(Kind.STANDS, '{"z9": "1"}'),
        Entry(Kind.STANDS, '{"e5": "3"}'),
        Entry(Kind.NAMES, '["Anna"]'),
        Entry(Kind.SET_UP, "nonsense"),
        Entry(Kind.MOVE, "nonsense"),
        Entry(Kind.TAKE_BACK),
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
    # Where stones are felt, hands may bring a cell right without an entry, and a key do it again.
    table = Table(GAME, {}, Random(0))
    table.start(0.0)
    before = logical(table)
    table.resume([Entry(Kind.EDIT, "a1")], 0.0)
    assert logical(table) == (Phase.TAP, *before[1:])


def test_options_text_round_trips():
    options = {"target": "12", "first": "2"}
    assert options_in(options_text(options)) == options
