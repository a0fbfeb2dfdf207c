"""Standing stones: which ones are reported, and when."""

from hypothesis import given
from hypothesis import strategies as st

from hal.base.events import Standing
from hal.sensing.touch import MOST_SETTLES, PresenceFilter

SETTLE_S = 0.3
NOTHING: frozenset[str] = frozenset()


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


def test_hand_that_passes_tells_nothing():
    samples = [(1.0, "c3"), (1.2, "c3 c4"), (1.25, ""), (2.0, "")]
    assert shown(settled(""), samples) == []


def test_change_is_believed_in_the_end_although_another_cell_never_rests():
    stones = settled("")
    samples = [(1.0 + n / 10, "c3 e5" if n % 2 else "c3") for n in range(13)]
    assert [now for now, _ in shown(stones, samples)] == [1.0 + MOST_SETTLES * SETTLE_S]


def test_lost_cell_keeps_what_was_believed():
    stones = settled("a1")
    assert stones.update(1.0, cells(""), lost=cells("a1 b2")) == []
    assert stones.update(2.0, cells("b2"), lost=cells("a1 b2")) == []


def test_what_can_be_felt_again_is_told_again_although_nothing_has_changed():
    stones = settled("a1")
    stones.update(1.0, cells(""), lost=cells("a1"))
    assert shown(stones, [(2.0, "a1"), (2.2, "a1")]) == []
    assert shown(stones, [(2.3, "a1"), (3.0, "a1")]) == [(2.3, cells("a1"))]


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
