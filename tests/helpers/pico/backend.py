"""A board on an emulated Pico: the host's own backend, and the real firmware."""

from collections.abc import Callable, Iterable
from pathlib import Path

from hal.backends.backend import Clock
from hal.backends.coprocessor.backend import CoprocessorBackend
from hal.base.errors import LinkFault
from hal.base.events import Sensed
from hal.lights import Frame
from hal.profile import BoardMemory, Profile
from hal.sim.backend import POWERED_S, EmulatedBoard
from hal.sim.body import Body, VirtualHands
from tests.helpers.pico.pico import Pico
from tests.helpers.pico.quick import EmulatedPico

LEARNT_S = 0.1
"""Time for the chips to learn an empty board before a hand may come."""
SHOWN_S = 0.02
"""Time for a frame on the serial line and on the strip."""
WAIT_STEP_S = 0.002
"""The step of virtual time while waiting for an answer."""

PassTime = Callable[[float], None]
MakePico = Callable[..., Pico]
"""Makes a Pico of (profile, body, clock, flash=folder)."""


class LockstepPort:
    """The host's end of a cable, whose Pico runs on the host's clock whenever the port is used.

    `pass_time` advances that clock by some seconds. Raises LinkFault where no Pico is plugged in,
    and once it was pulled out.
    """

    def __init__(self, pico: Pico, pass_time: PassTime) -> None:
        pico.settle()
        if not pico.plugged:
            raise LinkFault("the emulated Pico is not plugged in")
        self._pico = pico
        self._pass_time = pass_time
        self._cable = pico.usb
        self._connection = self._cable.connection
        self._closed = False
        self._cable.opened = True
        # What came before was for another program.
        self._cable.to_host.clear()

    @property
    def waiting(self) -> bool:
        """Whether there is something to read, or the port is gone."""
        return not self._closed and (not self._there or bool(self._cable.to_host))

    def read(self) -> bytes:
        """Run the Pico up to now, and return all that it has written."""
        self._pico.settle()
        self._check()
        data = bytes(self._cable.to_host)
        self._cable.to_host.clear()
        return data

    def write(self, data: bytes) -> None:
        self._check()
        self._cable.to_pico += data

    def wait(self, timeout_s: float) -> None:
        self._pass_time(max(0.0, min(timeout_s, WAIT_STEP_S)))
        self._pico.settle()

    def close(self) -> None:
        if self._there and not self._closed:
            self._pico.settle()
            self._cable.opened = False
        self._closed = True

    @property
    def _there(self) -> bool:
        """Whether the port that was opened is still there."""
        return self._cable.plugged and self._cable.connection == self._connection

    def _check(self) -> None:
        if not self._there:
            raise LinkFault("the emulated Pico is gone: it was unplugged")


class EmulatedCoprocessor(EmulatedBoard, CoprocessorBackend):
    """A board on an emulated Pico, with virtual fingers.

    `body` and `platform` are the hardware, `pico` its processor; `truth` is the real wiring of a
    board whose profile lacks it. `pass_time` advances `clock` while the Pico is waited for. `flash`
    is the folder with the Pico's file system. `make` makes another Pico than the quick one.
    """

    def __init__(
        self,
        profile: Profile,
        *,
        clock: Clock,
        pass_time: PassTime,
        flash: Path,
        seed: int = 0,
        memory: BoardMemory | None = None,
        stones: Iterable[str] = (),
        truth: Profile | None = None,
        make: MakePico = EmulatedPico,
    ) -> None:
        truth = truth or profile
        self._pass_time = pass_time
        self._port: LockstepPort | None = None
        self.body = Body(truth, clock() - POWERED_S, seed=seed, stones=stones)
        self.pico = make(truth, self.body, clock, flash=flash)
        self.platform = self.pico.platform
        try:
            while not self.pico.plugged:
                pass_time(WAIT_STEP_S)
                self.pico.settle()
            super().__init__(profile, clock=clock, memory=memory, open_port=self._open_port)
        except BaseException:
            self.pico.close()
            raise
        pass_time(LEARNT_S)
        self.pico.settle()
        self.hands = VirtualHands(frozenset({*truth.cells, *truth.keys}), clock, self._woken.set)

    def sense(self, now: float) -> Sensed:
        """Run hands, board and Pico up to now, then read the Pico's messages."""
        self.pico.settle(self.hands.advance(now))
        return super().sense(now)

    def due(self, now: float) -> float:
        """Return when `sense` is next due, also for the emulation."""
        if self._port is not None and self._port.waiting:
            # Input ends a real host's wait.
            return now
        return super().due(now)

    def latched(self) -> Frame:
        """Return what the pixels show once everything sent has arrived."""
        if not self._closed:
            self._pass_time(SHOWN_S)
            self.pico.settle()
        return self.platform.latched()

    def drop(self) -> None:
        """Release Pico and port without cleaning up, as when the host's plug is pulled."""
        self._closed = True
        self._client.close()
        self.pico.close()

    def close(self) -> None:
        if not self._closed:
            super().close()
            self.pico.settle()
            self.pico.close()

    def _open_port(self, url: str, on_input: Callable[[], None]) -> LockstepPort:
        self._port = LockstepPort(self.pico, self._pass_time)
        return self._port
