"""A whole match: what is there already, the games that are missing, and its result.

Owns the way from a plan to a result, with a record or without, and the check of a record.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from game.app.errors import AppError
from game.app.opponent.match.plan import Plan, fixtures, header
from game.app.opponent.match.playing import TOO_LONG, Played, replayed
from game.app.opponent.match.record_file import RecordFile, read_record
from game.app.opponent.match.result import Result, result_of
from game.app.opponent.match.specs import MatchError
from game.app.opponent.match.workers import play_all, try_engines
from game.rules.catalogue import find_game
from game.rules.errors import RulesError
from game.rules.game import Game, Json

Tell = Callable[[Sequence[Played]], None]


class Broken(Exception):
    """A match that was broken off by Ctrl-C; `games` are those that were played until then."""

    def __init__(self, games: list[Played]) -> None:
        super().__init__()
        self.games = games


def play_match(
    plan: Plan, pairs: int, out: Path | None, jobs: int, tell: Tell = lambda games: None
) -> list[Played]:
    """Play the games of a match that are not in its record yet, and return all of them.

    `jobs` processes play them, or this one for 0. Raises AppError, or Broken after Ctrl-C.
    """
    wanted = fixtures(plan, pairs)
    with nullcontext() if out is None else RecordFile(out, header(plan)) as record:
        games = list(record.games) if record else []
        _enough(games, wanted, out)
        tell(games)
        there = {game.fixture.number for game in games}
        missing = [each for each in wanted if each.number not in there]
        try:
            if missing:
                try_engines(plan)
                for played in play_all(plan, missing, jobs):
                    if record:
                        record.add(played)
                    games.append(played)
                    tell(games)
        except KeyboardInterrupt as error:
            raise Broken(games) from error
    return games


def _enough(games: Sequence[Played], wanted: Sequence[Any], out: Path | None) -> None:
    most = max((game.fixture.number for game in games), default=-1)
    if most >= len(wanted):
        pairs = most // 2 + 1
        raise MatchError(
            f"{out} holds {pairs} pairs already, and {len(wanted) // 2} are asked for;"
            f" allowed: {pairs} and more"
        )


def shown(path: Path) -> tuple[Json, Result]:
    """Read a record and work out its result; raises AppError."""
    described, games = read_record(path)
    return described, result_of(games)


def verify(path: Path) -> int:
    """Play all games of a record again by the rules, and count them.

    Raises AppError, which names the first game whose moves are not legal or whose result is wrong.
    """
    described, games = read_record(path)
    options: Any = described.get("options")
    try:
        game = find_game(str(described.get("game")))
        start = game.initial(options)
    except (RulesError, AttributeError, TypeError) as error:
        raise AppError(f"{path}: its game cannot be played here: {error}") from error
    for played in games:
        wrong = _wrong(game, start, played)
        if wrong:
            raise AppError(f"{path}: game {played.fixture.number}: {wrong}")
    return len(games)


def _wrong(game: Game[Any, Any], start: Any, played: Played) -> str:
    """Say what is wrong with a game; "" if nothing is."""
    try:
        position = replayed(game, start, played.fixture.opening + played.moves)
    except RulesError as error:
        return f"a move is not legal: {error}"
    outcome = game.outcome(position)
    if played.fault:
        return "" if outcome is None else "it was over before the fault that it was lost by"
    if played.reason == TOO_LONG and outcome is None:
        return ""
    if outcome is None:
        return "it is not over"
    if outcome.winner != played.winner:
        return f"its winner is {outcome.winner}, not {played.winner}"
    return ""
