"""The keys on pins and the interrupt line of a board, whose pins other programs may hold."""

from collections.abc import Callable
from functools import partial
from math import inf

from hal.base.errors import PinInUse
from hal.base.faults import Fault, Trouble
from hal.drivers.platform import Input, Platform
from hal.profile import Pin, Profile

FIRST_RETRY_S = 0.25
LAST_RETRY_S = 5.0
"""The longest pause between two retries: each doubles it up to this."""
_LINE = None
"""Stands for the interrupt line in mappings of keys by name."""


class BoardPins:
    """The pins of a board. A key whose pin is in use is not pressed.

    An interrupt line whose pin is in use is always low, so that the chips are polled.
    """

    def __init__(
        self, profile: Profile, platform: Platform, on_change: Callable[[], None], now: float
    ) -> None:
        self._openers: dict[str | None, Callable[[], Input]] = {
            name: partial(platform.key, key.number, on_change)
            for name, key in profile.keys.items()
            if isinstance(key, Pin)
        }
        self._openers[_LINE] = partial(platform.line, profile.interrupt_pin, on_change)
        self._pins: dict[str | None, Input] = {}
        self._faults: tuple[Fault, ...] = ()
        self._retry_s = FIRST_RETRY_S
        self._due = now
        self.attend(now)

    @property
    def low(self) -> bool:
        """Whether a chip may have changed since this was last asked."""
        return _LINE not in self._pins or self._pins[_LINE].low

    def pressed(self) -> frozenset[str]:
        """Return the keys that are down now."""
        return frozenset(name for name, pin in self._pins.items() if name is not None and pin.low)

    def attend(self, now: float) -> None:
        """Open missing pins when due; raise BackendError if no pin can be used."""
        if now < self._due:
            return
        faults = []
        for name, open_pin in self._openers.items():
            if name in self._pins:
                continue
            try:
                self._pins[name] = open_pin()
            except PinInUse as error:
                what = "without their interrupt line the chips are polled"
                keys = frozenset[str]()
                if name is not None:
                    what, keys = f"key {name} is not sensed", frozenset({name})
                faults.append(Fault(Trouble.PIN, error.pin, frozenset(), keys, f"{what}: {error}"))
        self._faults = tuple(faults)
        self._due = now + self._retry_s if faults else inf
        self._retry_s = min(2 * self._retry_s, LAST_RETRY_S)

    def due(self) -> float:
        """Return when `attend` is next due; infinity for never."""
        return self._due

    def faults(self) -> tuple[Fault, ...]:
        """Return one fault for each pin that is in use."""
        return self._faults

    def close(self) -> None:
        for pin in self._pins.values():
            pin.close()
