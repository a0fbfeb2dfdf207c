"""MicroPython's prompt on an emulated Pico: programs of a test's own run there."""

from collections.abc import Callable

from hal.backends.backend import Clock
from hal.backends.coprocessor.pico_port import PicoPort
from tests.helpers.pico.backend import LockstepPort
from tests.helpers.pico.pico import Pico

PROGRAM_S = 60.0
_RAW = b"\r\x03\x01"
_READY = b"raw REPL; CTRL-B to exit\r\n>"


class Prompt:
    """Bring a Pico to its prompt, away from our firmware, and let it run programs."""

    def __init__(self, pico: Pico, clock: Clock, pass_time: Callable[[float], None]) -> None:
        self._pico = pico
        self._clock = clock
        self._pass_time = pass_time
        while not pico.plugged:
            pass_time(0.01)
            pico.settle()
        if PicoPort("", clock, lambda _: self._open(), tuple, pass_time).ident():
            PicoPort("", clock, lambda _: self._open(), tuple, pass_time).stop()
        self._port = self._open()
        self._port.write(_RAW)
        self._until(_READY)

    def run(self, program: str, *, follow: bool = True) -> str:
        """Run a program; return what it has printed, with the error that ended it, if any."""
        self._port.write(program.encode() + b"\x04")
        self._until(b"OK")
        if not follow:
            self._port.close()
            return ""
        said = self._until(b"\x04") + self._until(b"\x04>")
        return said.replace(b"\x04", b"").removesuffix(b">").replace(b"\r\n", b"\n").decode()

    def _open(self) -> LockstepPort:
        return LockstepPort(self._pico, self._pass_time)

    def _until(self, mark: bytes) -> bytes:
        end_s, said = self._clock() + PROGRAM_S, b""
        while mark not in said:
            assert self._clock() < end_s, f"{said!r} is all that came"
            self._port.wait(0.01)
            said += self._port.read()
        said, _, rest = said.partition(mark)
        # Put back what came after the mark, to be read again.
        self._pico.usb.to_host[:0] = rest
        return said + mark
