"""Play on real disks that are full, read-only, broken or gone, with files that are damaged."""

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from glob import glob
from itertools import pairwise
from pathlib import Path

import pytest

from game.app.journal.games_file import FILE, PAGE_BYTES, VERSION
from game.app.journal.journal import TIDY_LINES, Journal
from game.app.journal.store import Store
from game.app.words import Words
from game.rules.circle_of_life import GAME
from game.rules.message import Message, say
from game.table.entries import Kind
from tests.app.test_cli import assert_one_line, run
from tests.app.test_journal import START, import_command, move
from tests.app.test_store import change
from tests.helpers.programs.own_disk import OwnCard, OwnDisk, cards_can_be_plugged_in
from tests.helpers.programs.running import Lifeboard, Talk

PLAY = (sys.executable, "-m", "game.app")
FAKED = """
import select, time
# libfaketime takes a sleep until a steady time for one until a time of day.
time.sleep = lambda seconds: select.select([], [], [], seconds)
from game.app.cli import main
main()
"""
FAKE_TIME = "/usr/lib/*/faketime/libfaketime.so.1"


class Player:
    """Whoever touches cells on the page of a running lifeboard, and what the game must then be."""

    def __init__(self, talk: Talk, moves: tuple[str, ...] = ()) -> None:
        self.talk = talk
        talk.until(lambda told: told.state.get("phase") == "tap")
        if not moves:
            self.first = str(talk.state["to_move"])
        self.moves = list(moves)

    def position(self) -> object:
        position = GAME.initial({"first": self.first})
        for each in self.moves:
            position = GAME.play(position, GAME.parse_move(position, each))
        return position

    def play(self, number: int = 1) -> None:
        """Make moves that eat nothing, each to its light."""
        for _ in range(number):
            position = self.position()
            quiet = [m for m in GAME.legal_moves(position) if not GAME.removed(position, m)]
            # Right beside a cell that was just touched, it would be a slide.
            beside = {each for cell in self.moves[-4:] for each in GAME.board.neighbours[cell]}
            cells = [tap for each in quiet for tap in GAME.taps(position, each)]
            cell = next(each for each in cells if each not in beside)
            self.talk.tap(cell)
            self.moves.append(cell)
            self.talk.until(lambda told: told.state["ply"] == len(self.moves))

    def take_up(self, talk: Talk) -> None:
        """Go on with the same game in another lifeboard."""
        self.talk = talk
        talk.until(lambda told: told.state)
        assert talk.state["ply"] == len(self.moves)
        pieces = {c: each["piece"] for c, each in talk.state["cells"].items() if each["piece"]}
        assert pieces == GAME.pieces(self.position())
        if talk.state["phase"] == "confirm":
            talk.tap(next(iter(GAME.board.cells)))
        talk.until(lambda told: told.state["phase"] == "tap")

    def play_until_told(self, message: Message) -> None:
        """Make moves until something is told: files have blocks that are not full yet."""
        while self.talk.state["unkept"] is None:
            assert len(self.moves) < 30
            self.play()
        self.until_told(message)

    def until_told(self, message: Message | None) -> None:
        text = message and Words("en").text(message)
        self.talk.until(lambda told: told.state["unkept"] == text)

    def assert_kept(self, folder: Path, game: int = 1) -> None:
        """See that the file holds just what was played, in order."""
        kept = []
        with Store(folder, read_only=True) as store:
            lines = store.lines(game)
        for line in lines:
            if line.entry.kind is Kind.MOVE:
                kept.append(line.entry.text)
        assert kept == self.moves
        assert lines[0].entry.kind is Kind.START
        assert [line.played_s for line in lines] == sorted(line.played_s for line in lines)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[OwnDisk]:
    with OwnDisk(tmp_path / "disk") as disk:
        yield disk


def playing(disk: OwnDisk) -> Lifeboard:
    return Lifeboard(disk.path / "data", "--seed", "1", program=(*disk.prefix, *PLAY))


def test_disk_that_fills_up_in_play_is_told_and_all_is_written_when_there_is_room(
    disk: OwnDisk, tmp_path: Path
):
    data = disk.path / "data"
    with playing(disk) as running, running.page() as socket:
        player = Player(Talk(socket))
        player.play(2)
        disk.fill()
        player.play_until_told(say("journal.full", folder=str(data)))
        player.play(3)
        player.until_told(say("journal.full", folder=str(data)))
        disk.free()
        player.until_told(None)
        running.stop(signal.SIGKILL)
    player.assert_kept(disk.fetch(data, tmp_path / "first"))
    with playing(disk) as running, running.page() as socket:
        player.take_up(Talk(socket))
        player.play(1)
        assert player.talk.state["unkept"] is None
        assert running.stop() == (0, "")
    player.assert_kept(disk.fetch(data, tmp_path / "second"))


