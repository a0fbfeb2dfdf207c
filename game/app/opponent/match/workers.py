"""Games of a match in several processes, of low priority.

Owns these processes: what they are given, what they give back, and their end, also by Ctrl-C.
"""

import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from random import Random
from typing import Any, Self

from game.app.errors import AppError
from game.app.opponent.giving_way import end_with_parent, give_way
from game.app.opponent.match.foreign import Foreign
from game.app.opponent.match.plan import Plan, the_game
from game.app.opponent.match.players import House, Player, PlayerError
from game.app.opponent.match.playing import Fixture, Played, play_game
from game.app.opponent.match.specs import Kind, MatchError, Spec

NICE = 10
_END_S = 2.0
_END = None


class Stage:
    """Both engines of a match, ready to play its games one after the other; for `with`."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._game = the_game(plan)
        self._start = self._game.initial(plan.options)
        self._players: list[Player] = [self._player(plan.a), self._player(plan.b)]

    def play(self, what: Fixture) -> Played:
        """Play a game."""
        a, b = self._players
        return play_game(self._game, self._start, what, a, b, self._plan.seed)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for player in self._players:
            player.close()

    def _player(self, spec: Spec) -> Player:
        if spec.kind is Kind.UGI:
            return Foreign(self._game, spec, self._game.settle(self._plan.options))
        return House(self._game, spec)


def try_engines(plan: Plan) -> None:
    """See whether other programs that are to play can be started; raises MatchError."""
    game = the_game(plan)
    for spec in {plan.a, plan.b}:
        if spec.kind is Kind.UGI:
            player = Foreign(game, spec, game.settle(plan.options))
            try:
                player.begin(Random(0))
            except PlayerError as error:
                raise MatchError(f"engine {spec.name!r}: {error}") from error
            finally:
                player.close()


def play_all(plan: Plan, games: Sequence[Fixture], jobs: int) -> Iterator[Played]:
    """Play games and yield each as it ends, in any order; raises AppError if a process dies.

    With 0 jobs they are played in this process.
    """
    if jobs == 0:
        with Stage(plan) as stage:
            for what in games:
                yield stage.play(what)
        return
    workers = [_Worker(plan) for _ in range(min(jobs, len(games)))]
    try:
        yield from _shared_out(workers, games)
    finally:
        for worker in workers:
            worker.close()


class _Worker:
    """A process that plays one game at a time."""

    def __init__(self, plan: Plan) -> None:
        context = get_context("spawn")
        self.line, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_work, args=(plan, theirs), daemon=True)
        # Ctrl-C is for the process that holds the record: these never hear of it.
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)
        theirs.close()

    def give(self, what: Fixture | None) -> None:
        """Give it a game, or tell it that there are no more."""
        with suppress(OSError):
            self.line.send(what)

    def close(self) -> None:
        """End it, whatever it does, and let go."""
        self.process.terminate()
        # A signal can get lost, as in a destructor; who waits for a game then hears the end.
        self.line.close()
        self.process.join(_END_S)
        self.process.kill()
        self.process.join()


def _shared_out(workers: list[_Worker], games: Sequence[Fixture]) -> Iterator[Played]:
    left = iter(games)
    busy: dict[Any, _Worker] = {}
    for worker in workers:
        worker.give(next(left))
        busy[worker.line] = worker
    while busy:
        for line in wait(list(busy)):
            worker = busy.pop(line)
            try:
                told = worker.line.recv()
            except (EOFError, OSError):
                worker.process.join()
                raise AppError(
                    f"a process of the match ended with status {worker.process.exitcode};"
                    " what was played is kept, and the same command goes on"
                ) from None
            if isinstance(told, str):
                raise AppError(f"a game broke off: {told}")
            if (what := next(left, _END)) is not None:
                worker.give(what)
                busy[worker.line] = worker
            yield told


def _work(plan: Plan, line: Connection) -> None:
    """Play what comes until no more does; runs in a process of its own."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    end_with_parent()
    give_way(NICE)
    with Stage(plan) as stage, suppress(EOFError, OSError):
        while (what := line.recv()) is not None:
            try:
                told: Played | str = stage.play(what)
            # Told to whoever holds the record, who ends the match with it.
            except Exception:
                told = traceback.format_exc(limit=-3)
            line.send(told)
