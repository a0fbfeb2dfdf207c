"""The places of a board's items: cells, lights, keys, chips, connectors and the edge.

Millimetres from the middle of the board, x to the right and y down, as the players see it and KiCad
draws it; angles in degrees, counter-clockwise from the right, as KiCad counts them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from math import atan2, ceil, cos, degrees, dist, radians, sin, sqrt
from typing import Literal, NamedTuple

from game.rules.boards.board import centre, disc, hexagon, rectangle
from hal.profile import ELECTRODES
from hardware.board.cell import LED_RADIUS_MM, PITCH_MM

CHIP_GRID_MM = 0.4
MOST_ON_A_BUS = 4
"""An MPR121 has four addresses."""
_BAY_MM = 10.0
"""Within this distance of a chip there is no LED."""

Shape = Literal["hexagon", "rectangle", "disc"]


class Spot(NamedTuple):
    """A place and a direction.

    The `turn` of a cell or light points to its LED, that of a key or connector on the edge points
    outward, and that of a chip to the side of its electrodes 5 and 6.
    """

    x: float
    y: float
    turn: float = 0.0

    def at(self, x: float, y: float, turn: float = 0.0) -> "Spot":
        """Convert a spot from this spot's frame, whose x axis points in the direction of `turn`."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        place = round(self.x + x * c + y * s, 4) + 0.0, round(self.y - x * s + y * c, 4) + 0.0
        return Spot(*place, round((self.turn + turn) % 360, 3))

    def distance(self, other: "Spot") -> float:
        """Return the distance to another spot."""
        return dist(self[:2], other[:2])

    def direction(self, other: "Spot") -> float:
        """Return the angle at which another spot is seen from here, 0 to 360."""
        return degrees(atan2(self.y - other.y, other.x - self.x)) % 360


@dataclass(frozen=True)
class Plan:
    """The places of all items of a board.

    `lights` are the lights beside the cells, by their names in a profile ("circle.0"); one with the
    name of a pad (choice1 and "choice1.0") lights that pad. `keys` are pads if they are in
    `electrodes`, and else buttons on the edge. `connectors` are those that the board has: "usb",
    "pi", "pico", "bench", and "logic", where the parts of data and buses lie. `electrodes` has the
    index of the chip in `chips` and the electrode of each cell and pad; `pixels` is the order of
    cells and lights in the data chain.
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
    holes: tuple[Spot, ...] = ()

    @property
    def pads(self) -> dict[str, Spot]:
        """Return the places of cells and keys with an electrode, cells first."""
        return {**self.cells, **{n: at for n, at in self.keys.items() if n in self.electrodes}}

    @property
    def half(self) -> tuple[float, float]:
        """Return half of the board's width and height."""
        return self.outline[2]

    def bus(self, chip: int) -> Literal["A", "B"]:
        """Return the bus of a chip: of more than four chips, the second half is on B."""
        return "B" if chip >= self._on_first_bus else "A"

    def place_on_bus(self, chip: int) -> int:
        """Return a chip's index on its bus, which determines its address or channel."""
        return chip % self._on_first_bus

    @property
    def _on_first_bus(self) -> int:
        count = len(self.chips)
        return count if count <= MOST_ON_A_BUS else ceil(count / 2)


