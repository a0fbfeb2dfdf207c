"""The messages that a page sends to its server.

Owns what a page may send, as one dataclass a message with the limits of its fields. The page's side
is `page/messages.js`, which also lists the keys of what a page is sent; a test compares both. Must
not know what a message does, nor who may send it. What a board or a game allows is checked where it
is known.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from reprlib import Repr
from typing import Any, ClassVar, NewType, get_args, get_type_hints

from game.common.translation import LANGUAGES
from game.table.inputs import Command

MAX_TEXT = 512
"""Letters of a text: names are cut by the table, codes and keys of seats have 22 and 43."""
MAX_ITEMS = 200
"""Items of a list: no board has more cells, and no set-up more pieces."""

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 80

Language = NewType("Language", str)


class MessageError(ValueError):
    """A message that is not allowed; the text names field, value and allowed values."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """The allowed values of a field of one type: their description, a check, and a conversion."""

    allowed: str
    accepts: Callable[[Any], bool]
    convert: Callable[[Any], Any] = lambda value: value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_TEXT


def _is_number(value: object) -> bool:
    """Tell whether a value is an int, and not a bool."""
    return type(value) is int


def _list_of(accepts: Callable[[object], bool]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list) and len(value) <= MAX_ITEMS and all(map(accepts, value))
    )


def _is_set_up(value: Any) -> bool:
    if not isinstance(value, dict):
        return value is None
    return len(value) <= MAX_ITEMS and all(map(_is_text, (*value.keys(), *value.values())))


_MANY = f"a list of at most {MAX_ITEMS}"
_COMMANDS = {command.value: command for command in Command}
_RULES: dict[object, _Rule] = {
    str: _Rule(f"a text of at most {MAX_TEXT} letters", _is_text),
    int: _Rule("a whole number", _is_number),
    bool: _Rule("true or false", lambda value: type(value) is bool),
    tuple[str, ...]: _Rule(f"{_MANY} texts", _list_of(_is_text), tuple),
    tuple[int, ...]: _Rule(f"{_MANY} whole numbers", _list_of(_is_number), tuple),
    dict[str, str] | None: _Rule(f"null, or at most {MAX_ITEMS} pieces by cell", _is_set_up),
    Language: _Rule(", ".join(LANGUAGES), lambda value: _is_text(value) and value in LANGUAGES),
    Command: _Rule(
        ", ".join(_COMMANDS), lambda value: _is_text(value) and value in _COMMANDS, Command
    ),
}


@dataclass(frozen=True, slots=True)
class Press:
    """Put a finger on a cell or key of a simulated board."""

    do: ClassVar = "press"
    pointer: str
    spot: str


@dataclass(frozen=True, slots=True)
class Lift:
    """Take a finger off a simulated board."""

    do: ClassVar = "lift"
    pointer: str


@dataclass(frozen=True, slots=True)
class PressKey:
    """Press and release a key of the game."""

    do: ClassVar = "key"
    name: str


@dataclass(frozen=True, slots=True)
class GiveCommand:
    """Give a command."""

    do: ClassVar = "command"
    name: Command


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Answer no to the question whether a command is meant."""

    do: ClassVar = "dismiss"


@dataclass(frozen=True, slots=True)
class TouchCell:
    """Touch a masked cell, or step through a replay."""

    do: ClassVar = "touch"
    cell: str


@dataclass(frozen=True, slots=True)
class MaskCells:
    """Replace the set of masked cells."""

    do: ClassVar = "mask"
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamePlayers:
    """Name the players, "" for no name."""

    do: ClassVar = "name"
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayPiece:
    """Put a piece on a cell of the position that is being set up, "" for none."""

    do: ClassVar = "lay"
    cell: str
    piece: str


@dataclass(frozen=True, slots=True)
class PickPiece:
    """Choose the piece that touches set in a position."""

    do: ClassVar = "pick"
    piece: str


@dataclass(frozen=True, slots=True)
class SetScore:
    """Set score and next player of the position that is being set up."""

    do: ClassVar = "score"
    score: tuple[int, ...]
    to_move: int


