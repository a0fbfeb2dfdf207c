"""Rings, keys and moves of several taps where standing stones are sensed."""

from itertools import permutations
from random import Random

import pytest

from game.rules.base.registry import find_game
from game.rules.boards.disc import disc
from game.table.entries import Entry, EntryKind
from game.table.hands import RING_TURN_S
from game.table.inputs import Command, StonesChanged
from game.table.phases import Phase
from tests.helpers.games.toy_disc import PlainDisc, ToyDisc
from tests.oracles.perfect_hand import Hand
from tests.table.random_game import TableSession

RING = disc(2, 4).rings["ring1"]
BACK = Command.TAKE_BACK


def is_right(session):
    state = session.state
    return state.phase is Phase.TAP and dict(state.standing) == session.pieces


def stand(session, *cells):
    """Let just these stones stand, from one moment to the next."""
    session.stones = set(cells)
    session.give(StonesChanged(frozenset(cells)))


@pytest.fixture(params=[ToyDisc(), PlainDisc()], ids=lambda game: game.name)
def wheel(sit, request):
    """A disc with a1 of side 1 and b1 of side 2 on its inner ring, and c2; side 2 to move."""
    return sit(request.param, presence=True).do("a1", "b1", "c2", 10.0)


# Rings.


def test_a_ring_whose_key_is_pressed_shows_on_its_way_until_it_has_been_turned(wheel):
    wheel.tap("ring1")
    assert wheel.moves[-1] == "T1"
    assert wheel.saved[-1] == Entry(EntryKind.EDIT, "ring1")
    assert wheel.cues("turned") == sorted(RING)
    assert wheel.prompts == ["table.played", "table.turn_ring_felt"]
    assert wheel.table.scene().turn == 2, "the turn lasts until the ring is there"
    wheel.wait(60.0)
    assert wheel.cues("turned") == sorted(RING), "it is not turned yet"
    stand(wheel, "b1", "c1", "c2")
    assert is_right(wheel)
    assert wheel.pieces == {"b1": "1", "c1": "2", "c2": "1"}
    assert wheel.cues("turned") == []
    assert wheel.table.scene().turn == 1


@pytest.mark.parametrize("order", [*permutations(("a1", "b1", "-b1", "c1"))])
def test_a_ring_that_is_turned_stone_by_stone_takes_nothing_back(wheel, order):
    wheel.tap("ring1")
    where = {"a1", "b1", "c2"}
    for change in order:
        where ^= {change.removeprefix("-")}
        stand(wheel, *where)
        assert wheel.moves == ["a1", "b1", "c2", "T1"]
    assert where == {"b1", "c1", "c2"} or not is_right(wheel)
    stand(wheel, "b1", "c1", "c2")
    assert is_right(wheel)


def test_a_stone_that_fell_while_its_ring_was_turned_is_asked_for(wheel):
    wheel.tap("ring1")
    stand(wheel, "c1", "c2")
    wheel.wait(RING_TURN_S)
    assert wheel.cues("put") == ["b1"]
    assert wheel.prompts == ["table.played", "table.lay"]
    wheel.put("b1")
    assert is_right(wheel)


def test_a_ring_may_be_turned_by_two_before_between_or_after_its_keys(wheel):
    for before in (0, 1, 2):
        at = wheel.pieces
        spots = [cell for cell in RING if cell in at]
        goes = {RING[(RING.index(cell) + 2) % 4] for cell in spots} | {"c2"}
        keys = ["choice1", "ring1"]
        wheel.tap(*keys[:before])
        stand(wheel, *goes)
        wheel.tap(*keys[before:])
        assert wheel.moves[-1] == "TT1"
        assert is_right(wheel)


def test_a_key_for_another_ring_than_the_one_that_was_turned_is_refused(wheel):
    stand(wheel, "b1", "c1", "c2")
    wheel.tap("ring2")
    assert wheel.notice == "table.first_put_right"
    assert wheel.moves == ["a1", "b1", "c2"]
    stand(wheel, "a1", "b1", "c2")
    assert is_right(wheel)


