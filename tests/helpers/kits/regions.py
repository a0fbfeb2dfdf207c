"""What a drawing covers, for tests that ask whether things lie on each other."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, pairwise

from hardware.kit.drawing import Area, Circle, Drawing, Label, Mark, Path, Shape
from hardware.kit.plates.copper import Foil, copper
from hardware.kit.plates.foil import foil
from hardware.kit.plates.lettering import corners
from hardware.kit.plates.regions import Region
from tests.helpers.kits.boards import layout_of


@cache
def copper_of(name: str) -> Foil:
    return copper(layout_of(name))


@cache
def foil_of(name: str) -> Drawing:
    return foil(layout_of(name))


def region_of(shape: Shape) -> Region:
    """Give what a closed shape or a text covers."""
    match shape:
        case Circle(centre, diameter):
            return Region.disc(centre, diameter)
        case Area(outline, holes):
            return Region.of(outline, holes)
        case Path(points, closed=True):
            return Region.of(points)
        case Path(points):
            return Region.joined(Region.bar(a, b, 0.1) for a, b in pairwise(points) if a != b)
        case Label():
            return Region.of(corners(shape))
    raise TypeError(shape)


def marks_of(drawing: Drawing, *names: str) -> tuple[Mark, ...]:
    return tuple(mark for mark in drawing.marks if mark.style.name in names)


def regions_of(drawing: Drawing, *names: str) -> list[Region]:
    return [region_of(mark.shape) for mark in marks_of(drawing, *names)]


def labels_of(drawing: Drawing) -> Iterator[Label]:
    return (mark.shape for mark in drawing.marks if isinstance(mark.shape, Label))


def nearest_mm(regions: Iterable[Region]) -> float:
    """Give the smallest distance between any two, 0 where they meet."""
    near = [Near(region) for region in regions]
    pairs = (pair for pair in combinations(near, 2) if pair[0].close_to(pair[1]))
    return min((one.region.distance(other.region) for one, other in pairs), default=99.0)


class Near:
    """A region and the box around it, since most pairs are far apart."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self.box = region.extent.grown(5)

    def close_to(self, other: "Near") -> bool:
        return (
            self.box.left < other.box.right
            and other.box.left < self.box.right
            and self.box.bottom < other.box.top
            and other.box.bottom < self.box.top
        )
