"""Play on real disks that are full, read-only, broken or gone, with files that are damaged."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

import pytest

from game.common import Words
from game.rules.base.message import Message, say
from game.rules.circle_of_life import GAME
from game.store.store import Store
from game.table.entries import EntryKind
from tests.helpers.programs.running import Lifeboard, Talk

PLAY = (sys.executable, "-m", "game.cli")


class OwnDisk:
    """A small disk that only `run` and whatever is started with `prefix` see, mounted at `path`.

    A private mount namespace (unshare(1)) holds it; without root it is in a user namespace, where
    one is root for one's own disks. It vanishes with the process that holds the namespace.
    """

    def __init__(self, path: Path, size: str = "1m") -> None:
        self.path = path
        path.mkdir()
        root = os.geteuid() == 0
        user = () if root else ("--user", "--map-root-user")
        self._holder = subprocess.Popen(
            ["unshare", *user, "--mount", "sh", "-c", "echo ready; exec cat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._holder.stdout.readline() == b"ready\n", "no namespaces on this computer"
        user = () if root else ("--user", "--preserve-credentials")
        self.prefix = ("nsenter", "--target", str(self._holder.pid), "--mount", *user)
        self.mount("-t", "tmpfs", "-o", f"size={size}", "none", str(path))

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command where the disk is; return what it wrote."""
        done = subprocess.run(
            [*self.prefix, *command], capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0 or not check, f"{command}: {done.stderr}"
        return done.stdout

    def mount(self, *arguments: str) -> None:
        self.run("mount", *arguments)

    def remount(self, how: str) -> None:
        """Make the disk read-only (`ro`) or writable again (`rw`)."""
        # A user namespace must not set mount(8)'s other options again.
        self.mount("--options-mode", "ignore", "-o", f"remount,{how}", "none", str(self.path))

    def fill(self) -> None:
        """Leave no byte free."""
        self.run("sh", "-c", f"cat /dev/zero > {self.path}/filler", check=False)
        free = self.run("stat", "--file-system", "--format=%a", str(self.path))
        assert free.strip() == "0"

    def free(self) -> None:
        self.run("rm", f"{self.path}/filler")

    def fetch(self, folder: Path, to: Path) -> Path:
        """Copy a folder of the disk to where everybody sees it."""
        shutil.copytree(f"/proc/{self._holder.pid}/root{folder}", to)
        return to

    def close(self) -> None:
        self._holder.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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

    def assert_saved(self, folder: Path, game: int = 1) -> None:
        """Check that the file holds exactly what was played, in order."""
        with Store(folder, read_only=True) as store:
            lines = store.lines(game)
        assert [
            each.entry.text for each in lines if each.entry.kind is EntryKind.MOVE
        ] == self.moves
        assert lines[0].entry.kind is EntryKind.START
        assert [line.played_s for line in lines] == sorted(line.played_s for line in lines)


@pytest.fixture
def disk(tmp_path):
    with OwnDisk(tmp_path / "disk") as disk:
        yield disk


def playing(disk: OwnDisk) -> Lifeboard:
    return Lifeboard(disk.path / "data", "--option", "first=1", program=(*disk.prefix, *PLAY))


def test_disk_that_fills_up_in_play_is_reported_and_all_is_written_when_there_is_room(
    disk, tmp_path
):
    data = disk.path / "data"
    with playing(disk) as running, running.page() as socket:
        player = Player(Talk(socket))
        player.play(2)
        disk.fill()
        player.play_until_shown(say("journal.full", folder=str(data)))
        player.play(3)
        player.until_shown(say("journal.full", folder=str(data)))
        disk.free()
        player.until_shown(None)
        running.stop(signal.SIGKILL)
    player.assert_saved(disk.fetch(data, tmp_path / "first"))
    with playing(disk) as running, running.page() as socket:
        player.take_up(Talk(socket))
        player.play(1)
        assert player.talk.state["unsaved"] is None
        assert running.stop() == (0, "")
    player.assert_saved(disk.fetch(data, tmp_path / "second"))


def test_disk_that_is_read_only_at_the_start_is_read_and_written_when_it_can_be(disk, tmp_path):
    data = disk.path / "data"
    with playing(disk) as running, running.page() as socket:
        player = Player(Talk(socket))
        player.play(3)
        # So that part of the game is in the log only.
        running.stop(signal.SIGKILL)
    disk.remount("ro")
    with playing(disk) as running, running.page() as socket:
        player.take_up(Talk(socket))
        player.until_shown(say("journal.read_only", folder=str(data)))
        player.play(2)
        disk.remount("rw")
        player.until_shown(None)
        player.play(1)
        running.stop(signal.SIGKILL)
    player.assert_saved(disk.fetch(data, tmp_path / "saved"))
