"""Games on a disk without shared memory or folder syncs, by a C library that refuses both."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from game.store.games_file import FILE
from game.store.journal import Journal
from game.table.entries import Entry, EntryKind
from tests.store.test_journal import NAME, START, entries, move

SOURCE = Path(__file__).parents[1] / "helpers" / "programs" / "network_disk.c"
PLAY = f"""
import logging, sqlite3, sys
from pathlib import Path
from game.store.journal import Journal
from game.store.store import Store
from game.table.entries import Entry, EntryKind
logging.basicConfig(format="%(message)s")
folder = Path(sys.argv[1])
log = sqlite3.connect(folder / "other.sqlite3")
log.execute("PRAGMA journal_mode = WAL")
try:
    log.execute("CREATE TABLE t (a)")
except sqlite3.Error as error:
    print(error.sqlite_errorname)
with Journal(folder, "{NAME}", threaded=False) as journal:
    start = [] if journal.newest() else [Entry(EntryKind.START, '{{"first": "1"}}')]
    journal.append([*start, *(Entry(EntryKind.MOVE, f"e{{n}}") for n in range(40))], None, 0.0)
    with Store(folder, read_only=True) as store:
        print(journal.unsaved, journal.trouble, len(store.lines(1)))
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    built = tmp_path_factory.mktemp("network_disk") / "network_disk.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(built), str(SOURCE), "-ldl"], check=True)
    return built


def play(folder: Path, library: Path) -> tuple[list[str], str]:
    done = subprocess.run(
        [sys.executable, "-c", PLAY, str(folder)],
        env={**os.environ, "LD_PRELOAD": str(library)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("has_log", [False, True])
def test_games_are_saved_where_memory_cannot_be_shared(tmp_path, library, has_log):
    folder, saved = tmp_path / "data", [START]
    if has_log:
        with Journal(tmp_path / "killed", NAME, threaded=False) as journal:
            saved = [START, *map(move, range(9))]
            journal.append(saved, None, 0.0)
            shutil.copytree(tmp_path / "killed", folder)
            assert (folder / f"{FILE}-wal").stat().st_size
    else:
        folder.mkdir()
    printed, log = play(folder, library)
    assert printed == ["SQLITE_IOERR_SHMMAP", f"0 None {len(saved) + 40}"]
    assert log.splitlines() == [
        f"the disk of {folder} cannot sync folders: a power cut may undo a new file"
    ]
    assert entries(folder) == [*saved, *map(move, range(40))]
    with Journal(folder, NAME, threaded=False) as journal:
        journal.append([Entry(EntryKind.MOVE, "f1")], None, 0.0)
        assert (folder / f"{FILE}-wal").exists(), "on a usual disk there is a log again"
