"""A side belongs to a device, or to who lays it out under a cover: never both, in one program."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from game.rules.cirkle_mind import GAME
from tests.helpers.programs.running import Lifeboard, Talk

OPTIONS = ("--game", "cirkle-mind", "--option", "first=1")


class Room:
    """A running program in a folder, and the pages that are open there."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._stack = stack
        self.board = stack.enter_context(Lifeboard(folder, *OPTIONS))

    def page(self) -> Talk:
        talk = Talk(self._stack.enter_context(self.board.page()))
        talk.until(lambda t: t.state.get("arranging") and t.seats)
        return talk


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as stack:
        yield Room(tmp_path, stack)


def code_of(talk: Talk, player: int) -> str:
    talk.until(lambda t: t.seats[player - 1]["link"])
    return str(talk.seats[player - 1]["link"]).partition("#invite=")[2]


def sit(talk: Talk, player: int) -> None:
    talk.send(do="sit", invite=code_of(talk, player))
    talk.until(lambda t: t.seat.get("player") == player)


def cover(talk: Talk) -> int:
    """Ask for the set-up on the board; return the player who covers."""
    talk.until(lambda t: t.state["phase"] == "arrange")
    talk.send(do="command", name="set_up")
    talk.until(_covers)
    return _covers(talk)


def _covers(talk: Talk) -> int:
    covering = talk.state["arranging"]["covering"]
    return 0 if covering is None else int(covering["player"])


def test_side_of_a_device_is_not_laid_out_on_the_board(room: Room):
    green, board = room.page(), room.page()
    sit(green, 1)
    assert cover(board) == 2
    board.send(do="command", name="take_back")
    board.until(lambda t: not _covers(t))
    sit(green, 2)
    board.until(lambda t: all(seat["taken"] for seat in t.seats))
    board.send(do="command", name="set_up")
    board.until(lambda t: "Free a seat" in t.state["notice"])
    assert not _covers(board)
    board.send(do="free", player=1)
    board.until(lambda t: not t.seats[0]["taken"])
    assert cover(board) == 1


def test_side_of_a_device_stays_its_own_after_a_power_cut(tmp_path: Path):
    with ExitStack() as stack:
        before = Room(tmp_path, stack)
        sit(before.page(), 1)
        before.board.kill()
        assert cover(Room(tmp_path, stack).page()) == 2


def test_nobody_sits_down_where_somebody_lays_out_his_pieces_under_a_cover(room: Room):
    guest, board = room.page(), room.page()
    code = code_of(guest, 1)
    assert cover(board) == 1
    guest.until(_covers)
    guest.send(do="sit", invite=code)
    guest.until(lambda t: t.seat)
    assert guest.seat["player"] is None
    assert not board.seats[0]["taken"]
    arranges = GAME.arranging(GAME.initial({}), 1)
    assert arranges is not None
    board.tap(arranges.cells[0])
    board.until(lambda t: t.state["arranging"]["covering"]["count"] == 1)
    guest.until(lambda t: t.state["arranging"]["covering"]["count"] == 1)
    assert guest.state["arranging"]["own"] is None
