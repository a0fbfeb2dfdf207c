"""Levels of the strip's data, pull-ups and capacitance of the buses, current at 3.3 V."""

from dataclasses import replace

import pytest

from hardware.kit import leads
from hardware.kit.electric import Figure, Lengths, Run, figures
from hardware.kit.electric.levels import (
    LEAST_OHM,
    TOLERANCE_NS,
    level_figures,
    lines,
    longest_data_mm,
)
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from tests.helpers.kits.boards import VARIED, layout_of
from tests.helpers.kits.built import built

BOARDS = VARIED


def said(layout: Layout, lengths: Lengths | None = None) -> dict[str, Figure]:
    return {figure.name: figure for figure in level_figures(layout, lengths)}


def test_lines_of_a_multiplexer_are_its_channels():
    found = lines(layout_of("hexagon-61-mux"))
    assert [line.name for line in found] == ["bus 1, channel 0", "bus 1, channel 1"]
    lengths = Lengths({"bus 1": 100, "channel 0": 20, "channel 1": 3}, 0)
    found = lines(layout_of("hexagon-61-mux"), lengths)
    assert [line.wire_mm for line in found] == [120, 103]


@pytest.mark.parametrize("board", BOARDS)
def test_signals_of_every_board_are_within_their_limits(board):
    layout, wiring, found = built(board)
    for lengths in (None, leads.lengths(wiring)):
        assert all(figure.within for figure in level_figures(layout, lengths))
    assert found.signals == level_figures(layout, leads.lengths(wiring))


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


def test_current_at_low_voltage_is_that_of_pull_ups_and_chips():
    # Two lines of 1.05 kohm, five resistors of 10 kohm and four chips.
    small = 2 * 3.3 / 1.0465 + 5 * 3.3 / 10 + 4
    assert said(layout_of("hexagon-37"))["current at 3.3 V"].value == pytest.approx(small, rel=1e-3)
