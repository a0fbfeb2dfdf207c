"""The simulated board as a whole: drivers above emulated parts, faults, timing, cost."""

from hal.base.events import CellTouch, Moment
from hal.sim import SimBackend
from hal.sim.hands import Move


def test_sim_touch_is_felt_well_within_the_latency_budget(rig):
    rig.run(1.0)
    for cell in ("a1", "e5", "i5"):
        rig.hands.press("finger", cell)
        ((latency_s, event),) = rig.run_timed(0.2)
        assert event == CellTouch(cell, Moment.DOWN)
        assert latency_s <= 0.035
        rig.hands.lift("finger")
        rig.run(0.2)


def test_sim_tap_of_60_ms_at_any_phase_of_the_sampling_is_felt(rig, sim):
    # Moved by itself, since a virtual hand rests for longer than that.
    def move(down):
        now = rig.clock.now
        sim.body.advance(now, [Move(now, "e5", down)])

    for n in range(20):
        rig.run(0.3 + n * 0.0007)
        move(down=True)
        events = rig.run(0.060)
        move(down=False)
        events += rig.run(0.1)
        assert events == [CellTouch("e5", Moment.DOWN), CellTouch("e5", Moment.UP)]


def test_sim_is_quiet_for_a_quarter_of_an_hour(rig, sim):
    rig.run(1.0)
    for _ in range(900):
        rig.clock.now += 1.0
        assert rig.device.poll(rig.clock.now) == []
    assert sim.step_s is None


def test_sim_same_seed_is_the_same_board(profile, clock):
    def readings(seed):
        board = SimBackend(profile, clock=clock, seed=seed)
        values = []
        for chip in board.body.chips.values():
            chip.write(b"\x04")
            values.append(chip.read(24))
        board.close()
        return values

    assert readings(1) == readings(1)
    assert readings(1) != readings(2)


def test_sim_two_boards_in_one_process_do_not_share_pins(open_rig):
    one, other = open_rig("sim"), open_rig("sim")
    one.hands.press("finger", "new_game")
    assert len(one.run(0.2)) == 1
    assert other.run(0.2) == []
