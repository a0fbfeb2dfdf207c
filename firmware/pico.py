"""The Pico itself: time, the line to the host, flash, watchdog, buses, pins and pixels.

PIO and DMA drive WS2812 and SK6812 pixels: `rp2.DMA` needs MicroPython 1.22 or later.
"""

import gc
import os
import sys
from io import IOBase
from select import POLLIN, POLLOUT, poll
from time import sleep_ms, ticks_diff, ticks_ms, ticks_us  # type: ignore[attr-defined]

import machine
import micropython
from machine import I2C, Pin
from rp2 import DMA, PIO, StateMachine, asm_pio

from firmware.framing import MOST_LINE
from firmware.hardware import Hardware, I2CBus, Input, PixelStrip

WATCHDOG_MS = 8000  # an RP2040 allows at most 8388, an RP2350 twice as much
WRITE_MS = 20  # how long the host may take to make room for output
STOP_NOTE = "stop"
"""The file that makes main.py skip the firmware, once."""

_WIRING = "wiring.bin"
_NEW_WIRING = "wiring.new"
# Bytes per write to a host that reads: one USB packet. A poll only promises room for one byte
# (MicroPython's shared/tinyusb): a write of more bytes waits, half a second each time.
_PIECE = 64
# Register REASON of the watchdog, and its bit TIMER (RP2040 data sheet, section 4.7.6; RP2350 data
# sheet, section 12.9.7). MicroPython cannot tell a watchdog reset from machine.reset().
_WATCHDOG_REASON = 0x40058008
_WATCHDOG_REASON_RP2350 = 0x400D8008
_BITTEN = 1
# The register VREG of an RP2040, and its value for 1.15 V, with which it may run at 200 MHz instead
# of 125 (RP2040 data sheet, sections 2.10.6 and 2.15.3).
_CORE = 0x40064000
_CORE_1150_MV = 0xC1
_FAST_HZ = 200_000_000
# The ioctl request of a poll (MicroPython's py/stream.h).
_POLL = 3
_RECOVERY_CLOCKS = 9
_BITS_A_BYTE = 9
_LONGEST_TRANSFER = 80


class PicoBus(I2CBus):
    """One I2C bus of the Pico."""

    def __init__(self, number: int, data: int, clock: int, clock_khz: int) -> None:
        self._number = number
        self._data = data
        self._clock = clock
        self._clock_khz = clock_khz
        self.recover()

    def read(self, address: int, register: int, buffer: bytearray) -> None:
        self._i2c.readfrom_mem_into(address, register, buffer)

    def write(self, address: int, register: int, data: bytes) -> None:
        self._i2c.writeto_mem(address, register, data)

    def recover(self) -> None:
        """Clock a chip until it releases the bus; open the bus again."""
        data = Pin(self._data, Pin.OPEN_DRAIN, Pin.PULL_UP, value=1)
        clock = Pin(self._clock, Pin.OPEN_DRAIN, Pin.PULL_UP, value=1)
        held = not data.value()
        clocks = 0
        while clocks < _RECOVERY_CLOCKS and not data.value():
            # A call takes some microseconds, which is slow enough for any chip.
            clock.value(0)
            clock.value(1)
            clocks += 1
        if held:
            # A stop, in case the chip waits for the next byte.
            data.value(0)
            data.value(1)
        transfer_us = _LONGEST_TRANSFER * _BITS_A_BYTE * 1000 // self._clock_khz
        self._i2c = I2C(
            self._number,
            sda=Pin(self._data),
            scl=Pin(self._clock),
            freq=self._clock_khz * 1000,
            timeout=transfer_us + 10_000,
        )

    def close(self) -> None:
        Pin(self._data, Pin.IN)
        Pin(self._clock, Pin.IN)


class PicoInput(Input):
    """A pin with a pull-up.

    No pin here relies on a pull-down: those of an RP2350 of stepping A2 are too weak for its own
    inputs (erratum E9). Chips and keys pull low with far less than the 8.2 kohm of the erratum.
    """

    def __init__(self, pin: int) -> None:
        self._number = pin
        self.pin = Pin(pin, Pin.IN, Pin.PULL_UP)

    def low(self) -> bool:
        return not self.pin.value()

    def close(self) -> None:
        self.pin.irq(None)
        Pin(self._number, Pin.IN)


