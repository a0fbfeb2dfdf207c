"""A board on an emulated Pico: the host's own backend, a real serial port, the real firmware.

Owns how the host's side keeps step with a Pico that lives in virtual time. The firmware runs in
MicroPython (`tests.helpers.pico.process`); nothing here stands in for any of it.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from hal.backends.backend import Clock
from hal.backends.coprocessor.backend import CoprocessorBackend
from hal.backends.coprocessor.port import SerialPort, open_port
from hal.base.errors import BackendError
from hal.base.events import Sensed
from hal.lights.frame import Frame
from hal.profile import Profile
from hal.profile.memory import BoardMemory
from hal.sim.backend import POWERED_S, EmulatedBoard
from hal.sim.body import Body
from hal.sim.hands import VirtualHands
from tests.helpers.pico.process import EmulatedPico, fill_flash

LEARNT_S = 0.1
"""Time for the chips to learn an empty board before a hand may come."""
SHOWN_S = 0.02
"""Time for a frame on the serial line and on the strip."""
WAIT_STEP_S = 0.002
"""The step of virtual time while waiting for an answer."""
_KERNEL_S = 20.0

PassTime = Callable[[float], None]


class LockstepPort:
    """A serial port whose Pico runs on the host's clock: it runs whenever the port is used.

    `pass_time` advances that clock by some seconds.
    """

    def __init__(self, port: SerialPort, pico: EmulatedPico, pass_time: PassTime) -> None:
        self._port = port
        self._pico = pico
        self._pass_time = pass_time
        self._connection = pico.connection
        self._closed = False
        # Earlier bytes on the line belonged to another port.
        self._read, self._written = pico.written, pico.received

    def read(self) -> bytes:
        """Run the Pico up to now, and return all that it has written.

        What was in a cable that was pulled is lost, however much the kernel had received.
        """
        self._pico.settle()
        if not self._present:
            self._hear_end()
        data = self._port.read()
        # What it has written is still in the kernel.
        while self._present and self._read + len(data) < self._pico.written:
            self._port.wait(_KERNEL_S)
            more = self._port.read()
            if not more:
                raise BackendError("what the emulated Pico has written does not come")
            data += more
        self._read += len(data)
        return data

    def write(self, data: bytes) -> None:
        """Write bytes, and tell the Pico how many to expect."""
        self._port.write(data)
        self._written += len(data)
        if self._present:
            self._pico.sent(self._written)

    def wait(self, timeout_s: float) -> None:
        """Let a little time pass."""
        self._pass_time(max(0.0, min(timeout_s, WAIT_STEP_S)))
        self._pico.settle()

    def close(self) -> None:
        """Close the port once everything written has arrived: a kernel may drop it."""
        if self._present and not self._closed:
            self._pico.settle()
        self._closed = True
        self._port.close()

    @property
    def waiting(self) -> bool:
        """Whether there is something to read, or the port is gone."""
        news = not self._present or self._pico.written > self._read
        return news and not self._closed

    @property
    def _present(self) -> bool:
        return self._pico.plugged and self._pico.connection == self._connection

    def _hear_end(self) -> None:
        """Wait until the port's own thread has noticed that it is gone; raises LinkFault then."""
        while True:
            self._port.wait(_KERNEL_S)
            if not self._port.read():
                raise BackendError("an unplugged port is not noticed")


class EmulatedCoprocessor(EmulatedBoard, CoprocessorBackend):
    """A board on an emulated Pico, with virtual fingers.

    `body` and `machine` are the hardware, `pico` its processor; `truth` is the real wiring of a
    board whose profile lacks it. `pass_time` advances `clock` while the Pico is waited for. `flash`
    is the folder with the Pico's file system, filled with the firmware.
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
        missing: Iterable[str] = (),
        truth: Profile | None = None,
    ) -> None:
        truth = truth or profile
        if profile.pico is None:
            raise BackendError(f"board {profile.name} is not wired to a Pico")
        self._pass_time = pass_time
        self._port: LockstepPort | None = None
        self.body = Body(truth, clock() - POWERED_S, seed=seed, stones=stones)
        fill_flash(flash)
        self.pico = EmulatedPico(truth, self.body, clock, flash=flash)
        self.platform = self.pico.platform
        self._unplugged = {
            chip.name: (self.platform.cable(chip), chip.address)
            for chip in truth.chips
            if chip.name in missing
        }
        for wires, address in self._unplugged.values():
            wires.detach(address)
        wired = replace(profile, pico=replace(profile.pico, port=self.pico.path))
        try:
            super().__init__(wired, clock=clock, memory=memory, open_port=self._open_port)
        except BaseException:
            self.pico.close()
            raise
        pass_time(LEARNT_S)
        self.pico.settle()
        self.hands = VirtualHands(frozenset({*truth.cells, *truth.keys}), clock, self._woken.set)

    @property
    def closed(self) -> bool:
        """Whether the backend is closed."""
        return self._closed

    def sense(self, now: float) -> Sensed:
        """Run hands, board and Pico up to now, then read the Pico's messages."""
        self._check_open()
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

    def plug(self, chip: str) -> None:
        """Connect a chip that was missing."""
        wires, address = self._unplugged[chip]
        wires.attach(address, self.body.chips[chip])

    def drop(self) -> None:
        """Release Pico and port as they are, as when the host's plug is pulled."""
        self._closed = True
        self._client.close()
        self.pico.close()

    def close(self) -> None:
        """Switch the lights off, and end the Pico."""
        if not self._closed:
            super().close()
            self.pico.settle()
            self.pico.close()

    def _open_port(self, url: str, on_input: Callable[[], None]) -> LockstepPort:
        self._port = LockstepPort(open_port(url, on_input), self.pico, self._pass_time)
        return self._port
