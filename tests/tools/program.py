"""Run the command line of a tool with the exit statuses of `lifeboard`."""

import argparse
import sys
from collections.abc import Callable, Sequence

from game.common import AppError, words
from game.rules.base.errors import RulesError
from hal.base.errors import HalError


def run(
    parser: argparse.ArgumentParser,
    command: Callable[[argparse.Namespace], int],
    arguments: Sequence[str] | None,
) -> int:
    """Parse arguments and run the command; return 0, 1 for a failure, or 2 for a wrong call."""
    options = parser.parse_args(arguments)
    try:
        return command(options)
    except RulesError as error:
        why, status = words("en").text(error.message), 2
    except (AppError, HalError, OSError) as error:
        why, status = str(error), getattr(error, "status", 1)
    except KeyboardInterrupt:
        return 130
    print(f"{parser.prog}: {why}", file=sys.stderr)
    return status


def number(least: int, most: int) -> Callable[[str], int]:
    """Return an argument type: a whole number from `least` to `most`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is out of range; allowed: {least} - {most}")
        return value

    return read
