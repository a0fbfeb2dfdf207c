"""The record of a match: a file of JSON lines, the description first, then a line a game.

A game counts when its whole line is there, so that a match that was interrupted can continue.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from game.common.errors import AppError
from game.rules.base.values import Json
from tests.tools.match.playing import Played, fixture

_FORM = ("lifeboard_match", 1)
_PAIRS = ("thoughts", "seconds", "nodes", "cut")


def begin_record(path: Path, description: Json) -> list[Played]:
    """Make a file ready for more games of a match, and return those that it has.

    Raises AppError for one that is no record of this match, and leaves it as it is.
    """
    first = _line(dict([_FORM]) | description)
    if not path.exists() or first.startswith(path.read_bytes()):
        path.write_bytes(first)
        return []
    told, games = read_record(path)
    if told != json.loads(first):
        raise AppError(f"{path} is the record of another match; allowed: another file")
    os.truncate(path, path.read_bytes().rindex(b"\n") + 1)
    return list(games.values())


def add_game(path: Path, played: Played) -> None:
    """Put a game on disk."""
    what = played.fixture
    line = {
        "game": what.number,
        "a": what.a,
        "opening": what.opening,
        "moves": played.moves,
        "winner": played.winner,
        "reason": played.reason,
        "fault": played.fault,
        "plies": played.plies,
        **{key: getattr(played, key) for key in _PAIRS},
    }
    with path.open("ab") as file:
        file.write(_line(line))
        file.flush()
        os.fsync(file.fileno())


def read_record(path: Path) -> tuple[Json, dict[int, Played]]:
    """Read a record: its description, and its games by their lines; raises AppError.

    What comes after the last end of a line was not written whole, and does not count.
    """
    *lines, _ = path.read_bytes().split(b"\n")
    description: Json = {}
    games: dict[int, Played] = {}
    for number, line in enumerate(lines, 1):
        try:
            told = json.loads(line)
            if number == 1:
                description = told
            else:
                games[number] = _played(told)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise AppError(f"{path}, line {number}: this is no line of a record") from error
    if not isinstance(description, dict) or description.get(_FORM[0]) != _FORM[1]:
        raise AppError(f"{path} is no record of a match")
    return description, games


def _line(told: Mapping[str, object]) -> bytes:
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def _played(told: Any) -> Played:
    what = fixture(told["game"], tuple(told["opening"]))
    pairs: Any = {key: tuple(told[key]) for key in _PAIRS}
    winner, reason, fault = told["winner"], told["reason"], told["fault"]
    return Played(what, tuple(told["moves"]), winner, reason, fault, **pairs)
