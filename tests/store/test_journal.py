"""The journal: settled only when on disk, and in order, whatever the disk does."""

import itertools
import os
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from game.common import Cause, StoreError
from game.rules.base.message import say
from game.rules.base.values import Outcome
from game.store import game_writer, games_file
from game.store.game_writer import BACKUP, GameWriter
from game.store.games_file import FILE, PAGE_BYTES, VERSION
from game.store.journal import (
    BACKUP_PAUSE_S,
    NOTICE_S,
    RETRY_S,
    SLOW_S,
    Journal,
    utc_now,
)
from game.store.store import BOARD, JournalLine, Store
from game.table.entries import Entry, EntryKind
from tests.helpers.boards.clocked_board import FakeClock
from tests.store.test_store import change

NAME = "circle-of-life"
START = Entry(EntryKind.START, '{"first": "1"}')
WON = Outcome(1, "resigned", say("table.resigned"))
CAUSES = [
    (Cause.FULL, "journal.full"),
    (Cause.READ_ONLY, "journal.read_only"),
    (Cause.BUSY, "journal.busy"),
    (Cause.GONE, "journal.gone"),
    (Cause.IN_USE, "journal.in_use"),
    (Cause.FAILING, "journal.failing"),
    (RuntimeError("a bug"), "journal.failing"),
]


def move(number: int) -> Entry:
    return Entry(EntryKind.MOVE, f"e{number}")


def entries(folder: Path, number: int | None = None) -> list[Entry]:
    with Store(folder, read_only=True) as store:
        number = number or store.newest(NAME)
        return [line.entry for line in store.lines(number)]


class Played(Journal):
    """A journal with a thread; a test can wait for its jobs to end."""

    def __init__(self, folder: Path, clock: FakeClock) -> None:
        self._done = threading.Semaphore(0)
        super().__init__(folder, NAME, wake=self._done.release, clock=clock)

    def until(self, holds: Callable[[Journal], object]) -> None:
        """Wait for jobs to end until something holds."""
        while not holds(self):
            assert self._done.acquire(timeout=60), "nothing came"


@pytest.fixture
def clock():
    return FakeClock(0.0)


@pytest.fixture
def journal(tmp_path, clock):
    with Journal(tmp_path, NAME, threaded=False, clock=clock) as journal:
        yield journal


@pytest.fixture
def played(tmp_path, clock):
    with Played(tmp_path, clock) as played:
        yield played


def test_keep_does_not_wait_for_the_disk_and_what_waits_is_not_settled(
    tmp_path, played, refusing, clock, caplog
):
    refusing.goes_on.clear()
    played.append([START], None, 0.0)
    assert refusing.entered.acquire(timeout=60)
    played.append([move(1)], None, 1.0)
    played.append([move(2)], None, 2.0)
    assert (played.settled, played.trouble) == (False, None)
    assert played.unsaved == 3
    clock.now = SLOW_S + 0.1
    for _ in range(2):
        assert played.trouble == say("journal.slow")
    assert played.settled
    refusing.goes_on.set()
    played.until(lambda journal: journal.unsaved == 0 and journal.trouble is None)
    assert played.settled
    slow = f"the last moves are not yet in games file {tmp_path / FILE}"
    assert caplog.messages == [
        f"the game is not being saved: {slow}",
        f"the game is being saved again in {tmp_path / FILE}",
    ]
    assert entries(tmp_path) == [START, move(1), move(2)]


@pytest.mark.parametrize(("cause", "key"), CAUSES)
def test_disk_that_refuses_is_reported_and_written_in_order_when_it_is_better(
    tmp_path, played, refusing, cause, key, caplog
):
    played.append([START, move(0)], None, 0.0)
    played.until(lambda journal: journal.settled)
    refusing.refuses = cause
    for number in range(1, 4):
        played.append([move(number)], None, float(number))
        played.until(lambda journal: journal.trouble)
        assert played.trouble.key == key
        assert played.settled
    assert played.unsaved == 3
    assert entries(tmp_path) == [START, move(0)]
    refusing.refuses = None
    played.append([move(4)], None, 4.0)
    played.until(lambda journal: journal.unsaved == 0 and journal.trouble is None)
    assert entries(tmp_path) == [START, *map(move, range(5))]
    told = [each for each in caplog.messages if each.startswith("the game is")]
    assert len(told) == 2, "once that there is trouble, and once that it is over"


