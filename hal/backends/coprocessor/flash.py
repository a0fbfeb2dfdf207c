"""Stops a Pico's firmware, replaces its files at MicroPython's prompt, and starts it again."""

import ast
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias, TypeVar

from hal.backends.backend import Clock
from hal.backends.coprocessor.client import Ident, ask_ident, stop_firmware
from hal.backends.coprocessor.port import Port, open_port
from hal.base.errors import LinkFault

HELLO_S = 3.0
"""A firmware that was just started answers within a second."""
PROMPT_S = 3.0
START_S = 20.0
"""How long a Pico may take to restart: to reconnect over a slow USB hub and load its files."""
MPREMOTE_S = 300.0  # how long one call of mpremote may take
FIRMWARE = Path(str(files("firmware")))
COMPILED = FIRMWARE / "compiled"
"""The folder with the modules as `make firmware` has compiled them."""
BYTECODE = 6
"""The version of compiled modules, their second byte (MicroPython documentation, ".mpy files")."""
SIGNATURE = b"from firmware."
"""Every version of our main.py contains this, and no other program's main.py does."""

_KNOCK_S = 0.5
_POLL_S = 0.1
# Interrupts a program, leaves raw mode, and makes the prompt appear.
_KNOCK = b"\r\x03\x02"
_PROMPT = b">>> "
# The files that any version of the firmware leaves on a Pico, main.py first.
_OURS = ("main.py", "firmware", "failure.txt", "firmware.new", "main.new", "last_failure.txt")
_SEES = "lifeboard sees "
_LOOK = f"""
import os, sys
def read(name):
    try:
        with open(name, "rb") as file:
            return file.read(4000)
    except OSError:
        return b""
system = sys.implementation
machine = getattr(system, "_machine", sys.platform)
bytecode = getattr(system, "_mpy", 0) & 255
runs = system.name, tuple(system.version[:3]), sys.platform, machine, bytecode
print()
print({_SEES!r} + repr(runs + (os.listdir("/"), read("/main.py"), read("/failure.txt"))))
"""

_T = TypeVar("_T")
Run: TypeAlias = Callable[[str, Sequence[Sequence[str]]], str]
"""Runs mpremote commands on a port and returns their output; raises LinkFault with its error."""


@dataclass(frozen=True, slots=True)
class PicoPort:
    """Identify the device at a port, and bring a Pico to MicroPython's prompt and back."""

    device: str
    clock: Clock = time.monotonic
    open: Callable[[str], Port] = open_port
    pause: Callable[[float], None] = time.sleep

    def ident(self, timeout_s: float = HELLO_S) -> Ident | None:
        """Ask the device for its identity; None for no answer. Raises LinkFault without a port."""
        with closing(self.open(self.device)) as port:
            end_s = self.clock() + timeout_s
            try:
                return ask_ident(port, self.clock, timeout_s)
            except LinkFault:
                if self.clock() < end_s:
                    raise
                return None

    def prompts(self, timeout_s: float = PROMPT_S) -> bool:
        """Interrupt the program; return whether the prompt appears. Raises LinkFault."""
        end_s, knock_s, said = self.clock() + timeout_s, self.clock(), b""
        with closing(self.open(self.device)) as port:
            while (now := self.clock()) < end_s:
                if now >= knock_s:
                    port.write(_KNOCK)
                    knock_s = now + _KNOCK_S
                port.wait(min(knock_s, end_s) - now)
                said = (said + port.read())[-len(_KNOCK + _PROMPT) :]
                if said.endswith(_PROMPT):
                    return True
        return False

    def stop(self) -> None:
        """End our firmware, of any version, and wait for the prompt; raises LinkFault."""
        with closing(self.open(self.device)) as port:
            stop_firmware(port)
        if not self._poll(lambda: self.prompts(_KNOCK_S)):
            raise LinkFault(
                f"the firmware at {self.device} was told to end, but MicroPython's prompt has not"
                f" come within {START_S:.0f} s"
            )

    def started(self) -> Ident | None:
        """Wait until a firmware answers after a start; None if none does."""
        return self._poll(lambda: self.ident(1.0))

    def _poll(self, ask: Callable[[], _T]) -> _T | None:
        """Call `ask` until its answer is true, even while it has no port; None after START_S."""
        end_s = self.clock() + START_S
        while self.clock() < end_s:
            with suppress(LinkFault):
                if answer := ask():
                    return answer
            self.pause(_POLL_S)
        return None


def run_mpremote(device: str, commands: Sequence[Sequence[str]]) -> str:
    """Run mpremote commands in a subprocess; see `Run`."""
    line = [sys.executable, "-P", "-m", "mpremote", "connect", device]
    for command in commands:
        line += ["+", *command]
    try:
        done = subprocess.run(
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=MPREMOTE_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise LinkFault(f"mpremote has not ended at {device} in {MPREMOTE_S:.0f} s") from error
    if done.returncode:
        *_, last = done.stdout.splitlines() or ["it said nothing"]
        raise LinkFault(f"mpremote cannot go on at {device}: {last}")
    return done.stdout


@dataclass(frozen=True, slots=True)
class PicoSystem:
    """What runs on a Pico. `bytecode` is the version of compiled modules that it takes.

    `names` are those in its root folder, `main` is the beginning of its main.py. `failure` is the
    last error of a firmware that has failed.
    """

    name: str
    version: tuple[int, int, int]
    platform: str
    machine: str
    bytecode: int
    names: list[str]
    main: bytes
    failure: bytes

    @property
    def foreign(self) -> bool:
        """Return whether its main.py belongs to a program other than lifeboard."""
        return bool(self.main.strip()) and SIGNATURE not in self.main


@dataclass(frozen=True, slots=True)
class PicoFiles:
    """Read and change the files of a Pico that is at MicroPython's prompt; raises LinkFault."""

    device: str
    run: Run = run_mpremote

    def look(self) -> PicoSystem:
        """Return the present system."""
        said = self.run(self.device, [("exec", _LOOK)])
        try:
            return PicoSystem(*ast.literal_eval(said.rpartition(_SEES)[2].strip()))
        except (ValueError, SyntaxError, TypeError) as error:
            raise LinkFault(f"what answers at {self.device} makes no sense: {said!r}") from error

    def copy(self, names: Sequence[str]) -> None:
        """Replace the firmware on a Pico whose root folder has these names.

        main.py goes first and comes back last, and without it a Pico starts with the prompt: so an
        interrupted copy leaves a whole firmware or none.
        """
        modules = map(str, sorted(COMPILED.glob("*.mpy")))
        commands: list[Sequence[str]] = [
            *(("fs", "rm", "-r", f":/{name}") for name in _OURS if name in names),
            ("fs", "mkdir", ":/firmware"),
            ("fs", "cp", *modules, str(FIRMWARE / "main.py"), ":/firmware/"),
            ("exec", "import os; os.rename('/firmware/main.py', '/main.py')"),
        ]
        self.run(self.device, commands)

    def restart(self) -> None:
        """Restart the Pico with its present program."""
        # The port may vanish before mpremote has closed it: that is expected.
        with suppress(LinkFault):
            self.run(self.device, [("reset",)])
