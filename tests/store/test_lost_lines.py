"""Damage that SQLite does not tell: lost ends of the log, changed bytes of old games."""

import logging
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from game.store.journal import store
from game.store.journal.game_writer import GameWriter, PendingGame
from game.store.journal.games_file import FILE
from game.store.journal.journal import Journal
from game.store.journal.last_line import NAME as LAST_LINE
from game.store.journal.recovery import BACKUP, intact_games
from game.store.journal.store import JournalLine, Store
from game.table.entries import Entry, EntryKind
from tests.helpers.kills.cuts import FRAME, end_of
from tests.store.test_journal import NAME, START, WON, entries, move
from tests.store.test_store import change

MOVES = 40


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A data folder as a kill in the middle of a game leaves it: the moves are in the log."""
    live, folder = tmp_path / "live", tmp_path / "killed"
    with Journal(live, NAME, threaded=False) as journal:
        journal.append([START], None, 0.0)
        for number in range(20):
            journal.append([move(number)], None, float(number))
        journal.append([Entry(EntryKind.TAKE_BACK)], None, 20.0)
        for number in range(20, MOVES + 1):
            journal.append([move(number)], None, float(number))
        shutil.copytree(live, folder)
    return folder


def notes(folder: Path) -> tuple[list[Entry], tuple[str, ...]]:
    with Journal(folder, NAME, threaded=False) as journal:
        return journal.newest(), journal.notes


def test_whole_log_is_read_without_a_word(killed: Path):
    played, told = notes(killed)
    assert (len(played), told) == (MOVES + 3, ())


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.95])
def test_flipped_bit_in_the_log_is_told_with_the_moves_that_are_missing(killed: Path, share: float):
    log = killed / f"{FILE}-wal"
    data = bytearray(log.read_bytes())
    data[int(share * end_of(log)) // FRAME * FRAME + 200] ^= 4
    log.write_bytes(data)
    played, (note,) = notes(killed)
    there = sum({EntryKind.MOVE: 1, EntryKind.TAKE_BACK: -1}.get(each.kind, 0) for each in played)
    assert f"game 1 has lost its moves {there + 1} to {MOVES}:" in note
    assert "they were saved" in note
    assert notes(killed) == (played, ()), "it is told once"


def test_resignation_taken_back_before_a_move_is_saved(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    lines = [START, Entry(EntryKind.RESIGN, "1"), Entry(EntryKind.TAKE_BACK), move(0)]
    with Journal(tmp_path, NAME, threaded=False) as journal:
        for each in lines:
            journal.append([each], WON if each.kind is EntryKind.RESIGN else None, 0.0)
        assert (journal.unsaved, journal.trouble) == (0, None)
    assert caplog.records == []
    assert notes(tmp_path) == (lines, ())


def test_shortened_log_is_told(killed: Path):
    log = killed / f"{FILE}-wal"
    log.write_bytes(log.read_bytes()[: end_of(log) - 3 * FRAME])
    assert "has lost its moves" in notes(killed)[1][0]


def test_lost_game_is_told_to_the_player_of_another_one(killed: Path):
    (killed / f"{FILE}-wal").write_bytes(b"")
    with Journal(killed, "azteka", threaded=False) as journal:
        assert "game 1 has lost its moves" in journal.notes[0]


@pytest.mark.parametrize("note", [b"", b"\0" * 36, b"torn" * 9, b"x" * 5000])
def test_note_that_a_power_cut_left_raises_no_alarm(killed: Path, note: bytes):
    (killed / LAST_LINE).write_bytes(note)
    assert notes(killed)[1] == ()


def test_older_note_raises_no_alarm(killed: Path, tmp_path: Path):
    """A power cut may keep the line and lose the note of it, since only the line is synced."""
    with Journal(tmp_path / "new", NAME, threaded=False) as journal:
        journal.append([START, move(1)], None, 0.0)
        older = (tmp_path / "new" / LAST_LINE).read_bytes()
        journal.append([move(2)], None, 1.0)
    (tmp_path / "new" / LAST_LINE).write_bytes(older)
    assert notes(tmp_path / "new")[1] == ()


def test_note_is_written_after_the_line_is_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with Journal(tmp_path, NAME, threaded=False) as journal:
        journal.append([START, move(1)], None, 0.0)
        before = (tmp_path / LAST_LINE).read_bytes()

        def refuse(*_: object) -> None:
            raise sqlite3.OperationalError("disk I/O error")

        monkeypatch.setattr(Store, "append", refuse)
        journal.append([move(2)], None, 1.0)
        assert (tmp_path / LAST_LINE).read_bytes() == before
        monkeypatch.undo()


def test_older_copy_of_the_file_gets_the_moves_of_the_backup(killed: Path, tmp_path: Path):
    """As a file system that was repaired may leave it."""
    with Journal(killed, NAME, threaded=False):
        pass
    for part in (FILE, f"{FILE}-wal"):
        (killed / part).unlink(missing_ok=True)
    Store(killed).close()
    played, told = notes(killed)
    assert len(played) == MOVES + 3
    assert "brought back from the backup" in told[0]


class Verified:
    """A writer with an old game, the game being played, and an idle moment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        line = JournalLine(START, "2026-03-01T12:00:00.000+00:00", 0.0)
        moves = [JournalLine(move(n), line.at, float(n)) for n in range(9)]
        self.writer = GameWriter(folder, NAME, lambda: datetime.now(UTC), lambda: 1e6)
        self.game = PendingGame([line, *moves])
        for _ in range(3):
            self.game = PendingGame([line, *moves], outcome=WON)
            self.writer.save(self.game, 10, WON, None)
            self.writer.tidy(self.game)


