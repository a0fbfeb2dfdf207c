"""The command `engine`: its options and help.

The conversation of the engine is in `game.engine.ugi`, its streams in `game.opponent.streams`,
imported when it is called.
"""

import argparse

from game.cli.arguments import Commands, whole
from game.common.defaults import DEFAULT_GAME

MOST_SEED = 2**31 - 1
MOST_NICE = 19


def add_command(commands: Commands) -> None:
    """Add the command to the command line."""
    engine = commands.add_parser(
        "engine",
        help="let other programs drive the computer player, over standard input in UGI style",
        description="Search for moves of a game, driven by lines on standard input, in the"
        " Universal Game Interface. See docs/engine.md; `quit` ends it.",
    )
    engine.add_argument(
        "--game", default=DEFAULT_GAME, metavar="NAME", help="the game (%(default)s)"
    )
    engine.add_argument(
        "--level",
        metavar="LEVEL",
        help="how strong: random, 1 - 6, or `uct:N` for plain UCT with N random games a move (6)",
    )
    engine.add_argument(
        "--seed", type=_seed, metavar="N", help="seed for chance (random by default)"
    )
    engine.add_argument(
        "--nice",
        type=_nice,
        default=0,
        metavar="N",
        help="lower the priority, 0 - 19, for time and for memory (%(default)s)",
    )
    engine.add_argument(
        "--with-parent", action="store_true", help="end when the program that started it ends"
    )
    engine.set_defaults(run=_engine)


def _engine(options: argparse.Namespace) -> int:
    from game.opponent.streams import serve

    serve(
        options.game,
        level=options.level,
        seed=options.seed,
        nice=options.nice,
        with_parent=options.with_parent,
    )
    return 0


def _seed(text: str) -> int:
    return _bounded(text, MOST_SEED)


def _nice(text: str) -> int:
    return _bounded(text, MOST_NICE)


def _bounded(text: str, most: int) -> int:
    number = whole(text)
    if not 0 <= number <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is out of bounds; allowed: 0 - {most}")
    return number
