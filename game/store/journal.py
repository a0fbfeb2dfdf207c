"""The journal of the game being played: lines are on disk soon, or players read why not.

Every line is in memory too, so that no disk, however broken, stops play or loses the game while the
power lasts.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from game.common import Cause, StoreError
from game.rules.base.message import Message, say
from game.rules.base.values import Outcome
from game.store.game_writer import GameWriter, PendingGame
from game.store.store import BOARD, JournalLine
from game.table.entries import Entry, EntryKind

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""Time from a failed write to the next attempt, unless a new line is written earlier."""
SLOW_S = 5.0
"""How long a line may wait for the disk before players are warned, and play goes on without it."""
CLOSE_S = 1.5
"""How long the end of play waits for a disk that does not answer."""
NOTICE_S = 60.0
"""How long players see that the backup was taken; the game is being saved meanwhile."""
BACKUP_PAUSE_S = 300.0
"""Least time between two backups while a game is played: for a thousand games (7 MB), one takes
50 ms on a PC, and 1.5 s on an SD card that writes 5 MB/s."""
LONGEST_PAUSE_S = 600.0
"""A longer gap between two lines counts as this much playing time: people have left the table."""
_BEFORE_PLAY = frozenset({EntryKind.START, EntryKind.NAMES, EntryKind.COMPUTERS})
_NAMED = (Cause.FULL, Cause.READ_ONLY, Cause.BUSY, Cause.GONE, Cause.IN_USE)
"""The causes of trouble that players can do something about."""


def utc_now() -> datetime:
    """Return the wall clock's time in UTC; people may set it back."""
    return datetime.now(UTC)


