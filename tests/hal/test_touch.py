"""What counts as a touch: debouncing, holds and palms."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.base.events import CellTouch, Moment, Palm, Sensed
from hal.sensing import Debouncer, TouchFilter

# The debouncer only adds and compares times, so these tests count in ms, which is exact.
PRESS_MS, RELEASE_MS, HOLD_MS, PALM, GATHER_MS = 20, 30, 700, 3, 60


def make(palm_spots=PALM):
    return Debouncer(
        CellTouch,
        press_s=PRESS_MS,
        release_s=RELEASE_MS,
        hold_s=HOLD_MS,
        palm_spots=palm_spots,
        gather_s=GATHER_MS,
    )


def play(debouncer, *samples):
    """Feed (milliseconds, cells that are down) and give (milliseconds, event)."""
    return [
        (ms, event)
        for ms, cells in samples
        for event in debouncer.update(ms, frozenset(cells.split()))
    ]


def down(cell):
    return CellTouch(cell, Moment.DOWN)


def held(cell):
    return CellTouch(cell, Moment.HELD)


def up(cell):
    return CellTouch(cell, Moment.UP)


def test_debouncer_release_must_be_stable_too():
    samples = [(0, "a1"), (20, "a1"), (100, ""), (120, "a1"), (140, ""), (169, ""), (170, "")]
    assert play(make(), *samples) == [(20, down("a1")), (170, up("a1"))]


def test_debouncer_hold_is_told_once_after_its_time():
    samples = [(0, "a1"), (20, "a1"), (699, "a1"), (700, "a1"), (900, "a1"), (5000, "a1")]
    assert play(make(), *samples) == [(20, down("a1")), (700, held("a1"))]


def landing(*cells_at):
    """Sample every millisecond while cells come down one by one, (ms, cell), and stay."""
    return [(ms, " ".join(c for at, c in cells_at if at <= ms)) for ms in range(200)]


def test_debouncer_palm_that_lands_bit_by_bit_is_not_felt():
    samples = landing((0, "a1"), (15, "a2"), (30, "a3"), (45, "a4"))
    assert play(make(), *samples) == [(30, Palm(frozenset({"a1", "a2", "a3"})))]


def test_debouncer_palm_whose_first_part_was_felt_names_it():
    samples = landing((0, "a1"), (22, "a2"), (24, "a3"))
    assert play(make(), *samples) == [
        (20, down("a1")),
        (44, Palm(frozenset({"a1", "a2", "a3"}))),
    ]


def test_debouncer_cell_under_a_lying_palm_is_ignored_until_lifted_itself():
    palm = "a1 a2 a3"
    debouncer = make()
    play(debouncer, (0, palm), (20, palm))
    assert play(debouncer, (100, palm + " e5"), (200, palm + " e5")) == []
    assert play(debouncer, (300, "e5"), (330, "e5"), (900, "e5"), (1000, ""), (1030, "")) == []
    assert play(debouncer, (1100, "e5"), (1120, "e5")) == [(1120, down("e5"))]


def test_debouncer_settled_press_is_still_told_up_under_a_palm():
    samples = [(0, "e5"), (20, "e5"), (50, "e5 a1 a2 a3"), (70, "e5 a1 a2 a3"), (100, "a1 a2 a3")]
    debouncer = make()
    play(debouncer, *samples)
    assert play(debouncer, (130, "a1 a2 a3")) == [(130, up("e5"))]


@pytest.mark.parametrize(
    ("samples", "due_ms"),
    [
        ([], inf),
        ([(0, "a1"), (20, "a1")], 700),
        ([(0, "a1"), (20, "a1"), (100, "")], 130),
        ([(0, "a1 a2 a3"), (20, "a1 a2 a3")], inf),
        ([(0, "a1 a2 a3"), (20, "a1 a2 a3"), (50, "")], 80),
    ],
)
def test_debouncer_due_names_the_next_moment(samples, due_ms):
    debouncer = make()
    play(debouncer, *samples)
    assert debouncer.due() == due_ms


@pytest.mark.parametrize(("filter_s", "sensed_s"), [(0.004, 0.008), (0.1, 0.007)])
def test_touch_filter_leaves_out_what_the_chip_has_waited_yet_not_its_weighing(
    profile, filter_s, sensed_s
):
    touches = TouchFilter(profile.sensing, filter_s)
    sensed = Sensed(frozenset({"e5"}), frozenset())
    assert touches.update(0.0, sensed) == []
    assert touches.contacts == {"e5"}
    assert touches.due() == pytest.approx(sensed_s)
    assert touches.update(sensed_s, sensed) == [down("e5")]
    assert touches.contacts == frozenset()


def test_touch_filter_spot_whose_contact_did_not_last_is_no_contact_for_a_second(profile):
    touches, contacts = TouchFilter(profile.sensing, 0.0), []
    for now in (0.0, 0.5, 1.1):
        touches.update(now, Sensed(frozenset({"e5"}), frozenset()))
        contacts.append(touches.contacts)
        assert touches.update(now + 0.01, Sensed(frozenset(), frozenset())) == []
    assert contacts == [{"e5"}, set(), set()]
    sensed = Sensed(frozenset({"e5"}), frozenset())
    touches.update(3.0, sensed)
    assert touches.contacts == {"e5"}
    assert touches.update(3.1, sensed) == [down("e5")]


CELLS = ("a1", "a2", "a3", "a4", "a5")
SAMPLES = st.lists(st.tuples(st.integers(1, 60), st.sets(st.sampled_from(CELLS))), max_size=60)


def timeline(samples):
    ms = 0
    for step_ms, cells in samples:
        ms += step_ms
        yield ms, frozenset(cells)


@given(SAMPLES)
def test_debouncer_each_cell_goes_down_held_up_in_this_order(samples):
    debouncer = make()
    allowed = {None: {Moment.DOWN}, Moment.DOWN: {Moment.HELD, Moment.UP}, Moment.HELD: {Moment.UP}}
    last = dict.fromkeys(CELLS)
    for ms, cells in timeline(samples):
        for event in debouncer.update(ms, cells):
            if isinstance(event, CellTouch):
                assert event.moment in allowed[last[event.cell]]
                last[event.cell] = None if event.moment is Moment.UP else event.moment


@given(SAMPLES)
def test_debouncer_forgets_everything_when_the_board_is_left_alone(samples):
    debouncer = make()
    end_ms = 0
    for ms, cells in timeline(samples):
        debouncer.update(ms, cells)
        end_ms = ms
    for after_ms in (1, 31, 62):
        debouncer.update(end_ms + after_ms, frozenset())
    assert debouncer.due() == inf
    later_ms = end_ms + 100
    assert play(debouncer, (later_ms, "a1"), (later_ms + 21, "a1")) == [(later_ms + 21, down("a1"))]


@given(SAMPLES)
def test_debouncer_due_lies_ahead_and_updating_then_makes_progress(samples):
    debouncer = make()
    for ms, cells in timeline(samples):
        debouncer.update(ms, cells)
        assert debouncer.due() > ms
        before = debouncer.due()
        if before < inf:
            debouncer.update(before, cells)
            assert debouncer.due() > before
            break
