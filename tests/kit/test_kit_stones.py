"""The stones that a kit lists: as many as the rules say, and of a size that leaves the pad free."""

import pytest

from game.maker.kit.artwork import artwork
from game.play.board_mapping import graph_of
from game.rules.adaptoid.field import BODIES, LEGS, PINCERS
from game.rules.azteka.play import AGGRESSIVE, BASIC, THREE
from game.rules.circle_of_life.critters import BOARD, MOST_STONES
from game.rules.circle_of_life.presentation import MOST_OF_A_COLOUR
from game.rules.cirkle_mind.faces import FACES
from hal.profile import built_in
from hardware.kit.printed.artwork import Stones


def stones_of(name: str) -> tuple[Stones, ...]:
    profile = built_in(name)
    graph = graph_of(profile)
    assert graph is not None
    return artwork(profile, graph).stones


def counts(name: str) -> dict[tuple[str, str, str], int]:
    return {(each.game, each.side, each.kind): each.count for each in stones_of(name)}


def groups(cells: set[str]) -> list[set[str]]:
    found, left = [], set(cells)
    while left:
        group, todo = set(), {left.pop()}
        while todo:
            cell = todo.pop()
            group.add(cell)
            near = set(BOARD.neighbours[cell]) & left
            left -= near
            todo |= near
        found.append(group)
    return found


def test_stones_of_circle_of_life_are_as_many_as_can_ever_stand() -> None:
    # Stones are added wherever no critter gets too large: a dense position, as a lower bound.
    standing: set[str] = set()
    for cell in BOARD.cells:
        if all(len(group) <= MOST_STONES for group in groups(standing | {cell})):
            standing.add(cell)
    assert 30 < len(standing) <= MOST_OF_A_COLOUR < len(BOARD.cells) * 3 / 4
    listed = counts("hexagon-61")
    assert listed["Circle of Life", "orange", "stone"] == MOST_OF_A_COLOUR
    assert listed["Circle of Life", "blue", "stone"] == MOST_OF_A_COLOUR


def test_stones_of_circle_of_life_follow_from_its_cells_and_critters() -> None:
    # 156 pairs of neighbours; a diamond has 5 for its 4 stones, an empty cell at most 6:
    # 1.25 stones + 6 (61 - stones) >= 156.
    assert sum(map(len, BOARD.neighbours.values())) == 2 * 156
    assert 1.25 * MOST_OF_A_COLOUR + 6 * (61 - MOST_OF_A_COLOUR) >= 156
    assert 1.25 * (MOST_OF_A_COLOUR + 1) + 6 * (60 - MOST_OF_A_COLOUR) < 156


@pytest.mark.parametrize("name", ["hexagon-61", "hexagon-37"])
def test_stones_of_adaptoid_are_its_whole_supply(name: str) -> None:
    listed = counts(name)
    for colour in ("white", "black"):
        assert listed["Adaptoid", colour, "body"] == BODIES
        assert listed["Adaptoid", colour, "leg"] == LEGS
        assert listed["Adaptoid", colour, "pincer"] == PINCERS


def test_stones_of_azteka_are_enough_for_each_of_its_games() -> None:
    listed = {side: count for (_, side, _), count in counts("disc-32").items()}
    assert listed == {"Life": BASIC.supply, "Death": BASIC.supply, "Mummies": THREE.supply}
    assert max(AGGRESSIVE.supply, THREE.supply) <= BASIC.supply


def test_stones_of_cirkle_mind_are_an_army_a_side() -> None:
    listed = counts("rectangle-88")
    for side in ("green", "mauve"):
        kinds = {kind: count for (_, whose, kind), count in listed.items() if whose == side}
        assert kinds == {"coloured": 16, "black": 4, "target": 4}
        assert sum(kinds.values()) == len(FACES)


def test_stones_are_those_of_the_games_of_their_board_only() -> None:
    assert {each.game for each in stones_of("hexagon-61")} == {"Circle of Life", "Adaptoid"}
    assert {each.game for each in stones_of("hexagon-37")} == {"Adaptoid"}
    assert {each.game for each in stones_of("disc-32-pico")} == {"Azteka"}
    assert {each.game for each in stones_of("rectangle-88")} == {"CirKle Mind"}
