"""The base of a board for a laser cutter: it carries the pixels above, and all else underneath.

Owns how it is cut and engraved. Layers: "cut" goes through; "engrave" is on the upper side, where
the pixels lie and slots have the names of their connectors; "underside" says what is fixed
underneath, as seen through the base from above.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import atan2, cos, radians, sin

from hal.profile.geometry import Point
from hardware.kit.drawing import Anchor, Box, Circle, Drawing, Label, Mark, Path, Points, Style
from hardware.kit.electric.chain import Kind, Piece, pieces
from hardware.kit.layout import Layout
from hardware.kit.places import places
from hardware.kit.plates.chambers import BASE_HOLE_MM, PIXEL_MM, PIXEL_WIRE_MM, lying
from hardware.kit.plates.holes import Holes
from hardware.kit.plates.kept import BASE_WORDS, BUTTON_BODY_MM
from hardware.kit.plates.laser import CUT, ENGRAVE, WORDS, caption, plate
from hardware.kit.plates.lettering import corners, width_mm
from hardware.kit.plates.regions import Region
from hardware.kit.plates.slots import Slot
from hardware.kit.plates.walls import Level, Walls

UNDERSIDE = Style("underside", stroke="#2b62b8", width_mm=0.15, dashed=True)
UNDERSIDE_WORDS = Style("underside", stroke=None, fill="#8a2a8a")
_NUMBER_MM, _NAME_MM, _LINE_MM = 2.2, 2.6, 3.4
_INSET_MM = 1.0
_FROM_SLOT_MM, _FARTHEST_NAME_MM = 0.8, 12
_BESIDE = (
    (0, 3.8),
    (0, -3.8),
    (5.2, 0),
    (-5.2, 0),
    (5.9, 0),
    (-5.9, 0),
    (0, 5.4),
    (0, -5.4),
    (6.4, 4),
)
_FACE = (Point(-2.5, -2.5), Point(2.5, -2.5), Point(2.5, 2.5), Point(-2.5, 2.5))
"""A pixel of 5 mm."""
_ARROW = (Point(-1.6, 0), Point(1.6, 0), Point(0.4, 1.0), Point(1.6, 0), Point(0.4, -1.0))
"""In its face, to where data goes."""


def base(layout: Layout, found: Holes, layers: Walls) -> Drawing:
    """Draw the base with its holes, and with the outlines of loose pieces of the walls."""
    drawing = plate(layout, "base", BUTTON_BODY_MM, BASE_WORDS)
    chain = pieces(layout)
    drawing.add(CUT, *(Path(slot.region.areas[0].outline, closed=True) for slot in found.slots))
    drawing.add(CUT, *(Circle(at, BASE_HOLE_MM) for at in found.pads))
    drawing.add(CUT, *(Circle(at, PIXEL_WIRE_MM) for at in found.pixels))
    loose = layers[Level.LOWER].loose
    drawing.add(ENGRAVE, *(Path(area.outline, closed=True) for area in loose.areas))
    words = Region.of(corners(caption(layout, BASE_WORDS)))
    taken = Region.joined((*found.fixed, *found.regions, words))
    numbers = [label for piece in chain for label in _numbers(piece, taken)]
    drawing.marks += _pixels(chain)
    drawing.add(WORDS, *numbers)
    written = taken | _covered(numbers)
    laid = Region.joined(lying(piece) for piece in chain)
    names = list(_slot_names(found.slots, written | laid, layers[Level.LOWER].both))
    drawing.add(WORDS, *names)
    drawing.marks += _underside(layout, written | _covered(names), laid)
    return drawing


def _covered(labels: Iterable[Label]) -> Region:
    return Region.joined(Region.of(corners(label)) for label in labels)


def _pixels(chain: Sequence[Piece]) -> Iterator[Mark]:
    """Mark where the pixels lie: pieces of strip, each pixel, and which way data runs."""
    for place, piece in enumerate(chain):
        if piece.kind is not Kind.SINGLE:
            yield Mark(Path(lying(piece).areas[0].outline, closed=True), ENGRAVE)
        following = chain[place + 1].places[0] if place + 1 < len(chain) else piece.places[-1]
        start, toward = (*piece.places, following)[:2]
        ahead = atan2(toward.y - start.y, toward.x - start.x)
        for at in piece.places:
            yield Mark(Path(_turned(at, ahead, _FACE), closed=True), ENGRAVE)
            yield Mark(Path(_turned(at, ahead, _ARROW)), ENGRAVE)


def _turned(at: Point, ahead: float, points: Points) -> Points:
    x, y = cos(ahead), sin(ahead)
    return tuple(at.moved(round(p.x * x - p.y * y, 4), round(p.x * y + p.y * x, 4)) for p in points)


def _numbers(piece: Piece, holes: Region) -> Iterator[Label]:
    """Write each pixel's number beside it, clear of holes and of the strip's edge."""
    strip = lying(piece)
    for number, at in zip(piece.pixels, piece.places, strict=True):
        face = Region.disc(at, PIXEL_MM * 1.45)
        labels = [
            Label(str(number), at.moved(x, y - 0.36 * _NUMBER_MM), _NUMBER_MM) for x, y in _BESIDE
        ]
        free = (
            label
            for label in labels
            if not holes.meets(box := Region.of(corners(label)))
            and not face.meets(box)
            and (strip.covers(box) or not strip.meets(box))
        )
        yield next(free, labels[0])


def _slot_names(slots: Iterable[Slot], taken: Region, standing: Region) -> Iterator[Label]:
    """Write the name of its connector beside each slot, where no wall hides it if that can be."""
    for slot in slots:
        labels = [
            Label(slot.connector, at.moved(y=-0.36 * _NAME_MM), _NAME_MM)
            for at in _around(slot.box, width_mm(slot.connector, _NAME_MM))
        ]
        clear = [each for each in labels if not taken.meets(_covered([each]))]
        seen = (each for each in clear if not standing.meets(_covered([each])))
        found = next(seen, (clear or labels)[0])
        taken = taken | _covered([found])
        yield found


def _around(box: Box, wide: float) -> Iterator[Point]:
    """Give middles of a text around a box, the nearest first, and those at its ends before."""
    middle = box.middle
    first = 0 if box.width > box.height else 90
    for farther in range(_FARTHEST_NAME_MM):
        x = box.width / 2 + wide / 2 + _FROM_SLOT_MM + farther
        y = box.height / 2 + _NAME_MM / 2 + _FROM_SLOT_MM + farther
        for turn in (first + step for side in (0, 180) for step in range(side, side + 180, 15)):
            across, up = cos(radians(turn)), sin(radians(turn))
            reach = min(x / max(abs(across), 1e-9), y / max(abs(up), 1e-9))
            yield middle.moved(round(across * reach, 3), round(up * reach, 3))


def _underside(layout: Layout, taken: Region, laid: Region) -> Iterator[Mark]:
    """Mark what is fixed underneath, with its name."""
    above = {each.at for each in layout.buttons.values()}
    for part, place in places(layout).items():
        if place.at in above:
            continue
        yield Mark(Path(place.box.corners, closed=True), UNDERSIDE)
        blocks = list(_within(part, place.box.grown(-_INSET_MM)))
        clear = [each for each in blocks if not taken.meets(_covered(each))]
        best = (each for each in clear if not laid.meets(_covered(each)))
        for label in next(best, (clear or blocks)[0]):
            yield Mark(label, UNDERSIDE_WORDS)


def _within(text: str, box: Box) -> Iterator[tuple[Label, ...]]:
    """Write a text at many places in a box, in as many lines as it takes."""
    lines = _broken(text, box.width)
    wide = max(width_mm(line, _NAME_MM) for line in lines)
    high = (len(lines) - 1) * _LINE_MM
    for y in range(max(1, int(box.height - high))):
        for x in range(0, max(1, int(box.width - wide)), 2):
            first = Point(box.left + x, box.bottom + y + high)
            yield tuple(
                Label(line, first.moved(y=-number * _LINE_MM), _NAME_MM, Anchor.START)
                for number, line in enumerate(lines)
            )


def _broken(text: str, most_mm: float) -> list[str]:
    """Break a text between words into lines that fit."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_mm(longer, _NAME_MM) > most_mm:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
