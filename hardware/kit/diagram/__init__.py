"""Drawings of a wiring: as a diagram, and as it lies under the board."""

from hardware.kit.diagram.placement import placement
from hardware.kit.diagram.schematic import Sheet, diagram, diagram_sheets

__all__ = ["Sheet", "diagram", "diagram_sheets", "placement"]
