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
from tests.tools.match.engines import MatchError, read_spec
from tests.tools.match.games import Plan, Played, header, play_match, read_record
from tests.tools.match.result import lines, report_lines, result_of

_ENGINE = (
    "a level (random, 0.5 - 6), which may have help (`2+1` takes back gross mistakes, `2+2` has"
    " ideas, `2+3x4` looks at 4 moves a turn, `2+4` at all, `2+5` sees the best), `eater` (eats"
    " when it can), `uct:N` (plain UCT with N random games a move), or `ugi:COMMAND` (another"
    " program over UGI, 3 seconds a move); `6@3s`, `6@100000n` or `6@3s,100000n` sets seconds and"
    " nodes for a move of a level in place of its own"
)


def main(arguments: Sequence[str] | None = None) -> int:
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
    add("--pairs", type=number(1, 10**6), default=50, metavar="N", help=help_)
    add("--seed", type=whole, default=1, metavar="N", help="seed of the match (%(default)s)")
    help_ = "random plies at the beginning (%(default)s)"
    add("--opening", type=number(0, 1000), default=4, metavar="PLIES", help=help_)
    add_option(parser, "--option", {})
    add("--out", type=Path, metavar="FILE", help="save the record of the match here")
    add("--jobs", type=number(1, 64), default=1, metavar="N", help="processes (%(default)s)")
    help_ = "report on the game too: the first player's share, length and endings"
    add("--report", action="store_true", help=help_)
    add("--show", type=Path, metavar="FILE", help="print the result of a record")
    return program.run(parser, _match, arguments)


def _match(options: argparse.Namespace) -> int:
    if options.show:
        if options.a is not None:
            raise MatchError("engines are given; allowed: none beside --show")
        return _print(*read_record(options.show), options)
    if options.b is None:
        raise MatchError("engines are missing; allowed: two engines, or --show FILE")
    a, b = read_spec(options.a), read_spec(options.b)
    game, chosen = choose_game(options.game, dict(options.options))
    plan = Plan(game.name, chosen, a, b, options.seed, options.opening)
    games = play_match(plan, options.pairs, options.out, options.jobs)
    # The bar is on a terminal only.
    every = tqdm(games, total=2 * options.pairs, unit="game", disable=None)
    return _print(header(plan), list(every), options)


def _print(described: Json, games: Sequence[Played], options: argparse.Namespace) -> int:
    print(*lines(described, result_of(games)), sep="\n")
    if options.report and games:
        print(*report_lines(described, games), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
