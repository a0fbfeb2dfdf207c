"""The twelve species, the circle they eat in, and the table of all critters."""

import pytest

from game.rules.circle_of_life import GAME
from game.rules.circle_of_life.critters import (
    BOARD,
    CIRCLE,
    CRITTERS,
    INDEX,
    MOST_STONES,
    cells_in,
    prey_of,
)
from tests.helpers.games.circle_positions import ORDER
from tests.oracles.naive_circle import NEIGHBOURS, all_critters, species_of

STONES = dict(zip(ORDER, (1, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4), strict=True))


def species(cells: str) -> str:
    """Return the species that a player sees when they inspect the last of these stones."""
    stones = dict.fromkeys(cells.split(), "1")
    position = GAME.from_json({"pieces": stones}, {})
    critter = position.critter_at[INDEX[cells.split()[-1]]]
    assert critter is not None
    assert {BOARD.cells[index] for index in critter.cells} == set(stones)
    return CIRCLE[critter.species].name


def test_circle_is_in_the_order_of_the_rules() -> None:
    assert [each.name for each in CIRCLE] == ORDER


def test_each_species_eats_the_one_before_and_the_first_eats_the_last() -> None:
    assert [CIRCLE[prey_of(n)].name for n in range(12)] == ORDER[-1:] + ORDER[:-1]


@pytest.mark.parametrize(
    ("cells", "name"),
    [
        ("i3 i4 i5 h5", "key"),
        ("f5 g4 g5", "triangle"),
        ("f1 e2 d2 c1", "sled"),
        ("h3 h4 g5 i2", "snake"),
        ("e5", "singleton"),
        ("a1 b2", "pair"),
        ("a1 a2 b3", "bend"),
        ("e9 f8 g7", "line"),
        ("e4 d4 d5 e6", "arch"),
        ("e5 e6 f5 f6", "diamond"),
        ("e5 e6 f4 d4", "propeller"),
        ("a1 b2 c3 d4", "four-line"),
    ],
)
def test_species_of_known_critters(cells: str, name: str) -> None:
    assert species(cells) == name


def test_critters_are_those_of_the_naive_rules() -> None:
    shown = {
        frozenset(BOARD.cells[index] for index in each.cells): CIRCLE[each.species].name
        for each in CRITTERS.values()
    }
    assert shown == {critter: species_of(set(critter)) for critter in all_critters()}


def test_critters_know_their_size_prey_and_border() -> None:
    for mask, critter in CRITTERS.items():
        cells = {BOARD.cells[index] for index in critter.cells}
        border = set().union(*(NEIGHBOURS[cell] for cell in cells)) - cells
        assert critter.mask == mask
        assert list(cells_in(mask)) == list(critter.cells)
        assert 1 <= critter.size == len(cells) <= MOST_STONES
        assert critter.prey == prey_of(critter.species)
        assert {BOARD.cells[index] for index in cells_in(critter.border)} == border


def test_legend_draws_the_circle_with_its_arrows() -> None:
    assert [entry.arrow_to for entry in GAME.presentation.legend] == [11, *range(11)]
    for entry, each in zip(GAME.presentation.legend, CIRCLE, strict=True):
        assert entry.name == each.word
        assert len(entry.shape) == len(each.shape) == STONES[each.name]
