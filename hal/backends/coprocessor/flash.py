"""Replaces the files of a Pico's firmware: after an interruption it runs a whole one or none."""

import ast
import hashlib
import logging
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

from hal.base.errors import LinkFault

SILENCE_S = 60.0  # how long mpremote may be silent: the largest file takes some seconds
MAIN = "main.py"
FOLDER = "firmware"
COMPILED = "compiled"
"""The folder of the firmware with its modules as `make firmware` has compiled them."""
_FRESH = "firmware.new"
_FRESH_MAIN = "main.new"
SIGNATURE = b"from firmware."
"""Every version of our main.py contains this, and no other program's main.py does."""
_FAILURES = ("failure.txt", "last_failure.txt")
"""Files in which our main.py keeps the last error of a firmware that failed to start."""
_NOTES = ("stop", _FAILURES[0])
"""Files that can make our main.py skip the firmware."""

_LOOKED = "lifeboard sees "
_CHANGED = "lifeboard is there"
_OWN = "mpremote: "

_log = logging.getLogger(__name__)

OnLine: TypeAlias = Callable[[str], None]
Run: TypeAlias = Callable[[str, Sequence[Sequence[str]], OnLine], str]
"""Runs mpremote commands on a port, passes each line of output on, and returns all output.

Raises LinkFault with mpremote's error message.
"""


@dataclass(frozen=True, slots=True)
class PicoSystem:
    """What runs on a Pico; `files` has the SHA-256 digests of the relevant files by their paths.

    `main` is the beginning of its main.py, None where there is none. `mpy` is the version of
    compiled modules that it takes, 0 for none. `failure` is the last error of a firmware that
    failed to start, "" if there is none.
    """

    name: str
    version: tuple[int, int, int]
    machine: str
    rp2: bool
    mpy: int
    files: Mapping[str, str]
    main: bytes | None
    failure: str

    @property
    def foreign(self) -> bool:
        """Return whether its main.py is another program's than lifeboard's."""
        return bool(self.main and self.main.strip()) and SIGNATURE not in (self.main or b"")

    def has(self, wanted: Mapping[str, bytes]) -> bool:
        """Return whether exactly these files are there, with this content."""
        return self.files == {name: _digest(content) for name, content in wanted.items()}


def firmware_files(mpy: int = 0) -> dict[str, bytes]:
    """Return the files of this lifeboard's firmware, by their paths on the Pico.

    Modules are compiled if their version is `mpy`: a Pico starts with them in a third of the time.
    Their second byte is their version (MicroPython documentation, ".mpy files").
    """
    here = files("firmware")
    main = here.joinpath(MAIN).read_bytes()
    compiled = [e for e in here.joinpath(COMPILED).iterdir() if e.name.endswith(".mpy")]
    if not all(each.read_bytes()[1] == mpy for each in compiled):
        sources = [each for each in here.iterdir() if each.name.endswith(".py")]
        compiled = [each for each in sources if each.name != MAIN]
    modules = sorted(compiled, key=lambda each: each.name)
    return {**{f"{FOLDER}/{each.name}": each.read_bytes() for each in modules}, MAIN: main}


