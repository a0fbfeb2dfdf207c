"""WS2812 and SK6812 pixels by PIO and DMA; needs MicroPython 1.22 or later, for `rp2.DMA`."""

from time import ticks_diff, ticks_us  # type: ignore[attr-defined]

from machine import Pin, freq
from rp2 import DMA, PIO, StateMachine, asm_pio

from firmware.hardware import PixelStrip

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
    # With an empty queue it waits here, with the line low.
    out(x, 1).side(0)[1]  # type: ignore[name-defined]  # noqa: F821
    jmp(not_x, "zero").side(1)  # type: ignore[name-defined]  # noqa: F821
    jmp("bit").side(1)  # type: ignore[name-defined]  # noqa: F821
    label("zero")  # type: ignore[name-defined]  # noqa: F821
    nop().side(0)  # type: ignore[name-defined]  # noqa: F821
    wrap()  # type: ignore[name-defined]  # noqa: F821


def pixel_clock_hz(system_hz: int) -> int:
    """Return the state machine's clock, a whole part of the system's, so that no bit jitters."""
    return system_hz // -(-system_hz // MOST_HZ)


class PioStrip(PixelStrip):
    """Send frames of a fixed number of levels, in the order of the wire, on a pin.

    Levels are not copied. A byte that is written to the queue of a state machine fills all four
    bytes of the word (RP2040 data sheet, section 2.1.4), of which the highest is sent.
    """

    def __init__(self, pin: int, levels: int) -> None:
        self._pin = pin
        self._count = levels
        clock_hz = pixel_clock_hz(freq())
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
