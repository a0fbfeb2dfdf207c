"""The `engine` command: options and help.

Owns how other programs start the engine. The conversation stands in `game.engine.ugi`, its streams
in `game.app.opponent.streams`, imported when it is called.
"""

import argparse

from game.app.arguments import DEFAULT_GAME, Commands, whole

MOST_SEED = 2**31 - 1
MOST_NICE = 19


def add_command(commands: Commands) -> None:
    """Add the command to the command line."""
    engine = commands.add_parser(
        "engine",
        help="let other programs drive the computer player, over standard input in UGI style",
        description="Search for moves of a game, driven by lines on standard input, as the"
        " Universal Game Interface has it. docs/engine.md tells all of it; `quit` ends it.",
    )
    engine.add_argument(
        "--game", default=DEFAULT_GAME, metavar="NAME", help="which game (%(default)s)"
    )
    engine.add_argument(
        "--level",
        metavar="LEVEL",
        help="how strong: random, 1 - 6, or `uct:N` for plain UCT with N random games a move (6)",
    )
    engine.add_argument(
        "--seed", type=_seed, metavar="N", help="make chance repeatable (another each time)"
    )
    engine.add_argument(
        "--nice",
        type=_nice,
        default=0,
        metavar="N",
        help="give way to other programs, 0 - 19, in time and in memory (%(default)s)",
    )
    engine.add_argument(
        "--with-parent",
        action="store_true",
        help="end when the program that has started it does, whatever goes on",
    )
    engine.set_defaults(run=_engine)


def _engine(options: argparse.Namespace) -> int:
    from game.app.opponent.streams import EngineOptions, serve

    serve(
        EngineOptions(
            game=options.game,
            level=options.level,
            seed=options.seed,
            nice=options.nice,
            with_parent=options.with_parent,
        )
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
