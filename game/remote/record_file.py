"""The shared record on disk: a file for each room, one line of JSON for each entry or ask.

What `save` was given is on disk when it returns. A last line torn by a power cut was never sent,
and is dropped.
"""

import json
import os
from contextlib import suppress
from pathlib import Path

from game.common import AppError, Lock
from game.remote.chain import ChainEntry, Keys, follows
from game.remote.shared_game import Ask, Asks, SharedGame
from hal.base import schema
from hal.base.files import read_whole, write_whole

MOST_BYTES = 1 << 24
"""Largest file: the longest record has 20,000 entries of some 250 bytes."""
VERSION = 1


class RecordFile:
    """The record of one room, which one process has open; `asks` are those since the last entry."""

    def __init__(self, folder: Path, keys: Keys, side: int | None) -> None:
        """Open it, or begin it as `side` (2 if None); raises AppError or OSError."""
        self.file = _file(folder, keys)
        self._lock = Lock(
            self.file.with_suffix(".lock"), f"room record {self.file}", "end that one first"
        )
        self._saved = 0
        self.asks: Asks = {}
        try:
            self.side, self.chain = self._read(keys, side)
            self._open = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        except BaseException:
            self._lock.close()
            raise

    def save(self, game: SharedGame) -> None:
        """Write what is new in a game; raises OSError, and leaves no half line behind."""
        new = schema.to_builtins(game.chain[self._saved :])
        lines: list[object] = [*new]
        if dict(game.asks) != ({} if new else self.asks):
            lines.append({ask.value: count for ask, count in game.asks.items()})
        if lines:
            size = os.fstat(self._open).st_size
            content = b"".join(_line(each) for each in lines)
            try:
                written = os.write(self._open, content)
                if written != len(content):
                    raise OSError(28, "no room for all of it", str(self.file))
                os.fsync(self._open)
            except OSError:
                os.ftruncate(self._open, size)
                raise
        self._saved, self.asks = len(game.chain), dict(game.asks)

    def close(self) -> None:
        """Close the file and its lock."""
        os.close(self._open)
        self._lock.close()

    def _read(self, keys: Keys, side: int | None) -> tuple[int, tuple[ChainEntry, ...]]:
        content = read_whole(self.file, MOST_BYTES) if self.file.exists() else b""
        *lines, torn = content.split(b"\n")
        if not lines:
            # Nothing was sent before the first line was on disk.
            side = side or 2
            write_whole(self.file, _line({"version": VERSION, "side": side}), 0o600)
            return side, ()
        if torn:
            os.truncate(self.file, len(content) - len(torn))
        chain: list[ChainEntry] = []
        try:
            first = json.loads(lines[0])
            if first.get("version") != VERSION or first.get("side") not in (1, 2):
                raise ValueError("its first line is of another version")
            for number, line in enumerate(lines[1:], start=2):
                fields = json.loads(line)
                if isinstance(fields, dict):
                    self.asks = {Ask(key): int(count) for key, count in fields.items()}
                    continue
                entry = schema.convert(fields, ChainEntry)
                if not follows(keys, chain, entry):
                    raise ValueError(f"line {number} does not follow the one before")
                chain.append(entry)
                self.asks = {}
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise AppError(
                f"room record {self.file} cannot be read: {error}; move it away, and the record"
                " comes back from the other board"
            ) from error
        if side is not None and side != first["side"]:
            raise AppError(f"this board is side {first['side']} in room record {self.file}")
        self._saved = len(chain)
        return first["side"], tuple(chain)


def recorded_side(folder: Path, code: str) -> int | None:
    """Return the side that this board has in a room; None where it was never in it."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        content = _file(folder, Keys.of(code)).read_bytes()
        return int(json.loads(content.partition(b"\n")[0])["side"])
    return None


def _file(folder: Path, keys: Keys) -> Path:
    return folder / "rooms" / f"{keys.name}.jsonl"


def _line(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"
