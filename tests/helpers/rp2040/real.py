"""An emulated Pico below which nothing is ours: MicroPython runs on it, from its flash.

Chips, fingers and pixels are those of `hal.sim`.
"""

from pathlib import Path
from typing import Any

from hal.backends.backend import Clock
from hal.profile import Profile
from hal.sim.body import Body
from tests.helpers.boards.pixel_receiver import PIXELS
from tests.helpers.pico.pico import IDENTITY, Cause, Pico
from tests.helpers.rp2040.node import HERE, Emulator

IMAGES = {
    version: HERE / "images" / f"micropython-{version}-RPI_PICO.bin"
    for version in ("1.24.0", "1.28.0")
}
OLDEST, NEWEST = IMAGES
STEP_S = 0.001
"""How late an interrupt of a chip may come, and a key."""
JITTER_NS = 0.1
Times = dict[str, tuple[float, float]]


class RealPico(Pico):
    """A Pico that is emulated by the instruction. `flash` is a file with what is in its flash.

    `times` are the shortest and longest highs and lows of the strip's line, in ns: "T0H" is the
    high of a 0. `shown` is when each frame began on the line, and what it was.
    """

    def __init__(
        self, profile: Profile, body: Body, clock: Clock, *, flash: Path, step_s: float = STEP_S
    ) -> None:
        super().__init__(profile, body, clock)
        self.times: Times = {}
        self.shown: list[tuple[float, bytes]] = []
        self._step_s = step_s
        self._began_s = self._now_s = clock()
        assert profile.pico is not None
        buses = {number: [pins.sda, pins.scl] for number, pins in profile.pico.buses.items()}
        self._emulator = Emulator(self._answer)
        self._emulator.tell(
            "make",
            board={"buses": buses, "strip": profile.strip.pin},
            rom=str(HERE / "images" / "bootrom-b1.bin"),
            flash=str(flash),
            unique=IDENTITY.hex(),
        )
        self._boot(Cause.POWER_ON)

    def hang(self) -> None:
        self.settle()
        self._tell("hang")

    def slow(self, by: float) -> None:
        """Let each instruction take that many times as long as it does."""
        self.settle()
        self._tell("slow", by=by)

    def save(self, path: Path) -> None:
        """Write what is in its flash to a file."""
        self._tell("save", path=str(path))

    def close(self) -> None:
        self.usb.vanish()
        self._emulator.end()

    def _boot(self, cause: Cause) -> None:
        self._tell("boot")

    def _power_off(self) -> None:
        self.platform.led = False
        self._tell("off")

    def _connect(self) -> None:
        self._tell("plug", on=self._cabled)

    def _live(self, now: float) -> None:
        while self._now_s < now - 1e-9:
            end_s = now
            if self._moves or self._body.step_s is not None:
                end_s = min(now, self._now_s + self._step_s)
            input_ = bytes(self.usb.to_pico)
            self.usb.to_pico.clear()
            self._tell(
                "run",
                to=round((end_s - self._began_s) * 1e9),
                low=self.platform.low,
                open=self.usb.opened,
                deaf=self.usb.deaf,
                input=input_.hex(),
            )
            self._now_s = end_s
            self._advance_body(end_s)

    def _tell(self, do: str, **more: Any) -> None:
        said = self._emulator.tell(do, **more)
        for why in said.get("boots", ()):
            self.boots.append(Cause(why))
            self.usb.vanish()
        if said["configured"] and self._cabled:
            self.usb.appear()
        else:
            self.usb.vanish()
        self.times = {name: tuple(times) for name, times in said["times"].items()}
        self.platform.led = said.get("led", self.platform.led)
        for began, _, levels in said.get("frames", ()):
            self.platform.show(bytes.fromhex(levels))
            self.shown.append((self._at(began), bytes.fromhex(levels)))
        for _, data in said.get("output", ()):
            if self.usb.plugged:
                self.usb.to_host += bytes.fromhex(data)

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Answer a question about a bus, at a time."""
        now = self._at(asked["at"])
        self._advance_body(now)
        bus = self.platform.bus(asked["bus"])
        said: dict[str, Any] = {}
        if asked["ask"] == "begin":
            said["acknowledged"] = bus.begin(asked["address"])
        elif asked["ask"] == "write":
            bus.write(bytes.fromhex(asked["data"]))
        elif asked["ask"] == "read":
            said["data"] = bus.read(asked["count"]).hex()
        else:
            bus.clocked()
        return {**said, "low": self.platform.low}

    def _at(self, ns: float) -> float:
        return self._began_s + ns / 1e9


def assert_bits_in_time(times: Times) -> None:
    """Check the highs and lows of a strip's line by the data sheets of all pixels."""
    for sheet in PIXELS:
        windows = {
            "T0H": sheet.zero_high_ns,
            "T0L": sheet.zero_low_ns,
            "T1H": sheet.one_high_ns,
            "T1L": sheet.one_low_ns,
        }
        for name, (least, most) in windows.items():
            shortest, longest = times[name]
            # A low may be longer than the sheet asks, if it is shorter than the latch.
            assert least <= shortest, (sheet.name, name)
            assert longest <= (most if name.endswith("H") else sheet.latch_ns), (sheet.name, name)
            # If the clock did not divide the system's, some bits would be longer than others.
            assert longest - shortest < JITTER_NS or name.endswith("L"), name
