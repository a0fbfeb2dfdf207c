"""A side belongs to a device, or to the player who lays it out under a cover: never to both."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from game.rules.cirkle_mind import GAME
from tests.helpers.pages.hosted import hosted
from tests.helpers.programs.running import Talk


@contextmanager
def opened(folder: Path) -> Iterator[Callable[[], Talk]]:
    """Let a board play; what comes of it opens its pages."""
    with ExitStack() as stack:
        board = stack.enter_context(hosted(folder, GAME, first="1"))

        def page() -> Talk:
            talk = Talk(stack.enter_context(board.page()))
            talk.until(lambda t: t.state.get("arranging") and t.seats)
            return talk

        yield page


def code_of(talk: Talk, player: int) -> str:
    talk.until(lambda t: t.seats[player - 1]["link"])
    return str(talk.seats[player - 1]["link"]).partition("invite=")[2]


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


def test_side_of_a_device_is_not_laid_out_on_the_board(tmp_path: Path):
    with opened(tmp_path) as room:
        green, board = room(), room()
        sit(green, 1)
        assert cover(board) == 2
        board.send(do="command", name="take_back")
        board.until(lambda t: not _covers(t))
        sit(green, 2)
        board.until(lambda t: all(seat["taken"] for seat in t.seats))
        board.send(do="command", name="set_up")
        board.until(lambda t: "free a seat" in t.state["notice"])
        assert not _covers(board)
        board.send(do="free", player=1)
        board.until(lambda t: not t.seats[0]["taken"])
        assert cover(board) == 1


def test_side_of_a_device_stays_its_own_after_a_restart(tmp_path: Path):
    with opened(tmp_path) as room:
        sit(room(), 1)
    with opened(tmp_path) as room:
        assert cover(room()) == 2


def test_no_player_sits_down_at_a_side_that_is_laid_out_under_a_cover(
    tmp_path: Path,
):
    with opened(tmp_path) as room:
        guest, board = room(), room()
        code = code_of(guest, 1)
        assert cover(board) == 1
        guest.until(_covers)
        guest.send(do="sit", invite=code)
        guest.until(lambda t: t.seat)
        assert guest.seat["player"] is None
        assert not board.seats[0]["taken"]
        board.tap("A1")
        board.until(lambda t: t.state["arranging"]["covering"]["count"] == 1)
        guest.until(lambda t: t.state["arranging"]["covering"]["count"] == 1)
        assert guest.state["arranging"]["own"] is None
