"""Fingers alone: which touches count, which bounce or slide, and which may become a hold."""

from game.rules.boards.fingers import DEBOUNCE_S, SLIDE_S, Effect, Fingers, TouchVerdict

BEGINS = Effect(enters_move=True, begins_move=True)
GOES_ON = Effect(enters_move=True)
NOTHING = Effect(nothing=True)
EDIT = Effect(confirms_edit=True)
BESIDE = ("a", "c")
"""The neighbours of the cell b."""


def touched(fingers: Fingers, cell: str, now: float, effect: Effect = BEGINS) -> Fingers:
    """Touch a cell without neighbours, and check that it counts."""
    after, verdict = fingers.touch(cell, (), effect, now)
    assert verdict is TouchVerdict.TAP
    return after


def tapped(fingers: Fingers, cell: str, now: float) -> Fingers:
    """Touch a cell, make a move by it, and lift the finger at once."""
    return touched(fingers, cell, now).moved(cell).lift(cell, False, now)[0]


def judged(fingers: Fingers, effect: Effect, now: float, cell: str = "b") -> TouchVerdict:
    return fingers.touch(cell, BESIDE, effect, now)[1]


def test_second_touch_bounces_until_the_debounce_has_passed_where_it_would_do_something():
    fingers = tapped(Fingers(), "b", 1.0)
    assert judged(fingers, GOES_ON, 1.0 + DEBOUNCE_S - 0.01) is TouchVerdict.BOUNCE
    assert judged(fingers, GOES_ON, 1.0 + DEBOUNCE_S) is TouchVerdict.TAP
    assert judged(fingers, NOTHING, 1.1) is TouchVerdict.REPEAT
    assert TouchVerdict.BOUNCE.rejected > TouchVerdict.REPEAT.rejected
    lifted = touched(Fingers(), "b", 1.0).lift("b", False, 1.0)[0]
    assert judged(lifted, EDIT, 1.1) is TouchVerdict.TAP
    # Without a lift it is the same finger, however late.
    assert judged(touched(Fingers(), "b", 1.0), GOES_ON, 99.0) is TouchVerdict.BOUNCE


def test_rejected_touches_extend_no_debounce():
    fingers = tapped(Fingers(), "b", 0.0)
    for now in (0.1, 0.3, 0.45):
        fingers, verdict = fingers.touch("b", BESIDE, GOES_ON, now)
        assert verdict is TouchVerdict.BOUNCE
        fingers, _ = fingers.lift("b", False, now)
    assert judged(fingers, GOES_ON, DEBOUNCE_S) is TouchVerdict.TAP


def test_touch_beside_a_finger_begins_no_move():
    resting = touched(Fingers(), "a", 0.0)
    assert judged(resting, BEGINS, 9.0) is TouchVerdict.SLIDE
    assert judged(resting, GOES_ON, 9.0) is judged(resting, EDIT, 9.0) is TouchVerdict.TAP
    left, _ = resting.lift("a", False, 1.0)
    assert judged(left, BEGINS, 1.0 + SLIDE_S - 0.01) is TouchVerdict.SLIDE
    assert judged(left, BEGINS, 1.0 + SLIDE_S) is TouchVerdict.TAP


def test_slide_that_was_rejected_counts_at_once_when_the_finger_is_set_again():
    fingers, verdict = touched(Fingers(), "a", 0.0).touch("b", BESIDE, BEGINS, 0.1)
    assert verdict is TouchVerdict.SLIDE
    fingers = fingers.lift("a", False, 0.1)[0].lift("b", False, 0.1)[0]
    assert judged(fingers, BEGINS, 0.1 + SLIDE_S) is TouchVerdict.TAP
    # It also counts after a touch or a key elsewhere.
    for other in (touched(fingers, "z", 0.1, GOES_ON), fingers.press("key", 0.1)[0]):
        assert judged(other, GOES_ON, 0.1 + SLIDE_S) is TouchVerdict.TAP


def test_finger_that_made_a_move_lets_no_other_begin_and_confirms_no_edit_as_it_slides():
    resting = touched(Fingers(), "z", 0.0).moved("z")
    assert judged(resting, BEGINS, 9.0) is TouchVerdict.SECOND_STONE
    assert judged(resting.lift("z", False, 9.0)[0], BEGINS, 9.0) is TouchVerdict.TAP
    fingers = touched(Fingers(), "a", 0.0).moved("a")
    fingers, verdict = fingers.touch("b", BESIDE, EDIT, 0.1)
    assert (verdict, fingers.sliding) == (TouchVerdict.SLIDE_OFF, {"a", "b"})
    assert fingers.touch("d", ("b",), EDIT, 0.2)[1] is TouchVerdict.SLIDE_OFF


def test_key_bounces_by_time_alone_from_its_press_or_release_that_counted():
    fingers, counts = Fingers().press("key", 0.0)
    assert counts
    held = fingers.lift("key", True, 2.0)[0]
    assert not held.press("key", 2.0 + DEBOUNCE_S - 0.01)[1]
    assert held.press("key", 2.0 + DEBOUNCE_S)[1]
    fingers, counts = fingers.press("key", 0.4)
    assert not counts
    # The release of a press that did not count starts no debounce either.
    assert fingers.lift("key", True, 0.45)[0].press("key", DEBOUNCE_S)[1]


def test_fingers_on_cells_that_sense_nothing_any_more_are_forgotten():
    fingers = touched(Fingers(), "a", 0.0).wait_for_hold("a")
    assert (fingers.forget({"a"}), fingers.forget({"z"})) == (Fingers(), fingers)
