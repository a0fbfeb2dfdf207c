"""What a journal tells without the rules: who played, and the moves that stand at its end.

Owns this telling, which is fast and also good for a game that is not installed. Must not know
where games are kept. What the rules make of a journal is told by `record`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from game.app.errors import RecordError
from game.app.history.record import DECIDING, known, sentence
from game.app.journal.store import Line
from game.rules.errors import RulesError
from game.table.entries import Entry, Kind, computers_in, names_in, options_in

_DECIDING = (Kind.MOVE, *DECIDING, Kind.SET_UP)
"""By one of these a game that is over ended."""


@dataclass(frozen=True, slots=True)
class Outline:
    """Who played with which options, from which position, and the moves; as in a `Record`."""

    options: Mapping[str, str]
    names: tuple[str, ...]
    computers: tuple[str, ...]
    position: str
    moves: tuple[str, ...]


def outline(lines: Iterable[Line], *, over: bool) -> Outline:
    """Fold a journal into the line of moves at its end; raises RecordError.

    Who are computers is for the next game where this one is `over`: no more of it was played.
    """
    options: dict[str, str] = {}
    names: tuple[str, ...] = ()
    computers: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    position = ""
    moves: list[str] = []
    ended = False
    for line in lines:
        match line.entry:
            case Entry(Kind.START, text):
                options, position, moves, ended = _told(options_in, text), "", [], False
            case Entry(Kind.NAMES, text):
                names = known(_told(names_in, text))
            case Entry(Kind.COMPUTERS, text):
                computers = known(_told(computers_in, text))
            case Entry(Kind.SET_UP, text):
                position = text
            case Entry(Kind.MOVE, text):
                moves.append(text)
                ended = False
            case Entry(Kind.RESIGN | Kind.DRAW):
                ended = True
            case Entry(Kind.TAKE_BACK):
                moves = moves if ended else moves[:-1]
                ended = False
        if line.entry.kind in _DECIDING:
            played = computers
    return Outline(options, names, played if over else computers, position, tuple(moves))


def _told(read: Any, text: str) -> Any:
    try:
        return read(text)
    except (RulesError, RecursionError) as error:
        raise RecordError(sentence(error)) from error
