"""The journal of the game at the table: what is handed over is soon on disk, or people are told.

Owns the thread that writes, when it tries again, the time that a game has been at the table, and
what is told while the game is not being kept. Must not know the rules. Every line of the game at
the table is in memory too, so that no disk, however broken, holds up play or loses it while the
power lasts.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from game.app import log_messages
from game.app.errors import Cause, StoreError
from game.app.journal.games_file import LONGEST_PAUSE_S
from game.app.journal.keeper import Aside, Extent, Keeper, Sheet
from game.app.journal.store import Line
from game.rules.game import Outcome
from game.rules.message import Message, say
from game.table.entries import Entry, Kind

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""How long after a failure the disk is tried again, if no new line has it tried before."""
SLOW_S = 5.0
"""How long a line may be on its way before people are told, and play goes on without it."""
CLOSE_S = 1.5
"""How long the end of play waits for a disk that does not answer."""
TOLD_S = 60.0
"""How long it is told that a file was set aside; the game is being kept meanwhile."""
TIDY_LINES = 32
"""After so many lines the log is emptied and the game read back, when there is a moment for it."""
_BEGIN = frozenset({Kind.START, Kind.NAMES, Kind.COMPUTERS})
"""The lines of a game in which nothing was played yet."""
_SLOW = "slow"


def utc_now() -> datetime:
    """Return the wall clock's time, which people may set back; in UTC."""
    return datetime.now(UTC)


