"""Seats over the page's socket: who may take, keep and free them, and what each side is sent."""

import random
from contextlib import ExitStack

import pytest

from game.rules.base.situation import Situation
from game.rules.cirkle_mind import GAME as MIND
from game.table.inputs import Asked, Command, SubmitSetup
from game.table.phases import Phase
from game.table.state import Confirmation, Notices, Setups
from game.web import server_messages
from tests.helpers.games.toy_hidden import FACES, GREEN, MAUVE, HiddenToy
from tests.helpers.pages.described import conforms
from tests.helpers.pages.hosted import held_steps, hosted
from tests.helpers.pages.seated_page import GAME, code_of, knows, seated, sit
from tests.helpers.programs.running import Talk

SEALED = {1: GAME.arrangement(HiddenToy(), 1, GREEN)}
BOTH = frozenset({1, 2})
WHOLE = Situation(GAME, HiddenToy(tuple((GREEN | MAUVE).items()), done=BOTH))
LOST = Situation(GAME, HiddenToy(tuple(GREEN.items()), done=BOTH))
"""A position in which Green has won."""


@pytest.fixture
def served(tmp_path):
    with seated(tmp_path) as running:
        yield running


@pytest.fixture
def board(served):
    with served.here() as talk:
        talk.until(lambda t: t.state and t.seats)
        yield talk


def answered(talk: Talk) -> None:
    """Wait until the server has processed all that a page has sent."""
    before = len(talk.errors)
    talk.send(do="xx")
    talk.until(lambda t: any("xx" in error for error in t.errors[before:]))
    talk.errors = [error for error in talk.errors if "xx" not in error]


def test_phone_without_pin_sits_down_by_an_invitation_and_watches_then(served, board):
    code = code_of(board, 1)
    with served.phone() as phone:
        phone.until(lambda t: t.locked)
        assert phone.locked["seats"]
        phone.send(do="sit", invite=code)
        phone.until(lambda t: t.seat.get("player") and t.state)
        assert phone.seat["key"]
        assert (phone.hello["access"], phone.state["arranging"]["own"]["player"]) == ("watch", 1)
        assert conforms({"type": "seat", **phone.seat}, server_messages.Seat)
        assert conforms({"type": "seats", "seats": board.seats}, server_messages.Seats)
        assert [seat["taken"] for seat in phone.seats] == [True, False]
        assert [seat["link"] for seat in phone.seats] == [None, None]
        board.until(lambda t: t.seats[0]["taken"])
        assert board.seats[0]["link"] is None
        phone.send(do="command", name="new_game")
        phone.send(do="free", player=2)
        phone.until(lambda t: len(t.errors) == 2)
        assert all("PIN" in error for error in phone.errors)
        assert served.wishes.asked == []
        phone.send(do="stand")
        phone.until(lambda t: t.seat["player"] is None)
        phone.locked = {}
        phone.until(lambda t: t.locked)
        phone.send(do="arrange", pieces=GREEN)
        phone.until(lambda t: len(t.errors) == 3)
    board.until(lambda t: not t.seats[0]["taken"])
    assert code_of(board, 1) not in ("", code)
    assert served.wishes.given == []


def test_link_for_watching_gives_no_seat(served, board):
    with served.phone(code_of(board, 1)) as phone:
        key = phone.seat["key"]
    token = board.hello["share"]["watch"]["link"].partition("?watch=")[2]
    wishes = (
        {"do": "sit", "invite": code_of(board, 2)},
        {"do": "return", "player": 1, "key": key},
        {"do": "arrange", "pieces": GREEN},
        {"do": "stand"},
        {"do": "free", "player": 1},
    )
    with served.phone(watch=token) as watcher:
        watcher.until(lambda t: t.state and t.seats)
        for count, wish in enumerate(wishes, start=1):
            watcher.send(**wish)
            watcher.until(lambda t, n=count: len(t.errors) == n)
        assert set(watcher.errors) == {"This link only lets you watch."}
        assert [seat["link"] for seat in watcher.seats] == [None, None]
        assert (watcher.seat, served.wishes.given) == ({}, [])
    assert served.seats.taken == {1}


