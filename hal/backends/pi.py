"""The Raspberry Pi as a platform: I2C buses, pixels, and GPIO pins through gpiozero."""

import threading
import time
from collections.abc import Callable, Collection
from contextlib import chdir
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

from gpiozero import DigitalInputDevice

from hal.backends.backend import Capabilities, Clock, IsLow, Platform, UnlearnedBoard
from hal.backends.i2c import I2cBackend
from hal.base.errors import BackendError, PinInUse
from hal.drivers.i2c import TouchChip, bus_numbers, open_bus
from hal.drivers.i2c_search import BusSearch, find_chips
from hal.lights import Pixels
from hal.profile import HEADER_BUS, SPI_DRIVER, BoardMemory, Chip, Profile, Strip

_OVERLAYS = {"onewire": "w1-gpio", "dht11": "dht11", "shutdown": "gpio-shutdown"}
"""Overlays that take a single pin, by the kernel's name for its consumer."""


class RaspberryPi:
    """Open a profile's chips, pins and pixels; a subclass may put others under the same drivers."""

    def __init__(self) -> None:
        self._open_buses: dict[int, Any] = {}
        self._pins: Any = None
        self._inputs: list[DigitalInputDevice] = []

    def bus(self, number: int) -> Any:
        """Return a bus for `adafruit_bus_device`, always the same one; raises BackendError."""
        if number not in self._open_buses:
            self._open_buses[number] = open_bus(number)
        return self._open_buses[number]

    def buses(self) -> tuple[int, ...]:
        return bus_numbers()

    def pins(self) -> Any:
        """Return the gpiozero pin factory, the same each time; raise BackendError for none."""
        if self._pins is None:
            self._pins = _open_pins()
        return self._pins

    def pixels(self, strip: Strip) -> Pixels:
        if strip.driver == SPI_DRIVER:
            from hal.drivers.spi import open_spi

            return open_spi(strip)
        from hal.drivers.ws281x import open_ws281x

        return open_ws281x(strip)

    def search(self, buses: Collection[int] | None = None) -> BusSearch:
        """Search these buses, if they exist; a Pi has others for displays and cameras."""
        there = self.buses()
        return find_chips([n for n in there if buses is None or n in buses], self.bus)

    def chip(self, chip: Chip) -> TouchChip:
        return TouchChip(chip, self.bus)

    def key(self, pin: int, on_change: Callable[[], None]) -> IsLow:
        device = self._input(pin)
        device.when_activated = device.when_deactivated = on_change
        return lambda: bool(device.is_active)

    def line(self, pin: int, on_low: Callable[[], None]) -> IsLow:
        device, fell = self._input(pin), threading.Event()

        def fall() -> None:
            fell.set()
            on_low()

        def is_low() -> bool:
            if fell.is_set():
                # This order never loses a falling edge that another thread reports.
                fell.clear()
                return True
            return bool(device.is_active)

        device.when_activated = fall
        return is_low

    def close(self) -> None:
        for each in self._inputs:
            each.close()
        self._inputs.clear()

    def _input(self, pin: int) -> DigitalInputDevice:
        # gpiozero's Button is this device plus a thread that detects holds, which we do ourselves.
        self._inputs.append(DigitalInputDevice(pin, pull_up=True, pin_factory=self.pins()))
        return self._inputs[-1]


class PiBackend(I2cBackend):
    """Drive a real board on a Raspberry Pi. `platform` is for tests; `seed` has no meaning here."""

    capabilities = Capabilities(real=True, pico=False)

    def __init__(
        self,
        profile: Profile,
        *,
        clock: Clock = time.monotonic,
        seed: int = 0,
        memory: BoardMemory | None = None,
        platform: Platform | None = None,
    ) -> None:
        if not self.capabilities.suits(profile):
            raise BackendError(
                f"board {profile.name} is wired to a Pico, not to the pins of a Raspberry Pi:"
                " choose --backend coprocessor"
            )
        super().__init__(profile, platform or RaspberryPi(), clock=clock, memory=memory)

    @staticmethod
    def open_platform() -> Platform:
        """Open this Raspberry Pi, for uses that need no profile."""
        return RaspberryPi()

    @classmethod
    def unlearned(cls, template: Profile, seed: int | None = None) -> UnlearnedBoard:
        """Open a board that is wired to this Raspberry Pi in an unknown way."""
        platform = RaspberryPi()
        searched = {HEADER_BUS, *(chip.bus for chip in template.chips)}
        search = partial(platform.search, searched)
        return UnlearnedBoard(search, lambda profile: cls(profile, platform=platform))


def _open_pins() -> Any:
    try:
        # lgpio makes a pipe in the working folder, and needs the name only until the pipe is open.
        with TemporaryDirectory(prefix="lifeboard-") as folder, chdir(folder):
            import lgpio
        from gpiozero.exc import GPIOZeroError
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise BackendError(
            f"GPIO pins need the package lgpio ({error}): `sudo apt install python3-lgpio` installs"
            " it for the system's Python"
        ) from error

    class Pins(LGPIOFactory):  # type: ignore[misc]
        def pin(self, name: int) -> Any:
            try:
                return super().pin(name)
            except lgpio.error as error:
                user = lgpio.gpio_get_line_info(self._handle, name)[-1]
                overlay = _OVERLAYS.get(user.partition("@")[0])
                why = f"dtoverlay={overlay}" if overlay else user or error.value
                raise PinInUse(f"GPIO{name} ({why})") from error

    try:
        return Pins()
    except (lgpio.error, GPIOZeroError) as error:
        raise BackendError(
            f"GPIO pins cannot be used ({error}): allowed is a Raspberry Pi and a user in the"
            " group gpio"
        ) from error
