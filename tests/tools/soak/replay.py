"""An independent replay: what the rows of a file of games say, without the code that wrote them.

Owns a reading of the journal that shares only the rules with table and store.
"""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game.common.errors import AppError
from game.rules.base.errors import RulesError
from game.rules.base.game import Game
from game.rules.base.values import Outcome


class ReplayError(AppError):
    """Report rows that cannot be the record of a game."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What the rows of the newest game come to; `moves` and `taken_back` count its rows."""

    position: Any
    winner: int | None
    reason: str | None
    plies: int
    moves: int
    taken_back: int


def replay(file: Path, game: Game[Any, Any]) -> Replay:
    """Read the newest game of a file row by row and play it; raise ReplayError.

    The row of the game must tell the same end as its moves.
    """
    with closing(sqlite3.connect(file)) as db:
        row = db.execute("SELECT id, winner, reason FROM games ORDER BY id DESC").fetchone()
        if row is None:
            raise ReplayError("the file has no game: allowed is one for each that was played")
        number, winner, reason = row
        rows = db.execute(
            "SELECT kind, text FROM entries WHERE game_id = ? ORDER BY seq", (number,)
        ).fetchall()
    try:
        found = _played(game, rows)
    except RulesError as error:
        raise ReplayError(f"the journal cannot be played: {error}") from error
    if (found.winner, found.reason) != (winner, reason):
        raise ReplayError(
            f"the game's row says winner {winner} ({reason}), its moves {found.winner}"
            f" ({found.reason})"
        )
    return found


def _played(game: Game[Any, Any], rows: list[tuple[str, str]]) -> Replay:
    earlier: list[Any] = []
    position, ended = None, ""
    moves = taken_back = 0
    for kind, text in rows:
        if position is None and kind != "start":
            raise ReplayError(f"a row of kind {kind!r} comes before the one that starts the game")
        match kind:
            case "start":
                position, earlier, ended = game.initial(json.loads(text)), [], ""
            case "set_up":
                position, earlier, ended = game.parse(text), [], ""
            case "move":
                earlier.append(position)
                position = game.play(position, game.parse_move(position, text))
                moves += 1
            case "resign" | "draw":
                ended = text or "draw"
            case "take_back":
                taken_back += 1
                if ended:
                    ended = ""
                elif earlier:
                    position = earlier.pop()
                else:
                    raise ReplayError("a move is taken back before any was played")
            case "seal" | "cover" | "edit" | "names":
                continue
            case _:
                raise ReplayError(f"a row is of kind {kind!r}, which no record has")
    if position is None:
        raise ReplayError("the game has no row that starts it")
    winner, reason = _end(game.outcome(position), ended, len(game.players))
    return Replay(position, winner, reason, len(earlier), moves, taken_back)


def _end(outcome: Outcome | None, ended: str, players: int) -> tuple[int | None, str | None]:
    """Return the end; `ended` is the number of the player who resigned, or "draw"."""
    if ended == "draw":
        return None, "agreed"
    if ended:
        return (int(ended) % players + 1 if players == 2 else None), "resigned"
    return (outcome.winner, outcome.reason) if outcome is not None else (None, None)