def test_disk_that_is_full_before_the_first_game_is_told_and_play_begins(
    disk: OwnDisk, tmp_path: Path
):
    data = disk.path / "data"
    disk.fill()
    with playing(disk) as running, running.page() as socket:
        player = Player(Talk(socket))
        player.until_told(say("journal.full", folder=str(data)))
        player.play(2)
        disk.free()
        player.play(1)
        player.until_told(None)
        running.stop()
    player.assert_kept(disk.fetch(data, tmp_path / "kept"))


def test_disk_that_is_read_only_at_the_start_is_read_and_written_when_it_can_be(
    disk: OwnDisk, tmp_path: Path
):
    data = disk.path / "data"
    with playing(disk) as running, running.page() as socket:
        player = Player(Talk(socket))
        player.play(3)
        # So that part of the game is in the log only.
        running.stop(signal.SIGKILL)
    disk.remount("ro")
    with playing(disk) as running, running.page() as socket:
        player.take_up(Talk(socket))
        player.until_told(say("journal.read_only", folder=str(data)))
        player.play(2)
        disk.remount("rw")
        player.until_told(None)
        player.play(1)
        running.stop(signal.SIGKILL)
    player.assert_kept(disk.fetch(data, tmp_path / "kept"))


def test_read_only_disk_without_a_game_is_played_on(disk: OwnDisk):
    disk.remount("ro")
    with playing(disk) as running, running.page() as socket:
        player = Player(Talk(socket))
        player.until_told(say("journal.read_only", folder=str(disk.path / "data")))
        player.play(2)
        assert running.stop()[0] == 0


def test_card_that_becomes_read_only_in_play_is_told_and_written_when_it_is_mended(tmp_path: Path):
    if not cards_can_be_plugged_in() and os.environ.get("CI") != "true":
        pytest.skip("needs root, loop devices and e2fsprogs")
    with OwnCard(tmp_path / "card") as card:
        data = card.path / "data"
        with playing(card) as running, running.page() as socket:
            player = Player(Talk(socket))
            player.play(3)
            card.fail()
            player.play(2)
            player.until_told(say("journal.read_only", folder=str(data)))
            player.play(1)
            card.mend()
            player.until_told(None)
            player.play(1)
            running.stop(signal.SIGKILL)
        player.assert_kept(card.fetch(data, tmp_path / "kept"))


def test_folder_that_is_deleted_in_play_is_made_anew_with_the_whole_game(
    disk: OwnDisk, tmp_path: Path
):
    data = disk.path / "data"
    with playing(disk) as running, running.page() as socket:
        player = Player(Talk(socket))
        player.play(3)
        disk.run("rm", "-r", str(data))
        player.play_until_told(say("journal.moved", file=str(data / FILE)))
        running.stop(signal.SIGKILL)
    player.assert_kept(disk.fetch(data, tmp_path / "kept"))


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, Player]:
    """A file of many games, the last one being played, of which a part is in the log only."""
    data = tmp_path / "data"
    with Journal(data, GAME.name, threaded=False) as journal:
        for _ in range(30):
            journal.keep([START, *map(move, range(40))], None, 0.0)
        journal.keep([START], None, 0.0)
    with Lifeboard(data, "--seed", "1") as running, running.page() as socket:
        player = Player(Talk(socket))
        player.play(3)
        running.stop(signal.SIGKILL)
    player.assert_kept(data, 31)
    return data, player


def damage(file: Path, at: int, length: int = PAGE_BYTES) -> None:
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(b"\x5a" * length)


def aside(data: Path) -> Path:
    """Return the one file that was set aside."""
    (name,) = data.glob("games.*-*.sqlite3")
    return name


def told_aside(data: Path, message: Message) -> Message:
    """Fill in what is told of the file that was set aside."""
    file = aside(data)
    return replace(message, args={"file": str(file), "command": import_command(file)})


