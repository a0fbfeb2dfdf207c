"""Writing the game being played to disk, whatever happens to the games file.

Owns the folder's lock, the open file, its backups, and what is done when it is damaged, of another
version or gone: the file is rebuilt, and the games in memory are written to it again. Runs in one
thread at a time. When to try again, and what players are told, is the business of `journal`.
"""

import logging
import os
import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from game.common.errors import Cause, StoreError
from game.common.lock import Lock
from game.rules.base.values import Outcome
from game.store.journal.disk import COMPANIONS, make_folder, quarantine
from game.store.journal.games_file import FILE, store_errors
from game.store.journal.last_line import NAME as LAST_LINE
from game.store.journal.last_line import LastLine, moves_in, read_last_line
from game.store.journal.recovery import BACKUP, intact_games, make_backup, rebuild
from game.store.journal.store import BOARD, LOCK, VERIFIED_GAMES, JournalLine, Store

log = logging.getLogger(__name__)

REBUILD_PAUSE_S = 30.0
"""Least time between two rebuilt files: a disk that damages every file must not fill up."""
BACKUP_PAUSE_S = 60.0
"""Least time between two backups while a game is played."""
BACKUP_SHARE = 200
"""After a backup during a game, wait for this many times as long as it took. A thousand games
(7 MB) took 50 ms on a PC; an SD card that writes 5 MB/s takes 1.5 s, and so waits 5 minutes."""
_UNUSABLE = (Cause.DAMAGED, Cause.NEWER)
_UNDONE = frozenset({Cause.FULL, Cause.BUSY})
"""After these errors the transaction is undone, and the open file as good as before."""


@dataclass(slots=True)
class PendingGame:
    """A game in memory: `lines` only ever grows, and `saved` of them are on disk.

    `number` is the game's in the file that the writer opened as its `generation`-th; in a file that
    was opened later, the game has to be looked up again. 0 is a game that was never written.
    """

    lines: list[JournalLine] = field(default_factory=list)
    outcome: Outcome | None = None
    ended: str | None = None
    number: int | None = None
    saved: int = 0
    generation: int = 0
    backed_up: bool = False
    """Whether the end of the game is in a backup."""


@dataclass(frozen=True, slots=True)
class QuarantinedFile:
    """A file that is not used any more, and why: damaged, of another version, or moved away."""

    file: Path
    cause: Cause

    @property
    def command(self) -> str:
        folder = str(self.file.parent)
        return shlex.join(("lifeboard", "import", "--data", folder, str(self.file)))


