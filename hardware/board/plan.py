"""Where everything of a board lies: cells, lights, keys, chips, connectors and the edge.

Owns all places, which chip senses which cell, and the order of the pixels. Must not know parts nor
copper. Millimetres from the middle of the board, x to the right and y down, as the players see it
and KiCad draws it; angles in degrees, counter-clockwise from the right, as KiCad counts them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby
from math import atan2, ceil, cos, degrees, dist, radians, sin, sqrt
from typing import Literal, NamedTuple

from game.rules.boards.hexagon import hexagon

PITCH_MM = 32.0
"""Between the middles of two neighbours."""
ELECTRODES = 12
LED_MM = 15.2
"""From a cell's middle to its LED, in the direction of the cell's `turn`."""
MOST_ON_A_BUS = 4
"""An MPR121 has four addresses."""

Shape = Literal["hexagon", "rectangle", "disc"]


class Spot(NamedTuple):
    """A place, and a direction.

    `turn` of a cell or of a light is where its LED lies, that of a key or connector on the edge is
    outward, that of a chip where its electrodes 5 and 6 leave it.
    """

    x: float
    y: float
    turn: float = 0.0

    def at(self, x: float, y: float, turn: float = 0.0) -> "Spot":
        """Give a spot in this one's frame, whose x runs in the direction of `turn`."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        place = round(self.x + x * c + y * s, 4) + 0.0, round(self.y - x * s + y * c, 4) + 0.0
        return Spot(*place, round((self.turn + turn) % 360, 3))

    def distance(self, other: "Spot") -> float:
        """Give the distance to another spot."""
        return dist(self[:2], other[:2])

    def direction(self, other: "Spot") -> float:
        """Give the angle at which another spot is seen from here, 0 to 360."""
        return degrees(atan2(self.y - other.y, other.x - self.x)) % 360


@dataclass(frozen=True)
class Plan:
    """Say where everything of a board lies.

    `lights` are those beside the cells, by their names in a profile ("circle.0"); one that has the
    name of a pad (choice1 and "choice1.0") lights that pad. `keys` are pads if they are in
    `electrodes`, and else buttons on the edge. `connectors` are those that the board has: "usb",
    "pi", "pico", "bench", and "logic", where the parts of data and buses lie. `electrodes` has the
    chip, by its place in `chips`, and its electrode for each cell and pad; `pixels` is the order of
    cells and lights on the chain of data.
    """

    name: str
    title: str
    shape: Shape
    cells: Mapping[str, Spot]
    lights: Mapping[str, Spot]
    keys: Mapping[str, Spot]
    chips: tuple[Spot, ...]
    electrodes: Mapping[str, tuple[int, int]]
    pixels: tuple[str, ...]
    outline: tuple[tuple[float, float], ...]
    connectors: Mapping[str, Spot]
    holes: tuple[Spot, ...] = field(default=())

    @property
    def pads(self) -> dict[str, Spot]:
        """Give the middle of all that has an electrode: cells, then keys."""
        return {**self.cells, **{n: at for n, at in self.keys.items() if n in self.electrodes}}

    def bus(self, chip: int) -> int:
        """Tell on which of the two buses a chip is: the second has the second half of them."""
        count = len(self.chips)
        return int(count > MOST_ON_A_BUS and chip >= ceil(count / 2))


def hexagon_61() -> Plan:
    """Plan the hexagon of 61 cells, with its circle of species and two bars of scores."""
    cells = _hexagon_cells(5)
    beside = sqrt(3) / 2 * 3 * PITCH_MM
    pads = {
        "choice1": Spot(-3.5 * PITCH_MM, beside, 270),
        "choice2": Spot(3.5 * PITCH_MM, beside, 270),
    }
    circle = [Spot(0, 0, 90 - 30 * n).at(150, 0) for n in range(12)]
    lights = {
        **_named("circle", circle),
        **_named("score1", [Spot(-95 + 10 * n, 164, 180) for n in range(20)]),
        **_named("score2", [Spot(95 - 10 * n, -164, 0) for n in range(20)]),
        "turn1.0": Spot(-110, 164, 180),
        "turn2.0": Spot(110, -164, 0),
        **{f"{name}.0": at for name, at in pads.items()},
    }
    buttons = ("hint", "shutdown", "cell", "resign", "take_back", "new_game")
    keys = {name: Spot(-160, 80 + 14 * n, 180) for n, name in enumerate(buttons)}
    served = """
              A A B B B
             A A A B B B
            A A A B B B C
           D A A A B C C C
          D D D E E C C C C
           D D D E E C C C
            D D E E F F F
             D E E E F F
              E E E F F
        choice1 D choice2 F"""
    return _plan(
        *("hexagon-61", "Hexagon with 61 cells", "hexagon"),
        cells,
        lights,
        {**keys, **pads},
        served,
        outline=_box(160, 173),
        connectors={
            "usb": Spot(138, -173, 90),
            "pi": Spot(-148, -131, 270),
            "pico": Spot(-121, -173, 90),
            "logic": Spot(-147, -90),
        },
        holes=[Spot(x, y) for x in (-155, 155) for y in (-168, 168)],
    )


