"""A bench for emulated Picos: programs of one's own run on them, and their ports are read."""

import serial

from hal.sim.body import Body
from tests.helpers.pico import EmulatedPico


class Bench:
    """Run programs on emulated Picos, and speak with them over their serial ports."""

    def __init__(self, profile, clock, folder) -> None:
        self.profile = profile
        self.clock = clock
        self.body = Body(profile, clock() - 0.1, seed=1)
        self.flash = folder
        self.picos: list[EmulatedPico] = []
        self.ports: list[serial.Serial] = []
        self._sent = 0

    @property
    def pico(self) -> EmulatedPico:
        return self.picos[-1]

    def start(self, program=None, **settings) -> EmulatedPico:
        """Start a Pico, whose main.py is the program, and open its port."""
        if program is not None:
            # The port is opened before anything is said.
            wait = "import time as _time\n_time.sleep_ms(1)\n"
            (self.flash / "main.py").write_text(wait + program, encoding="utf-8")
        self.picos.append(
            EmulatedPico(self.profile, self.body, self.clock, flash=self.flash, **settings)
        )
        self.open()
        return self.pico

    def open(self) -> None:
        self.ports.append(serial.Serial(self.pico.path, timeout=20))
        self._sent = self.pico.received
        self._read = self.pico.written

    def say(self, data: bytes) -> None:
        self._sent += self.ports[-1].write(data)
        self.pico.sent(self._sent)

    def hear(self, seconds=0.002) -> bytes:
        """Let time pass; give what the Pico has written."""
        self.clock.now += seconds
        self.pico.settle()
        data = self.ports[-1].read(self.pico.written - self._read)
        self._read += len(data)
        return data

    def ask(self, data: bytes, seconds=0.002) -> bytes:
        self.say(data)
        return self.hear(seconds)

    def close(self) -> None:
        for port in self.ports:
            port.close()
        for pico in self.picos:
            pico.close()
