"""What two boards send each other: an authentication code and a JSON object with a version."""

import json

from game.remote.chain import MOST_BYTES, Keys
from game.remote.shared_game import LONGEST_SESSION, SideReport
from game.rules.base.message import Message, say
from hal.base import schema

VERSION = 1
_CODE = 64


class Unreadable(ValueError):
    """A message written with the room's code that this version cannot read.

    `message` says why; `session` is that of its writer, "" if unknown.
    """

    def __init__(self, message: Message, session: object, why: str) -> None:
        super().__init__(why)
        self.message = message
        self.session = str(session)[:LONGEST_SESSION] if str(session).isalnum() else ""


def pack(keys: Keys, report: SideReport) -> bytes:
    """Write a message."""
    content = {"version": VERSION, **schema.to_builtins(report)}
    while True:
        body = json.dumps(content, separators=(",", ":")).encode()
        if len(body) <= MOST_BYTES - _CODE:
            return keys.sign(body).encode() + body
        content["entries"] = content["entries"][: len(content["entries"]) // 2]


def unpack(keys: Keys, payload: bytes) -> SideReport:
    """Read a message; raises ValueError, and Unreadable."""
    code, body = payload[:_CODE], payload[_CODE:]
    if len(payload) > MOST_BYTES or not keys.signed(body, code.decode("latin-1")):
        raise ValueError("not written with the room's code")
    content: dict[str, object] = {}
    try:
        content = schema.decode(body, dict[str, object])
        if (version := content.pop("version", None)) == VERSION:
            return schema.convert(content, SideReport)
        message = say("remote.other_version", version=str(version)[:8])
        why = f"its version is {schema.short(version)}"
    except schema.SchemaError as error:
        message, why = say("remote.unreadable"), str(error)
    raise Unreadable(message, content.get("session", ""), why)
