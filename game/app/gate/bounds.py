"""How much is too much: tries at the PIN, requests a second, open places.

Owns the counting. Reads no clock, and must not know what is counted: times come in as `now`, in
seconds of any one clock.
"""

from collections import Counter, deque
from dataclasses import dataclass, field

FREE_TRIES = 5
"""So many wrong PINs of one address before it must wait."""
FIRST_WAIT_S, LONGEST_WAIT_S = 30, 900
TRIES_AN_HOUR = 60
"""So many wrong PINs of all addresses together."""
HOUR_S = 3600

_MOST_KNOWN = 1024


@dataclass(frozen=True, slots=True)
class Rate:
    """Allow so many a second, and so many at once after a rest."""

    per_s: float
    burst: int


class Bucket:
    """A store of tokens that fills up again: what one sender may still do."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = float(rate.burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Take a token; False when there is none."""
        self._fill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def full(self, now: float) -> bool:
        """Tell whether its owner has rested long enough to be forgotten."""
        self._fill(now)
        return self._tokens >= self._rate.burst

    def _fill(self, now: float) -> None:
        gained = (now - self._at) * self._rate.per_s
        self._tokens = min(float(self._rate.burst), self._tokens + max(0.0, gained))
        self._at = now


class Rates:
    """A bucket for each sender, for a bounded number of them."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: dict[str, Bucket] = {}

    def take(self, sender: str, now: float) -> bool:
        """Take a token of one sender; False when it has none."""
        bucket = self._buckets.get(sender)
        if bucket is None:
            if len(self._buckets) >= _MOST_KNOWN:
                self._forget(now)
            bucket = self._buckets[sender] = Bucket(self._rate, now)
        return bucket.take(now)

    def __len__(self) -> int:
        return len(self._buckets)

    def _forget(self, now: float) -> None:
        """Forget who rests, or else who has been known for longest."""
        self._buckets = {s: each for s, each in self._buckets.items() if not each.full(now)}
        if len(self._buckets) >= _MOST_KNOWN:
            del self._buckets[next(iter(self._buckets))]


class Places:
    """Places that are held for a while: so many in all, and so many for one sender."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most = most
        self._most_each = most_each
        self._held: Counter[str] = Counter()

    def take(self, sender: str) -> bool:
        """Take a place; False when none is left."""
        if self._held.total() >= self._most or self._held[sender] >= self._most_each:
            return False
        self._held[sender] += 1
        return True

    def leave(self, sender: str) -> None:
        """Give a place back."""
        self._held[sender] -= 1
        self._held += Counter()  # which drops all that hold none

    def __len__(self) -> int:
        return self._held.total()


@dataclass(slots=True)
class _Guesser:
    """One address that has given wrong PINs: how many, when last, and until when it waits."""

    wrong: int = 0
    last: float = 0.0
    until: float = 0.0


@dataclass(slots=True)
class Guesses:
    """Limit wrong PINs, for one address and for all together.

    After FREE_TRIES an address waits FIRST_WAIT_S, then twice as long each time. All together are
    held up at TRIES_AN_HOUR, so that many addresses guess no faster. An hour without a try is
    forgiven.
    """

    _guessers: dict[str, _Guesser] = field(default_factory=dict)
    _lately: deque[float] = field(default_factory=deque)

    def wait_s(self, address: str, now: float) -> float:
        """Return for how many seconds an address must wait before it may try; 0 if it may."""
        while self._lately and now - self._lately[0] >= HOUR_S:
            self._lately.popleft()
        wait = self._lately[0] + HOUR_S - now if len(self._lately) >= TRIES_AN_HOUR else 0.0
        guesser = self._guessers.get(address)
        return max(wait, guesser.until - now) if guesser is not None else wait

    def wrong(self, address: str, now: float) -> None:
        """Count a wrong PIN."""
        self._guessers = {a: g for a, g in self._guessers.items() if now - g.last < HOUR_S}
        guesser = self._guessers.setdefault(address, _Guesser())
        guesser.wrong += 1
        guesser.last = now
        over = guesser.wrong - FREE_TRIES
        if over >= 0:
            # The exponent is bounded: it would be a huge number after a long siege.
            guesser.until = now + min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(over, 16))
        self._lately.append(now)

    def right(self, address: str) -> None:
        """Forgive an address that knows the PIN."""
        self._guessers.pop(address, None)
