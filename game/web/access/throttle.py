"""How often wrong PINs may be tried: those who guess wait, and no other device does.

Counts by network: an IPv4 address, or the /64 of an IPv6 one. Past its free tries a network makes
at most four guesses an hour, and where many guess, all of them together one a minute: N networks
make 5 N + 1440 guesses a day. All 253 other addresses of a home network make 2,705, which find a
PIN of six digits with a chance of 0.27 % a day.
"""

from game.web.addresses import network_of

FREE_TRIES = 5
"""Wrong PINs of one network before it must wait, twice as long each time."""
FIRST_WAIT_S, MAX_WAIT_S = 30, 900
CROWD = MAX_WAIT_S // 60
"""Guessing networks beyond which each waits as many minutes as there are of them."""
FORGIVEN_S = 24 * 3600
"""Rest after which a network's wrong PINs no longer count."""


class LoginThrottle:
    """Counts wrong PINs by network; times are in seconds of one monotonic clock."""

    def __init__(self) -> None:
        # By network: how many, and when the last one was.
        self._failures: dict[str, tuple[int, float]] = {}

    def wait_s(self, address: str, now: float) -> float:
        """Return how many seconds an address must wait before it may try; 0 if it may."""
        count, last = self._failures.get(network_of(address), (0, now))
        if count < FREE_TRIES or now - last >= FORGIVEN_S:
            return 0.0
        wait_s: int = min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** min(count - FREE_TRIES, 16))
        if len(self._failures) > CROWD:
            wait_s = max(wait_s, 60 * len(self._failures))
        return max(0.0, last + wait_s - now)

    def failed(self, address: str, now: float) -> None:
        recent = {each: at for each, at in self._failures.items() if now - at[1] < FORGIVEN_S}
        count, _ = recent.get(network_of(address), (0, now))
        self._failures = recent | {network_of(address): (count + 1, now)}

    def succeeded(self, address: str) -> None:
        """Forgive an address that entered the PIN."""
        self._failures.pop(network_of(address), None)
