"""Badges at lights of the printed top: shapes of stones, their names, and who eats whom.

Owns how they are laid out around the middle of the board: one stone of each shape is its light, and
arrows lead along the circle. Must not know games.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import atan2, cos, degrees, pi, radians, sin

from hal.profile.geometry import Point
from hardware.kit.drawing import Area, Circle, Label, Mark, Path, Points
from hardware.kit.layout import BUTTON_MM, Layout
from hardware.kit.plates.chambers import lone_lights
from hardware.kit.plates.lettering import width_mm
from hardware.kit.printed.artwork import Artwork, Badge
from hardware.kit.printed.lights import WINDOW_MM
from hardware.kit.printed.style import ARROW, ARROW_HEAD, BADGE_NAME, STONE, WINDOW

_LARGEST_MM, _SMALLEST_MM = 9.0, 3.0
"""From stone to stone."""
_STONE = 0.92
_OUT, _UNLIKE = 0.6, 0.5
"""What it costs that a shape goes far out, and that it goes farther to one side."""
_ROOM = 1.9
"""Room that a shape needs around its light, in distances of its stones."""
_NAME_MM = 3.6
_GAP_MM = 1.4
_ARROW_GAP_MM = 3.0
_HEAD_MM, _HEAD_WIDE_MM = 4.2, 3.4
_STEP_DEG = 0.5


@dataclass(frozen=True, slots=True)
class _Laid:
    """A badge on the board: its light, direction from the middle, and stones, the lit one first."""

    badge: Badge
    at: Point
    theta: float
    stones: Points

    def reach(self) -> tuple[float, float]:
        """Give how far its stones go along the circle, clockwise of the light and onward."""
        along = [self._along(stone) for stone in self.stones]
        return min(along), max(along)

    def _along(self, stone: Point) -> float:
        x, y = stone.x - self.at.x, stone.y - self.at.y
        return -x * sin(self.theta) + y * cos(self.theta)

    def outward(self, stone: Point) -> float:
        """Give how far a stone is outward from the light."""
        x, y = stone.x - self.at.x, stone.y - self.at.y
        return x * cos(self.theta) + y * sin(self.theta)


def badges(layout: Layout, artwork: Artwork) -> Iterator[Mark]:
    """Draw all badges: windows, stones, names and arrows."""
    if not artwork.badges:
        return
    lights = lone_lights(layout)
    pitch = _stone_pitch(layout, artwork, lights)
    laid = {name: _lay(badge, lights[name], pitch) for name, badge in artwork.badges.items()}
    stone = pitch * _STONE
    hole = layout.geometry.hole_mm
    for name, each in laid.items():
        yield from _arrow(each, laid[each.badge.eats], stone)
        for at in each.stones:
            yield Mark(Circle(at, stone), STONE)
        wide = min(hole + WINDOW_MM, max(hole, stone - 1.6))
        yield Mark(Circle(lights[name], wide), WINDOW)
        yield Mark(_name(each, stone), BADGE_NAME)
    yield from _word(laid, artwork, stone)


def _stone_pitch(layout: Layout, artwork: Artwork, lights: Mapping[str, Point]) -> float:
    """Find the size for all shapes at which none comes near to anything else."""
    parts = [(s.at, layout.geometry.pad_mm / 2 + 2) for s in layout.sensors.values()]
    parts += [(button.at, BUTTON_MM / 2) for button in layout.buttons.values()]
    parts += [
        (at, (layout.geometry.hole_mm + WINDOW_MM) / 2 + 3)
        for name, at in lights.items()
        if name not in artwork.badges
    ]
    corners = [(corner, 0.0) for cell in layout.cells.values() for corner in cell.outline]
    room = min(
        lights[name].distance(at) - taken
        for name in artwork.badges
        for at, taken in parts + corners
    )
    return max(_SMALLEST_MM, min(_LARGEST_MM, room / _ROOM))


def _lay(badge: Badge, at: Point, pitch: float) -> _Laid:
    """Turn a shape so that it lies along the circle, and put one of its stones at the light."""
    theta = atan2(at.y, at.x)
    best: tuple[tuple[float, ...], tuple[tuple[float, float], ...]] | None = None
    for mirror in (1, -1):
        for turn in range(12):
            angle = pi * turn / 6
            turned = [
                (
                    mirror * (p.x * cos(angle) - p.y * sin(angle)),
                    p.x * sin(angle) + p.y * cos(angle),
                )
                for p in badge.stones
            ]
            for lit in turned:
                # `along` is to the left of who looks outward, `out` away from the middle.
                moved = [(along - lit[0], out - lit[1]) for along, out in turned]
                moved.sort(key=lambda stone: abs(stone[0]) + abs(stone[1]))
                alongs, outs = [a for a, _ in moved], [o for _, o in moved]
                unlike = abs(max(alongs) + min(alongs))
                cost = max(outs) - min(outs) + _OUT * max(outs) + _UNLIKE * unlike
                score = (round(cost, 3), *(round(value, 3) for each in moved for value in each))
                if best is None or score < best[0]:
                    best = score, tuple(moved)
    assert best is not None
    x, y = cos(theta), sin(theta)
    stones = tuple(
        at.moved(round(pitch * (out * x - along * y), 3), round(pitch * (out * y + along * x), 3))
        for along, out in best[1]
    )
    return _Laid(badge, at, theta, stones)


def _name(each: _Laid, stone: float) -> Label:
    """Write the name outside of the stones, along the circle and never upside down."""
    radius = each.at.distance(Point(0, 0)) + max(map(each.outward, each.stones)) + stone / 2
    radius += _GAP_MM
    below = sin(each.theta) < -1e-6
    if below:
        radius += 0.76 * _NAME_MM
    low, high = each.reach()
    middle = degrees(each.theta + (low + high) / 2 / each.at.distance(Point(0, 0)))
    turn = round(middle + (90 if below else -90), 3)
    return Label(each.badge.name, _at(radius, middle), _NAME_MM, turn_deg=turn)


def _track(each: _Laid, prey: _Laid, stone: float) -> tuple[float, float, float]:
    """Give angles in degrees where an arrow begins and how far it turns, and its radius."""
    radius = each.at.distance(Point(0, 0))
    apart = (degrees(prey.theta - each.theta) + 180) % 360 - 180
    side = 1 if apart > 0 else -1

    def leave(badge: _Laid, towards: int) -> float:
        low, high = badge.reach()
        reach = (high if towards > 0 else -low) + stone / 2 + _ARROW_GAP_MM
        return degrees(reach / radius)

    start = degrees(each.theta) + side * leave(each, side)
    end = degrees(prey.theta) - side * leave(prey, -side)
    turn = (end - start) * side % 360 * side
    return start, turn, radius


def _arrow(each: _Laid, prey: _Laid, stone: float) -> Iterator[Mark]:
    start, turn, radius = _track(each, prey, stone)
    side = 1 if turn > 0 else -1
    head = degrees(_HEAD_MM / radius)
    shaft = turn - side * head
    steps = max(2, int(abs(shaft) / _STEP_DEG))
    line = tuple(_at(radius, start + shaft * n / steps) for n in range(steps + 1))
    yield Mark(Path(line), ARROW)
    base = start + shaft
    tip = _at(radius, start + turn)
    wings = (_at(radius + _HEAD_WIDE_MM / 2, base), _at(radius - _HEAD_WIDE_MM / 2, base))
    yield Mark(Area((tip, *wings)), ARROW_HEAD)


def _word(laid: Mapping[str, _Laid], artwork: Artwork, stone: float) -> Iterator[Mark]:
    """Say once what the arrows mean, on the one nearest to the top."""
    text = artwork.names.get("eats")
    if not text:
        return
    tracks = [_track(each, laid[each.badge.eats], stone) for each in laid.values()]
    start, turn, radius = max(tracks, key=lambda t: round(sin(radians(t[0] + t[1] / 2)), 6))
    middle = start + turn / 2
    label = Label(
        text, _at(radius + _GAP_MM + 0.4, middle), _NAME_MM, turn_deg=round(middle - 90, 3)
    )
    if width_mm(text, _NAME_MM) < abs(radians(turn)) * radius:
        yield Mark(label, BADGE_NAME)


def _at(radius: float, angle: float) -> Point:
    turn = radians(angle)
    return Point(round(radius * cos(turn), 3), round(radius * sin(turn), 3))
