"""A board on an emulated Pico: the host's own backend, a real serial port, the real firmware.

Owns how the host's side keeps step with a Pico that lives in virtual time. The firmware runs in
MicroPython (`hal.sim.pico.process`); nothing here stands in for any of it.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from hal.backend import Clock, Sensed
from hal.coprocessor.backend import CoprocessorBackend
from hal.coprocessor.port import SerialPort, open_port
from hal.errors import BackendError
from hal.light import Frame
from hal.memory import BoardMemory
from hal.profile import Profile
from hal.sim.board import POWERED_S, EmulatedBoard
from hal.sim.body import Body
from hal.sim.hands import VirtualHands
from hal.sim.pico.flash import fill_flash
from hal.sim.pico.process import EmulatedPico

LEARNT_S = 0.1
"""For so long the chips have learnt an empty board before a hand may come."""
SHOWN_S = 0.02
"""A frame takes a few milliseconds on the line and on the strip."""
WAIT_STEP_S = 0.002
"""How far time goes on at most while an answer is waited for."""
_KERNEL_S = 20.0

PassTime = Callable[[float], None]


class LockstepPort:
    """A serial port whose Pico lives in the time of the host's clock: it acts when looked at.

    `pass_time` moves that clock on by some seconds.
    """

    def __init__(self, port: SerialPort, pico: EmulatedPico, pass_time: PassTime) -> None:
        self._port = port
        self._pico = pico
        self._pass_time = pass_time
        self._connection = pico.connection
        self._closed = False
        # What went over the line before was another port's.
        self._read, self._written = pico.written, pico.received

    def read(self) -> bytes:
        """Let the Pico come to the present, and give all that it has written by then.

        What a cable that was pulled had on it is lost, however far the kernel had come with it.
        """
        self._pico.settle()
        if not self._present:
            self._hear_end()
        data = self._port.read()
        # What it has written is on its way through the kernel.
        while self._present and self._read + len(data) < self._pico.written:
            self._port.wait(_KERNEL_S)
            more = self._port.read()
            if not more:
                raise BackendError("what the emulated Pico has written does not come")
            data += more
        self._read += len(data)
        return data

    def write(self, data: bytes) -> None:
        """Write bytes, and tell the Pico how many to wait for."""
        self._port.write(data)
        self._written += len(data)
        if self._present:
            self._pico.sent(self._written)

    def wait(self, timeout_s: float) -> None:
        """Let a little time pass."""
        self._pass_time(max(0.0, min(timeout_s, WAIT_STEP_S)))
        self._pico.settle()

    def close(self) -> None:
        """Let go of the port, when all that was written has come there: a kernel may drop it."""
        if self._present and not self._closed:
            self._pico.settle()
        self._closed = True
        self._port.close()

    @property
    def waiting(self) -> bool:
        """Tell whether there is something to read, or that the port is gone."""
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
    """Carry a board on an emulated Pico, and offer virtual fingers for it.

    `body` and `machine` are the hardware, `pico` its processor; `truth` is how the board is wired
    where the profile does not know. `pass_time` moves `clock` on while the Pico is waited for.
    `flash` is the folder that is the Pico's file system, filled with the firmware.
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
        self.machine = self.pico.machine
        self._unplugged = {
            chip.name: (self.machine.wires(chip), chip.address)
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
        """Tell whether the backend is closed."""
        return self._closed

    def sense(self, now: float) -> Sensed:
        """Let hands, board and Pico come to the present, then read what the Pico has told."""
        self._check_open()
        self.pico.settle(self.hands.advance(now))
        return super().sense(now)

    def due(self, now: float) -> float:
        """Give when `sense` next has something to do, for the emulation too."""
        if self._port is not None and self._port.waiting:
            # What comes ends a real host's wait.
            return now
        return super().due(now)

    def latched(self) -> Frame:
        """Give what the pixels show as soon as all that was sent has come there."""
        if not self._closed:
            self._pass_time(SHOWN_S)
            self.pico.settle()
        return self.machine.latched()

    def plug(self, chip: str) -> None:
        """Plug in a chip that was missing."""
        wires, address = self._unplugged[chip]
        wires.attach(address, self.body.chips[chip])

    def drop(self) -> None:
        """Let go of Pico and port as they are, as when the host's plug is pulled."""
        self._closed = True
        self._client.close()
        self.pico.close()

    def close(self) -> None:
        """Put the lights out, and end the Pico."""
        if not self._closed:
            super().close()
            self.pico.settle()
            self.pico.close()

    def _open_port(self, url: str, on_input: Callable[[], None]) -> LockstepPort:
        self._port = LockstepPort(open_port(url, on_input), self.pico, self._pass_time)
        return self._port
