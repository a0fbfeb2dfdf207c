"""The buttons of a wiring diagram, and the ground that runs through them.

Owns where they are drawn. Must not know chips and strip.
"""

from hal.profile.geometry import Point
from hardware.kit.diagram.desk import LINE_ABOVE_MM, Desk
from hardware.kit.diagram.pens import BUTTON, FRAME, GROUND, TEXT_MM, switch, width_of
from hardware.kit.drawing import Anchor, Box
from hardware.kit.part_names import button_part
from hardware.kit.wiring import Kind, Wire

_ROW_MM = 8.0
_WIRE_MM = 20.0


def draw_keys(desk: Desk, top: float) -> float:
    """Draw all buttons in the order of their ground, below `top`; give where they end."""
    signals = {wire.end.part: wire for wire in desk.wiring.of(Kind.BUTTON)}
    chain = _chain(desk, [button_part(name) for name in desk.layout.buttons])
    if not chain:
        return top
    left = desk.edge + _WIRE_MM
    right = left + 12 + max(width_of(wire.end.name, TEXT_MM) for wire in chain)
    beside = right + 6
    y = top - 4
    first = chain[0]
    if first.start.part == desk.computer:
        begin = desk.pin(first.start, y)
    else:
        begin = Point(desk.edge + 2, y)
        desk.sketch.text(f"from {first.start}", begin.moved(1, LINE_ABOVE_MM))
    desk.line(GROUND, begin, Point(beside, y))
    desk.length(first, Point(left, y + LINE_ABOVE_MM))
    upper = y
    for number, ground in enumerate(chain):
        y -= _ROW_MM
        signal = signals[ground.end.part]
        desk.line(BUTTON, desk.pin(signal.start, y), Point(left, y))
        desk.length(signal, Point(desk.edge + 2, y + LINE_ABOVE_MM))
        desk.sketch.frame(FRAME, Box(left, y - 2.8, right, y + 2.8))
        switch(desk.sketch, Box(left, y - 2.8, left + 9, y + 2.8))
        desk.sketch.text(signal.end.name, Point(left + 10.5, y - 1), size_mm=TEXT_MM)
        desk.line(GROUND, Point(right, y), Point(beside, y))
        desk.line(GROUND, Point(beside, upper), Point(beside, y))
        desk.sketch.joint(GROUND, Point(beside, y))
        if number:
            middle = (upper + y) / 2
            desk.length(ground, Point(beside + 1.5, middle - 0.8), Anchor.START)
        upper = y
    return y - _ROW_MM / 2


def _chain(desk: Desk, buttons: list[str]) -> list[Wire]:
    """Give the wires of ground that arrive at the buttons, in their order."""
    arriving = {
        wire.start: wire for wire in desk.wiring.of(Kind.GROUND) if wire.end.part in buttons
    }
    first = [wire for wire in arriving.values() if wire.start.part not in buttons]
    chain = first[:1]
    while chain and chain[-1].end in arriving:
        chain.append(arriving[chain[-1].end])
    return chain
