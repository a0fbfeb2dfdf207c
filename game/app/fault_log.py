"""What goes wrong with the board, and is well again, in the log: once each.

Owns when it is worth a line: a part that comes and goes is told of ever more rarely. Must not know
what play does about it. Time comes in.
"""

import logging

from game.app import log_messages
from hal.faults import Fault, Trouble

log = logging.getLogger(__name__)

CALM_S = 10.0
"""How long a trouble must be away until it is told that it is over; twice as long each time."""
LONGEST_CALM_S = 640.0

_Which = tuple[Trouble, str]


class FaultLog:
    """Tell the log of the faults of one board."""

    def __init__(self) -> None:
        self._told: dict[_Which, Fault] = {}
        self._gone_s: dict[_Which, float] = {}
        self._calm_s: dict[_Which, float] = {}

    def take(self, faults: tuple[Fault, ...], masked: frozenset[str], now: float) -> None:
        """Take all that is wrong at time `now`, in seconds, and the cells that are not asked for.

        To be called again and again, also when nothing has changed.
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
                log.warning(
                    "%s",
                    fault.detail,
                    extra=log_messages.PART_FAILED.extra(
                        LIFEBOARD_PART=fault.part,
                        LIFEBOARD_TROUBLE=fault.trouble.value,
                        LIFEBOARD_CELLS=" ".join(sorted(fault.cells)),
                    ),
                )
        for which in self._told.keys() - there.keys():
            self._miss(which, masked, now)

    def _miss(self, which: _Which, masked: frozenset[str], now: float) -> None:
        """Tell of a trouble that is over for long enough, or that nobody minds any more."""
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
        log.warning(
            "%s works again",
            _named(fault),
            extra=log_messages.PART_WELL.extra(
                LIFEBOARD_PART=fault.part, LIFEBOARD_TROUBLE=fault.trouble.value
            ),
        )


def _named(fault: Fault) -> str:
    match fault.trouble:
        case Trouble.CHIP:
            return f"chip {fault.part}"
        case Trouble.LINK:
            return "the line to the Pico under the board"
        case Trouble.FIRMWARE:
            return "the firmware of the Pico under the board"
        case Trouble.STRIP:
            return "the strip"
        case _:
            return f"key {fault.part}" if fault.keys else f"cell {fault.part}"