class GameWriter:
    """Writes the games of one name and source to one folder."""

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
        self.quarantined: QuarantinedFile | None = None
        self.notes: list[str] = []
        self._game = game
        self._source = source
        self._wall = wall
        self._clock = clock
        self._rebuilt_at: float | None = None
        self.backup_at = 0.0
        self._last: LastLine | None = None
        self._verified = 0
        """The number of the game that was verified last."""
        self._damaged: set[int] = set()
        """Damaged games of which no copy is known to be whole."""
        self._store: Store | None = None
        self._inode: tuple[int, int] | None = None
        self._generation = 0
        make_folder(self.folder)
        self._lock = self._take_lock()

    def resume(self) -> tuple[PendingGame | None, StoreError | None]:
        """Read the newest game, ended or not; return also why the file cannot be written, if so."""
        try:
            self._find_last_line()
            store = self.open()
            number = store.newest(self._game, self._source)
            if number is None or not (lines := store.lines(number)):
                return None, None
            ended = store.game(number).ended
            return PendingGame(lines, None, ended, number, len(lines), self._generation), None
        except StoreError as error:
            self._close()
            return self._read_what_can_be_read(), error

    def open(self) -> Store:
        """Return the open file; open, make or rebuild it first if need be. Raises StoreError."""
        if self._store is not None:
            return self._store
        make_folder(self.folder)
        if not self._lock.held:
            self._lock = self._take_lock()
        try:
            store = self._open_checked()
        except StoreError as error:
            if error.cause not in _UNUSABLE:
                raise
            self._rebuild(error)
            store = self._open_checked()
        self._store, self._inode = store, _inode(self.file)
        self._generation += 1
        return store

    def save(
        self, game: PendingGame, count: int, outcome: Outcome | None, ended: str | None
    ) -> None:
        """Write a game's lines up to a count; raises StoreError, and may be called again.

        `outcome` is the game's after these lines, and `ended` its time.
        """
        self._close_if_moved()
        try:
            self._save(game, count, outcome, ended)
        except StoreError as error:
            if error.cause not in _UNDONE:
                self._close()
            if error.cause not in _UNUSABLE:
                raise
            self._save(game, count, outcome, ended)

    def verify(self, game: PendingGame) -> None:
        """Check some more games of the file; a damaged one is brought back from the backup.

        The game being played is marked as not saved if the file was rebuilt. Raises StoreError.
        """
        if self._store is not None and not self._close_if_moved():
            self._verified = self._verify_after(self._verified, game)

    def tidy(self, game: PendingGame) -> None:
        """Empty the log into the file, and make a backup when a game has ended or one is due.

        If the file is damaged or gone the game is marked as not saved. Raises StoreError.
        """
        if self._store is None or game.number is None:
            return
        if self._close_if_moved():
            game.saved = 0
            return
        over = game.outcome is not None
        try:
            self._store.checkpoint()
            if self._clock() >= self.backup_at or (over and not game.backed_up):
                # A backup must not lose what only the one before has.
                self._verify_after(game.number - VERIFIED_GAMES, game)
                self._back_up(game.number, game.lines[: game.saved])
                game.backed_up = over
        except StoreError as error:
            if error.cause not in _UNUSABLE:
                raise
            self._close()
            game.saved = 0

    def close(self) -> None:
        self._close()
        self._lock.close()

    def _save(
        self, game: PendingGame, count: int, outcome: Outcome | None, ended: str | None
    ) -> None:
        store = self.open()
        if game.generation == 0:
            # Never written, so not in any file; another game may have the same lines so far.
            game.generation = self._generation
        elif game.generation != self._generation:
            self._look_up(store, game)
        if game.number is None:
            game.number = store.begin(self._game, self._source, game.lines[:count], outcome, ended)
        elif game.saved < count:
            store.append(game.number, game.lines[game.saved : count], outcome, ended)
        game.saved = count
        last = self._last
        if last is None or last.game != game.number or last.lines > count:
            last = LastLine(game.number, 0, 0, 0)
        # A resignation that is taken back counts as a move less.
        moves = max(0, last.moves + moves_in(game.lines[last.lines : count]))
        crc = store.sum_of(game.number, count - 1) or 0
        self._last = LastLine(game.number, count, moves, crc)
        self._last.write(self.folder)

    def _find_last_line(self) -> None:
        """Look for the line that was saved last; tell what is missing, if the backup lacks it too.

        Raises StoreError.
        """
        last, store = read_last_line(self.folder), self.open()
        # A file that was just rebuilt has told what may be missing, and may number games anew.
        if last is None or self._rebuilt_at is not None:
            return
        if store.sum_of(last.game, last.lines - 1) == last.crc:
            return
        with suppress(OSError):  # it is told once
            (self.folder / LAST_LINE).unlink()
        if self._lines_in_backup(last.game) >= last.lines:
            self._rebuild(StoreError(f"line {last.lines} of game {last.game} is missing"))
            return
        moves = 0
        with suppress(StoreError):
            moves = moves_in(store.lines(last.game))
        lost = f"moves {moves + 1} to {last.moves}" if moves < last.moves else "last lines"
        self.notes.append(
            f"game {last.game} has lost its {lost}: they were saved in {self.file}, and are neither"
            " there now nor in the backup; enter them again"
        )

    def _verify_after(self, number: int, game: PendingGame) -> int:
        """Check the games after a number; return that of the last. Raises StoreError."""
        last, wrong = self.open().verify(number)
        if wrong is not None and wrong not in self._damaged:
            self._damaged.add(wrong)
            why = f"game {wrong} of {self.file} has a line that is not as written"
            if self._lines_in_backup(wrong):
                game.saved = 0
                self._rebuild(StoreError(why, Cause.DAMAGED))
            else:
                self.notes.append(
                    f"{why}, nor is it in the backup; `lifeboard export` leaves it out"
                )
        return last

    def _lines_in_backup(self, number: int) -> int:
        """Return how many lines the backup has of a game, 0 if one is not as written."""
        with suppress(StoreError), Store(self.folder, read_only=True, name=BACKUP) as backup:
            return len(backup.lines(number))
        return 0

    def _look_up(self, store: Store, game: PendingGame) -> None:
        """Find a game, and how much of it is there, in a file that was opened again.

        A write that was reported as failed may be there all the same.
        """
        for number in (game.number, store.newest(self._game, self._source)):
            if number is None:
                continue
            try:
                there = store.lines(number)
            except StoreError as error:
                if error.cause is not Cause.UNKNOWN:
                    raise
                continue
            if there and there == game.lines[: len(there)]:
                game.number, game.saved = number, len(there)
                break
        else:
            game.number, game.saved = None, 0
        game.generation = self._generation

    def _back_up(self, number: int, lines: list[JournalLine]) -> None:
        began = self._clock()
        try:
            make_backup(self.folder, number, lines)
        finally:
            took = self._clock() - began
            self.backup_at = self._clock() + max(BACKUP_PAUSE_S, BACKUP_SHARE * took)

    def _open_checked(self) -> Store:
        """Open the file and check it and the newest game; raises StoreError."""
        if not self.file.exists():
            self._replace_missing()
        store = Store(self.folder)
        try:
            store.check()
            number = store.newest(self._game, self._source)
            if number is not None:
                store.lines(number)
        except BaseException:
            store.close()
            raise
        return store

    def _replace_missing(self) -> None:
        """Take the backup if the file is gone, as after a repair of the file system."""
        backup = self.folder / BACKUP
        # SQLite would delete a log without its file.
        if backup.exists() or os.path.lexists(f"{self.file}-wal"):
            rebuild(self.folder, "log", self._wall(), readable=False)
            self.notes.append(
                f"games file {self.file} was missing; its games were brought back from the backup"
            )

    def _rebuild(self, error: StoreError) -> None:
        """Quarantine a file that cannot be used and put another in its place."""
        self._close()
        now = self._clock()
        if self._rebuilt_at is not None and now - self._rebuilt_at < REBUILD_PAUSE_S:
            raise StoreError(f"{error}; the file before it was damaged too") from error
        newer = error.cause is Cause.NEWER
        label = f"version-{error.version}" if newer else "damaged"
        name = rebuild(self.folder, label, self._wall(), readable=not newer)
        self._rebuilt_at = now
        self.quarantined = QuarantinedFile(name, error.cause)
        if newer:
            self.notes.append(
                f"games file {self.file} is of version {error.version}, which this lifeboard does"
                f" not know; it was set aside as {name}. After an update,"
                f" `{self.quarantined.command}` brings back its games"
            )
        else:
            self.notes.append(
                f"games file {self.file} is damaged; it was set aside as {name}. Its games were"
                " brought back from the backup and from what can be read of it; the last moves"
                " before the damage may be missing"
            )
        log.info("%s", error)

    def _read_what_can_be_read(self) -> PendingGame | None:
        """Read the newest game of a file that cannot be opened in place, from a copy."""
        if not self.file.exists():
            return None
        try:
            found = intact_games(self.file)
        except StoreError as error:
            self.notes.append(f"the newest game cannot be read: {error}")
            return None
        own = self._game, self._source
        mine = [each for each in found if (each.game.game, each.game.source) == own]
        lines = mine[-1].following(0) if mine else []
        if not lines:
            return None
        head = mine[-1].game
        if not mine[-1].whole:
            self.notes.append(f"of the newest game, only the first {len(lines)} lines can be read")
        # Generation -1: it is in the file, and has to be looked up once that can be opened.
        return PendingGame(lines, None, head.ended, head.number, len(lines), -1)

    def _close_if_moved(self) -> bool:
        """Close a file that is no longer the one with its name; tell whether it was so."""
        if self._store is None or _inode(self.file) == self._inode:
            return False
        self._close()
        if self.file.exists():
            # SQLite would write the old file's log into the new file.
            with store_errors(self.file, "opened"):
                quarantine(self.file, "log", self._wall(), COMPANIONS)
        self.quarantined = QuarantinedFile(self.file, Cause.GONE)
        self.notes.append(
            f"games file {self.file} was moved away, deleted or replaced; the game being played is"
            " written whole to the file that has its name now"
        )
        return True

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store = self._last = None

    def _take_lock(self) -> Lock:
        return Lock(
            self.folder / LOCK,
            f"data folder {self.folder}",
            "end that one, or choose another folder with --data",
        )


def _inode(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
