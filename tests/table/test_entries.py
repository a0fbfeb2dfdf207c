"""Entries: a game is replayed from them, their number has limits, and phases follow a table."""

import sys
from itertools import cycle, islice
from random import Random
from typing import Any

import pytest

from game.rules.base.errors import RulesError
from game.rules.base.game import Game
from game.rules.circle_of_life import GAME
from game.table import Phase, Table
from game.table.entries import Entry, EntryKind, seal_text
from game.table.inputs import Asked, Command, SeatsChanged, SetNames, SubmitSetup
from game.table.phases import TRANSITIONS, Event
from game.table.state import RESTING
from game.table.touches import _ACTS
from tests.helpers.games.toy_hidden import GREEN, ToyHidden
from tests.table.random_game import TableSession

DEEP = "[" * 99_999


def begun() -> Table:
    table = Table(GAME, {}, Random(0))
    table.start(0.0)
    return table


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (EntryKind.START, ["first", DEEP, '{"first": 1}', '{"first": "3"}']),
        (EntryKind.RESIGN, ["3", "x"]),
        (EntryKind.EDIT, ["z9"]),
        (EntryKind.STANDS, ["e5", '{"z9": "1"}', '{"e5": "3"}']),
        (EntryKind.NAMES, ["", "{}", "[1, 2]", '["A"]', '["A", "B", "C"]', DEEP]),
        (EntryKind.COMPUTERS, ["3", "[", '["3"]', '["3", null, null]', '["", null]']),
        (EntryKind.COMPUTERS, ['["x\\ny", null]', "[1, null]"]),
        (EntryKind.SET_UP, ["nonsense"]),
        (EntryKind.MOVE, ["nonsense"]),
        (EntryKind.TAKE_BACK, [""]),
    ],
)
def test_resume_refuses_an_entry_that_means_nothing(kind, texts):
    for text in texts:
        table = begun()
        before = table.state
        with pytest.raises(RulesError):
            table.resume([Entry(kind, text)], 0.0)
        assert table.state is before


def test_resume_takes_an_edit_of_a_cell_that_is_right_already():
    # Where stones are sensed, hands may bring a cell right without an entry, and a key again.
    table = begun()
    before = table.state
    table.resume([Entry(EntryKind.EDIT, "a1")], 0.0)
    after = table.state
    assert (after.resting, after.history, after.outcome) == (Phase.TAP, (), None)
    assert (after.position, after.standing) == (before.position, before.standing)


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_can_be_reached_and_left_and_has_its_touches(phase):
    assert set(TRANSITIONS) == set(_ACTS) == set(Phase)
    leads = {start: {end for end in row.values() if end} for start, row in TRANSITIONS.items()}
    assert phase in RESTING or any(phase in ends for start, ends in leads.items() if start != phase)
    assert set(TRANSITIONS[phase].values()) - {phase}


def test_an_event_that_cannot_come_changes_nothing(sit):
    session = sit().do(Asked(Command.SET_UP))
    before = session.state
    with pytest.raises(KeyError):
        before.after(Event.MENU_OPENS)
    assert session.do(Command.MENU).phase is before.phase is Phase.SET_UP
    assert session.state.situation is before.situation


# Limits: no page makes a game too long to be resumed soon, and no player reaches them.


OTHER = {"A1": "Ga", "B1": "Gb", "C1": "Gc"}
SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
MOST = 11


@pytest.fixture
def short(monkeypatch, sit):
    """Start a game with a low limit of entries, and play until it is reached."""
    monkeypatch.setattr("game.table.table.MOST_ENTRIES", MOST)

    def _short(presence: bool = False) -> TableSession:
        session = sit(presence=presence)
        while session.notice != "table.too_long":
            taken = session.pieces.keys()
            free = (c for c, near in GAME.board.neighbours.items() if not {c, *near} & taken)
            session.do(next(free))
        return session

    return _short


def test_a_device_that_takes_a_seat_of_a_full_game_takes_the_set_up_back(sit, monkeypatch):
    monkeypatch.setattr("game.table.table.MOST_ENTRIES", MOST)
    session = sit(ToyHidden()).do(SeatsChanged(frozenset()))
    session.do(*(SubmitSetup(1, each) for each in islice(cycle((GREEN, OTHER)), MOST)))
    assert session.notice == "table.too_long"
    assert 1 in session.state.setups.submitted
    taken = session.do(SeatsChanged(frozenset({1})))
    assert not taken.state.setups.submitted, "a new device never gets the set-up of another"


@SENSING
def test_a_game_with_all_its_entries_takes_no_other_but_its_end(short, presence):
    session = short(presence)
    saved, before = list(session.saved), session.state
    assert len(saved) == MOST
    session.do(Command.TAKE_BACK, SetNames(("Ada", "Bea")))
    after = session.state
    assert (session.saved, session.notice) == (saved, "table.too_long")
    assert (after.position, after.history) == (before.position, before.history)
    restarted = session.restarted()
    assert restarted.handle(SetNames(("Ada", "Bea")), 1.0) == ()
    assert restarted.state.position == after.position
    if presence:
        # Stones are sensed also where they enter no move any more.
        astray = session.stones - session.pieces.keys()
        assert set(session.cues("remove")) == astray != set()
        assert session.do(astray).cues("remove") == []
    session.ask(Command.RESIGN, Command.RESIGN)
    assert session.state.outcome is not None
    assert session.do(Command.NEW_GAME).kinds()[-1] == "START"
    session.do(10.0, *([set(session.stones)] if presence else []), "e5")
    assert session.pieces == {"e5": "1"}


def resuming(game: Game[Any, Any], entries: list[Entry]) -> int:
    """Count the executed lines of Python that resume a game."""
    table, count = Table(game, {}, Random(0)), 0

    def trace(frame: Any, event: str, arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        table.resume(entries, 0.0)
    finally:
        sys.settrace(before)
    return count


def test_each_line_of_a_game_costs_the_same_to_resume():
    turn = [Entry(EntryKind.MOVE, "e5"), Entry(EntryKind.EDIT, "e5"), Entry(EntryKind.TAKE_BACK)]
    toy = ToyHidden()
    moves = [toy.arrangement(toy.initial(), 1, pieces) for pieces in (GREEN, OTHER)]
    seals = [Entry(EntryKind.SEAL, seal_text(1, move)) for move in moves]
    for game, more in ((GAME, turn * 2), (toy, seals)):
        start = Table(game, {"first": "1"}, Random(0)).start(0.0)
        once, twice = (resuming(game, [*start, *more * each]) for each in (100, 200))
        assert twice < 2.1 * once
