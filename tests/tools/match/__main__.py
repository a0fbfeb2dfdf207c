"""Matches between engines: `python -m tests.tools.match`, or `make match ARGS=...`."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm  # type: ignore[import-untyped]

from game.cli.arguments import add_option
from game.rules.base.registry import choose_game
from game.store import DEFAULT_GAME
from tests.tools.match.engines import ENGINES, read_spec
from tests.tools.match.games import Plan, header, play_match, read_record
from tests.tools.match.result import lines, report_lines


def main(arguments: Sequence[str] | None = None) -> None:
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
    add("a", nargs="?", metavar="A", help=ENGINES)
    add("b", nargs="?", metavar="B", help="the other engine, written alike")
    add("--game", default=DEFAULT_GAME, help="which game (%(default)s)")
    add("--pairs", type=int, default=50, help="number of pairs (%(default)s)")
    add("--seed", type=int, default=1, help="seed of the match (%(default)s)")
    add("--opening", type=int, default=4, help="random plies at the beginning (%(default)s)")
    add_option(parser, "--option", {})
    add("--out", type=Path, help="save the record of the match in this file")
    add("--jobs", type=int, default=1, help="processes (%(default)s)")
    help_ = "report on the game too: the first player's share, length and endings"
    add("--report", action="store_true", help=help_)
    add("--show", type=Path, help="print the result of a record")
    options = parser.parse_args(arguments)
    if options.show:
        described, games = read_record(options.show)
    else:
        if options.b is None:
            parser.error("engines are missing; allowed: two engines, or --show FILE")
        a, b = read_spec(options.a), read_spec(options.b)
        game, chosen = choose_game(options.game, dict(options.options))
        plan = Plan(game.name, chosen, a, b, options.seed, options.opening)
        playing = play_match(plan, options.pairs, options.out, options.jobs)
        # The bar is on a terminal only.
        games = list(tqdm(playing, total=2 * options.pairs, unit="game", disable=None))
        described = header(plan)
    print(*lines(described, games), sep="\n")
    if options.report:
        print(*report_lines(described, games), sep="\n")


if __name__ == "__main__":
    main()
