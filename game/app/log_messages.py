"""The events of which the journal can say more: each has an identity and a text in the catalogue.

Owns these identities, made once with `uuid4` and never changed; `systemd/lifeboard.catalog` has
their texts, which `journalctl -x` shows. What a log line tells beside its text are its fields.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """Name one event; `fields` are those that its text in the catalogue fills in."""

    message_id: str
    fields: frozenset[str] = frozenset()

    def extra(self, **fields: object) -> dict[str, Any]:
        """Give a logger's `extra` for this event."""
        return told(MESSAGE_ID=self.message_id, **fields)


def told(**fields: object) -> dict[str, Any]:
    """Give a logger's `extra` with fields such as LIFEBOARD_GAME="circle-of-life"."""
    return {"fields": {name: str(value) for name, value in fields.items()}}


PART_FAILED = Event(
    "44bfaebfd8874a6f9958949abe44642c",
    frozenset({"LIFEBOARD_PART", "LIFEBOARD_TROUBLE", "LIFEBOARD_CELLS"}),
)
"""A part of the board does not work, and play may pause for it."""
PART_WELL = Event(
    "3a9b05b6e00c4d9bb9a719df1dacbf02", frozenset({"LIFEBOARD_PART", "LIFEBOARD_TROUBLE"})
)
"""That part works again."""
NOT_KEPT = Event(
    "72cce9a950404f2fb969552ba67dc7ea", frozenset({"LIFEBOARD_FILE", "LIFEBOARD_CAUSE"})
)
"""Moves do not get to disk: they would not outlive a power cut."""
KEPT_AGAIN = Event("26e994d4ab814664bb86db4ab468e52c", frozenset({"LIFEBOARD_FILE"}))
"""All moves are on disk again."""
SETTINGS_REFUSED = Event("c0b57858bf3e405d9ad1ed5baa6f661f", frozenset({"LIFEBOARD_FILE"}))
"""The configuration says what is not allowed."""
WAITING = Event("6829af71def542fd84b6b845d247e0ca")
"""There is no board to play on yet: it has to be learnt."""
ROLLED_BACK = Event(
    "7af040af60cf4a1b980d85bf9e963b20", frozenset({"LIFEBOARD_FROM", "LIFEBOARD_TO"})
)
"""A new version did not come up, and the one before it runs again."""
SWITCHED_OFF = Event("d3a08ef3b37748c9b9b6cb79d11a3f14")
"""The key that switches off was held."""

EVENTS = (
    PART_FAILED,
    PART_WELL,
    NOT_KEPT,
    KEPT_AGAIN,
    SETTINGS_REFUSED,
    WAITING,
    ROLLED_BACK,
    SWITCHED_OFF,
)
