"""Boards of a Pico that are simulated or doubled: every part works, on any pin."""

from dataclasses import replace
from types import MappingProxyType

from hal.backends.coprocessor.backend import UNWIRED_S
from hal.base.events import CellTouch, KeyTouch, Moment
from hal.profile import Pin, built_in
from tests.helpers.pico.quick import QuickHardware


def test_sim_plays_a_board_of_a_pico_on_pins_that_no_pi_has(open_rig):
    profile = built_in("hexagon-61-pico")
    keys = dict(profile.keys) | {"new_game": Pin(0), "resign": Pin(1)}
    profile = replace(profile, interrupt_pin=28, keys=MappingProxyType(keys))
    rig = open_rig("sim", profile)
    rig.run(1.0)
    for key in ("new_game", "resign"):
        rig.hands.press("finger", key)
        assert rig.run(0.2) == [KeyTouch(key, Moment.DOWN)]
        rig.hands.lift("finger")
        assert rig.run(0.2) == [KeyTouch(key, Moment.UP)]
    # Without the interrupt line a touch would wait for the slow poll, which is every 250 ms.
    rig.hands.press("finger", "e5")
    ((latency_s, event),) = rig.run_timed(0.2)
    assert event == CellTouch("e5", Moment.DOWN)
    assert latency_s <= 0.035


def test_wiring_that_failed_once_heals_by_itself(open_rig, monkeypatch):
    def fail(*_):
        raise MemoryError("memory allocation failed")

    rig = open_rig("coprocessor", built_in("hexagon-61-pico"))
    rig.run(3.0)
    backend = rig.device.backend
    backend.pico.unplug(power=True)
    for chip in backend.body.chips.values():
        chip.power_cycle()
    rig.run(0.5)
    with monkeypatch.context() as patched:
        patched.setattr(QuickHardware, "open_strip", fail)
        backend.pico.plug()
        rig.run(1.0)
        (fault,) = rig.device.faults
        assert "memory allocation failed" in fault.detail
    rig.run(UNWIRED_S + 1.0)
    assert rig.device.faults == ()
    rig.hands.press("finger", "e5")
    assert rig.run(0.2) == [CellTouch("e5", Moment.DOWN)]
