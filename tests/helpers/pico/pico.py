"""What every emulated Pico is to its host and its board, whatever runs its firmware.

Host and Pico share the host's clock: `settle` lets the Pico live up to now, and all durations are
in this time only. Not thread-safe.
"""

from collections import deque
from collections.abc import Iterable
from enum import Enum

from hal.backends.backend import Clock
from hal.profile import Profile
from hal.sim.body import Body, Move
from tests.helpers.pico.parts import EmulatedParts

IDENTITY = bytes.fromhex("e6614103e7174a2d")
PORT = "/dev/ttyACM0"
"""What its serial port is called, where no program opens it."""


class Cause(Enum):
    """Why a Pico starts."""

    POWER_ON = "power on"
    PROGRAM = "program"
    WATCHDOG = "watchdog"


class UsbCable:
    """A serial port as both ends see it.

    `connection` counts how often it has appeared. `opened` tells whether a program of the host has
    it open; while `deaf` is set, the host has, and takes nothing.
    """

    def __init__(self) -> None:
        self.connection = 0
        self.plugged = False
        self.opened = False
        self.deaf = False
        self.to_pico = bytearray()
        self.to_host = bytearray()

    def appear(self) -> None:
        """Let the host see the port."""
        if not self.plugged:
            self.plugged = True
            self.connection += 1

    def vanish(self) -> None:
        """Remove the port, with all data in transit."""
        self.plugged = self.opened = False
        self.to_pico.clear()
        self.to_host.clear()


class Pico:
    """A Pico under a board. `platform` is what is connected to it, `usb` its cable.

    `boots` lists the cause of each start.
    """

    def __init__(self, profile: Profile, body: Body, clock: Clock) -> None:
        self.path = PORT
        self.platform = EmulatedParts(profile, body)
        self.usb = UsbCable()
        self.boots: list[Cause] = []
        self._body = body
        self._clock = clock
        self._moves: deque[Move] = deque()
        self._cabled = self._powered = True

    @property
    def plugged(self) -> bool:
        """Whether the serial port exists now."""
        return self.usb.plugged

    @property
    def running(self) -> bool:
        """Whether the processor runs: it has power, and a firmware."""
        return self._powered

    def settle(self, moves: Iterable[Move] = ()) -> None:
        """Run everything up to now, including the finger moves made meanwhile."""
        self._moves.extend(moves)
        now = self._clock()
        self._live(now)
        self._advance_body(now)

    def noise(self, to_pico: bytes = b"", to_host: bytes = b"") -> None:
        """Insert bytes that neither side has sent."""
        self.settle()
        if self.plugged:
            self.usb.to_pico += to_pico
            self.usb.to_host += to_host

    def unplug(self, *, power: bool = True) -> None:
        """Pull the USB cable; with `power` the Pico loses its power too."""
        self.settle()
        self._cabled = False
        self._connect()
        if power:
            self._powered = False
            self._power_off()

    def plug(self) -> None:
        """Plug the USB cable in; a Pico without power starts."""
        self.settle()
        self._cabled = True
        self._connect()
        if not self._powered:
            self._powered = True
            self._boot(Cause.POWER_ON)

    def hang(self) -> None:
        """Hang the firmware, until its watchdog resets it."""
        raise NotImplementedError

    def close(self) -> None:
        """Release what is needed for it."""
        raise NotImplementedError

    def _live(self, now: float) -> None:
        """Let the processor run up to a time."""
        raise NotImplementedError

    def _boot(self, cause: Cause) -> None:
        """Start the firmware."""
        raise NotImplementedError

    def _power_off(self) -> None:
        """Let all end that needs power."""
        raise NotImplementedError

    def _connect(self) -> None:
        """Let the port appear or vanish with the cable."""
        (self.usb.appear if self._cabled else self.usb.vanish)()

    def _advance_body(self, now: float) -> None:
        """Advance the body to a time, with the moves made by then."""
        while self._moves and self._moves[0].time_s <= now:
            move = self._moves.popleft()
            self._body.advance(move.time_s, [move])
        self._body.advance(now)
