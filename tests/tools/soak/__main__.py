"""Games by fake hands: `python -m tests.tools.soak`, or `make soak ARGS=...`."""

import argparse
import sys
from collections.abc import Sequence

from game.cli.arguments import whole
from game.play import default_board
from game.rules.base.registry import find_game
from game.store import DEFAULT_GAME
from tests.tools import program
from tests.tools.soak.session import Plan
from tests.tools.soak.soak import report, soak
from tests.tools.soak.traits import HANDS


def main(arguments: Sequence[str] | None = None) -> int:
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
    add("--game", default=DEFAULT_GAME, metavar="NAME", help="what they play (%(default)s)")
    number = program.number
    add("--games", type=number(1, 10**6), default=20, metavar="N", help="how many (%(default)s)")
    add("--hands", choices=HANDS, default="clumsy", help="what kind of hands (%(default)s)")
    kinds = ("touch", "presence", "both")
    add("--sensing", choices=kinds, default="both", help="how the board feels (%(default)s)")
    help_ = "players only hear what the board says, and see neither lights nor page"
    add("--by-ear", action="store_true", help=help_)
    help_ = "how much help the players have, as `lifeboard play` takes it (none)"
    add("--help-level", default="", metavar="N[,N]", help=help_)
    help_ = "seed of the first game; each later one has the next number (%(default)s)"
    add("--seed", type=whole, default=1, metavar="N", help=help_)
    help_ = "what the emulated board hangs on: this computer, or a Pico (%(default)s)"
    add("--backend", choices=("sim", "coprocessor"), default="sim", help=help_)
    add("--board", metavar="NAME|FILE", help="a built-in board or a profile (the game's default)")
    add("--jobs", type=number(1, 64), default=1, metavar="N", help="processes (%(default)s)")
    return program.run(parser, _soak, arguments)


def _soak(options: argparse.Namespace) -> int:
    modes = ("touch", "presence") if options.sensing == "both" else (options.sensing,)
    game = find_game(options.game)
    board = options.board or default_board(options.backend, game).name
    fixed = (options.backend, game.name, options.by_ear, options.help_level)
    failed = 0
    for mode in modes:
        plan = Plan(board, options.hands, mode, *fixed)
        found = soak(plan, options.games, options.seed, options.jobs)
        print(*report(plan, found), sep="\n")
        failed += found.failed
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
