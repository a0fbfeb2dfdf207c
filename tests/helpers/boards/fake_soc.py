"""A Raspberry Pi below the C library of `rpi_ws281x`, which runs unmodified in the helper."""

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from hal.drivers.ws281x import open_ws281x
from hal.lights import Colour
from hal.profile import Strip
from hal.sim.platform import EmulatedPlatform, PixelChain
from tests.helpers.boards.pixel_receiver import PIXELS, WS2812B, PixelReceiver

# The highs are those of each sheet. The library's low after a "1" is that of the first only.
SHEETS = tuple(
    replace(sheet, zero_low_ns=WS2812B.zero_low_ns, one_low_ns=WS2812B.one_low_ns)
    for sheet in PIXELS
)
_PAUSE_S = 1e-3


@dataclass(frozen=True, slots=True)
class Soc:
    """What differs between the models, in the library and for it."""

    name: str
    revision: int
    base: str = "3f000000"
    crystal_hz: float = 19.2e6


PI_3 = Soc("Raspberry Pi 3 Model B Plus Rev 1.3", 0xA020D3)
ZERO_2 = Soc("Raspberry Pi Zero 2 W Rev 1.0", 0x902120)
PI_4 = Soc("Raspberry Pi 4 Model B Rev 1.4", 0xC03114, "fe000000", 54e6)
PI_5 = Soc("Raspberry Pi 5 Model B Rev 1.0", 0xC04170)


class FakePi:
    """The files and the chip of a Pi, for the helpers that are started from now on.

    `latched` is what the pixels show, `helpers` are the processes that have sent frames, `lines`
    the transfers: process, destination, divider, functions of pins, words.
    """

    def __init__(self, root: Path, monkeypatch, strip: Strip, soc: Soc = PI_3) -> None:
        self.root, self.soc, self.strip = root, soc, strip
        self.lines: list[list[str]] = []
        self.chain = PixelChain(strip.pixels, strip.order)
        library = root / "fake_soc.so"
        source = Path(__file__).with_name("fake_soc.c")
        subprocess.run(["gcc", "-shared", "-fPIC", "-w", "-o", library, source], check=True)
        self.write("proc/device-tree/model", soc.name + "\0")
        self.write("proc/cpuinfo", f"Revision\t: {soc.revision:x}\n")
        revision = self.write("proc/device-tree/system/linux,revision", "")
        revision.write_bytes(soc.revision.to_bytes(4, "big"))
        self.memory, self.mailbox = self.write("dev/mem", ""), self.write("dev/vcio", "")
        for name, value in {"PRELOAD": library, "PI": root, "BASE": soc.base}.items():
            monkeypatch.setenv(("LD_" if name == "PRELOAD" else "FAKE_") + name, str(value))

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def open(self, strip: Strip | None = None):
        return open_ws281x(strip or self.strip, self.root / "no.socket")

    @property
    def helpers(self) -> list[int]:
        self.read()
        return list(dict.fromkeys(int(line[0]) for line in self.lines))

    @property
    def latched(self) -> tuple[tuple[int, int, int], ...]:
        self.read()
        return self.chain.latched

    def read(self) -> None:
        """Take the transfers that are new; each must be a frame by every data sheet."""
        log = self.root / "dma"
        lines = log.read_text().splitlines()[len(self.lines) :] if log.exists() else []
        for line in map(str.split, lines):
            self.lines.append(line)
            frames = {self.decode(line, sheet) for sheet in SHEETS}
            assert len(frames) == 1, "data sheets differ about a frame"
            self.chain.receive(frames.pop())

    def decode(self, line: list[str], sheet) -> bytes:
        words = [line[5][at : at + 8] for at in range(0, len(line[5]), 8)]
        # The two channels of PWM take turns, and the strip is on the first.
        data = bytes.fromhex("".join(words[:: 2 if line[1] == "7e20c018" else 1]))
        receiver = PixelReceiver(sheet, self.soc.crystal_hz / int(line[2]))
        frames = [*receiver.receive(data), *receiver.rest(_PAUSE_S)]
        assert receiver.refused == 0, receiver.refusal
        assert len(frames) == 1
        return frames[0]


class FakePiPlatform(EmulatedPlatform):
    """The usual emulated parts, with the strip on a PWM or PCM pin."""

    def __init__(self, profile, body, root: Path, monkeypatch) -> None:
        super().__init__(profile, body)
        self.pi = FakePi(root, monkeypatch, profile.strip)

    def pixels(self, strip: Strip):
        return self.pi.open(strip)

    def latched(self):
        return tuple(Colour(*levels) for levels in self.pi.latched)
