"""What a pad's capacitance is, what a finger and a stone change, and what is refused."""

from dataclasses import replace
from math import pi, sin, sqrt

import pytest

from hal.measuring.charge import LOWEST_COUNTS, SATURATED_COUNTS, fits
from hal.measuring.margins import LEAST_CHANGE
from hardware.kit import leads
from hardware.kit.circuit.circuit import GROUND, Pad, Side, Track
from hardware.kit.electric import Run
from hardware.kit.electric.sensing import (
    CHIP_PF,
    FINGER_MM,
    FR4,
    LARGEST_PF,
    SMALLEST_PF,
    VACUUM_PF_MM,
    beside_pf_mm,
    charge_for,
    figures_of_pad,
    pad_figures,
    plate_pf,
    sensing,
    track_pf_mm,
)
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from tests.helpers.kits.boards import VARIED, layout_of
from tests.helpers.kits.built import built

BOARDS = VARIED
SHORT = Run(100)
PRINTED = Run(60, 100, 5)


def measured(board: str = "hexagon-61", mode: str = "touch", **measures: float) -> Layout:
    """Lay out a board with other measures. Checks of the layout itself are not repeated."""
    layout = layout_of(board)
    sensing_ = replace(layout.profile.sensing, mode=mode)
    geometry = replace(layout.geometry, **measures)
    profile = replace(layout.profile, sensing=sensing_, geometry=geometry)
    return replace(layout, profile=profile, geometry=geometry)


def all_alike(layout: Layout, run: Run) -> dict[str, Run]:
    return dict.fromkeys(layout.sensors, run)


def accepted(layout: Layout, run: Run = SHORT) -> bool:
    try:
        sensing(layout, all_alike(layout, run))
    except KitError:
        return False
    return True


def test_plate_has_what_two_discs_have():
    # 100 mm2 of metal, 1 mm of air between: 0.885 pF.
    assert plate_pf(sqrt(400 / pi), 0, 1, 1) == pytest.approx(0.8854, rel=1e-3)
    assert plate_pf(5, 6, 1) == 0


def integral(k: float) -> float:
    """Give the complete elliptic integral of the first kind, summed up."""
    steps = 1000
    turns = (pi / 2 * (n + 0.5) / steps for n in range(steps))
    return pi / 2 / steps * sum(1 / sqrt(1 - (k * sin(turn)) ** 2) for turn in turns)


def test_strips_beside_each_other_have_the_capacitance_of_the_textbook():
    # Where k is 1 / sqrt 2 both integrals are equal, whatever they are.
    gap = 1.0
    width = gap * sqrt(0.5) / (1 - sqrt(0.5))
    assert beside_pf_mm(width, width, gap, 1, 1) == pytest.approx(2 * VACUUM_PF_MM)
    # Two strips as wide as their gap, in air: K' / K of k = 1 / 3.
    known = integral(sqrt(8) / 3) / integral(1 / 3)
    assert beside_pf_mm(1, 1, 1, 1, 1) == pytest.approx(known * VACUUM_PF_MM, rel=1e-6)
    assert beside_pf_mm(7, 3, 2, 3, 4.4) == pytest.approx(3.7 * beside_pf_mm(7, 3, 2, 1, 1))
    assert beside_pf_mm(7, 3, 2, 1, 1) == beside_pf_mm(3, 7, 2, 1, 1)


def test_track_has_the_capacitance_of_a_line_of_known_impedance():
    # On 1.6 mm of FR4 a track of 0.25 mm has some 137 ohm, one of 3 mm some 51.
    light_mm_ps = 0.2998
    for width, ohm in ((0.25, 137), (1.0, 86)):
        material = (FR4 + 1) / 2 + (FR4 - 1) / 2 / sqrt(1 + 12 * 1.6 / width)
        impedance = sqrt(material) / light_mm_ps / track_pf_mm(width)
        assert impedance == pytest.approx(ohm, rel=0.05)


@pytest.mark.parametrize("empty_pf", [0.5, 1, 5, 10, 20, 50, 200, 1000, 2000])
def test_charge_is_one_that_calibration_keeps(empty_pf):
    charge = charge_for(empty_pf)
    assert fits(charge.counts(empty_pf), charge)
    assert LOWEST_COUNTS <= charge.counts(empty_pf) < SATURATED_COUNTS


@pytest.mark.parametrize("board", BOARDS)
def test_board_of_foil_is_felt_as_it_is_wired(board):
    layout, wiring, found = built(board)
    runs = leads.runs(layout, wiring)
    assert list(found.pads) == list(layout.sensors)
    for name, pad in found.pads.items():
        assert pad.run == runs[name]
        assert pad.run.wire_mm > 0
        assert not pad.run.printed
        # The guide counts with 10 pF for short wires, and 20 or 30 for longer ones.
        assert 9 < pad.empty_pf < 30
        assert pad.change >= LEAST_CHANGE
    assert found.weakest.change == min(pad.change for pad in found.pads.values())
    assert found.strongest.change == max(pad.change for pad in found.pads.values())


def test_empty_pad_is_the_sum_of_its_parts():
    layout = layout_of("hexagon-61")
    pad = pad_figures(layout, layout.sensors["e5"], PRINTED)
    assert pad.empty_pf == pytest.approx(CHIP_PF + pad.guard_pf + pad.below_pf + pad.lead_pf)
    assert pad.counts == pytest.approx(pad.charge.counts(pad.empty_pf))
    touched = pad.charge.counts(pad.empty_pf + pad.finger_pf)
    assert pad.change == pytest.approx(pad.counts - touched)


