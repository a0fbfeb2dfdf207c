"""The `soak` command: games by fake hands.

Owns its options and help. The games stand in `game.app.soak`, imported when it is called.
"""

import argparse
import sys
from typing import Any

from game.app.arguments import whole
from game.app.soak.traits import HANDS

SIM, COPROCESSOR = "sim", "coprocessor"
USUAL_GAME = "circle-of-life"
MOST_JOBS = 64


def add_command(commands: Any) -> None:
    """Add the command to the others."""
    soak = commands.add_parser(
        "soak",
        help="let fake hands play whole games on the simulated board",
        description=(
            "Let fake hands play whole games, with all that hands do wrong,"
            " through emulated chips, drivers, table and journal on a virtual clock. Each game"
            " must end with the board, the position and the journal alike, and without anybody"
            " waiting for he knows not what. With --backend coprocessor the board hangs on an"
            " emulated Pico that runs the firmware in real MicroPython, and its cable, its power,"
            " its firmware and its chips fail at random moments."
        ),
    )
    soak.add_argument(
        "--game", default=USUAL_GAME, metavar="NAME", help="what they play (%(default)s)"
    )
    soak.add_argument(
        "--games", type=_count, default=20, metavar="N", help="how many (%(default)s)"
    )
    soak.add_argument(
        "--hands", choices=HANDS, default="clumsy", help="what kind of hands (%(default)s)"
    )
    soak.add_argument(
        "--sensing",
        choices=("touch", "presence", "both"),
        default="both",
        help="how the board feels them; both: as many games of each (%(default)s)",
    )
    soak.add_argument(
        "--seed",
        type=whole,
        default=1,
        metavar="N",
        help="seed of the first game; each later one has the next number (%(default)s)",
    )
    soak.add_argument(
        "--backend",
        choices=(SIM, COPROCESSOR),
        default=SIM,
        help="what carries the emulated board: this computer, or a Pico (%(default)s)",
    )
    soak.add_argument(
        "--board",
        metavar="NAME|FILE",
        help="a built-in board or a profile, on which the game fits (the usual one of the game)",
    )
    soak.add_argument(
        "--jobs", type=_jobs, default=1, metavar="N", help="processes at work (%(default)s)"
    )
    soak.add_argument("--json", action="store_true", help="print one JSON object")
    soak.set_defaults(run=_soak)


def _soak(options: argparse.Namespace) -> int:
    from game.app.boards import usual
    from game.app.soak.sitting import Plan
    from game.app.soak.soak import report, soak
    from game.rules.catalogue import find_game

    modes = ("touch", "presence") if options.sensing == "both" else (options.sensing,)
    game = find_game(options.game)
    board = options.board or usual(options.backend, game).name
    plans = [Plan(board, options.hands, mode, options.backend, game.name) for mode in modes]
    found = soak(plans, options.games, options.seed, options.jobs, _watch(options.games))
    print(report(found, as_json=options.json))
    return 1 if found.failed else 0


def _watch(games: int) -> Any:
    """Tell on a terminal how far the games are."""

    def watch(sensing: str, done: int) -> None:
        if sys.stderr.isatty():
            end = "\n" if done == games else "\r"
            print(f"{sensing}: {done} of {games} games", end=end, file=sys.stderr, flush=True)

    return watch


def _count(text: str) -> int:
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of games; allowed: 1 and more")
    return number


def _jobs(text: str) -> int:
    number = whole(text)
    if not 1 <= number <= MOST_JOBS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number of processes; allowed: 1 - {MOST_JOBS}"
        )
    return number
