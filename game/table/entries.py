"""What the table wants kept: the entries from which a game can be told again.

Owns the kinds of entry. Every change of a game's logical state is one of them, so that playing
and resuming are the same code. Must not know where they are kept.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from game.rules.errors import RulesError
from game.rules.message import say

LONGEST_NAME = 40
"""So many letters a player's name has at most; all of them can be printed."""


class Kind(Enum):
    """What an entry records, and what its text holds."""

    START = "start"
    """A game began; the text is its options as a JSON object, `first` among them."""
    MOVE = "move"
    """A move was accepted; the text is its canonical record."""
    EDIT = "edit"
    """Hands brought one cell right, or a ring by turning it; the text is the cell or the ring."""
    TAKE_BACK = "take_back"
    """The last move was taken back, or a resignation, or the draw that was agreed on."""
    RESIGN = "resign"
    """A player gave up; the text is his number."""
    DRAW = "draw"
    """The players agreed that nobody wins."""
    SET_UP = "set_up"
    """The game goes on from a position that was set up; the text is the position."""
    STANDS = "stands"
    """Hands changed what stands while a position was set up; the text is a JSON object of all
    pieces by cell."""
    NAMES = "names"
    """Who plays; the text is a JSON list of one name a player."""
    SEAL = "seal"
    """A player has laid out his pieces, unseen, or wants to do it anew; the text is a JSON list of
    his number and the record of the move, null for anew. When all have, their moves follow."""
    COVER = "cover"
    """The faces that the last move has shown are covered again."""
    COMPUTERS = "computers"
    """Who is a computer; the text is a JSON list of a level's name a player, null for a person."""


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


def names_text(names: tuple[str, ...]) -> str:
    """Write the players' names as the text of a NAMES entry."""
    return json.dumps(names, ensure_ascii=False)


def names_in(text: str) -> tuple[str, ...]:
    """Read the text of a NAMES entry; raises BadEntry."""
    try:
        names = json.loads(text)
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, list) or not all(_is_name(name) for name in names):
        raise BadEntry(say("table.bad_entry", kind=Kind.NAMES.value, text=text))
    return tuple(names)


def computers_text(computers: tuple[str, ...]) -> str:
    """Write who is a computer, "" for a person, as the text of a COMPUTERS entry."""
    return json.dumps([level or None for level in computers], ensure_ascii=False)


def computers_in(text: str) -> tuple[str, ...]:
    """Read the text of a COMPUTERS entry; raises BadEntry."""
    try:
        levels = json.loads(text)
    except (ValueError, RecursionError):
        levels = None
    if not isinstance(levels, list) or not all(
        level is None or (_is_name(level) and level) for level in levels
    ):
        raise BadEntry(say("table.bad_entry", kind=Kind.COMPUTERS.value, text=text))
    return tuple(level or "" for level in levels)


def _is_name(name: object) -> bool:
    """Tell whether something may stand as a name wherever names are shown."""
    return isinstance(name, str) and name.isprintable() and len(name) <= LONGEST_NAME


def seal_text(player: int, move: str | None) -> str:
    """Write a player's sealed move, None if it is opened again, as the text of a SEAL entry."""
    return json.dumps([player, move])


def seal_in(text: str) -> tuple[int, str | None]:
    """Read the text of a SEAL entry; raises BadEntry, which does not tell the text."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    match told:
        case [int(player), str() | None as move]:
            return player, move
    raise BadEntry(say("table.bad_entry", kind=Kind.SEAL.value, text=""))


def pieces_text(pieces: Mapping[str, str]) -> str:
    """Write what stands as the text of a STANDS entry."""
    return json.dumps(dict(pieces), sort_keys=True)


def pieces_in(text: str) -> dict[str, str]:
    """Read the text of a STANDS entry; raises BadEntry."""
    return _texts_in(Kind.STANDS, text)


def options_in(text: str) -> dict[str, str]:
    """Read the text of a START entry; raises BadEntry."""
    return _texts_in(Kind.START, text)


def _texts_in(kind: Kind, text: str) -> dict[str, str]:
    try:
        texts = json.loads(text)
    except (ValueError, RecursionError):
        texts = None
    if not isinstance(texts, dict) or not all(isinstance(each, str) for each in texts.values()):
        raise BadEntry(say("table.bad_entry", kind=kind.value, text=text))
    return texts
