"""Backups of the games file, and its rebuilding from a backup and a damaged file.

A backup is a copy by SQLite's backup interface that was checked before it replaced the backup
before it. Both a backup and a rebuilt file are made complete in a folder of their own, so that a
kill at any moment leaves the old file or the new one.
"""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from game.common.errors import Cause, StoreError
from game.rules.base.message import Message
from game.rules.base.values import Outcome
from game.store.journal.disk import quarantine, replace_durably, temporary_copy
from game.store.journal.games_file import FILE, PAGE_BYTES, store_errors
from game.store.journal.store import BOARD, JournalLine, Store, StoredGame, read_line

BACKUP = "games.backup.sqlite3"
_WORK = "games.new"
_TOPS = ("SELECT max(id) FROM games", "SELECT max(game_id) FROM entries")
_HEAD = "SELECT id, game, source, started, ended, winner, reason, 0, 0.0 FROM games WHERE id = ?"
_LINE = "SELECT seq, kind, text, at, played_s, crc FROM entries WHERE game_id = ? AND seq = ?"
_MOST_GAMES = 100_000
"""A bound on what a damaged number can claim."""
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, 1 << 20),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 10_000),
    (sqlite3.SQLITE_LIMIT_COLUMN, 100),
)
"""Most bytes of a line and of a table's definition, and most columns: lines have 100 bytes."""
_SAFE = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "query_only = ON")
"""How to read a file of others, https://sqlite.org/security.html."""
_STEPS = 10_000
"""After this many steps of a query, Python looks for signals: time may be over."""
_FOREIGN = (
    "SELECT count(*) FROM sqlite_master WHERE type IS NOT 'table'"
    " OR name NOT IN ('games', 'entries') OR sql NOT LIKE 'CREATE TABLE %'",
    "SELECT count(*) FROM pragma_table_xinfo('games') WHERE hidden",
    "SELECT count(*) FROM pragma_table_xinfo('entries') WHERE hidden",
)
"""What counts things that a games file never has: views, triggers, computed columns."""
_LINES_IN_PAGE = PAGE_BYTES // 16
"""After this many unreadable lines, more than a page has, there are no others to find."""


@dataclass(slots=True)
class IntactGame:
    """What can be read of a game: its lines by place, those that are as they were written.

    `whole` is false if anything shows that lines are missing. A game whose row is lost has no name.
    """

    game: StoredGame
    lines: dict[int, JournalLine] = field(default_factory=dict)
    whole: bool = True

    def following(self, place: int) -> list[JournalLine]:
        """Return the lines from a place on, up to the first that is missing."""
        found: list[JournalLine] = []
        while place + len(found) in self.lines:
            found.append(self.lines[place + len(found)])
        return found


def intact_games(file: Path) -> list[IntactGame]:
    """Read all that SQLite still finds in a games file, the newest game last; change nothing.

    A file of something else has none. This process must have closed the file. Raises StoreError
    where there is no file or no room for a copy.
    """
    with store_errors(file, "opened"), temporary_copy(file) as copy:
        return list(read_intact(copy))


def read_intact(copy: Path) -> Iterator[IntactGame]:
    """Read as `intact_games`, game by game, a file that may be changed and may be anything."""
    with closing(sqlite3.connect(copy)) as db:
        for limit, most in _LIMITS:
            db.setlimit(limit, most)
        db.set_progress_handler(lambda: None, _STEPS)
        for setting in _SAFE:
            db.execute(f"PRAGMA {setting}")
        if any(_row(db, query) != (0,) for query in _FOREIGN):
            return
        tops = [_row(db, query) for query in _TOPS]
        top = max((each[0] for each in tops if each and isinstance(each[0], int)), default=0)
        for number in range(1, min(top, _MOST_GAMES) + 1):
            game = _intact_game(db, number)
            if game.lines:
                yield game


def _intact_game(db: sqlite3.Connection, number: int) -> IntactGame:
    head = _row(db, _HEAD, number) or (number, "", BOARD, "", None, None, None, 0, 0.0)
    found = IntactGame(StoredGame(*head), whole=bool(head[1]))
    place = lost = 0
    # Row by row, since an error in reading a whole game would hide the lines beside it.
    while lost < _LINES_IN_PAGE and (row := _row(db, _LINE, number, place)) is not None:
        try:
            found.lines[place] = read_line(number, row)[1]
            lost = 0
        except (ValueError, TypeError):
            found.whole = False
            lost += 1
        place += 1
    return found


def _row(db: sqlite3.Connection, query: str, *key: int) -> tuple[Any, ...] | None:
    """Return one row, None if there is none, and () if it cannot be read."""
    try:
        row: tuple[Any, ...] | None = db.execute(query, key).fetchone()
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise TimeoutError from error  # SQLite swallows the one of the signal
        return ()
    return row


@contextmanager
def _work_folder(folder: Path) -> Iterator[Path]:
    work = folder / _WORK
    with store_errors(work / FILE, "written"):
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(mode=0o700)
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)


def make_backup(folder: Path, number: int, lines: Sequence[JournalLine]) -> None:
    """Replace the backup of a folder's games by a checked copy; raises StoreError.

    `lines` are those that game `number` must have. The cause is DAMAGED if the copy is wrong.
    """
    with _work_folder(folder) as work:
        # Another connection, which reads what is on disk rather than what this one remembers.
        with Store(folder, read_only=True, copies=False) as store:
            store.copy_to(work / FILE)
        with Store(work, read_only=True) as copy:
            copy.check()
            if copy.lines(number) != lines:
                raise StoreError(
                    f"the copy of {folder / FILE} does not hold game {number} as it was written",
                    Cause.DAMAGED,
                )
        replace_durably(work / FILE, folder / BACKUP)


def rebuild(folder: Path, label: str, when: datetime, *, readable: bool) -> Path:
    """Quarantine a folder's games file and put one in its place; return the quarantined file.

    The new file has the backup's games and, if the old one is `readable`, what that has beyond
    them. This process must have closed the file and hold the folder's lock. Raises StoreError.
    """
    file, backup = folder / FILE, folder / BACKUP
    with _work_folder(folder) as work:
        if backup.exists():
            shutil.copyfile(backup, work / FILE)
            if not _is_good(work):
                quarantine(backup, label, when)
                (work / FILE).unlink()
        with Store(work) as store:
            if readable and file.exists():
                _add(store, intact_games(file))
            store.copy_to(work / BACKUP)
        # The backup first: after a kill between these steps, the missing file is made from it.
        replace_durably(work / BACKUP, backup)
        name = quarantine(file, label, when)
        replace_durably(work / FILE, file)
    return name


def _is_good(folder: Path) -> bool:
    try:
        with Store(folder, read_only=True) as store:
            store.check()
    except StoreError:
        return False
    return True


def _add(store: Store, games: Iterable[IntactGame]) -> None:
    """Add the lines that a store lacks. A game's lines are only ever added to at its end."""
    stored = {each.number: each for each in store.games()}
    for each in games:
        head, known = each.game, stored.get(each.game.number)
        if known and head.game and (known.game, known.started) != (head.game, head.started):
            known = None
        lines = each.following(known.lines if known else 0)
        if not lines or not (known or head.game):
            continue
        result = head if each.whole else known
        outcome = None
        if result is not None and result.reason is not None:
            outcome = Outcome(result.winner, result.reason, Message(""))
        ended = result.ended if result else None
        if known is not None:
            store.append(head.number, lines, outcome, ended)
        else:
            store.begin(head.game, head.source, lines, outcome, ended)