def test_disk_is_tried_again_by_itself_after_a_while(tmp_path, played, refusing, clock):
    refusing.refuses = Cause.FULL
    played.append([START], None, 0.0)
    played.until(lambda journal: journal.trouble)
    refusing.refuses = None
    clock.now = RETRY_S
    with played._changed:
        played._changed.notify()  # the wait itself is real time
    played.until(lambda journal: journal.unsaved == 0 and journal.trouble is None)
    assert entries(tmp_path) == [START]


def test_line_that_comes_while_the_disk_refuses_another_is_tried_at_once(played, refusing):
    refusing.goes_on.clear()
    refusing.refuses = Cause.FULL
    played.append([START], None, 0.0)
    assert refusing.entered.acquire(timeout=60)
    played.append([move(1)], None, 1.0)
    refusing.goes_on.set()
    assert refusing.entered.acquire(timeout=60)


def test_games_that_could_not_be_written_are_all_written_later(tmp_path, journal, refusing):
    journal.append([START, move(1)], None, 0.0)
    refusing.refuses = Cause.FULL
    journal.append([move(2), Entry(EntryKind.RESIGN, "2")], WON, 1.0)
    journal.append([START, move(3)], None, 2.0)
    journal.append([START, Entry(EntryKind.NAMES, '["\ud800", "B"]')], None, 3.0)
    assert (journal.unsaved, journal.loses_moves) == (6, True)
    refusing.refuses = None
    journal.append([move(4)], None, 4.0)
    assert (journal.unsaved, journal.loses_moves) == (0, False)
    assert entries(tmp_path, 1) == [START, move(1), move(2), Entry(EntryKind.RESIGN, "2")]
    assert entries(tmp_path, 2) == [START, move(3)]
    # Text that no file can hold does not hold up the rest.
    assert entries(tmp_path, 3) == [START, Entry(EntryKind.NAMES, '["?", "B"]'), move(4)]
    refusing.refuses = Cause.FULL
    journal.append([START], None, 5.0)
    assert not journal.loses_moves, "the begin of a game is no lost move"
    with Store(tmp_path, read_only=True) as store:
        assert [each.reason for each in store.games()] == ["resigned", None, None]


def test_write_that_failed_but_is_there_is_not_written_twice(tmp_path, journal, monkeypatch):
    for name in ("begin", "append"):
        real = getattr(Store, name)

        def lies(store: Store, *arguments: object, real: Callable[..., object] = real) -> None:
            real(store, *arguments)
            raise StoreError("disk I/O error", Cause.FAILING)

        monkeypatch.setattr(Store, name, lies)
    journal.append([START], None, 0.0)
    assert journal.trouble.key == "journal.failing"
    journal.append([move(1)], None, 1.0)
    assert journal.unsaved == 1
    monkeypatch.undo()
    journal.append([move(2)], None, 2.0)
    assert (journal.unsaved, journal.trouble) == (0, None)
    assert entries(tmp_path) == [START, move(1), move(2)]
    with Store(tmp_path, read_only=True) as store:
        assert len(store.games()) == 1


