"""The referee: reads moves line by line and answers each with one JSON object.

Owns the command's protocol, which other programs rely on. The rules decide everything.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TextIO

from game.common import AppError, words
from game.rules.base.errors import BadPosition, IllegalMove, RulesError
from game.rules.base.game import AnyGame
from game.rules.base.message import say
from game.rules.base.values import Json

MOST_PLIES = 999_999
MOST_LINE = 1 << 16
"""Most characters of a line, as in `lifeboard engine`; a set-up has less than 300."""


class UnreadablePosition(AppError):
    """Refuse a start position that is no JSON object."""

    status = 2


def referee(
    game: AnyGame,
    options: Mapping[str, str],
    position_json: str | None,
    list_moves: bool,
    lines: Iterable[str],
) -> Iterator[Json]:
    """Report the start position, then answer each line, with the key `error` if it is refused.

    Raises RulesError or AppError before the first.
    """
    ply, position = 0, game.initial(options)
    if position_json is not None:
        ply, position = _read_position(game, options, position_json)
    answer = _answer(game, position, ply, None, (), list_moves)
    yield answer
    for line in lines:
        text = line.replace("\ufeff", "").strip()
        too_long = len(line) > MOST_LINE and not line.endswith("\n")
        if text.startswith("#") or not (text or too_long):
            continue
        try:
            if too_long:
                raise RulesError(say("engine.too_long", most=MOST_LINE))
            if game.to_move(position) is None:
                raise IllegalMove(say("rules.game_over"))
            done = game.result(position, game.parse_move(position, text))
            ply, position = ply + 1, done.after
        except RulesError as error:
            yield {**answer, "error": words("en").text(error.message)}
            continue
        answer = _answer(game, position, ply, done.text, done.removed, list_moves)
        yield answer


def bounded_lines(stream: TextIO) -> Iterator[str]:
    """Yield lines; one longer than MOST_LINE is cut, and the rest is dropped."""
    while line := stream.readline(MOST_LINE + 1):
        yield line
        while len(line) > MOST_LINE and not line.endswith("\n"):
            line = stream.readline(MOST_LINE + 1)


def _answer(
    game: AnyGame,
    position: Any,
    ply: int,
    move: str | None,
    removed: tuple[str, ...],
    list_moves: bool,
) -> Json:
    players = range(1, len(game.players) + 1)
    arranging = any(game.arranging(position, player) is not None for player in players)
    # Before play there are too many moves to count.
    moves = None if arranging else game.legal_moves(position)
    outcome = game.outcome(position)
    answer: Json = {
        "ply": ply,
        "move": move,
        "to_move": game.to_move(position),
        "pieces": game.pieces(position),
        "removed": removed,
        "score": game.score(position),
        "legal": None if moves is None else len(moves),
    }
    if list_moves:
        texts = None if moves is None else sorted(game.plain_text(position, m) for m in moves)
        answer["moves"] = texts
    answer["outcome"] = outcome and {"winner": outcome.winner, "reason": outcome.reason}
    return {**answer, **game.extras(position)}


def _read_position(game: AnyGame, options: Mapping[str, str], text: str) -> tuple[int, Any]:
    """Read a position with its ply, as the referee writes it."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadablePosition(f"--position is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise UnreadablePosition(f"--position is {type(fields).__name__}; it must be a JSON object")
    ply = fields.get("ply", 0)
    if type(ply) is not int or not 0 <= ply <= MOST_PLIES:
        raise BadPosition(say("rules.bad_ply", value=repr(ply)[:40], most=MOST_PLIES))
    return ply, game.from_json(fields, options)
