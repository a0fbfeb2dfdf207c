"""Games on disk: saved in order, found again, brought up to date, and refused in plain words."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from game.common import Cause, StoreError
from game.rules.base.message import say
from game.rules.base.values import Outcome
from game.store.game_writer import BACKUP
from game.store.games_file import FILE, PAGE_BYTES, VERSION, cause_of
from game.store.journal import Journal
from game.store.store import BOARD, JournalLine, Store, delete_game
from game.table.entries import Entry, EntryKind

NAME = "circle-of-life"
AT = "2026-03-01T12:00:00"
START = Entry(EntryKind.START, '{"first": "1"}')
MOVE = Entry(EntryKind.MOVE, "e5")
WON = Outcome(1, "resigned", say("table.resigned"))


def lines(*entries: Entry) -> list[JournalLine]:
    return [JournalLine(entry, f"{AT[:-1]}{n}", n + 0.125) for n, entry in enumerate(entries)]


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute(statement)


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
    synced, real = [], os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{handle}"))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    folder = tmp_path / "a" / "b"
    Store(folder).close()
    assert {str(each) for each in (tmp_path, folder.parent, folder)} <= set(synced)


def test_failed_write_keeps_nothing_of_it(tmp_path):
    with Store(tmp_path) as store:
        number = store.begin(NAME, BOARD, lines(START), None)
        half = [*lines(MOVE), JournalLine(Entry(EntryKind.MOVE, "\ud800"), "", 2.0)]
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


def test_error_that_sqlite_does_not_explain_is_the_one_of_the_disk(tmp_path):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    assert cause_of(error, tmp_path / "games") is Cause.FAILING
    assert cause_of(error, tmp_path / "unplugged" / "games") is Cause.GONE


def play(folder: Path, game: str, *entries: Entry) -> Journal:
    journal = Journal(folder, game, threaded=False)
    journal.append(entries, None, 0.0)
    return journal


def test_a_deleted_game_stays_away_from_list_number_and_backup(tmp_path):
    play(tmp_path, "circle-of-life", START, MOVE).close()
    play(tmp_path, "azteka", START, MOVE).close()
    with play(tmp_path, "circle-of-life") as journal:
        assert journal.number == 1
        delete_game(tmp_path, 2)
        journal.back_up()
    for name in ("games.sqlite3", BACKUP):
        with Store(tmp_path, read_only=True, name=name) as store:
            assert [each.number for each in store.games()] == [1], name
    with play(tmp_path, "azteka", START, MOVE) as journal:
        assert (journal.trouble, journal.number) == (None, 3)
    with pytest.raises(StoreError, match="game 2 is not in"):
        delete_game(tmp_path, 2)
    with pytest.raises(StoreError):
        delete_game(tmp_path / "empty", 1)
    assert not (tmp_path / "empty").exists()