def test_one_device_goes_from_seat_to_seat_and_is_told_which_key_is_void(served, board):
    codes = [code_of(board, player) for player in (1, 2)]
    with served.phone(codes[0]) as phone:
        key = phone.seat["key"]
        phone.send(do="sit", invite=codes[1])
        phone.until(lambda t: t.seat["player"] == 2 and t.state)
        phone.until(lambda t: t.state["arranging"]["own"]["player"] == 2)
        phone.send(do="return", key=key, player=1)
        phone.until(lambda t: t.seat["player"] == 1)
        assert (phone.seat["key"], phone.seat["error"], phone.seat["void"]) == (None, None, None)
        phone.until(lambda t: t.state["arranging"]["own"]["player"] == 1)
        phone.send(do="return", key=key, player=2)
        phone.until(lambda t: t.seat["error"])
        assert (phone.seat["player"], phone.seat["void"]) == (1, 2)
        phone.send(do="sit", invite="wrong")
        phone.until(lambda t: t.seat["void"] is None)
        assert "invitation" in phone.seat["error"]
        board.until(lambda t: all(seat["taken"] for seat in t.seats))
        board.send(do="free", player=1)
        phone.until(lambda t: t.seat["player"] is None)
        assert phone.seat["void"] == 1
        assert phone.seat["error"]


def test_seat_is_freed_and_taken_until_its_side_is_set_up_and_after_the_game(served, board):
    code = code_of(board, 1)
    with served.phone(code):
        board.until(lambda t: t.seats[0]["taken"])
        served.show(setups=Setups(SEALED))
        board.until(lambda t: t.state["arranging"]["sealed"] == [1])
        board.send(do="free", player=1)
        board.until(lambda t: t.errors)
        assert "set up" in board.errors[-1]
        assert board.seats[0]["taken"]
        served.show(setups=Setups(), phase=Phase.OVER, outcome=LOST.outcome, situation=LOST)
        board.send(do="free", player=1)
        board.until(lambda t: not t.seats[0]["taken"])
    code = code_of(board, 1)
    served.show(phase=Phase.TAP, outcome=None, situation=WHOLE)
    board.until(lambda t: t.state["phase"] == "tap")
    assert [seat["link"] for seat in board.seats] == [None, None]
    with served.phone(code) as phone:
        assert (phone.seat["player"], phone.state) == (None, {})


def test_seat_of_a_computers_side_sees_no_more_than_everybody(served, board):
    with served.phone(code_of(board, 1)) as phone:
        served.show(setups=Setups(SEALED))
        phone.until(lambda t: t.state and knows(t))
        served.show(computers=("3", ""))
        phone.until(lambda t: t.state["computers"][0])
        board.until(lambda t: not t.seats[0]["link"])
        assert board.seats[1]["link"]
        phone.seat = {}
        assert not knows(phone)
        phone.send(do="arrange", pieces=GREEN)
        phone.until(lambda t: t.errors)
    assert served.wishes.given == []


def test_set_up_and_why_it_is_refused_are_told_to_its_own_seat_alone(served, board):
    for message in ({"do": "arrange", "pieces": GREEN}, {"do": "stand"}):
        board.send(**message)
    board.until(lambda t: len(t.errors) == 2)
    assert set(board.errors) == {"This device has no seat."}
    bad = ({"A1": "Ga"}, {"A1": "Ga", "A3": "Gb"}, {"A1": "Ga", "C1": "\ud800"})
    with served.phone(code_of(board, 1)) as green, served.phone(code_of(board, 2)) as mauve:
        for count, pieces in enumerate(bad, start=1):
            green.send(do="arrange", pieces=pieces)
            green.until(lambda t, n=count: len(t.errors) == n)
        green.send(do="arrange", pieces=GREEN)
        answered(green)
        assert served.wishes.given == [SubmitSetup(1, GREEN)]
        served.show(setups=Setups(SEALED))
        green.until(lambda t: t.state and t.state["arranging"]["own"]["laid"])
        own = green.state["arranging"]["own"]
        assert (own["player"], own["cells"], own["laid"]) == (1, ["A1", "B1", "C1", "D1"], GREEN)
        assert [each["piece"] for each in own["pieces"]] == [*FACES[0]]
        for other in (board, mauve):
            other.until(lambda t: t.state and t.state["arranging"]["sealed"] == [1])
            assert not knows(other)
        assert knows(green)
        assert board.state["arranging"]["own"] is None
        assert mauve.state["arranging"]["own"]["laid"] is None
        assert (len(board.errors), mauve.errors) == (2, [])
        green.send(do="arrange", pieces=None)
        answered(green)
        assert served.wishes.given[1:] == [SubmitSetup(1, None)]
        # Once play has begun nothing can be changed.
        served.show(setups=Setups(), phase=Phase.TAP, situation=WHOLE)
        green.until(lambda t: t.state["phase"] == "tap")
        assert green.state["arranging"] is None
        for pieces in (GREEN, None):
            green.send(do="arrange", pieces=pieces)
        green.until(lambda t: len(t.errors) == 5)
        assert len(served.wishes.given) == 2


