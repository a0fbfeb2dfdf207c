"""A serial line between two ends, in virtual time: it loses, repeats, delays and spoils frames."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Noise:
    """Say how bad a line is: chances of 0 to 1, and delays."""

    lost: float = 0.0
    """Of a frame to vanish."""
    repeated: float = 0.0
    """Of a frame to come twice."""
    flipped: float = 0.0
    """Of each bit to flip."""
    babble: float = 0.0
    """Of garbage to stand before a frame."""
    delay_ms: int = 0
    """The most that a frame takes beyond 1 ms."""
    overtaking: bool = False
    """Frames may pass each other on their way, as on no serial line."""


class FakeLine:
    """Carry frames one way. `carried` counts the bytes that went in."""

    def __init__(self, noise: Noise, chance: Random) -> None:
        self.noise = noise
        self.carried = 0
        self._chance = chance
        self._under_way: list[tuple[int, bytes]] = []

    def put(self, frame: bytes, now: int) -> None:
        """Let a frame set out."""
        self.carried += len(frame)
        noise, chance = self.noise, self._chance
        if chance.random() < noise.lost:
            return
        for _ in range(2 if chance.random() < noise.repeated else 1):
            due = now + 1 + chance.randint(0, noise.delay_ms)
            if not noise.overtaking and self._under_way:
                due = max(due, self._under_way[-1][0])
            data = self._spoil(frame)
            if chance.random() < noise.babble:
                data = chance.randbytes(chance.randint(1, 40)) + data
            self._under_way.append((due, data))

    def take(self, now: int) -> bytes:
        """Give what has arrived."""
        arrived = [each for each in self._under_way if each[0] <= now]
        self._under_way = [each for each in self._under_way if each[0] > now]
        return b"".join(data for _, data in sorted(arrived, key=lambda each: each[0]))

    def due(self) -> int | None:
        """Give when something arrives next; None for never."""
        return min((due for due, _ in self._under_way), default=None)

    def _spoil(self, frame: bytes) -> bytes:
        if not self.noise.flipped:
            return frame
        spoilt = bytearray(frame)
        for bit in flips(8 * len(frame), self.noise.flipped, self._chance):
            spoilt[bit // 8] ^= 1 << bit % 8
        return bytes(spoilt)


def flips(bits: int, chance_each: float, chance: Random) -> list[int]:
    """Draw which of so many bits flip."""
    return [bit for bit in range(bits) if chance.random() < chance_each]


def earliest(now: int, *dues: int | None) -> int:
    """Give the next time at which something is due; raise AssertionError for a loop that spins."""
    due = min(due for due in dues if due is not None)
    assert due > now, "a loop would spin"
    return due
