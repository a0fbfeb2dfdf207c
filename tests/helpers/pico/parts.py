"""The parts on an emulated Pico: buses with chips, keys, the interrupt line, a strip, its LED."""

from math import inf

from hal.base.errors import BackendError
from hal.lights import Colour, Frame
from hal.profile import Chip, Pin, Profile
from hal.profile.profile import BusPins
from hal.sim.body import Body
from hal.sim.bus import EmulatedI2CBus, I2cCable, I2cChip
from hal.sim.platform import PixelChain


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
        return self.held << self.pins.sda | self.clock_held << self.pins.scl

    def cut_off(self, clocks: int) -> None:
        """Hold SDA for some clocks, as a chip does that was cut off in an answer."""
        self.hold()
        self._clocks = clocks

    def clocked(self) -> None:
        """Take a clock while SDA is held."""
        self._clocks -= 1
        if self._clocks <= 0:
            self.release()
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

    def transfer(self, address: int, data: bytes, count: int | None) -> bytes:
        """Write, and read so many bytes unless it is None, all at once; raise OSError."""
        return self._transfer(address, data, count)


class EmulatedParts:
    """The parts around a body: its chips on buses, its keys and interrupt line on pins, and a
    strip of pixels.

    `led` tells whether the Pico's own light is on, `frames` counts what the pixels took.
    """

    def __init__(self, profile: Profile, body: Body) -> None:
        if profile.pico is None:
            raise BackendError("the board has no Pico: allowed is a profile with [pico]")
        self.led = False
        self.frames = 0
        self.strip_pin = profile.strip.pin
        self._pixels = (profile.strip.pixels, profile.strip.order)
        self._chain: PixelChain | None = PixelChain(*self._pixels)
        self._buses = {number: PicoBus(pins) for number, pins in profile.pico.buses.items()}
        self._low = 0
        line = profile.interrupt_pin
        keys = {name: key.number for name, key in profile.keys.items() if isinstance(key, Pin)}
        for chip in profile.chips:
            self.cable(chip).attach(chip.address, body.chips[chip.name])
        body.on_line = lambda low: self._hold(line, low)
        body.on_key = lambda key, down: self._hold(keys[key], down)
        self._hold(line, any(chip.interrupt for chip in body.chips.values()))

    @property
    def low(self) -> int:
        """The pins that something holds low, a bit each."""
        low = self._low
        for bus in self._buses.values():
            low |= bus.low
        return low

    def bus(self, number: int) -> PicoBus:
        if number not in self._buses:
            have = ", ".join(map(str, sorted(self._buses)))
            raise BackendError(f"I2C bus {number} is not there: allowed are {have}")
        return self._buses[number]

    def buses(self) -> tuple[int, ...]:
        return tuple(sorted(self._buses))

    def cable(self, chip: Chip) -> I2cCable:
        return self.bus(chip.bus)

    def show(self, levels: bytes) -> None:
        """Let a frame come down the strip's line."""
        if self._chain is not None:
            self._chain.receive(levels)
            self.frames += 1

    def latched(self) -> Frame:
        chain = self._chain or PixelChain(*self._pixels)
        return tuple(Colour(*levels) for levels in chain.latched)

    def unplug_strip(self) -> None:
        """Disconnect the pixels, which are dark then; the Pico cannot notice."""
        self._chain = None

    def plug_strip(self) -> None:
        self._chain = self._chain or PixelChain(*self._pixels)

    def _hold(self, pin: int, low: bool) -> None:
        bit = 1 << pin
        self._low = self._low | bit if low else self._low & ~bit