def hexagon_61() -> Plan:
    """Plan the hexagon of 61 cells, with its circle of species and two bars of scores."""
    cells = _hexagon_cells(hexagon(5).centres)
    beside = sqrt(3) / 2 * 3 * PITCH_MM
    # At places of the cells' grid, beside rows b and c.
    pads = {
        "choice1": Spot(-3.5 * PITCH_MM, beside, 270),
        "choice2": Spot(3.5 * PITCH_MM, beside, 270),
    }
    lights = {
        **_named("circle", [Spot(0, 0, 90 - 30 * n).at(150, 0) for n in range(12)]),
        **_named("score1", [Spot(-95 + 10 * n, 164, 180) for n in range(20)]),
        **_named("score2", [Spot(95 - 10 * n, -164, 0) for n in range(20)]),
        "turn1.0": Spot(-110, 164, 180),
        "turn2.0": Spot(110, -164, 0),
        **{f"{name}.0": at for name, at in pads.items()},
    }
    buttons = ("hint", "shutdown", "cell", "resign", "take_back", "new_game")
    keys = {name: Spot(-160, 80 + 14 * n, 180) for n, name in enumerate(buttons)}
    chips = """
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
    connectors = {
        "usb": Spot(138, -173, 90),
        "pi": Spot(-148, -131, 270),
        "pico": Spot(-121, -173, 90),
        "logic": Spot(-147, -90),
    }
    return _plan(
        "hexagon-61",
        "Hexagon with 61 cells",
        "hexagon",
        cells=cells,
        rows=_rows(cells),
        lights=lights,
        keys={**keys, **pads},
        served=chips,
        corners=_hexagon_corners(cells),
        outline=_box(160, 173),
        connectors=connectors,
        holes=[Spot(x, y) for x in (-155, 155) for y in (-168, 168)],
    )


def rectangle_88() -> Plan:
    """Plan the rectangle of 8 by 11 cells, with two bars of scores and a strip of other items."""
    up = 13
    centres = rectangle(8, 11).centres
    cells = {name: Spot(x * PITCH_MM, y * PITCH_MM - up, 45) for name, (x, y) in centres.items()}
    pads = {"choice1": Spot(-64, 179, 45), "choice2": Spot(64, 179, 45)}
    bar = [-162.5 + 13 * n for n in range(24)]
    lights = {
        **_named("score1", [Spot(-135, y, 90) for y in reversed(bar)]),
        **_named("score2", [Spot(135, y, 270) for y in bar]),
        "turn1.0": Spot(-135, bar[-1] + 13, 90),
        "turn2.0": Spot(135, bar[0] - 13, 270),
        **{f"{name}.0": at for name, at in pads.items()},
    }
    buttons = ("shutdown", "cell", "hint", "confirm", "new_game", "take_back", "resign")
    keys = {name: Spot(-39 + 13 * n, 195, 270) for n, name in enumerate(buttons)}
    chips = """
        A A A A B B B B
        A A A A B B B B
        A A C C C C B B
        A A C C C C B B
        D D C C C C E E
        D D D F F E E E
        D D D F F E E E
        D D F F F F E E
        G G G F F H H H
        G G G G H H H H
        G G G G H H H H
        choice1 G choice2 H"""
    corners = [
        Spot(PITCH_MM * x, PITCH_MM * (y + 0.5) - up, 90.0 * way)
        for x in range(-3, 4)
        for y in range(-5, 5)
        for way in range(4)
    ]
    connectors = {
        "usb": Spot(-142, 179, 180),
        "pi": Spot(0, 170, 0),
        "pico": Spot(142, 179, 0),
        "logic": Spot(-94, 179),
    }
    return _plan(
        "rectangle-88",
        "Rectangle with 88 cells",
        "rectangle",
        cells=cells,
        rows=_rows(cells),
        lights=lights,
        keys={**keys, **pads},
        served=chips,
        corners=corners,
        outline=_box(142, 195),
        connectors=connectors,
        holes=[Spot(x, y) for x in (-136, 136) for y in (-190, 158)],
    )


def disc_32() -> Plan:
    """Plan the disc of 4 rings by 8 segments; its rings' pads are in a column beside it."""
    middle, rim = Spot(-10, 0), 160.0
    board = disc(4, 8)
    cells = {}
    for name, (x, y) in board.centres.items():
        at = middle.at(x * PITCH_MM, y * PITCH_MM)
        cells[name] = Spot(at.x, at.y, (middle.direction(at) + 45) % 360)
    pads = {f"ring{n + 1}": middle.at(172, 48 - 32 * n, 45) for n in range(4)}
    buttons = (
        *("choice1", "choice2", "hint", "shutdown"),
        *("cell", "resign", "take_back", "new_game"),
    )
    keys = {name: Spot(-180, 72 + 12 * n, 180) for n, name in enumerate(buttons)}

    def arc(count: int, turn: float) -> list[Spot]:
        """Place count + 1 lights, 10 mm apart, from left to right as seen from the rim."""
        first = turn - 3.6 * (count - 1) / 2
        return [Spot(*middle[:2], first + 3.6 * n).at(rim, 0, 270) for n in range(count + 1)]

    arcs = {"1": arc(14, 270), "2": arc(14, 90), "3": arc(12, 180)}
    lights = {
        **{
            light: at
            for n, spots in arcs.items()
            for light, at in _named(f"score{n}", spots[:-1]).items()
        },
        **{f"turn{n}.0": spots[-1] for n, spots in arcs.items()},
        **{f"{name}.0": keys[name].at(-20, 0, 180) for name in ("choice1", "choice2")},
        **{f"{name}.0": at for name, at in pads.items()},
    }
    # Segments from the top left clockwise, each from the rim inward.
    chips = """
        E E E E
        A A A A
        A A A A
        C B B B
        B B B B
        D D D D
        D D D D
        E E E E
        ring1 C ring2 C ring3 C ring4 C"""
    inner = board.centres["a1"][1] * -PITCH_MM
    corners = [
        Spot(*middle[:2], 22.5 + 45 * n).at(inner + PITCH_MM * (ring + 0.5), 0, 90.0 * way)
        for n in range(8)
        for ring in range(3)
        for way in range(4)
    ]
    # Between the rim and the pads of the rings.
    corners += [middle.at(157, 0, 90.0 * way) for way in (1, 2, 3)]
    connectors = {
        "usb": Spot(140, -170, 90),
        "pi": Spot(-171, -128, 270),
        "pico": Spot(-149, -170, 90),
        "logic": Spot(-168, -87),
    }
    return _plan(
        "disc-32",
        "Disc with 32 cells",
        "disc",
        cells=cells,
        rows=[[f"{s}{r}" for r in (4, 3, 2, 1)] for s in "habcdefg"],
        lights=lights,
        keys={**keys, **pads},
        served=chips,
        corners=corners,
        outline=_box(180, 170),
        connectors=connectors,
        holes=[Spot(x, y) for x in (-175, 175) for y in (-165, 165)],
    )


