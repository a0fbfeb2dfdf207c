"""What is left of 5 V at each pixel: fuse, wires, clamps and strip as resistors.

Owns the drop along the chain. Must not know where it should be fed.

Wires and strips are two conductors each, there and back. All feeds come from one place behind the
fuse, and the chain joins them: a ladder of resistors, which is solved for a current at each pixel.
"""

from collections.abc import Callable, Collection

from hal.lights.frame import CHANNEL_MA, IDLE_MA
from hardware.kit.electric.chain import Kind, Link, links, places, way_mm
from hardware.kit.layout import Layout

STRIP_V = 5.0
INLET_V = 4.9
"""What a supply gives at its inlet at least, with all current: the guide sends others back."""
OHM_KM = {0.75: 26.0, 1.0: 19.5, 1.5: 13.3}
"""What a kilometre of wire has at most, by its cross-section in mm2 (IEC 60228, class 5)."""
STRIP_OHM_M = 0.2
"""One conductor of a strip: copper of 0.035 mm, 2.5 mm wide, at 0.0175 ohm mm2/m."""
FUSE_V = 0.15
"""What a time-lag fuse takes at its own current: makers say 0.1 to 0.15 V from 1 A on."""
CONTACTS_OHM = 0.02
"""The fuse's holder and the supply's plug, there and back."""
CLAMP_OHM = 0.001
"""A clamp, from wire to wire; four of them at most are in a way, there and back."""
TRUNK_MM = 700.0
"""All wires together from inlet to fuse and clamps, and from clamp to clamp."""


class Ladder:
    """The chain as resistors: what is left of 5 V at each pixel, at the worst.

    The program dims a frame that needs more than the budget, but which pixels share it is free:
    so each pixel is looked at with those lit, fully, that draw it down most.
    """

    def __init__(self, layout: Layout, fuse: float, wire_mm2: float) -> None:
        self._count = layout.profile.pixel_count
        self._along_s = [1 / _link_ohm(link, wire_mm2) for link in links(layout)]
        supply = layout.geometry.supply
        self._feed_s = [1 / _wire_ohm(way_mm(supply, at), wire_mm2) for at in places(layout)]
        most_ma = self._count * (3 * CHANNEL_MA + IDLE_MA)
        self._total_ma = min(float(layout.profile.power.budget_ma), most_ma)
        self._trunk_ohm = trunk_ohm(fuse, wire_mm2)

    def voltages(self, feeds: Collection[int]) -> tuple[float, ...]:
        """Give the least voltage that each pixel can have when 5 V goes in before these."""
        trunk_v = INLET_V - self._trunk_ohm * self._total_ma / 1000
        respond = self._solver(feeds)
        return tuple(trunk_v - self._drop_v(respond(pixel)) for pixel in range(self._count))

    def _drop_v(self, ohms: list[float]) -> float:
        """Share the budget so that the drop is largest; `ohms` says what each pixel's mA does."""
        spare_ma = self._total_ma - self._count * IDLE_MA
        drop_mv = IDLE_MA * sum(ohms)
        for ohm in sorted(ohms, reverse=True):
            lit_ma = min(3 * CHANNEL_MA, spare_ma)
            if lit_ma <= 0:
                break
            drop_mv += ohm * lit_ma
            spare_ma -= lit_ma
        return drop_mv / 1000

    def _solver(self, feeds: Collection[int]) -> Callable[[int], list[float]]:
        """Make what gives the drop at a pixel, for 1 A at each other; the ladder is symmetric.

        Gauss's elimination of a matrix with three diagonals.
        """
        last = self._count - 1
        along = self._along_s
        own = [self._feed_s[n] if n in feeds else 0.0 for n in range(self._count)]
        pivots: list[float] = []
        for n in range(self._count):
            left = along[n - 1] if n else 0.0
            right = along[n] if n < last else 0.0
            through = left * left / pivots[-1] if n else 0.0
            pivots.append(own[n] + left + right - through)

        def respond(pixel: int) -> list[float]:
            flow = [0.0] * self._count
            flow[pixel] = 1.0
            for n in range(pixel + 1, self._count):
                flow[n] = along[n - 1] * flow[n - 1] / pivots[n - 1]
            ohms = [0.0] * self._count
            for n in range(last, -1, -1):
                after = along[n] * ohms[n + 1] if n < last else 0.0
                ohms[n] = (flow[n] + after) / pivots[n]
            return ohms

        return respond


def trunk_ohm(fuse: float, wire_mm2: float) -> float:
    """Give the resistance of what all current passes, there and back."""
    wires_ohm = OHM_KM[wire_mm2] * TRUNK_MM / 1e6
    return FUSE_V / fuse + CONTACTS_OHM + 4 * CLAMP_OHM + wires_ohm


def _link_ohm(link: Link, area: float) -> float:
    if link.kind is Kind.SINGLE:
        return _wire_ohm(link.length_mm, area)
    return 2 * STRIP_OHM_M * link.length_mm / 1000


def _wire_ohm(length_mm: float, area: float) -> float:
    return 2 * OHM_KM[area] * length_mm / 1e6
