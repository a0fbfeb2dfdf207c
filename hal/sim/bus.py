"""An I2C bus with emulated chips on it, as `adafruit_bus_device` uses one."""

import errno
import threading
import time

from hal.sim.cable import I2cCable, I2cChip

_BITS_A_BYTE = 9  # eight and the acknowledgement
_EDGE_BITS = 1  # a start, a repeated start or a stop takes about one clock

TIMEOUT_S = 0.05
"""How long a host waits on a held bus by default: what `hal.drivers.i2c` sets on Linux."""


class EmulatedI2CBus(I2cCable):
    """The host's end of an emulated bus.

    `busy_s` is the time that all transfers would have taken on real wires, `emulated_s` the time
    that the emulated chips took to answer here. `timeout_s` is how long the host waits for a bus
    that is held. Errors have Linux's error numbers.
    """

    def __init__(self, frequency_hz: int = 400_000, *, timeout_s: float = TIMEOUT_S) -> None:
        super().__init__()
        self.busy_s = 0.0
        self.emulated_s = 0.0
        self.timeout_s = timeout_s
        self._bit_s = 1 / frequency_hz
        self._lock = threading.Lock()

    def try_lock(self) -> bool:
        """Take the bus if it is free; return whether that succeeded."""
        return self._lock.acquire(blocking=False)

    def unlock(self) -> None:
        self._lock.release()

    def writeto(
        self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None
    ) -> None:
        """Write bytes; raise OSError, with 121 when no chip answers."""
        self._transfer(address, bytes(buffer[start:end]), None)

    def readfrom_into(
        self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None
    ) -> None:
        """Fill a buffer with bytes; raise OSError, with 121 when no chip answers."""
        count = len(buffer[start:end])
        buffer[start : start + count] = self._transfer(address, None, count)

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
        """Write, then read after a repeated start; raise OSError, with 121 when no chip answers."""
        count = len(in_buffer[in_start:in_end])
        said = self._transfer(address, bytes(out_buffer[out_start:out_end]), count)
        in_buffer[in_start : in_start + count] = said

    def _transfer(self, address: int, data: bytes | None, count: int | None) -> bytes:
        """Write `data` and read `count` bytes; skip either if it is None."""
        began = time.perf_counter()
        try:
            chip = self._address(address, data, count)
            if data is not None:
                chip.write(data)
            return b"" if count is None else chip.read(count)
        finally:
            self.emulated_s += time.perf_counter() - began

    def _address(self, address: int, data: bytes | None, count: int | None) -> I2cChip:
        """Find the chip that answers, and count the time of the whole transfer."""
        if self.held:
            self.busy_s += self.timeout_s
            raise OSError(errno.ETIMEDOUT, "the bus is held by a chip that hangs")
        chip = self.find(address)
        # A write followed by a read sends the address twice.
        parts = [1]
        if chip:
            lengths = (None if data is None else len(data), count)
            parts = [1 + length for length in lengths if length is not None]
        bits = (1 + len(parts)) * _EDGE_BITS + sum(parts) * _BITS_A_BYTE
        self.busy_s += bits * self._bit_s
        if chip is None:
            raise OSError(errno.EREMOTEIO, f"no chip answers at address 0x{address:X}")
        return chip
