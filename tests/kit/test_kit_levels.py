"""Levels of the strip's data, pull-ups and capacitance of the buses, current at 3.3 V."""

import re
from dataclasses import replace

import pytest

from hal.coprocessor.machine import CLOCK_KHZ
from hal.geometry import Point
from hal.profile import built_in, built_in_names
from hardware.kit import leads
from hardware.kit.electric import Figure, Lengths, Run, figures
from hardware.kit.electric.ladder import STRIP_V
from hardware.kit.electric.levels import (
    FAST_KHZ,
    HIGH_SHARE,
    LEAST_HIGH_V,
    LEAST_OHM,
    SHIFTER_HIGH_V,
    SHIFTER_OUT_V,
    TOLERANCE_NS,
    Line,
    data_wire_mm,
    level_figures,
    lines,
    longest_data_mm,
)
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.wiring import Kind
from tests.helpers.boards.guide_tables import rows, text
from tests.helpers.kits.boards import layout_of
from tests.helpers.kits.built import built

BOARDS = built_in_names()
WORDS = ("no", "one", "two", "three", "four")


def said(layout: Layout, lengths: Lengths | None = None) -> dict[str, Figure]:
    return {figure.name: figure for figure in level_figures(layout, lengths)}


def in_words(line: Line) -> str:
    """Write pull-ups as the guide does: "1.8k, 4 x 10k"."""
    own, *others = line.resistors_ohm
    assert set(others) == {10_000}
    return f"{own / 1000:g}k, {len(others)} x 10k"


def told(first: str) -> dict[str, dict[str, str]]:
    """Give the rows of a table of pull-ups by what they put in parallel, added up."""
    found = {}
    for row in rows(first):
        own, *others = row["in parallel"].split(", ")
        counts = [int(count) for each in others for count in re.findall(r"(\d) x 10k", each)]
        found[f"{own}, {sum(counts)} x 10k"] = row
    return found


@pytest.mark.parametrize("board", BOARDS)
def test_pull_ups_are_those_of_the_guide(board):
    profile = built_in(board)
    guide = told("bus" if profile.pico is None else "bus of the Pico")
    for line in lines(layout_of(board)):
        words = in_words(line)
        assert guide[words]["makes"] == f"{line.pull_up_ohm / 1000:.2f}k"
        if profile.pico is not None:
            assert guide[words]["stands"] == f"{line.most_pf:.0f} pF"


def test_least_pull_up_is_that_of_the_guide():
    assert f"The least is {LEAST_OHM / 1000:.2f}k" in text()
    assert FAST_KHZ == CLOCK_KHZ


def test_bus_of_a_pi_stands_what_the_guide_says():
    (fast,) = (line for line in lines(layout_of("hexagon-61")) if line.name == "bus 1")
    assert "some 300 pF at 400 kHz" in " ".join(text().split())
    assert 290 < fast.most_pf < 350


@pytest.mark.parametrize("board", BOARDS)
def test_lines_have_every_chip_of_a_profile(board):
    profile = built_in(board)
    found = lines(layout_of(board))
    assert sum(line.chips for line in found) == len(profile.chips)
    muxed = any(chip.mux is not None for chip in profile.chips)
    assert [line.muxes for line in found] == [int(muxed)] * len(found)
    fast = {line.name for line in found if line.clock_khz == FAST_KHZ}
    slow = {line.name for line in found} - fast
    assert slow == ({"bus 3"} if {chip.bus for chip in profile.chips} >= {3} else set())


def test_lines_of_a_multiplexer_are_its_channels():
    found = lines(layout_of("hexagon-61-mux"))
    assert [line.name for line in found] == ["bus 1, channel 0", "bus 1, channel 1"]
    lengths = Lengths({"bus 1": 100, "channel 0": 20, "channel 1": 3}, 0)
    found = lines(layout_of("hexagon-61-mux"), lengths)
    assert [line.wire_mm for line in found] == [120, 103]


def test_chips_beside_a_multiplexer_are_heard_on_every_channel():
    layout = layout_of("hexagon-61-mux")
    first, *others = layout.profile.chips
    direct = replace(first, mux=None, channel=None)
    profile = replace(layout.profile, chips=(direct, *others))
    found = lines(replace(layout, profile=profile))
    assert [(line.chips, len(line.resistors_ohm)) for line in found] == [(3, 5), (4, 6)]


