"""Electrodes that no finger moves."""

from hal.base.faults import Trouble
from hal.sensing import TouchAnomalies
from hal.sensing.anomalies import LONG_S, QUIET_S

E5 = frozenset({"e5"})
NOTHING: frozenset[str] = frozenset()


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


def test_fast_finger_is_no_flapping_cell():
    assert flap(TouchAnomalies(NOTHING), 60, 1 / 7) == []


def test_flapping_cell_is_sound_again_when_it_has_been_quiet():
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


def test_stone_that_stands_is_no_endless_touch():
    odd = TouchAnomalies(E5)
    odd.update(0.0, E5)
    assert odd.update(10 * LONG_S, E5) == {}
