"""Runs one side of a game on two boards: takes requests and messages, saves, then sends.

Owns the order: an entry is on disk before it is shown here or sent to the other board. All of it
happens on a thread of its own, so that neither a slow disk nor a broker delays the board.

The record is a file with one line of JSON for each entry or ask. A last line torn by a power cut
was never sent, and is dropped.
"""

import json
import logging
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from threading import Event, Thread
from typing import Protocol

from game.common import AppError, Lock
from game.remote.chain import ChainEntry, Keys, follows
from game.remote.shared_game import (
    Ask,
    Asks,
    Setting,
    SharedGame,
    SideReport,
    Unreadable,
    pack,
    unpack,
)
from game.rules.base.message import Message, say
from game.table.inputs import Phrase
from hal.base import schema
from hal.base.files import read_whole, write_whole

log = logging.getLogger(__name__)

BEAT_S = 15.0
"""How often a side repeats its message, to replace a lost one and show that it is present. A
failed write is tried again then, or at any earlier event."""
AWAY_S = 50.0
"""A board counts as away after three beats without a message."""
SAID_S = 40.0
"""How long a phrase is repeated: over two beats, but not for boards that connect much later."""
MOST_RECORD = 1 << 24
"""Most bytes of a record: the longest has 20,000 entries of some 250 bytes."""
RECORD_VERSION = 1


class BoardChannel(Protocol):
    """What carries messages to the other board; it may lose, double, delay and reorder them.

    `connections` counts the connections made, 0 while there is none; `trouble` says why. `take`
    returns the messages since its last call, and whether a broker had retained each one.
    """

    @property
    def connections(self) -> int: ...
    @property
    def trouble(self) -> Message | None: ...
    def take(self) -> list[tuple[bytes, bool]]: ...
    def send(self, payload: bytes) -> None: ...
    def close(self) -> None: ...


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
        content = read_whole(self.file, MOST_RECORD) if self.file.exists() else b""
        *lines, torn = content.split(b"\n")
        if not lines:
            # Nothing was sent before the first line was on disk.
            side = side or 2
            write_whole(self.file, _line({"version": RECORD_VERSION, "side": side}), 0o600)
            return side, ()
        if torn:
            os.truncate(self.file, len(content) - len(torn))
        chain: list[ChainEntry] = []
        try:
            first = json.loads(lines[0])
            if first.get("version") != RECORD_VERSION or first.get("side") not in (1, 2):
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


