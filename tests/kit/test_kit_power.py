"""How the strip is fed: fuse, supply, wires, feeds, and the voltage at the worst pixel."""

from dataclasses import replace

import numpy
import pytest

from hal.lights.frame import CHANNEL_MA, IDLE_MA
from hal.profile import Profile
from hal.profile.geometry import Point
from hardware.kit.electric import Figure, feeding, feeds
from hardware.kit.electric.chain import Kind, links, pieces, places, way_mm
from hardware.kit.electric.ladder import (
    CLAMP_OHM,
    CONTACTS_OHM,
    FUSE_V,
    INLET_V,
    OHM_KM,
    STRIP_OHM_M,
    TRUNK_MM,
    Ladder,
)
from hardware.kit.electric.power import (
    FARTHEST_MM,
    LEAST_V,
    MOST_UNFED,
    fuse_a,
    power_figures,
    wire_mm2,
)
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.part_names import CLAMP, FUSE, SUPPLY, pixel_part
from hardware.kit.wiring import Kind as Wired
from tests.helpers.kits.boards import VARIED, layout_of, with_pixels_mixed
from tests.helpers.kits.built import built

BOARDS = VARIED


def budgeted(profile: Profile, budget_ma: int) -> Profile:
    return replace(profile, power=replace(profile.power, budget_ma=budget_ma))


def with_budget(board: str, budget_ma: int) -> Layout:
    layout = layout_of(board)
    return replace(layout, profile=budgeted(layout.profile, budget_ma))


def ladder(layout: Layout) -> Ladder:
    return Ladder(layout, fuse_a(layout.profile), wire_mm2(layout.profile))


def chain_siemens(layout: Layout) -> numpy.ndarray:
    """Give the conductances of the chain from pixel to pixel, there and back."""
    area = wire_mm2(layout.profile)
    count = layout.profile.pixel_count
    siemens = numpy.zeros((count, count))
    for link in links(layout):
        ohm = 2 * STRIP_OHM_M * link.length_mm / 1000
        if link.kind is Kind.SINGLE:
            ohm = 2 * OHM_KM[area] * link.length_mm / 1e6
        here, before = link.pixel, link.pixel - 1
        siemens[here, here] += 1 / ohm
        siemens[before, before] += 1 / ohm
        siemens[here, before] -= 1 / ohm
        siemens[before, here] -= 1 / ohm
    return siemens


def drops(layout: Layout, fed: tuple[int, ...]) -> numpy.ndarray:
    """Give the drop in V at each pixel, behind the clamps, for 1 A at each: solved as a whole."""
    area = wire_mm2(layout.profile)
    siemens = chain_siemens(layout)
    for pixel in fed:
        length = way_mm(layout.geometry.supply, places(layout)[pixel])
        siemens[pixel, pixel] += 1e6 / (2 * OHM_KM[area] * length)
    return numpy.linalg.inv(siemens)


def trunk_v(layout: Layout, total_ma: float) -> float:
    wires_ohm = OHM_KM[wire_mm2(layout.profile)] * TRUNK_MM / 1e6
    ohm = FUSE_V / fuse_a(layout.profile) + CONTACTS_OHM + 4 * CLAMP_OHM + wires_ohm
    return ohm * total_ma / 1000


@pytest.mark.parametrize("board", BOARDS)
def test_worst_voltages_are_those_of_the_whole_network(board):
    layout = layout_of(board)
    fed = feeds(layout)
    count = layout.profile.pixel_count
    budget_ma = layout.profile.power.budget_ma
    found = ladder(layout).voltages(fed)
    matrix = drops(layout, fed)
    for pixel in range(count):
        # As many pixels fully lit as the budget allows, where they draw this one down most.
        current = numpy.full(count, IDLE_MA)
        spare = budget_ma - count * IDLE_MA
        for other in numpy.argsort(-matrix[pixel], kind="stable"):
            lit = min(3 * CHANNEL_MA, spare)
            current[other] += lit
            spare -= lit
        assert current.sum() == pytest.approx(budget_ma)
        volts = INLET_V - trunk_v(layout, budget_ma) - matrix[pixel] @ current / 1000
        assert found[pixel] == pytest.approx(volts, abs=1e-9)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seed", [None, 3])
def test_feeds_keep_every_pixel_above_the_least_voltage(board, seed):
    layout = layout_of(board)
    if seed is not None:
        layout = with_pixels_mixed(layout, seed)
    found = feeding(layout)
    assert found.feeds == feeds(layout) == tuple(sorted(set(found.feeds)))
    assert found.feeds[0] == 0
    if layout.profile.pixel_count > MOST_UNFED:
        assert found.feeds[-1] == layout.profile.pixel_count - 1
    volts = ladder(layout).voltages(found.feeds)
    assert min(volts) == volts[found.worst_pixel] == found.worst_v >= LEAST_V
    firsts = {piece.first for piece in pieces(layout)}
    if seed is None:
        assert set(found.feeds) - {layout.profile.pixel_count - 1} <= firsts