@pytest.mark.parametrize("page", [1, 2, 20, 60])
def test_file_with_a_bad_page_is_kept_aside_and_the_game_goes_on(
    played: tuple[Path, Player], page: int
):
    data, player = played
    damage(data / FILE, page * PAGE_BYTES)
    before = (data / FILE).read_bytes()
    with Lifeboard(data) as running, running.page() as socket:
        player.take_up(Talk(socket))
        player.until_told(told_aside(data, say("journal.damaged")))
        player.play(2)
        code, errors = running.stop()
    assert code == 0
    assert f"is damaged; it is kept as {aside(data)}" in errors
    assert import_command(aside(data)) in errors
    assert aside(data).read_bytes() == before
    player.assert_kept(data)


def test_file_of_which_nothing_can_be_read_is_kept_aside_and_a_game_begins(
    played: tuple[Path, Player],
):
    data, _ = played
    damage(data / FILE, 0, 10_000_000)
    (data / f"{FILE}-wal").unlink()
    before = (data / FILE).read_bytes()
    with Lifeboard(data, "--seed", "1") as running, running.page() as socket:
        player = Player(Talk(socket))
        player.until_told(told_aside(data, say("journal.damaged")))
        player.play(2)
        assert running.stop()[0] == 0
    assert aside(data).read_bytes() == before
    player.assert_kept(data)


def test_file_that_is_damaged_in_play_loses_nothing_of_the_game(played: tuple[Path, Player]):
    data, player = played
    with Lifeboard(data) as running, running.page() as socket:
        player.take_up(Talk(socket))
        damage(data / FILE, 0, (data / FILE).stat().st_size)
        while player.talk.state["unkept"] is None:
            assert len(player.moves) < TIDY_LINES
            player.play()
        player.until_told(told_aside(data, say("journal.damaged")))
        player.play()
        running.stop(signal.SIGKILL)
    player.assert_kept(data)
    with Lifeboard(data) as running, running.page() as socket:
        player.take_up(Talk(socket))
        assert running.stop() == (0, "")


def test_file_of_a_newer_version_is_kept_aside_as_it_is_and_a_game_begins(
    played: tuple[Path, Player],
):
    data, _ = played
    change(data, f"PRAGMA user_version = {VERSION + 1}")
    before = (data / FILE).read_bytes()
    with Lifeboard(data, "--seed", "1") as running, running.page() as socket:
        player = Player(Talk(socket))
        player.until_told(told_aside(data, say("journal.newer")))
        player.play(2)
        code, errors = running.stop()
    assert code == 0
    assert f"of version {VERSION + 1}, which this lifeboard does not know" in errors
    assert aside(data).read_bytes() == before
    player.assert_kept(data)


def test_second_lifeboard_names_the_first_and_leaves_its_game_alone(played: tuple[Path, Player]):
    data, player = played
    with Lifeboard(data) as running, running.page() as socket:
        player.take_up(Talk(socket))
        player.play()
        second = run("play", "--no-browser", "--port", "0", "--data", str(data))
        assert second.returncode == 1
        assert_one_line(second.stderr, f"in use by another lifeboard (process {running.pid})")
        player.play()
        running.stop(signal.SIGKILL)
    player.assert_kept(data, 31)


def test_clock_that_is_set_back_by_an_hour_in_play_changes_nothing(tmp_path: Path):
    library = next(iter(glob(FAKE_TIME)), None)
    if library is None and os.environ.get("CI") != "true":
        pytest.skip("needs Debian's package faketime")
    clock, data = tmp_path / "clock", tmp_path / "data"
    clock.write_text("+0h")
    program = (
        "env",
        f"LD_PRELOAD={library}",
        f"FAKETIME_TIMESTAMP_FILE={clock}",
        "FAKETIME_NO_CACHE=1",
        "FAKETIME_DONT_FAKE_MONOTONIC=1",
        sys.executable,
        "-c",
        FAKED,
    )
    with Lifeboard(data, "--seed", "1", program=program) as running, running.page() as socket:
        player = Player(Talk(socket))
        player.play(2)
        clock.write_text("-1h")
        player.play(2)
        running.stop(signal.SIGKILL)
    with Lifeboard(data, program=program) as running, running.page() as socket:
        player.take_up(Talk(socket))
        player.play(2)
        running.stop(signal.SIGKILL)
    player.assert_kept(data)
    with Store(data, read_only=True) as store:
        lines = store.lines(1)
    at = [datetime.fromisoformat(line.at) for line in lines if line.entry.kind is Kind.MOVE]
    assert [later > sooner for sooner, later in pairwise(at)] == [True, False, True, True, True]
    assert timedelta(minutes=59) < at[1] - at[2] < timedelta(hours=1)
    assert 0 < lines[-1].played_s < 600
