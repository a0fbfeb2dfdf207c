"""A game can be replayed from its entries, and ends in the same state; phases follow a table."""

from itertools import pairwise
from random import Random

import pytest

from game.rules.base.errors import IllegalMove, RulesError
from game.rules.base.game import Game
from game.rules.base.registry import all_games
from game.rules.base.situation import Situation
from game.rules.circle_of_life import GAME
from game.table.entries import Entry, EntryKind, options_text
from game.table.inputs import Asked, Command
from game.table.phases import TRANSITIONS, Event, Phase
from game.table.state import RESTING
from game.table.table import Table
from game.table.touches import _ACTS
from tests.helpers.effort import effort
from tests.helpers.games.cirkle_games import started
from tests.helpers.games.toy_game import Toy
from tests.helpers.games.toy_hidden import ToyHidden

DEEP = "[" * 99_999


def begun() -> Table:
    table = Table(GAME, {}, Random(0))
    table.start(0.0)
    return table


def test_resume_refuses_entries_that_do_not_fit_the_rules():
    entries = [Entry(EntryKind.START, options_text({"first": "1"})), Entry(EntryKind.MOVE, "e5")]
    with pytest.raises(RulesError, match="occupied"):
        Table(GAME, {}, Random(0)).resume([*entries, Entry(EntryKind.MOVE, "e5")], 0.0)


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
def test_resume_refuses_an_entry_that_means_nothing(kind: EntryKind, texts: list[str]):
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
def test_every_phase_can_be_reached_and_left_and_has_its_touches(phase: Phase):
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


def test_default_parsing_refuses_what_is_not_legal():
    toy, start = Toy(), Toy().initial()
    assert toy.parse_move(start, "a-b") == "a-b"
    with pytest.raises(IllegalMove, match="not_legal"):
        toy.parse_move(start, "b-c")


@pytest.mark.parametrize(
    "game", [*all_games().values(), Toy(), ToyHidden()], ids=lambda game: game.name
)
def test_taps_of_every_game_are_prefix_free(game: Game):
    position, rng = started(game), Random(1)
    for _ in range(effort(12, 60)):
        taps = sorted(game.taps(position, move) for move in game.legal_moves(position))
        for first, second in pairwise(taps):
            assert second[: len(first)] != first
        walk = Situation(game, position).walk
        assert walk.next_taps(()) == {each[0] for each in taps}
        if not taps:
            break
        position = game.play(position, game.legal_moves(position).pick(rng))
