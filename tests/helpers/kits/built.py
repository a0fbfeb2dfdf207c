"""Boards of foil as they are built, each worked out once for all tests of a process."""

from functools import cache

from hardware.kit import leads
from hardware.kit.electric import Figures, feeds, figures
from hardware.kit.layout import Layout
from hardware.kit.wiring import Build, Wiring, wire
from tests.helpers.kits.boards import layout_of


@cache
def built(board: str) -> tuple[Layout, Wiring, Figures]:
    """Wire a board of foil that ships, and compute its figures."""
    layout = layout_of(board)
    wiring = wire(layout, Build.FOIL, (), feeds(layout))
    return layout, wiring, figures(layout, leads.runs(layout, wiring), leads.lengths(wiring))