def test_outcome_is_saved_with_its_time_and_taken_back(tmp_path, refusing):
    hours = itertools.count(10)
    day = datetime(2026, 3, 1, tzinfo=UTC)
    with Journal(
        tmp_path, NAME, threaded=False, wall=lambda: day.replace(hour=next(hours))
    ) as journal:
        refusing.refuses = Cause.FULL
        journal.append([START, move(1)], None, 0.0)
        journal.append([Entry(EntryKind.RESIGN, "2")], WON, 1.0)
        journal.append([Entry(EntryKind.EDIT, "d4")], WON, 2.0)
        refusing.refuses = None
        journal.append([Entry(EntryKind.EDIT, "d5")], WON, 3.0)
        with Store(tmp_path, read_only=True) as store:
            assert store.game(1).ended == "2026-03-01T11:00:00.000+00:00"
        journal.append([Entry(EntryKind.TAKE_BACK)], None, 4.0)
        with Store(tmp_path, read_only=True) as store:
            assert store.game(1).ended is None


def test_playing_time_follows_the_steady_clock_and_goes_on_after_a_restart(tmp_path):
    wall = datetime(2026, 3, 1, 12, tzinfo=UTC)
    with Journal(tmp_path, NAME, threaded=False, wall=lambda: wall) as journal:
        journal.append([START], None, 1000.0)
        journal.append([move(1)], None, 1002.5)
        wall -= timedelta(hours=1)
        journal.append([move(2)], None, 1004.0)
        journal.append([move(3)], None, 1003.0)
    with Journal(tmp_path, NAME, threaded=False, wall=lambda: wall) as journal:
        journal.newest(50.0)
        journal.append([move(4)], None, 60.0)
    with Journal(tmp_path, NAME, threaded=False, wall=lambda: wall) as journal:
        journal.newest()
        journal.append([move(5)], None, 7.0)
        journal.append([move(6)], None, 8.0)
    with Store(tmp_path, read_only=True) as store:
        lines = store.lines(1)
    assert [line.played_s for line in lines] == [0.0, 2.5, 4.0, 4.0, 14.0, 14.0, 15.0]
    assert [line.at[11:13] for line in lines] == ["12", "12", "11", "11", "11", "11", "11"]


def in_backup(folder: Path) -> int:
    """Count the lines of the first game in the backup."""
    with Store(folder, read_only=True, name=BACKUP) as store:
        return len(store.lines(1)) if store.games() else 0


def set_aside(folder: Path) -> list[str]:
    """List what was set aside, without the companions."""
    return sorted(each.name for each in folder.glob("games.*-*.sqlite3"))


def damage(folder: Path, *pages: int) -> None:
    """Overwrite pages of the games file, counted from 0; from the end if negative."""
    with (folder / FILE).open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        for page in pages:
            file.seek(page * PAGE_BYTES % size)
            file.write(b"\x99" * PAGE_BYTES)


@pytest.mark.parametrize("backup", ["good", "damaged", "none"])
@pytest.mark.parametrize("what", ["pages", "line", "version"])
def test_damaged_or_newer_file_is_set_aside_whole_and_the_backup_is_taken(
    tmp_path, backup, what, caplog
):
    wall = datetime(2026, 3, 1, 12, 30, 7, tzinfo=UTC)
    with Journal(tmp_path, NAME, threaded=False) as journal:
        for _ in range(20):
            journal.append([START, *map(move, range(40))], None, 0.0)
    if backup == "damaged":
        (tmp_path / BACKUP).write_bytes(b"\x99" * 5000)
    elif backup == "none":
        (tmp_path / BACKUP).unlink()
    label, key = "damaged", "journal.damaged"
    match what:
        case "pages":
            damage(tmp_path, 3, 4)
        case "line":
            change(tmp_path, "UPDATE entries SET text = 'e0' WHERE game_id = 20 AND seq = 6")
        case "version":
            label, key = "newer", "journal.newer"
            change(tmp_path, f"PRAGMA user_version = {VERSION + 1}")
    data = (tmp_path / FILE).read_bytes()
    with Journal(tmp_path, NAME, threaded=False, wall=lambda: wall) as journal:
        before = [START, *map(move, range(40))] if backup == "good" else []
        assert journal.newest() == before
        name = tmp_path / f"games.{label}-20260301-123007.sqlite3"
        assert journal.trouble == say(key, file=str(name))
        (note,) = caplog.messages
        assert f"set aside as {name}" in note
        assert ("may be missing" if before else "there is no backup") in note
        journal.append([*([] if before else [START]), move(99)], None, 1.0)
        assert journal.settled
    assert name.read_bytes() == data
    assert entries(tmp_path) == [*(before or [START]), move(99)]
    with Store(tmp_path, read_only=True) as store:
        assert len(store.games()) == (20 if before else 1)
    bad = [each.read_bytes() for each in tmp_path.glob(f"games.backup.{label}-*.sqlite3")]
    assert bad == ([b"\x99" * 5000] if backup == "damaged" else [])


