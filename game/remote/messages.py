"""What two boards send each other, as bytes: an authentication code and a JSON object.

Owns the form of a message, its version and its bounds. A message whose code is wrong is not read.
"""

import json

from game.remote.chain import Keys
from game.remote.shared_game import Told
from hal.base import schema

VERSION = 1
MOST_BYTES = 65536
"""Largest message, read or sent: entries have some 250 bytes, the first one of a game 700."""
_CODE = 64


class OtherVersion(ValueError):
    """A message of another version of the protocol, which was written with the room's code."""


def pack(keys: Keys, told: Told) -> bytes:
    """Write a message."""
    content = {"version": VERSION, **schema.to_builtins(told)}
    while True:
        body = json.dumps(content, separators=(",", ":")).encode()
        if len(body) <= MOST_BYTES - _CODE:
            return keys.sign(body).encode() + body
        content["entries"] = content["entries"][: len(content["entries"]) // 2]


def unpack(keys: Keys, payload: bytes) -> Told:
    """Read a message; raises ValueError, and OtherVersion."""
    code, body = payload[:_CODE], payload[_CODE:]
    if len(payload) > MOST_BYTES or not keys.signed(body, code.decode("latin-1")):
        raise ValueError("not written with the room's code")
    content = schema.decode(body, dict[str, object])
    if (version := content.pop("version", None)) != VERSION:
        raise OtherVersion(str(version)[:8])
    return schema.convert(content, Told)
