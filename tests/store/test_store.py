"""Games on disk: saved in order, found again, brought up to date, and refused in plain words."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from game.common import Cause, Lock, StoreError
from game.rules.base.message import say
from game.rules.base.values import Outcome
from game.store.game_writer import BACKUP
from game.store.games_file import FILE, PAGE_BYTES, VERSION, cause_of
from game.store.journal import Journal
from game.store.store import BOARD, IMPORT, JournalLine, Store, StoredGame, delete_game
from game.table.entries import Entry, EntryKind

NAME = "circle-of-life"
START = Entry(EntryKind.START, '{"first": "1"}')
MOVE = Entry(EntryKind.MOVE, "e5")
WON = Outcome(1, "resigned", say("table.resigned"))


def line(entry: Entry, second: int = 0) -> JournalLine:
    return JournalLine(entry, f"2026-03-01T12:00:{second:02}.250+00:00", second + 0.125)


def lines(*entries: Entry) -> list[JournalLine]:
    return [line(entry, second) for second, entry in enumerate(entries)]


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute(statement)


def test_store_lists_every_game_with_what_is_known_of_it(tmp_path):
    with Store(tmp_path) as store:
        store.begin(NAME, BOARD, lines(START, MOVE), None)
        store.begin("azteka", IMPORT, lines(START, MOVE, Entry(EntryKind.RESIGN, "2")), WON)
        first = StoredGame(
            1, NAME, BOARD, line(START).at, None, None, None, 1.125,
            False, 1, True, {"first": "1"}, (), (),
        )  # fmt: skip
        ended = line(START, 2).at
        second = StoredGame(
            2, "azteka", IMPORT, line(START).at, ended, 1, "resigned", 2.125,
            False, 1, False, {"first": "1"}, (), (),
        )  # fmt: skip
        assert store.games() == [first, second]
        assert store.games("azteka") == [second]
        assert store.game(2) == second


@pytest.mark.parametrize(("saved", "allowed"), [(0, "none, no game is stored yet"), (3, "1 - 3")])
def test_unknown_number_is_refused_with_the_allowed_ones(tmp_path, saved, allowed):
    with Store(tmp_path) as store:
        for _ in range(saved):
            store.begin(NAME, BOARD, lines(START), None)
        for ask in (
            store.lines,
            store.game,
            lambda number: store.append(number, lines(MOVE), None),
        ):
            with pytest.raises(
                StoreError, match=rf"game 9 is not in .*allowed: {allowed}"
            ) as refused:
                ask(9)
            assert refused.value.cause is Cause.UNKNOWN
        assert len(store.games()) == saved


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET kind = 'dance' WHERE seq = 1",
        "UPDATE entries SET text = 'e6' WHERE seq = 1",
        "UPDATE entries SET at = '' WHERE seq = 1",
        "UPDATE entries SET played_s = 77 WHERE seq = 1",
        "UPDATE entries SET text = x'ff00' WHERE seq = 1",
        "UPDATE entries SET text = CAST(x'ff65' AS TEXT) WHERE seq = 1",
        "DELETE FROM entries WHERE seq = 1",
        "UPDATE entries SET seq = 7 WHERE seq = 1",
        "DROP TABLE entries",
    ],
)
def test_line_that_is_not_as_written_is_reported_and_stays(tmp_path, statement):
    with Store(tmp_path) as store:
        store.begin(NAME, BOARD, lines(START, MOVE, MOVE), None)
        change(tmp_path, statement)
        with pytest.raises(StoreError, match="cannot be read") as refused:
            store.lines(1)
        assert refused.value.cause is Cause.DAMAGED


def test_store_writes_through_to_the_disk(tmp_path):
    with Store(tmp_path) as store:
        assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store._db.execute("PRAGMA page_size").fetchone() == (PAGE_BYTES,)


def test_new_file_and_new_folders_are_made_durable(tmp_path, monkeypatch):
    synced = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{handle}"))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    Store(tmp_path / "a" / "b").close()
    assert {str(tmp_path), str(tmp_path / "a"), str(tmp_path / "a" / "b")} <= set(synced)


def test_failed_write_keeps_nothing_of_it(tmp_path):
    with Store(tmp_path) as store:
        number = store.begin(NAME, BOARD, lines(START), None)
        half = [line(MOVE, 1), JournalLine(Entry(EntryKind.MOVE, "\ud800"), "", 2.0)]
        with pytest.raises(StoreError, match="cannot be written"):
            store.append(number, half, None)
        with pytest.raises(StoreError, match="cannot be written"):
            store.begin(NAME, BOARD, half, None)
        assert store.lines(number) == lines(START)
        assert len(store.games()) == 1


def test_read_only_store_changes_nothing(tmp_path):
    with Store(tmp_path) as store:
        number = store.begin(NAME, BOARD, lines(START), None)
        with Store(tmp_path, read_only=True) as reader:
            assert reader.lines(number) == lines(START)
            store.append(number, lines(MOVE), None)
            assert len(reader.lines(number)) == 2
            with pytest.raises(StoreError) as refused:
                reader.append(number, lines(MOVE), None)
            assert refused.value.cause is Cause.READ_ONLY


def other_program(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE recipes (cake TEXT)")


def newer(file: Path) -> None:
    Store(file.parent).close()
    change(file.parent, f"PRAGMA user_version = {VERSION + 7}")


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    ("make", "cause", "why"),
    [
        (lambda file: file.write_bytes(b"no database " * 99), Cause.DAMAGED, "opened.*backup"),
        (other_program, Cause.DAMAGED, "holds no games of lifeboard"),
        (newer, Cause.NEWER, f"version {VERSION + 7}, this lifeboard knows"),
    ],
)
def test_file_that_is_not_of_this_version_is_named_and_left_as_it_is(
    tmp_path, read_only, make, cause, why
):
    make(tmp_path / FILE)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(StoreError, match=rf"games\.sqlite3 .*{why}") as refused:
        Store(tmp_path, read_only=read_only)
    assert refused.value.cause is cause
    assert (tmp_path / FILE).read_bytes() == before


def test_file_locked_by_another_program_is_reported_as_busy(tmp_path, monkeypatch):
    monkeypatch.setattr("game.store.games_file.BUSY_S", 0.0)
    with Store(tmp_path) as store, closing(sqlite3.connect(tmp_path / FILE)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"cannot be written.*locked.*again") as refused:
            store.begin(NAME, BOARD, lines(START), None)
        assert refused.value.cause is Cause.BUSY
        other.rollback()
        store.begin(NAME, BOARD, lines(START), None)


def test_lock_of_a_full_disk_is_not_held(tmp_path, monkeypatch):
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(StoreError, match="cannot be used"):
        Lock(tmp_path / "lock", "it", "wait")


def test_error_that_sqlite_does_not_explain_is_the_one_of_the_disk(tmp_path):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    assert cause_of(error, tmp_path / "games") is Cause.FAILING
    assert cause_of(error, tmp_path / "unplugged" / "games") is Cause.GONE


def played(folder: Path, game: str, *entries: Entry) -> Journal:
    journal = Journal(folder, game, threaded=False)
    for entry in entries:
        journal.append([entry], None, 0.0)
    return journal


def test_a_deleted_game_stays_away_from_list_number_and_backup(tmp_path):
    played(tmp_path, "circle-of-life", START, MOVE).close()
    played(tmp_path, "azteka", START, MOVE).close()
    with played(tmp_path, "circle-of-life") as journal:
        assert journal.number == 1
        delete_game(tmp_path, 2)
        journal.back_up()
    for name in ("games.sqlite3", BACKUP):
        with Store(tmp_path, read_only=True, name=name) as store:
            assert [each.number for each in store.games()] == [1], name
    with played(tmp_path, "azteka", START, MOVE) as journal:
        assert (journal.trouble, journal.number) == (None, 3)
    with pytest.raises(StoreError, match="game 2 is not in"):
        delete_game(tmp_path, 2)


def test_deleting_makes_no_file_where_there_is_none(tmp_path):
    with pytest.raises(StoreError):
        delete_game(tmp_path, 1)
    assert list(tmp_path.iterdir()) == []
