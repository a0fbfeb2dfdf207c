"""The parts on an emulated Pico: buses with chips, keys, the interrupt line, a strip, its LED.

Owns how a profile's parts are wired to pins, and which chips answer on which pins. Must not know
processes, nor the firmware's requests.
"""

import errno

from hal.base.errors import BackendError
from hal.lights.colour import Colour
from hal.lights.frame import Frame
from hal.profile import Chip, Pin, Profile
from hal.profile.pin_map import BusPins
from hal.sim.body import Body
from hal.sim.bus import EmulatedI2CBus
from hal.sim.cable import I2cCable
from tests.helpers.pico.strip import EmulatedPioStrip

LED = 25
_ADDRESSES = range(0x08, 0x78)


class PicoBus(EmulatedI2CBus):
    """A pair of I2C wires, and the controller of a Pico on them."""

    def retime(self, frequency_hz: int, timeout_s: float) -> None:
        """Set the clock, and the time-out for a held bus."""
        self._bit_s = 1 / frequency_hz
        self.timeout_s = timeout_s

    def transfer(self, address: int, data: bytes | None, count: int | None) -> bytes:
        """Write `data` and read `count` bytes, each unless it is None; raise OSError."""
        return self._transfer(address, data, count)


class EmulatedParts:
    """The parts around a body: its chips on buses, its keys and interrupt line on pins, and a
    strip.

    `led` tells whether the Pico's own light is on.
    """

    def __init__(self, profile: Profile, body: Body) -> None:
        if profile.pico is None:
            raise BackendError("the board has no Pico: allowed is a profile with [pico]")
        self._low = 0
        self.led = False
        self.strip = EmulatedPioStrip(profile.strip.pin, profile.strip.pixels, profile.strip.order)
        self._pins = profile.pico.buses
        self._buses = {number: PicoBus() for number in profile.pico.buses}
        self._opened: dict[int, BusPins] = {}
        self._line = profile.interrupt_pin
        self._keys = {n: key.number for n, key in profile.keys.items() if isinstance(key, Pin)}
        for chip in profile.chips:
            self.cable(chip).attach(chip.address, body.chips[chip.name])
        body.on_line = lambda low: self._hold(self._line, low)
        body.on_key = lambda key, down: self._hold(self._keys[key], down)
        self._hold(self._line, any(chip.interrupt for chip in body.chips.values()))

    @property
    def low(self) -> int:
        """The pins that something holds low, a bit each."""
        low = self._low
        for number, bus in self._buses.items():
            if bus.held:
                low |= 1 << self._pins[number].sda
        return low

    @property
    def busy_s(self) -> float:
        """The seconds that the buses would have been busy, added up."""
        return sum(bus.busy_s for bus in self._buses.values())

    @property
    def emulated_s(self) -> float:
        """The seconds that emulating buses and strip took."""
        return sum(bus.emulated_s for bus in self._buses.values()) + self.strip.emulated_s

    def bus(self, number: int) -> PicoBus:
        """Return an emulated bus; raise BackendError for an unknown number."""
        if number not in self._buses:
            have = ", ".join(map(str, sorted(self._buses)))
            raise BackendError(f"I2C bus {number} is not there: allowed are {have}")
        return self._buses[number]

    def buses(self) -> tuple[int, ...]:
        """List the numbers of the emulated buses."""
        return tuple(sorted(self._buses))

    def cable(self, chip: Chip) -> I2cCable:
        """Return the wires of a chip."""
        return self.bus(chip.bus)

    def latched(self) -> Frame:
        """Return what the pixels show."""
        return tuple(Colour(*levels) for levels in self.strip.latched)

    def unplug_strip(self) -> None:
        """Disconnect the pixels; the Pico cannot notice."""
        self.strip.unplug()

    def plug_strip(self) -> None:
        """Reconnect the pixels, dark."""
        self.strip.plug()

    def reset(self) -> None:
        """Release everything, as a Pico that restarts."""
        self._opened.clear()
        self.led = False
        self.strip.reset()

    def open_bus(self, number: int, pins: BusPins, frequency_hz: int, timeout_us: int) -> None:
        """Put a controller on pins; only on the right ones it reaches the chips."""
        self._opened[number] = pins
        if number in self._buses:
            self._buses[number].retime(frequency_hz, timeout_us / 1e6)

    def transfer(
        self, number: int, address: int, data: bytes | None, count: int | None
    ) -> tuple[bytes, int]:
        """Write `data` and read `count` bytes, each unless it is None; return answer and errno.

        The errors are those of MicroPython on a Pico: 5 for no acknowledge, 110 for a held bus.
        """
        bus = self._bus_on_pins(number)
        if bus is None:
            return b"", errno.EIO
        try:
            return bus.transfer(address, data, count), 0
        except OSError as error:
            return b"", errno.ETIMEDOUT if error.errno == errno.ETIMEDOUT else errno.EIO

    def scan(self, number: int) -> bytes:
        """Return the addresses that acknowledge."""
        found = (each for each in _ADDRESSES if self.transfer(number, each, None, 1)[1] == 0)
        return bytes(found)

    def drive(self, pin: int, level: int) -> None:
        """Take the level to which the Pico drives a pin."""
        if pin == LED:
            self.led = bool(level)

    def _bus_on_pins(self, number: int) -> PicoBus | None:
        if number in self._pins and self._opened.get(number) == self._pins[number]:
            return self._buses[number]
        return None

    def _hold(self, pin: int, low: bool) -> None:
        bit = 1 << pin
        self._low = self._low | bit if low else self._low & ~bit