@dataclass(frozen=True, slots=True)
class SetOpponents:
    """Choose a computer's level for each player, "" for a person; `new` begins a new game."""

    do: ClassVar = "opponents"
    computers: tuple[str, ...]
    new: bool


@dataclass(frozen=True, slots=True)
class SwitchHands:
    """Let a simulated board play its own hands, or leave that to people."""

    do: ClassVar = "hands"
    automatic: bool


@dataclass(frozen=True, slots=True)
class Analyse:
    """Ask how the game went."""

    do: ClassVar = "analyse"


@dataclass(frozen=True, slots=True)
class ChooseLanguage:
    """Choose the language of this page."""

    do: ClassVar = "language"
    lang: Language


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Take a free seat by an invitation."""

    do: ClassVar = "sit"
    invite: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReturnToSeat:
    """Come back to a seat by its key."""

    do: ClassVar = "return"
    player: int
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Give up this page's seat."""

    do: ClassVar = "stand"


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """Take a seat from its holder."""

    do: ClassVar = "free"
    player: int


@dataclass(frozen=True, slots=True)
class Arrange:
    """Submit the set-up of this page's own side; null to begin again."""

    do: ClassVar = "arrange"
    pieces: dict[str, str] | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class DoAction:
    """Do an action that a maker's tool offers."""

    do: ClassVar = "action"
    name: str


_OfBoard = Press | Lift | PressKey | TouchCell | MaskCells | SwitchHands
_OfGame = (
    GiveCommand | Dismiss | NamePlayers | SetOpponents | LayPiece | PickPiece | SetScore | Analyse
)
OfSeat = TakeSeat | ReturnToSeat | LeaveSeat | FreeSeat | Arrange
FromPage = _OfBoard | _OfGame | OfSeat | ChooseLanguage | DoAction
ON_GAME_PAGE: tuple[type[FromPage], ...] = get_args(_OfBoard | _OfGame | ChooseLanguage)
ON_SEATED_PAGE = (*ON_GAME_PAGE, *get_args(OfSeat))
ON_TOOL_PAGE: tuple[type[FromPage], ...] = (DoAction, Press, Lift)
ON_WAITING_PAGE: tuple[type[FromPage], ...] = (ChooseLanguage,)
FROM_PAGE: dict[str, type[FromPage]] = {kind.do: kind for kind in get_args(FromPage)}
_FIELDS = {
    do: {each.name: _RULES[get_type_hints(kind)[each.name]] for each in fields(kind)}
    for do, kind in FROM_PAGE.items()
}


def parse(message: object, kinds: tuple[type[FromPage], ...]) -> FromPage:
    """Parse a decoded message of one of these kinds; raises MessageError."""
    if not isinstance(message, dict):
        raise MessageError(f"message is {short(message)}; allowed: an object with do")
    given = dict(message)
    do = given.pop("do", None)
    kind = FROM_PAGE.get(do) if isinstance(do, str) else None
    if kind not in kinds or kind is None:
        allowed = ", ".join(each.do for each in kinds)
        raise MessageError(f"do is {short(do)}; allowed: {allowed}")
    values = {}
    secret = {each.name for each in fields(kind) if not each.repr}
    for name, rule in _FIELDS[kind.do].items():
        if name not in given:
            raise MessageError(f"{name} of {do} is missing; allowed: {rule.allowed}")
        value = given.pop(name)
        if not rule.accepts(value):
            if name in secret:
                raise MessageError(f"{name} has another form; allowed: {rule.allowed}")
            raise not_allowed(name, value, rule.allowed)
        values[name] = rule.convert(value)
    if given:
        allowed = ", ".join(_FIELDS[kind.do]) or "none"
        raise MessageError(f"fields of {do} are also {short(list(given))}; allowed: {allowed}")
    return kind(**values)


def not_allowed(name: str, value: object, allowed: str) -> MessageError:
    """Return the error of a field whose value is not allowed."""
    return MessageError(f"{name} is {short(value)}; allowed: {allowed}")


def short(value: object) -> str:
    """Write a value for an error message, cut if it is long."""
    return _SHORT.repr(value)