class Journal:
    """Keeps the games of one name in one folder, the one at the table last.

    `keep` and all properties belong to the board's thread; `wake` is called from the writing
    thread when something has changed. Without a thread, `keep` writes before it returns, and the
    disk is tried again only by the next `keep`.
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
    ) -> None:
        """Open the file and read the newest game; raises StoreError if another lifeboard plays."""
        self.wake = wake
        self._wall = wall
        self._clock = clock
        self._keeper = Keeper(folder, game, wall, clock)
        sheet, self._failure = self._keeper.take_up()
        self._sheets: deque[Sheet] = deque([sheet] if sheet is not None else [])
        """The game at the table last, and before it those that could not be saved yet."""
        self._newest = [line.entry for line in sheet.lines] if sheet is not None else []
        self._played_s = sheet.lines[-1].played_s if sheet is not None and sheet.lines else 0.0
        self._last_now: float | None = None
        self._changed = threading.Condition()
        self._closing = False
        self._asked = True
        self._retry_at = 0.0
        self._waiting_since: float | None = None
        self._untidy = 0
        self._has_told = False
        self._told: Aside | None = None
        self._told_until = 0.0
        self._warned = ""
        """The trouble that the log tells of: a cause or slowness; "" while there is none."""
        self._noted: int | None = None
        """How many notes were told of; None until the file was opened."""
        self._thread: threading.Thread | None = None
        self._write()
        self.notes = tuple(self._keeper.notes)
        """What happened to files as this was opened, one English line each; later the log tells."""
        self._noted = len(self.notes)
        if threaded:
            # A disk that hangs must not keep the process from ending.
            self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
            self._thread.start()

    @property
    def file(self) -> Path:
        """The file of games."""
        return self._keeper.file

    @property
    def settled(self) -> bool:
        """Whether all that was handed over is on disk, or `trouble` has told why it is not."""
        with self._changed:
            failing = self._failure is not None or self._slow()
            return self._unsaved() is None or (failing and self._has_told)

    @property
    def kept(self) -> bool:
        """Whether the game is being kept, whatever else there is to tell."""
        with self._changed:
            return self._failure is None and not self._slow()

    @property
    def trouble(self) -> Message | None:
        """Why the game is not being kept now; also, for a while, that a file was set aside."""
        with self._changed:
            told = None
            if self._failure is not None:
                told = _told(self._failure, self.file)
            elif self._slow():
                told = say("journal.slow")
                if not self._warned:
                    self._warned = _SLOW
                    log.warning(
                        "the disk is slow, and the last moves are not yet in games file %s",
                        self.file,
                        extra=log_messages.NOT_KEPT.extra(
                            LIFEBOARD_FILE=self.file, LIFEBOARD_CAUSE=_SLOW
                        ),
                    )
            self._has_told = told is not None
            if told is None and self._told is not None and self._clock() < self._told_until:
                told = _told_aside(self._told)
        return told

    @property
    def unsaved(self) -> int:
        """How many lines are in memory only."""
        with self._changed:
            return sum(len(sheet.lines) - sheet.saved for sheet in self._sheets)

    @property
    def loses_moves(self) -> bool:
        """Whether what is in memory only is more than the begin of a game."""
        with self._changed:
            return any(
                line.entry.kind not in _BEGIN
                for sheet in self._sheets
                for line in sheet.lines[sheet.saved :]
            )

    def newest(self, now: float | None = None) -> list[Entry]:
        """Return the entries of the newest game, to resume, as they were found; [] if none.

        `now` says when it is taken up, in monotonic seconds; without it, its playing time goes on
        with its next line.
        """
        self._last_now = now
        return list(self._newest)

    def keep(self, entries: Sequence[Entry], outcome: Outcome | None, now: float) -> None:
        """Hand over entries; START begins the next game. `outcome` is the game's after them.

        `now` is in monotonic seconds. Raises nothing; where there is a thread, it does not wait for
        the disk.
        """
        at = self._wall().astimezone(UTC).isoformat(timespec="milliseconds")
        with self._changed:
            for entry in entries:
                if entry.kind is Kind.START or not self._sheets:
                    self._sheets.append(Sheet())
                    self._played_s, self._last_now = 0.0, now
                elif self._last_now is not None:
                    self._played_s += min(max(0.0, now - self._last_now), LONGEST_PAUSE_S)
                self._last_now = now
                # What cannot be written as UTF-8 would hold up all that follows.
                text = entry.text.encode("utf-8", "replace").decode("utf-8")
                line = Line(Entry(entry.kind, text), at, round(self._played_s, 3))
                self._sheets[-1].lines.append(line)
            if not entries:
                return
            sheet = self._sheets[-1]
            sheet.outcome = outcome
            sheet.ended = (sheet.ended or at) if outcome is not None else None
            if self._waiting_since is None:
                self._waiting_since = self._clock()
            self._asked = True
            self._changed.notify()
        if self._thread is None:
            self._write()
            if self._untidy >= TIDY_LINES:
                self._tidy()

    def close(self) -> None:
        """Write what waits as far as the disk answers soon, and let go of file and lock."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is None:
            self._finish()
            return
        self._thread.join(CLOSE_S)
        if self._thread.is_alive():
            log.warning("games file %s does not answer; not waiting for it", self.file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while self._job():
            if self._unsaved() is None and self._failure is None:
                self._tidy()
            else:
                self._write()
            if not self._closing:
                self._tell()
        self._finish()

    def _tell(self) -> None:
        try:
            self.wake()
        except Exception:
            # Whoever cannot be woken looks again by himself; what waits must still be written.
            log.debug("wake", exc_info=True)

    def _job(self) -> bool:
        """Wait until there is something to do; False when play has ended."""
        with self._changed:
            while not self._closing:
                wait_s = None
                if self._unsaved() is not None and (self._asked or self._failure is None):
                    return True
                if self._failure is not None:
                    wait_s = self._retry_at - self._clock()
                    if wait_s <= 0:
                        return True
                elif self._untidy >= TIDY_LINES:
                    return True
                self._changed.wait(wait_s)
        return False

    def _finish(self) -> None:
        try:
            self._write()
            self._tidy()
            self._write()
        finally:
            self._keeper.close()

    def _unsaved(self) -> Sheet | None:
        """Return the first game that is not wholly on disk."""
        return next((each for each in self._sheets if each.saved < len(each.lines)), None)

    def _slow(self) -> bool:
        waiting = self._waiting_since
        return waiting is not None and self._clock() - waiting > SLOW_S

    def _write(self) -> None:
        """Bring everything to disk, in order, or note why it cannot be."""
        failure: StoreError | None = None
        try:
            if self._failure is not None:
                self._keeper.open()
            while (job := self._next_job()) is not None:
                sheet, extent = job
                before = sheet.saved
                self._keeper.save(sheet, extent)
                with self._changed:
                    # Past the end at a new game, so that each one is looked through at its begin.
                    self._untidy += extent.lines - before if before else TIDY_LINES
                    self._waiting_since = self._clock()
        except StoreError as error:
            failure = error
        except Exception as error:
            # A bug here must not end play, nor the thread.
            log.exception("journal")
            failure = StoreError(str(error) or type(error).__name__)
        with self._changed:
            self._note(failure)

    def _next_job(self) -> tuple[Sheet, Extent] | None:
        with self._changed:
            self._asked = False
            sheet = self._unsaved()
            if sheet is None:
                return None
            return sheet, Extent(len(sheet.lines), sheet.outcome, sheet.ended)

    def _tidy(self) -> None:
        self._untidy = 0
        if not self._sheets:
            return
        try:
            self._keeper.tidy(self._sheets[-1])
        except StoreError as error:
            # The next line finds out whether it can still be written.
            log.info("%s", error)
        except Exception:
            log.exception("journal")
        with self._changed:
            self._note(self._failure)
        if self._thread is None:
            self._write()

    def _note(self, failure: StoreError | None) -> None:
        """Take note of how a job went."""
        while len(self._sheets) > 1 and self._sheets[0].saved == len(self._sheets[0].lines):
            self._sheets.popleft()
        self._failure = failure
        self._log_trouble()
        if failure is not None:
            self._retry_at = self._clock() + RETRY_S
        elif self._unsaved() is None:
            self._waiting_since = None
        aside = self._keeper.aside
        if aside and aside[-1] is not self._told:
            self._told, self._told_until = aside[-1], self._clock() + TOLD_S
        if self._noted is not None:
            for note in self._keeper.notes[self._noted :]:
                log.warning("%s", note)
            self._noted = len(self._keeper.notes)

    def _log_trouble(self) -> None:
        """Log a trouble as it begins, and its end, one line each."""
        if self._failure is not None:
            if self._warned != self._failure.cause.value:
                self._warned = self._failure.cause.value
                log.warning(
                    "the game is not being kept: %s",
                    self._failure,
                    extra=log_messages.NOT_KEPT.extra(
                        LIFEBOARD_FILE=self.file, LIFEBOARD_CAUSE=self._warned
                    ),
                )
        elif self._warned and self._unsaved() is None:
            self._warned = ""
            log.warning(
                "the game is being kept again in %s",
                self.file,
                extra=log_messages.KEPT_AGAIN.extra(LIFEBOARD_FILE=self.file),
            )


def _told(error: StoreError, file: Path) -> Message:
    """Say what is wrong to the people at the table, that play goes on, and what to do."""
    where = str(file.parent)
    match error.cause:
        case Cause.FULL:
            return say("journal.full", folder=where)
        case Cause.READ_ONLY:
            return say("journal.read_only", folder=where)
        case Cause.BUSY:
            return say("journal.busy", folder=where)
        case Cause.GONE:
            return say("journal.gone", folder=where)
        case Cause.NO_FILE:
            return say("journal.no_file", file=str(file))
        case Cause.IN_USE:
            return say("journal.in_use", folder=where)
    return say("journal.failing", folder=where)


def _told_aside(aside: Aside) -> Message:
    file = str(aside.file)
    match aside.cause:
        case Cause.GONE:
            return say("journal.moved", file=file)
        case Cause.NEWER:
            return say("journal.newer", file=file, command=aside.command)
    return say("journal.damaged", file=file, command=aside.command)
