"""The entries of a game's journal, from which the game can be replayed.

Every change of a game's logical state is an entry. The first entry of a game also has what the
players agreed on: a clock, and how much help they get.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from game.rules.base.clocks import ClockRule
from game.rules.base.errors import BadOption, RulesError
from game.rules.base.message import say
from game.rules.base.names import LONGEST_NAME, player_name

MOST_CLOCK_S = 1e8
"""Most seconds on a clock; 10,000 moves of a game, each with the longest increment, add less."""
OTHER_BOARD = "board"  # In place of a computer player's level: the player is at another board
EVEN = "even"  # In place of a computer player's level: the level that suits the other player
ENDED_BY_PLAYERS = RESIGNED, AGREED, TIME_UP = "resigned", "agreed", "time up"
"""The reasons of outcomes that are not caused by a move."""


class EntryKind(Enum):
    """What an entry records, and what its text holds."""

    START = "start"
    """A game began; the text is its options as a JSON object, `first` among them, and what players
    agreed on (`parse`)."""
    MOVE = "move"  # A move was accepted; the text is its canonical record
    EDIT = "edit"  # Hands corrected one cell, or turned a ring; the text is the cell or the ring
    TAKE_BACK = "take_back"  # The last move was taken back, or a resignation, or an agreed draw
    RESIGN = "resign"  # A player resigned; the text is the player's number
    FLAG = "flag"  # A player's time is up; the text is the player's number
    CLOCK = "clock"
    """The seconds left on the clocks; the text is a JSON list of one number per player."""
    DRAW = "draw"  # The players agreed on a draw
    SET_UP = "set_up"  # The game goes on from a position that was set up; the text is the position
    STANDS = "stands"
    """The standing pieces after a position was set up, as earlier versions recorded them; the text
    is a JSON object of all pieces by cell."""
    NAMES = "names"  # The players' names; the text is a JSON list of one name per player
    SEAL = "seal"
    """A player submitted a secret set-up, or took it back; the text is a JSON list of the player's
    number and the move's record, or null. When all players have submitted, their moves follow."""
    COVER = "cover"  # The faces that the last move showed are covered again
    COMPUTERS = "computers"
    """The computer players; the text is a JSON list: a level's name per player, null for people."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game's journal."""

    kind: EntryKind
    text: str = ""


Entries = tuple[Entry, ...]


class BadEntry(RulesError):
    """Refuse an entry that cannot follow the previous ones, or whose text cannot be read."""


def bad_entry(kind: EntryKind, text: str = "") -> BadEntry:
    """Make the error for an entry; leave out a text that holds a secret."""
    return BadEntry(say("table.bad_entry", kind=kind.value, text=text))


def options_text(options: dict[str, str]) -> str:
    """Write a game's options as the text of a START entry."""
    return json.dumps(options, sort_keys=True)


def options_in(text: str) -> dict[str, str]:
    """Read the text of a START entry; raises BadEntry."""
    return dict(_read(EntryKind.START, text, dict, _is_text))


def pieces_in(text: str) -> dict[str, str]:
    """Read the text of a STANDS entry; raises BadEntry."""
    return dict(_read(EntryKind.STANDS, text, dict, _is_text))


def names_text(names: tuple[str, ...]) -> str:
    return json.dumps(names, ensure_ascii=False)


def names_in(text: str) -> tuple[str, ...]:
    """Read the text of a NAMES entry; raises RulesError."""
    return tuple(map(player_name, _read(EntryKind.NAMES, text, list, _is_text)))


def computers_text(computers: tuple[str, ...]) -> str:
    """Write the computer players, "" for a person, as the text of a COMPUTERS entry."""
    return json.dumps([level or None for level in computers], ensure_ascii=False)


def computers_in(text: str) -> tuple[str, ...]:
    """Read the text of a COMPUTERS entry; raises BadEntry."""
    return tuple(level or "" for level in _read(EntryKind.COMPUTERS, text, list, _is_level))


def clock_text(left: tuple[float, ...]) -> str:
    return json.dumps([round(each, 3) for each in left])


