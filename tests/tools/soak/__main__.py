"""Games by fake hands: `python -m tests.tools.soak`, or `make soak ARGS=...`."""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from multiprocessing import get_context

from tqdm import tqdm  # type: ignore[import-untyped]

from game.store import DEFAULT_GAME
from tests.tools.soak.hands import HANDS
from tests.tools.soak.session import Plan, Played, play_one

MOST_FAILURES = 20
"""Failures that are reported in full; all are counted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, report, and return the exit status: 1 if a game has failed."""
    parser = argparse.ArgumentParser(
        "soak",
        description=(
            "Let fake hands play whole games, with all that hands do wrong, through emulated chips,"
            " drivers, table and journal on a virtual clock. Each game must end with the board, the"
            " position and the journal alike, and players must always know what to do next. With"
            " --backend coprocessor the board hangs on an emulated Pico that runs the firmware in"
            " real MicroPython, and its cable, power, firmware and chips fail at random moments."
        ),
    )
    add = parser.add_argument
    add("--game", default=DEFAULT_GAME, help="what they play (%(default)s)")
    add("--games", type=int, default=20, help="how many (%(default)s)")
    add("--hands", choices=HANDS, default="clumsy", help="what kind of hands (%(default)s)")
    kinds = ("touch", "presence", "both")
    add("--sensing", choices=kinds, default="both", help="how the board feels (%(default)s)")
    help_ = "players only hear what the board says, and see neither lights nor page"
    add("--by-ear", action="store_true", help=help_)
    help_ = "how much help the players have, as `lifeboard play` takes it (none)"
    add("--help-level", default="", metavar="N[,N]", help=help_)
    help_ = "seed of the first game; each later one has the next number (%(default)s)"
    add("--seed", type=int, default=1, help=help_)
    help_ = "what the emulated board hangs on: this computer, or a Pico (%(default)s)"
    add("--backend", choices=("sim", "coprocessor"), default="sim", help=help_)
    add("--jobs", type=int, default=1, help="processes (%(default)s)")
    options = parser.parse_args(arguments)
    failed = False
    for mode in kinds[:2] if options.sensing == "both" else (options.sensing,):
        fixed = (options.game, options.backend, options.by_ear, options.help_level)
        plan, began = Plan(mode, options.hands, *fixed), time.perf_counter()
        played = soak(plan, options.games, options.seed, options.jobs)
        print(*report(plan, played, time.perf_counter() - began), sep="\n")
        failed = failed or any(each.failure for each in played)
    return int(failed)


def soak(plan: Plan, games: int, seed: int, jobs: int = 1) -> list[Played]:
    """Play so many games; game n has seed `seed + n`, to be played again alone."""
    seeds, play = range(seed, seed + games), partial(play_one, plan)
    with get_context("spawn").Pool(jobs) if jobs > 1 else nullcontext() as pool:
        played = pool.imap(play, seeds) if pool else map(play, seeds)
        return list(tqdm(played, plan.sensing, games, unit="game", disable=None))


def report(plan: Plan, played: list[Played], took_s: float) -> Iterator[str]:
    """Yield the lines of a report."""
    failures, counts = [each.failure for each in played if each.failure], Counter[str]()
    for each in played:
        counts.update(each.counts)
    failed = len(failures) or "none"
    yield f"{len(played)} games by {plan.hands} hands, felt by {plan.sensing}: {failed} failed"
    for name, count in sorted(counts.items()):
        yield f"  {count:8d}  {name}"
    yield f"  {sum(each.virtual_s for each in played) / 3600:8.1f}  virtual hours"
    longest_s = max(each.longest_wait_s for each in played)
    yield f"  {longest_s:8.2f}  longest wait for an answer, in seconds"
    yield f"  {60 * len(played) / took_s:8.0f}  games a minute"
    yield from (f"  {each}" for each in failures[:MOST_FAILURES])


if __name__ == "__main__":
    sys.exit(main())
