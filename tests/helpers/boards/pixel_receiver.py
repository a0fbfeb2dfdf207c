"""The receiver in a pixel: decodes bits from its data line, by its data sheet."""

import re
from dataclasses import dataclass
from functools import cache
from math import ceil

Window = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PixelTiming:
    """A data sheet's limits, in ns: highs and lows of both bits, a whole bit, the latch.

    `bit_ns` is None where the sheet gives no tolerance of its own for a whole bit.
    """

    name: str
    zero_high_ns: Window
    zero_low_ns: Window
    one_high_ns: Window
    one_low_ns: Window
    bit_ns: Window | None
    latch_ns: float

    @cache  # noqa: B019
    def judge(self, high_ns: float, low_ns: float | None) -> tuple[str, str]:
        """Return the bit of a high and the low after it, None for a latch; or "" and the error."""
        for bit, highs, lows in (
            ("0", self.zero_high_ns, self.zero_low_ns),
            ("1", self.one_high_ns, self.one_low_ns),
        ):
            if not highs[0] <= high_ns <= highs[1]:
                continue
            most = lows[1] if self.bit_ns is None else max(self.bit_ns[1] - high_ns, lows[1])
            if low_ns is None or lows[0] <= low_ns <= most:
                return bit, ""
            return "", f"low of {low_ns:.0f} ns after a {bit}: {self.name} allows up to {most}"
        return "", f"high of {high_ns:.0f} ns: {self.name} allows none like it"


WS2812B = PixelTiming(
    "WS2812B", (250, 550), (700, 1000), (650, 950), (300, 600), (650, 1850), latch_ns=50_000
)
WS2812B_V5 = PixelTiming(
    "WS2812B-V5", (220, 380), (580, 1000), (580, 1000), (580, 1000), None, latch_ns=280_000
)
SK6812 = PixelTiming(
    "SK6812", (150, 450), (750, 1050), (450, 750), (450, 750), (650, 1850), latch_ns=80_000
)
PIXELS = (WS2812B, WS2812B_V5, SK6812)


class PixelReceiver:
    """Read bytes as they go over an SPI line, highest bit first, at a clock.

    A pulse outside the sheet's limits spoils its frame: `refused` counts such frames, and `refusal`
    describes the newest one's error.
    """

    def __init__(self, sheet: PixelTiming, clock_hz: float) -> None:
        self.refused = 0
        self.refusal = ""
        self._sheet = sheet
        self._clock_ns = 1e9 / clock_hz
        self._latch_clocks = ceil(sheet.latch_ns / self._clock_ns)
        self._line = ""  # since the last latch, a letter a clock

    def receive(self, data: bytes) -> list[bytes]:
        """Take bytes of the line; return the frames that they complete, as bytes of read bits."""
        return self._take("".join(f"{byte:08b}" for byte in data))

    def rest(self, time_s: float) -> list[bytes]:
        """Let the line be low for a time; return the frames that this completes."""
        return self._take("0" * min(int(time_s * 1e9 / self._clock_ns), self._latch_clocks))

    def _take(self, clocks: str) -> list[bytes]:
        latch = f"0{{{self._latch_clocks},}}"
        *complete, self._line = re.split(latch, self._line + clocks)
        frames = [self._read(line) for line in complete if "1" in line]
        return [frame for frame in frames if frame is not None]

    def _read(self, line: str) -> bytes | None:
        """Decode the highs and lows between two latches; None if any is outside the limits."""
        bits = []
        for high, low in re.findall("(1+)(0*)", line):
            low_ns = len(low) * self._clock_ns if low else None
            bit, why = self._sheet.judge(len(high) * self._clock_ns, low_ns)
            bits.append(bit)
            self.refusal = why or self.refusal
        if "" in bits:
            self.refused += 1
            return None
        whole = len(bits) // 8
        return int("".join(bits[: whole * 8]) or "0", 2).to_bytes(whole, "big")
