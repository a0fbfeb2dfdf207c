"""The messages that a page sends to its server.

Owns what a page may send, as a dataclass for each message, with the limits of its fields. The
page's side is `page/messages.js`, which says what each message is for, and also lists the keys of
what a page is sent; a test compares both. Must not know what a message does, nor who may send it.
What a board or a game allows is checked where it is known.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from reprlib import Repr
from typing import Any, ClassVar, NewType, dataclass_transform, get_args, get_type_hints

from game.common.translation import LANGUAGES
from game.table.inputs import Command, Phrase

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
_PHRASES = {phrase.value: phrase for phrase in Phrase}
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
    Phrase: _Rule(", ".join(_PHRASES), lambda value: _is_text(value) and value in _PHRASES, Phrase),
}


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _Message:
    """A kind of message; `do` is its name in JSON. Every subclass is made a frozen dataclass."""

    do: ClassVar[str]

    def __init_subclass__(cls, do: str) -> None:
        cls.do = do
        dataclass(frozen=True)(cls)


class Press(_Message, do="press"):
    pointer: str
    spot: str


class Lift(_Message, do="lift"):
    pointer: str


class PressKey(_Message, do="key"):
    name: str


class GiveCommand(_Message, do="command"):
    name: Command


class Dismiss(_Message, do="dismiss"):
    """Answer no to the question whether a command is meant."""


class TouchCell(_Message, do="touch"):
    cell: str


class Preview(_Message, do="preview"):
    cell: str


class MaskCells(_Message, do="mask"):
    cells: tuple[str, ...]


class NamePlayers(_Message, do="name"):
    names: tuple[str, ...]


class LayPiece(_Message, do="lay"):
    cell: str
    piece: str


class PickPiece(_Message, do="pick"):
    piece: str


class SetScore(_Message, do="score"):
    score: tuple[int, ...]
    to_move: int


class SetOpponents(_Message, do="opponents"):
    computers: tuple[str, ...]


class StartGame(_Message, do="start"):
    game: str
    options: dict[str, str] | None
    computers: tuple[str, ...]
    names: tuple[str, ...]


class OpenActivity(_Message, do="open"):
    kind: str
    game: str


class EnterRoom(_Message, do="room"):
    """Play with another board; a code draws or names the room."""

    broker: str
    tls: bool
    user: str
    password: str = field(repr=False)
    code: str
    name: str
    options: dict[str, str] | None


class SayPhrase(_Message, do="say"):
    """Say something to the other board."""

    phrase: Phrase


class LeaveRoom(_Message, do="leave"):
    """Play alone again."""


class SwitchHands(_Message, do="hands"):
    automatic: bool


class Look(_Message, do="look"):
    ply: int


class Analyse(_Message, do="analyse"):
    """Ask how the game went."""


class ChooseLanguage(_Message, do="language"):
    lang: Language


class TakeSeat(_Message, do="sit"):
    invite: str = field(repr=False)


class ReturnToSeat(_Message, do="return"):
    player: int
    key: str = field(repr=False)


class LeaveSeat(_Message, do="stand"):
    """Give up this page's seat."""


class FreeSeat(_Message, do="free"):
    player: int


class Arrange(_Message, do="arrange"):
    pieces: dict[str, str] | None = field(repr=False)


class DoAction(_Message, do="action"):
    name: str


_OfBoard = Press | Lift | PressKey | TouchCell | Preview | MaskCells | SwitchHands
_OfPlay = GiveCommand | Dismiss | NamePlayers | LayPiece | PickPiece | SetScore | Analyse
_OfGame = _OfPlay | SetOpponents | StartGame | OpenActivity | EnterRoom | LeaveRoom | SayPhrase
OfSeat = TakeSeat | ReturnToSeat | LeaveSeat | FreeSeat | Arrange
FromPage = _OfBoard | _OfGame | OfSeat | Look | ChooseLanguage | DoAction
ON_GAME_PAGE: tuple[type[FromPage], ...] = get_args(_OfBoard | _OfGame | Look | ChooseLanguage)
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
    kind = next((each for each in kinds if each.do == do), None)
    if kind is None:
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
