"""The messages that a page sends to its server.

Each is a struct with the limits of its fields. `make messages` writes from them the functions of
`page/messages.js` and a table of `docs/websocket.md`. What a board or a game allows is checked
where it is known.
"""

import json
from typing import Annotated, get_args

from game.table.inputs import (
    Command,
    Dismissed,
    MaskChanged,
    Say,
    SelectPiece,
    SetHelp,
    SetNames,
    SetOpponents,
    SetPiece,
    SetScore,
    Touched,
)
from hal.base import schema
from hal.base.schema import MAX_TEXT, Meta, SchemaError, Secret, Struct, secrets, short

MAX_ITEMS = 200
"""Items of a list: no board has more cells, and no set-up more pieces."""

Text = Annotated[str, Meta(max_length=MAX_TEXT)]
"""Names are cut by the table; codes and keys of seats have 22 and 43 letters."""
Texts = Annotated[tuple[Text, ...], Meta(max_length=MAX_ITEMS)]
ByKey = Annotated[dict[Text, Text], Meta(max_length=MAX_ITEMS)]


class MessageError(ValueError):
    """A message that is not allowed; the text names field, value and allowed values."""


class _Message(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """A kind of message; its tag is `do` in JSON."""

    def __repr__(self) -> str:
        shown = [each for each in self.__struct_fields__ if each not in secrets(type(self))]
        values = (f"{each}={getattr(self, each)!r}" for each in shown)
        return f"{type(self).__name__}({', '.join(values)})"


class Press(_Message, frozen=True, tag="press"):
    """Put a finger on a cell or key of a simulated board."""

    pointer: Text
    spot: Text


class Lift(_Message, frozen=True, tag="lift"):
    """Take a finger off a simulated board."""

    pointer: Text


class PressKey(_Message, frozen=True, tag="key"):
    """Press and release a key of the game."""

    name: Text


class GiveCommand(_Message, frozen=True, tag="command"):
    """Give a command."""

    name: Command


class Preview(_Message, frozen=True, tag="preview"):
    """Ask what a touch of a cell would make and take, and how good it is; "" for no cell."""

    cell: Text


class StartGame(_Message, frozen=True, tag="start"):
    """Begin a new game, of this or another game; null options are those of the last one."""

    game: Text
    options: ByKey | None
    computers: Texts
    names: Texts


class OpenActivity(_Message, frozen=True, tag="open"):
    """Open another activity, such as the unfinished game of another game."""

    kind: Text
    game: Text


class EnterRoom(_Message, frozen=True, tag="room"):
    """Play with another board: offer a room with the code "new", or join one; "" is no broker."""

    broker: Text
    tls: bool
    user: Text
    password: Secret
    code: Text
    name: Text
    options: ByKey | None


class LeaveRoom(_Message, frozen=True, tag="leave"):
    """Play alone again."""


class SwitchHands(_Message, frozen=True, tag="hands"):
    """Let a simulated board make its own edits, or leave them to people."""

    automatic: bool


class Look(_Message, frozen=True, tag="look"):
    """Look at the position after `ply` moves, or at the puzzle with that number."""

    ply: int


class Analyse(_Message, frozen=True, tag="analyse"):
    """Ask how the game went."""


class TakeSeat(_Message, frozen=True, tag="sit"):
    """Take a free seat by an invitation."""

    invite: Secret


class ReturnToSeat(_Message, frozen=True, tag="return"):
    """Come back to a seat by its key."""

    player: int
    key: Secret


class LeaveSeat(_Message, frozen=True, tag="stand"):
    """Give up this page's seat."""


class FreeSeat(_Message, frozen=True, tag="free"):
    """Take a seat from its holder."""

    player: int


class Arrange(_Message, frozen=True, tag="arrange"):
    """Submit the set-up of this page's own side; null to begin again."""

    pieces: Annotated[ByKey | None, Meta(extra={"secret": True})]


class DoAction(_Message, frozen=True, tag="action"):
    """Do an action that a maker's tool offers."""

    name: Text


class Ping(_Message, frozen=True, tag="ping"):
    """Ask whether the server is there; it answers with a pong."""


_OfSetUp = SetPiece | SelectPiece | SetScore
_Input = Touched | MaskChanged | Dismissed | SetNames | _OfSetUp | SetOpponents | SetHelp | Say
_INPUTS: dict[str, type[_Input]] = {
    "touch": Touched,
    "mask": MaskChanged,
    "dismiss": Dismissed,
    "name": SetNames,
    "lay": SetPiece,
    "pick": SelectPiece,
    "score": SetScore,
    "opponents": SetOpponents,
    "help": SetHelp,
    "say": Say,
}
"""Inputs of the table that a page sends as they stand."""

_OfBoard = Press | Lift | PressKey | Preview | SwitchHands
_OfGame = GiveCommand | Analyse | StartGame | OpenActivity | EnterRoom | LeaveRoom
OfSeat = TakeSeat | ReturnToSeat | LeaveSeat | FreeSeat | Arrange
_Tagged = _OfBoard | _OfGame | OfSeat | Look | DoAction | Ping
FromPage = _Tagged | _Input
ON_GAME_PAGE: tuple[type[FromPage], ...] = get_args(_OfBoard | _OfGame | _Input | Look)
ON_SEATED_PAGE = (*ON_GAME_PAGE, *get_args(OfSeat))
ON_TOOL_PAGE: tuple[type[FromPage], ...] = (DoAction, Press, Lift)
FROM_PAGE: dict[str, type[FromPage]] = {
    kind.__struct_config__.tag: kind for kind in get_args(_Tagged)
} | _INPUTS


def parse(text: str, kinds: tuple[type[FromPage], ...]) -> FromPage:
    """Read a message of one of these kinds; raises MessageError."""
    try:
        # Unlike msgspec it accepts half an emoji (a lone surrogate), where a page cuts a name.
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError("message is not JSON") from None
    do = message.get("do") if isinstance(message, dict) else None
    known = {name: kind for name, kind in FROM_PAGE.items() if kind in kinds}
    if not isinstance(do, str) or do not in known:
        raise not_allowed("do", do, ", ".join(known))
    try:
        return schema.convert(message, known[do])
    except SchemaError as error:
        raise MessageError(str(error)) from None


def not_allowed(name: str, value: object, allowed: str) -> MessageError:
    """Return the error of a field whose value is not allowed."""
    return MessageError(f"{name} is {short(value)}; allowed: {allowed}")