def test_idle_time_finds_a_changed_byte_of_an_old_game_and_brings_it_back(tmp_path: Path):
    idle = Verified(tmp_path)
    change(tmp_path, "UPDATE entries SET text = 'e0' WHERE game_id = 1 AND seq = 4")
    with closing(idle.writer):
        idle.writer.verify(idle.game)
        assert "set aside" in idle.writer.notes[0]
        idle.writer.save(idle.game, 10, WON, None)
    assert entries(tmp_path, 1)[4] == move(3)
    assert [len(each.lines) for each in intact_games(tmp_path / FILE)] == [10, 10, 10]


def test_damage_that_the_backup_has_too_is_told_once_and_sets_nothing_aside(tmp_path: Path):
    idle = Verified(tmp_path)
    for file in (FILE, BACKUP):
        with closing(sqlite3.connect(tmp_path / file)) as db, db:
            db.execute("UPDATE entries SET text = 'e0' WHERE game_id = 2 AND seq = 4")
    with closing(idle.writer):
        for _ in range(3):
            idle.writer.verify(idle.game)
    (note,) = idle.writer.notes
    assert f"game 2 of {tmp_path / FILE} has a line that is not as written" in note
    assert not list(tmp_path.glob("*damaged*"))


def test_all_games_are_verified_a_few_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store, "VERIFIED_GAMES", 2)
    idle = Verified(tmp_path)
    with closing(idle.writer):
        for _ in range(2):
            idle.writer.verify(idle.game)
        change(tmp_path, "UPDATE entries SET text = 'e0' WHERE game_id = 1 AND seq = 4")
        idle.writer.verify(idle.game)
        assert idle.writer.notes == []
        idle.writer.verify(idle.game)
        assert "set aside" in idle.writer.notes[0]


def test_backup_is_not_replaced_by_a_copy_with_a_changed_byte(tmp_path: Path):
    idle = Verified(tmp_path)
    change(tmp_path, "UPDATE entries SET text = 'e0' WHERE game_id = 1 AND seq = 4")
    with closing(idle.writer):
        idle.game.backed_up = False
        idle.writer.tidy(idle.game)
    assert [each.whole for each in intact_games(tmp_path / BACKUP)] == [True] * 3
    assert entries(tmp_path, 1)[4] == move(3)


def test_journal_verifies_while_idle_and_logs_what_it_finds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("game.store.journal.journal.VERIFY_S", 0.001)
    Verified(tmp_path).writer.close()
    change(tmp_path, "UPDATE entries SET text = 'e0' WHERE game_id = 1 AND seq = 4")
    found = Event()

    def look(record: logging.LogRecord) -> bool:
        if "set aside" in record.getMessage():
            found.set()
        return True

    caplog.handler.addFilter(look)
    with Journal(tmp_path, NAME):
        assert found.wait(60)
    assert entries(tmp_path, 1)[4] == move(3)
