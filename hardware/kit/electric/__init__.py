"""What a board is electrically: figures, their limits, and what is chosen by them."""

from hardware.kit.electric.figure import Figure
from hardware.kit.electric.figures import Figures, figures, figures_table
from hardware.kit.electric.levels import Lengths
from hardware.kit.electric.power import Feeding, feeding, feeds
from hardware.kit.electric.sensing import PadFigures, Run

__all__ = [
    "Feeding",
    "Figure",
    "Figures",
    "Lengths",
    "PadFigures",
    "Run",
    "feeding",
    "feeds",
    "figures",
    "figures_table",
]
