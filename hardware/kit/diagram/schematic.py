"""The wiring diagram of a board: every wire but those between pixels, each with its length.

Owns how its sections follow each other. Must not know what is drawn in them.
"""

from hal.geometry import Point
from hardware.kit.diagram.desk import Desk
from hardware.kit.diagram.keys import draw_keys
from hardware.kit.diagram.light import Light
from hardware.kit.diagram.pens import FAINT_INK, SMALL_MM, TEXT_MM
from hardware.kit.diagram.rows import Rows
from hardware.kit.drawing import Drawing
from hardware.kit.layout import Layout
from hardware.kit.wiring import Build, Wiring

_BUILT = {
    Build.FOIL: "pads of foil",
    Build.CIRCUIT: "one printed circuit",
    Build.TILES: "small printed circuits",
}
_NOTE = (
    "Not to scale. Lengths are what to cut: the way along the sides, 15 mm down, 40 mm to solder."
)
_COMMON_NOTES = (
    "Wires from pixel to pixel are in the table of pixels.",
    "4.7k and 10k sit at the breakout before which they are drawn.",
    "The 10k of IRQ may be left out where a breakout brings one.",
    "330 to 470 ohm and 1000 uF: below the base, at the hole of pixel 0.",
    "5V-1, GND-1 and so on: lever clamps, whose wires are all joined.",
)
_NOTES = (
    *_COMMON_NOTES,
    "5 V of the strip goes neither to the Raspberry Pi nor comes from it.",
)
_ON_PICO_NOTES = (
    *_COMMON_NOTES,
    "VBUS (40) is never joined with 5 V of the strip.",
    "The diode is for a Pico that the strip's supply is to feed too.",
)


def diagram(layout: Layout, wiring: Wiring) -> Drawing:
    """Draw how a board is wired: the computer at the left, then chips, buttons and strip."""
    desk = Desk(layout, wiring)
    title = f"Wiring of {layout.profile.name}, {_BUILT[wiring.build]}"
    desk.sketch.text(title, Point(0, 18), size_mm=5.0, bold=True)
    desk.sketch.text(_NOTE, Point(0, 13), size_mm=SMALL_MM, style=FAINT_INK)
    rows = Rows(desk, -2.0)
    on_pico = layout.profile.pico is not None
    bottom = draw_keys(desk, rows.bottom - 3)
    for number, note in enumerate(_ON_PICO_NOTES if on_pico else _NOTES):
        at = Point(desk.edge + 100, rows.bottom - 8 - 5 * number)
        desk.sketch.text(note, at, size_mm=TEXT_MM)
    Light(desk, min(bottom, rows.bottom - 8 - 5 * len(_ON_PICO_NOTES)))
    desk.close(0.0, "USB to the computer" if on_pico else "has its own supply")
    return desk.sketch.finish(title, 4.0)
