"""Many games by fake hands: played one after the other or in several processes, and counted.

Owns the seeds of the games, the figures and the report. What must be true of each game is checked
in `sitting`.
"""

import json
import logging
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from game.app import fault_log
from game.app.soak.events import EVENTS
from game.app.soak.sitting import USUAL_GAME, Parts, Plan, Sitting
from game.rules.catalogue import find_game

MOST_FAILURES = 20
"""So many failures are told at length; all are counted."""
MEMORY = "/dev/shm"
"""Where there is this, games are kept in it: only the emulated board ever loses its power, and a
disk that takes each move in its time would take most of a soak's."""
_CHUNK = 5  # games that a process is given at once

FIGURES = {
    "plies": "moves played",
    "refused": "wrong touches and stones refused",
    "insisted": "forgotten removals insisted on",
    "slip.echo": "double touches",
    "slip.slide": "slides",
    "slip.palm": "palms",
    "slip.hurry": "players in a hurry",
    "slip.wrong_removal": "wrong removals",
    "unwanted": "moves that nobody wanted, taken back",
    "take_backs": "moves taken back in all",
    "slip.restore": "boards brought back by hand",
    "slip.knock": "knocked boards",
    "slip.unplug": "pulled plugs",
}
MOVE_FIGURES = {
    "slip.abandon": "moves left in their midst",
    "slip.wrong_key": "keys of the game hit by mistake",
    "slip.wrong_ring": "wrong rings turned",
    "slip.wrong_swap": "wrong pieces put in exchange",
    "slip.two_bodies": "two pieces lifted at once",
}
"""What happens besides in games whose moves take several touches, and keys."""
LINK_FIGURES = {
    "link.cable": "cables of the Pico pulled",
    "link.twice": "cables pulled twice within a second",
    "link.power": "power cuts of the Pico",
    "link.watchdog": "bites of its watchdog",
    "link.noise": "noises on its line",
    "link.chip": "chips unplugged",
    "pauses": "looks at a board that pauses",
}
"""What happens besides where the board hangs on a Pico."""
END = "end."
"""What the count of a reason why games ended begins with."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that did not end as it must; `trace` are the last things that happened in it."""

    game: int
    seed: int
    sensing: str
    at_s: float
    why: str
    trace: tuple[str, ...]


@dataclass(slots=True)
class Figures:
    """What happened in all games of one kind of sensing."""

    games: int = 0
    failed: int = 0
    virtual_h: float = 0.0
    longest_wait_s: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    wall_s: float = 0.0

    @property
    def games_per_minute(self) -> float:
        """Give how fast these games were played, by the clock on the wall."""
        return 60.0 * self.games / self.wall_s if self.wall_s else 0.0

    def add(self, other: "Figures") -> None:
        """Take in the figures of further games."""
        self.games += other.games
        self.failed += other.failed
        self.virtual_h += other.virtual_h
        self.longest_wait_s = max(self.longest_wait_s, other.longest_wait_s)
        self.counts.update(other.counts)
        self.failures = (self.failures + other.failures)[:MOST_FAILURES]


@dataclass(frozen=True, slots=True)
class Report:
    """What a soak found, by kind of sensing."""

    plan: Plan
    seed: int
    figures: dict[str, Figures]

    @property
    def failed(self) -> int:
        """Count the games that did not end as they must."""
        return sum(each.failed for each in self.figures.values())


def soak(
    plans: Sequence[Plan],
    games: int,
    seed: int,
    jobs: int = 1,
    watch: Callable[[str, int], None] = lambda sensing, done: None,
) -> Report:
    """Play games, each plan as many; `watch` hears how many of one sensing are done.

    Game n of a plan has seed `seed + n`, so that it can be played again alone.
    """
    figures = {}
    for plan in plans:
        began = time.perf_counter()
        whole = Figures()
        for part in _played(plan, games, seed, jobs):
            whole.add(part)
            watch(plan.sensing, whole.games)
        whole.wall_s = time.perf_counter() - began
        figures[plan.sensing] = whole
    return Report(plans[0], seed, figures)


