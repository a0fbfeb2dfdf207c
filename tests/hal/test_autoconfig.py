"""The emulated MPR121's auto-configuration, register by register."""

import math

import pytest

from hal.sim.autoconfig import find
from hal.sim.chip import EmulatedMpr121

USL, LSL, TL = 200, 130, 180  # for 3.3 V: (VDD - 0.7 V) / VDD x 256, and 65 and 90 parts of it
ACE, ARE, KEEP, CLEAR, FIVE_BITS, TEN_BITS = 0x01, 0x02, 0x00, 0x04, 0x08, 0x0C
SCTS, OORIE, ARFIE, ACFIE = 0x80, 0x04, 0x02, 0x01
ACFF, ARFF = 0x8000, 0x4000
# From a small pad to the proximity channel of a large board.
SPREAD_PF = (4.0, 6.5, 9.0, 12.0, 17.0, 25.0, 40.0, 66.0, 120.0, 300.0, 600.0, 850.0)


def write(chip, register, *values):
    chip.write(bytes([register, *values]))


def read(chip, register, count=1):
    chip.write(bytes([register]))
    return chip.read(count)


def raw(chip, electrode):
    return int.from_bytes(read(chip, 0x04 + 2 * electrode, 2), "little")


def baseline(chip, electrode):
    return read(chip, 0x1E + electrode)[0] << 2


