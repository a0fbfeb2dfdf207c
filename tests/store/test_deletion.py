"""A game is deleted while another is played, and does not come back."""

from pathlib import Path

import pytest

from game.common import StoreError
from game.store.game_writer import BACKUP
from game.store.journal import Journal
from game.store.store import Store, delete_game
from game.table.entries import Entry, EntryKind

START, MOVE = Entry(EntryKind.START, '{"first": "1"}'), Entry(EntryKind.MOVE, "e5")


def play(folder: Path, game: str, *entries: Entry) -> Journal:
    journal = Journal(folder, game, threaded=False)
    for entry in entries:
        journal.append([entry], None, 0.0)
    return journal


def test_a_deleted_game_stays_away_from_list_number_and_backup(tmp_path: Path):
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


def test_deleting_makes_no_file_where_there_is_none(tmp_path: Path):
    with pytest.raises(StoreError):
        delete_game(tmp_path, 1)
    assert list(tmp_path.iterdir()) == []
