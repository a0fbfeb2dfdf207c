"""Where everything of a board is: cells, pads, pixels, buttons, chips, screws and the edge.

Owns the places that a profile leaves to be worked out, but those underneath. Must not know what is
drawn or made of them, nor games. Millimetres from the middle of the cells, x to the right, y away
from player 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import atan2, cos, hypot, pi, radians, sin
from types import MappingProxyType

from hal.profile import Chip, Electrode, Pin, Profile
from hal.profile.geometry import Geometry, Point
from hardware.kit.drawing import Box, Points
from hardware.kit.errors import KitError

BREAKOUT_MM = (34.0, 20.0)
"""What an MPR121 breakout takes, with room for its wires."""
LIGHT_MM = 12.0
"""What a single pixel beside the cells takes."""
BUTTON_MM = 20.0
"""What a button takes, with its nut."""
NUT_MM = 7.0
"""What a screw takes: its head, its washer, and the spacer that is its nut (ISO 7089, M3)."""
HOLE_MM = 3.2
_SCREW_INSET_MM = 6.0
_LONGEST_UNSCREWED_MM = 260.0


class Grid(Enum):
    """How the cells of a board lie to each other."""

    HEXAGON = "hexagon"
    DISC = "disc"
    RECTANGLE = "rectangle"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its middle, and its border counter-clockwise."""

    name: str
    at: Point
    outline: Points


@dataclass(frozen=True, slots=True)
class Sensor:
    """A pad, of a cell or a key, and the electrode that it hangs on. `lit` pads have a hole."""

    name: str
    at: Point
    electrode: Electrode
    lit: bool


@dataclass(frozen=True, slots=True)
class Light:
    """A pixel: its number on the strip, what it lights ("e5", "circle.0"), and where it is."""

    pixel: int
    name: str
    at: Point


@dataclass(frozen=True, slots=True)
class Button:
    """A button: the key that it is, its pin by the profile's number, and where it is."""

    name: str
    pin: int
    at: Point


@dataclass(frozen=True, slots=True)
class Layout:
    """Hold the places of a board. `chips` has the middles of the chips' breakouts, underneath.

    `sensors` are in the order of the profile, cells first; `lights` in that of the strip. `box` is
    the board's edge. Wires of the strip go down through `wire_holes`, two for each piece of it. No
    part underneath may be on `openings`, which are these holes and the slots of all connectors.
    """

    profile: Profile
    geometry: Geometry
    grid: Grid
    cells: Mapping[str, Cell]
    sensors: Mapping[str, Sensor]
    lights: tuple[Light, ...]
    buttons: Mapping[str, Button]
    chips: Mapping[str, Point]
    box: Box
    screws: Points
    wire_holes: Points = ()
    openings: tuple[Box, ...] = ()

    def sensors_of(self, chip: str) -> tuple[Sensor, ...]:
        """List the pads that hang on a chip, by their electrodes."""
        own = (each for each in self.sensors.values() if each.electrode.chip == chip)
        return tuple(sorted(own, key=lambda each: each.electrode.electrode))


def upper_side(profile: Profile, grid: Grid, centres: Mapping[str, tuple[float, float]]) -> Layout:
    """Place everything of a board but what is underneath: each chip is still amid its pads.

    `centres` has the middle of each cell in units of the distance between neighbours, x to the
    right and y downward, as the rules' boards have it. Raises KitError for a profile without
    [geometry], or when parts would lie on each other.
    """
    geometry = profile.geometry
    if geometry is None:
        raise KitError(
            f'board "{profile.name}" says nothing of its measures: [geometry] is missing in its'
            " profile; allowed is one such as that of hexagon-61"
        )
    pitch = geometry.pitch_mm
    cells = {
        name: _cell(name, Point(round(x * pitch, 4), round(-y * pitch, 4)), grid, geometry, centres)
        for name, (x, y) in centres.items()
        if name in profile.cells
    }
    light_places = set(geometry.lights.values())
    sensors = {
        name: Sensor(name, cells[name].at, electrode, lit=True)
        for name, electrode in profile.cells.items()
    }
    sensors |= {
        name: Sensor(name, geometry.keys[name], key, lit=geometry.keys[name] in light_places)
        for name, key in profile.keys.items()
        if isinstance(key, Electrode)
    }
    lights = tuple(
        Light(pixel, name, cells[name].at if name in cells else geometry.lights[name])
        for name, pixel in sorted(profile.pixels.items(), key=lambda entry: entry[1])
    )
    buttons = {
        name: Button(name, key.number, geometry.keys[name])
        for name, key in profile.keys.items()
        if isinstance(key, Pin)
    }
    box = _box(geometry, cells, sensors, lights, buttons)
    screws = _screws(box)
    _check_apart(geometry, sensors, buttons, lights, screws)
    return Layout(
        profile,
        geometry,
        grid,
        MappingProxyType(cells),
        MappingProxyType(sensors),
        lights,
        MappingProxyType(buttons),
        MappingProxyType({chip.name: _amid(chip, sensors) for chip in profile.chips}),
        box,
        screws,
    )