def test_draw_is_offered_for_the_seat_s_player_whose_page_is_not_asked_to_confirm_it(served, board):
    with served.here() as other:
        sit(board, code_of(board, 1)).send(do="command", name="draw")
        answered(board)
        assert served.wishes.given == [Asked(Command.DRAW, 1)]
        offer = Notices(confirmation=Confirmation(Command.DRAW, 99.0, 2))
        served.show(notices=offer, names=("Ann", "Bo"))
        for talk, asked in ((board, None), (other, "draw")):
            talk.until(lambda t: t.state.get("names") == ["Ann", "Bo"])
            assert talk.state["confirm"] == asked


def seat_at(board: Talk, talk: Talk, player: int) -> None:
    board.until(lambda t: t.seats[player - 1]["link"])
    talk.send(do="sit", invite=code_of(board, player))
    talk.until(lambda t: t.seat.get("player") == player)
    # So that a later link is a different one.
    board.until(lambda t: t.seats[player - 1]["taken"])


def army(player: int) -> dict[str, str]:
    position = MIND.initial({"first": "1"})
    return MIND.arranged_at_random(position, player, random.Random(player))


def test_seat_is_freed_or_set_up_by_what_came_first_however_late_the_board_is(
    tmp_path, monkeypatch
):
    moves = held_steps(monkeypatch)
    with hosted(tmp_path, MIND, first="1") as board, ExitStack() as pages:
        pages.callback(moves.set)
        thief, victim, boss = (pages.enter_context(board.talk()) for _ in range(3))
        for talk in (thief, victim, boss):
            talk.until(lambda t: t.state.get("phase") == "arrange" and t.seats)
        seat_at(boss, victim, 2)
        moves.clear()
        boss.send(do="free", player=2)
        answered(boss)
        victim.send(do="arrange", pieces=army(2))
        answered(victim)
        moves.set()
        victim.until(lambda t: t.seat["player"] is None)
        seat_at(boss, victim, 2)
        victim.until(lambda t: t.state["arranging"]["own"])
        assert (victim.state["arranging"]["sealed"], victim.errors) == ([], [])
        seat_at(boss, thief, 1)
        thief.send(do="arrange", pieces=army(1))
        boss.until(lambda t: t.state["arranging"]["sealed"] == [1])
        moves.clear()
        victim.send(do="arrange", pieces=army(2))
        answered(victim)
        boss.send(do="free", player=2)
        answered(boss)
        if boss.seats[1]["link"]:
            boss.send(do="sit", invite=code_of(boss, 2))
            answered(boss)
        moves.set()
        boss.until(lambda t: t.state["ply"] == 2)
        shown = {cell["piece"] for cell in boss.state["cells"].values()}
        assert shown.isdisjoint(army(2).values())
        boss.until(lambda t: t.errors)
        assert "set up" in boss.errors[0]
        assert (boss.seats[1]["taken"], boss.seat) == (True, {})
        victim.until(lambda t: t.state["ply"] == 2)
        assert victim.seat["player"] == 2


def test_new_holder_is_not_shown_what_the_former_one_has_taken_back(tmp_path):
    with seated(tmp_path) as served, served.here() as board, served.phone() as former:
        board.until(lambda t: t.state and t.seats)
        seat_at(board, former, 1)
        served.show(setups=Setups(SEALED))
        former.until(lambda t: t.state and knows(t))
        # The table takes the set-up back before any page is shown that.
        served.lags = True
        served.show(setups=Setups())
        board.send(do="free", player=1)
        former.until(lambda t: t.seat["player"] is None)
        with served.phone() as new:
            board.until(lambda t: not t.seats[0]["taken"])
            new.send(do="sit", invite=served.seats.invitation(1))
            new.until(lambda t: t.seat.get("player") == 1 and t.state)
            answered(new)
            assert not knows(new)
            served.lags = False
            served.show()
            new.until(lambda t: t.state["arranging"]["own"])
            assert new.state["arranging"]["own"]["laid"] is None
