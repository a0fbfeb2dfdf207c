"""What the games of a board need: what is printed on it, and the stones that stand on it.

Owns the values passed from the games to the makers of the board. Must not know
games itself: places are the names of cells, of keys ("ring1") and of lights ("circle.0").
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from hal.profile.geometry import Point


class Figure(Enum):
    """The outline of a sign."""

    TRIANGLE = "triangle"
    SQUARE = "square"
    CROSS = "cross"
    CIRCLE = "circle"


@dataclass(frozen=True, slots=True)
class Sign:
    """What is printed on a cell: a figure in a colour "#rrggbb", and a letter for that colour."""

    figure: Figure
    colour: str
    letter: str


@dataclass(frozen=True, slots=True)
class Badge:
    """What is printed at a light: a shape of stones with its name, and the light of what it eats.

    `stones` are their middles in units of the distance between neighbours, y upward.
    """

    name: str
    stones: tuple[Point, ...]
    eats: str


@dataclass(frozen=True, slots=True)
class Field:
    """Cells that belong together: they have the `tint` of that number, maybe a line around all."""

    name: str
    cells: tuple[str, ...]
    tint: int
    line: bool = False


@dataclass(frozen=True, slots=True)
class Stones:
    """Pieces of one kind that a game needs: whose they are, how many, and how they look."""

    game: str
    side: str
    kind: str
    count: int
    look: str


@dataclass(frozen=True, slots=True)
class Artwork:
    """All that a board has for its games; nothing of it has to be there.

    `signs` go by cells, `badges` by lights, and `names` has the words for keys and for "turn" and
    "eats". `rings` are keys that turn a ring of cells, from the innermost outward. `stones` are not
    printed: they stand on the board.
    """

    signs: Mapping[str, Sign] = field(default_factory=dict)
    badges: Mapping[str, Badge] = field(default_factory=dict)
    fields: tuple[Field, ...] = ()
    rings: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    stones: tuple[Stones, ...] = ()
