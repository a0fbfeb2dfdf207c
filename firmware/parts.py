"""The open parts of a wiring: buses, chips, lines, keys, strip."""

from firmware.hardware import Hardware, I2CBus, Input
from firmware.lights import Lights
from firmware.messages import NO_PIN, Wiring
from firmware.scanner import ETIMEDOUT, Chip, Scanner

ADDRESSES = range(0x5A, 0x5E)
"""The possible addresses of a chip on a bus."""
_PROBED = 0x5E


class Parts:
    """Opens all parts of a wiring; raises ValueError or OSError, with all closed, if one fails."""

    def __init__(self, hardware: Hardware, wiring: Wiring) -> None:
        self.keys: list[Input] = []
        self.lights: Lights | None = None
        self._buses: list[tuple[int, I2CBus]] = []
        self._line: Input | None = None
        try:
            for bus in wiring.buses:
                opened = hardware.open_bus(bus.number, bus.data, bus.clock, bus.clock_khz)
                self._buses.append((bus.number, opened))
            if wiring.interrupt != NO_PIN:
                self._line = hardware.open_input(wiring.interrupt)
            hardware.wake_by(self._line)
            for pin in wiring.keys:
                self.keys.append(hardware.open_input(pin))
            if wiring.levels:
                strip = hardware.open_strip(wiring.strip, wiring.levels)
                self.lights = Lights(strip, wiring.levels, wiring.glow)
        except Exception:
            self.close()
            raise
        buses = dict(self._buses)
        chips = [Chip(buses[bus], address) for bus, address in wiring.chips]
        self.scanner = Scanner(chips, self._line, wiring.poll_ms, wiring.low, wiring.high)

    def pressed(self) -> int:
        """Return the pressed keys, a bit each."""
        bits = 0
        bit = 1
        for key in self.keys:
            if key.low():
                bits |= bit
            bit <<= 1
        return bits

    def find(self) -> list[tuple[int, int]]:
        """Return the (bus, address) of each chip that answers."""
        found = []
        one = bytearray(1)
        for number, bus in self._buses:
            recovered = False
            for address in ADDRESSES:
                error = _probe(bus, address, one)
                if error == ETIMEDOUT and not recovered:
                    bus.recover()
                    recovered = True
                    error = _probe(bus, address, one)
                if error == ETIMEDOUT:
                    break
                if error == 0:
                    found.append((number, address))
        return found

    def close(self) -> None:
        """Release all pins."""
        for _, bus in self._buses:
            bus.close()
        for key in self.keys:
            key.close()
        if self._line is not None:
            self._line.close()
        if self.lights is not None:
            self.lights.close()


def _probe(bus: I2CBus, address: int, one: bytearray) -> int:
    """Probe a chip by reading a register that has no effect; return 0 or the error."""
    try:
        bus.read(address, _PROBED, one)
    except OSError as error:
        return error.args[0] if error.args else 5
    return 0
