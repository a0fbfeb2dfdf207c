"""The stones that the games of a board need, for the kit that makes the board.

Owns how many there are of each kind, read from the rules, and how they look. Must not know
millimetres.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from game.rules import adaptoid_field as adaptoid
from game.rules.azteka_play import BASIC, THREE
from game.rules.cirkle_mind_faces import BLACK, COLOURS, FACES, SHAPES, TARGET
from game.rules.critters import BOARD, CIRCLE, Species
from game.rules.game import Game
from hardware.kit.printed.artwork import Stones

_COLOURS = {"y": "yellow", "g": "green", "b": "blue", "m": "mauve", BLACK: "black"}
_SHAPES = {"T": "triangle", "S": "square", "C": "cross", "O": "circle", TARGET: "target"}
_NEIGHBOURS = 6


def stones(games: Iterable[Game[Any, Any]]) -> tuple[Stones, ...]:
    """List what must stand beside a board on which these games are played."""
    names = {game.name for game in games}
    return tuple(each for name, listed in _LISTS.items() if name in names for each in listed())


def most_of_a_colour() -> int:
    """Say of how many stones of one colour no position of Circle of Life can have more.

    Pairs of neighbours lie within a critter, or have an empty cell. No critter has more of them for
    each stone than the best one, no empty cell more than six: with too many stones some are left.
    """
    cells, pairs = len(BOARD.cells), sum(map(len, BOARD.neighbours.values())) // 2
    within = max(_pairs(species) / len(species.shape) for species in CIRCLE)
    return int((_NEIGHBOURS * cells - pairs) / (_NEIGHBOURS - within))


def _pairs(species: Species) -> int:
    """Count the stones of a critter that touch each other, in pairs."""
    shape = species.shape
    near = {(1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1)}
    return sum((b[0] - a[0], b[1] - a[1]) in near for a in shape for b in shape) // 2


def _circle_of_life() -> Iterator[Stones]:
    most = most_of_a_colour()
    for colour in ("orange", "blue"):
        yield Stones("Circle of Life", colour, "stone", most, "plain")


def _adaptoid() -> Iterator[Stones]:
    sockets = adaptoid.SOCKETS
    for colour in ("white", "black"):
        body = f"a disc or a hexagon with {sockets} holes around its rim, one for each limb"
        yield Stones("Adaptoid", colour, "body", adaptoid.BODIES, body)
        yield Stones("Adaptoid", colour, "leg", adaptoid.LEGS, "a plain peg for such a hole")
        forked = "a peg with a fork or a head"
        yield Stones("Adaptoid", colour, "pincer", adaptoid.PINCERS, forked)


def _azteka() -> Iterator[Stones]:
    for side, colour in (("Life", "green"), ("Death", "violet")):
        yield Stones("Azteka", side, "piece", BASIC.supply, f"plain, {colour} as its light is")
    only = "plain, orange as its light is; in the game for three only"
    yield Stones("Azteka", "Mummies", "piece", THREE.supply, only)


def _cirkle_mind() -> Iterator[Stones]:
    coloured = [face for face in FACES if face[0] in COLOURS and face[1] in SHAPES]
    black = [face for face in FACES if face[0] == BLACK]
    targets = [face for face in FACES if face[1] == TARGET]
    shapes, colours = _listed(_SHAPES, SHAPES), _listed(_COLOURS, COLOURS)
    for side in ("green", "mauve"):
        yield Stones(
            "CirKle Mind",
            side,
            "coloured",
            len(coloured),
            f"{shapes}, each in {colours}: one of each",
        )
        yield Stones("CirKle Mind", side, "black", len(black), f"{shapes} in black: one of each")
        yield Stones(
            "CirKle Mind", side, "target", len(targets), f"rings, in {colours}: one of each"
        )


def _listed(words: dict[str, str], letters: str) -> str:
    *most, last = (words[letter] for letter in letters)
    return f"{', '.join(most)} and {last}"


_LISTS = {
    "circle-of-life": _circle_of_life,
    "adaptoid": _adaptoid,
    "azteka": _azteka,
    "cirkle-mind": _cirkle_mind,
}
