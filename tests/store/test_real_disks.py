"""Play on real disks that are full, read-only, broken or gone, with files that are damaged."""

import shutil
import signal
import subprocess
from contextlib import closing, suppress
from pathlib import Path

import pytest

from game.common import Words
from game.rules.base.message import Message, say
from game.rules.circle_of_life import GAME
from game.store.store import Store
from game.table.entries import EntryKind
from tests.cli.test_cli import assert_one_line, call
from tests.helpers.programs.running import Lifeboard, Talk


class SmallDisk:
    """A disk of one megabyte, mounted at `path` until it is closed."""

    def __init__(self, path: Path) -> None:
        self.path, self._filler = path, path / "filler"
        path.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", path], check=True)

    def remount(self, how: str) -> None:
        """Make the disk read-only (`ro`) or writable again (`rw`)."""
        subprocess.run(["mount", "-o", f"remount,{how}", self.path], check=True)

    def fill(self) -> None:
        """Leave no byte free."""
        with suppress(OSError), self._filler.open("wb", buffering=0) as filler:
            while filler.write(bytes(4096)):
                pass
        assert shutil.disk_usage(self.path).free == 0

    def free(self) -> None:
        self._filler.unlink()

    def close(self) -> None:
        subprocess.run(["umount", "--lazy", self.path], check=True)


def quiet_moves(number: int) -> list[str]:
    """List moves that eat nothing, none beside a cell that was just touched: that is a slide."""
    position, moves = GAME.initial({"first": "1"}), list[str]()
    for _ in range(number):
        beside = {each for cell in moves[-4:] for each in GAME.board.neighbours[cell]}
        free = [each for each in GAME.legal_moves(position) if each not in beside]
        moves.append(next(each for each in free if not GAME.result(position, each).removed))
        position = GAME.play(position, moves[-1])
    return moves


class Player:
    """A player on the page of a running lifeboard, and the game that must result."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.next = quiet_moves(30)
        self.moves: list[str] = []
        talk.until(lambda page: page.state.get("phase") == "tap")

    def play(self, number: int = 1) -> None:
        """Make moves, each to its light."""
        for _ in range(number):
            self.moves.append(self.next.pop(0))
            self.talk.tap(self.moves[-1])
            self.talk.until(lambda page: page.state["ply"] == len(self.moves))

    def take_up(self, talk: Talk) -> None:
        """Continue the same game in another lifeboard."""
        self.talk = talk
        talk.until(lambda page: page.state)
        pieces = {c: each["piece"] for c, each in talk.state["cells"].items() if each["piece"]}
        assert pieces == {cell: "12"[ply % 2] for ply, cell in enumerate(self.moves)}
        if talk.state["phase"] == "confirm":
            talk.tap(next(iter(GAME.board.cells)))
        talk.until(lambda page: page.state["phase"] == "tap")

    def play_until_shown(self, message: Message) -> None:
        """Make moves until a message comes: the files' last blocks may still have room."""
        while self.talk.state["unsaved"] is None:
            self.play()
        self.until_shown(message)

    def until_shown(self, message: Message | None) -> None:
        text = message and Words("en").text(message)
        self.talk.until(lambda page: page.state["unsaved"] == text)

    def assert_saved(self, folder: Path) -> None:
        """Check that the file holds exactly what was played, in order."""
        with Store(folder, read_only=True) as store:
            lines = store.lines(1)
        assert [
            each.entry.text for each in lines if each.entry.kind is EntryKind.MOVE
        ] == self.moves
        assert lines[0].entry.kind is EntryKind.START
        assert [line.played_s for line in lines] == sorted(line.played_s for line in lines)


@pytest.fixture
def disk(tmp_path):
    with closing(SmallDisk(tmp_path / "disk")) as disk:
        yield disk


def playing(data: Path) -> Lifeboard:
    return Lifeboard(data, "--option", "first=1")


def test_full_and_read_only_disks_are_reported_in_play_and_all_is_written_when_they_let(disk):
    data = disk.path / "data"
    with playing(data) as running, running.page() as socket:
        player = Player(Talk(socket))
        player.play(2)
        disk.fill()
        player.play_until_shown(say("journal.full", folder=str(data)))
        player.play(3)
        player.until_shown(say("journal.full", folder=str(data)))
        disk.free()
        player.until_shown(None)
        # So that part of the game is in the log only.
        running.stop(signal.SIGKILL)
    player.assert_saved(data)
    disk.remount("ro")
    with playing(data) as running, running.page() as socket:
        player.take_up(Talk(socket))
        player.until_shown(say("journal.read_only", folder=str(data)))
        player.play(2)
        disk.remount("rw")
        player.until_shown(None)
        player.play(1)
        assert player.talk.state["unsaved"] is None
        status, errors = running.stop()
    player.assert_saved(data)
    assert status == 0, errors


def test_read_only_folder_is_read_and_never_written(disk, capsys):
    data = ("--data", str(disk.path))
    (disk.path / "game.txt").write_text('[Player1 "Anna"]\ne5')
    call(capsys, "import", str(disk.path / "game.txt"), *data)
    disk.remount("ro")
    assert "Anna" in call(capsys, "history", *data)[1]
    assert "[Game " in call(capsys, "export", "last", *data)[1]
    status, _, errors = call(capsys, "import", str(disk.path / "game.txt"), *data)
    assert status == 1
    assert_one_line(errors, str(disk.path), "writable")