def spaced(step_mm: float, count: int) -> Layout:
    """Lay pixels in a row that begins beside the supply, with little current."""
    layout = layout_of("hexagon-61")
    supply = layout.geometry.supply
    lights = tuple(
        replace(layout.lights[0], pixel=n, at=supply.moved(step_mm * n)) for n in range(count)
    )
    profile = replace(budgeted(layout.profile, count + 100), pixel_count=count)
    return replace(layout, profile=profile, lights=lights)


def test_no_pixel_of_a_strip_is_farther_than_a_metre_from_a_feed():
    # Pixel 30 is a metre of strip away from the first.
    assert feeds(spaced(1000 / 30, 31)) == (0,)
    assert feeds(spaced(1000 / 30, 32)) == (0, 31)
    for count in (60, 61, 62, 90):
        found = feeds(spaced(1000 / 30, count))
        far = [min(abs(pixel - feed) for feed in found) for pixel in range(count)]
        assert max(far) * 1000 / 30 <= FARTHEST_MM + 1e-6


@pytest.mark.parametrize("board", BOARDS)
def test_voltage_holds_with_the_wires_as_they_are_cut(board):
    """Solve what is really wired: inlet, fuse, every clamp and every wire by its length."""
    layout, wiring, figures = built(board)
    found, area = figures.feeding, wire_mm2(layout.profile)
    ohm_mm = OHM_KM[area] / 1e6
    own = [
        w for w in wiring.of(Wired.POWER_5V, Wired.GROUND) if w.start.sort in (CLAMP, SUPPLY, FUSE)
    ]
    trunk = [w for w in own if w.end.sort in (CLAMP, FUSE)]
    assert trunk
    before_ohm = sum(w.length_mm for w in trunk) * ohm_mm + CONTACTS_OHM + 4 * CLAMP_OHM
    before_ohm += FUSE_V / found.fuse_a
    ways = {
        pixel: sum(w.length_mm for w in own if w.end.part == pixel_part(pixel)) * ohm_mm
        for pixel in found.feeds
    }
    count = layout.profile.pixel_count
    siemens = chain_siemens(layout)
    for pixel, ohm in ways.items():
        siemens[pixel, pixel] += 1 / ohm
    matrix = numpy.linalg.inv(siemens)
    for pixel in range(count):
        current = numpy.full(count, IDLE_MA)
        spare = found.budget_ma - count * IDLE_MA
        for other in numpy.argsort(-matrix[pixel], kind="stable"):
            lit = min(3 * CHANNEL_MA, spare)
            current[other] += lit
            spare -= lit
        volts = INLET_V - before_ohm * found.budget_ma / 1000 - matrix[pixel] @ current / 1000
        assert volts >= LEAST_V


def test_supply_too_far_away_is_refused_with_the_voltage():
    layout = with_budget("hexagon-37", 3000)

    def from_afar(mm: float) -> Layout:
        return replace(layout, geometry=replace(layout.geometry, supply=Point(-mm, 0)))

    assert feeding(from_afar(1000)).worst_v >= LEAST_V
    # Even 51 pairs of wires, to a pixel each.
    with pytest.raises(KitError, match=r"voltage at pixel \d+ is 4\.\d\d V when 3000 mA flow, .*"):
        feeding(from_afar(200_000))


@pytest.mark.parametrize("board", BOARDS)
def test_figures_of_power_hold_and_say_what_was_chosen(board):
    layout = layout_of(board)
    found = feeding(layout)
    said = {figure.name: figure for figure in power_figures(layout, found)}
    assert all(figure.within for figure in said.values())
    assert said["fuse, time-lag"].value == found.fuse_a
    assert said["supply, 5 V"].value == found.supply_a
    white = said["current, all pixels white"].value
    count = layout.profile.pixel_count
    assert white == pytest.approx(count * (3 * CHANNEL_MA + IDLE_MA) / 1000)
    assert f"before pixels {', '.join(map(str, found.feeds))}" in [f.source for f in said.values()]
    assert said[f"least voltage, at pixel {found.worst_pixel}"].value == found.worst_v
    assert 2 < said["board warmer than air by"].value < 20


def figure(value: float, least: float | None, most: float | None) -> Figure:
    return Figure("current of x", value, "mA", least, most, "measured", "ours", 1)


def test_figure_is_within_its_limits_and_refused_just_beyond():
    for value in (1, 1.5, 2):
        assert figure(value, 1, 2).checked().value == value
    with pytest.raises(
        KitError, match=r"current of x is 2\.2 mA: allowed is 1\.0 to 2\.0 mA \(ours\)"
    ):
        figure(2.2, 1, 2).checked()
    # Rounded as usual it would be told that 1.0 is not 1.0.
    with pytest.raises(KitError, match=r"is 0\.9999 mA: allowed is 1\.0000 to 2\.0000 mA"):
        figure(0.9999, 1, 2).checked()
    assert figure(-1e9, None, None).within
