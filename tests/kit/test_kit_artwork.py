"""What games have printed on a board: read from the rules, so it says what they say."""

import pytest

from game.common.translation import words
from game.maker.kit.artwork import artwork
from game.play.board_mapping import graph_of
from game.rules.base.registry import find_game
from game.rules.circle_of_life.critters import CIRCLE, prey_of
from game.rules.cirkle_mind.squares import CELLS, SQUARES, ZONES
from hal.profile import Profile, built_in
from hal.profile.geometry import Point
from hardware.kit.printed.artwork import Artwork, Figure
from tests.helpers.kits.boards import layout_of


def artwork_of(profile: Profile, language: str = "en") -> Artwork:
    graph = graph_of(profile)
    assert graph is not None
    return artwork(profile, graph, language)


def test_artwork_lists_the_circle_of_life_in_the_order_of_its_lights() -> None:
    art = artwork_of(built_in("hexagon-61"))

    assert list(art.badges) == [f"circle.{number}" for number in range(12)]
    for number, species in enumerate(CIRCLE):
        badge = art.badges[f"circle.{number}"]
        assert badge.name == words("en").text(species.words(1))
        assert badge.eats == f"circle.{prey_of(number)}"
        assert badge.stones == tuple(Point(x, -y) for x, y in species.centres)


def test_artwork_shows_the_field_of_adaptoid_on_the_larger_hexagon_only() -> None:
    large, small = artwork_of(built_in("hexagon-61")), artwork_of(built_in("hexagon-37"))

    (field,) = large.fields
    assert (field.name, field.line) == ("adaptoid", True)
    assert len(field.cells) == len(find_game("adaptoid").board.cells) == 37
    centres = layout_of("hexagon-61").cells
    farthest = max(centres[name].at.distance(Point(0, 0)) for name in field.cells)
    assert farthest == pytest.approx(3 * 33.3, abs=0.01)
    assert (small.fields, small.badges) == ((), {})


def test_artwork_gives_each_square_of_cirkle_mind_its_sign() -> None:
    art = artwork_of(built_in("rectangle-88"))

    letters = {"T": Figure.TRIANGLE, "S": Figure.SQUARE, "C": Figure.CROSS, "O": Figure.CIRCLE}
    printed = dict(zip(CELLS, SQUARES.printed, strict=True))
    assert {cell: (s.letter, s.figure) for cell, s in art.signs.items()} == {
        cell: (code[0], letters[code[1]]) for cell, code in printed.items() if code
    }
    assert len({sign.colour for sign in art.signs.values()}) == 4
    assert len({(sign.colour, sign.letter) for sign in art.signs.values()}) == 4
    assert {frozenset(field.cells) for field in art.fields} == {frozenset(zone) for zone in ZONES}


def test_artwork_has_the_rings_of_azteka() -> None:
    art = artwork_of(built_in("disc-32"))

    assert art.rings == ("ring1", "ring2", "ring3", "ring4")
    assert [field.name for field in art.fields] == list(art.rings)
    assert art.fields[1].cells == tuple(f"{segment}2" for segment in "abcdefgh")
    assert [field.tint for field in art.fields] == [0, 1, 0, 1]
    assert art.names["ring3"] == "ring 3"
