"""Keeping the game at the table on disk, whatever happens to the file.

Owns the folder's lock, the file while it is played with, and what is done when it is damaged, too
new, moved away or made anew: the games in memory are the truth, and the file is brought to them.
Runs in one thread at a time and knows no time of its own but the wall's. When to try again, and
what people are told, is the journal's business.
"""

import logging
import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from game.app.errors import Cause, StoreError
from game.app.journal.disk import COMPANIONS, cause_of, make_folder, set_aside
from game.app.journal.games_file import FILE
from game.app.journal.salvage import salvage
from game.app.journal.store import BOARD, LOCK, Kept, Line, Store
from game.app.lock import Lock
from game.rules.game import Outcome

log = logging.getLogger(__name__)

AGAIN_S = 30.0
"""How long after a file was set aside the next one may be: a disk that damages whatever it is given
is not to be filled with files."""
_ASIDE = (Cause.DAMAGED, Cause.NEWER)
_HARMLESS = frozenset({Cause.FULL, Cause.BUSY})
"""After these a transaction is wholly undone, and the open file as good as before."""

_Place = tuple[int, int] | None


@dataclass(slots=True)
class Sheet:
    """A game in memory: `lines` only ever grows, and `saved` of them are on disk.

    `number` is the game's in the file with the keeper's `generation`; of another one, it has to be
    looked up again.
    """

    lines: list[Line] = field(default_factory=list)
    outcome: Outcome | None = None
    ended: str | None = None
    number: int | None = None
    saved: int = 0
    generation: int = 0


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a sheet had come when it was handed over."""

    lines: int
    outcome: Outcome | None
    ended: str | None


@dataclass(frozen=True, slots=True)
class Aside:
    """A file that is not played with any more, and why: damaged, newer, or gone from its place."""

    file: Path
    cause: Cause

    @property
    def command(self) -> str:
        """What brings back the games of a file that was set aside."""
        folder = str(self.file.parent)
        return shlex.join(("lifeboard", "import", "--data", folder, str(self.file)))


class Keeper:
    """Brings the games of one name to the disk of one folder."""

    def __init__(
        self,
        folder: Path,
        game: str,
        wall: Callable[[], datetime],
        clock: Callable[[], float],
    ) -> None:
        """Take the folder's lock; raises StoreError if another lifeboard has it."""
        # People have to find what they are told of.
        self.folder = folder.absolute()
        self.file = self.folder / FILE
        self.aside: list[Aside] = []
        self.notes: list[str] = []
        self._game = game
        self._wall = wall
        self._clock = clock
        self._aside_at: float | None = None
        self._unusable: StoreError | None = None
        self._store: Store | None = None
        self._places: tuple[_Place, ...] = ()
        self._generation = 0
        self._lock: Lock | None = None
        try:
            make_folder(self.folder)
        except StoreError as error:
            # A full or read-only disk may get better; a wrong name does not.
            if error.cause not in (Cause.FULL, Cause.READ_ONLY) or not _may_heal(self.folder):
                raise
        else:
            self._lock = self._locked()

    def take_up(self) -> tuple[Sheet | None, StoreError | None]:
        """Read the newest game, ended or not, and say what keeps the file from being used.

        A file that cannot be opened in place is read from a copy, a damaged one as far as it goes.
        """
        try:
            self._hold_lock()
            try:
                # Only looked at, and so left as it is should it have to be set aside: whoever may
                # write and closes a file moves its log into it.
                with Store(self.folder, read_only=True, copies=False) as store:
                    sheet = self._looked_through(store)
            except StoreError as error:
                if error.cause in _ASIDE:
                    raise
                sheet = self._looked_through(self._opened())
            self.open()
            if sheet is not None:
                sheet.generation = self._generation
        except StoreError as error:
            self._close()
            return self._take_up_in_part(error)
        return sheet, None

    def open(self) -> None:
        """Have the file open, set aside if it cannot be used, and made if it is not there.

        Raises StoreError.
        """
        if self._store is not None:
            return
        self._hold_lock()
        if self._unusable is not None:
            self._set_aside(self._unusable)
        try:
            self._opened()
        except StoreError as error:
            if error.cause not in _ASIDE:
                raise
            self._set_aside(error)
            self._opened()

    def save(self, sheet: Sheet, extent: Extent) -> None:
        """Bring a sheet to disk up to an extent; raises StoreError, and may be called again."""
        self._let_go_if_moved()
        try:
            self._save(sheet, extent)
        except StoreError as error:
            if error.cause not in _HARMLESS:
                self._close()
            if error.cause not in _ASIDE:
                raise
            self._set_aside(error)
            self._save(sheet, extent)

    def tidy(self, sheet: Sheet) -> None:
        """Empty the log into the file, and see that a sheet reads back as it is in memory.

        What is wrong then is set aside, and the sheet, no longer saved, has to be saved anew.
        Raises StoreError.
        """
        if self._store is None or sheet.number is None:
            return
        if self._let_go_if_moved():
            sheet.saved = 0
            return
        saved = sheet.lines[: sheet.saved]
        try:
            self._store.checkpoint()
            # Another connection has nothing of it in memory. A copy would cost us our locks.
            with Store(self.folder, read_only=True, copies=False) as fresh:
                read = fresh.lines(sheet.number)
            if read != saved:
                raise StoreError(
                    f"games file {self.file} does not hold game {sheet.number} as it was written",
                    Cause.DAMAGED,
                )
        except StoreError as error:
            if error.cause not in (*_ASIDE, Cause.UNKNOWN):
                raise
            self._close()
            sheet.saved = 0
            if error.cause in _ASIDE:
                self._set_aside(error)

    def close(self) -> None:
        """Close the file and let go of the lock."""
        self._close()
        if self._lock is not None:
            self._lock.close()

    def _save(self, sheet: Sheet, extent: Extent) -> None:
        self.open()
        store = self._store or self._opened()
        if sheet.generation == 0:
            # Never tried before, so it is nowhere; another game may have begun at the same moment.
            sheet.generation = self._generation
        elif sheet.generation != self._generation:
            self._look_up(store, sheet)
        if sheet.number is None:
            lines = sheet.lines[: extent.lines]
            sheet.number = store.begin(self._game, BOARD, lines, extent.outcome, extent.ended)
        elif sheet.saved < extent.lines:
            lines = sheet.lines[sheet.saved : extent.lines]
            store.append(sheet.number, lines, extent.outcome, extent.ended)
        sheet.saved = extent.lines
        # The log may be made with the first write; what is known already stays to be compared.
        seen = self._seen()
        self._places = tuple(old or new for old, new in zip(self._places, seen, strict=True))

    def _look_up(self, store: Store, sheet: Sheet) -> None:
        """Find a sheet in a file that was opened anew, and how much of it is there.

        A write that was reported as failed may be there all the same.
        """
        sheet.generation = self._generation
        for number in (sheet.number, store.newest(self._game)):
            if number is None:
                continue
            try:
                there = store.lines(number)
            except StoreError as error:
                if error.cause is not Cause.UNKNOWN:
                    raise
                continue
            if there and there == sheet.lines[: len(there)]:
                sheet.number, sheet.saved = number, len(there)
                return
        sheet.number, sheet.saved = None, 0

    def _opened(self) -> Store:
        if not self.file.exists() and os.path.lexists(f"{self.file}-wal"):
            # SQLite would delete the log of a file that is not there.
            self._set_log_aside()
        self._store = Store(self.folder)
        self._generation += 1
        self._places = self._seen()
        return self._store

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store, self._places = None, ()

    def _seen(self) -> tuple[_Place, ...]:
        """Tell which file and log now have their names."""
        return tuple(_inode(f"{self.file}{each}") for each in ("", "-wal"))

    def _let_go_if_moved(self) -> bool:
        """Let go of a file that does not have its name any more, and tell whether it was so."""
        seen, (file, its_log) = self._seen(), self._places or (None, None)
        if self._store is None or seen == (file, its_log):
            return False
        self._close()
        if seen[0] == file:
            self.notes.append(f"the log of games file {self.file} was moved away or replaced")
        else:
            self.aside.append(Aside(self.file, Cause.GONE))
            self.notes.append(
                f"games file {self.file} was moved away or replaced; the game at the table is kept"
                " whole in the one that has its name now, earlier games are where the old one is"
            )
        if seen[0] != file and seen[1] is not None and seen[1] == its_log:
            # SQLite would write into the file that is there now what belongs into the other one.
            self._set_log_aside()
        return True

    def _set_log_aside(self) -> None:
        try:
            name = set_aside(self.file, "log", self._wall(), COMPANIONS)
        except OSError as problem:
            raise StoreError(
                f"{self.file}-wal cannot be set aside: {problem.strerror}",
                cause_of(problem, self.file),
            ) from problem
        self.notes.append(f"a log whose games file is gone is kept as {name}-wal")

    def _set_aside(self, error: StoreError) -> None:
        """Rename a file that cannot be used; raises StoreError where that cannot be done."""
        self._unusable = error
        now = self._clock()
        if self._aside_at is not None and now - self._aside_at < AGAIN_S:
            raise StoreError(f"{error}; the file before it was damaged too") from error
        newer = error.version is not None
        label = f"version-{error.version}" if newer else "damaged"
        try:
            name = set_aside(self.file, label, self._wall())
        except OSError as problem:
            raise StoreError(
                f"games file {self.file} cannot be set aside: {problem.strerror}",
                cause_of(problem, self.file),
            ) from error
        self._aside_at, self._unusable = now, None
        aside = Aside(name, error.cause)
        self.aside.append(aside)
        why = f"of version {error.version}, which this lifeboard does not know" if newer else label
        self.notes.append(
            f"games file {self.file} is {why}; it is kept as {name}, and a new file is begun;"
            f" `{aside.command}` brings back what can be read"
        )
        log.info("%s", error)

    def _looked_through(self, store: Store) -> Sheet | None:
        """Check a whole file, and read the newest game; raises StoreError."""
        store.check()
        number = store.newest(self._game)
        if number is None:
            return None
        return _sheet(store.kept(number), store.lines(number), self._generation)

    def _take_up_in_part(self, error: StoreError) -> tuple[Sheet | None, StoreError | None]:
        sheet = None
        if error.cause is not Cause.NEWER and self.file.is_file():
            sheet = self._rescued(of_good_file=error.cause is not Cause.DAMAGED)
        if error.cause not in _ASIDE:
            return sheet, error
        try:
            self._set_aside(error)
        except StoreError as problem:
            return sheet, problem
        return sheet, None

    def _rescued(self, *, of_good_file: bool) -> Sheet | None:
        """Read the newest game from a copy; of a damaged file, as far as it can be read."""
        try:
            found = [
                each
                for each in salvage(self.file)
                if each.kept.game == self._game and each.kept.source == BOARD
            ]
        except StoreError as error:
            self.notes.append(f"the game at the table cannot be read: {error}")
            return None
        if not found:
            return None
        newest = found[-1]
        if not newest.whole:
            self.notes.append(
                f"of the game at the table, only the first {len(newest.lines)} lines can be read"
            )
        sheet = _sheet(newest.kept, list(newest.lines), -1)
        if not of_good_file:
            sheet.number, sheet.saved = None, 0
        return sheet

    def _hold_lock(self) -> None:
        """Have the lock on the folder as it is now; raises StoreError."""
        make_folder(self.folder)
        if self._lock is None or not self._lock.held:
            if self._lock is not None:
                self._lock.close()
            self._lock = None
            self._lock = self._locked()

    def _locked(self) -> Lock:
        return Lock(
            self.folder / LOCK,
            f"data folder {self.folder}",
            "end that one, or choose another folder with --data",
        )


def _sheet(kept: Kept, lines: list[Line], generation: int) -> Sheet:
    return Sheet(
        lines,
        ended=kept.ended,
        number=kept.number,
        saved=len(lines),
        generation=generation,
    )


def _inode(path: str) -> _Place:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _may_heal(folder: Path) -> bool:
    """Tell whether a folder that cannot be made stands on a disk that is full or read-only."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    try:
        disk = os.statvfs(there)
    except OSError:
        return False
    return bool(disk.f_flag & os.ST_RDONLY) or disk.f_bavail == 0
