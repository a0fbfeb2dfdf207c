"""The command `analyse`: who was ahead when in a saved game, and which moves turned it.

Owns its texts. The values of moves come from `game.engine.course`.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from game.common import AppError, words
from game.engine import (
    Point,
    analysed,
    can_be_judged,
    final_value,
    judging_nodes,
    positions_of,
    turning_points,
)
from game.rules.base.game import AnyGame
from game.rules.base.moves import as_word
from game.store import Record, game_named, record_of, record_to_text, start_of

_SEED = 0
_BAR = 20  # characters


def analyse(folder: Path, which: str, nodes: int | None, *, as_json: bool) -> str:
    """Judge every move of a saved game; raises AppError.

    Each position is searched by `nodes`, or by the usual number for the game.
    """
    number, record = record_of(folder, which)
    game = game_named(record.game)
    if not can_be_judged(game):
        players = len(game.players)
        what = "whose players do not see all" if players == 2 else f"for {players} players"
        raise AppError(
            f"game {number} is {game.name}, {what}; allowed: games for two who see everything"
        )
    nodes = judging_nodes(game) if nodes is None else nodes
    start = start_of(game, record)
    positions, moves = positions_of(game, start, record.moves)
    points: list[Point] = []
    _show_progress(0, len(moves))
    for point in analysed(game, positions, moves, nodes, _SEED):
        points.append(point)
        _show_progress(len(points), len(moves))
    turning = turning_points(points)
    final = final_value(game, positions[-1])
    if final is None and record.result is not None:
        winner = record.result.winner
        final = 0.5 if winner is None else float(winner == 1)
    if not as_json:
        return "\n".join(_lines(game, record, nodes, points, turning, final))
    report = {
        "number": number,
        "game": record.game,
        "nodes": nodes,
        "points": [
            {
                **asdict(point),
                **{key: round(getattr(point, key), 4) for key in ("value", "after", "loss")},
                "mark": point.mark,
            }
            for point in points
        ],
        "turning": turning,
        "final": final,
    }
    return json.dumps(report)


def _show_progress(done: int, moves: int) -> None:
    if sys.stderr.isatty():
        end = "\r\033[K" if done == moves else "\r"
        text = "" if done == moves else f"{done} of {moves} moves"
        print(text, end=end, file=sys.stderr, flush=True)


def _lines(
    game: AnyGame,
    record: Record,
    nodes: int,
    points: Sequence[Point],
    turning: Sequence[int],
    final: float | None,
) -> Iterator[str]:
    yield record_to_text(record)
    if not points:
        yield "No move was made."
        return
    players = [words("en").text(player) for player in game.players]
    yield (
        f"The chances of {players[0]} (bar) before each move, by a search of {nodes:,} nodes;"
        " = is proved, * turned the game, ?! ? ?? are faults:"
    )
    yield ""
    wide, widest = max(map(len, record.moves)) + 2, max(map(len, players))
    for point, move in zip(points, record.moves, strict=True):
        mark, proved = "*" if point.ply in turning else " ", "=" if point.decided else " "
        chance, who = f"{_bar(point.value)}{proved}", players[point.player - 1]
        line = f"{point.ply + 1:4d} {mark} {chance}  {who:<{widest}}  {move + point.mark:<{wide}}"
        if point.mark:
            best = " ".join(map(as_word, point.line))
            line += f"  {point.move_value:.0%} instead of {point.best_value:.0%}: better {best}"
        yield line.rstrip()
    if final is not None:
        yield f"{'end':>4}   {_bar(final)}"
    yield ""
    if turning:
        moves = "move" if len(turning) == 1 else "moves"
        yield f"What turned the game: {moves} {', '.join(str(ply + 1) for ply in turning)}."
    else:
        yield "No single move turned the game."


def _bar(value: float) -> str:
    full = round(value * _BAR)
    return f"{'#' * full}{'.' * (_BAR - full)} {value:4.0%}"
