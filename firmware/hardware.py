"""What the firmware asks of a Pico, so that all above it runs anywhere.

Owns the promises. `firmware.pico` keeps them on a Pico, doubles keep them in tests. All times are
whole milliseconds. Must not know messages, nor what a wiring is.
"""


class I2CBus:
    """One I2C bus. What fails raises OSError with number 5 (EIO, nobody acknowledges) or 110
    (ETIMEDOUT, the bus is held); no transfer lasts longer than some 20 ms.
    """

    def read(self, address: int, register: int, buffer: bytearray) -> None:
        """Read registers of a chip, as many as the buffer is long."""
        raise NotImplementedError

    def write(self, address: int, register: int, data: bytes) -> None:
        """Write registers of a chip."""
        raise NotImplementedError

    def recover(self) -> None:
        """Clock a chip that was cut off in an answer until it lets the bus go."""
        raise NotImplementedError

    def close(self) -> None:
        """Let the pins go."""
        raise NotImplementedError


class Input:
    """A pin with a pull-up that a key or an interrupt line pulls low."""

    def low(self) -> bool:
        """Tell whether it is pulled low now."""
        raise NotImplementedError

    def close(self) -> None:
        """Let the pin go."""
        raise NotImplementedError


class PixelStrip:
    """A strip of pixels on one pin, fed without the processor."""

    def busy(self) -> bool:
        """Tell whether a frame, with the pause after it, is still on its way."""
        raise NotImplementedError

    def send(self, levels: bytearray) -> None:
        """Start to send levels; they must not change, nor others be sent, while `busy`."""
        raise NotImplementedError

    def close(self) -> None:
        """Let the pin go."""
        raise NotImplementedError


class Hardware:
    """A Pico. `restarted` tells that its watchdog had to start it; `system` names what it runs."""

    identity = bytes(8)
    restarted = False
    system = ""

    def now(self) -> int:
        """Give the time, which only grows."""
        raise NotImplementedError

    def pause(self, time_ms: int) -> None:
        """Do nothing for a few milliseconds."""
        raise NotImplementedError

    def wait(self, timeout_ms: int) -> bool:
        """Wait until bytes have come from the host; tell whether they have."""
        raise NotImplementedError

    def read_line(self) -> bytes:
        """Read up to the next mark, that included, but no more than MOST_LINE bytes.

        Waits for the mark: to be called only when something came.
        """
        raise NotImplementedError

    def read_rough_line(self) -> bytes:
        """Read a line as `read_line` does, or less of it: what has come of its first three bytes.

        So spoilt marks behind a frame make nobody wait.
        """
        return self.read_line()

    def write(self, data: bytes) -> None:
        """Write to the host; what it does not read in time is lost."""
        raise NotImplementedError

    def start_watchdog(self) -> None:
        """Let the watchdog run, which nothing but a reset ends."""
        raise NotImplementedError

    def feed(self) -> None:
        """Tell the watchdog, if it runs, that all is well for the next 8 s."""
        raise NotImplementedError

    def stop(self) -> None:
        """Reset the Pico into MicroPython's prompt; never returns."""
        raise NotImplementedError

    def tidy(self) -> None:
        """Collect the memory that is no longer used, which takes some 10 ms."""

    def led(self, on: bool) -> None:
        """Switch the light on the Pico itself."""
        raise NotImplementedError

    def recall(self) -> bytes | None:
        """Give what was remembered over a power cut, if anything was."""
        raise NotImplementedError

    def remember(self, data: bytes) -> None:
        """Keep bytes over a power cut; raise OSError when there is no room."""
        raise NotImplementedError

    def complain(self, error: Exception) -> None:
        """Write down an error that should not be, for whoever looks for it."""
        raise NotImplementedError

    def open_bus(self, number: int, data: int, clock: int, clock_khz: int) -> I2CBus:
        """Open an I2C bus on pins; raise ValueError or OSError for what cannot be."""
        raise NotImplementedError

    def open_input(self, pin: int) -> Input:
        """Open a pin as an input."""
        raise NotImplementedError

    def open_strip(self, pin: int, levels: int) -> PixelStrip:
        """Open a strip that gets that many levels; raise ValueError or OSError."""
        raise NotImplementedError