class Link:
    """One side, resumed from its record on disk. `wake` is called when there is something new.

    `open_channel` gets a function that wakes this link. Without a thread, the caller calls `turn`.
    """

    def __init__(
        self,
        setting: Setting,
        record: RecordFile,
        open_channel: Callable[[Callable[[], None]], BoardChannel],
        wake: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        threaded: bool = True,
    ) -> None:
        """Go on with the record; raises AppError, or RulesError where it breaks the rules."""
        self._clock, self._wake, self._record = clock, wake, record
        self._game = self._next = SharedGame.opened(setting, record.chain, record.asks)
        self._requests: deque[Callable[[SharedGame], SharedGame]] = deque()
        self._changed, self._closing = Event(), False
        self._heard_at: float | None = None
        self._disk: Message | None = None
        self._unread = False
        self._beat_at = clock()
        self._twin_at = -inf
        self._published: tuple[int, bytes] | None = None
        self._said, self._said_until = (0, ""), 0.0
        self._heard: tuple[str, int] = ("", 0)
        self._phrases: deque[Phrase] = deque(maxlen=1)
        self._seen: tuple[object, ...] = ()
        self._channel = open_channel(self._changed.set)
        self._thread = Thread(target=self._run, name="link", daemon=True) if threaded else None
        if self._thread is not None:
            self._thread.start()

    @property
    def game(self) -> SharedGame:
        """The game as it is on disk."""
        return self._game

    @property
    def trouble(self) -> Message | None:
        """What is wrong now with disk, broker or the other board; the worst comes first."""
        if self._has_twin:
            return say("remote.twin")
        other = self._game.other if self._game.hears else None
        if other is not None and other.game != self._game.setting.game.name:
            return say("remote.other_game", game=other.game)
        unread = say("remote.unreadable") if self._unread else None
        why = self._channel.trouble
        unsent = why and say("remote.unsent", why=why)
        return self._disk or self._game.differs or unread or unsent

    @property
    def is_away(self) -> bool:
        """Whether no message of the other board has arrived for AWAY_S."""
        return self._heard_at is None or self._clock() - self._heard_at > AWAY_S

    def request(self, change: Callable[[SharedGame], SharedGame]) -> None:
        """Let this side make a change, such as a move; from any thread."""
        self._requests.append(change)
        self._changed.set()

    def say(self, phrase: Phrase) -> None:
        """Send a phrase to the other board, which gets it soon or never; from any thread."""
        self._said = self._said[0] + 1, phrase.value
        self._said_until = self._clock() + SAID_S
        self._changed.set()

    def take_phrase(self) -> Phrase | None:
        """Return the newest phrase of the other board since the last call."""
        return self._phrases.pop() if self._phrases else None

    def close(self) -> None:
        """Stop; what is on disk is sent when this side starts again."""
        self._closing = True
        self._changed.set()
        if self._thread is not None:
            self._thread.join()
        self._channel.close()

    def turn(self) -> None:
        """Handle requests and messages, save what is new, and send it.

        While another program plays as this side nothing is handled, since both would write.
        """
        now, game = self._clock(), self._next
        arrived = [*self._read(now)]
        while self._requests and not self._has_twin:
            game = self._requests.popleft()(game)
        for report, retained in () if self._has_twin else arrived:
            game = game.receive(report)
            if game.hears and not retained:
                self._heard_at = now
                self._listen(report)
        self._next = game
        if game is not self._game:
            self._save(game)
        self._tell(now)
        game = self._game
        seen = game.chain, game.asks, game.their_asks, self.trouble, self.is_away
        if seen != self._seen:
            self._seen = seen
            self._wake()

    def _read(self, now: float) -> Iterator[tuple[SideReport, bool]]:
        """Yield the other side's messages; a retained one does not prove its presence."""
        setting = self._game.setting
        for payload, retained in self._channel.take():
            try:
                report = unpack(setting.keys, payload)
            except Unreadable as error:
                log.debug("the other board's message cannot be read: %s", error)
                self._unread |= not retained
            except ValueError as error:
                log.debug("a message was dropped: %s", error)
            else:
                if report.side != setting.side:
                    self._unread = False
                    yield report, retained
                elif report.session != setting.session and not retained:
                    self._twin_at = now

    @property
    def _has_twin(self) -> bool:
        return self._clock() - self._twin_at <= AWAY_S

    def _listen(self, report: SideReport) -> None:
        count, phrase = report.said
        heard, before = self._heard
        if count and (heard != report.session or count > before):
            self._heard = report.session, count
            # Another version may have other phrases.
            with suppress(ValueError):
                self._phrases.append(Phrase(phrase))
            self._wake()

    def _save(self, game: SharedGame) -> None:
        try:
            self._record.save(game)
        except OSError as error:
            log.warning("room record %s cannot be written: %s", self._record.file, error)
            self._disk = say("remote.not_saved", why=error.strerror or str(error))
        else:
            self._disk, self._game = None, game

    def _tell(self, now: float) -> None:
        """Send what is on disk if it or the connection is new, or a beat is due."""
        connections = self._channel.connections
        if now >= self._beat_at:
            self._beat_at = now + BEAT_S
            self._published = None
        if not connections:
            return
        setting = self._game.setting
        said = self._said if now < self._said_until else (0, "")
        payload = pack(setting.keys, replace(self._game.report(), said=said))
        if self._published != (connections, payload):
            self._published = (connections, payload)
            self._channel.send(payload)

    def _run(self) -> None:
        while not self._closing:
            try:
                self.turn()
            except Exception:
                # A message must not end the game on two boards.
                log.exception("link")
            self._changed.wait(max(0.0, self._beat_at - self._clock()))
            self._changed.clear()