def clock_in(text: str) -> tuple[float, ...]:
    """Read the text of a CLOCK entry; raises BadEntry."""
    return tuple(map(float, _read(EntryKind.CLOCK, text, list, _is_time)))


def seal_text(player: int, move: str | None) -> str:
    """Write a player's submitted move, None if it is taken back, as the text of a SEAL entry."""
    return json.dumps([player, move])


def seal_in(text: str) -> tuple[int, str | None]:
    """Read the text of a SEAL entry; raises BadEntry, which does not contain the text."""
    match _read(EntryKind.SEAL, text, list, lambda _: True):
        case [int(player), str() | None as move]:
            return player, move
    raise bad_entry(EntryKind.SEAL)


def _read(kind: EntryKind, text: str, shape: type, is_good: Callable[[Any], bool]) -> Any:
    """Read a JSON object or list of good values; an error does not contain a secret set-up."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    values = found.values() if isinstance(found, dict) else found
    if not isinstance(found, shape) or not all(map(is_good, values)):
        raise bad_entry(kind, "" if kind is EntryKind.SEAL else text)
    return found


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_level(name: Any) -> bool:
    text = isinstance(name, str) and name.isprintable()
    return name is None or (text and 0 < len(name) <= LONGEST_NAME)


def _is_time(seconds: Any) -> bool:
    return type(seconds) in (int, float) and 0 <= seconds <= MOST_CLOCK_S


CLOCK, ASSISTANCE, HELP_LEVELS = "clock", "assistance", "help"  # The names of the options
CLOCKS = (
    *("none", "move:30", "move:60", "move:120"),
    *("fischer:180+2", "fischer:300+3", "fischer:600+5", "fischer:1800+20"),
)
"""Available clocks: none, seconds per move, or seconds per game plus an increment per move."""
ASSISTANCES = ("casual", "strict", "chances")
"""With hints, lessons and undo; without them; or with them, and all see who stands better."""
_CLOCK = re.compile(r"(move):([1-9]\d{0,4})|(fischer):([1-9]\d{0,4})\+(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Agreement:
    """What players agreed on, as texts; the defaults hold for games older than these options.

    `help_levels` is read by `help_in`.
    """

    clock: str = CLOCKS[0]
    assistance: str = ASSISTANCES[0]
    help_levels: str = ""

    @property
    def strict(self) -> bool:
        """Whether hints, lessons and taking back are locked."""
        return self.assistance == "strict"

    @property
    def rule(self) -> ClockRule | None:
        found = _CLOCK.fullmatch(self.clock)
        if found is None:
            return None
        if found[1]:
            return ClockRule(int(found[2]), per_move=True)
        return ClockRule(int(found[4]), int(found[5]))

    @property
    def options(self) -> dict[str, str]:
        """The values that differ from the defaults, as options."""
        chosen = {CLOCK: self.clock, ASSISTANCE: self.assistance, HELP_LEVELS: self.help_levels}
        usual = {CLOCK: CLOCKS[0], ASSISTANCE: ASSISTANCES[0], HELP_LEVELS: ""}
        return {key: value for key, value in chosen.items() if value != usual[key]}


def parse(options: Mapping[str, str]) -> tuple[Agreement, dict[str, str]]:
    """Split options into the agreement and the game's own options; raises BadOption."""
    own, usual = dict(options), Agreement()
    clock, assistance = own.pop(CLOCK, usual.clock), own.pop(ASSISTANCE, usual.assistance)
    agreed = Agreement(clock, assistance, own.pop(HELP_LEVELS, ""))
    allowed = "none | move:SECONDS | fischer:SECONDS+SECONDS"
    if clock != usual.clock and agreed.rule is None:
        raise BadOption(say("rules.bad_option", key=CLOCK, value=clock, allowed=allowed))
    allowed = " | ".join(ASSISTANCES)
    if assistance not in ASSISTANCES:
        raise BadOption(say("rules.bad_option", key=ASSISTANCE, value=assistance, allowed=allowed))
    return agreed, own
