"""Virtual fingers: how clicks become touches."""

from itertools import pairwise

import pytest

from hal.base.errors import SpotError
from hal.base.events import CellTouch, Moment, Palm
from hal.sim.hands import GAP_S, MOST_FINGERS, MOST_WAITING, REST_S, VirtualHands


@pytest.fixture
def hands(clock):
    return VirtualHands({"a1", "a2", "key"}, clock, lambda: None)


def advance(hands, clock, seconds, step_s=0.01):
    moves = []
    for _ in range(round(seconds / step_s)):
        clock.now += step_s
        moves += hands.advance(clock.now)
    return moves


def test_hands_click_of_no_length_rests(hands, clock):
    hands.press("mouse", "a1")
    hands.lift("mouse")
    down, up = advance(hands, clock, 0.5)
    assert (down.down, up.down, up.spot) == (True, False, "a1")
    assert REST_S <= up.time_s - down.time_s <= REST_S + 0.02


def test_hands_quick_clicks_of_one_pointer_follow_each_other(hands, clock):
    for spot in ("a1", "a2", "a1"):
        hands.press("mouse", spot)
        hands.lift("mouse")
    moves = advance(hands, clock, 1.0)
    assert [(move.spot, move.down) for move in moves] == [
        ("a1", True), ("a1", False), ("a2", True), ("a2", False), ("a1", True), ("a1", False),
    ]  # fmt: skip
    for earlier, later in pairwise(moves):
        assert later.time_s - earlier.time_s >= (GAP_S if later.down else REST_S) - 1e-9


def test_hands_too_many_wishes_are_refused_and_the_earlier_ones_kept(hands, clock):
    for _ in range(MOST_WAITING // 2):
        hands.press("mouse", "a1")
        hands.lift("mouse")
    with pytest.raises(SpotError, match=f"with {MOST_WAITING} waiting moves"):
        hands.press("mouse", "a2")
    downs = [move for move in advance(hands, clock, 10.0) if move.down]
    assert len(downs) == MOST_WAITING // 2


def test_hands_too_many_fingers_are_refused(hands):
    for n in range(MOST_FINGERS):
        hands.press(str(n), "a1")
    with pytest.raises(SpotError, match="one too many"):
        hands.press("another", "a1")


def test_hands_wait_for_a_board_that_was_held_up(hands, clock):
    # With nothing sensed for a second after the press, the click must still be held down.
    hands.press("mouse", "a1")
    hands.lift("mouse")
    assert len(hands.advance(clock.now)) == 1
    clock.now += 1.0
    assert hands.advance(clock.now) == []
    clock.now += 1.0
    (up,) = hands.advance(clock.now)
    assert up.time_s == clock.now


def test_hands_scripted_clicks_are_felt_one_by_one_and_never_as_a_palm(rig, profile):
    cells = list(profile.cells)[:12]
    for cell in cells:
        rig.hands.press("mouse", cell)
        rig.hands.lift("mouse")
    events = rig.run(4.0)
    assert not any(isinstance(event, Palm) for event in events)
    assert [e.cell for e in events if e.moment is Moment.DOWN] == cells


def test_hands_two_pointers_on_one_cell_are_one_touch_until_both_leave(rig):
    rig.hands.press("one", "e5")
    rig.hands.press("two", "e5")
    assert rig.run(0.3) == [CellTouch("e5", Moment.DOWN)]
    rig.hands.lift("one")
    assert rig.run(0.3) == []
    rig.hands.lift("two")
    assert rig.run(0.3) == [CellTouch("e5", Moment.UP)]
