"""The Raspberry Pi: its I2C buses, its pixels and its GPIO pins behind the seam of `hal.machine`.

Owns the choice of libraries for each; they are imported only when a Pi is asked for. Must not know
what hangs on the wires.
"""

import os
import time
from pathlib import Path
from typing import Any

from hal.backend import Clock
from hal.drivers.i2c import bus_numbers, open_bus
from hal.drivers.pixel_link import SOCKET, open_link
from hal.errors import BackendError
from hal.header import HeaderMachine
from hal.machine import Machine
from hal.memory import BoardMemory
from hal.profile import Profile, Strip
from hal.strip import Pixels
from hal.wired import WiredBackend


class RaspberryPi(HeaderMachine):
    """Open what a profile names on the Pi that this runs on.

    `pixel_socket` is where the service of strips is asked that need root.
    """

    def __init__(self, pixel_socket: Path = SOCKET) -> None:
        self._pixel_socket = pixel_socket
        self._buses: dict[int, Any] = {}
        self._pins: Any = None

    def bus(self, number: int) -> Any:
        """Give an I2C bus; raise BackendError when there is none of that number."""
        if number not in self._buses:
            self._buses[number] = open_bus(number)
        return self._buses[number]

    def buses(self) -> tuple[int, ...]:
        """List the numbers of the buses that the kernel offers."""
        return bus_numbers()

    def pixels(self, strip: Strip) -> Pixels:
        """Open a strip on SPI, PWM or PCM; raise LightsFault when that cannot be done.

        Without root, PWM and PCM go through the service of the system that has it, if it is there.
        """
        if strip.driver == "spi":
            from hal.drivers.spi import open_spi

            return open_spi(strip)
        if os.geteuid() != 0 and self._pixel_socket.exists():
            return open_link(strip, self._pixel_socket)
        from hal.drivers.ws281x import open_ws281x

        return open_ws281x(strip)

    def pins(self) -> Any:
        """Give gpiozero's pin factory for the kernel's GPIO device, which every Pi has."""
        if self._pins is None:
            self._pins = _open_pins()
        return self._pins


class PiBackend(WiredBackend):
    """Carry a real board on a Raspberry Pi. `machine` is for tests; `seed` has no meaning here.

    Raises BackendError for a board that hangs on a Pico.
    """

    def __init__(
        self,
        profile: Profile,
        *,
        clock: Clock = time.monotonic,
        seed: int = 0,
        memory: BoardMemory | None = None,
        machine: Machine | None = None,
    ) -> None:
        if profile.pico is not None:
            raise BackendError(
                f"board {profile.name} hangs on a Pico, not on the pins of a Raspberry Pi: choose"
                " --backend coprocessor"
            )
        super().__init__(profile, machine or RaspberryPi(), clock=clock, memory=memory)


def _open_pins() -> Any:
    try:
        import lgpio
        from gpiozero.exc import GPIOZeroError
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise BackendError(
            f"GPIO pins need the package lgpio ({error}): pip install lgpio"
        ) from error
    try:
        return LGPIOFactory()
    except (lgpio.error, GPIOZeroError) as error:
        raise BackendError(
            f"GPIO pins cannot be used ({error}): allowed is a Raspberry Pi and a user in the"
            " group gpio"
        ) from error
