"""The record of a match: a file of JSON lines, the description first, then a line a game.

Owns the form of these lines, and that a match that was interrupted at any moment, also by a power
cut, can continue: a game counts when its whole line is there.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from reprlib import repr as short
from typing import Any, Self

from game.common.errors import AppError
from game.rules.base.values import Json
from tests.tools.match.playing import Played, fixture

MOST_JOBS = 64
"""Processes that play one match."""
_FORM = ("lifeboard_match", 1)
_MOST = 10**18
"""Counts and times of a game are less than this."""
_NUMBER = (int, float)
_DESCRIPTION: Json = {"game": str, "options": dict, "a": str, "b": str, "opening": int}
_GAME: Json = {
    "game": int,
    "a": int,
    "opening": [str],
    "moves": [str],
    "winner": (int, None),
    "reason": str,
    "fault": str,
    "thoughts": [int, int],
    "seconds": [_NUMBER, _NUMBER],
    "nodes": [int, int],
    "cut": [int, int],
}


class RecordFile:
    """A record that is open for writing, for `with`; `games` are those that it has.

    Raises AppError for a file that is in use, or no record of this match.
    """

    def __init__(self, path: Path, description: Json) -> None:
        self._path = path
        first = _line(dict([_FORM]) | description)
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise AppError(f"{path} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            content = path.read_bytes()
            self.games: list[Played] = []
            self._end = len(first)
            if first.startswith(content) and content != first:
                self._write(first, 0)
            else:
                told, games, self._end = _read(path, content)
                _check_same(path, told, json.loads(first))
                self.games = list(games.values())
            os.ftruncate(self._file, self._end)
            os.fsync(self._file)
        except BlockingIOError as error:
            os.close(self._file)
            raise AppError(f"{path} is in use by another match") from error
        except BaseException:
            os.close(self._file)
            raise

    def add(self, played: Played) -> None:
        """Put a game on disk."""
        line = game_line(played)
        try:
            self._write(line, self._end)
            os.fsync(self._file)
        except OSError as error:
            raise AppError(f"{self._path} cannot be written: {error.strerror}") from error
        self._end += len(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def _write(self, content: bytes, at: int) -> None:
        while content:
            written = os.pwrite(self._file, content, at)
            content, at = content[written:], at + written


def read_record(path: Path) -> tuple[Json, dict[int, Played]]:
    """Read a record as far as it is whole: its description, and its games by their lines."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise AppError(f"{path} cannot be read: {error.strerror}") from error
    description, games, _ = _read(path, content)
    return description, games


def game_line(played: Played) -> bytes:
    """Write a game."""
    what = played.fixture
    return _line(
        {
            "game": what.number,
            "a": what.a,
            "opening": what.opening,
            "moves": played.moves,
            "winner": played.winner,
            "reason": played.reason,
            "fault": played.fault,
            "plies": played.plies,
            "thoughts": played.thoughts,
            "seconds": played.seconds,
            "nodes": played.nodes,
            "cut": played.cut,
        }
    )


def _line(told: Mapping[str, object]) -> bytes:
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def _check_same(path: Path, told: Json, wanted: Json) -> None:
    unlike = [
        f"{key} {json.dumps(told.get(key))}, not {json.dumps(wanted.get(key))}"
        for key in {**told, **wanted}
        if told.get(key) != wanted.get(key)
    ]
    if unlike:
        raise AppError(
            f"{path} is the record of another match: it has {'; '.join(unlike)}."
            " Allowed: another file, or the match that it began with"
        )


def _read(path: Path, content: bytes) -> tuple[Json, dict[int, Played], int]:
    """Read a record; also return how many of its bytes are whole. The last line may be cut."""
    *lines, rest = content.split(b"\n")
    try:
        description = json.loads(lines[0] if lines else b"")
        if description.get(_FORM[0]) != _FORM[1] or list(_misfits(description, _DESCRIPTION)):
            raise ValueError("no description")
    except (ValueError, AttributeError) as error:
        raise AppError(f"{path} is no record of a match") from error
    good = len(lines[0]) + 1
    games: dict[int, Played] = {}
    known: set[int] = set()
    for number, line in enumerate(lines[1:], 2):
        try:
            told = json.loads(line)
        except ValueError as error:
            # A power cut can leave a last line whose bytes never came to the disk.
            if number == len(lines) and not rest:
                break
            raise AppError(f"{path}, line {number}: it is damaged") from error
        if why := ", ".join(_misfits(told, _GAME)) or _out_of_place(told, known, lines):
            raise AppError(f"{path}, line {number}: {why}")
        games[number] = _played(told)
        known.add(told["game"])
        good += len(line) + 1
    return description, games, good


def _out_of_place(told: Json, known: set[int], lines: list[bytes]) -> str:
    """Say why a game of this number cannot be here; games are begun in order."""
    number: Any = told["game"]
    most = len(lines) + MOST_JOBS
    if number > most:
        return f"game is {number}; allowed: 0 - {most} in a record of {len(lines) - 1} games"
    if told["a"] != 1 + number % 2:
        return f"a is {told['a']}; allowed: {1 + number % 2} in game {number}"
    return f"game {number} is there twice" if number in known else ""


def _played(told: Any) -> Played:
    pairs = (tuple(told[key]) for key in ("thoughts", "seconds", "nodes", "cut"))
    what = fixture(told["game"], tuple(told["opening"]))
    ending = (told["winner"], told["reason"], told["fault"])
    return Played(what, tuple(told["moves"]), *ending, *pairs)


def _misfits(told: object, form: Json) -> Iterator[str]:
    if not isinstance(told, dict):
        yield "it is no object"
        return
    for key, kind in form.items():
        if not _fits(told.get(key), kind):
            yield f"{key} is {short(told.get(key))}"


def _fits(value: object, kind: Any) -> bool:
    """Tell whether a value is of a kind: a type, one of several, or a list of types."""
    if isinstance(kind, tuple):
        return any(_fits(value, each) for each in kind)
    if isinstance(kind, list):
        if not isinstance(value, list):
            return False
        kinds = kind * len(value) if len(kind) == 1 else kind
        return len(kinds) == len(value) and all(map(_fits, value, kinds))
    if kind is None or kind in (str, dict):
        return value is None if kind is None else isinstance(value, kind)
    return type(value) is kind and 0 <= value < _MOST  # type: ignore[operator]