def coupon_4() -> Plan:
    """Plan a coupon of 4 cells, under 100 by 100 mm, on which to measure sensing and light.

    It has a plain header along its lower edge, and neither keys nor lights beside the cells.
    """
    centres = {f"{'ab'[r]}{q + 1}": centre((q, r)) for r in range(2) for q in range(2)}
    x, y = (each / 2 for each in centre((1, 1)))
    around = _hexagon_cells({name: (at[0] - x, at[1] - y) for name, at in centres.items()})
    cells = {cell: Spot(at.x, at.y - 9, at.turn) for cell, at in around.items()}
    return _plan(
        "coupon-4",
        "Coupon of 4 cells",
        "hexagon",
        cells=cells,
        rows=_rows(cells),
        lights={},
        keys={},
        served="A A A A",
        corners=_hexagon_corners(cells),
        outline=_box(43, 42),
        connectors={"logic": Spot(-4, 32.5), "bench": Spot(13, 36.5)},
    )


def _hexagon_cells(centres: Mapping[str, tuple[float, float]]) -> dict[str, Spot]:
    at = {name: (x * PITCH_MM, y * PITCH_MM) for name, (x, y) in centres.items()}
    return {name: Spot(round(x, 4) + 0.0, round(y, 4) + 0.0, 270) for name, (x, y) in at.items()}


def _hexagon_corners(cells: Mapping[str, Spot]) -> list[Spot]:
    """List the corners between three cells without an LED, each in three directions."""
    far = PITCH_MM / sqrt(3)
    tops = [cell.at(-far, 0, 120.0 * way) for cell in cells.values() for way in range(3)]
    return [at for at in tops if sum(at.distance(cell) < far + 1 for cell in cells.values()) == 3]


