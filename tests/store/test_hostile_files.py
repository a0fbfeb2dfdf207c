"""Files that were made to hang or to fill the memory of what reads them."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from game.cli.main import main
from game.common.errors import RecordError
from game.store.journal import recovery
from game.store.journal.games_file import FILE, open_writable
from game.store.journal.recovery import intact_games
from game.store.records import record_files
from game.store.records.record_files import read_file

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
COLUMNS = "1 id, 'azteka' game, 'board' source, '' started, null ended, null winner, null reason"


def games_file(folder: Path, *statements: str) -> Path:
    file = folder / "hostile.sqlite3"
    open_writable(file).close()
    with closing(sqlite3.connect(file)) as db, db:
        for each in statements:
            db.execute(each)
    return file


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE games", f"CREATE VIEW games AS {ENDLESS} {COLUMNS}, i FROM n"],
        ["DROP TABLE games", f"CREATE VIEW games AS {ENDLESS} count(*) id FROM n"],
        ["CREATE TRIGGER t AFTER INSERT ON games BEGIN SELECT 1; END"],
        ["CREATE VIRTUAL TABLE t USING fts5(a)"],
        ["CREATE INDEX i ON games(game)"],
        [
            "DROP TABLE games",
            "CREATE TABLE games (id INTEGER PRIMARY KEY, game AS (zeroblob(900000000)),"
            " source TEXT, started TEXT, ended TEXT, winner INTEGER, reason TEXT)",
            "INSERT INTO games (id) VALUES (1)",
        ],
    ],
)
def test_file_with_more_than_tables_of_ours_is_no_games_file(tmp_path: Path, statements: list[str]):
    file = games_file(tmp_path, *statements)
    assert intact_games(file) == []
    with pytest.raises(RecordError, match="no game in it can be read"):
        read_file(str(file))


def test_large_values_are_not_read(tmp_path: Path):
    file = games_file(
        tmp_path,
        "INSERT INTO games VALUES (1, 'azteka', '', NULL, NULL, NULL, 'board')",
        "INSERT INTO entries VALUES (1, 0, 'start', printf('%.*c', 2000000, 'x'), '', 0, 0)",
    )
    assert intact_games(file) == []


def test_sparse_file_is_refused_by_its_size(tmp_path: Path):
    file = games_file(tmp_path)
    os.truncate(file, 1 << 40)
    with pytest.raises(RecordError, match="too large; allowed: 64 MiB"):
        read_file(str(file))


def test_sparse_log_is_refused_by_its_size(tmp_path: Path):
    file = games_file(tmp_path)
    log = Path(f"{file}-wal")
    log.touch()
    os.truncate(log, 1 << 40)
    with pytest.raises(RecordError, match=r"too large; allowed: \d+ bytes"):
        read_file(str(file))


@pytest.mark.parametrize("device", ["/dev/zero"])
def test_endless_file_is_refused(device: str):
    with pytest.raises(RecordError, match="too large; allowed: 32 MiB"):
        read_file(device)


def test_memory_is_limited_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(record_files, "MOST_MEMORY", 64 << 20)
    file = tmp_path / "bomb.json"
    file.write_text("[" + "{}," * (8 << 20) + "{}]")
    with pytest.raises(RecordError, match=r"too much memory to read; allowed: 64 MiB and 600 s"):
        read_file(str(file))


def test_time_is_limited_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(record_files, "LONGEST_S", 0.05)
    file = tmp_path / "long.txt"
    file.write_text("\n".join(['[Game "azteka"]\n*\n'] * 9000))
    with pytest.raises(RecordError, match=r"too much time to read; allowed: 512 MiB and 0.05 s"):
        read_file(str(file))


def test_query_that_does_not_end_is_stopped_with_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What passes the check of the tables, if anything does, is stopped all the same."""
    monkeypatch.setattr(record_files, "LONGEST_S", 0.2)
    monkeypatch.setattr(recovery, "_FOREIGN", ())
    monkeypatch.setattr(recovery, "_TOPS", (f"{ENDLESS} max(i) FROM n",) * 9)
    with pytest.raises(RecordError, match="too much time"):
        read_file(str(games_file(tmp_path)))


def test_json_with_a_million_keys_is_refused_without_comparing_all_with_all(tmp_path: Path):
    file = tmp_path / "keys.json"
    file.write_text("{" + ",".join(f'"k{n}": 1' for n in range(200_000)) + ', "k199999": 1}')
    with pytest.raises(RecordError, match="key 'k199999' is there twice"):
        read_file(str(file))


@pytest.mark.parametrize("make", [lambda path: os.truncate(path, 1 << 40), os.unlink])
def test_profile_of_any_size_is_refused_in_one_line(tmp_path: Path, make, capsys):
    profile = tmp_path / "board.toml"
    profile.touch()
    make(profile)
    assert main(["board", "check", str(profile)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_device_and_pipe_are_no_profiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    os.mkfifo(tmp_path / "pipe")
    for file in ("/dev/zero", str(tmp_path / "pipe")):
        assert main(["board", "check", file]) == 1
        assert "no regular file" in capsys.readouterr().err


def test_large_profile_is_told_with_what_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "board.toml").write_bytes(b"#" * (2 << 20))
    assert main(["board", "check", str(tmp_path / "board.toml")]) == 1
    assert "too large; allowed: 1048576 bytes" in capsys.readouterr().err
    assert FILE not in os.listdir(tmp_path)
