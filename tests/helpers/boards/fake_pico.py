"""A Pico at a fake port, whose files are a folder, and a fake mpremote that changes them.

What mpremote would send to MicroPython's prompt runs here too, in CPython; tests/rp2040 runs it
where it belongs.
"""

import builtins
import contextlib
import io
import os
import re
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from firmware.framing import Frame, Receiver, encode
from firmware.messages import HELLO, IDENT, PROTOCOL, STOP, VERSION, Ident, pack_ident, unpack_hello
from game.maker.flash import FlashTools
from hal.backends.coprocessor.flash import Remote, firmware_files
from hal.backends.coprocessor.pico_port import PicoPort
from hal.backends.coprocessor.port import FoundPort
from hal.base.errors import LinkFault

DEVICE = "/dev/ttyACM7"
SERIAL = "E6614103E73F2A2C"
SYSTEM = ("micropython", (1, 25, 0), "Raspberry Pi Pico with RP2040")
PROGRAM = "print('blink')\n"
CHANGES = ("mkdir", "rmdir", "remove", "rename")


def older_firmware() -> dict[str, bytes]:
    """Return a firmware of version 0.0.7 and protocol 1, with a file of its own, not compiled."""
    files = firmware_files()
    text = files["firmware/messages.py"].decode()
    older = re.sub(r"^VERSION = .*$", "VERSION = (0, 0, 7)", text, flags=re.M)
    older = re.sub(r"^PROTOCOL = .*$", "PROTOCOL = 1", older, flags=re.M)
    return {**files, "firmware/messages.py": older.encode(), "firmware/gone.py": b"x = 1\n"}


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
        self.system: tuple[str, tuple[int, int, int], str] = SYSTEM
        self.rp2 = True
        self.mpy = 0
        self.devices = [DEVICE]
        self.deaf = False
        self.mute_after_start = False
        self.fails_with = ""
        self.now = 0.0
        self.reset_takes_s = 0.0
        self._restart_s, self._back_s = inf, 0.0
        self.cut_at: int | None = None
        self.changes = 0
        self.starts = 0
        self.copied: list[str] = []
        self.knocks = 0
        self.runs = "prompt"
        self.spoil: Callable[[str, bytes], bytes] = lambda _, content: content
        self.moves_to = DEVICE
        self._receiver = Receiver()
        self._out = b""
        # What the prompt knows by name, until the next soft reset.
        self._names: dict[str, Any] = {}

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
        self.devices = [self.moves_to]
        main = self.folder / "main.py"
        if stopped or not main.exists() or (self.folder / "failure.txt").exists():
            self.runs = "prompt"
        elif b"from firmware." not in main.read_bytes():
            self.runs = "program"
        else:
            assert self.whole(), "part of a firmware was started"
            self.runs = "nothing" if self.mute_after_start else "firmware"
            if self.fails_with:
                self.put({"failure.txt": f"!!!\nTraceback\n{self.fails_with}\n".encode()})
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
        return self._firmware in (firmware_files(), firmware_files(self.mpy), older_firmware())

    @property
    def _firmware(self) -> dict[str, bytes]:
        files = self.files().items()
        return {n: each for n, each in files if n.startswith("firmware/") or n == "main.py"}

    @property
    def version(self) -> tuple[int, int, int] | None:
        """The version of the firmware that runs, if any does."""
        if self.runs != "firmware":
            return None
        return (0, 0, 7) if self._firmware == older_firmware() else VERSION

    # What the tools call.

    def tools(self, ask: Callable[[str], str] | None = None) -> FlashTools:
        return FlashTools(
            find=self.found,
            products=lambda: frozenset({5}),
            pico=lambda url: PicoPort(url, self.clock, self.open, self.found, self.pass_time),
            remote=lambda device: Remote(device, self.mpremote),
            ask=ask,
        )

    def found(self) -> tuple[FoundPort, ...]:
        there = [] if self.away else self.devices
        return tuple(FoundPort(device, SERIAL) for device in there)

    def clock(self) -> float:
        return self.now

    def pass_time(self, time_s: float) -> None:
        self.now += time_s
        if self.now >= self._restart_s:
            self._restart_s = inf
            self.start()

    def open(self, url: str) -> SimpleNamespace:
        """Open the port, which is gone for good once the Pico has started again."""
        if url not in self.devices or self.away:
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

    def mpremote(
        self, device: str, commands: Sequence[Sequence[str]], shown: Callable[[str], None]
    ) -> str:
        if device not in self.devices or self.runs != "prompt":
            raise LinkFault(f"mpremote cannot go on at {device}: could not enter raw repl")
        said: list[str] = []
        self._names = {}
        try:
            for command in commands:
                self._do(command, said, shown)
        except OSError as error:
            if isinstance(error, PowerCut):
                self.start()
            raise LinkFault(f"mpremote cannot go on at {device}: {error}") from error
        return "".join(said)

    def _do(self, command: Sequence[str], said: list[str], shown: Callable[[str], None]) -> None:
        verb, *rest = command
        if rest[:1] == ["--no-follow"]:
            script, reset = rest[1].split("time.sleep_ms(100)\n")
            assert reset == "machine.reset()\n"
            self._exec(script)
            if self.reset_takes_s:
                # The Pico is still there for a moment.
                self.restart_in(0.1, self.reset_takes_s)
            else:
                self.start()
        elif verb == "exec":
            said.append(self._exec(rest[0]))
        elif verb == "fs":
            _, here, there = rest
            shown(f"cp {here} {there}")
            assert there.startswith(":/")
            self.copied.append(there[2:])
            content = self.spoil(there[2:], Path(here).read_bytes())
            # A power cut leaves half a file.
            for part in (content[: len(content) // 2], content):
                (self.folder / there[2:]).write_bytes(part)
                self.change()
        else:
            assert verb == "resume"

    def change(self) -> None:
        self.changes += 1
        if self.changes == self.cut_at:
            raise PowerCut

    def _exec(self, script: str) -> str:
        """Run what was meant for the Pico, with our folder as the root of all files."""
        name, version, machine = self.system
        implementation = SimpleNamespace(
            name=name, version=(*version, ""), _machine=machine, _mpy=0x1200 | self.mpy
        )

        def changing(do: Callable[..., None]) -> Callable[..., None]:
            def change(*names: str) -> None:
                do(*names)
                self.change()

            return change

        fakes = {
            "os": SimpleNamespace(
                chdir=lambda path: None,
                stat=os.stat,
                listdir=lambda name: sorted(os.listdir(name)),
                **{each: changing(getattr(os, each)) for each in CHANGES},
            ),
            "sys": SimpleNamespace(implementation=implementation),
            "rp2": SimpleNamespace(),
            "machine": SimpleNamespace(),
            "micropython": SimpleNamespace(kbd_intr=lambda character: None),
        }

        def bring(module: str, *rest: Any) -> Any:
            if module == "rp2" and not self.rp2:
                raise ImportError
            return fakes.get(module) or __import__(module, *rest)

        self._names["__builtins__"] = {**vars(builtins), "__import__": bring}
        with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.chdir(self.folder):
            exec(script, self._names)
        return shown.getvalue()