def _hexagon_cells(side: int) -> dict[str, Spot]:
    centres = hexagon(side).centres
    return {name: _spot(x * PITCH_MM, y * PITCH_MM, 270) for name, (x, y) in centres.items()}


def _plan(
    name: str,
    title: str,
    shape: Shape,
    cells: Mapping[str, Spot],
    lights: Mapping[str, Spot],
    keys: Mapping[str, Spot],
    served: str,
    outline: tuple[tuple[float, float], ...],
    connectors: Mapping[str, Spot],
    holes: Iterable[Spot] = (),
) -> Plan:
    """Add chips, electrodes and the chain of pixels to what has its place.

    `served` draws the letter of each cell's chip, rows from the top; "pad letter" follows for keys.
    """
    rows = _rows(cells)
    words = served.split()
    letters = dict(zip([cell for row in rows for cell in row], words, strict=False))
    letters |= dict(zip(words[len(cells) :: 2], words[len(cells) + 1 :: 2], strict=True))
    places = {**cells, **keys}
    chips: list[Spot] = []
    electrodes: dict[str, tuple[int, int]] = {}
    for chip, letter in enumerate(sorted(set(letters.values()))):
        own = {pad: places[pad] for pad, each in letters.items() if each == letter}
        spot, numbers = _chip(shape, own, cells.values())
        chips.append(spot)
        electrodes |= {pad: (chip, number) for pad, number in numbers.items()}
    electrodes = {pad: electrodes[pad] for pad in places if pad in electrodes}
    way = [cell for n, row in enumerate(rows) for cell in (reversed(row) if n % 2 else row)]
    start = _clockwise(cells[way[-1]])
    around = sorted(lights, key=lambda light: round(_clockwise(lights[light]) - start, 1) % 360)
    return Plan(
        *(name, title, shape, cells, lights, keys, tuple(chips), electrodes, (*way, *around)),
        *(outline, connectors, tuple(holes)),
    )


def _rows(cells: Mapping[str, Spot]) -> list[list[str]]:
    """Sort cells into rows from the top, each from the left."""
    order = sorted(cells, key=lambda cell: (round(cells[cell].y, 1), cells[cell].x))
    return [list(row) for _, row in groupby(order, key=lambda cell: round(cells[cell].y, 1))]


def _clockwise(at: Spot) -> float:
    return (90 - Spot(0, 0).direction(at)) % 360


def _chip(
    shape: Shape, pads: Mapping[str, Spot], cells: Iterable[Spot]
) -> tuple[Spot, dict[str, int]]:
    """Place a chip on a corner without LED, amid its pads; return it and the pads' electrodes."""
    corners = {cell.at(-PITCH_MM / sqrt(3), 0) for cell in cells}
    corners = {each for each in corners if sum(each.distance(c) < 20 for c in cells) == 3}
    spot = min(corners, key=lambda at: sum(at.distance(pad) ** 4 for pad in pads.values()))
    # Between the cells around the chip are the ways to its back: its supply and its bus.
    turns = [(spot.turn + 120 * n) % 360 for n in range(3)]
    return min(
        (
            (Spot(spot.x, spot.y, turn), *_numbered(Spot(spot.x, spot.y, turn), pads))
            for turn in turns
        ),
        key=lambda each: each[2],
    )[:2]


def _numbered(chip: Spot, pads: Mapping[str, Spot]) -> tuple[dict[str, int], float]:
    """Number pads around a chip in the order of its pins, so that no two tracks need to cross."""
    # Clockwise from the chip's back, as it is seen from above; where a pin's track would go best.
    angles = {pad: (chip.turn + 180 - chip.direction(at)) % 360 for pad, at in pads.items()}
    order = sorted(angles, key=lambda pad: angles[pad])
    best = [360 / ELECTRODES * (n + 0.5) for n in range(ELECTRODES)]

    def cost(numbers: Sequence[int]) -> float:
        return sum((angles[p] - best[n]) ** 2 for p, n in zip(order, numbers, strict=True))

    numbers = min(combinations(range(ELECTRODES), len(order)), key=cost)
    return dict(zip(order, numbers, strict=True)), cost(numbers)


def _named(group: str, spots: Iterable[Spot]) -> dict[str, Spot]:
    return {f"{group}.{n}": at for n, at in enumerate(spots)}


def _spot(x: float, y: float, turn: float) -> Spot:
    return Spot(0, 0).at(x, y, turn)


def _box(x: float, y: float) -> tuple[tuple[float, float], ...]:
    return ((-x, -y), (x, -y), (x, y), (-x, y))


PLANS = {"hexagon-61": hexagon_61}
"""The boards that can be made, by name."""
