"""The simulated board as a whole: drivers above emulated parts, virtual fingers, faults, timing."""

from contextlib import closing
from dataclasses import replace
from types import MappingProxyType
from zlib import crc32

import pytest

from game.common import board_memory
from hal.backends.coprocessor.client import REFUSED_S
from hal.backends.device import Device
from hal.backends.registry import open_backend
from hal.base.events import CellTouch, KeyTouch, Moment
from hal.profile import Pin, built_in
from hal.sim.body import Move, VirtualHands
from tests.helpers.boards.clocked_board import ClockedBoard
from tests.helpers.pico.quick import QuickHardware

EARLIER = "board-sim-hexagon-61-3049f3c1.json"
STORED = '{"version": 1, "masked": [], "electrodes": {"D.11": {"charge_ua": 44, "charge_us": 0.5}}}'
"""What commit 7fce928 stored of one electrode of its simulated board."""


@pytest.mark.parametrize("board", ["hexagon-61", "disc-32-pico"])
def test_touch_is_felt_well_within_the_latency_budget(open_rig, board):
    rig = open_rig("coprocessor" if board.endswith("pico") else "sim", built_in(board))
    rig.run(1.0)
    for cell in list(rig.device.profile.cells)[::10]:
        rig.hands.press("finger", cell)
        ((latency_s, event),) = rig.run_timed(0.2)
        assert event == CellTouch(cell, Moment.DOWN)
        assert latency_s <= 0.035
        rig.hands.lift("finger")
        rig.run(0.2)


def test_sim_tap_of_60_ms_at_any_phase_of_the_sampling_is_felt(rig):
    # Moved by itself, since a virtual hand rests for longer than that.
    def move(down):
        now = rig.clock.now
        rig.device.backend.body.advance(now, [Move(now, "e5", down)])

    for n in range(20):
        rig.run(0.3 + n * 0.0007)
        move(down=True)
        events = rig.run(0.060)
        move(down=False)
        events += rig.run(0.1)
        assert events == [CellTouch("e5", Moment.DOWN), CellTouch("e5", Moment.UP)]


def test_sim_is_quiet_for_a_quarter_of_an_hour_and_due_for_the_slow_poll_only(rig, profile):
    assert rig.device.due(rig.clock.now) == rig.clock.now
    rig.run(1.0)
    for _ in range(900):
        rig.clock.now += 1.0
        assert rig.device.poll(rig.clock.now) == []
        assert rig.device.due(rig.clock.now) - rig.clock.now > 0.0
    assert rig.device.due(rig.clock.now) - rig.clock.now <= profile.sensing.poll_ms / 1000
    assert rig.device.backend.step_s is None


def simulated(folder, clock):
    """Run a board for half a minute as `play` does; return it and the charges it has stored."""
    profile = built_in("hexagon-61")
    memory = board_memory(folder, profile, "sim")
    with closing(Device(profile, open_backend("sim", profile, clock=clock, memory=memory))) as it:
        ClockedBoard(it, clock).run(30.0)
    return it, [tuning.charge_ua for _, tuning in sorted(memory.tunings.items())]


def test_sim_stores_what_the_name_of_its_file_stands_for(clock, tmp_path):
    _, charges = simulated(tmp_path, clock)
    assert crc32(bytes(charges)) == 1_408_777_690, "other charges: raise data_folder.SIMULATION"


def test_sim_has_no_faults_by_what_an_earlier_one_stored(clock, tmp_path):
    (tmp_path / EARLIER).write_text(STORED)
    board, _ = simulated(tmp_path, clock)
    assert board.faults == ()


def test_sim_two_boards_in_one_process_do_not_share_pins(open_rig):
    one, other = open_rig("sim"), open_rig("sim")
    one.hands.press("finger", "new_game")
    assert len(one.run(0.2)) == 1
    assert other.run(0.2) == []


def test_sim_plays_a_board_of_a_pico_on_pins_that_no_pi_has(open_rig):
    profile = built_in("hexagon-61-pico")
    keys = MappingProxyType({**profile.keys, "new_game": Pin(0), "resign": Pin(1)})
    rig = open_rig("sim", replace(profile, interrupt_pin=28, keys=keys))
    rig.run(1.0)
    for key in ("new_game", "resign"):
        rig.hands.press("finger", key)
        assert rig.run(0.2) == [KeyTouch(key, Moment.DOWN)]
        rig.hands.lift("finger")
        assert rig.run(0.2) == [KeyTouch(key, Moment.UP)]
    # Without the interrupt line a touch would wait for the slow poll, which is every 250 ms.
    rig.hands.press("finger", "e5")
    assert rig.run(0.035) == [CellTouch("e5", Moment.DOWN)]


def test_wiring_that_failed_once_heals_by_itself(open_rig, monkeypatch):
    def fail(*_):
        raise MemoryError("memory allocation failed")

    rig = open_rig("coprocessor", built_in("hexagon-61-pico"))
    rig.run(3.0)
    backend = rig.device.backend
    backend.pico.unplug(power=True)
    rig.run(0.5)
    with monkeypatch.context() as patched:
        patched.setattr(QuickHardware, "open_strip", fail)
        backend.pico.plug()
        rig.run(1.0)
        (fault,) = rig.device.faults
        assert "memory allocation failed" in fault.detail
    rig.run(REFUSED_S + 1.0)
    assert rig.device.faults == ()
    rig.hands.press("finger", "e5")
    assert rig.run(0.2) == [CellTouch("e5", Moment.DOWN)]


@pytest.fixture
def hands(clock):
    return VirtualHands({"a1", "a2", "key"}, clock, lambda: None)


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
    clicks = [*list(profile.cells)[:12], "e5", "e5", "e5"]
    for cell in clicks:
        rig.hands.press("mouse", cell)
        rig.hands.lift("mouse")
    assert rig.run(6.0) == [
        CellTouch(cell, moment) for cell in clicks for moment in (Moment.DOWN, Moment.UP)
    ]


def test_hands_two_pointers_on_one_cell_are_one_touch_until_both_leave(rig):
    rig.hands.press("one", "e5")
    rig.hands.press("two", "e5")
    assert rig.run(0.3) == [CellTouch("e5", Moment.DOWN)]
    rig.hands.lift("one")
    assert rig.run(0.3) == []
    rig.hands.lift("two")
    assert rig.run(0.3) == [CellTouch("e5", Moment.UP)]
