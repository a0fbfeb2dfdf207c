"""Records of every game: text and history."""

from random import Random

import pytest

from game.rules.base.registry import find_game
from game.store.archive import history
from game.store.record import (
    Record,
    checked,
    from_journal,
    round_numbers,
)
from game.store.record_text import record_to_text, records_from_text
from game.store.store import BOARD, JournalLine, Store
from game.table.entries import (
    AGREED,
    RESIGNED,
    Entry,
    EntryKind,
)

AT = "2026-11-21T08:34:12.120+00:00"

GAMES = [
    *("azteka", "azteka-aggressive", "azteka-three", "adaptoid", "circle-of-life"),
    "eat-your-neighbor",
]
REIGN = ("a1", "c1", "a2", "c2", "a3", "c3", "a4", "-", "c4")
"""The first round of Azteka, in which Life declines a birth."""


def played(name: str, seed: int = 1, most: int = 400) -> Record:
    """A random game, to its end unless it is longer than so many moves."""
    game, rng = find_game(name), Random(seed)
    position, moves = game.initial({}), []
    while len(moves) < most and game.to_move(position) is not None:
        move = game.legal_moves(position).pick(rng)
        moves.append(game.move_text(position, move))
        position = game.play(position, move)
    return checked(Record(name, moves=tuple(moves)))


def test_move_straight_after_ones_own_has_the_same_number():
    record = checked(Record("azteka", moves=REIGN))
    assert list(round_numbers(record)) == [1, 1, 2, 2, 3, 3, 4, 4, 4]
    assert record_to_text(record).endswith(" 4. a4 - c4 *\n")


@pytest.mark.parametrize(
    ("chosen", "name"), [("three", "azteka-three"), ("aggressive", "azteka-aggressive")]
)
def test_record_of_a_game_with_a_variant_is_the_variants(chosen, name):
    moves = ("a1", "b2", "T3")
    (read,) = records_from_text(f'[Game "azteka"]\n[Options "variant={chosen}"]\n{" ".join(moves)}')
    assert read == checked(Record(name, moves=moves))


@pytest.mark.parametrize(
    ("end", "reason"), [(Entry(EntryKind.RESIGN, "2"), RESIGNED), (Entry(EntryKind.DRAW), AGREED)]
)
def test_game_of_three_that_people_end_has_no_winner(tmp_path, end, reason):
    game, entries = find_game("azteka-three"), [Entry(EntryKind.START, "{}")]
    entries += [*(Entry(EntryKind.MOVE, move) for move in ("a1", "b2", "c3")), end]
    lines = [JournalLine(entry, AT, 0.0) for entry in entries]
    record = from_journal(game.name, BOARD, lines)
    with Store(tmp_path) as store:
        store.begin(game.name, BOARD, lines, record.result)
    assert f"draw ({reason})" in history(tmp_path, None, as_json=False)
    assert f'[Result "1/2-1/2-1/2"]\n[Reason "{reason}"]' in record_to_text(record)
