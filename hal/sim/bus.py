"""An I2C bus with emulated chips on it, as `adafruit_bus_device` uses one.

Owns addressing and the time that the bytes would take on the wires. Must not know what a chip does
with its bytes.
"""

import threading
import time
from typing import Protocol

_NO_ACKNOWLEDGE = 121  # EREMOTEIO: what Linux reports for an address that does not answer
_BITS_A_BYTE = 9  # eight and the acknowledgement
_EDGE_BITS = 1  # a start, a repeated start or a stop takes about one clock


class I2cChip(Protocol):
    """Take and give the bytes of one I2C address."""

    def write(self, data: bytes) -> None:
        """Take what the host writes between start and stop."""
        ...

    def read(self, count: int) -> bytes:
        """Give as many bytes as the host reads."""
        ...


class EmulatedI2CBus:
    """Carry bytes to emulated chips.

    `busy_s` is the time that all transfers would have taken on real wires, `emulated_s` the time
    that the emulated chips took to answer here.
    """

    def __init__(self, frequency_hz: int = 400_000) -> None:
        self.busy_s = 0.0
        self.emulated_s = 0.0
        self._bit_s = 1 / frequency_hz
        self._chips: dict[int, I2cChip] = {}
        self._lock = threading.Lock()

    def attach(self, address: int, chip: I2cChip) -> None:
        """Put a chip on the bus; raise ValueError when the address is taken."""
        if address in self._chips:
            raise ValueError(f"address 0x{address:X} is taken: allowed is one chip an address")
        self._chips[address] = chip

    def detach(self, address: int) -> I2cChip:
        """Take a chip off the bus, as a broken wire does, and give it."""
        return self._chips.pop(address)

    def try_lock(self) -> bool:
        """Take the bus if it is free; tell whether that worked."""
        return self._lock.acquire(blocking=False)

    def unlock(self) -> None:
        """Give the bus back."""
        self._lock.release()

    def writeto(
        self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None
    ) -> None:
        """Write bytes; raise OSError 121 when no chip answers."""
        began = time.perf_counter()
        data = bytes(buffer[start:end])
        self._address(address, 2 * _EDGE_BITS, len(data)).write(data)
        self.emulated_s += time.perf_counter() - began

    def readfrom_into(
        self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None
    ) -> None:
        """Fill a buffer with bytes; raise OSError 121 when no chip answers."""
        began = time.perf_counter()
        count = len(buffer[start:end])
        buffer[start : start + count] = self._address(address, 2 * _EDGE_BITS, count).read(count)
        self.emulated_s += time.perf_counter() - began

    def writeto_then_readfrom(
        self,
        address: int,
        out_buffer: bytes,
        in_buffer: bytearray,
        *,
        out_start: int = 0,
        out_end: int | None = None,
        in_start: int = 0,
        in_end: int | None = None,
    ) -> None:
        """Write, then read after a repeated start; raise OSError 121 when no chip answers."""
        began = time.perf_counter()
        data = bytes(out_buffer[out_start:out_end])
        count = len(in_buffer[in_start:in_end])
        # The address goes over the wires twice, for writing and for reading.
        chip = self._address(address, 3 * _EDGE_BITS, len(data) + 1 + count)
        chip.write(data)
        in_buffer[in_start : in_start + count] = chip.read(count)
        self.emulated_s += time.perf_counter() - began

    def _address(self, address: int, edge_bits: int, payload: int) -> I2cChip:
        chip = self._chips.get(address)
        sent = 1 + payload if chip else 1
        self.busy_s += (edge_bits + sent * _BITS_A_BYTE) * self._bit_s
        if chip is None:
            raise OSError(_NO_ACKNOWLEDGE, f"no chip answers at address 0x{address:X}")
        return chip