def run_mpremote(device: str, commands: Sequence[Sequence[str]], on_line: OnLine) -> str:
    """Run mpremote commands in a subprocess; see `Run`."""
    line = [sys.executable, "-u", "-P", "-m", "mpremote", "connect", device]
    for command in commands:
        line += ["+", *command]
    said = []
    with subprocess.Popen(
        line,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        watch = _watch(process)
        try:
            for each in process.stdout or ():
                watch.cancel()
                watch = _watch(process)
                _log.debug("mpremote: %s", each.rstrip())
                said.append(each)
                on_line(each.rstrip())
        except BaseException:
            process.kill()
            raise
        finally:
            watch.cancel()
    if process.returncode:
        silent = process.returncode == -signal.SIGKILL
        # A traceback may follow its own message when the port is gone too.
        lines = [each.strip() for each in said if each.strip()]
        own = [each[len(_OWN) :] for each in lines if each.startswith(_OWN)]
        word = (own or lines or ["it said nothing"])[-1]
        why = f"no word for {SILENCE_S:.0f} s" if silent else word
        raise LinkFault(f"mpremote cannot go on at {device}: {why}")
    return "".join(said)


def _watch(process: "subprocess.Popen[str]") -> threading.Timer:
    """Kill a process that is silent for too long."""
    timer = threading.Timer(SILENCE_S, process.kill)
    timer.daemon = True
    timer.start()
    return timer


@dataclass(frozen=True)
class Remote:
    """Read and change the files of a Pico that is at MicroPython's prompt."""

    _device: str
    _run: Run = run_mpremote

    def look(self) -> PicoSystem:
        """Return the present system and files; raises LinkFault."""
        said = self._run(self._device, [("exec", _LOOK)], _nothing)
        _, _, found = said.rpartition(_LOOKED)
        try:
            name, version, machine, rp2, mpy, *rest = ast.literal_eval(found.strip())
            return PicoSystem(name, tuple(version), machine, rp2, mpy & 0xFF, *rest)
        except (ValueError, SyntaxError, TypeError) as error:
            raise LinkFault(f"what answers at {self._device} makes no sense: {said!r}") from error

    def copy(self, wanted: Mapping[str, bytes], on_file: OnLine) -> None:
        """Replace all files of the firmware, and restart the Pico; raises LinkFault.

        `on_file` gets each name before it is copied. What was copied is reused the next time.
        """
        digests = {_fresh(name): _digest(content) for name, content in wanted.items()}
        with tempfile.TemporaryDirectory(prefix="lifeboard-") as folder:
            names = {str(Path(folder, name.replace("/", "-"))): name for name in wanted}
            for path, name in names.items():
                Path(path).write_bytes(wanted[name])

            def listen(line: str) -> None:
                verb, _, rest = line.partition(" ")
                name = names.get(rest.partition(" :")[0])
                if verb == "cp" and name is not None:
                    on_file(name)

            commands: list[Sequence[str]] = [
                ("resume",),
                ("exec", _script(_PREPARE, sorted(digests))),
                *(("fs", "cp", path, f":/{_fresh(name)}") for path, name in names.items()),
                ("exec", f"given = {digests!r}\n{_CHANGE}"),
            ]
            said = self._run(self._device, commands, listen)
        if _CHANGED not in said:
            raise LinkFault(f"the files at {self._device} were not exchanged: {said!r}")

    def restart(self) -> None:
        """Restart the Pico with its present program."""
        # The port may vanish before mpremote has closed it: that is expected.
        with suppress(LinkFault):
            script = _script(_RESET, _NOTES)
            self._run(self._device, [("resume",), ("exec", "--no-follow", script)], _nothing)


def _fresh(name: str) -> str:
    """Return the temporary path of a file until all files have arrived."""
    return _FRESH_MAIN if name == MAIN else f"{_FRESH}/{name.partition('/')[2]}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _nothing(_: str) -> None:
    pass


def _script(text: str, given: object) -> str:
    return f"given = {given!r}\n{_TOOLS}{text}"


# The scripts below run on the Pico (MicroPython 1.19 or later): mpremote sends them to its prompt.
_TOOLS = f"""
import os
os.chdir("/")
def is_folder(path):
    return os.stat(path)[0] & 0x4000 != 0
def there(path):
    try:
        os.stat(path)
    except OSError:
        return False
    return True
def remove(path):
    if not there(path):
        return
    if is_folder(path):
        for each in os.listdir(path):
            remove(path + "/" + each)
        os.rmdir(path)
    else:
        os.remove(path)
def digest(path):
    import binascii, hashlib
    sha = hashlib.sha256()
    with open(path, "rb") as file:
        while True:
            data = file.read(512)
            if not data:
                break
            sha.update(data)
    return binascii.hexlify(sha.digest()).decode()
fresh, folder, fresh_main, main = {_FRESH!r}, {FOLDER!r}, {_FRESH_MAIN!r}, {MAIN!r}
"""

_LOOK = _script(
    f"""
import sys
found, program, failure, rp2 = {{}}, None, "", True
def walk(path):
    if is_folder(path):
        for each in os.listdir(path):
            walk(path + "/" + each)
    else:
        found[path] = digest(path)
try:
    import rp2 as _
except ImportError:
    rp2 = False
system = sys.implementation
if system.name == "micropython" and rp2:
    for each in (folder, main):
        if there(each):
            walk(each)
    if there(main) and not is_folder(main):
        with open(main, "rb") as file:
            program = file.read(4000)
    for each in given:
        if there(each) and not failure:
            with open(each, "rb") as file:
                failure = file.read(4000).decode().strip().split("\\n")[-1]
print()
machine = getattr(system, "_machine", "a machine without a name")
mpy = getattr(system, "_mpy", 0)
version = tuple(system.version[:3])
print({_LOOKED!r} + repr((system.name, version, machine, rp2, mpy, found, program, failure)))
""",
    _FAILURES,
)

# Removes files of an earlier attempt that this one does not need.
_PREPARE = """
if not there(fresh):
    os.mkdir(fresh)
for each in os.listdir(fresh):
    if fresh + "/" + each not in given:
        remove(fresh + "/" + each)
"""

# Uses the functions that the preparing script has defined. Without a main.py, a Pico starts with
# the prompt. So main.py is removed first and comes back last, by a rename, which is atomic there.
_CHANGE = f"""
for each in sorted(given):
    if digest(each) != given[each]:
        raise OSError(each + " has not arrived as it was sent")
remove(main)
remove(folder)
os.rename(fresh, folder)
os.rename(fresh_main, main)
print({_CHANGED!r})
"""

# Like mpremote's own reset, but with Ctrl-C disabled: a HELLO that asks whether the firmware is
# back may contain that byte.
_RESET = """
import machine, micropython, time
micropython.kbd_intr(-1)
for each in given:
    remove(each)
time.sleep_ms(100)
machine.reset()
"""