# Each measure of the pads at its limit, and just beyond it; what the message names.
LIMITS = [
    ("pad_mm", FINGER_MM + 4, -0.1, "pad, diameter"),
    ("cover_mm", 0.9, -0.01, "cover of acrylic"),
    ("gap_mm", 0.5, -0.01, "gap from pad to guard"),
    ("gap_mm", 2.0, 0.01, "gap from pad to guard"),
    ("air_mm", 10.0, -0.1, "air under the pads"),
    # The nearest pads are those of a key and a cell, 33.253 mm apart.
    ("pad_mm", 33.252 - 4, 0.002, "gap between neighbouring pads"),
]


@pytest.mark.parametrize(("measure", "limit", "beyond", "named"), LIMITS)
def test_measure_is_refused_just_beyond_its_limit(measure, limit, beyond, named):
    at = measured(**{measure: limit})
    assert accepted(at)
    over = measured(**{measure: limit + beyond})
    with pytest.raises(KitError, match=f"{named} is .*: allowed is "):
        sensing(over, all_alike(over, SHORT))


@pytest.mark.parametrize(
    ("run", "beyond", "named"),
    [
        (Run(300), Run(300.6), "wire is 301 mm: allowed is up to 300 mm"),
        (Run(60, 300), Run(60, 300.6), "track is 301 mm: allowed is up to 300 mm"),
    ],
)
def test_run_is_refused_just_beyond_its_limit(run, beyond, named):
    layout = measured(cover_mm=1)
    assert accepted(layout, run)
    with pytest.raises(KitError, match=f"pad a1: {named}"):
        sensing(layout, all_alike(layout, beyond))


def test_pad_without_a_run_is_refused():
    layout = layout_of("hexagon-61")
    runs = all_alike(layout, SHORT)
    del runs["choice2"]
    with pytest.raises(KitError, match="pad choice2 is joined to nothing"):
        sensing(layout, runs)


def largest_accepted(layout: Layout, low: float, high: float) -> float:
    """Find by how much copper a pad may be crossed at most, to a micrometre."""
    assert accepted(layout, Run(60, 100, low))
    assert not accepted(layout, Run(60, 100, high))
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (middle, high) if accepted(layout, Run(60, 100, middle)) else (low, middle)
    return low


def test_weak_pad_is_refused_from_the_count_on_at_which_calibration_calls_it_weak():
    layout = layout_of("hexagon-61")
    edge = largest_accepted(layout, 0, 2000)
    sensor = layout.sensors["a1"]
    inside = pad_figures(layout, sensor, Run(60, 100, edge)).change
    outside = pad_figures(layout, sensor, Run(60, 100, edge + 2e-3)).change
    assert inside >= LEAST_CHANGE > outside
    with pytest.raises(KitError, match=r"pad a1: change by a finger is .* allowed is 8\.0"):
        sensing(layout, all_alike(layout, Run(60, 100, 500)))


def test_capacitance_out_of_the_chips_range_is_refused():
    layout = layout_of("hexagon-61")
    sensor = layout.sensors["a1"]
    wide = (LARGEST_PF + 1) / track_pf_mm()
    figure = figures_of_pad(pad_figures(layout, sensor, Run(60, 1, wide)))[2]
    assert figure.name == "pad a1: capacitance, empty"
    with pytest.raises(KitError, match=r"pad a1: capacitance, empty is .* allowed is 0\.2 to"):
        figure.checked()
    assert replace(figure, value=LARGEST_PF).within
    assert not replace(figure, value=LARGEST_PF + 0.1).within
    assert not replace(figure, value=SMALLEST_PF - 0.1).within


def test_presence_feels_stones_on_cells_and_not_on_keys():
    layout = measured(mode="presence")
    found = sensing(layout, all_alike(layout, SHORT))
    assert found["e5"].stone_pf == pytest.approx(1.34, abs=0.005)
    assert found["e5"].stone is not None
    assert found["e5"].stone > found["e5"].change
    assert found["choice1"].stone is None
    touch = sensing(layout_of("hexagon-61"), all_alike(layout, SHORT))
    assert touch["e5"].stone is None


def test_runs_measure_tracks_and_what_lies_below_a_pad():
    pad = Pad("a1", layout_of("hexagon-61").sensors["a1"].at, 18, 4)

    def below(*ends: tuple[float, float], net: str = "b1", side: Side = Side.BOTTOM) -> float:
        points = tuple(pad.at.moved(*end) for end in ends)
        return leads.crossed_mm(pad, [Track(net, side, points)])

    assert below((-20, 0), (20, 0)) == pytest.approx(18)
    assert below((-5, 0), (5, 0)) == pytest.approx(10)
    assert below((0, 0), (20, 0)) == pytest.approx(9)
    assert below((-20, 5), (20, 5)) == pytest.approx(2 * sqrt(81 - 25))
    assert below((-20, 9), (20, 9)) == 0
    assert below((10, 0), (20, 0)) == 0
    assert below((-20, 0), (0, 0), (0, 20)) == pytest.approx(18)
    assert below((3, 3), (3, 3)) == 0
    assert below((-20, 0), (20, 0), net="a1") == 0
    assert below((-20, 0), (20, 0), side=Side.TOP) == 0
    assert below((-20, 0), (20, 0), net=GROUND) == pytest.approx(18)
