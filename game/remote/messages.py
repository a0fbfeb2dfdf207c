"""What two boards send each other, as bytes: an authentication code and a JSON object.

Owns the form of a message, its version and its bounds. A message whose code is wrong is not read.
"""

import json
from typing import Any

from game.remote.chain import ChainEntry, Keys
from game.remote.shared_game import SENT_AT_ONCE, Ask, Told
from game.table.entries import LONGEST_NAME

VERSION = 1
MOST_BYTES = 65536
"""Largest message, read or sent: entries have some 250 bytes, the first one of a game 700."""
LONGEST_PHRASE = 20
_CODE = 64
_LENGTHS = {"session": 16, "echo": 16, "program": 40, "game": 40, "name": LONGEST_NAME, "head": 64}


class OtherVersion(ValueError):
    """A message of another version of the protocol, which was written with the room's code."""


def pack(keys: Keys, told: Told) -> bytes:
    """Write a message."""
    entries = [entry.to_json() for entry in told.entries]
    while True:
        body = json.dumps(
            {
                "version": VERSION,
                "side": told.side,
                **{key: getattr(told, key) for key in _LENGTHS},
                "length": told.length,
                "stopped": told.stopped,
                "said": told.said,
                "asks": {ask.value: count for ask, count in told.asks.items()},
                "entries": entries,
            },
            separators=(",", ":"),
        ).encode()
        if len(body) <= MOST_BYTES - _CODE:
            return keys.sign(body).encode() + body
        entries = entries[: len(entries) // 2]


def unpack(keys: Keys, payload: bytes) -> Told:
    """Read a message; raises ValueError, and OtherVersion."""
    code, body = payload[:_CODE], payload[_CODE:]
    if len(payload) > MOST_BYTES or not keys.signed(body, code.decode("latin-1")):
        raise ValueError("not written with the room's code")
    try:
        content = json.loads(body)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(content, dict):
        raise ValueError("no object")
    if content.get("version") != VERSION:
        raise OtherVersion(str(content.get("version"))[:8])
    side = content.get("side")
    if side not in (1, 2):
        raise ValueError("of no side")
    texts = {key: _text(content.get(key), most) for key, most in _LENGTHS.items()}
    length, stopped, asks, entries = map(content.get, ("length", "stopped", "asks", "entries"))
    if not isinstance(length, int) or not _is_count(length) or not isinstance(stopped, bool):
        raise ValueError("no length, or not whether it stopped")
    if not isinstance(asks, dict) or not isinstance(entries, list):
        raise ValueError("no asks or no entries")
    if len(entries) > SENT_AT_ONCE or not all(map(_is_count, asks.values())):
        raise ValueError("too many entries, or an ask without a count")
    match content.get("said"):
        case [int(count), str(phrase)] if _is_count(count):
            said = count, _text(phrase, LONGEST_PHRASE)
        case _:
            raise ValueError("not what it said")
    return Told(
        side,
        **texts,
        length=length,
        asks={Ask(key): count for key, count in asks.items()},
        entries=tuple(map(ChainEntry.from_json, entries)),
        stopped=stopped,
        said=said,
    )


def _text(value: Any, most: int) -> str:
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        raise ValueError("a text is missing or out of bounds")
    return value


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 10**6
