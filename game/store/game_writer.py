"""Writes the game being played to disk, whatever happens to the games file; knows no thread."""

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from game.common import Cause, Lock, StoreError
from game.rules.base.message import Message, say
from game.rules.base.values import Outcome
from game.store.games_file import (
    FILE,
    make_folder,
    replace_durably,
    set_aside,
    store_errors,
)
from game.store.store import BOARD, LOCK, JournalLine, Store
from hal.base.files import write_whole

log = logging.getLogger(__name__)

BACKUP = "games.backup.sqlite3"
_NEW = "games.new.sqlite3"
_UNUSABLE = (Cause.DAMAGED, Cause.NEWER)
_UNDONE = (Cause.FULL, Cause.BUSY)
"""After these errors SQLite has rolled back, and the open file can still be used."""


@dataclass(slots=True)
class PendingGame:
    """A game in memory: `lines` only ever grows, and `saved` of them are on disk.

    `number` is the game's number in `store`; in a file opened later, it must be looked up.
    """

    lines: list[JournalLine] = field(default_factory=list)
    outcome: Outcome | None = None
    number: int | None = None
    saved: int = 0
    store: Store | None = None


class GameWriter:
    """Writes the games of one name and source to one folder.

    A file that is damaged, of another version or missing is replaced by the backup, and the games
    in memory are written to that. The log has each replacement, and `replaced` the last one and
    its time.
    """

    def __init__(
        self,
        folder: Path,
        game: str,
        wall: Callable[[], datetime],
        clock: Callable[[], float],
        source: str = BOARD,
    ) -> None:
        """Take the folder's lock; raises StoreError, also if another lifeboard has it."""
        self.folder = folder.absolute()  # players must find the files that messages name
        self.file = self.folder / FILE
        self.replaced: tuple[Message | None, float] = None, 0.0
        self._games = game, source
        self._wall = wall
        self._clock = clock
        self._has_set_aside = False
        self._store: Store | None = None
        make_folder(self.folder)
        self._lock = self._take_lock()

    def resume(self) -> tuple[PendingGame | None, StoreError | None]:
        """Return the newest game, ended or not, and why the file cannot be written, or None."""
        try:
            return self._newest(self.open()), None
        except StoreError as error:
            self._close()
            try:
                with Store(self.folder, read_only=True) as store:
                    return self._newest(store), error
            except StoreError as unreadable:
                log.warning("the newest game cannot be read: %s", unreadable)
                return None, error

    def open(self) -> Store:
        """Return the open file; open, make or replace it first if need be. Raises StoreError."""
        if self._store is not None:
            return self._store
        make_folder(self.folder)
        if not self._lock.held:
            self._lock = self._take_lock()
        # SQLite would delete a log without its file.
        parts = (self.folder / BACKUP, Path(f"{self.file}-wal"))
        if not self.file.exists() and any(map(os.path.lexists, parts)):
            self._take_backup(f"games file {self.file} was missing", "log")
        try:
            self._store = self._checked(Store(self.folder))
        except StoreError as error:
            if error.cause not in _UNUSABLE:
                raise
            self._replace(error)
            self._store = self._checked(Store(self.folder))
        return self._store

    def save(self, game: PendingGame, count: int, outcome: Outcome | None) -> None:
        """Write the lines up to a count, and the outcome after them; raises StoreError."""
        store = self.open()
        try:
            # A game that was never written is not looked up: another may have the same lines.
            if game.store not in (None, store):
                self._look_up(store, game)
            game.store = store
            if game.number is None:
                game.number = store.begin(*self._games, game.lines[:count], outcome)
            elif game.saved < count:
                store.append(game.number, game.lines[game.saved : count], outcome)
        except StoreError as error:
            if error.cause not in _UNDONE:
                self._close()
            raise
        game.saved = count

    def back_up(self, game: PendingGame) -> None:
        """Replace the backup by a checked copy; if it lacks the game, mark the game unsaved."""
        if self._store is None or game.number is None:
            return
        new = self.folder / _NEW
        try:
            self._store.checkpoint()
            # Use another connection, which reads the disk rather than this connection's cache.
            with Store(self.folder, read_only=True) as store:
                store.copy_to(new)
            with Store(self.folder, read_only=True, name=_NEW) as copy:
                copy.check()
                if copy.lines(game.number) != game.lines[: game.saved]:
                    why = f"the copy of {self.file} does not hold game {game.number} as written"
                    raise StoreError(why, Cause.DAMAGED)
        except StoreError as error:
            if error.cause not in _UNUSABLE:
                raise
            self._close()
            game.saved = 0
        else:
            with store_errors(new, "written"):
                replace_durably(new, self.folder / BACKUP)

    def close(self) -> None:
        self._close()
        self._lock.close()

    def _newest(self, store: Store) -> PendingGame | None:
        number = store.newest(*self._games)
        if number is None or not (lines := store.lines(number)):
            return None
        return PendingGame(lines, None, number, len(lines), store)

    def _look_up(self, store: Store, game: PendingGame) -> None:
        """Find how much of a game is stored: a failed write may have stored its lines."""
        there = self._newest(store)
        if there is None or there.lines != game.lines[: there.saved]:
            there = PendingGame()
        game.number, game.saved = there.number, there.saved

    def _checked(self, store: Store) -> Store:
        try:
            store.check()
            self._newest(store)
        except BaseException:
            store.close()
            raise
        return store

    def _replace(self, error: StoreError) -> None:
        """Put the backup in the place of a file; once only, since a disk may damage every file."""
        if self._has_set_aside:
            raise StoreError(f"{error}; the file before it was damaged too") from error
        aside = self._take_backup(str(error), error.cause.value)
        self._has_set_aside = True
        self.replaced = say(f"journal.{error.cause.value}", file=str(aside)), self._clock()

    def _take_backup(self, why: str, label: str) -> Path:
        """Set the file aside whole, and put the backup in its place if that is good.

        Log why, and return the file that was set aside. After a kill between the steps the file is
        missing, and made from the backup. Raises StoreError.
        """
        backup, when = self.folder / BACKUP, self._wall()
        good = False
        if backup.exists():
            with suppress(StoreError):
                self._checked(Store(self.folder, read_only=True, name=BACKUP)).close()
                good = True
        with store_errors(self.file, "written"):
            if not good and backup.exists():
                set_aside(backup, label, when)
            aside = set_aside(self.file, label, when)
            games = "there is no backup, and so no game from before"
            if good:
                made = datetime.fromtimestamp(backup.stat().st_mtime)
                write_whole(self.file, backup.read_bytes(), 0o600)
                games = f"its games are those of the backup of {made:%Y-%m-%d %H:%M}; later ones"
                games += " may be missing"
        log.warning("%s; it was set aside as %s; %s", why, aside, games)
        return aside

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store = None

    def _take_lock(self) -> Lock:
        return Lock(
            self.folder / LOCK,
            f"data folder {self.folder}",
            "end that one, or choose another folder with --data",
        )
