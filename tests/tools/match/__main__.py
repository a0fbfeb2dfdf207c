"""Matches between engines: `python -m tests.tools.match`, or `make match ARGS=...`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm  # type: ignore[import-untyped]

from game.cli.arguments import add_option, whole
from game.rules.base.registry import choose_game
from game.rules.base.values import Json
from game.store import DEFAULT_GAME
from tests.tools import program
from tests.tools.match.match import Broken, play_match
from tests.tools.match.plan import Plan, header
from tests.tools.match.playing import Played
from tests.tools.match.record import read_record
from tests.tools.match.report import lines, report_of
from tests.tools.match.result import as_text, result_of
from tests.tools.match.specs import MatchError, read_spec

MOST_PAIRS, MOST_JOBS = 1_000_000, 64
_INTERRUPTED = 130
_ENGINE = (
    "a level (random, 1 - 6), `uct:N` (plain UCT with N random games a move), or `ugi:COMMAND`"
    " (another program over UGI, 3 seconds a move); `6@3s`, `6@100000n` or `6@3s,100000n` sets"
    " seconds and nodes for a move in place of its own"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(
        "match",
        description=(
            "Play a match: random openings, each of them twice with the colours exchanged, and"
            " print the score of engine A with its interval. With --out every game is saved as it"
            " ends; the same command continues an interrupted match, and with more pairs it"
            " extends one."
        ),
    )
    add = parser.add_argument
    number = program.number
    add("a", nargs="?", metavar="A", help=_ENGINE)
    add("b", nargs="?", metavar="B", help="the other engine, written alike")
    add("--game", default=DEFAULT_GAME, metavar="NAME", help="which game (%(default)s)")
    help_ = "number of pairs (%(default)s)"
    add("--pairs", type=number(1, MOST_PAIRS), default=50, metavar="N", help=help_)
    add("--seed", type=whole, default=1, metavar="N", help="seed of the match (%(default)s)")
    help_ = "random plies at the beginning (%(default)s)"
    add("--opening", type=number(0, 1000), default=4, metavar="PLIES", help=help_)
    add_option(parser, "--option", {})
    add("--out", type=Path, metavar="FILE", help="save the record of the match here")
    add("--jobs", type=number(1, MOST_JOBS), default=1, metavar="N", help="processes (%(default)s)")
    help_ = "tell of the game too: the first player's share, length and endings"
    add("--report", action="store_true", help=help_)
    add("--show", type=Path, metavar="FILE", help="print the result of a record")
    return program.run(parser, _match, arguments)


def _match(options: argparse.Namespace) -> int:
    if options.show:
        if options.a is not None:
            raise MatchError("engines are given; allowed: none beside --show")
        described, record = read_record(options.show)
        _tell(described, list(record.values()), options)
        return 0
    if options.b is None:
        raise MatchError("engines are missing; allowed: two engines, or --show FILE")
    a, b = read_spec(options.a), read_spec(options.b)
    game, chosen = choose_game(options.game, dict(options.options))
    plan = Plan(game.name, chosen, a, b, options.seed, options.opening)
    # On a terminal only.
    with tqdm(total=2 * options.pairs, unit="game", disable=None, dynamic_ncols=True) as bar:

        def tell(games: Sequence[Played]) -> None:
            score = result_of(games).score if bar.update(len(games) - bar.n) else None
            if score is not None:
                bar.set_postfix_str(f"A {score.value:.1%} ({score.low:.1%} - {score.high:.1%})")

        status = 0
        try:
            games = play_match(plan, options.pairs, options.out, options.jobs, tell)
        except Broken as broken:
            games, status = broken.games, _INTERRUPTED
    _tell(header(plan), games, options)
    if status:
        more = "; the same command continues the match" if options.out else ""
        print(f"match: interrupted after {len(games)} games{more}", file=sys.stderr)
    return status


def _tell(described: Json, games: Sequence[Played], options: argparse.Namespace) -> None:
    report = report_of(described, games) if options.report and games else None
    print(as_text(described, result_of(games)), *(lines(report) if report else ()), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
