"""A whole match: what is there already, the games that are missing, and its result.

Owns the way from a plan to a result, with a record or without, and the check of a record.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from reprlib import repr as short
from typing import Any

from game.app.errors import AppError
from game.app.opponent.match.plan import Fixtures, Plan, fixtures, header
from game.app.opponent.match.playing import FAULTS, MOST_PLIES, TOO_LONG, Played, replayed
from game.app.opponent.match.record_file import RecordFile, read_record
from game.app.opponent.match.result import Result, result_of
from game.app.opponent.match.specs import MatchError
from game.app.opponent.match.workers import play_all, try_engines
from game.app.words import words
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
    with nullcontext() if out is None else RecordFile(out, header(plan), _of_match) as record:
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

    Raises AppError, which names the first line that is none of the match that the record begins
    with, whose moves are not legal, or whose result is wrong.
    """

    def judge(described: Json) -> Callable[[Played], str]:
        try:
            of_match = _of_match(described)
            game, start = _beginning(described)
        except RulesError as error:
            why = words("en").text(error.message)
            raise AppError(f"{path}: its game cannot be played here: {why}") from error

        def wrong(played: Played) -> str:
            why = of_match(played) or _wrong(game, start, played)
            return f"game {played.fixture.number}: {why}" if why else ""

        return wrong

    _, games = read_record(path, judge)
    return len(games)


def _of_match(described: Json) -> Callable[[Played], str]:
    """Judge whether games are those of the match with this description; raises RulesError."""
    game, start = _beginning(described)
    plies: Any = described["opening"]
    seed: Any = described["seed"]
    found = Fixtures(game, start, plies, seed)

    def wrong(played: Played) -> str:
        try:
            wanted = found.game(played.fixture.number)
        except MatchError as error:
            return str(error)
        if played.fixture == wanted:
            return ""
        has, allowed = " ".join(played.fixture.opening), " ".join(wanted.opening)
        return f"its opening is {short(has)}; allowed: {short(allowed)}, as the seed gives it"

    return wrong


def _beginning(described: Json) -> tuple[Game[Any, Any], Any]:
    """Give the game of a match, and the position before its openings; raises RulesError."""
    game = find_game(str(described["game"]))
    options: Any = described["options"]
    return game, game.initial(options)


def _wrong(game: Game[Any, Any], start: Any, played: Played) -> str:
    """Say what is wrong with how a game went; "" if nothing is."""
    thoughts = [0, 0]
    try:
        position = replayed(game, start, played.fixture.opening)
        for text in played.moves:
            thoughts[game.to_move(position) != played.fixture.a] += 1
            position = replayed(game, position, (text,))
    except RulesError as error:
        return f"a move is not legal: {words('en').text(error.message)}"
    outcome, mover = game.outcome(position), game.to_move(position)
    if outcome is not None:
        ends = [(outcome.winner, outcome.reason)]
        if played.fault:
            return "it was over before the fault that it was lost by"
    elif played.fault and mover is not None:
        ends = [(3 - mover, reason) for reason in FAULTS]
    elif len(played.moves) == MOST_PLIES:
        ends = [(None, TOO_LONG)]
    else:
        return "it is not over"
    for what, has, allowed in (
        ("winner", played.winner, [winner for winner, _ in ends]),
        ("reason", played.reason, [reason for _, reason in ends]),
    ):
        if has not in allowed:
            return f"its {what} is {short(has)}, not {short(allowed[0])}"
    if tuple(thoughts) != played.thoughts:
        return f"its thoughts are {list(played.thoughts)}, not {thoughts}"
    return ""
