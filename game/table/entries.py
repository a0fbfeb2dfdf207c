"""What the table wants kept: the entries from which a game can be told again.

Owns the kinds of entry. Every change of a game's logical state is one of them, so that playing
and resuming are the same code. Must not know where they are kept.
"""

import json
from dataclasses import dataclass
from enum import Enum

from game.rules.errors import RulesError
from game.rules.message import say


class Kind(Enum):
    """What an entry records, and what its text holds."""

    START = "start"
    """A game began; the text is its options as a JSON object, `first` among them."""
    MOVE = "move"
    """A move was accepted; the text is its canonical record."""
    EDIT = "edit"
    """A hand brought one cell right; the text is the cell."""
    TAKE_BACK = "take_back"
    """The last move, or a resignation, was taken back."""
    RESIGN = "resign"
    """A player gave up; the text is his number."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game's journal."""

    kind: Kind
    text: str = ""


class BadEntry(RulesError):
    """Refuse an entry that cannot follow the ones before it, or a text that means nothing."""


def options_text(options: dict[str, str]) -> str:
    """Write a game's options as the text of a START entry."""
    return json.dumps(options, sort_keys=True)


def options_in(text: str) -> dict[str, str]:
    """Read the text of a START entry; raises BadEntry."""
    try:
        options = json.loads(text)
    except ValueError:
        options = None
    if not isinstance(options, dict) or not all(isinstance(v, str) for v in options.values()):
        raise BadEntry(say("table.bad_entry", kind=Kind.START.value, text=text))
    return options
