"""Who may take, free and use a seat is decided by the table, however late pages are updated."""

import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from game.rules.cirkle_mind import GAME
from game.table.state import Setups
from tests.helpers.pages.hosted import Hosted, held_steps, hosted
from tests.helpers.pages.seated_page import Seated, code_of, knows, seated
from tests.helpers.programs.running import Talk
from tests.web.test_seats_page import SEALED


@dataclass
class HeldBoard:
    """A running board whose thread can be held, as a flood of messages or a slow disk holds it."""

    hosted: Hosted
    moves: threading.Event
    pages: ExitStack

    def page(self) -> Talk:
        talk = Talk(self.pages.enter_context(self.hosted.page()))
        talk.until(lambda t: t.state.get("phase") == "arrange" and t.seats)
        return talk


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldBoard]:
    moves = held_steps(monkeypatch)
    with hosted(tmp_path, GAME, first="1") as board, ExitStack() as pages:
        pages.callback(moves.set)
        yield HeldBoard(board, moves, pages)


def heard(talk: Talk) -> None:
    """Wait until the server has processed all that a page has sent."""
    before = len(talk.errors)
    talk.send(do="language", lang="xx")
    talk.until(lambda t: any("xx" in error for error in t.errors[before:]))
    talk.errors = [error for error in talk.errors if "xx" not in error]


def sit(board: Talk, talk: Talk, player: int) -> None:
    board.until(lambda t: t.seats[player - 1]["link"])
    talk.send(do="sit", invite=code_of(board, player))
    talk.until(lambda t: t.seat.get("player") == player)
    # So that a later link is a different one.
    board.until(lambda t: t.seats[player - 1]["taken"])


def army(player: int) -> dict[str, str]:
    position = GAME.initial({"first": "1"})
    return GAME.arranged_at_random(position, player, random.Random(player))


def test_seat_is_not_freed_after_ready_however_late_the_board_is(room: HeldBoard):
    thief, victim, boss = room.page(), room.page(), room.page()
    sit(boss, thief, 1)
    sit(boss, victim, 2)
    thief.send(do="arrange", pieces=army(1))
    boss.until(lambda t: t.state["arranging"]["sealed"] == [1])
    room.moves.clear()
    victim.send(do="arrange", pieces=army(2))
    heard(victim)
    boss.send(do="free", player=2)
    heard(boss)
    if boss.seats[1]["link"]:
        boss.send(do="sit", invite=code_of(boss, 2))
        heard(boss)
    room.moves.set()
    boss.until(lambda t: t.state["ply"] == 2)
    shown = {cell["piece"] for cell in boss.state["cells"].values()}
    assert shown.isdisjoint(army(2).values())
    boss.until(lambda t: t.errors)
    assert "set up" in boss.errors[0]
    assert (boss.seats[1]["taken"], boss.seat) == (True, {})
    victim.until(lambda t: t.state["ply"] == 2)
    assert victim.seat["player"] == 2


def test_page_whose_seat_was_freed_meanwhile_submits_nothing(room: HeldBoard):
    former, boss = room.page(), room.page()
    sit(boss, former, 2)
    room.moves.clear()
    boss.send(do="free", player=2)
    heard(boss)
    former.send(do="arrange", pieces=army(2))
    heard(former)
    room.moves.set()
    former.until(lambda t: t.seat["player"] is None)
    sit(boss, former, 2)
    former.until(lambda t: t.state["arranging"]["own"])
    assert (former.state["arranging"]["sealed"], former.errors) == ([], [])


def test_new_holder_is_not_shown_what_the_former_one_has_taken_back(tmp_path: Path):
    with seated(tmp_path) as served, served.here() as here, served.phone() as one:
        board, former = Talk(here), Talk(one)
        board.until(lambda t: t.state and t.seats)
        sit(board, former, 1)
        served.show(setups=Setups(SEALED))
        former.until(lambda t: t.state and knows(t))
        _lag(served)
        board.send(do="free", player=1)
        former.until(lambda t: t.seat["player"] is None)
        with served.phone() as two:
            new = Talk(two)
            board.until(lambda t: not t.seats[0]["taken"])
            new.send(do="sit", invite=served.seats.invitation(1))
            new.until(lambda t: t.seat.get("player") == 1 and t.state)
            heard(new)
            assert not knows(new)
            served.lags = False
            served.show()
            new.until(lambda t: t.state["arranging"]["own"])
            assert new.state["arranging"]["own"]["laid"] is None


def _lag(served: Seated) -> None:
    """Let the table take the set-up back before any page is shown that."""
    served.lags = True
    served.show(setups=Setups())
