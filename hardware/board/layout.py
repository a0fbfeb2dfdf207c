"""A board's layout: draws all items in order, with KiCad's module `pcbnew`."""

from collections.abc import Sequence
from pathlib import Path

from hardware.board import copper, texts
from hardware.board.circuit import Part, led_spots
from hardware.board.drawing import Drawing, Netlist
from hardware.board.field import Field
from hardware.board.plan import Plan
from hardware.board.supply import areas
from hardware.board.ways import Report, route


def draw(plan: Plan, parts: Sequence[Part], netlist: Netlist, target: Path) -> Report:
    """Draw a board into a .kicad_pcb file."""
    drawing = Drawing(plan, parts, netlist, target)
    drawing.add_outline()
    drawing.add_parts()
    drawing.add_holes()
    texts.add_fiducials(drawing)
    texts.add_texts(drawing)
    planes = areas(plan, led_spots(plan))
    report = route(drawing, Field(drawing), planes)
    copper.add_zones(drawing, planes)
    copper.add_walls(drawing)
    drawing.save()
    return report
