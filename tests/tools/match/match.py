"""A whole match: the games that its record has, those that are missing, and its result.

Owns the processes that play, with low priority.
"""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from multiprocessing import active_children, get_context
from pathlib import Path
from random import Random
from typing import Any

from game.common.errors import AppError
from game.opponent.low_priority import end_with_parent, lower_priority
from game.rules.base.game import Game, settle
from game.rules.base.values import Json
from tests.tools.match.plan import Plan, fixtures, header, the_game
from tests.tools.match.players import OwnEngine, Player, PlayerError
from tests.tools.match.playing import (
    Fixture,
    Played,
    play_game,
)
from tests.tools.match.record import add_game, begin_record, read_record
from tests.tools.match.result import Result, result_of
from tests.tools.match.specs import Kind, MatchError, Spec
from tests.tools.match.ugi_program import UgiProgram

NICE = 10


class Broken(Exception):
    """A match was interrupted by Ctrl-C; `games` are those that were played before."""

    def __init__(self, games: list[Played]) -> None:
        super().__init__()
        self.games = games


class Engines:
    """Both engines of a match, ready to play its games one after the other."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._game = the_game(plan)
        self._a, self._b = (_player(self._game, plan, spec) for spec in (plan.a, plan.b))

    def play(self, what: Fixture) -> Played:
        """Play a game."""
        start = self._game.initial(self._plan.options)
        return play_game(self._game, start, what, self._a, self._b, self._plan.seed)

    def close(self) -> None:
        """End the programs that play."""
        self._a.close()
        self._b.close()


def _player(game: Game[Any, Any], plan: Plan, spec: Spec) -> Player:
    if spec.kind is Kind.UGI:
        return UgiProgram(game, spec, settle(game, plan.options))
    return OwnEngine(game, spec)


def play_match(
    plan: Plan,
    pairs: int,
    out: Path | None,
    jobs: int = 1,
    tell: Callable[[Sequence[Played]], None] = lambda games: None,
) -> list[Played]:
    """Play the games of a match that its record lacks, and return all of them.

    Raises AppError, or Broken after Ctrl-C.
    """
    wanted = fixtures(plan, pairs)
    games = begin_record(out, header(plan)) if out else []
    have = {game.fixture.number for game in games}
    if have and max(have) >= len(wanted):
        least = max(have) // 2 + 1
        raise MatchError(f"{out} has {least} pairs, but {pairs} are asked for; allowed: more")
    missing = [each for each in wanted if each.number not in have]
    tell(games)
    try:
        if missing:
            _try_programs(plan)
        for played in _play_all(plan, missing, jobs):
            if out:
                add_game(out, played)
            games.append(played)
            tell(games)
    except KeyboardInterrupt as error:
        raise Broken(games) from error
    return games


def _try_programs(plan: Plan) -> None:
    """Start the programs that play once, so that a wrong command is refused before the match."""
    for spec in {plan.a, plan.b}:
        if spec.kind is Kind.UGI:
            with closing(_player(the_game(plan), plan, spec)) as player:
                try:
                    player.begin(Random(0))
                except PlayerError as error:
                    raise MatchError(f"engine {spec.name!r}: {error}") from error


def _play_all(plan: Plan, games: Sequence[Fixture], jobs: int) -> Iterator[Played]:
    """Play games and yield each as it ends, in any order; a single job is done in this process."""
    if jobs == 1:
        with closing(Engines(plan)) as engines:
            yield from map(engines.play, games)
        return
    pool = ProcessPoolExecutor(
        min(jobs, max(1, len(games))),
        mp_context=get_context("spawn"),
        initializer=_begin_work,
        initargs=(plan,),
    )
    try:
        for future in as_completed([pool.submit(_work, what) for what in games]):
            yield future.result()
    except BrokenProcessPool as error:
        raise AppError(
            "a process of the match died; what was played is saved, and the same command continues"
        ) from error
    finally:
        for process in active_children():
            process.kill()
        pool.shutdown(cancel_futures=True)  # waits for them


_engines: Engines | None = None
"""The engines of a process that plays games of a match."""


def _begin_work(plan: Plan) -> None:
    global _engines
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the process with the record is interrupted
    end_with_parent()
    lower_priority(NICE)
    _engines = Engines(plan)


def _work(what: Fixture) -> Played:
    assert _engines is not None
    return _engines.play(what)


def shown(path: Path) -> tuple[Json, Result]:
    """Read a record and work out its result; raises AppError."""
    description, games = read_record(path)
    return description, result_of(list(games.values()))