def test_missing_file_is_made_from_the_backup_without_the_log_of_another(tmp_path, caplog):
    with Journal(tmp_path, NAME, threaded=False) as journal:
        journal.append([START, *map(move, range(9))], None, 0.0)
    (tmp_path / FILE).unlink()
    (tmp_path / f"{FILE}-wal").write_bytes(b"a log")
    with Journal(tmp_path, NAME, threaded=False) as journal:
        assert journal.newest() == [START, *map(move, range(9))]
        assert "was missing" in caplog.text
    (log,) = tmp_path.glob("games.log-*.sqlite3-wal")
    assert log.read_bytes() == b"a log"


def test_backup_is_made_at_the_end_of_a_game_and_now_and_then(tmp_path, journal, clock):
    journal.append([START], None, 0.0)
    for number in range(2, 6):
        journal.append([move(number)], None, 0.0)
        assert in_backup(tmp_path) == (0 if number < 4 else 4)
        clock.now += BACKUP_PAUSE_S / 2
    journal.append([Entry(EntryKind.RESIGN, "2")], WON, 1.0)
    journal.append([Entry(EntryKind.EDIT, "d4")], WON, 2.0)
    assert in_backup(tmp_path) == 6


def test_backup_is_made_at_the_start_before_another_game_and_at_the_end_with_all_that_waits(
    tmp_path, clock
):
    with Journal(tmp_path, NAME, threaded=False) as journal:
        journal.append([START], None, 0.0)
    (tmp_path / BACKUP).unlink()
    clock.now = 1.0
    with Played(tmp_path, clock) as played:
        played.until(lambda _: (tmp_path / BACKUP).exists())
        played.append([move(1), move(2)], None, 0.0)
        played.until(lambda journal: journal.settle())
        assert in_backup(tmp_path) == 3
        played.append([*map(move, range(20))], None, 0.0)
    assert played.unsaved == 0
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names == [BACKUP, FILE, "lifeboard.lock"], "the log is empty"
    assert in_backup(tmp_path) == len(entries(tmp_path)) == 23


@pytest.mark.parametrize(
    "at",
    [
        *((Store, name) for name in ("checkpoint", "copy_to", "check")),
        (game_writer, "replace_durably"),
    ],
)
def test_backup_that_fails_leaves_the_one_before_it_and_play_goes_on(
    tmp_path, journal, clock, monkeypatch, at
):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    clock.now += BACKUP_PAUSE_S
    journal.append([START], None, 0.0)
    before = (tmp_path / BACKUP).read_bytes()
    monkeypatch.setattr(*at, fail)
    journal.append([move(1), Entry(EntryKind.RESIGN, "2")], WON, 1.0)
    assert (journal.unsaved, journal.trouble) == (0, None)
    assert (tmp_path / BACKUP).read_bytes() == before
    monkeypatch.undo()
    journal.append([Entry(EntryKind.EDIT, "d4")], WON, 2.0)
    journal.close()
    assert in_backup(tmp_path) == 4


