"""The interface to a Pico: modules that use it run on other computers too.

`firmware.pico` implements it on a Pico, doubles implement it in tests. All times are whole
milliseconds.
"""


class I2CBus:
    """One I2C bus. Failures raise OSError 5 (EIO, no acknowledgement) or 110 (ETIMEDOUT, the bus is
    held); no transfer lasts longer than about 20 ms."""

    def read(self, address: int, register: int, buffer: bytearray) -> None:
        """Read registers of a chip, as many as the buffer holds."""

    def write(self, address: int, register: int, data: bytes) -> None:
        """Write registers of a chip."""

    def recover(self) -> None:
        """Clock a chip that was interrupted in an answer until it releases the bus."""

    def close(self) -> None:
        """Release the pins."""


class Input:
    """A pin with a pull-up that a key or an interrupt line pulls low."""

    def low(self) -> bool:
        """Return whether it is low now."""
        raise NotImplementedError

    def close(self) -> None:
        """Release the pin."""


class PixelStrip:
    """A strip of pixels on one pin, fed by DMA."""

    def busy(self) -> bool:
        """Return whether a frame, with the pause after it, is still being sent."""
        raise NotImplementedError

    def send(self, levels: bytearray) -> None:
        """Start to send levels; while `busy` they must not change, nor may others be sent."""

    def close(self) -> None:
        """Release the pin."""


class Hardware:
    """A Pico. `restarted`: its watchdog has restarted it; `system` names what it runs."""

    identity = bytes(8)
    restarted = False
    system = ""

    def now(self) -> int:
        """Return the time, which only grows."""
        raise NotImplementedError

    def pause(self, time_ms: int) -> None:
        """Do nothing for a few milliseconds."""

    def wait(self, timeout_ms: int) -> bool:
        """Wait until bytes have come from the host; return whether they have."""
        raise NotImplementedError

    def wake_by(self, line: Input | None) -> None:
        """Let a `wait` also end as soon as this input is low."""

    def read_line(self) -> bytes:
        """Wait for the next mark, and read up to it, but no more than MOST_LINE bytes."""
        raise NotImplementedError

    def write(self, data: bytes) -> None:
        """Write to the host; bytes that it does not read in time are lost."""

    def feed(self) -> None:
        """Feed the watchdog for the next 8 s; the first call starts it."""

    def stop(self) -> None:
        """Reset the Pico into MicroPython's prompt; never returns."""

    def tidy(self) -> None:
        """Collect garbage, which takes about 13 ms."""

    def led(self, on: bool) -> None:
        """Switch the light on the Pico itself."""

    def recall(self) -> bytes | None:
        """Return the stored bytes, if any."""
        raise NotImplementedError

    def remember(self, data: bytes) -> None:
        """Store bytes across a power cut; raise OSError when there is no room."""

    def open_bus(self, number: int, data: int, clock: int, clock_khz: int) -> I2CBus:
        """Open an I2C bus on pins; raise ValueError or OSError if that fails."""
        raise NotImplementedError

    def open_input(self, pin: int) -> Input:
        """Open a pin as an input."""
        raise NotImplementedError

    def open_strip(self, pin: int, levels: int) -> PixelStrip:
        """Open a strip with that many levels; raise ValueError or OSError."""
        raise NotImplementedError
