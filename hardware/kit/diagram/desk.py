"""What all sections of a wiring diagram share: the sketch, the wires and the computer at the left.

Owns the computer's box and its pins. Must not know what hangs on them.
"""

from hal.profile.geometry import Point
from hardware.kit.computers import computer_of
from hardware.kit.diagram.pens import COMPUTER, FAINT_INK, SMALL_MM, TEXT_MM, Sketch, width_of
from hardware.kit.drawing import Anchor, Box, Style
from hardware.kit.layout import Layout
from hardware.kit.wiring import End, Kind, Wire, Wiring

TITLE_MM = 4.0
LINE_ABOVE_MM = 0.9
"""From a wire up to the text on it."""


class Desk:
    """Draw the computer, pin by pin, and keep where each pin is."""

    def __init__(self, layout: Layout, wiring: Wiring) -> None:
        self.sketch = Sketch()
        self.layout = layout
        self.wiring = wiring
        self.computer = computer_of(layout.profile).name
        pins = [
            end.pin
            for wire in wiring.wires
            for end in (wire.start, wire.end)
            if end.part == self.computer
        ]
        texts = [width_of(pin, TEXT_MM) for pin in pins]
        self.edge = round(max(*texts, width_of(self.computer, TITLE_MM, bold=True)) + 6, 1)
        self._lowest = 0.0

    def pin(self, end: End, y: float) -> Point:
        """Draw a pin of the computer, and give where its wire begins."""
        self.sketch.text(end.pin, Point(self.edge - 2, y - 1), Anchor.END, TEXT_MM)
        self._lowest = min(self._lowest, y)
        return Point(self.edge, y)

    def length(self, wire: Wire, at: Point, anchor: Anchor = Anchor.START) -> None:
        """Write how long a wire is."""
        self.sketch.text(f"{wire.length_mm} mm", at, anchor)

    def wire_to(self, end: End, *kinds: Kind) -> Wire | None:
        """Give the wire of some kinds that arrives at a pin from another part."""
        for wire in self.wiring.at(end):
            if wire.end == end and wire.kind in kinds and wire.start.part != end.part:
                return wire
        return None

    def line(self, style: Style, *points: Point) -> None:
        """Draw a wire from point to point."""
        self.sketch.line(style, *points)

    def close(self, top: float, note: str) -> None:
        """Draw the computer around its pins."""
        bottom = self._lowest - 9
        self.sketch.frame(COMPUTER, Box(0, bottom, self.edge, top + 8))
        self.sketch.text(self.computer, Point(3, top + 2), size_mm=TITLE_MM, bold=True)
        self.sketch.text(note, Point(3, bottom + 2.5), size_mm=SMALL_MM, style=FAINT_INK)