@pytest.mark.parametrize("at", ["set_aside", "write_whole"])
def test_taking_the_backup_that_is_cut_off_is_done_again(tmp_path, monkeypatch, at):
    with Journal(tmp_path, NAME, threaded=False) as journal:
        journal.append([START, *map(move, range(9))], None, 0.0)
    damage(tmp_path, 1)  # the table of games

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(game_writer, at, cut)
    with (
        closing(GameWriter(tmp_path, NAME, utc_now, lambda: 0.0)) as writer,
        pytest.raises(KeyboardInterrupt),
    ):
        writer.resume()
    monkeypatch.undo()
    with Journal(tmp_path, NAME, threaded=False) as journal:
        assert journal.newest() == [START, *map(move, range(9))]
    assert len(set_aside(tmp_path)) == 1


def test_files_are_set_aside_under_names_that_nothing_has(tmp_path):
    when = datetime(2026, 3, 1, tzinfo=UTC)
    for number in range(3):
        (tmp_path / FILE).write_text(str(number))
        (tmp_path / f"{FILE}-wal").write_text(f"log {number}")
        name = games_file.set_aside(tmp_path / FILE, "damaged", when)
        assert name.read_text() == str(number)
        assert Path(f"{name}-wal").read_text() == f"log {number}"
    assert len(set_aside(tmp_path)) == 3


@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize("what", [0, 1, 3, "lines"])
def test_file_damaged_while_it_is_played_with_loses_nothing_of_the_game(
    tmp_path, journal, clock, what, at_end
):
    saved = [START, *map(move, range(60))]
    clock.now += BACKUP_PAUSE_S
    journal.append(saved, None, 0.0)
    if what == "lines":
        change(tmp_path, "DELETE FROM entries WHERE seq = 60")
    else:
        damage(tmp_path, what, what + 1)
    clock.now += 0.0 if at_end else BACKUP_PAUSE_S
    for number in range(3):
        saved.append(move(100 + number))
        journal.append(saved[-1:], None, 1.0)
    if at_end:
        journal.close()
    elif what != "lines":
        assert journal.trouble.key == "journal.damaged"
        assert journal.settled
        clock.now += NOTICE_S
    assert journal.trouble is None or at_end
    assert entries(tmp_path) == saved
    assert len(set_aside(tmp_path)) == (what != "lines")


def test_disk_that_damages_everything_is_not_filled_with_files(tmp_path, journal, monkeypatch):
    def differs(*_: object) -> None:
        raise StoreError("not as written", Cause.DAMAGED)

    monkeypatch.setattr(Store, "begin", differs)
    monkeypatch.setattr(Store, "check", differs)
    for number in range(5):
        journal.append([START if number == 0 else move(number)], None, 0.0)
    assert journal.trouble.key == "journal.failing"
    assert len(set_aside(tmp_path)) == 1
    monkeypatch.undo()
    journal.append([move(5)], None, 0.0)
    assert journal.unsaved == 0
    assert len(entries(tmp_path)) == 6


def test_wrong_folder_is_refused_at_once(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"data folder .*file/data cannot be made"):
        Journal(tmp_path / "file" / "data", NAME)


def test_end_of_play_does_not_wait_for_a_disk_that_hangs(tmp_path, refusing, clock, monkeypatch):
    monkeypatch.setattr("game.store.journal.CLOSE_S", 0.01)
    played = Played(tmp_path, clock)
    refusing.goes_on.clear()
    played.append([START], None, 0.0)
    assert refusing.entered.acquire(timeout=60)
    played.close()
    assert played.unsaved == 1
    refusing.goes_on.set()
    played._thread.join(60)
    assert entries(tmp_path) == [START]


def test_writer_finds_no_game_of_others_after_a_restart(tmp_path, clock):
    """A game number means another game once the file was made again."""
    with Store(tmp_path) as store:
        store.begin(NAME, BOARD, [JournalLine(START, "2026-03-01T12:00:00", 0.0)], None)
    with closing(GameWriter(tmp_path, NAME, lambda: datetime.now(UTC), clock)) as each:
        mine = JournalLine(START, "2026-03-01T13:00:00", 0.0)
        with Store(tmp_path, read_only=True) as before:
            game = game_writer.PendingGame([mine], number=1, saved=1, store=before)
        each.save(game, 1, None)
        assert game.number == 2