def _plan(
    name: str,
    title: str,
    shape: Shape,
    cells: Mapping[str, Spot],
    rows: Sequence[Sequence[str]],
    lights: Mapping[str, Spot],
    keys: Mapping[str, Spot],
    served: str,
    corners: Sequence[Spot],
    outline: tuple[tuple[float, float], ...],
    connectors: Mapping[str, Spot],
    holes: Iterable[Spot] = (),
) -> Plan:
    """Add chips, electrodes and the chain of pixels to the placed items.

    `served` lists the letter of each cell's chip, in the order of `rows`, then pads, each with its
    letter. The chain runs back and forth through the rows, and then clockwise around the board.
    `corners` are the possible places and directions of chips.
    """
    words = served.split()
    letters = dict(zip([cell for row in rows for cell in row], words, strict=False))
    letters |= dict(zip(words[len(cells) :: 2], words[len(cells) + 1 :: 2], strict=True))
    places = {**cells, **keys}
    chips: list[Spot] = []
    electrodes: dict[str, tuple[int, int]] = {}
    for number, letter in enumerate(sorted(set(letters.values()))):
        own = {pad: places[pad] for pad, each in letters.items() if each == letter}
        spot, pins = _chip(own, corners)
        chips.append(spot)
        electrodes |= {pad: (number, pin) for pad, pin in pins.items()}
    electrodes = {pad: electrodes[pad] for pad in places if pad in electrodes}
    cells = {cell: _away_from(chips, at) for cell, at in cells.items()}
    way = [cell for n, row in enumerate(rows) for cell in (reversed(row) if n % 2 else row)]
    start = _clockwise(cells[way[-1]])
    around = sorted(lights, key=lambda light: round(_clockwise(lights[light]) - start, 1) % 360)
    return Plan(
        *(name, title, shape, cells, lights, keys, tuple(chips), electrodes, (*way, *around)),
        *(outline, connectors, tuple(holes)),
    )


def _away_from(chips: Sequence[Spot], cell: Spot) -> Spot:
    """Turn a cell's LED by 90 degrees, to the next corner, if a chip lies at this one."""
    near = any(cell.at(LED_RADIUS_MM, 0).distance(chip) < _BAY_MM for chip in chips)
    return cell.at(0, 0, 90) if near else cell


def _rows(cells: Mapping[str, Spot]) -> list[list[str]]:
    """Sort cells into rows from the top, each from the left."""
    order = sorted(cells, key=lambda cell: (round(cells[cell].y, 1), cells[cell].x))
    return [list(row) for _, row in groupby(order, key=lambda cell: round(cells[cell].y, 1))]


def _clockwise(at: Spot) -> float:
    return (90 - Spot(0, 0).direction(at)) % 360


def _chip(pads: Mapping[str, Spot], corners: Sequence[Spot]) -> tuple[Spot, dict[str, int]]:
    """Place a chip as near to its pads as possible; return its spot and each pad's pin."""

    def far(corner: Spot) -> int:
        return round(sum(corner.distance(pad) ** 4 for pad in pads.values()))

    corners = [_on_grid(corner) for corner in corners]
    least = min(map(far, corners))
    there = [corner for corner in corners if far(corner) <= least + 1]
    spot, numbers, _ = min(((at, *_numbered(at, pads)) for at in there), key=lambda each: each[2])
    return spot, numbers


def _on_grid(chip: Spot) -> Spot:
    """Move a chip, whose pads are 0.4 mm apart, onto the router's grid, and align it."""
    x, y = (round(round(value / CHIP_GRID_MM) * CHIP_GRID_MM, 4) for value in chip[:2])
    return Spot(x, y, round(chip.turn / 90) * 90.0 % 360)


def _numbered(chip: Spot, pads: Mapping[str, Spot]) -> tuple[dict[str, int], float]:
    """Number pads around a chip in the order of its pins, so that no two tracks need to cross.

    Also returns the cost: how far the pads lie from their pins' directions.
    """
    # Clockwise from the chip's back, as seen from above.
    angles = {pad: (chip.turn + 180 - chip.direction(at)) % 360 for pad, at in pads.items()}
    order = sorted(angles, key=lambda pad: angles[pad])
    best = [360 / ELECTRODES * (n + 0.5) for n in range(ELECTRODES)]

    def cost(numbers: Sequence[int]) -> float:
        # Rounded, so that equal costs compare equal: Python 3.12 changed how `sum` adds floats.
        return round(
            sum((angles[p] - best[n]) ** 2 for p, n in zip(order, numbers, strict=True)), 3
        )

    numbers = min(combinations(range(ELECTRODES), len(order)), key=cost)
    return dict(zip(order, numbers, strict=True)), cost(numbers)


def _named(group: str, spots: Iterable[Spot]) -> dict[str, Spot]:
    return {f"{group}.{n}": at for n, at in enumerate(spots)}


def _box(x: float, y: float) -> tuple[tuple[float, float], ...]:
    return ((-x, -y), (x, -y), (x, y), (-x, y))


PLANS: Mapping[str, Callable[[], Plan]] = {
    "hexagon-61": hexagon_61,
    "rectangle-88": rectangle_88,
    "disc-32": disc_32,
    "coupon-4": coupon_4,
}
"""The boards that can be made, by name."""
