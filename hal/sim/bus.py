"""Emulated I2C wires with chips on them, also behind multiplexers, and the host's end of a bus."""

import errno
import threading
from typing import Protocol

MUX_CHANNELS = 8
_FREQUENCY_HZ = 400_000
_BITS_A_BYTE = 9  # eight and the acknowledgement
_EDGE_BITS = 1  # a start, a repeated start or a stop takes about one clock

TIMEOUT_S = 0.05
"""How long a host waits on a held bus by default: what `hal.drivers.i2c` sets on Linux."""


class I2cChip(Protocol):
    """A chip at one I2C address."""

    def write(self, data: bytes) -> None:
        """Take what the host writes between start and stop."""

    def read(self, count: int) -> bytes:
        """Return as many bytes as the host reads."""


class I2cCable:
    """The chips of one pair of wires, each at its address."""

    def __init__(self) -> None:
        self._chips: dict[int, I2cChip] = {}
        self.stuck = False  # whether a hanging chip holds the data wire low

    def attach(self, address: int, chip: I2cChip) -> None:
        """Attach a chip to the wires, at an address that is free there."""
        self._chips[address] = chip

    def detach(self, address: int) -> I2cChip:
        """Detach a chip from the wires, as a broken wire does, and return it."""
        return self._chips.pop(address)

    @property
    def held(self) -> bool:
        """Whether the data wire is held low, here or on wires that are connected to these."""
        return self.stuck or any(wires.held for wires in self._connected())

    def find(self, address: int) -> I2cChip | None:
        """Return the chip that acknowledges an address, the first one of several; None for none."""
        found = self._chips.get(address)
        for wires in self._connected() if found is None else ():
            found = found or wires.find(address)
        return found

    def _connected(self) -> list["I2cCable"]:
        """List the wires that multiplexers connect to these now."""
        muxes = [each for each in self._chips.values() if isinstance(each, EmulatedTca9548a)]
        return [
            wires for mux in muxes for n, wires in enumerate(mux.channels) if mux.control >> n & 1
        ]


class EmulatedTca9548a:
    """A multiplexer, after the TI data sheet SCPS207; chips are attached to `channels`."""

    def __init__(self) -> None:
        self.channels = tuple(I2cCable() for _ in range(MUX_CHANNELS))
        self.control = 0  # "power-up default: no channel selected"

    def write(self, data: bytes) -> None:
        """Take the bytes of one write: "if multiple bytes are received, it saves the last"."""
        if data:
            self.control = data[-1]

    def read(self, count: int) -> bytes:
        return bytes([self.control]) * count


class EmulatedI2CBus(I2cCable):
    """The host's end of a bus, with Linux's error numbers; `busy_s` is the time on real wires."""

    def __init__(self) -> None:
        super().__init__()
        self.busy_s = 0.0
        self.timeout_s = TIMEOUT_S
        self._lock = threading.Lock()

    def try_lock(self) -> bool:
        """Take the bus if it is free; return whether that succeeded."""
        return self._lock.acquire(blocking=False)

    def unlock(self) -> None:
        self._lock.release()

    def writeto(
        self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None
    ) -> None:
        """Write bytes; raises OSError."""
        self._transfer(address, bytes(buffer[start:end]), None)

    def readfrom_into(
        self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None
    ) -> None:
        """Fill a buffer with bytes; raises OSError."""
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
        """Write, then read after a repeated start; raises OSError."""
        count = len(in_buffer[in_start:in_end])
        said = self._transfer(address, bytes(out_buffer[out_start:out_end]), count)
        in_buffer[in_start : in_start + count] = said

    def _transfer(self, address: int, data: bytes | None, count: int | None) -> bytes:
        """Write `data` and read `count` bytes; skip either if it is None."""
        if self.held:
            self.busy_s += self.timeout_s
            raise OSError(errno.ETIMEDOUT, "the bus is held by a chip that hangs")
        chip = self.find(address)
        # A write followed by a read sends the address twice.
        lengths = (None if data is None else len(data), count) if chip else (0,)
        parts = [1 + length for length in lengths if length is not None]
        bits = (1 + len(parts)) * _EDGE_BITS + sum(parts) * _BITS_A_BYTE
        self.busy_s += bits / _FREQUENCY_HZ
        if chip is None:
            raise OSError(errno.EREMOTEIO, f"no chip answers at address 0x{address:X}")
        if data is not None:
            chip.write(data)
        return b"" if count is None else chip.read(count)
