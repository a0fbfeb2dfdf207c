"""Read positions in the referee's keys: the parts that games have in common, with checks."""

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import Enum
from typing import TypeVar

from game.rules.base.errors import BadPosition
from game.rules.base.message import LONGEST, Message, quote, say
from game.rules.boards.board import Board

Data = Mapping[str, object]
E = TypeVar("E", bound=Enum)
T = TypeVar("T")
MOST_SCORE = 9999
"""Highest score of a position that is set up: four digits fit the score lights of every board."""


def bad_key(key: str, value: object, allowed: str) -> BadPosition:
    return BadPosition(say("rules.bad_key", key=key, value=quote(value), allowed=allowed))


def bad_piece(cell: str, code: object, allowed: str) -> BadPosition:
    return BadPosition(say("rules.bad_piece", cell=cell, value=quote(code), allowed=allowed))


def no_such_cell(board: Board, text: object) -> Message:
    first, *_, last = board.cells
    return say("rules.no_such_cell", text=str(text)[:LONGEST], first=first, last=last)


def codes_of(data: Data) -> dict[str, object]:
    """Return codes by cell; check neither codes nor cells."""
    pieces = data.get("pieces", {})
    if not isinstance(pieces, dict):
        raise bad_key("pieces", pieces, "{cell: code}")
    return pieces


def read_pieces(
    data: Data, board: Board, read: Callable[[str], T | None], allowed: str
) -> Iterator[tuple[str, T]]:
    """Yield each cell with `read` of its code; raise BadPosition if that is None."""
    for cell, code in codes_of(data).items():
        if cell not in board.centres:
            raise BadPosition(no_such_cell(board, cell))
        piece = read(code) if isinstance(code, str) else None
        if piece is None:
            raise bad_piece(cell, code, allowed)
        yield cell, piece


def split_pieces(text: str) -> dict[str, str]:
    """Read codes by cell from a text such as `a1=W,b2=B`, or `-` for none."""
    pieces: dict[str, str] = {}
    for each in text.split(",") if text != "-" else ():
        cell, _, code = each.partition("=")
        if cell in pieces:
            raise BadPosition(say("rules.cell_twice", cell=cell))
        pieces[cell] = code
    return pieces


def read_score(data: Data, most: int = MOST_SCORE) -> tuple[int, int]:
    """Return the scores of two players."""
    score = data.get("score", [0, 0])
    if isinstance(score, list | tuple) and len(score) == 2:
        one, two = score
        if type(one) is int and type(two) is int and 0 <= min(one, two) <= max(one, two) <= most:
            return one, two
    raise bad_key("score", score, f"[0, 0] - [{most}, {most}]")


def read_flag(data: Data, key: str, usual: bool = False) -> bool:
    value = data.get(key, usual)
    if type(value) is not bool:
        raise bad_key(key, value, "true | false")
    return value


def read_choice(data: Data, key: str, usual: E) -> E:
    """Return the member of an enumeration with the given value; the default if none is given."""
    value = data.get(key)
    for each in type(usual):
        if value == each.value:
            return each
    if value is None:
        return usual
    raise bad_key(key, value, " | ".join(str(each.value) for each in type(usual)))


def read_to_move(data: Data, usual: int, players: int = 2) -> int | None:
    """Return the player to move, from 1; None for null, which means that the game is over."""
    mover = data.get("to_move", usual)
    allowed = [str(n + 1) for n in range(players)]
    if mover is not None and str(mover) not in allowed:
        raise bad_key("to_move", mover, " | ".join(allowed))
    return None if mover is None else int(str(mover))


def read_winner(data: Data, could_be: Collection[int]) -> int:
    """Return the winner of a finished game: among several candidates, the one that is named."""
    named = named_winner(data)
    winners = [each for each in could_be if named == each or (named is None and len(could_be) == 1)]
    if winners:
        return winners[0]
    raise BadPosition(say("rules.no_winner")) if could_be else not_over()


def named_winner(data: Data) -> object:
    """Return the winner that the given outcome names; None if it names none."""
    outcome = data.get("outcome")
    return outcome.get("winner") if isinstance(outcome, dict) else None


def not_over(players: int = 2) -> BadPosition:
    allowed = " | ".join(str(n + 1) for n in range(players))
    return BadPosition(say("rules.not_over", allowed=allowed))
