"""Commands to an emulated Pico, as typed: touches, the cable, and what glows.

They act like hands; fingers take time, which `advance` passes.
"""

from collections.abc import Callable, Mapping

from hal.backends.backend import Clock
from hal.base.errors import HalError
from hal.lights import DARK
from hal.profile import Profile
from hal.sim.hands import VirtualHands
from tests.helpers.pico.quick import EmulatedPico

_FINGER = "the finger"


class CommandInterpreter:
    """Carries out commands on a running emulated Pico, which must not run meanwhile."""

    def __init__(self, profile: Profile, pico: EmulatedPico, clock: Clock) -> None:
        self._profile = profile
        self._pico = pico
        self._clock = clock
        self._hands = VirtualHands(frozenset({*profile.cells, *profile.keys}), clock, lambda: None)
        self._commands: Mapping[str, Callable[[str], str]] = {
            "touch": self._touch,
            "show": self._show,
            "unplug": self._unplug,
            "plug": self._plug,
        }

    @property
    def step_s(self) -> float | None:
        """How soon `advance` must be called again, in seconds; None for any time."""
        return self._hands.step_s

    def advance(self) -> None:
        """Advance the fingers to now."""
        if moves := self._hands.advance(self._clock()):
            self._pico.settle(moves)

    def execute(self, line: str) -> str:
        """Carry out a line and return the answer, which may be an error message."""
        word, _, rest = line.strip().partition(" ")
        if word not in self._commands:
            return f"{word!r} is unknown: allowed are {', '.join(self._commands)}"
        try:
            return self._commands[word](rest.strip())
        except HalError as error:
            return str(error)

    def _touch(self, spot: str) -> str:
        # One finger does everything, so quick commands are carried out one after the other.
        self._hands.press(_FINGER, spot)
        self._hands.lift(_FINGER)
        return f"{spot} is touched"

    def _show(self, _: str) -> str:
        frame = self._pico.platform.latched()
        glowing = [
            f"{spot} {frame[pixel].hex}"
            for spot, pixel in self._profile.pixels.items()
            if frame[pixel] != DARK
        ]
        return f"glowing: {', '.join(glowing) or 'nothing'}"

    def _unplug(self, _: str) -> str:
        self._pico.unplug()
        return "unplugged"

    def _plug(self, _: str) -> str:
        if not self._pico.plugged:
            self._pico.plug()
        return f"plugged in: {self._pico.path}"
