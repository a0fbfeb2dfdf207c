"""The parts on an emulated Pico: buses with chips, keys, the interrupt line, a strip, its LED."""

from math import inf

from hal.base.errors import BackendError
from hal.profile import Chip, Pin, Profile
from hal.profile.profile import BusPins
from hal.sim.body import Body
from hal.sim.platform import EmulatedI2CBus, EmulatedPlatform, I2cChip


class PicoBus(EmulatedI2CBus):
    """A pair of I2C wires on `pins`, and the controller of a Pico on them.

    `clock_held` tells whether something holds SCL low.
    """

    def __init__(self, pins: BusPins) -> None:
        super().__init__()
        self.pins = pins
        self.clock_held = False
        self._clocks = inf
        self._chip: I2cChip | None = None

    @property
    def low(self) -> int:
        """The wires that something holds low, a bit for each pin."""
        return self.stuck << self.pins.sda | self.clock_held << self.pins.scl

    def cut_off(self, clocks: int) -> None:
        """Hold SDA for some clocks, as a chip does that was cut off in an answer."""
        self.stuck = True
        self._clocks = clocks

    def clocked(self) -> None:
        """Take a clock while SDA is held."""
        self._clocks -= 1
        if self._clocks <= 0:
            self.stuck = False
            self._clocks = inf

    def begin(self, address: int) -> bool:
        """Address a chip; tell whether it acknowledges."""
        self._chip = self.find(address)
        return self._chip is not None

    def write(self, data: bytes) -> None:
        """Write to the chip that was addressed."""
        if self._chip is not None:
            self._chip.write(data)

    def read(self, count: int) -> bytes:
        """Read so many bytes of the chip that was addressed."""
        return b"\xff" * count if self._chip is None else self._chip.read(count)


class EmulatedParts(EmulatedPlatform):
    """The emulated parts of a board, on the pins of a Pico.

    `led` tells whether the Pico's own light is on, `frames` counts what the pixels took.
    """

    def __init__(self, profile: Profile, body: Body) -> None:
        if profile.pico is None:
            raise BackendError(f"board {profile.name} has no Pico: allowed is one with [pico]")
        self.led = False
        self.frames = 0
        self.strip_pin = profile.strip.pin
        self._bus_pins = profile.pico.buses
        self._low = 0
        self._strip_plugged = True
        super().__init__(profile, body)
        for number in self._bus_pins:
            self._wires(number)
        line = profile.interrupt_pin
        keys = {name: key.number for name, key in profile.keys.items() if isinstance(key, Pin)}
        body.on_line = lambda low: self._hold(line, low)
        body.on_key = lambda key, down: self._hold(keys[key], down)
        self._hold(line, any(chip.interrupt for chip in body.chips.values()))

    @property
    def low(self) -> int:
        """The pins that something holds low, a bit each."""
        low = self._low
        for number in self._bus_pins:
            low |= self.bus(number).low
        return low

    def bus(self, number: int) -> PicoBus:
        bus = super().bus(number)
        assert isinstance(bus, PicoBus)
        return bus

    def cable(self, chip: Chip) -> EmulatedI2CBus:
        return self._wires(chip.bus)

    def show(self, levels: bytes) -> None:
        """Let a frame come down the strip's line."""
        if self._strip_plugged:
            self.strip.receive(levels)
            self.frames += 1

    def unplug_strip(self) -> None:
        """Disconnect the pixels, which are dark then; the Pico cannot notice."""
        self.strip.receive(bytes(len(self.strip.levels)))
        self._strip_plugged = False

    def plug_strip(self) -> None:
        self._strip_plugged = True

    def _wires(self, number: int) -> EmulatedI2CBus:
        return self._buses.setdefault(number, PicoBus(self._bus_pins[number]))

    def _hold(self, pin: int, low: bool) -> None:
        bit = 1 << pin
        self._low = self._low | bit if low else self._low & ~bit
