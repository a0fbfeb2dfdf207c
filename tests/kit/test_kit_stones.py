"""The stones that a kit lists: as many as the rules say, and of a size that leaves the pad free."""

import pytest

from game.maker.kit.artwork import artwork
from game.play.board_mapping import graph_of
from game.rules.adaptoid.field import BODIES, LEGS, PINCERS
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


@pytest.mark.parametrize("name", ["hexagon-61", "hexagon-37"])
def test_stones_of_adaptoid_are_its_whole_supply(name: str) -> None:
    listed = counts(name)
    for colour in ("white", "black"):
        assert listed["Adaptoid", colour, "body"] == BODIES
        assert listed["Adaptoid", colour, "leg"] == LEGS
        assert listed["Adaptoid", colour, "pincer"] == PINCERS


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