def _cell(
    name: str,
    at: Point,
    grid: Grid,
    geometry: Geometry,
    centres: Mapping[str, tuple[float, float]],
) -> Cell:
    half = geometry.pitch_mm / 2
    match grid:
        case Grid.RECTANGLE:
            box = Box(at.x - half, at.y - half, at.x + half, at.y + half)
            return Cell(name, at, box.corners)
        case Grid.HEXAGON:
            reach = half / cos(pi / 6)
            corners = [radians(30 + 60 * n) for n in range(6)]
            return Cell(name, at, tuple(at.moved(reach * cos(a), reach * sin(a)) for a in corners))
    # All cells of a ring are as far from the middle, and the segments share the turn equally.
    distance = hypot(*at)
    ring = sum(abs(hypot(x, y) * geometry.pitch_mm - distance) < half for x, y in centres.values())
    width = 2 * pi / ring
    middle = atan2(at.y, at.x)
    steps = 12
    turns = [middle - width / 2 + width * n / steps for n in range(steps + 1)]
    inner, outer = distance - half, distance + half
    points = [Point(outer * cos(a), outer * sin(a)) for a in turns]
    points += [Point(inner * cos(a), inner * sin(a)) for a in reversed(turns)]
    return Cell(name, at, tuple(points))


def _check_apart(
    geometry: Geometry,
    sensors: Mapping[str, Sensor],
    buttons: Mapping[str, Button],
    lights: tuple[Light, ...],
    screws: Points,
) -> None:
    wide = geometry.guard_outer_mm
    # Screws are first, so that it is the other part that is named as too near.
    parts = [(f"the screw at {s.x:g}, {s.y:g}", s, NUT_MM, "") for s in screws]
    parts += [
        (f"the pad of {s.name}", s.at, wide, _key(geometry, s.name)) for s in sensors.values()
    ]
    parts += [(f"the button {b.name}", b.at, BUTTON_MM, f"keys.{b.name}") for b in buttons.values()]
    in_pads = {sensor.at for sensor in sensors.values()}
    parts += [
        (f"the light {s.name}", s.at, LIGHT_MM, f"lights.{s.name.partition('.')[0]}")
        for s in lights
        if s.at not in in_pads
    ]
    for number, (name, at, size, key) in enumerate(parts):
        for other, there, its_size, _ in parts[:number]:
            apart, least = at.distance(there), (size + its_size) / 2
            if apart < least - 1e-6:
                raise KitError(
                    f"{name} is {apart:.1f} mm from {other}: allowed are {least:.1f} mm and more,"
                    " from middle to middle",
                    key,
                )


def _key(geometry: Geometry, pad: str) -> str:
    """Name the key of [geometry] that has the place of a pad, if it has one."""
    return f"keys.{pad}" if pad in geometry.keys else ""


def _box(
    geometry: Geometry,
    cells: Mapping[str, Cell],
    sensors: Mapping[str, Sensor],
    lights: tuple[Light, ...],
    buttons: Mapping[str, Button],
) -> Box:
    points = [corner for cell in cells.values() for corner in cell.outline]
    for at, size in (
        *((sensor.at, geometry.guard_outer_mm) for sensor in sensors.values()),
        *((light.at, LIGHT_MM) for light in lights),
        *((button.at, BUTTON_MM) for button in buttons.values()),
    ):
        points += [at.moved(-size / 2, -size / 2), at.moved(size / 2, size / 2)]
    box = Box.around(points).grown(geometry.margin_mm)
    return Box(round(box.left, 1), round(box.bottom, 1), round(box.right, 1), round(box.top, 1))


def _screws(box: Box) -> Points:
    inner = box.grown(-_SCREW_INSET_MM)
    screws = list(inner.corners)
    if box.width > _LONGEST_UNSCREWED_MM:
        middle = (box.left + box.right) / 2
        screws += [Point(middle, inner.bottom), Point(middle, inner.top)]
    if box.height > _LONGEST_UNSCREWED_MM:
        middle = (box.bottom + box.top) / 2
        screws += [Point(inner.left, middle), Point(inner.right, middle)]
    return tuple(screws)


def _amid(chip: Chip, sensors: Mapping[str, Sensor]) -> Point:
    """Find where the longest of the wires to a chip's pads is shortest, along x and along y."""
    own = [each.at for each in sensors.values() if each.electrode.chip == chip.name]
    rising = [at.x + at.y for at in own] or [0.0]
    falling = [at.x - at.y for at in own] or [0.0]
    middle = (min(rising) + max(rising)) / 2, (min(falling) + max(falling)) / 2
    x, y = (middle[0] + middle[1]) / 2, (middle[0] - middle[1]) / 2
    return Point(round(x, 1), round(y, 1))
