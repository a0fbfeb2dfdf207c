"""The games go back with the version that knows their format."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from game.service.upgrade_backups import FOLDER, restore, save
from game.store import FILE


def write(data: Path, moves: int, number: int) -> None:
    """Write a games file with some moves in a format."""
    with closing(sqlite3.connect(data / FILE)) as games, games:
        games.execute("PRAGMA journal_mode = WAL")
        games.execute("CREATE TABLE IF NOT EXISTS moves (move)")
        games.execute("DELETE FROM moves")
        games.executemany("INSERT INTO moves VALUES (?)", [("e5",)] * moves)
        games.execute(f"PRAGMA user_version = {number}")


def moves(file: Path) -> int:
    with closing(sqlite3.connect(file)) as games:
        return int(games.execute("SELECT count(*) FROM moves").fetchone()[0])


def test_restore_brings_back_the_games_of_a_version_and_keeps_the_newer_ones(tmp_path):
    assert restore(tmp_path, "1.0") is None
    save(tmp_path, "1.0")
    assert not (tmp_path / FOLDER).exists()
    write(tmp_path, 3, number=1)
    assert restore(tmp_path, "1.0") is None
    save(tmp_path, "1.0")
    write(tmp_path, 5, number=1)
    assert restore(tmp_path, "1.0") is None, "the format is the same"
    write(tmp_path, 5, number=2)
    with closing(sqlite3.connect(tmp_path / FILE)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM moves").fetchall()
        with pytest.raises((OSError, sqlite3.Error)):
            restore(tmp_path, "1.0")
    assert moves(tmp_path / FILE) == 5
    aside = restore(tmp_path, "1.0")
    assert moves(tmp_path / FILE) == 3
    assert aside is not None
    assert aside.match("games.newer-*.sqlite3")
    assert moves(aside) == 5


def test_save_keeps_the_backups_of_two_versions(tmp_path):
    write(tmp_path, 3, number=1)
    for version in ("1.0", "1.1", "1.2"):
        save(tmp_path, version)
    assert {each.name for each in (tmp_path / FOLDER).iterdir()} == {"1.1.sqlite3", "1.2.sqlite3"}
