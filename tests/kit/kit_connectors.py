"""Where the connectors of a board's printed circuits are, without the tracks to them."""

from contextlib import AbstractContextManager
from functools import cache
from unittest.mock import patch

from kit_boards import layout_of

from hardware.kit.circuit import plan
from hardware.kit.circuit.circuit import Connector
from hardware.kit.circuit.router import Routing


@cache
def connectors_of(board: str) -> tuple[Connector, ...]:
    """Give the connectors of the board that carries all pads."""
    with _untracked():
        return plan.whole(layout_of(board)).connectors


@cache
def tile_connectors_of(board: str) -> tuple[Connector, ...]:
    """Give the connectors of all small boards together."""
    with _untracked():
        tiles = plan.tiles(layout_of(board))
    return tuple(connector for tile in tiles for connector in tile.connectors)


def _untracked() -> AbstractContextManager[object]:
    # Tracks take ten seconds a board; neither they nor what is printed moves a connector.
    return patch.multiple(plan, route=lambda problem: Routing((), ()), notes=lambda *about: ())