def test_a_turn_that_is_taken_back_by_key_shows_on_its_way_back(wheel):
    wheel.tap("ring1")
    stand(wheel, "b1", "c1", "c2")
    wheel.do(10.0, BACK)
    assert wheel.cues("turned") == sorted(RING)
    assert wheel.prompts == ["table.turn_ring_back_felt"]
    stand(wheel, "a1", "b1", "c2")
    assert is_right(wheel)
    assert wheel.pieces == {"a1": "1", "b1": "2", "c2": "1"}


def test_a_turn_goes_on_after_a_power_cut_as_far_as_it_had_come(wheel):
    wheel.tap("ring1")
    for stones in ({"a1", "b1", "c2"}, {"b1", "c1", "c2"}):
        wheel.stones = stones
        again = wheel.restarted()
        right = stones == {"b1", "c1", "c2"}
        assert again.state.phase is (Phase.TAP if right else Phase.EDIT)
        again.handle(StonesChanged(frozenset({"b1", "c1", "c2"})), 1.0)
        assert dict(again.state.standing) == {"b1": "1", "c1": "2", "c2": "1"}


# Exchanges.


def test_an_exchange_is_lifted_and_put_and_found_again_after_a_power_cut(sit):
    session = sit(ToyDisc(), presence=True).do("b1", "a1", "d2", "c1")
    assert session.cues("swap") == ["b1"]
    session.take("b1")
    assert session.cues("put") == ["b1"]
    assert session.moves == ["b1", "a1", "d2", "c1"]
    session.put("b1")
    assert is_right(session)
    assert session.saved[-1] == Entry(EntryKind.EDIT, "b1")
    again = session.restarted()
    assert again.state.phase is Phase.TAP
    assert again.state.standing["b1"] == "2"


# Moves of several taps.


@pytest.fixture
def limbs(sit):
    """An adaptoid with a leg on a1, of the player to move, and one on g4."""
    session = sit(find_game("adaptoid"), presence=True)
    start = Entry(EntryKind.SET_UP, "a1=W1L0P,g4=B1L0P play 1 WB 0-0")
    session.table.resume([start], session.now)
    session.put("a1", "g4")
    return session


def test_another_piece_begins_anew_when_the_first_is_back(limbs):
    limbs.do("a1", "a1", "a2")
    assert limbs.moves == ["/+a2"], "a1 had not moved"
    assert is_right(limbs)


@pytest.mark.parametrize("order", [*permutations(("b3", "a2", "a1"))])
def test_a_move_of_several_taps_is_taken_back_by_hands_in_any_order(limbs, order):
    limbs.do("a1", "a2", "b3")
    assert limbs.moves == ["a1-a2/+b3"]
    limbs.wait(5.0)
    for cell in order:
        stand(limbs, *(limbs.stones ^ {cell}))
    assert limbs.moves == []
    assert is_right(limbs)


def test_a_turn_that_was_taken_back_is_right_after_a_restart():
    session = TableSession(find_game("azteka"), {"first": "1"}, True)
    hand = Hand(session, True, Random(12))
    for move in ("f2", "d1", "T3", "d2", "e2", "T2"):
        hand.make(move)
    session.do(2, Command.TAKE_BACK)
    hand.bring_right()
    resumed = session.restarted()
    assert (resumed.state.phase, resumed.state.standing) == (
        Phase.TAP,
        session.state.standing,
    )


def test_a_ring_may_be_turned_before_its_key_is_pressed(wheel):
    stand(wheel, "c2")
    stand(wheel, "b1", "c1", "c2")
    assert wheel.moves == ["a1", "b1", "c2"]
    assert wheel.notice == "table.press_for_it"
    wheel.tap("ring1")
    assert wheel.moves[-1] == "T1"
    assert is_right(wheel)
