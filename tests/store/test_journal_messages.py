"""Messages to people and the terminal while a game is unsaved, and about quarantined files."""

from contextlib import closing
from pathlib import Path

import pytest

from game.common import Cause
from game.rules.base.message import say
from game.store.games_file import FILE
from game.store.journal import SLOW_S, Journal
from game.table.entries import Entry, EntryKind
from tests.helpers.boards.clocked_board import FakeClock
from tests.store.test_journal import NAME, START, Disk, Played, entries, move


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.fixture
def journal(tmp_path: Path):
    with Journal(tmp_path, NAME, threaded=False) as journal:
        yield journal


def test_file_that_cannot_be_opened_is_reported_and_the_game_written_when_it_can(tmp_path: Path):
    (tmp_path / FILE).mkdir()
    with Journal(tmp_path, NAME, threaded=False) as journal:
        assert journal.newest() == []
        journal.append([START], None, 0.0)
        assert journal.trouble == say("journal.failing", folder=str(tmp_path))
        (tmp_path / FILE).rename(tmp_path / "away")
        journal.append([move(1)], None, 2.0)
        assert journal.trouble is None
    assert entries(tmp_path) == [START, move(1)]


def test_unsaved_begin_of_a_game_is_no_lost_move(journal: Journal, refusing: Disk):
    refusing.refuses = Cause.FULL
    journal.append([START, Entry(EntryKind.NAMES, '["Ann", ""]')], None, 0.0)
    assert (journal.unsaved, journal.loses_moves) == (2, False)
    journal.append([move(1)], None, 1.0)
    assert journal.loses_moves
    refusing.refuses = None
    journal.append([move(2)], None, 2.0)
    assert not journal.loses_moves


def test_trouble_is_once_in_the_log_and_so_is_its_end(
    tmp_path: Path, journal: Journal, refusing: Disk, caplog: pytest.LogCaptureFixture
):
    journal.append([START], None, 0.0)
    assert caplog.messages == []
    refusing.refuses = Cause.FULL
    for number in range(3):
        journal.append([move(number)], None, 1.0)
    assert caplog.messages == ["the game is not being saved: it will not"]
    refusing.refuses = Cause.READ_ONLY
    journal.append([move(3)], None, 1.0)
    assert len(caplog.messages) == 2
    caplog.clear()
    refusing.refuses = None
    for number in range(4, 6):
        journal.append([move(number)], None, 1.0)
    assert caplog.messages == [f"the game is being saved again in {tmp_path / FILE}"]


def test_slow_disk_is_once_in_the_log_and_so_is_its_end(
    tmp_path: Path, refusing: Disk, caplog: pytest.LogCaptureFixture
):
    clock = FakeClock(0.0)
    with closing(Played(tmp_path, clock)) as played:
        refusing.goes_on.clear()
        played.journal.append([START], None, 0.0)
        assert refusing.entered.acquire(timeout=60)
        clock.now = SLOW_S + 1
        for _ in range(3):
            assert played.journal.trouble.key == "journal.slow"
        assert caplog.messages == [
            "the game is not being saved: the last moves are"
            f" not yet in games file {tmp_path / FILE}"
        ]
        refusing.goes_on.set()
        played.until(lambda journal: journal.unsaved == 0 and journal.trouble is None)
    assert caplog.messages[1:] == [f"the game is being saved again in {tmp_path / FILE}"]