@pytest.mark.parametrize("board", BOARDS)
def test_lengths_are_those_of_the_wiring(board):
    layout, wiring, _ = built(board)
    lengths = leads.lengths(wiring)
    clocks = [wire for wire in wiring.of(Kind.BUS) if wire.signal.startswith("SCL")]
    assert sum(lengths.buses.values()) == sum(wire.length_mm for wire in clocks)
    assert lengths.buses.keys() >= {f"bus {chip.bus}" for chip in layout.profile.chips}
    assert said(layout, lengths)["data wire to the first pixel"].value == lengths.data_mm > 0


@pytest.mark.parametrize("board", BOARDS)
def test_signals_of_every_board_are_within_their_limits(board):
    layout, wiring, found = built(board)
    for lengths in (None, leads.lengths(wiring)):
        assert all(figure.within for figure in level_figures(layout, lengths))
    assert found.signals == level_figures(layout, leads.lengths(wiring))


def test_levels_need_the_shifter():
    assert LEAST_HIGH_V < HIGH_SHARE * STRIP_V < SHIFTER_OUT_V
    assert LEAST_HIGH_V >= SHIFTER_HIGH_V
    words = " ".join(text().split())
    assert f"takes for high what is above {SHIFTER_HIGH_V:g} V" in words
    assert f"gives at least {LEAST_HIGH_V:g}" in words
    assert f"70 % of 5 V, which is {HIGH_SHARE * STRIP_V:g} V" in words


def test_data_wire_is_refused_just_beyond_the_length_at_which_bits_rise_in_time():
    layout = layout_of("hexagon-61")
    runs = dict.fromkeys(layout.sensors, Run(100))
    buses = {"bus 1": 400.0, "bus 3": 400.0}
    most = longest_data_mm()
    assert figures(layout, runs, Lengths(buses, most)).signals
    with pytest.raises(KitError, match=r"data wire to the first pixel is .* allowed is up to"):
        figures(layout, runs, Lengths(buses, most + 0.1))
    rise = said(layout, Lengths(buses, most))["rise of the data"]
    assert rise.value == pytest.approx(TOLERANCE_NS)
    assert rise.within


def test_data_wire_without_a_wiring_goes_to_the_first_pixel():
    layout = layout_of("hexagon-61")
    first = layout.lights[0].at
    beside = replace(layout, geometry=replace(layout.geometry, computer=first))
    assert data_wire_mm(beside) == 60
    away = replace(layout, geometry=replace(layout.geometry, computer=Point(900, 900)))
    assert not said(away)["data wire to the first pixel"].within


def test_bus_is_refused_just_beyond_the_capacitance_at_which_it_rises_in_time():
    layout = layout_of("hexagon-61-pico")
    runs = dict.fromkeys(layout.sensors, Run(100))
    # Four chips and the Pico have 75 pF, and 4.7k with four times 10k stand 217 pF.
    room = lines(layout, Lengths({"bus 0": 0, "bus 1": 0}, 0))[0]
    most = (room.most_pf - room.load_pf) / 0.1
    assert 1400 < most < 1450
    assert figures(layout, runs, Lengths({"bus 0": most - 0.1, "bus 1": 0}, 300))
    with pytest.raises(KitError, match=r"bus 0: capacitance is .* allowed is up to 216\.96"):
        figures(layout, runs, Lengths({"bus 0": most + 0.1, "bus 1": 0}, 300))


def test_bus_is_refused_when_its_pull_ups_are_too_strong():
    layout = layout_of("hexagon-61")
    runs = dict.fromkeys(layout.sensors, Run(100))
    chips = layout.profile.chips
    # A profile cannot have six chips on a bus, since they have four addresses.
    crowd = replace(layout.profile, chips=tuple(replace(chip, bus=1) for chip in chips))
    many = replace(layout, profile=crowd)
    assert lines(many)[0].pull_up_ohm < LEAST_OHM
    with pytest.raises(KitError, match=r"bus 1: pull-up is 0\.87 kohm: allowed is 0\.97 kohm and"):
        figures(many, runs)


def test_current_at_low_voltage_grows_with_chips_and_buses():
    names = ("hexagon-37", "hexagon-61", "rectangle-88")
    found = [said(layout_of(name))["current at 3.3 V"] for name in names]
    assert [figure.value for figure in found] == sorted(figure.value for figure in found)
    # Two lines of 1.05 kohm, five resistors of 10 kohm and four chips.
    small = 2 * 3.3 / 1.0465 + 5 * 3.3 / 10 + 4
    assert found[0].value == pytest.approx(small, rel=1e-3)
