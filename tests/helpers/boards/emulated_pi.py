"""The backend of a real Pi, above emulated buses, pins and pixels, with fingers to touch it."""

from pathlib import Path
from typing import Any

from hal.backends.pi import PiBackend
from hal.base.events import Sensed
from hal.drivers.i2c import open_bus
from hal.drivers.spi import open_spi
from hal.lights import Frame
from hal.sim.backend import EmulatedBoard
from hal.sim.body import Body, VirtualHands
from hal.sim.platform import EmulatedPlatform
from tests.helpers.boards.emulated_i2c_dev import EmulatedI2cDev
from tests.helpers.boards.spi_line import EmulatedSpidev, SpiLine


class KernelPlatform(EmulatedPlatform):
    """A platform that reaches its parts through the emulated kernel and the published libraries."""

    def __init__(self, profile, body, root: Path, monkeypatch) -> None:
        super().__init__(profile, body)
        self.strip = SpiLine(profile.strip.pixels, profile.strip.order)
        EmulatedI2cDev(self._buses).install(monkeypatch)
        (root / "dev").mkdir()
        (root / "dev/spidev0.0").touch()
        monkeypatch.setattr("Adafruit_PureIO.spi.ioctl", EmulatedSpidev(self.strip).ioctl)
        self._root = root

    def bus(self, number: int) -> Any:
        if number not in self._open_buses:
            self._open_buses[number] = open_bus(number)
        return self._open_buses[number]

    def pixels(self, strip):
        return open_spi(strip, self._root)


class EmulatedPi(EmulatedBoard, PiBackend):
    """`body` and `platform` are the hardware; `hands` stand for people."""

    def __init__(
        self,
        profile,
        *,
        clock,
        seed=0,
        memory=None,
        stones=(),
        make=EmulatedPlatform,
        truth=None,
        coarse_s=0.0,
    ):
        # The true wiring of the board, which a profile that is not learned yet lacks.
        truth, self._coarse_s = truth or profile, coarse_s
        self.body = Body(truth, clock() - 0.1, seed=seed, stones=stones)
        self.platform = make(truth, self.body)
        super().__init__(profile, clock=clock, memory=memory, platform=self.platform)
        self.body.advance(clock())
        self.hands = VirtualHands(frozenset({*truth.cells, *truth.keys}), clock, self.wake)

    @property
    def step_s(self) -> float | None:
        step_s = super().step_s
        return step_s and max(step_s, self._coarse_s)

    def sense(self, now: float) -> Sensed:
        self.body.advance(now, self.hands.advance(now))
        return super().sense(now)

    def latched(self) -> Frame:
        """What the emulated pixels show, whatever the backend believes."""
        return self.platform.latched()
