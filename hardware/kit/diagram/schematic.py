"""The wiring diagram of a board: every wire but those between pixels, each with its length.

Owns how its sections follow each other, on one large sheet or on some small ones. Must not know
what is drawn in them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hal.profile.geometry import Point
from hardware.kit.diagram.cables import Cable, cables
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
_CHIP_NOTES = (
    "4.7k and 10k sit at the breakout before which they are drawn.",
    "The 10k of IRQ may be left out where a breakout brings one.",
)
_LIGHT_NOTES = (
    "Wires from pixel to pixel are in the table of pixels.",
    "330 to 470 ohm and 1000 uF: below the base, at the hole of pixel 0.",
    "5V-1, GND-1 and so on: lever clamps, whose wires are all joined.",
)
_ON_PI_NOTES = ("5 V of the strip goes neither to the Raspberry Pi nor comes from it.",)
_ON_PICO_NOTES = (
    "VBUS (40) is never joined with 5 V of the strip.",
    "The diode is for a Pico that the strip's supply is to feed too.",
)
_NOTE_STEP_MM = 5.0
_TALLEST_MM = 190.0
"""What chips may take on a sheet that is turned sideways, for words that are still read."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A part of a diagram, and what it shows, in words."""

    drawing: Drawing
    shows: str


def diagram(layout: Layout, wiring: Wiring) -> Drawing:
    """Draw how a board is wired: the computer at the left, then chips, buttons and strip."""
    desk = Desk(layout, wiring)
    title = f"Wiring of {layout.profile.name}, {_BUILT[wiring.build]}"
    desk.sketch.text(title, Point(0, 18), size_mm=5.0, bold=True)
    rows = Rows(desk, -2.0, _of_computer(desk))
    _rest(desk, rows.bottom - 3, (*_CHIP_NOTES, *_light_notes(layout)))
    return _finished(desk, title)


def diagram_sheets(layout: Layout, wiring: Wiring) -> tuple[Sheet, ...]:
    """Draw the same as `diagram`, in parts whose words can be read on a page of paper.

    What comes from a chip on an earlier sheet is written where it arrives.
    """
    groups: list[list[Cable]] = []
    for cable in _of_computer(Desk(layout, wiring)):
        if groups and -Rows(Desk(layout, wiring), 0, [*groups[-1], cable]).bottom < _TALLEST_MM:
            groups[-1].append(cable)
        else:
            groups.append([cable])
    sheets = [_chip_sheet(Desk(layout, wiring), group) for group in groups]
    desk = Desk(layout, wiring)
    _rest(desk, 0.0, _light_notes(layout))
    rest = _finished(desk, f"Buttons, strip and supply of {layout.profile.name}")
    return (*sheets, Sheet(rest, "buttons, strip and supply"))


def _chip_sheet(desk: Desk, cables: Sequence[Cable]) -> Sheet:
    shows = " and ".join(cable.name for cable in cables)
    rows = Rows(desk, -2.0, cables)
    for number, note in enumerate(_CHIP_NOTES):
        at = Point(desk.edge + 7, rows.bottom - 3 - _NOTE_STEP_MM * number)
        desk.sketch.text(note, at, size_mm=TEXT_MM)
    return Sheet(_finished(desk, f"{shows} of {desk.layout.profile.name}"), shows)


def _of_computer(desk: Desk) -> list[Cable]:
    return [cable for cable in cables(desk.wiring) if cable.source == desk.computer]


def _rest(desk: Desk, top: float, notes: Sequence[str]) -> None:
    """Draw what is no chip, with the notes beside the buttons."""
    bottom = draw_keys(desk, top)
    for number, note in enumerate(notes):
        at = Point(desk.edge + 100, top - 5 - _NOTE_STEP_MM * number)
        desk.sketch.text(note, at, size_mm=TEXT_MM)
    Light(desk, min(bottom, top - 5 - _NOTE_STEP_MM * len(notes)))


def _light_notes(layout: Layout) -> tuple[str, ...]:
    on_pico = layout.profile.pico is not None
    return (*_LIGHT_NOTES, *(_ON_PICO_NOTES if on_pico else _ON_PI_NOTES))


def _finished(desk: Desk, title: str) -> Drawing:
    desk.sketch.text(_NOTE, Point(0, 13), size_mm=SMALL_MM, style=FAINT_INK)
    on_pico = desk.layout.profile.pico is not None
    desk.close(0.0, "USB to the computer" if on_pico else "has its own supply")
    return desk.sketch.finish(title, 4.0)
