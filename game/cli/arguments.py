"""Arguments: the value types of options, and the parsers that `commands.toml` describes."""

import argparse
import inspect
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Run = Callable[[argparse.Namespace], int]
Read = Callable[[str], Any]
Commands: TypeAlias = "argparse._SubParsersAction[Any]"
"""The parser's subcommands; argparse has no public name for this type."""
_COMMANDS: dict[str, Any] = tomllib.loads(files("game.cli").joinpath("commands.toml").read_text())
_SHARED, _TOOL = _COMMANDS.pop("shared"), _COMMANDS.pop("tool")


def add_commands(parser: argparse.ArgumentParser, runs: Mapping[str, Run]) -> None:
    """Add all commands; `runs` has the function that runs each command, by name."""
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True
    )
    for name, spec in _COMMANDS.items():
        _add(commands, name, spec, runs[name])


def add_option(parser: argparse._ActionsContainer, flags: str, spec: Mapping[str, Any]) -> None:
    """Add an option; if `spec` is empty, it is one that several commands share."""
    spec = dict(spec or _SHARED[flags])
    if "type" in spec:
        spec["type"] = _TYPES[spec["type"]]
    parser.add_argument(*flags.split(), **spec)


def filled(kind: Callable[..., T], options: argparse.Namespace) -> T:
    """Call a function or class with the options that have the names of its parameters."""
    names = inspect.signature(kind).parameters
    return kind(**{name: given for name, given in vars(options).items() if name in names})


def _add(commands: Commands, name: str, spec: Mapping[str, Any], run: Run) -> None:
    text = spec["help"]
    plain = {"description": spec.get("description", f"{text[0].upper()}{text[1:]}.")}
    # The program that gets these arguments parses all of them, --help too.
    passes = {"add_help": False, "prefix_chars": "\0"}
    parser = commands.add_parser(name, help=text, **(passes if "passes" in spec else plain))
    parser.set_defaults(run=run)
    if "passes" in spec:
        parser.add_argument("arguments", nargs="*")
    for flags, option in {**(_TOOL if "tool" in spec else {}), **spec.get("options", {})}.items():
        add_option(parser, flags, option)
    if "actions" in spec:
        actions = parser.add_subparsers(
            title="actions", metavar="ACTION", dest="action", required=True
        )
        for action, inner in spec["actions"].items():
            _add(actions, action, inner, run)


def folder(text: str) -> Path:
    """Read the name of a folder; refuse an empty one, which would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("'' is not a folder")
    return Path(text)


def pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key, value


def _within(low: float, high: float, kind: type[float] = int, allowed: str = "") -> Read:
    def read(text: str) -> float:
        with suppress(ValueError):
            if low <= (number := kind(text)) <= high:
                return number
        allows = allowed or f"{low} - {high}"
        raise argparse.ArgumentTypeError(f"{text!r} is refused; allowed: {allows}")

    return read


_TYPES: Mapping[str, Read] = {
    "folder": folder,
    "names": lambda text: tuple(name.strip() for name in text.split(",")),
    "nice": _within(0, 19),
    "pair": pair,
    "Path": Path,
    "port": _within(0, 65535),
    "seconds": _within(1e-6, 1e9, float, "seconds above 0"),
    "seed": _within(0, 2**31 - 1),
    "whole": _within(-inf, inf, allowed="a whole number"),
}
