"""Logs when a board's fault begins and ends, once each. Reads no clock."""

import logging

from hal.base.faults import Fault, Trouble

log = logging.getLogger(__name__)

CALM_S = 60.0
"""How long a fault must be gone before its end is logged: one that comes and goes fills no log."""

_Which = tuple[Trouble, str]


class FaultLog:
    """Log the faults of one board."""

    def __init__(self) -> None:
        self._logged: dict[_Which, Fault] = {}
        self._gone_s: dict[_Which, float] = {}

    def take(self, faults: tuple[Fault, ...], masked: frozenset[str], now: float) -> None:
        """Record all faults at time `now`, in seconds, and the masked cells.

        Call it at every step, also when nothing has changed.
        """
        if not faults and not self._logged:
            return
        there = {(each.trouble, each.part): each for each in faults}
        for which, fault in there.items():
            self._gone_s.pop(which, None)
            if which not in self._logged:
                self._logged[which] = fault
                log.warning("%s", fault.detail)
        for which in self._logged.keys() - there.keys():
            fault = self._logged[which]
            if fault.cells and fault.cells <= masked:
                log.info("%s: it is played without", _named(fault))
            elif now >= self._gone_s.setdefault(which, now) + CALM_S:
                log.warning("%s works again", _named(fault))
            else:
                continue
            del self._logged[which]
            self._gone_s.pop(which, None)


_NAMES = {
    Trouble.CHIP: "chip {part}",
    Trouble.LINK: "the line to the Pico under the board",
    Trouble.FIRMWARE: "the firmware of the Pico under the board",
    Trouble.STRIP: "the strip",
    Trouble.PIN: "pin {part}",
}


def _named(fault: Fault) -> str:
    usual = "key {part}" if fault.keys else "cell {part}"
    return _NAMES.get(fault.trouble, usual).format(part=fault.part)
