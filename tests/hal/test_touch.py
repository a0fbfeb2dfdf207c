"""What counts as a touch, a standing stone or an answer, and what no finger can have done."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.base.events import CellTouch, Moment, Palm, Sensed, Standing, Trouble
from hal.sensing import Debouncer, TouchAnomalies, TouchFilter
from hal.sensing.touch import LONG_S, QUIET_S, PresenceFilter

# The debouncer only adds and compares times, so these tests count in ms, which is exact.
PRESS_MS, RELEASE_MS, HOLD_MS, PALM, GATHER_MS = 20, 30, 700, 3, 60


def make():
    return Debouncer(
        CellTouch,
        press_s=PRESS_MS,
        release_s=RELEASE_MS,
        hold_s=HOLD_MS,
        palm_spots=PALM,
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


def landing(*cells_at):
    """Sample every millisecond while cells come down one by one, (ms, cell), and stay."""
    return [(ms, " ".join(c for at, c in cells_at if at <= ms)) for ms in range(200)]


PALM_OF_3 = Palm(frozenset({"a1", "a2", "a3"}))


@pytest.mark.parametrize(
    ("samples", "events"),
    [
        # A release must be stable too.
        (
            [(0, "a1"), (20, "a1"), (100, ""), (120, "a1"), (140, ""), (169, ""), (170, "")],
            [(20, down("a1")), (170, up("a1"))],
        ),
        # A hold is reported once after its time.
        (
            [(0, "a1"), (20, "a1"), (699, "a1"), (700, "a1"), (900, "a1"), (5000, "a1")],
            [(20, down("a1")), (700, held("a1"))],
        ),
        # A palm lands bit by bit; a part that was a touch already is named.
        (landing((0, "a1"), (15, "a2"), (30, "a3"), (45, "a4")), [(30, PALM_OF_3)]),
        (landing((0, "a1"), (22, "a2"), (24, "a3")), [(20, down("a1")), (44, PALM_OF_3)]),
        # A settled touch ends under a palm.
        (
            [*landing((0, "e5"), (100, "a1 a2 a3")), (200, "a1 a2 a3"), (230, "a1 a2 a3")],
            [(20, down("e5")), (120, PALM_OF_3), (230, up("e5"))],
        ),
    ],
)
def test_debouncer_makes_events_of_samples(samples, events):
    assert play(make(), *samples) == events


def test_debouncer_cell_under_a_lying_palm_is_ignored_until_lifted_itself():
    palm = "a1 a2 a3"
    debouncer = make()
    play(debouncer, (0, palm), (20, palm))
    assert play(debouncer, (100, palm + " e5"), (200, palm + " e5")) == []
    assert play(debouncer, (300, "e5"), (330, "e5"), (900, "e5"), (1000, ""), (1030, "")) == []
    assert play(debouncer, (1100, "e5"), (1120, "e5")) == [(1120, down("e5"))]


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


NOTHING: frozenset[str] = frozenset()
CELLS = ("a1", "a2", "a3", "a4", "a5")
SAMPLES = st.lists(st.tuples(st.integers(1, 60), st.sets(st.sampled_from(CELLS))), max_size=60)


@given(SAMPLES)
def test_debouncer_events_come_in_order_and_on_time_and_all_is_forgotten_in_the_end(samples):
    debouncer, ms, cells = make(), 0, NOTHING
    allowed = {None: {Moment.DOWN}, Moment.DOWN: {Moment.HELD, Moment.UP}, Moment.HELD: {Moment.UP}}
    last = dict.fromkeys(CELLS)
    for step_ms, touched in samples:
        ms, cells = ms + step_ms, frozenset(touched)
        for event in debouncer.update(ms, cells):
            if isinstance(event, CellTouch):
                assert event.moment in allowed[last[event.cell]]
                last[event.cell] = None if event.moment is Moment.UP else event.moment
        assert debouncer.due() > ms
    if debouncer.due() < inf:
        ms = debouncer.due()
        debouncer.update(ms, cells)
        assert debouncer.due() > ms
    for after_ms in (1, 31, 62):
        debouncer.update(ms + after_ms, NOTHING)
    assert debouncer.due() == inf
    ms += 100
    assert play(debouncer, (ms, "a1"), (ms + 21, "a1")) == [(ms + 21, down("a1"))]


SETTLE_S = 0.3


def cells(text: str) -> frozenset[str]:
    return frozenset(text.split())


def shown(
    stones: PresenceFilter, samples: list[tuple[float, str]]
) -> list[tuple[float, frozenset[str]]]:
    """Feed pairs of time and sensed cells; return the reported stones with their times."""
    return [
        (now, event.cells)
        for now, sensed in samples
        for event in stones.update(now, cells(sensed))
        if isinstance(event, Standing)
    ]


def settled(sensed: str) -> PresenceFilter:
    stones = PresenceFilter(SETTLE_S)
    assert shown(stones, [(0.0, sensed), (SETTLE_S, sensed)]) == [(SETTLE_S, cells(sensed))]
    return stones


def test_change_is_believed_when_it_rests():
    stones = settled("")
    assert shown(stones, [(1.0, "c3"), (1.2, "c3 c4"), (1.25, ""), (2.0, "")]) == [], "a hand"
    assert shown(stones, [(3.0, "c3"), (3.2, "c3"), (3.3, "c3")]) == [(3.3, cells("c3"))]


def test_lost_cell_keeps_what_was_believed_and_is_told_again_when_it_can_be_felt():
    stones = settled("a1")
    assert stones.update(1.0, cells(""), lost=cells("a1 b2")) == []
    assert stones.update(2.0, cells("b2"), lost=cells("a1 b2")) == []
    assert shown(stones, [(3.0, "a1"), (3.2, "a1")]) == []
    assert shown(stones, [(3.3, "a1"), (4.0, "a1")]) == [(3.3, cells("a1"))]


@given(st.lists(st.tuples(st.floats(0.01, 1.0), st.frozensets(st.sampled_from("abcd")))))
def test_stones_only_tell_what_was_felt_and_end_with_what_stays(steps):
    stones = PresenceFilter(SETTLE_S)
    now, last = 0.0, None
    for wait_s, sensed in steps:
        for event in stones.update(now, sensed):
            assert event.cells == sensed
            assert event.cells != last
            last = event.cells
        now += wait_s
    for event in [*stones.update(now, NOTHING), *stones.update(now + SETTLE_S, NOTHING)]:
        last = event.cells
    assert last == NOTHING


E5 = frozenset({"e5"})


def flap(odd: TouchAnomalies, times: int, period_s: float, began_s: float = 0.0) -> list[float]:
    """Touch and release a cell repeatedly; return the times at which it was found odd."""
    found = []
    for n in range(times):
        now = began_s + n * period_s
        if odd.update(now, E5):
            found.append(now)
        if odd.update(now + period_s / 2, NOTHING):
            found.append(now + period_s / 2)
    return found


def test_flapping_cell_is_sound_again_when_it_has_been_quiet():
    assert flap(TouchAnomalies(NOTHING), 60, 1 / 7) == [], "a fast finger"
    odd = TouchAnomalies(NOTHING)
    last_s = flap(odd, 20, 0.05)[-1]
    assert odd.update(last_s + QUIET_S / 2, NOTHING) == {"e5": Trouble.FLAPPING}
    assert odd.update(odd.due(last_s + 0.1), NOTHING) == {}
    assert flap(odd, 3, 0.2, began_s=last_s + 5.0) == []


def test_endless_touch_is_found_and_forgotten_when_it_ends():
    odd = TouchAnomalies(NOTHING)
    assert odd.update(0.0, E5) == {}
    assert odd.due(0.0) == LONG_S
    assert odd.update(LONG_S, E5) == {"e5": Trouble.STUCK}
    assert odd.update(LONG_S + 1.0, NOTHING) == {}
    stones = TouchAnomalies(E5)
    stones.update(0.0, E5)
    assert stones.update(10 * LONG_S, E5) == {}, "a stone that stands"
