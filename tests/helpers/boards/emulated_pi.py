"""The backend of a real Pi, above emulated buses, pins and pixels, with fingers to touch it."""

from pathlib import Path
from typing import Any

from hal.backends.pi import PiBackend
from hal.base.events import Sensed
from hal.drivers.i2c import open_bus
from hal.drivers.spi import open_spi
from hal.lights import Frame
from hal.sim.body import Body
from hal.sim.hands import VirtualHands
from hal.sim.platform import EmulatedPlatform
from tests.helpers.boards import kernel_i2c
from tests.helpers.boards.emulated_i2c_dev import EmulatedI2cDev
from tests.helpers.boards.emulated_spidev import EmulatedSpidev
from tests.helpers.boards.spi_line import SpiLine


class KernelPlatform(EmulatedPlatform):
    """A platform that reaches its parts through the emulated kernel and the published libraries."""

    def __init__(self, profile, body, root: Path, monkeypatch) -> None:
        super().__init__(profile, body)
        self.strip = SpiLine(profile.strip.pixels, profile.strip.order)
        buses = {number: super(KernelPlatform, self).bus(number) for number in self.buses()}
        kernel_i2c.install(monkeypatch, EmulatedI2cDev(buses))
        (root / "dev").mkdir()
        (root / "dev/spidev0.0").touch()
        monkeypatch.setattr("Adafruit_PureIO.spi.ioctl", EmulatedSpidev(self.strip).ioctl)
        self._root = root
        self._opened: dict[int, Any] = {}

    def bus(self, number: int) -> Any:
        if number not in self._opened:
            self._opened[number] = open_bus(number)
        return self._opened[number]

    def pixels(self, strip):
        return open_spi(strip, self._root)


class EmulatedPi(PiBackend):
    """`body` and `machine` are the hardware; `hands` stand for people."""

    def __init__(
        self,
        profile,
        *,
        clock,
        seed=0,
        memory=None,
        stones=(),
        missing=(),
        make=EmulatedPlatform,
        truth=None,
        coarse_s=0.0,
    ):
        # The true wiring of the board, which a profile that is not learned yet lacks.
        truth, self._coarse_s = truth or profile, coarse_s
        self.body = Body(truth, clock() - 0.1, seed=seed, stones=stones)
        self.platform = make(truth, self.body)
        self._unplugged = {
            chip.name: (self.platform.cable(chip), chip.address)
            for chip in truth.chips
            if chip.name in missing
        }
        for wires, address in self._unplugged.values():
            wires.detach(address)
        super().__init__(profile, clock=clock, memory=memory, platform=self.platform)
        self.body.advance(clock())
        spots = frozenset({*truth.cells, *truth.keys})
        self.hands = VirtualHands(spots, clock, self.wake)
        self.press, self.lift = self._open(self.hands.press), self._open(self.hands.lift)
        self.lift_all = self._open(self.hands.lift_all)

    @property
    def step_s(self) -> float | None:
        steps = [step for step in (self.body.step_s, self.hands.step_s) if step is not None]
        return max(min(steps), self._coarse_s) if steps else None

    def sense(self, now: float) -> Sensed:
        self.body.advance(now, self.hands.advance(now))
        return super().sense(now)

    def due(self, now: float) -> float:
        return min([super().due(now), *([now + self.step_s] if self.step_s else [])])

    def wait(self, timeout_s):
        times = [each for each in (timeout_s, self.step_s) if each is not None]
        super().wait(min(times, default=None))

    def place_stones(self, cells: frozenset[str], gone: frozenset[str] = frozenset()) -> None:
        for cell in cells if self.body.sets_stones else ():
            self.body.put(cell)
        for cell in gone if self.body.sets_stones else ():
            self.body.take(cell)

    def plug(self, chip: str) -> None:
        """Plug in a chip that was missing."""
        wires, address = self._unplugged[chip]
        wires.attach(address, self.body.chips[chip])

    def latched(self) -> Frame:
        """What the emulated pixels show, whatever the backend believes."""
        return self.platform.latched()

    def _open(self, act):
        def checked(*arguments):
            return act(*arguments)

        return checked
