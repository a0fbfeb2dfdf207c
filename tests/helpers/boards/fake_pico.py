"""A Pico at a fake port, whose files are a folder, and a fake mpremote that changes them.

tests/rp2040 uses the real one, on real MicroPython.
"""

import shutil
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from firmware.framing import Frame, Receiver, encode
from firmware.messages import HELLO, IDENT, PROTOCOL, STOP, VERSION, Ident, pack_ident, unpack_hello
from game.maker.flash import FlashTools
from hal.backends.coprocessor.flash import BYTECODE, COMPILED, FIRMWARE, PicoFiles, PicoPort
from hal.backends.coprocessor.port import FoundPort
from hal.base.errors import LinkFault

DEVICE = "/dev/ttyACM7"
SERIAL = "E6614103E73F2A2C"
SYSTEM = ("micropython", (1, 25, 0), "rp2", "Raspberry Pi Pico with RP2040", BYTECODE)
PROGRAM = "print('blink')\n"
OLDER = {"main.py": b"from firmware.run import run\nmain()\n", "firmware/gone.py": b"x = 1\n"}
"""A firmware of version 0.0.7 and protocol 1."""


def firmware_files() -> dict[str, bytes]:
    """Return the files of this firmware by their paths on a Pico."""
    modules = {f"firmware/{path.name}": path.read_bytes() for path in COMPILED.glob("*.mpy")}
    return {**modules, "main.py": (FIRMWARE / "main.py").read_bytes()}


class PowerCut(OSError):
    """The power was cut."""


class FakePico:
    """Hold a Pico: its files, what it runs, and the time, which passes only during waits.

    `runs` is "firmware", "program", "prompt", or "nothing" for no answer. Starting incomplete
    firmware fails the test.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.system = SYSTEM
        self.deaf = False
        self.mute_after_start = False
        self.fails_with = ""
        self.now = 0.0
        self.reset_takes_s = 0.0
        self._restart_s, self._back_s = inf, 0.0
        self.cut_at: int | None = None
        self.changes = 0
        self.starts = 0
        self.knocks = 0
        self.runs = "prompt"
        self._receiver = Receiver()
        self._out = b""

    def put(self, files: dict[str, bytes]) -> None:
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)

    def files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }

    def start(self, *, stopped: bool = False) -> None:
        """Start as after power-up."""
        self.starts += 1
        self._out = b""
        main = self.files().get("main.py", b"")
        if stopped or not main:
            self.runs = "prompt"
        elif b"from firmware." not in main:
            self.runs = "program"
        else:
            assert self.whole(), "part of a firmware was started"
            self.runs = "nothing" if self.mute_after_start else "firmware"
            if self.fails_with:
                self.put({"failure.txt": f"Traceback\n{self.fails_with}\n".encode()})
                self.runs = "prompt"

    def restart_in(self, delay_s: float, away_s: float) -> None:
        """Restart after a while, and then be absent from USB for another while."""
        self._restart_s = self.now + delay_s
        self._back_s = self._restart_s + away_s

    @property
    def away(self) -> bool:
        """Return whether it is absent from USB now."""
        return self._restart_s == inf and self.now < self._back_s

    def whole(self) -> bool:
        return self.files() in (firmware_files(), OLDER)

    @property
    def version(self) -> tuple[int, int, int] | None:
        """The version of the firmware that runs, if any does."""
        if self.runs != "firmware":
            return None
        return (0, 0, 7) if self.files() == OLDER else VERSION

    # What the tools call.

    def tools(self) -> FlashTools:
        return FlashTools(
            find=lambda: (FoundPort(DEVICE, SERIAL),),
            port=lambda url: PicoPort(url, self.clock, self.open, self.pass_time),
            files=lambda device: PicoFiles(device, self.mpremote),
        )

    def clock(self) -> float:
        return self.now

    def pass_time(self, time_s: float) -> None:
        self.now += time_s
        if self.now >= self._restart_s:
            self._restart_s = inf
            self.start()

    def open(self, url: str) -> SimpleNamespace:
        """Open the port, which is gone for good once the Pico has started again."""
        if url != DEVICE or self.away:
            raise LinkFault(f"serial port {url} cannot be opened: it is not there")
        starts = self.starts

        def there(do: Callable[..., Any]) -> Callable[..., Any]:
            def checked(*arguments: bytes) -> Any:
                if starts != self.starts:
                    raise LinkFault(f"{DEVICE} is gone")
                return do(*arguments)

            return checked

        return SimpleNamespace(
            read=there(self.give),
            write=there(self.take),
            wait=lambda timeout_s: self.pass_time(max(timeout_s, 0.001)),
            close=lambda: None,
        )

    def take(self, data: bytes) -> None:
        """Take what was written to the port."""
        if self.runs == "firmware":
            for frame in self._receiver.take(data):
                self._follow(frame)
        elif b"\x03" in data and self.runs != "nothing":
            self.knocks += data.startswith(b"\r\x03")
            if not (self.deaf and self.runs == "program"):
                self.runs = "prompt"
                self._out += b"\r\n>>> "

    def give(self) -> bytes:
        out, self._out = self._out, b""
        return out

    def _follow(self, frame: Frame) -> None:
        if frame.kind == STOP:
            self.start(stopped=True)
        elif frame.kind == HELLO:
            nonce = unpack_hello(frame.payload).nonce
            assert self.version is not None
            protocol = PROTOCOL if self.version == VERSION else 1
            ident = Ident(nonce, protocol, self.version, b"\1" * 8, False, "x")
            self._out += encode(Frame(IDENT, 0, 0, 0, pack_ident(ident)))

    # mpremote

    def mpremote(self, device: str, commands: Sequence[Sequence[str]]) -> str:
        said = ""
        if device != DEVICE or self.runs != "prompt":
            raise LinkFault(f"mpremote cannot go on at {device}: could not enter raw repl")
        try:
            for command in commands:
                said += self._do(*command)
        except PowerCut as error:
            self.start()
            raise LinkFault(f"mpremote cannot go on at {device}: {error}") from error
        return said

    def _do(self, verb: str, *rest: str) -> str:
        match verb, *rest:
            case ("exec", script) if "rename" in script:
                (self.folder / "firmware/main.py").rename(self.folder / "main.py")
                self.change()
            case ("exec", _):
                names = [path.name for path in self.folder.iterdir()]
                files = (self.files().get(each, b"") for each in ("main.py", "failure.txt"))
                return f"lifeboard sees {(*self.system, names, *files)!r}\r\n"
            case ("reset",) if self.reset_takes_s:
                # The Pico is still there for a moment.
                self.restart_in(0.1, self.reset_takes_s)
            case ("reset",):
                self.start()
            case ("fs", "rm", "-r", name):
                path = self._at(name)
                for each in [*path.rglob("*"), path]:
                    if each.is_file():
                        each.unlink()
                        self.change()
                shutil.rmtree(path, ignore_errors=True)
            case ("fs", "mkdir", name):
                self._at(name).mkdir()
            case ("fs", "cp", *here, there):
                for each in here:
                    content = Path(each).read_bytes()
                    target = self._at(there) / Path(each).name
                    # A power cut leaves half a file.
                    for part in (content[: len(content) // 2], content):
                        target.write_bytes(part)
                        self.change()
        return ""

    def _at(self, name: str) -> Path:
        assert name.startswith(":/")
        return self.folder / name[2:]

    def change(self) -> None:
        self.changes += 1
        if self.changes == self.cut_at:
            raise PowerCut
