"""The entries of a game's journal, from which the game can be replayed.

Owns the kinds of entry and their texts. Every change of a game's logical state is an entry, so
that playing and resuming run the same code. Must not know where entries are stored.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from game.rules.base.errors import RulesError
from game.rules.base.message import say

MOST_CLOCK_S = 1e8
"""Most seconds on a clock: 10,000 moves of a game, each with the longest increment, add less."""
LONGEST_NAME = 40
"""Longest player's name, in characters; what fits beside the board on a phone."""


class EntryKind(Enum):
    """What an entry records, and what its text holds."""

    START = "start"
    """A game began; the text is its options as a JSON object, `first` among them, and what players
    agreed on (`game.table.agreement`)."""
    MOVE = "move"
    """A move was accepted; the text is its canonical record."""
    EDIT = "edit"
    """Hands corrected one cell, or turned a ring; the text is the cell or the ring."""
    TAKE_BACK = "take_back"
    """The last move was taken back, or a resignation, or an agreed draw."""
    RESIGN = "resign"
    """A player resigned; the text is the player's number."""
    FLAG = "flag"
    """A player's time is up; the text is the player's number."""
    CLOCK = "clock"
    """The seconds that are left on the clocks; the text is a JSON list of one number a player."""
    DRAW = "draw"
    """The players agreed on a draw."""
    SET_UP = "set_up"
    """The game goes on from a position that was set up; the text is the position."""
    STANDS = "stands"
    """Hands changed what stands while a position was set up; the text is a JSON object of all
    pieces by cell."""
    NAMES = "names"
    """The players' names; the text is a JSON list of one name a player."""
    SEAL = "seal"
    """A player submitted a secret set-up, or took it back; the text is a JSON list of the player's
    number and the record of the move, null if taken back. When all have, their moves follow."""
    COVER = "cover"
    """The faces that the last move showed are covered again."""
    COMPUTERS = "computers"
    """Who is a computer; the text is a JSON list of a level's name a player, null for a person."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game's journal."""

    kind: EntryKind
    text: str = ""


class BadEntry(RulesError):
    """Refuse an entry that cannot follow the ones before it, or whose text cannot be read."""


def bad_entry(kind: EntryKind, text: str = "") -> BadEntry:
    """Make the error for an entry; a text that holds a secret is left out."""
    return BadEntry(say("table.bad_entry", kind=kind.value, text=text))


def options_text(options: dict[str, str]) -> str:
    """Write a game's options as the text of a START entry."""
    return json.dumps(options, sort_keys=True)


def options_in(text: str) -> dict[str, str]:
    """Read the text of a START entry; raises BadEntry."""
    return _texts_in(EntryKind.START, text)


def pieces_text(pieces: Mapping[str, str]) -> str:
    """Write what stands as the text of a STANDS entry."""
    return json.dumps(dict(pieces), sort_keys=True)


def pieces_in(text: str) -> dict[str, str]:
    """Read the text of a STANDS entry; raises BadEntry."""
    return _texts_in(EntryKind.STANDS, text)


def names_text(names: tuple[str, ...]) -> str:
    return json.dumps(names, ensure_ascii=False)


def names_in(text: str) -> tuple[str, ...]:
    """Read the text of a NAMES entry; raises BadEntry."""
    names = _json_in(text)
    if not isinstance(names, list) or not all(_is_name(name) for name in names):
        raise bad_entry(EntryKind.NAMES, text)
    return tuple(names)


def computers_text(computers: tuple[str, ...]) -> str:
    """Write the computer players, "" for a person, as the text of a COMPUTERS entry."""
    return json.dumps([level or None for level in computers], ensure_ascii=False)


def computers_in(text: str) -> tuple[str, ...]:
    """Read the text of a COMPUTERS entry; raises BadEntry."""
    levels = _json_in(text)
    if not isinstance(levels, list) or not all(
        level is None or (_is_name(level) and level) for level in levels
    ):
        raise bad_entry(EntryKind.COMPUTERS, text)
    return tuple(level or "" for level in levels)


def clock_text(left: tuple[float, ...]) -> str:
    return json.dumps([round(each, 3) for each in left])


def clock_in(text: str) -> tuple[float, ...]:
    """Read the text of a CLOCK entry; raises BadEntry."""
    left = _json_in(text)
    if not isinstance(left, list) or not all(
        type(each) in (int, float) and 0 <= each <= MOST_CLOCK_S for each in left
    ):
        raise bad_entry(EntryKind.CLOCK, text)
    return tuple(map(float, left))


def seal_text(player: int, move: str | None) -> str:
    """Write a player's submitted move, None if it is taken back, as the text of a SEAL entry."""
    return json.dumps([player, move])


def seal_in(text: str) -> tuple[int, str | None]:
    """Read the text of a SEAL entry; raises BadEntry, which does not tell the text."""
    match _json_in(text):
        case [int(player), str() | None as move]:
            return player, move
    raise bad_entry(EntryKind.SEAL)


def _texts_in(kind: EntryKind, text: str) -> dict[str, str]:
    texts = _json_in(text)
    if not isinstance(texts, dict) or not all(isinstance(each, str) for each in texts.values()):
        raise bad_entry(kind, text)
    return texts


def _json_in(text: str) -> object:
    """Read JSON; None where it cannot be read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name.isprintable() and len(name) <= LONGEST_NAME