class _Wake(IOBase):
    """Make an input pollable; its falling edge is an interrupt, which ends sleep."""

    def __init__(self, line: PicoInput) -> None:
        self._line = line
        line.pin.irq(lambda _: None, Pin.IRQ_FALLING)

    def ioctl(self, request: int, _: int) -> int:
        """Answer a poll: ready while the line is low."""
        return POLLIN if request == _POLL and self._line.low() else 0


class Pico(Hardware):
    """The Pico that runs this. Creating it disables Ctrl-C."""

    def __init__(self) -> None:
        # The type checker finds Blinka's module of this name.
        micropython.kbd_intr(-1)  # type: ignore[attr-defined]
        gc.collect()
        self.identity = machine.unique_id()
        self.system = _system()
        if machine.reset_cause() == machine.WDT_RESET:
            self.restarted = bool(machine.mem32[watchdog_reason(self.system)] & _BITTEN)
        # The new clock lasts until the next reset; an RP2350 needs none.
        if "RP2040" in self.system:
            machine.mem32[_CORE] = _CORE_1150_MV
            sleep_ms(1)
            machine.freq(_FAST_HZ)
        self._read = sys.stdin.buffer
        self._write = sys.stdout.buffer
        self._readable = poll()
        self._readable.register(sys.stdin, POLLIN)
        self._wakeable = self._readable
        self._writable = poll()
        self._writable.register(sys.stdout, POLLOUT)
        self._patience_ms = WRITE_MS
        self._piece = _PIECE
        self._watchdog: machine.WDT | None = None
        self._led = Pin("LED", Pin.OUT)
        self._now = 0
        self._ticks = ticks_ms()

    def now(self) -> int:
        """Return the time, which only grows; MicroPython's own wraps around every 12 days."""
        ticks = ticks_ms()
        self._now += ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now

    def pause(self, time_ms: int) -> None:
        sleep_ms(time_ms)

    def wait(self, timeout_ms: int) -> bool:
        # Without a wait, skip the line: polling it takes time too.
        waiting = self._wakeable if timeout_ms else self._readable
        come = False
        for ready in waiting.ipoll(timeout_ms):  # type: ignore[attr-defined]
            come = come or ready[0] is sys.stdin
        return come

    def wake_by(self, line: Input | None) -> None:
        self._wakeable = self._readable
        if isinstance(line, PicoInput):
            self._wakeable = poll()
            self._wakeable.register(sys.stdin, POLLIN)
            self._wakeable.register(_Wake(line), POLLIN)

    def read_line(self) -> bytes:
        # If the host stops within a frame, this waits until the watchdog restarts the Pico. Nothing
        # else reads more than one byte at a time without waiting (MicroPython issue 8772).
        return self._read.readline(MOST_LINE)

    def write(self, data: bytes) -> None:
        """Write to the host; to a slow one only single bytes, so that no write blocks."""
        view = memoryview(data)
        at, end = 0, len(data)
        while at < end:
            piece = min(self._piece, end - at)
            if not self._has_room():
                self._piece = 1
                return
            if self._write.write(view[at : at + piece]) != piece:
                self._piece, self._patience_ms = 1, 0
                return
            at += piece
        self._piece = _PIECE

    def feed(self) -> None:
        if self._watchdog is None:
            self._watchdog = machine.WDT(timeout=WATCHDOG_MS)
        self._watchdog.feed()

    def tidy(self) -> None:
        gc.collect()

    def stop(self) -> None:
        with open(STOP_NOTE, "w") as note:
            note.write("Do not start the firmware.\n")
        machine.reset()

    def led(self, on: bool) -> None:
        self._led.value(on)

    def recall(self) -> bytes | None:
        try:
            with open(_WIRING, "rb") as file:
                return file.read()
        except OSError:
            return None

    def remember(self, data: bytes) -> None:
        with open(_NEW_WIRING, "wb") as file:
            file.write(data)
        os.rename(_NEW_WIRING, _WIRING)

    def open_bus(self, number: int, data: int, clock: int, clock_khz: int) -> I2CBus:
        return PicoBus(number, data, clock, clock_khz)

    def open_input(self, pin: int) -> Input:
        return PicoInput(pin)

    def open_strip(self, pin: int, levels: int) -> PixelStrip:
        return PioStrip(pin, levels)

    def _has_room(self) -> bool:
        """Wait for room to write, but not for a host that has just timed out."""
        for waited in range(self._patience_ms + 1):
            for _ in self._writable.ipoll(1 if waited else 0):  # type: ignore[attr-defined]
                self._patience_ms = WRITE_MS
                return True
        self._patience_ms = 0
        return False


