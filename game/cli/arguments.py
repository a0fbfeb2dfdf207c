"""Arguments that several commands share, and their value types."""

import argparse
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

from game.common.defaults import DEFAULT_PORT

Commands: TypeAlias = "argparse._SubParsersAction[Any]"
"""The parser's subcommands; argparse has no public name for this type."""


def add_board(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the board."""
    parser.add_argument(
        "--board",
        metavar="NAME|FILE",
        help="the board: the name of a built-in one or a profile (the hexagon, or what the game"
        " needs; where it is real the one that `lifeboard learn` has written)",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the options of a game."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=pair,
        metavar="KEY=VALUE",
        help="an option of the game, such as first=2, or variant=three of Azteka; may be repeated",
    )


def add_serial(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the Pico's serial port."""
    parser.add_argument(
        "--serial",
        metavar="PORT",
        help="the serial port of the Pico under the board, such as /dev/ttyACM0; overrides the one"
        " in the profile",
    )


def add_page(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of commands that serve a page."""
    parser.add_argument(
        "--port",
        type=port,
        default=DEFAULT_PORT,
        metavar="N",
        help="port of the page, 0 for any free one (%(default)s)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def add_data(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the data folder."""
    parser.add_argument(
        "--data",
        type=folder,
        metavar="DIR",
        help="folder of the games and the learned settings (the user's data folder)",
    )


def folder(text: str) -> Path:
    """Read the name of a folder; refuse an empty one, which would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("'' is not a folder")
    return Path(text)


def whole(text: str) -> int:
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def pair(text: str) -> tuple[str, str]:
    """Read a key and its value."""
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key, value


def seconds(text: str) -> float:
    """Read a time in seconds, above 0."""
    try:
        time_s = float(text)
    except ValueError:
        time_s = 0.0
    if not 0.0 < time_s < inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; allowed: seconds above 0")
    return time_s


def port(text: str) -> int:
    """Read a port of this machine, 0 for any free one."""
    number = whole(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; allowed: 0 - 65535")
    return number
