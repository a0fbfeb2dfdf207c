"""The command line; it exits with 0, or 1 for a failure or a refused line, 2 for wrong usage."""

import argparse
import io
import logging
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import version
from typing import Any, NoReturn

from game.cli.arguments import add_commands
from game.cli.commands import RUNS
from game.common import AppError, SafeFormatter, escaped, words
from game.rules.base.errors import RulesError
from hal.base.errors import HalError, UnknownBackend

_REFUSED = re.compile(
    r"""\A[^{]*?(?P<quote>['"])(?P<name>[^'"]+)(?P=quote).*?(?:allowed|there are|choose from)\b"""
    r"(?P<allowed>[^;`]*)",
    re.DOTALL,
)
"""Finds the refused word and the allowed ones in an error message; words in an object are none."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if given[0] == "help":
        given = [*given[1:], "--help"]
    options = _parser().parse_args(given)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A character that the terminal cannot show, or an undecodable byte, must not end a game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    handler = logging.StreamHandler()
    more = "%(levelname)s %(name)s: " if options.verbose else ""
    handler.setFormatter(SafeFormatter(f"lifeboard: {more}%(message)s"))
    level = logging.DEBUG if options.verbose else logging.WARNING
    logging.basicConfig(level=level, handlers=[handler])
    try:
        status = int(options.run(options))
        print(end="", flush=True)
        return status
    except RulesError as error:
        return _fail(words("en").text(error.message), 2)
    except (AppError, HalError) as error:
        status = 2 if isinstance(error, UnknownBackend) else getattr(error, "status", 1)
        return _fail(str(error), status)
    except OSError as error:
        why = error.strerror or str(error)
        if error.filename is not None:
            return _fail(f"{error.filename}: {why}", 1)
        # Keep the interpreter from flushing at exit what cannot be written.
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # The reader of our output has closed the pipe: no message needed.
        gone = isinstance(error, BrokenPipeError)
        return 1 if gone else _fail(f"standard output cannot be written: {why}", 1)


def _near(name: str, allowed: str) -> str:
    """Return a hint at an allowed word that is similar to the name or begins with it, if any."""
    every = re.findall(r"[\w-]*\w", allowed)
    short = {word[: len(name)].lower(): word for word in reversed(every) if len(name) > 2}
    words_by_text = short | {word.lower(): word for word in every}
    near = get_close_matches(name.lower(), words_by_text, 1)
    return f" Did you mean {words_by_text[near[0]]}?" if near else ""


def _fail(why: str, status: int, meant: str = "") -> int:
    refused = _REFUSED.search(why)
    meant = meant or (_near(*refused.group("name", "allowed")) if refused else "")
    end = "." if meant and not why.endswith(".") else ""
    print(f"lifeboard: {escaped(' '.join(why.split()))}{end}{meant}", file=sys.stderr)
    return status


class _Parser(argparse.ArgumentParser):
    """A parser whose error messages are one line, like all our errors."""

    def error(self, message: str, meant: str = "") -> NoReturn:
        self.exit(_fail(f"{message}; see `{self.prog} --help`", 2, meant))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse surplus arguments here, where the error can name the subcommand's help."""
        known, more = super().parse_known_args(args, namespace)
        if more:
            near = _near(more[0].lstrip("-"), self.format_usage())
            self.error(f"unrecognized arguments: {' '.join(more)}", near)
        return known, more


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="lifeboard",
        description="The brain of a board that feels stones and glows.",
        epilog="Begin with `lifeboard play`. `lifeboard help COMMAND` lists a command's options.",
    )
    parser.add_argument("--version", action="version", version=version("lifeboard"))
    parser.add_argument("--verbose", action="store_true", help="log more on standard error")
    add_commands(parser, RUNS)
    return parser
