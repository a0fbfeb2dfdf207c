"""The shared record of two boards: a chain of entries that only holders of the code write."""

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from game.table.entries import EntryKind
from hal.base.schema import Meta, Struct

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz"
"""Letters of a drawn code: none that looks like another letter or a digit."""
DRAWN_CODE = 8
"""Letters of a code for a broker: 36 bits, since one table of all codes opens all rooms."""
SHORTEST_CODE, LONGEST_CODE = 6, 64
"""Allowed lengths; a room that a board of this network offers gets the shortest."""
LONGEST_TEXT = 4096
"""Most characters of an entry's text: options and names have some hundreds."""
MOST_BYTES = 65536
"""Largest message, read or sent: entries have some 250 bytes, the first one of a game 700."""
_SALT = b"lifeboard, a game on two boards, 1"
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26}
"""32 MB and a tenth of a second on a PC: what one guess of a code costs."""
Side = Annotated[int, Meta(ge=1, le=2)]
Hash = Annotated[str, Meta(max_length=64, pattern="^[0-9a-f]*$", title="a hash in hex")]


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys derived from a room's code: a public name for its topics, and a secret key."""

    name: str
    key: bytes

    @classmethod
    @lru_cache(maxsize=4)
    def of(cls, code: str) -> "Keys":
        """Derive the keys slowly, so that a broker's owner cannot try all codes."""
        secret = hashlib.scrypt(code.encode(), salt=_SALT, dklen=48, **_SCRYPT)
        return cls(secret[:16].hex(), secret[16:])

    def sign(self, content: bytes) -> str:
        """Return the authentication code of a content."""
        return hmac.new(self.key, content, "sha256").hexdigest()

    def signed(self, content: bytes, code: str) -> bool:
        """Return whether a code authenticates a content."""
        return code.isascii() and hmac.compare_digest(self.sign(content), code)


class ChainEntry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One entry: number, hash of the one before, the `side` that wrote it, authentication code."""

    number: Annotated[int, Meta(ge=0)]
    previous: Hash
    side: Side
    kind: EntryKind
    text: Annotated[str, Meta(max_length=LONGEST_TEXT)]
    code: Hash

    @property
    def content(self) -> bytes:
        """The bytes that the authentication code covers."""
        content = [self.number, self.previous, self.side, self.kind.value, self.text]
        return json.dumps(content, separators=(",", ":")).encode()

    @property
    def hash(self) -> str:
        """The hash that the next entry contains as `previous`."""
        return hashlib.sha256(self.content + self.code.encode()).hexdigest()


def write(
    keys: Keys, chain: Sequence[ChainEntry], side: int, kind: EntryKind, text: str
) -> ChainEntry:
    """Make the entry that follows a chain."""
    entry = ChainEntry(len(chain), head(chain), side, kind, text, "")
    return ChainEntry(entry.number, entry.previous, side, kind, text, keys.sign(entry.content))


def head(chain: Sequence[ChainEntry]) -> str:
    """Return the hash of the last entry; "" for an empty chain."""
    return chain[-1].hash if chain else ""


def follows(keys: Keys, chain: Sequence[ChainEntry], entry: ChainEntry) -> bool:
    """Return whether an entry is the next one of a chain, and was written with the room's code."""
    next_one = entry.number == len(chain) and entry.previous == head(chain)
    return next_one and keys.signed(entry.content, entry.code)