def charge(chip, electrode):
    """Give the current and the code of the time of an electrode's own charge."""
    time = read(chip, 0x6C + electrode // 2)[0] >> 4 * (electrode % 2) & 7
    return read(chip, 0x5F + electrode)[0], time


def verdict(chip):
    return int.from_bytes(read(chip, 0x02, 2), "little")


def prepare(control, alarms=0, limits=(USL, LSL, TL)):
    """A chip in stop mode over very different electrodes, with a result every 4 ms."""
    chip = EmulatedMpr121(0.0, seed=5)
    for electrode, capacitance_pf in enumerate(SPREAD_PF):
        chip.load(electrode, capacitance_pf)
    write(chip, 0x41, *([12, 6] * 12))
    write(chip, 0x5D, 0x20)
    write(chip, 0x7B, control, alarms, *limits)
    return chip


def run(chip, mode=0xCC, until=0.1):
    write(chip, 0x5E, mode)
    chip.advance(until)


def test_find_comes_as_near_to_the_target_as_steps_allow():
    for tenths in range(20, 8_600, 7):
        found = find(720, tenths / 10, range(1, 8))
        assert abs(found.counts - 720) <= 0.51 * found.counts / found.current_ua, tenths


def test_find_takes_the_shortest_time_that_reaches():
    assert find(720, 9.0, range(1, 8)).time_code == 1
    assert find(720, 40.0, range(1, 8)).time_code == 3
    assert find(720, 850.0, range(1, 8)).time_code == 7


def test_find_gives_the_nearest_where_nothing_reaches():
    most, least = find(720, 5000.0, range(1, 8)), find(720, 0.1, range(1, 8))
    assert (most.current_ua, most.time_code) == (63, 7)
    assert (least.current_ua, least.time_code) == (1, 1)


def test_autoconfig_brings_very_different_electrodes_near_the_target():
    chip = prepare(ACE | TEN_BITS)
    run(chip)
    assert verdict(chip) == 0
    for electrode in range(12):
        assert raw(chip, electrode) == pytest.approx(4 * TL, rel=0.08), electrode
        assert abs(baseline(chip, electrode) - raw(chip, electrode)) <= 8
        current, time = charge(chip, electrode)
        assert 1 <= current <= 63
        assert 1 <= time <= 7


def test_autoconfig_makes_every_electrode_feel_its_finger():
    chip = prepare(ACE | TEN_BITS)
    run(chip)
    for electrode, capacitance_pf in enumerate(SPREAD_PF):
        chip.load(electrode, capacitance_pf * 1.05)
    chip.advance(0.5)
    assert int.from_bytes(read(chip, 0x00, 2), "little") == 0xFFF


def test_autoconfig_off_sets_no_charge():
    chip = prepare(TEN_BITS)
    run(chip)
    assert read(chip, 0x5F, 20) == bytes(20)
    assert verdict(chip) == 0


def test_autoconfig_ends_with_the_first_result():
    chip = prepare(ACE | TEN_BITS)
    run(chip, until=0.003)
    assert charge(chip, 2) == (0, 0)
    chip.advance(0.004)
    assert charge(chip, 2) != (0, 0)


def test_autoconfig_of_the_electrodes_that_run_only():
    chip = prepare(ACE | TEN_BITS)
    run(chip, mode=0xC3)
    assert read(chip, 0x5F, 13)[3:] == bytes(10)
    assert 0 not in read(chip, 0x5F, 3)


def test_autoconfig_runs_at_every_start_and_from_what_stands_then():
    chip = prepare(ACE | TEN_BITS)
    run(chip)
    before = charge(chip, 4)
    write(chip, 0x5E, 0x00)
    chip.load(4, 2 * SPREAD_PF[4])
    run(chip, until=0.2)
    assert charge(chip, 4) != before
    assert raw(chip, 4) == pytest.approx(4 * TL, rel=0.08)


def test_autoconfig_changes_nothing_when_the_running_mode_changes():
    chip = prepare(ACE | TEN_BITS)
    run(chip)
    chip.load(4, 2 * SPREAD_PF[4])
    before = charge(chip, 4)
    run(chip, mode=0x8C, until=0.2)
    assert charge(chip, 4) == before


def test_autoconfig_charges_stay_when_it_is_switched_off():
    chip = prepare(ACE | TEN_BITS)
    run(chip)
    before = read(chip, 0x5F, 20)
    write(chip, 0x5E, 0x00)
    write(chip, 0x7B, 0x00)
    run(chip, until=0.2)
    assert read(chip, 0x5F, 20) == before
    assert raw(chip, 8) == pytest.approx(4 * TL, rel=0.08)


def test_autoconfig_can_keep_the_charge_times():
    chip = prepare(ACE | TEN_BITS, SCTS)
    write(chip, 0x5D, 0x40)  # 1 us for all
    write(chip, 0x6C, 0x10)  # but 0.5 us for electrode 1
    run(chip)
    assert read(chip, 0x6C, 7) == b"\x10" + bytes(6)
    for electrode in range(5):
        assert raw(chip, electrode) == pytest.approx(4 * TL, rel=0.08), electrode
    # 63 uA for 1 us do not fill the large ones.
    assert verdict(chip) == ACFF | 0b1111_1100_0000
    assert read(chip, 0x5F + 11)[0] == 63


@pytest.mark.parametrize(
    ("adjust", "mode", "kept"),
    [(KEEP, 0x0C, 400), (CLEAR, 0x4C, 0), (TEN_BITS, 0x0C, None), (KEEP, 0xCC, None)],
)
def test_autoconfig_baseline_is_what_bva_and_cl_ask_for(adjust, mode, kept):
    chip = prepare(ACE | adjust)
    write(chip, 0x1E, *([100] * 12))
    run(chip, mode, until=0.004)
    expected = raw(chip, 2) if kept is None else kept
    assert abs(baseline(chip, 2) - expected) <= 4


def test_autoconfig_baseline_of_five_bits_is_below_the_reading():
    chip = prepare(ACE | FIVE_BITS)
    run(chip, mode=0x0C, until=0.004)
    assert baseline(chip, 2) == raw(chip, 2) & 0x3E0


@pytest.mark.parametrize(("capacitance_pf", "reads"), [(math.inf, 0), (0.1, 807)])
def test_autoconfig_electrode_that_is_broken_is_out_of_range(capacitance_pf, reads):
    chip = prepare(ACE | TEN_BITS)
    chip.load(9, capacitance_pf)
    run(chip)
    assert verdict(chip) == ACFF | 1 << 9
    assert raw(chip, 9) == pytest.approx(reads, abs=3)
    assert not chip.interrupt


def test_autoconfig_each_channel_has_its_bit_in_the_order_of_the_electrodes():
    chip = prepare(ACE | TEN_BITS)
    for electrode in (0, 7, 8, 11):
        chip.load(electrode, math.inf)
    run(chip)
    assert read(chip, 0x02, 2) == bytes([0b1000_0001, 0b1000_1001])


@pytest.mark.parametrize(
    "limits",
    [(255, LSL, TL), (TL, LSL, TL), (USL, TL, TL), (USL, 0, TL), (LSL, USL, TL), (0, 0, 0)],
)
def test_autoconfig_of_limits_out_of_order_fails_for_all(limits):
    chip = prepare(ACE | TEN_BITS, limits=limits)
    run(chip)
    assert verdict(chip) == ACFF | 0xFFF


def test_autoconfig_with_another_filter_than_measures_fails_for_all():
    chip = prepare(ACE | TEN_BITS)
    write(chip, 0x5C, 0x50)
    run(chip)
    assert verdict(chip) == ACFF | 0xFFF
    write(chip, 0x5E, 0x00)
    write(chip, 0x7B, 0x40 | ACE | TEN_BITS)
    run(chip, until=0.2)
    assert verdict(chip) == 0


def test_autoconfig_again_heals_a_channel_when_its_wire_is_mended():
    chip = prepare(ACE | ARE | TEN_BITS)
    chip.load(9, math.inf)
    run(chip)
    assert verdict(chip) == ACFF | ARFF | 1 << 9
    chip.load(9, SPREAD_PF[9])
    chip.advance(0.2)
    assert verdict(chip) == ACFF
    assert raw(chip, 9) == pytest.approx(4 * TL, rel=0.08)
    assert abs(baseline(chip, 9) - raw(chip, 9)) <= 8


def test_autoconfig_without_again_leaves_a_mended_channel_as_it_is():
    chip = prepare(ACE | TEN_BITS)
    chip.load(9, math.inf)
    run(chip)
    chip.load(9, SPREAD_PF[9])
    chip.advance(0.2)
    assert verdict(chip) == ACFF | 1 << 9


def test_autoconfig_again_never_touches_a_channel_that_was_in_range():
    chip = prepare(ACE | ARE | TEN_BITS)
    run(chip)
    before = charge(chip, 9)
    chip.load(9, math.inf)
    chip.advance(0.2)
    assert (verdict(chip), charge(chip, 9)) == (0, before)


def test_autoconfig_again_stops_to_ask_for_steps_when_its_verdict_is_clear():
    chip = prepare(ACE | ARE | TEN_BITS)
    chip.load(9, math.inf)
    run(chip, until=1.0)
    assert chip.step_s is None


@pytest.mark.parametrize(
    ("alarms", "control", "interrupts"),
    [
        (ACFIE, ACE, True),
        (OORIE, ACE, True),
        (ARFIE, ACE, False),
        (ARFIE, ACE | ARE, True),
        (0, ACE | ARE, False),
    ],
)
def test_autoconfig_interrupts_for_what_it_is_told_to(alarms, control, interrupts):
    chip = prepare(control | TEN_BITS, alarms)
    chip.load(9, math.inf)
    run(chip)
    assert chip.interrupt is interrupts
    read(chip, 0x00)
    chip.advance(1.0)
    assert not chip.interrupt


def test_autoconfig_that_fails_still_makes_no_further_interrupt():
    chip = prepare(ACE | ARE | TEN_BITS, ARFIE | OORIE)
    chip.load(9, math.inf)
    run(chip)
    read(chip, 0x00)
    chip.load(9, 5000.0)
    chip.advance(0.2)
    assert verdict(chip) == ACFF | ARFF | 1 << 9
    assert not chip.interrupt


def test_autoconfig_result_is_measured_with_the_charge_that_was_found():
    chip = prepare(ACE | TEN_BITS)
    run(chip, until=0.002)
    chip.load(2, 12.0)
    chip.advance(0.004)
    assert raw(chip, 2) == pytest.approx(4 * TL, rel=0.08)


def test_autoconfig_of_the_proximity_channel_too():
    chip = EmulatedMpr121(0.0)
    write(chip, 0x5D, 0x20)
    write(chip, 0x7B, ACE | TEN_BITS, 0, USL, LSL, TL)
    run(chip, mode=0xFC)
    assert raw(chip, 12) == pytest.approx(4 * TL, rel=0.08)
    assert read(chip, 0x6B)[0] > 0
    assert read(chip, 0x72)[0] > 0


def test_autoconfig_long_charge_times_slow_the_results_down():
    # 12 electrodes x 34 samples x 2 x 32 us are 26 ms for one sample of all, in place of 1 ms.
    chip = EmulatedMpr121(0.0)
    for electrode in range(12):
        chip.load(electrode, 850.0)
    write(chip, 0x5C, 0xD0, 0x20)
    write(chip, 0x7B, 0xC0 | ACE | TEN_BITS, 0, USL, LSL, TL)
    run(chip, until=0.01)
    assert charge(chip, 0)[1] == 7
    period_s = 4 * 12 * 34 * 64e-6
    assert chip.step_s == pytest.approx(period_s)
    before = raw(chip, 0)
    chip.load(0, 950.0)
    chip.advance(0.004 + 0.99 * period_s)
    assert raw(chip, 0) == before
    chip.advance(0.004 + period_s)
    assert raw(chip, 0) < before - 30


def test_autoconfig_verdict_is_gone_after_a_reset():
    chip = prepare(ACE | TEN_BITS)
    chip.load(9, math.inf)
    run(chip)
    write(chip, 0x80, 0x63)
    assert verdict(chip) == 0
    assert read(chip, 0x7B, 5) == bytes(5)
