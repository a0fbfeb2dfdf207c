"""Games on disk: kept in order, found again, locked, and refused in plain words when unusable."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from game.app.errors import StoreError
from game.app.store import FILE, VERSION, Store
from game.rules.game import Outcome
from game.rules.message import say
from game.table.entries import Entry, Kind

START = Entry(Kind.START, '{"first": "1"}')
MOVE = Entry(Kind.MOVE, "e5")
WON = Outcome(1, "resigned", say("table.resigned"))


def test_store_returns_the_newest_game_in_order(tmp_path: Path):
    with Store(tmp_path, "circle-of-life") as store:
        store.append([START], None)
        store.append([MOVE, Entry(Kind.EDIT, "d4")], None)
    with Store(tmp_path, "circle-of-life") as store:
        assert store.newest() == [START, MOVE, Entry(Kind.EDIT, "d4")]


def test_store_forgets_no_game_and_returns_only_the_newest(tmp_path: Path):
    with Store(tmp_path, "circle-of-life") as store:
        store.append([START, MOVE], None)
        store.append([START], None)
        assert store.newest() == [START]
    rows = sqlite3.connect(tmp_path / FILE).execute("SELECT count(*) FROM entries").fetchone()
    assert rows == (3,)


def test_store_notes_the_end_once_and_takes_it_back(tmp_path: Path):
    with Store(tmp_path, "circle-of-life") as store:
        assert store.newest() == []
        store.append([START, Entry(Kind.RESIGN, "2")], WON)
        ended = ends(store)
        assert ended[0][1:] == (1, "resigned")
        assert ended[0][0] is not None
        store._db.execute("UPDATE games SET ended = 'earlier'")
        store.append([Entry(Kind.EDIT, "d4")], WON)
        assert ends(store) == [("earlier", 1, "resigned")]
        store.append([Entry(Kind.TAKE_BACK)], None)
        assert ends(store) == [(None, None, None)]
        assert len(store.newest()) == 4


def ends(store: Store) -> list[tuple[object, ...]]:
    return store._db.execute("SELECT ended, winner, reason FROM games").fetchall()


def test_entry_of_an_unknown_kind_is_told_and_kept(tmp_path: Path):
    with Store(tmp_path, "circle-of-life") as store:
        store.append([START], None)
        store._db.execute("UPDATE entries SET kind = 'dance'")
        with pytest.raises(StoreError, match=r"cannot be read.*dance"):
            store.newest()


def test_store_keeps_games_of_different_names_apart(tmp_path: Path):
    with Store(tmp_path, "azteka") as store:
        store.append([START], None)
    with Store(tmp_path, "circle-of-life") as store:
        assert store.newest() == []


def test_store_writes_through_to_the_disk(tmp_path: Path):
    with Store(tmp_path, "circle-of-life") as store:
        assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_second_store_of_a_folder_is_refused_with_the_process_that_holds_it(tmp_path: Path):
    with (
        Store(tmp_path, "circle-of-life"),
        pytest.raises(StoreError, match=rf"in use by another lifeboard \(process {os.getpid()}"),
    ):
        Store(tmp_path, "circle-of-life")
    with Store(tmp_path, "circle-of-life") as store:
        assert store.newest() == []


def test_lock_of_a_killed_process_is_free_again(tmp_path: Path):
    code = (
        "import sys, pathlib; from game.app.store import Store\n"
        "store = Store(pathlib.Path(sys.argv[1]), 'circle-of-life'); print('held', flush=True)\n"
        "sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StoreError, match=f"process {holder.pid}"):
            Store(tmp_path, "circle-of-life")
        holder.kill()
        holder.wait()
        Store(tmp_path, "circle-of-life").close()


def test_damaged_file_is_named_and_left_as_it_is(tmp_path: Path):
    (tmp_path / FILE).write_bytes(b"this is no database, but it is long enough to be read" * 20)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(StoreError, match=r"games\.sqlite3 cannot be read.*move it aside"):
        Store(tmp_path, "circle-of-life")
    assert (tmp_path / FILE).read_bytes() == before


def test_file_of_a_newer_version_is_refused(tmp_path: Path):
    Store(tmp_path, "circle-of-life").close()
    db = sqlite3.connect(tmp_path / FILE)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    with pytest.raises(StoreError, match=f"version {VERSION + 1}, this lifeboard knows"):
        Store(tmp_path, "circle-of-life")


def test_folder_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"data folder .*file/data cannot be made"):
        Store(tmp_path / "file" / "data", "circle-of-life")


def test_failed_write_is_told_and_keeps_nothing(tmp_path: Path):
    with Store(tmp_path, "circle-of-life") as store:
        store.append([START], None)
        store._db.execute("PRAGMA query_only = 1")
        with pytest.raises(StoreError, match="cannot be written"):
            store.append([MOVE], None)
        assert store.newest() == [START]
