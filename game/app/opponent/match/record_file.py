"""The record of a match: a file of JSON lines, the plan first, then a line a game.

Owns that a match which was broken off at any moment, also by a power cut, can go on: a game counts
when its whole line is there. What a line says is read in `record_lines`.
"""

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Self

from game.app.errors import AppError
from game.app.opponent.match.command import MOST_JOBS
from game.app.opponent.match.playing import Played
from game.app.opponent.match.record_lines import (
    WrongLine,
    description_in,
    first_line,
    game_in,
    game_line,
)
from game.rules.game import Json

Judge = Callable[[Json], Callable[[Played], str]]
"""Says of the games of a match, by its description, what is wrong with each; "" if nothing is."""


def no_judge(_: Json) -> Callable[[Played], str]:
    """Take every game for one of the match."""
    return lambda played: ""


class RecordFile:
    """Hold a record of a match open, for `with`, and write each game to disk as it comes."""

    def __init__(self, path: Path, described: Json, judge: Judge = no_judge) -> None:
        """Open the record of this match, or begin it.

        Raises AppError if it is another one's, or has a game with which something is wrong.
        """
        self._path = path
        first = first_line(described)
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

                def its_judge(there: Json) -> Callable[[Played], str]:
                    _same(path, there, json.loads(first))
                    return judge(there)

                _, self.games, good = _read(path, content, its_judge)
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
        line = game_line(played)
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


def read_record(path: Path, judge: Judge = no_judge) -> tuple[Json, list[Played]]:
    """Read a record as far as it is whole; raises AppError, also for a game that is wrong."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise AppError(f"{path} cannot be read: {error.strerror}") from error
    described, games, _ = _read(path, content, judge)
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


def _read(path: Path, content: bytes, judge: Judge) -> tuple[Json, list[Played], int]:
    """Read a record; also give how many bytes of it are whole. The last line may be cut."""
    *lines, rest = content.split(b"\n")
    try:
        described = description_in(lines[0] if lines else b"")
    except (ValueError, WrongLine) as error:
        raise AppError(f"{path} is no record of a match") from error
    wrong = judge(described)
    good = len(lines[0]) + 1
    games: dict[int, tuple[int, Played]] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            played = game_in(line)
        except ValueError as error:
            # A power cut can leave a last line whose bytes never came to the disk.
            if number == len(lines) and not rest:
                break
            raise AppError(f"{path} is damaged in line {number}") from error
        except WrongLine as error:
            raise AppError(f"{path}, line {number}: {error}") from error
        at = played.fixture.number
        if why := _out_of_place(at, len(lines) - 1, games) or wrong(played):
            raise AppError(f"{path}, line {number}: {why}")
        games[at] = number, played
        good += len(line) + 1
    return described, [games[number][1] for number in sorted(games)], good


def _out_of_place(number: int, lines: int, games: Mapping[int, tuple[int, Played]]) -> str:
    """Say why a game of this number cannot stand here; "" if it can.

    Games are begun in their order, so that of those before the last one only so many can be missing
    as were at work when a match was broken off.
    """
    most = lines + MOST_JOBS - 2
    if number > most:
        return f"game is {number}; allowed: 0 - {most} in a record of {lines} games"
    if number in games:
        return f"game {number} is there already, in line {games[number][0]}; allowed: each once"
    return ""


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
