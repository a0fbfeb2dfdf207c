"""The lights beside the cells on the printed top: score bars with numbers, and whose turn it is.

Owns their windows and where a player sits. Must not know games.
"""

from collections.abc import Iterator, Mapping
from math import cos, radians, sin

from hal.profile.geometry import Point
from hardware.kit.drawing import Area, Circle, Label, Mark
from hardware.kit.layout import Layout
from hardware.kit.plates.chambers import in_bar, lone_lights
from hardware.kit.plates.lettering import width_mm
from hardware.kit.plates.regions import Region
from hardware.kit.printed.artwork import Artwork
from hardware.kit.printed.style import BAND, CHEVRON, NUMBER, WINDOW, WORD

WINDOW_MM = 2.0
"""How much wider a window is than the hole that its light comes from."""
NUMBER_MM = 2.7
_WORD_MM = 2.8
_GAP_MM = 1.0
_BAND_MM = 1.6
_SCORE, _TURN = "score", "turn"
_EVERY = 5


def window(layout: Layout, at: Point) -> Mark:
    """Draw a place without ink, for the light of a hole."""
    return Mark(Circle(at, layout.geometry.hole_mm + WINDOW_MM), WINDOW)


def seats(layout: Layout) -> dict[str, float]:
    """Return the rotation of a player's ("1") parts: they sit where their turn light is."""
    box = layout.box
    turned: dict[str, float] = {}
    for light in layout.lights:
        group = light.name.partition(".")[0]
        if group.startswith(_TURN):
            edges = {
                0.0: light.at.y - box.bottom,
                180.0: box.top - light.at.y,
                -90.0: light.at.x - box.left,
                90.0: box.right - light.at.x,
            }
            turned.setdefault(group.removeprefix(_TURN), min(edges, key=lambda turn: edges[turn]))
    return turned


def lamps(layout: Layout, artwork: Artwork) -> Iterator[Mark]:
    """Draw the windows of all lights that stand alone, but for those of badges."""
    lights = lone_lights(layout)
    turned = seats(layout)
    radius = (layout.geometry.hole_mm + WINDOW_MM) / 2
    yield from _bands(lights, 2 * (radius + _BAND_MM))
    for name, at in lights.items():
        if name in layout.cells or name in artwork.badges:
            continue
        yield window(layout, at)
        group, _, place = name.partition(".")
        if group.startswith(_SCORE) and in_bar(name, lights):
            turn = turned.get(group.removeprefix(_SCORE), 0.0)
            number = int(place) + 1
            inward = _inward(lights, group, at)
            yield Mark(_number(number, at, inward, radius, turn), NUMBER)
        elif group.startswith(_TURN):
            yield from _turn(at, radius, turned[group.removeprefix(_TURN)], artwork)


def _bands(lights: Mapping[str, Point], width_mm: float) -> Iterator[Mark]:
    """Draw a band behind each score bar, which makes one thing of its windows."""
    groups: dict[str, list[Point]] = {}
    for name, at in lights.items():
        group = name.partition(".")[0]
        if group.startswith(_SCORE) and in_bar(name, lights):
            groups.setdefault(group, []).append(at)
    for own in groups.values():
        band = Region.bar(own[0], own[-1], width_mm)
        band = Region.joined((band, *(Region.disc(at, width_mm) for at in (own[0], own[-1]))))
        yield Mark(band.areas[0], BAND)


def _inward(lights: Mapping[str, Point], group: str, at: Point) -> Point:
    """Give the direction across a bar of lights that leads to the middle of the board."""
    own = [there for name, there in lights.items() if name.partition(".")[0] == group]
    along_x = abs(own[-1].x - own[0].x) > abs(own[-1].y - own[0].y)
    if along_x:
        return Point(0.0, -1.0 if at.y > 0 else 1.0)
    return Point(-1.0 if at.x > 0 else 1.0, 0.0)


def _number(number: int, at: Point, inward: Point, radius: float, turn: float) -> Label:
    text = str(number)
    bold = number % _EVERY == 0
    wide = width_mm(text, NUMBER_MM, bold)
    # Across the bar a number is as high, or as wide, as it is turned.
    sideways = abs(inward.x * cos(radians(turn)) + inward.y * sin(radians(turn))) > 0.5
    half = wide / 2 if sideways else 0.36 * NUMBER_MM
    away = radius + _BAND_MM + _GAP_MM + half
    return _centred(text, at.moved(inward.x * away, inward.y * away), NUMBER_MM, turn, bold)


def _centred(text: str, at: Point, size_mm: float, turn: float, bold: bool = False) -> Label:
    """Write a text with its middle at a place."""
    low = 0.36 * size_mm
    x, y = low * sin(radians(turn)), -low * cos(radians(turn))
    return Label(
        text, Point(round(at.x + x, 3), round(at.y + y, 3)), size_mm, turn_deg=turn, bold=bold
    )


def _turn(at: Point, radius: float, turn: float, artwork: Artwork) -> Iterator[Mark]:
    """Draw a pointer to the player whose light this is, and the word above it as they see it."""
    up = Point(-sin(radians(turn)), cos(radians(turn)))
    right = Point(up.y, -up.x)

    def place(x: float, y: float) -> Point:
        return Point(
            round(at.x + right.x * x + up.x * y, 3), round(at.y + right.y * x + up.y * y, 3)
        )

    yield Mark(
        Area((place(-2.4, -radius - 1.2), place(0, -radius - 4.2), place(2.4, -radius - 1.2))),
        CHEVRON,
    )
    away = radius + _GAP_MM + 0.5 + 0.36 * _WORD_MM
    text = artwork.names.get(_TURN, _TURN)
    yield Mark(_centred(text, place(0, away), _WORD_MM, turn), WORD)