class Journal:
    """Saves the games of one name and source in one folder.

    `append` and all properties belong to the board's thread; the writing thread calls `wake`.
    Without a thread, `append` writes before it returns.
    """

    def __init__(
        self,
        folder: Path,
        game: str,
        *,
        wake: Callable[[], None] = lambda: None,
        threaded: bool = True,
        wall: Callable[[], datetime] = utc_now,
        clock: Callable[[], float] = time.monotonic,
        source: str = BOARD,
    ) -> None:
        """Open the file and read the newest game; raises StoreError if another lifeboard plays."""
        self.wake = wake
        self._wall = wall
        self._clock = clock
        self._writer = GameWriter(folder, game, wall, clock, source)
        newest, self._failure = self._writer.resume()
        self._games: deque[PendingGame] = deque([newest] if newest is not None else [])
        """Games that could not be saved yet, then the game being played."""
        self._last_now: float | None = None
        self._changed = threading.Condition()
        self._closing = False
        self._retry_at = clock() + RETRY_S
        self._waiting_since: float | None = None
        self._backup_is_wanted = newest is not None
        self._backup_at = clock() + BACKUP_PAUSE_S
        self._lines_since_backup = 0
        self._logged = ""  # the cause of the trouble that is in the log
        self._thread: threading.Thread | None = None
        self._note(self._failure)
        if threaded:
            # A daemon, so that a disk that hangs does not keep the process from ending.
            self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
            self._thread.start()

    @property
    def settled(self) -> bool:
        """Whether all lines are on disk, or `trouble` says why not."""
        with self._changed:
            return self._unsaved() is None or not self.saving

    @property
    def saving(self) -> bool:
        """Whether the game is being saved, whatever else `trouble` reports."""
        with self._changed:
            return self._failure is None and not self._slow()

    @property
    def trouble(self) -> Message | None:
        """Why the game is not being saved now; also, for a while, that the backup was taken."""
        with self._changed:
            trouble = None
            if self._failure is not None:
                cause = self._failure.cause if self._failure.cause in _NAMED else Cause.FAILING
                trouble = say(f"journal.{cause.value}", folder=str(self._writer.folder))
            elif self._slow():
                trouble = say("journal.slow")
                self._warn("slow", f"the last moves are not yet in games file {self._writer.file}")
            replaced, at = self._writer.replaced
            if trouble is None and self._clock() < at + NOTICE_S:
                trouble = replaced
        return trouble

    @property
    def unsaved(self) -> int:
        """How many lines are in memory only."""
        with self._changed:
            return sum(len(game.lines) - game.saved for game in self._games)

    @property
    def loses_moves(self) -> bool:
        """Whether more than the beginning of a game is in memory only."""
        with self._changed:
            lines = [line for game in self._games for line in game.lines[game.saved :]]
        return any(line.entry.kind not in _BEFORE_PLAY for line in lines)

    @property
    def number(self) -> int | None:
        """The number of the game being played, or of the last one; None while it is not on disk."""
        with self._changed:
            return self._games[-1].number if self._games else None

    def settle(self) -> bool:
        """Start work that otherwise waits until the end of play; return whether all is done."""
        with self._changed:
            if self._lines_since_backup:
                self.back_up()
            return not self._backup_is_wanted and self._unsaved() is None

    def back_up(self) -> None:
        """Make a new backup soon; from any thread."""
        with self._changed:
            self._backup_is_wanted = True
            self._changed.notify()

    def newest(self, now: float | None = None) -> list[Entry]:
        """Return the entries of the newest game; play resumes `now`, in monotonic seconds."""
        self._last_now = now
        return [line.entry for line in self._games[-1].lines] if self._games else []

    def append(self, entries: Sequence[Entry], outcome: Outcome | None, now: float) -> None:
        """Save entries; START begins the next game. `outcome` is the game's outcome after them.

        `now` is in monotonic seconds. Raises nothing, and does not wait for the disk.
        """
        if not entries:
            return
        at = self._wall().astimezone(UTC).isoformat(timespec="milliseconds")
        with self._changed:
            for entry in entries:
                played_s = 0.0
                if entry.kind is EntryKind.START or not self._games:
                    self._games.append(PendingGame())
                else:
                    passed_s = 0.0 if self._last_now is None else now - self._last_now
                    played_s = self._games[-1].lines[-1].played_s
                    played_s += min(max(0.0, passed_s), LONGEST_PAUSE_S)
                self._last_now = now
                # Text that UTF-8 cannot encode would stop all that follows.
                text = entry.text.encode("utf-8", "replace").decode("utf-8")
                line = JournalLine(Entry(entry.kind, text), at, round(played_s, 3))
                self._games[-1].lines.append(line)
            game = self._games[-1]
            if outcome is not None and game.outcome is None:
                self._backup_is_wanted = True
            game.outcome = outcome
            if self._waiting_since is None:
                self._waiting_since = self._clock()
            self._retry_at = 0.0
            self._changed.notify()
        if self._thread is None:
            self._write()
            if self._backup_is_due():
                self._back_up()

    def close(self) -> None:
        """Write pending lines if the disk answers within CLOSE_S, and release file and lock."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is None:
            self._finish()
        else:
            self._thread.join(CLOSE_S)
            if self._thread.is_alive() and self.unsaved:
                log.warning("games file %s does not answer; not waiting for it", self._writer.file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while self._wait_for_work():
            if self._unsaved() is None and self._failure is None:
                self._back_up()
            else:
                self._write()
            if not self._closing:
                # The board's thread also polls; an error must not stop the writing of lines.
                with suppress(Exception):
                    self.wake()
        self._finish()

    def _wait_for_work(self) -> bool:
        """Wait until there is something to do; return False when play has ended."""
        with self._changed:
            while not self._closing:
                wait_s = None
                if self._unsaved() is not None or self._failure is not None:
                    wait_s = self._retry_at - self._clock()
                    if wait_s <= 0:
                        return True
                elif self._backup_is_due():
                    return True
                self._changed.wait(wait_s)
        return False

    def _finish(self) -> None:
        try:
            self._write()
            self.settle()
            if self._backup_is_due():
                self._back_up()
        finally:
            self._writer.close()

    def _unsaved(self) -> PendingGame | None:
        with self._changed:
            return next((each for each in self._games if each.saved < len(each.lines)), None)

    def _backup_is_due(self) -> bool:
        wanted = self._lines_since_backup and self._clock() >= self._backup_at
        return self._failure is None and bool(self._backup_is_wanted or wanted)

    def _slow(self) -> bool:
        waiting = self._waiting_since
        return waiting is not None and self._clock() - waiting > SLOW_S

    def _write(self) -> None:
        """Write all lines, in order, or note why that failed."""
        failure: StoreError | None = None
        self._retry_at = self._clock() + RETRY_S  # unless a line comes before
        try:
            if self._failure is not None:
                self._writer.open()
            while True:
                with self._changed:
                    game = self._unsaved()
                    if game is None:
                        break
                    count, outcome = len(game.lines), game.outcome
                before = game.saved
                self._writer.save(game, count, outcome)
                with self._changed:
                    self._lines_since_backup += count - before
                    self._waiting_since = self._clock()
        except StoreError as error:
            failure = error
        except Exception as error:
            # A bug here must not end play, nor the thread.
            log.exception("journal")
            failure = StoreError(str(error) or type(error).__name__)
        with self._changed:
            self._note(failure)

    def _back_up(self) -> None:
        """Make a backup, and write again what turns out not to be on disk."""
        with self._changed:
            self._backup_is_wanted, self._lines_since_backup = False, 0
        try:
            if self._games:
                self._writer.back_up(self._games[-1])
        except Exception as error:
            # The next write shows whether the file can still be written.
            log.warning("%s", error, exc_info=not isinstance(error, StoreError))
        self._backup_at = self._clock() + BACKUP_PAUSE_S
        if self._unsaved() is not None:
            self._write()

    def _note(self, failure: StoreError | None) -> None:
        """Note how a job ended; log when the trouble begins, changes or ends."""
        while len(self._games) > 1 and self._games[0].saved == len(self._games[0].lines):
            self._games.popleft()
        self._failure = failure
        if failure is not None:
            self._warn(failure.cause.value, str(failure))
        elif self._unsaved() is None:
            self._waiting_since = None
            if self._logged:
                self._logged = ""
                log.warning("the game is being saved again in %s", self._writer.file)

    def _warn(self, cause: str, why: str) -> None:
        if self._logged != cause:
            self._logged = cause
            log.warning("the game is not being saved: %s", why)
