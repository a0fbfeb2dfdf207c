"""What of the base is there from the start: holes for screws and buttons, and its own words.

Owns these, and how far apart holes of the base are. Must not know what is fitted in between.
Millimetres.
"""

from hardware.kit.layout import Layout
from hardware.kit.plates.chambers import SCREW_HOLE_MM
from hardware.kit.plates.laser import caption
from hardware.kit.plates.lettering import corners
from hardware.kit.plates.regions import Region

APART_MM = 3.0
"""What is left between two holes."""
BASE_WORDS = "base, this side up; dashed: underneath"
BUTTON_BODY_MM = 14.0


def fixed(layout: Layout) -> tuple[Region, ...]:
    """Give the holes for screws and for the bodies of buttons."""
    screws = [Region.disc(at, SCREW_HOLE_MM) for at in layout.screws]
    return (*screws, *(Region.disc(b.at, BUTTON_BODY_MM) for b in layout.buttons.values()))


def kept(layout: Layout) -> Region:
    """Give these holes and the base's words, which are to stay whole, too."""
    return Region.joined((*fixed(layout), Region.of(corners(caption(layout, BASE_WORDS)))))
