"""The emulated MPR121's auto-configuration, register by register."""

import math

import pytest

from hal.sim.chip import EmulatedMpr121

USL, LSL, TL = 200, 130, 180  # for 3.3 V: (VDD - 0.7 V) / VDD x 256, and 65 and 90 parts of it
ACE, ARE, KEEP, CLEAR, TEN_BITS = 0x01, 0x02, 0x00, 0x04, 0x0C
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


def verdict(chip):
    return int.from_bytes(read(chip, 0x02, 2), "little")


def prepare(control, limits=(USL, LSL, TL)):
    """A chip in stop mode over very different electrodes, with a result every 4 ms."""
    chip = EmulatedMpr121(0.0, seed=5)
    for electrode, capacitance_pf in enumerate(SPREAD_PF):
        chip.load(electrode, capacitance_pf)
    write(chip, 0x41, *([12, 6] * 12))
    write(chip, 0x5D, 0x20)
    write(chip, 0x7B, control, 0, *limits)
    return chip


def run(chip, mode=0xCC, until=0.1):
    write(chip, 0x5E, mode)
    chip.advance(until)


def test_autoconfig_makes_every_electrode_feel_its_finger():
    chip = prepare(ACE | TEN_BITS)
    run(chip)
    for electrode, capacitance_pf in enumerate(SPREAD_PF):
        chip.load(electrode, capacitance_pf * 1.05)
    chip.advance(0.5)
    assert int.from_bytes(read(chip, 0x00, 2), "little") == 0xFFF


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


@pytest.mark.parametrize(
    "limits",
    [(255, LSL, TL), (USL, TL, TL), (0, 0, 0)],
)
def test_autoconfig_of_limits_out_of_order_fails_for_all(limits):
    chip = prepare(ACE | TEN_BITS, limits=limits)
    run(chip)
    assert verdict(chip) == ACFF | 0xFFF


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
