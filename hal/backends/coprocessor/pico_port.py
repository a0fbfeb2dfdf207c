"""The way to MicroPython's prompt on a Pico, and back to its firmware."""

import os
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from hal.backends.backend import Clock
from hal.backends.coprocessor.client import Ident, ask_ident, stop_firmware
from hal.backends.coprocessor.port import FoundPort, Port, find_ports, open_port
from hal.base.errors import LinkFault

HELLO_S = 3.0
"""A firmware that was just started answers within a second, or two if it is not compiled."""
PROMPT_S = 3.0
START_S = 20.0
"""How long a Pico may take to restart: to reconnect over a slow USB hub and load its files."""
_KNOCK_S = 0.5
_POLL_S = 0.1

# Interrupts a program, leaves raw mode, and makes the prompt appear.
_KNOCK = b"\r\x03\x02"
_PROMPT = b">>> "

OpenUrl: TypeAlias = Callable[[str], Port]
FindPorts: TypeAlias = Callable[[], tuple[FoundPort, ...]]

_T = TypeVar("_T")


@dataclass(eq=False)
class PicoPort:
    """Identify the device at a port, and bring a Pico to MicroPython's prompt and back."""

    url: str
    clock: Clock = time.monotonic
    open: OpenUrl = open_port
    find: FindPorts = find_ports
    pause: Callable[[float], None] = time.sleep
    _was_there: bool = False

    def __post_init__(self) -> None:
        where = os.path.realpath(self.url)
        found = (each.serial_number for each in self.find() if each.device == where)
        self._number = next(found, "")

    @property
    def device(self) -> str:
        if not self._number:
            return self.url
        now = [each.device for each in self.find() if each.serial_number == self._number]
        return self.url if not now or os.path.realpath(self.url) in now else now[0]

    def ident(self, timeout_s: float = HELLO_S) -> Ident | None:
        """Ask the device for its identity; None for no answer. Raises LinkFault without a port."""
        with closing(self._opened()) as port:
            end_s = self.clock() + timeout_s
            try:
                return ask_ident(port, self.clock, timeout_s)
            except LinkFault:
                if self.clock() < end_s:
                    raise
                return None

    def awaited(self, ask: Callable[[], _T]) -> _T:
        """Call `ask` on a Pico that may be restarting, and return its answer.

        If the port has been open before, a Pico that cannot be reached is asked again for START_S.
        Raises LinkFault after that, or at once if the port has never been open.
        """
        end_s = self.clock() + START_S
        while True:
            try:
                return ask()
            except LinkFault:
                if not self._was_there or self.clock() >= end_s:
                    raise
            self.pause(_POLL_S)

    def stop(self) -> None:
        """End our firmware, of any version, and wait for the prompt; raises LinkFault."""
        with closing(self._opened()) as port:
            stop_firmware(port)
        if not self._poll(lambda: self.prompts(_KNOCK_S)):
            raise LinkFault(
                f"the firmware at {self.device} was told to end, but MicroPython's prompt has not"
                f" come within {START_S:.0f} s"
            )

    def started(self) -> Ident:
        """Wait until a firmware answers after a start; raises LinkFault if none does."""
        ident = self._poll(lambda: self.ident(1.0))
        if ident is None:
            raise LinkFault(
                f"no firmware has answered at {self.device} within {START_S:.0f} s of its start"
            )
        return ident

    def prompts(self, timeout_s: float = PROMPT_S) -> bool:
        """Interrupt the program; return whether the prompt appears. Raises LinkFault."""
        end_s, knock_s, said = self.clock() + timeout_s, self.clock(), b""
        with closing(self._opened()) as port:
            while (now := self.clock()) < end_s:
                if now >= knock_s:
                    port.write(_KNOCK)
                    knock_s = now + _KNOCK_S
                port.wait(min(knock_s, end_s) - now)
                said = (said + port.read())[-len(_KNOCK + _PROMPT) :]
                if said.endswith(_PROMPT):
                    return True
        return False

    def _opened(self) -> Port:
        port = self.open(self.device)
        self._was_there = True
        return port

    def _poll(self, ask: Callable[[], _T]) -> _T | None:
        """Call `ask` until its answer is true, even without a port; return None after START_S."""
        end_s = self.clock() + START_S
        while self.clock() < end_s:
            with suppress(LinkFault):
                if answer := ask():
                    return answer
            self.pause(_POLL_S)
        return None