def reset() -> None:
    """Restart the Pico; never returns."""
    machine.reset()


def watchdog_reason(system: str) -> int:
    """Return the address of the reason of the last reset, by the system's name."""
    return _WATCHDOG_REASON_RP2350 if "RP2350" in system else _WATCHDOG_REASON


def _system() -> str:
    version = ".".join([str(part) for part in sys.implementation.version[:3]])
    return f"MicroPython {version}, {getattr(sys.implementation, '_machine', sys.platform)}"


MOST_HZ = 3_070_000
"""Four clocks a bit: high for one of them is a 0, for two a 1. The highest clock at which a 1 is
still longer than the 650 ns of WS2812B; see the host's `hal.drivers.spi` for the other pixels.
"""
LATCH_US = 300
"""How long the line is low after a frame: WS2812B-V5 asks for more than 280 us, SK6812 for 80."""

_CLOCKS_A_LEVEL = 32
# When DMA is done, the state machine still sends the words in its queue of four.
_QUEUED_LEVELS = 5
_STATE_MACHINE = 0
# The transfer request of state machine 0 (RP2040 data sheet, section 2.5.3.1): room in its queue.
_REQUEST = 0
_BYTES = 0


# The names in this function are the assembler's.
@asm_pio(  # type: ignore[untyped-decorator, unused-ignore]
    sideset_init=PIO.OUT_LOW, out_shiftdir=PIO.SHIFT_LEFT, autopull=True, pull_thresh=8
)
def _pixels() -> None:
    wrap_target()  # type: ignore[name-defined]  # noqa: F821
    label("bit")  # type: ignore[name-defined]  # noqa: F821
    # With an empty queue the state machine waits here, with the line low.
    out(x, 1).side(0)[1]  # type: ignore[name-defined]  # noqa: F821
    jmp(not_x, "zero").side(1)  # type: ignore[name-defined]  # noqa: F821
    jmp("bit").side(1)  # type: ignore[name-defined]  # noqa: F821
    label("zero")  # type: ignore[name-defined]  # noqa: F821
    nop().side(0)  # type: ignore[name-defined]  # noqa: F821
    wrap()  # type: ignore[name-defined]  # noqa: F821


def pixel_clock_hz(system_hz: int) -> int:
    """Return the state machine's clock, the system's over a whole number: no bit jitters."""
    return system_hz // -(-system_hz // MOST_HZ)


class PioStrip(PixelStrip):
    """Send frames of a fixed number of levels, in the order of the wire, on a pin.

    Levels are not copied. A byte that is written to the queue of a state machine fills all four
    bytes of the word (RP2040 data sheet, section 2.1.4), of which the highest is sent.
    """

    def __init__(self, pin: int, levels: int) -> None:
        self._pin = pin
        self._count = levels
        clock_hz = pixel_clock_hz(machine.freq())
        self._machine = StateMachine(_STATE_MACHINE, _pixels, freq=clock_hz, sideset_base=Pin(pin))
        self._machine.active(1)
        self._dma = DMA()
        self._control = self._dma.pack_ctrl(size=_BYTES, inc_write=False, treq_sel=_REQUEST)
        self._sending = False
        self._began_us = 0
        clocks = (levels + _QUEUED_LEVELS) * _CLOCKS_A_LEVEL
        self._lasts_us = clocks * 1_000_000 // clock_hz + LATCH_US

    def busy(self) -> bool:
        if self._sending and not self._dma.active():
            # A flag, since the ticks wrap around after some minutes.
            self._sending = ticks_diff(ticks_us(), self._began_us) < self._lasts_us
        return self._sending

    def send(self, levels: bytearray) -> None:
        self._sending = True
        self._began_us = ticks_us()
        self._dma.config(
            read=levels, write=self._machine, count=self._count, ctrl=self._control, trigger=True
        )

    def close(self) -> None:
        self._dma.active(0)
        self._dma.close()
        self._machine.active(0)
        Pin(self._pin, Pin.IN)
