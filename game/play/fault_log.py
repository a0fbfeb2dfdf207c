"""Logs when a board's fault begins and ends, once each.

Owns when a fault is logged: one that comes and goes is logged ever more rarely. Must not know what
play does about it. Time comes in.
"""

import logging

from hal.base.faults import Fault, Trouble

log = logging.getLogger(__name__)

CALM_S = 10.0
"""How long a fault must be gone before its end is logged; doubled each time."""
LONGEST_CALM_S = 640.0

_Which = tuple[Trouble, str]


class FaultLog:
    """Log the faults of one board."""

    def __init__(self) -> None:
        self._told: dict[_Which, Fault] = {}
        self._gone_s: dict[_Which, float] = {}
        self._calm_s: dict[_Which, float] = {}

    def take(self, faults: tuple[Fault, ...], masked: frozenset[str], now: float) -> None:
        """Take all faults at time `now`, in seconds, and the masked cells.

        Call it at every step, also when nothing has changed.
        """
        if not faults and not self._told:
            return
        there = {(each.trouble, each.part): each for each in faults}
        for which, fault in there.items():
            if which not in self._told or which in self._gone_s:
                before_s = self._calm_s.get(which, CALM_S / 2)
                self._calm_s[which] = min(2 * before_s, LONGEST_CALM_S)
            self._gone_s.pop(which, None)
            if which not in self._told:
                self._told[which] = fault
                log.warning("%s", fault.detail)
        for which in self._told.keys() - there.keys():
            self._miss(which, masked, now)

    def _miss(self, which: _Which, masked: frozenset[str], now: float) -> None:
        """Log the end of a fault that is gone for long enough, or whose cell is masked now."""
        fault = self._told[which]
        ignored = bool(fault.cells) and fault.cells <= masked
        calm_s = self._calm_s[which]
        if not ignored and now < self._gone_s.setdefault(which, now) + calm_s:
            return
        del self._told[which]
        self._gone_s.pop(which, None)
        if ignored:
            log.info("%s: it is played without", _named(fault))
            return
        log.warning("%s works again", _named(fault))


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
