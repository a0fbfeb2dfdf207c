"""The receiver in a pixel: decodes bits from its data line, by its data sheet."""

from dataclasses import dataclass
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

_LATCH = "L"
_BAD = "x"

# How many clocks the line has been high and then low. A line that is high now has no low yet;
# one that was low until the pixels latched has no high.
_State = tuple[int, int]

# The effect of some bytes in a state: the bits read, the error, the state after.
_Step = tuple[str, str, _State]


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
        self._longest = ceil(max(*sheet.zero_high_ns, *sheet.one_high_ns) / self._clock_ns) + 1
        self._state: _State = (0, self._latch_clocks)
        self._received: list[str] = []
        # The effect of each byte in each state: cached. Few of either occur.
        self._steps: dict[tuple[_State, int], _Step] = {}

    def receive(self, data: bytes) -> list[bytes]:
        """Take bytes of the line; return the frames that they complete, as bytes of read bits."""
        for byte in data:
            step = self._steps.get((self._state, byte))
            if step is None:
                step = self._step(self._state, f"{byte:08b}")
                self._steps[self._state, byte] = step
            read, refusal, self._state = step
            self._received.append(read)
            self.refusal = refusal or self.refusal
        return self._frames()

    def rest(self, time_s: float) -> list[bytes]:
        """Let the line be low for a time; return the frames that this completes."""
        clocks = min(int(time_s * 1e9 / self._clock_ns), self._latch_clocks)
        if self._state[0] == 0:
            return []
        read, refusal, self._state = self._step(self._state, "0" * clocks)
        self._received.append(read)
        self.refusal = refusal or self.refusal
        return self._frames() if _LATCH in read else []

    def _frames(self) -> list[bytes]:
        """Take the completed frames out of what was received."""
        *complete, rest = "".join(self._received).split(_LATCH)
        self._received = [rest] if rest else []
        frames = []
        for bits in complete:
            if _BAD in bits:
                self.refused += 1
            else:
                whole = len(bits) // 8
                frames.append(int(bits[: whole * 8] or "0", 2).to_bytes(whole, "big"))
        return frames

    def _step(self, state: _State, clocks: str) -> _Step:
        """Compute from some clocks of the line the bits read, the error, and the output."""
        high, low = state
        read, refusal = "", ""
        for level in clocks:
            if level == "1" and low == 0:
                high = min(high + 1, self._longest)
            elif level == "1":
                if high:
                    bit, why = self._judge(high, low)
                    read, refusal = read + bit, why or refusal
                high, low = 1, 0
            else:
                low = min(low + 1, self._latch_clocks)
                if low == self._latch_clocks and high:
                    bit, why = self._judge(high, None)
                    read, refusal = read + bit + _LATCH, why or refusal
                    high = 0
        return read, refusal, (high, low)

    def _judge(self, high_clocks: int, low_clocks: int | None) -> tuple[str, str]:
        """Decode a high and the low after it, None for one that ends the frame."""
        high = high_clocks * self._clock_ns
        for bit, highs, lows in (
            ("0", self._sheet.zero_high_ns, self._sheet.zero_low_ns),
            ("1", self._sheet.one_high_ns, self._sheet.one_low_ns),
        ):
            if not highs[0] <= high <= highs[1]:
                continue
            if low_clocks is None:
                return bit, ""
            low = low_clocks * self._clock_ns
            most = lows[1] if self._sheet.bit_ns is None else self._sheet.bit_ns[1] - high
            most = max(most, lows[1])
            if lows[0] <= low <= most:
                return bit, ""
            return (
                _BAD,
                f"low of {low:.0f} ns after a {bit}: {self._sheet.name} allows up to {most}",
            )
        return _BAD, f"high of {high:.0f} ns: {self._sheet.name} allows none like it"
