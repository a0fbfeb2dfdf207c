"""The course of a kept game in the terminal: who was ahead when, and what turned it.

Owns the texts of the command `analyse`. What the moves are worth is found by `game.engine.course`.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from game.app.errors import AppError
from game.app.history import record_text
from game.app.history.archive import record_of
from game.app.history.record import Record, game_named
from game.app.words import words
from game.engine.catalogue import judging_nodes
from game.engine.course import (
    Point,
    analysed,
    can_be_judged,
    final_value,
    positions_of,
    turning_points,
)
from game.rules.game import Game, Json
from game.rules.movetext import as_word

_SEED = 0
_BAR = 20  # characters


def analyse(folder: Path, which: str, nodes: int | None, *, as_json: bool) -> str:
    """Judge every move of a kept game by a search of so many nodes a position; raises AppError.

    None is as many as are usual for the game.
    """
    number, record = record_of(folder, which)
    game = game_named(record.game)
    if not can_be_judged(game):
        what = "whose players do not see all" if game.hidden else f"for {len(game.players)} players"
        raise AppError(
            f"game {number} is {game.name}, {what}; allowed: games for two who see everything"
        )
    nodes = judging_nodes(game) if nodes is None else nodes
    positions, moves = positions_of(game, _start(game, record), record.moves)
    points = []
    for point in analysed(game, positions, moves, nodes, _SEED):
        points.append(point)
        _watch(len(points), len(moves))
    turning = turning_points(points)
    final = _final(game, record, positions[-1])
    if as_json:
        return json.dumps(_as_json(number, record, nodes, points, turning, final))
    return "\n".join(_lines(game, record, nodes, points, turning, final))


def _start(game: Game[Any, Any], record: Record) -> Any:
    return game.parse(record.position) if record.position else game.initial(record.options)


def _final(game: Game[Any, Any], record: Record, last: Any) -> float | None:
    """Return player 1's score of the game, also of one that was resigned; None while it goes on."""
    value = final_value(game, last)
    if value is None and record.result is not None:
        winner = record.result.winner
        return 0.5 if winner is None else float(winner == 1)
    return value


def _watch(done: int, moves: int) -> None:
    """Tell on a terminal how far it is."""
    if sys.stderr.isatty():
        end = "\r\033[K" if done == moves else "\r"
        text = "" if done == moves else f"{done} of {moves} moves"
        print(text, end=end, file=sys.stderr, flush=True)


def _as_json(
    number: int,
    record: Record,
    nodes: int,
    points: list[Point],
    turning: tuple[int, ...],
    final: float | None,
) -> Json:
    return {
        "number": number,
        "game": record.game,
        "nodes": nodes,
        "points": [
            {
                "ply": point.ply,
                "player": point.player,
                "move": point.move,
                "value": round(point.value, 4),
                "decided": point.decided,
                "best": point.best,
                "line": list(point.line),
                "loss": round(point.loss, 4),
            }
            for point in points
        ],
        "turning": list(turning),
        "final": final,
    }


def _lines(
    game: Game[Any, Any],
    record: Record,
    nodes: int,
    points: list[Point],
    turning: tuple[int, ...],
    final: float | None,
) -> Iterator[str]:
    yield record_text.write(record)
    speak = words("en")
    first, second = (speak.text(player) for player in game.players)
    if not points:
        yield "No move was made."
        return
    yield (
        f"Before each move, the chances of {first} (bar) as a search of {nodes:,} nodes sees"
        " them; = is proved, * turned the game:"
    )
    yield ""
    wide = max(len(text) for text in record.moves)
    for point, text in zip(points, record.moves, strict=True):
        sign = "=" if point.decided else " "
        mark = "*" if point.ply in turning else " "
        who = first if point.player == 1 else second
        told = f"{point.ply + 1:4d} {mark} {_bar(point.value)} {_percent(point.value)}{sign}"
        line = f"{told}  {who:<{max(len(first), len(second))}}  {text:<{wide}}"
        yield (line + _better(point) if point.ply in turning else line).rstrip()
    if final is not None:
        yield f"{'end':>4}   {_bar(final)} {_percent(final)}"
    yield ""
    yield _turns(turning)


def _better(point: Point) -> str:
    line = " ".join(map(as_word, point.line))
    return f"  {point.move_value:.0%} instead of {point.best_value:.0%}: better {line}"


def _turns(turning: tuple[int, ...]) -> str:
    if not turning:
        return "No single move turned the game."
    moves = ", ".join(str(ply + 1) for ply in turning)
    return f"What turned the game: {'move' if len(turning) == 1 else 'moves'} {moves}."


def _bar(value: float) -> str:
    full = round(value * _BAR)
    return "#" * full + "." * (_BAR - full)


def _percent(value: float) -> str:
    return f"{value:4.0%}"