def play_some(plan: Plan, numbers: Sequence[int], seed: int) -> Figures:
    """Play the games of these numbers."""
    figures, faults = Figures(), logging.getLogger(fault_log.__name__)
    before = faults.level
    # What breaks is told in the trace of a game that fails.
    faults.setLevel(logging.ERROR)
    try:
        for number in numbers:
            figures.add(play_one(plan, number, seed + number))
    finally:
        faults.setLevel(before)
    return figures


def play_one(plan: Plan, number: int, seed: int, parts: Parts | None = None) -> Figures:
    """Play one game, in a folder of its own."""
    figures = Figures(games=1)
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="lifeboard-soak-", dir=memory) as folder:
        sitting = Sitting(plan, find_game(plan.game), seed, Path(folder), parts)
        with closing(sitting):
            try:
                sitting.play()
            # Whatever goes wrong in a game, the others are played, and this one is told of.
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
                trace = tuple(str(told) for told in sitting.trace)
                failure = Failure(number, seed, plan.sensing, sitting.now, why, trace)
                figures.failed, figures.failures = 1, [failure]
        figures.virtual_h = sitting.now / 3600
        figures.longest_wait_s = sitting.person.longest_s
        figures.counts = sitting.counts
    return figures


def report(found: Report, *, as_json: bool) -> str:
    """Write what a soak found, as JSON or for reading."""
    if as_json:
        return json.dumps(_json(found))
    return "\n".join(line for each in found.figures for line in _lines(found, each))


def _played(plan: Plan, games: int, seed: int, jobs: int) -> Iterator[Figures]:
    chunks = [range(first, min(first + _CHUNK, games)) for first in range(0, games, _CHUNK)]
    if jobs == 1:
        for chunk in chunks:
            yield play_some(plan, chunk, seed)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        work = [pool.submit(play_some, plan, chunk, seed) for chunk in chunks]
        for each in work:
            yield each.result()


def _json(found: Report) -> dict[str, Any]:
    return {
        "game": found.plan.game,
        "board": found.plan.board,
        "backend": found.plan.backend,
        "hands": found.plan.hands,
        "seed": found.seed,
        "failed": found.failed,
        "sensing": {
            sensing: {
                "games": each.games,
                "failed": each.failed,
                "games_per_minute": round(each.games_per_minute, 1),
                "virtual_hours": round(each.virtual_h, 2),
                "longest_wait_s": round(each.longest_wait_s, 3),
                "counts": dict(sorted(each.counts.items())),
                "failures": [asdict(failure) for failure in each.failures],
            }
            for sensing, each in found.figures.items()
        },
    }


def _lines(found: Report, sensing: str) -> Iterator[str]:
    figures = found.figures[sensing]
    yield (
        f"{figures.games} games by {found.plan.hands} hands, felt by {sensing}:"
        f" {figures.failed or 'none'} failed"
    )
    plan = found.plan
    for name, what in {**FIGURES, **(LINK_FIGURES if plan.backend != "sim" else {})}.items():
        yield f"  {figures.counts[name]:8d}  {what}"
    happened = {**MOVE_FIGURES, **EVENTS}
    ends = sorted(name for name in figures.counts if name.startswith(END))
    happened.update({name: f"games that ended: {name.removeprefix(END)}" for name in ends})
    for name, what in happened.items():
        if figures.counts[name]:
            yield f"  {figures.counts[name]:8d}  {what}"
    yield f"  {figures.virtual_h:8.1f}  virtual hours"
    yield f"  {figures.longest_wait_s:8.2f}  longest wait for an answer, in seconds"
    yield f"  {figures.games_per_minute:8.0f}  games a minute"
    backend = "" if plan.backend == "sim" else f" --backend {plan.backend}"
    game = "" if plan.game == USUAL_GAME else f" --game {plan.game}"
    for failure in figures.failures:
        yield f"  game {failure.game} failed at {failure.at_s:.3f} s: {failure.why}"
        yield from (f"    {line}" for line in failure.trace)
        yield (
            f"    again: lifeboard soak --games 1 --hands {found.plan.hands}"
            f" --sensing {sensing} --seed {failure.seed} --board {plan.board}{backend}{game}"
        )
