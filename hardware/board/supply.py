"""Divides the board's supply into three sections with a fuse each, like slices from the plug.

Borders run from between two fuses to the far edge, so that each plane is in one piece and begins at
its own fuse.
"""

from collections.abc import Mapping, Sequence
from math import atan2, cos, hypot, inf, sin

from hardware.board.plan import Plan, Spot

WHOLE = "+5V"
"""The net of the only section of a board without a plug."""
SECTIONS = ("+5V_1", "+5V_2", "+5V_3")
"""The nets behind the fuses, in the order of the fuses."""
FUSES = (-28.0, (-8.0, 0.0, 8.0))
"""The places of the fuses in the frame of the plug: x, and y of each."""
_BEHIND = -37.0
"""The x where the borders begin: behind the fuses and their test points."""
_FAR = 600.0

Point = tuple[float, float]


def sections(plan: Plan, leds: Mapping[str, Spot]) -> dict[str, str]:
    """Return the section of each LED; each section has about a third of the LEDs."""
    if "usb" not in plan.connectors:
        return dict.fromkeys(leds, WHOLE)
    found = dict.fromkeys(leds, SECTIONS[1])
    frame = {name: _in_frame(plan.connectors["usb"], spot) for name, spot in leds.items()}
    for net, side, start, turn in _rays(list(frame.values())):
        found |= {name: net for name, at in frame.items() if side * (_turn(start, at) - turn) > 0}
    return found


def areas(plan: Plan, leds: Mapping[str, Spot]) -> dict[str, list[Point]]:
    """Return the plane of each section: the first is whole, the others are cut out of it."""
    if "usb" not in plan.connectors:
        return {WHOLE: list(plan.outline)}
    usb = plan.connectors["usb"]
    found = {SECTIONS[1]: list(plan.outline)}
    for net, side, start, turn in _rays([_in_frame(usb, spot) for spot in leds.values()]):
        far = start[0] - _FAR * cos(turn), start[1] + _FAR * sin(turn)
        line = [(5.0, start[1]), start, far, (far[0], side * _FAR), (5.0, side * _FAR)]
        found[net] = [usb.at(*point)[:2] for point in line]
    return found


def _in_frame(usb: Spot, spot: Spot) -> Point:
    """Convert a place to the frame of the plug, whose x axis points outward."""
    x, y, _ = Spot(0, 0, -usb.turn).at(spot.x - usb.x, spot.y - usb.y)
    return x, y


def _turn(start: Point, at: Point) -> float:
    """Return the direction of a place from the start of a ray; 0 is inward."""
    return atan2(at[1] - start[1], start[0] - at[0])


def _rays(leds: Sequence[Point]) -> list[tuple[str, int, Point, float]]:
    """Return net, side, start and direction of the rays that cut off the outer sections.

    Of the rays with about a third of the LEDs on their side, it takes the one farthest from any
    LED.
    """
    rays = []
    across = FUSES[1]
    for net, side, y in (
        (SECTIONS[0], -1, (across[0] + across[1]) / 2),
        (SECTIONS[2], 1, (across[1] + across[2]) / 2),
    ):
        start = _BEHIND, y
        turns = sorted((_turn(start, at) for at in leds), key=lambda turn: -side * turn)
        third = len(leds) // 3
        middles = [(turns[n - 1] + turns[n]) / 2 for n in range(third - 6, third + 7)]
        rays.append((net, side, start, max(middles, key=lambda turn: _clear(start, turn, leds))))
    return rays


def _clear(start: Point, turn: float, leds: Sequence[Point]) -> float:
    """Return the distance of the nearest LED from a ray."""
    least = inf
    for x, y in leds:
        along = (start[0] - x) * cos(turn) + (y - start[1]) * sin(turn)
        off = (start[0] - x) * sin(turn) - (y - start[1]) * cos(turn)
        least = min(least, abs(off) if along > 0 else hypot(along, off))
    return least
