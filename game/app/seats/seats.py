"""The seats of a game that hides things: each player's is held by whoever has its key.

Owns invitations, by which a free seat is taken once, and the keys by which it is held from then on.
Only digests of keys are kept. Must not know of pages, nor when a seat may change hands.
"""

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from game.app.seats.seats_file import SeatsFile

LONGEST = 128
"""Longer codes and keys are none of ours."""
_CODE_BYTES, _KEY_BYTES = 16, 32


@dataclass(frozen=True, slots=True)
class Claim:
    """Hold that somebody has a player's seat; `key` is what proves it, "" where it is known."""

    player: int
    digest: str
    key: str = field(default="", repr=False)


class Seats:
    """Keep who has which seat of one game, for any thread.

    `changed` is called at every change, and no two calls of it are out of order.
    """

    def __init__(
        self, file: SeatsFile, players: int, changed: Callable[[], None] = lambda: None
    ) -> None:
        self.players = tuple(range(1, players + 1))
        self._file = file
        self._changed = changed
        # Taken again by whoever asks, in `changed`, who has a seat now.
        self._lock = threading.RLock()
        self._codes: dict[int, str] = {}
        self._held = {player: each for player, each in file.read().items() if player <= players}

    @property
    def taken(self) -> frozenset[int]:
        """The players whose seats somebody has."""
        with self._lock:
            return frozenset(self._held)

    def invitation(self, player: int) -> str | None:
        """Return the code by which a free seat can be taken; None for one that is taken."""
        with self._lock:
            if player in self._held:
                return None
            if player not in self._codes:
                self._codes[player] = secrets.token_urlsafe(_CODE_BYTES)
            return self._codes[player]

    def take(self, code: str, among: Collection[int]) -> Claim | None:
        """Take the seat that a code invites to, if it is among these; the code is void then."""
        with self._lock:
            found = [
                player
                for player, each in self._codes.items()
                if player in among and _same(each, code)
            ]
            if not found:
                return None
            player, key = found[0], secrets.token_urlsafe(_KEY_BYTES)
            claim = Claim(player, _digest(key), key)
            self._held[player] = claim.digest
            del self._codes[player]
            self._file.write(self._held)
            self._changed()
        return claim

    def prove(self, player: int, key: str) -> Claim | None:
        """Return the claim to a player's seat of whoever has its key; None for another key."""
        claim = Claim(player, _digest(key))
        return claim if self.holds(claim) else None

    def holds(self, claim: Claim) -> bool:
        """Tell whether a seat is still that claimant's."""
        with self._lock:
            return _same(self._held.get(claim.player, ""), claim.digest)

    def free(self, player: int) -> None:
        """Take a seat from whoever has it: his key opens nothing any more."""
        with self._lock:
            if player not in self._held:
                return
            del self._held[player]
            self._file.write(self._held)
            self._changed()


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def _same(ours: str, given: str) -> bool:
    """Compare in a time that does not tell how much of it is right."""
    return hmac.compare_digest(ours.encode(), given.encode("utf-8", "replace"))
