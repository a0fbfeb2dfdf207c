"""The simulated board as a whole: drivers above emulated parts, faults, timing, cost."""

import threading

import pytest

from hal import CellTouch, Colour, Glow, Moment, SensorFault
from hal.mpr121 import SensorArray
from hal.sim import SimBackend
from hal.sim.hands import Move


def test_sim_touch_is_felt_well_within_the_latency_budget(desk):
    desk.run(1.0)
    for cell in ("a1", "e5", "i5"):
        desk.hands.press("finger", cell)
        ((latency_s, event),) = desk.run_timed(0.2)
        assert event == CellTouch(cell, Moment.DOWN)
        assert latency_s <= 0.035
        desk.hands.lift("finger")
        desk.run(0.2)


def test_sim_tap_of_60_ms_at_any_phase_of_the_sampling_is_felt(desk, sim):
    # Moved by itself, since a virtual hand rests for longer than that.
    def move(down):
        now = desk.clock.now
        sim.body.advance(now, [Move(now, "e5", down)])

    for n in range(20):
        desk.run(0.3 + n * 0.0007)
        move(down=True)
        events = desk.run(0.060)
        move(down=False)
        events += desk.run(0.1)
        assert events == [CellTouch("e5", Moment.DOWN), CellTouch("e5", Moment.UP)]


def test_sim_is_quiet_for_an_hour(desk, sim):
    desk.run(1.0)
    for _ in range(3600):
        desk.clock.now += 1.0
        assert desk.device.poll(desk.clock.now) == []
    assert sim.step_s is None
    assert not sim.sensors.faults


def test_sim_idle_board_reads_its_chips_by_the_slow_poll_only(desk, sim, profile):
    desk.run(1.0)
    before = sim.bus_busy_s
    desk.run(1.0)
    a_read_s = (3 + 5 * 9) / 400_000
    polls = 1000 / profile.sensing.poll_ms
    assert sim.bus_busy_s - before <= (polls + 1) * len(profile.chips) * a_read_s


def test_sim_interrupt_line_is_read_at_once_and_released(desk, sim):
    desk.run(1.0)
    desk.hands.press("finger", "e5")
    desk.run(0.05)
    assert not any(chip.interrupt for chip in sim.body.chips.values())
    assert sim.sensors.scan(desk.clock.now) == {"e5"}


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


def test_sim_two_boards_in_one_process_do_not_share_pins(open_desk):
    one, other = open_desk("sim"), open_desk("sim")
    one.hands.press("finger", "new_game")
    assert len(one.run(0.2)) == 1
    assert other.run(0.2) == []


def test_sim_chip_that_is_gone_is_counted_and_the_others_are_felt(desk, sim, profile):
    desk.run(1.0)
    chip = next(chip for chip in profile.chips if chip.name == "A")
    taken_off = sim.buses[chip.bus].detach(chip.address)
    desk.run(1.0)
    assert sim.sensors.faults["A"] >= 3
    assert isinstance(sim.sensors.last_fault, SensorFault)
    assert isinstance(sim.sensors.last_fault.__cause__, OSError)
    assert "chip A (bus 1, address 0x5A) does not answer" in str(sim.sensors.last_fault)
    desk.hands.press("finger", "e5")
    assert desk.run(0.3) == [CellTouch("e5", Moment.DOWN)]
    sim.buses[chip.bus].attach(chip.address, taken_off)
    desk.hands.press("other", "a1")
    assert desk.run(0.3) == [CellTouch("a1", Moment.DOWN)]


def test_sim_impossible_bits_are_refused_and_the_last_state_is_kept(desk, sim):
    desk.run(1.0)
    desk.hands.press("finger", "a1")
    assert desk.run(0.3) == [CellTouch("a1", Moment.DOWN)]
    sim.body.chips["A"].short()
    assert desk.run(0.3) == []
    assert "says 0x8000: allowed is 0x0000 to 0x0FFF" in str(sim.sensors.last_fault)


class Garbage:
    """A chip whose every byte reads 0xFF, as on a bus whose data line is stuck high."""

    def write(self, data):
        pass

    def read(self, count):
        return b"\xff" * count


def test_sim_failed_read_is_not_taken_for_twelve_stones(desk, sim):
    desk.run(1.0)
    sim.buses[1].detach(0x5A)
    sim.buses[1].attach(0x5A, Garbage())
    assert desk.run(1.0) == []
    assert sim.sensors.faults["A"] >= 3


@pytest.mark.parametrize("wrong", [None, Garbage()])
def test_sensor_array_chip_that_cannot_be_set_up_is_named(sim, profile, wrong):
    sim.buses[3].detach(0x5B)
    if wrong is not None:
        sim.buses[3].attach(0x5B, wrong)
    with pytest.raises(SensorFault, match=r"chip F \(bus 3, address 0x5B\) cannot be set up"):
        SensorArray(profile, sim.buses, lambda: False)


def test_sensor_array_writes_the_thresholds_of_the_profile(sim, profile):
    for chip in sim.body.chips.values():
        chip.write(bytes([0x41]))
        pair = bytes([profile.sensing.touch_threshold, profile.sensing.release_threshold])
        assert chip.read(24) == pair * 12
        assert chip.running


def test_sensor_array_electrode_that_no_cell_has_is_not_felt(desk, sim):
    desk.run(1.0)
    sim.body.chips["A"].load(11, 20.0)
    assert desk.run(0.3) == []
    assert not sim.sensors.faults


def test_sim_lights_take_the_modelled_time_of_the_wire(desk, sim, profile):
    before = sim.strip_busy_s
    assert desk.device.paint([{"e5": Glow(Colour(255, 255, 255))}], desk.clock.now)
    assert sim.strip_busy_s - before == pytest.approx(profile.pixel_count * 24 * 1.25e-6 + 300e-6)
    assert sim.emulated_s > 0


def test_sim_fingers_of_many_threads_are_all_felt_in_the_end(desk, profile):
    desk.run(0.5)
    cells = ["a1", "c4", "e5", "g3"]

    def clicks(cell):
        for _ in range(5):
            desk.hands.press(f"thread {cell}", cell)
            desk.hands.lift(f"thread {cell}")

    threads = [threading.Thread(target=clicks, args=(cell,)) for cell in cells[:2]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = desk.run(3.0)
    for cell in cells[:2]:
        assert events.count(CellTouch(cell, Moment.DOWN)) == 5
        assert events.count(CellTouch(cell, Moment.UP)) == 5


def test_sensor_array_chip_that_interrupts_during_the_scan_is_read_again(sim, profile):
    # The line stays low after the first round, as when a chip read early has news again.
    lows = iter([True, True, False])
    reads = []

    class Bus:
        def __getattr__(self, name):
            return getattr(sim.buses[1], name)

        def writeto_then_readfrom(self, address, out, into, **bounds):
            reads.append((address, bytes(out)))
            sim.buses[1].writeto_then_readfrom(address, out, into, **bounds)

    array = SensorArray(profile, {1: Bus(), 3: sim.buses[3]}, lambda: next(lows))
    reads.clear()
    array.scan(2000.0)
    assert [address for address, out in reads if out == b"\x00"] == [0x5A, 0x5B, 0x5C, 0x5D] * 2


def test_sensor_array_fault_is_logged_once_until_it_heals(desk, sim, caplog):
    desk.run(1.0)
    chip = sim.buses[1].detach(0x5A)
    desk.run(2.0)
    sim.buses[1].attach(0x5A, chip)
    desk.run(1.0)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2
    assert "does not answer" in told[0]
    assert "answers again" in told[1]
