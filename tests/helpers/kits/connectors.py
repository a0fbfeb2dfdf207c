"""Where the connectors of a board's printed circuits are, each found once for all tests."""

from functools import cache

from hardware.kit.circuit import plan
from hardware.kit.circuit.circuit import Connector
from tests.helpers.kits.boards import layout_of


@cache
def connectors_of(board: str) -> tuple[Connector, ...]:
    """Give the connectors of the board that carries all pads."""
    return plan.whole_connectors(layout_of(board))


@cache
def tile_connectors_of(board: str) -> tuple[Connector, ...]:
    """Give the connectors of all small boards together."""
    return plan.tile_connectors(layout_of(board))
