"""The record of a match: a file of JSON lines, the plan first, then a line a game.

Owns its form, and that a match which was broken off at any moment, also by a power cut, can go on:
a game counts when its whole line is there.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from game.app.errors import AppError
from game.app.opponent.match.playing import Fixture, Played
from game.rules.game import Json

FORM = 1
_MARK = "lifeboard_match"


class RecordFile:
    """Hold a record of a match open, for `with`, and write each game to disk as it comes."""

    def __init__(self, path: Path, described: Json) -> None:
        """Open the record of this match, or begin it; raises AppError if it is another one's."""
        self._path = path
        first = _line({_MARK: FORM, **described})
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise AppError(f"{path} cannot be written: {error.strerror}") from error
        try:
            self._lock()
            content = _content(self._file)
            if content == b"" or (len(content) < len(first) and first.startswith(content)):
                content = b""
            else:
                there, self.games, good = _read(path, content)
                _same(path, there, json.loads(first))
            if content == b"":
                self.games, good = [], len(first)
                _write(self._file, first, 0)
            os.ftruncate(self._file, good)
            os.fsync(self._file)
            self._end = good
        except BaseException:
            os.close(self._file)
            raise

    games: list[Played]
    """The games that were there."""

    def add(self, played: Played) -> None:
        """Put a game on disk; raises AppError."""
        line = _line(_as_json(played))
        try:
            _write(self._file, line, self._end)
            os.fsync(self._file)
        except OSError as error:
            raise AppError(f"{self._path} cannot be written: {error.strerror}") from error
        self._end += len(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise AppError(f"{self._path} is being written by another lifeboard") from error


def read_record(path: Path) -> tuple[Json, list[Played]]:
    """Read a record as far as it is whole; raises AppError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise AppError(f"{path} cannot be read: {error.strerror}") from error
    described, games, _ = _read(path, content)
    return described, games


def differences(one: Json, other: Json) -> list[str]:
    """List in words what differs between the descriptions of two matches."""
    keys = [*one, *(key for key in other if key not in one)]
    return [
        f"{key} {json.dumps(one.get(key))}, not {json.dumps(other.get(key))}"
        for key in keys
        if one.get(key) != other.get(key)
    ]


def _same(path: Path, there: Json, wanted: Json) -> None:
    unlike = differences(there, wanted)
    if unlike:
        raise AppError(
            f"{path} is the record of another match: it has {'; '.join(unlike)}."
            " Allowed: another file, or the match that it began with"
        )


def _read(path: Path, content: bytes) -> tuple[Json, list[Played], int]:
    """Read a record; also give how many bytes of it are whole. The last line may be cut."""
    lines = content.split(b"\n")
    good = 0
    described: Json | None = None
    games: dict[int, Played] = {}
    for number, line in enumerate(lines[:-1], 1):
        try:
            told = json.loads(line)
            if described is None:
                described = _description(told)
            else:
                played = _as_played(told)
                games[played.fixture.number] = played
        except (ValueError, KeyError, TypeError) as error:
            # A power cut can leave a last line whose bytes never came to the disk.
            if described is not None and number == len(lines) - 1 and not lines[-1]:
                break
            what = "no record of a match" if described is None else f"damaged in line {number}"
            raise AppError(f"{path} is {what}") from error
        good += len(line) + 1
    if described is None:
        raise AppError(f"{path} is no record of a match")
    return described, [games[number] for number in sorted(games)], good


def _description(told: Any) -> Json:
    if not isinstance(told, dict) or told.get(_MARK) != FORM:
        raise ValueError("no description of a match")
    return told


def _line(told: Json) -> bytes:
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def _as_json(played: Played) -> Json:
    what = played.fixture
    return {
        "game": what.number,
        "a": what.a,
        "opening": list(what.opening),
        "moves": list(played.moves),
        "winner": played.winner,
        "reason": played.reason,
        "fault": played.fault,
        "plies": played.plies,
        "thoughts": list(played.thoughts),
        "seconds": list(played.seconds),
        "nodes": list(played.nodes),
        "cut": list(played.cut),
    }


def _as_played(told: Any) -> Played:
    winner = told["winner"]
    if winner not in (None, 1, 2) or told["a"] not in (1, 2) or not isinstance(told["game"], int):
        raise ValueError("no game of a match")
    return Played(
        Fixture(told["game"], tuple(map(str, told["opening"])), told["a"]),
        tuple(map(str, told["moves"])),
        winner,
        str(told["reason"]),
        str(told["fault"]),
        _two(told["thoughts"], int),
        _two(told["seconds"], float),
        _two(told["nodes"], int),
        _two(told["cut"], int),
    )


def _two(numbers: Sequence[Any], kind: Any) -> Any:
    first, second = numbers
    return kind(first), kind(second)


def _content(file: int) -> bytes:
    return b"".join(_pieces(file))


def _pieces(file: int) -> Iterator[bytes]:
    os.lseek(file, 0, os.SEEK_SET)
    while piece := os.read(file, 1 << 20):
        yield piece


def _write(file: int, content: bytes, at: int) -> None:
    while content:
        written = os.pwrite(file, content, at)
        content, at = content[written:], at + written
