"""Boards of a Pico that are simulated or doubled: every part works, on any pin."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from hal.backends.coprocessor.backend import UNWIRED_S
from hal.base.events import CellTouch, KeyTouch, Moment
from hal.profile import Pin, built_in
from tests.helpers.pico.quick import QuickHardware

# Pins of a Pico that a Pi lacks, or reserves.
ODD_PINS = (28, 0, 1)


def with_odd_pins(name, first):
    """Put interrupt line, one key and another on odd pins, turned by `first`."""
    line, key, other = ODD_PINS[first:] + ODD_PINS[:first]
    profile = built_in(name)
    keys = dict(profile.keys) | {"new_game": Pin(key), "resign": Pin(other)}
    return replace(profile, interrupt_pin=line, keys=MappingProxyType(keys))


@pytest.mark.parametrize("first", range(3))
def test_sim_plays_a_board_of_a_pico_on_pins_that_no_pi_has(open_desk, first):
    profile = with_odd_pins("hexagon-61-pico", first)
    desk = open_desk("sim", profile)
    desk.run(1.0)
    for key in ("new_game", "resign"):
        desk.hands.press("finger", key)
        assert desk.run(0.2) == [KeyTouch(key, Moment.DOWN)]
        desk.hands.lift("finger")
        assert desk.run(0.2) == [KeyTouch(key, Moment.UP)]
    # Without the interrupt line a touch would wait for the slow poll, which is every 250 ms.
    desk.hands.press("finger", "e5")
    ((latency_s, event),) = desk.run_timed(0.2)
    assert event == CellTouch("e5", Moment.DOWN)
    assert latency_s <= 0.035


def test_wiring_that_failed_once_heals_by_itself(open_desk, monkeypatch):
    def fail(*_):
        raise MemoryError("memory allocation failed")

    desk = open_desk("coprocessor", built_in("hexagon-61-pico"))
    desk.run(3.0)
    backend = desk.device.backend
    backend.pico.unplug(power=True)
    for chip in backend.body.chips.values():
        chip.power_cycle()
    desk.run(0.5)
    with monkeypatch.context() as patched:
        patched.setattr(QuickHardware, "open_strip", fail)
        backend.pico.plug()
        desk.run(1.0)
        (fault,) = desk.device.faults
        assert "memory allocation failed" in fault.detail
    desk.run(UNWIRED_S + 1.0)
    assert desk.device.faults == ()
    desk.hands.press("finger", "e5")
    assert desk.run(0.2) == [CellTouch("e5", Moment.DOWN)]
