"""What people and the terminal are told while a game is not kept, and of files set aside."""

from contextlib import closing
from pathlib import Path

import pytest

from game.app.errors import Cause
from game.app.journal.games_file import FILE
from game.app.journal.journal import SLOW_S, Journal
from game.rules.message import say
from game.table.entries import Entry, Kind
from tests.app.test_journal import NAME, START, Clock, Disk, Played, aside, entries, move


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.fixture
def journal(tmp_path: Path):
    with Journal(tmp_path, NAME, threaded=False) as journal:
        yield journal


def test_command_that_brings_games_back_is_whole_wherever_the_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "my games"
    folder.mkdir()
    (folder / FILE).write_text("hello, these are my notes\\n" * 50)
    with Journal(Path("my games"), NAME, threaded=False) as journal:
        (note,) = journal.notes
        (name,) = aside(folder)
        command = f"lifeboard import --data '{folder}' '{folder / name}'"
        assert command in note
        file = str(folder / name)
        assert journal.trouble == say("journal.damaged", file=file, command=command)


@pytest.mark.parametrize("what", ["folder", "link to nowhere", "link to itself"])
def test_what_is_no_file_is_told_and_the_game_written_when_it_is_gone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, what: str
):
    match what:
        case "folder":
            (tmp_path / FILE).mkdir()
        case "link to nowhere":
            (tmp_path / FILE).symlink_to("/nowhere/games.sqlite3")
        case "link to itself":
            (tmp_path / FILE).symlink_to(tmp_path / FILE)
    with Journal(tmp_path, NAME, threaded=False) as journal:
        assert journal.newest() == []
        journal.keep([START], None, 0.0)
        journal.keep([move(1)], None, 1.0)
        assert journal.trouble == say("journal.no_file", file=str(tmp_path / FILE))
        (told,) = caplog.messages
        assert f"games file {tmp_path / FILE} cannot be opened: a {what} has its name" in told
        assert journal.notes == ()
        (tmp_path / FILE).rename(tmp_path / "away")
        journal.keep([move(2)], None, 2.0)
        assert journal.trouble is None
    assert entries(tmp_path) == [START, move(1), move(2)]


def test_begin_of_a_game_that_is_not_kept_is_no_lost_move(journal: Journal, refusing: Disk):
    refusing.refuses = Cause.FULL
    journal.keep([START, Entry(Kind.NAMES, '["Ann", ""]')], None, 0.0)
    assert (journal.unsaved, journal.loses_moves) == (2, False)
    journal.keep([move(1)], None, 1.0)
    assert journal.loses_moves
    refusing.refuses = None
    journal.keep([move(2)], None, 2.0)
    assert not journal.loses_moves


def test_trouble_is_told_once_in_the_log_and_so_is_its_end(
    tmp_path: Path, journal: Journal, refusing: Disk, caplog: pytest.LogCaptureFixture
):
    journal.keep([START], None, 0.0)
    assert caplog.messages == []
    refusing.refuses = Cause.FULL
    for number in range(3):
        journal.keep([move(number)], None, 1.0)
    assert caplog.messages == ["the game is not being kept: it will not"]
    refusing.refuses = Cause.READ_ONLY
    journal.keep([move(3)], None, 1.0)
    assert len(caplog.messages) == 2
    caplog.clear()
    refusing.refuses = None
    for number in range(4, 6):
        journal.keep([move(number)], None, 1.0)
    assert caplog.messages == [f"the game is being kept again in {tmp_path / FILE}"]


def test_slow_disk_is_told_once_in_the_log_and_so_is_its_end(
    tmp_path: Path, refusing: Disk, caplog: pytest.LogCaptureFixture
):
    clock = Clock()
    with closing(Played(tmp_path, clock)) as played:
        refusing.goes_on.clear()
        played.journal.keep([START], None, 0.0)
        assert refusing.entered.acquire(timeout=60)
        clock.now = SLOW_S + 1
        for _ in range(3):
            assert played.journal.trouble.key == "journal.slow"
        assert caplog.messages == [
            f"the disk is slow, and the last moves are not yet in games file {tmp_path / FILE}"
        ]
        refusing.goes_on.set()
        played.until(lambda journal: journal.unsaved == 0 and journal.trouble is None)
    assert caplog.messages[1:] == [f"the game is being kept again in {tmp_path / FILE}"]


def test_what_happens_to_files_is_noted_at_the_start_or_logged_later_but_not_both(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    (tmp_path / FILE).write_text("no games " * 500)
    with Journal(tmp_path, NAME, threaded=False) as journal:
        assert len(journal.notes) == 1
        assert caplog.messages == []
        journal.keep([START], None, 0.0)
        (tmp_path / FILE).rename(tmp_path / "away")
        journal.keep([move(1)], None, 1.0)
        assert len(journal.notes) == 1
    told = caplog.messages
    assert len(told) == len(set(told)) == 2
    assert told[0].startswith(f"games file {tmp_path / FILE} was moved away or replaced")
    assert told[1].startswith("a log whose games file is gone is kept as ")
