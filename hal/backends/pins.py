"""The keys on pins and the interrupt line of a board, while some of their pins may be in use."""

from collections.abc import Callable
from functools import partial
from math import inf

from hal.base.errors import PinInUse
from hal.base.faults import Fault, Trouble
from hal.drivers.platform import Keys, Line, Platform
from hal.profile import Pin, Profile

FIRST_RETRY_S = 0.25
LAST_RETRY_S = 5.0
"""The longest pause between two retries: each doubles it up to this."""


class BoardPins:
    """The pins of a board. A key whose pin is in use is not pressed.

    An interrupt line whose pin is in use is always low, so that the chips are polled.
    """

    def __init__(
        self, profile: Profile, platform: Platform, on_change: Callable[[], None], now: float
    ) -> None:
        self._line: Line | None = None
        self._open_line = partial(platform.line, profile.interrupt_pin, on_change)
        self._keys: dict[str, Keys] = {}
        self._open_keys = {
            name: partial(platform.keys, {name: key.number}, on_change)
            for name, key in profile.keys.items()
            if isinstance(key, Pin)
        }
        self._faults: tuple[Fault, ...] = ()
        self._retry_s = FIRST_RETRY_S
        self._due = now
        self.attend(now)

    @property
    def low(self) -> bool:
        """Whether a chip may have changed since this was last asked."""
        return self._line is None or self._line.low

    def pressed(self) -> frozenset[str]:
        """Return the keys that are down now."""
        return frozenset().union(*(keys.pressed() for keys in self._keys.values()))

    def attend(self, now: float) -> None:
        """Open what is not open, when that is due; raise BackendError if no pin can be used."""
        if now < self._due:
            return
        faults, nothing = [], frozenset[str]()
        for name, open_key in self._open_keys.items():
            if name in self._keys:
                continue
            try:
                self._keys[name] = open_key()
            except PinInUse as error:
                detail = f"key {name} is not sensed: {error}"
                faults.append(Fault(Trouble.PIN, error.pin, nothing, frozenset({name}), detail))
        if self._line is None:
            try:
                self._line = self._open_line()
            except PinInUse as error:
                detail = f"without their interrupt line the chips are polled: {error}"
                faults.append(Fault(Trouble.PIN, error.pin, nothing, nothing, detail))
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
        for keys in self._keys.values():
            keys.close()
        if self._line is not None:
            self._line.close()
