"""Many games by fake hands: played in several processes, counted and reported.

Owns the seeds of the games and the figures. What must be true of each game is checked in `session`.
"""

import logging
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from textwrap import indent

from tqdm import tqdm  # type: ignore[import-untyped]

from game.play import input_mapping
from game.rules.base.registry import find_game
from game.store import DEFAULT_GAME
from tests.tools.soak.session import Parts, Plan, SoakSession

MOST_FAILURES = 20
"""Failures that are reported in full; all are counted."""
MEMORY = "/dev/shm"
"""Games are stored here where it exists: a disk would take most of the time of a soak."""


@dataclass(slots=True)
class Figures:
    """What happened in all games of one kind of sensing; a text tells of each failure."""

    games: int = 0
    failed: int = 0
    games_per_minute: float = 0.0
    virtual_hours: float = 0.0
    longest_wait_s: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, other: "Figures") -> None:
        self.games += other.games
        self.failed += other.failed
        self.virtual_hours += other.virtual_hours
        self.longest_wait_s = max(self.longest_wait_s, other.longest_wait_s)
        self.counts.update(other.counts)
        self.failures = (self.failures + other.failures)[:MOST_FAILURES]


def soak(plan: Plan, games: int, seed: int, jobs: int = 1) -> Figures:
    """Play so many games; game n has seed `seed + n`, to be played again alone."""
    began, whole = time.perf_counter(), Figures()
    played = _played(plan, games, seed, jobs)
    for part in tqdm(played, plan.sensing, games, unit="game", disable=None):
        whole.add(part)
    whole.games_per_minute = 60.0 * whole.games / (time.perf_counter() - began)
    return whole


def _played(plan: Plan, games: int, seed: int, jobs: int) -> Iterator[Figures]:
    numbers, seeds = range(games), range(seed, seed + games)
    if jobs == 1:
        yield from map(partial(play_one, plan), numbers, seeds)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(partial(play_one, plan), numbers, seeds)


@contextmanager
def _without_fault_log() -> Iterator[None]:
    """Log no faults of the board: the trace of a game that fails tells them."""
    faults = logging.getLogger(input_mapping.__name__)
    level = faults.level
    faults.setLevel(logging.ERROR)
    try:
        yield
    finally:
        faults.setLevel(level)


def play_one(plan: Plan, number: int, seed: int, parts: Parts | None = None) -> Figures:
    figures = Figures(games=1)
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    with (
        tempfile.TemporaryDirectory(prefix="lifeboard-soak-", dir=memory) as folder,
        _without_fault_log(),
    ):
        with closing(SoakSession(plan, find_game(plan.game), seed, Path(folder), parts)) as session:
            try:
                session.play()
            # After any error the other games are played, and this one is reported.
            except Exception as error:
                why = (
                    f"game {number} failed at {session.now:.3f} s: {type(error).__name__}: {error}"
                )
                lines = (why, *map("  {}".format, session.trace), f"  again: {_again(plan, seed)}")
                figures.failed, figures.failures = 1, ["\n".join(lines)]
        figures.virtual_hours = session.now / 3600
        figures.longest_wait_s = session.player.longest_s
        figures.counts = session.counts
    return figures


def report(plan: Plan, figures: Figures) -> Iterator[str]:
    """Yield the lines of a report."""
    failed = figures.failed or "none"
    yield f"{figures.games} games by {plan.hands} hands, felt by {plan.sensing}: {failed} failed"
    for name, count in sorted(figures.counts.items()):
        yield f"  {count:8d}  {name}"
    yield f"  {figures.virtual_hours:8.1f}  virtual hours"
    yield f"  {figures.longest_wait_s:8.2f}  longest wait for an answer, in seconds"
    yield f"  {figures.games_per_minute:8.0f}  games a minute"
    yield from (indent(each, "  ") for each in figures.failures)


def _again(plan: Plan, seed: int) -> str:
    """Return the command that plays one game again."""
    backend = "" if plan.backend == "sim" else f" --backend {plan.backend}"
    game = "" if plan.game == DEFAULT_GAME else f" --game {plan.game}"
    by_ear = " --by-ear" if plan.by_ear else ""
    helped = f" --help-level {plan.help_level}" if plan.help_level else ""
    return (
        f'make soak ARGS="--games 1 --hands {plan.hands} --sensing {plan.sensing}'
        f' --seed {seed} --board {plan.board}{backend}{game}{by_ear}{helped}"'
    )
