"""The games go back with the version that knows their format."""

from pathlib import Path

from game.service.upgrade_backups import FOLDER, restore, save
from game.store import BACKUP, FILE, Journal
from game.store.games_file import VERSION
from tests.store.test_journal import NAME, START, entries, move
from tests.store.test_store import change


def play(data: Path, *moves: int) -> None:
    with Journal(data, NAME, threaded=False) as journal:
        journal.append([*([] if journal.newest() else [START]), *map(move, moves)], None, 0.0)


def test_restored_version_begins_with_its_games_and_keeps_the_newer_ones(tmp_path):
    restore(tmp_path, "1.0")
    save(tmp_path, "1.0")
    assert not (tmp_path / FOLDER).exists()
    play(tmp_path, 1, 2)
    restore(tmp_path, "1.0")
    save(tmp_path, "1.0")
    play(tmp_path, 3)
    (tmp_path / BACKUP).unlink()
    restore(tmp_path, "1.0")
    assert not (tmp_path / BACKUP).exists(), "the format is the same"
    change(tmp_path, "PRAGMA user_version = 99")
    restore(tmp_path, "0.9")
    assert not (tmp_path / BACKUP).exists(), "nothing is known of this version"
    restore(tmp_path, "1.0")
    with Journal(tmp_path, NAME, threaded=False) as journal:
        assert journal.newest() == [START, move(1), move(2)]
    (newer,) = tmp_path.glob("games.newer-*.sqlite3")
    newer.replace(tmp_path / FILE)
    change(tmp_path, f"PRAGMA user_version = {VERSION}")
    assert entries(tmp_path) == [START, move(1), move(2), move(3)]


def test_save_keeps_the_backups_of_two_versions(tmp_path):
    play(tmp_path, 1)
    for version in ("1.0", "1.1", "1.2"):
        save(tmp_path, version)
    assert {each.name for each in (tmp_path / FOLDER).iterdir()} == {"1.1.sqlite3", "1.2.sqlite3"}
