"""Plans of boards: places that fit, chips near their pads, and a chain through all pixels."""

import itertools
from math import dist

import pytest

from hardware.board import kinds
from hardware.board.cell import (
    HOLE_CIRCLE_MM,
    HOLES,
    INNER_KEEP_MM,
    LOWER_KEEP_MM,
    PAD_RADIUS_MM,
    holes,
)
from hardware.board.circuit import TEST_POINT_MM, circuit, led_spot
from hardware.board.plan import ELECTRODES, PLANS, Plan, Spot

BOARDS = {name: plan() for name, plan in PLANS.items()}
BAY_MM, CORNER_MM = 7.0, 18.5
GAMES = ["hexagon-61", "rectangle-88", "disc-32"]


@pytest.fixture(params=BOARDS)
def plan(request: pytest.FixtureRequest) -> Plan:
    return BOARDS[request.param]


def test_spot_turns_what_is_given_in_its_frame_counter_clockwise_as_seen():
    assert Spot(10, 20, 90).at(3, 0, 45) == Spot(10, 17, 135)
    assert Spot(0, 0, 270).at(3, 1) == Spot(-1, 3, 270)
    assert Spot(0, 0).direction(Spot(0, -5)) == 90
    assert Spot(0, 0).direction(Spot(-5, 0.0001)) == pytest.approx(180, abs=0.01)


@pytest.mark.parametrize("name", GAMES)
def test_board_has_the_cells_lights_and_keys_that_its_games_use(name: str):
    plan = BOARDS[name]
    pads = {"disc-32": {"ring1", "ring2", "ring3", "ring4"}}.get(name, {"choice1", "choice2"})
    scores = {"hexagon-61": [20, 20], "rectangle-88": [24, 24], "disc-32": [14, 14, 12]}[name]
    groups = [light.partition(".")[0] for light in plan.lights]
    assert len(plan.cells) == int(name[-2:])
    assert set(plan.electrodes) == set(plan.cells) | pads
    assert {"new_game", "take_back", "resign", "cell", "shutdown", "hint"} <= set(plan.keys)
    assert [groups.count(f"score{n + 1}") for n in range(len(scores))] == scores
    assert all(groups.count(f"turn{n + 1}") == 1 for n in range(len(scores)))
    assert all(f"{key}.0" in plan.lights for key in {*pads, "choice1", "choice2"})
    assert groups.count("circle") == 12 * (name == "hexagon-61")


def test_board_fits_the_laser_and_its_parts_lie_within_it(plan: Plan):
    (left, top), (right, bottom) = min(plan.outline), max(plan.outline)
    limit = 100 if plan.name.startswith("coupon") else 400
    assert right - left <= limit
    assert bottom - top <= limit
    assert (left, top) == (-right, -bottom)
    for part in circuit(plan):
        assert left < part.spot.x < right, part
        assert top < part.spot.y < bottom, part
    for at in plan.pads.values():
        reach = PAD_RADIUS_MM + 2
        assert left + reach < at.x < right - reach
        assert top + reach < at.y < bottom - reach


def test_each_pad_has_an_electrode_of_its_own_on_a_chip_at_most_60_mm_away(plan: Plan):
    assert len(set(plan.electrodes.values())) == len(plan.electrodes)
    points = {part.nets["1"]: part.spot for part in circuit(plan) if "TP" in part.reference}
    for pad, (chip, electrode) in plan.electrodes.items():
        assert 0 <= electrode < ELECTRODES
        assert points[f"E_{pad}"].distance(plan.chips[chip]) <= 60, pad


def test_each_chip_lies_clear_of_pads_and_leds_with_a_free_way_out_at_its_back(plan: Plan):
    for chip in plan.chips:
        assert min(chip.distance(pad) for pad in plan.pads.values()) >= INNER_KEEP_MM + 2.1
        assert min(chip.distance(led_spot(plan, name)) for name in plan.pixels) > 7
        for behind in range(6):
            way = chip.at(-behind, 0)
            assert min(way.distance(pad) for pad in plan.pads.values()) > LOWER_KEEP_MM + 1


def test_no_part_lies_under_a_wall_between_two_cells_but_in_the_bay_of_a_chip(plan: Plan):
    """Model each part as a disc around its pads, at least 1 mm from the middle of the wall."""
    reach = {kinds.C100N: 0.42, kinds.TEST_POINT: 0.75, kinds.LED: 0.9}  # towards the wall
    checked = 0
    for part in circuit(plan):
        spot = part.spot
        if part.kind not in reach or min(map(spot.distance, plan.chips)) < BAY_MM:
            continue
        near = sorted(plan.pads.values(), key=spot.distance)[:2]
        if spot.distance(near[0]) > CORNER_MM:
            continue
        to_wall = (spot.distance(near[1]) ** 2 - spot.distance(near[0]) ** 2) / 2
        assert to_wall / near[0].distance(near[1]) - reach[part.kind] >= 1, part
        checked += 1
    assert checked >= 2 * len(plan.cells)


def test_electrodes_go_around_a_chip_in_the_order_of_its_pins(plan: Plan):
    # Clockwise from the back on the lower side: an MPR121 has its electrodes from pin 8 on.
    for number, chip in enumerate(plan.chips):
        own = {n: pad for pad, (each, n) in plan.electrodes.items() if each == number}
        pads = [plan.pads[own[n]] for n in sorted(own)]
        turns = [(chip.turn + 180 - chip.direction(pad)) % 360 for pad in pads]
        assert turns == sorted(turns)


def test_chain_passes_every_cell_and_light_once_and_cells_in_short_steps(plan: Plan):
    assert sorted(plan.pixels) == sorted([*plan.cells, *plan.lights])
    cells = [plan.cells[each] for each in plan.pixels[: len(plan.cells)]]
    steps = sorted(a.distance(b) for a, b in itertools.pairwise(cells))
    # Consecutive pixels are neighbours, but for the outermost cells of the disc's segments.
    assert steps[: -4 if plan.shape == "disc" else None][-1] < 34
    assert steps[-1] < 110


def test_leds_chips_and_test_points_keep_off_the_pads_and_light_holes(plan: Plan):
    for name in plan.pixels:
        led = led_spot(plan, name)
        assert min(led.distance(pad) for pad in plan.pads.values()) >= INNER_KEEP_MM
    drilled = [
        (at.x + x, at.y + y, size / 2) for at in plan.pads.values() for x, y, size in holes(at.turn)
    ]
    points = [part.spot for part in circuit(plan) if part.nets.get("1", "").startswith("E_")]
    assert len(points) >= len(plan.pads)
    for point in points:
        assert min(dist(point[:2], (x, y)) - r for x, y, r in drilled) > 0.75 + 0.25
    # Test points lie between the holes, about as far out as the holes' middles.
    assert abs(TEST_POINT_MM - HOLE_CIRCLE_MM) < max(size for _, size in HOLES) / 2


@pytest.mark.parametrize("name", GAMES)
def test_chips_share_two_buses_four_at_most_on_each(name: str):
    plan = BOARDS[name]
    places = [(plan.bus(n), plan.place_on_bus(n)) for n in range(len(plan.chips))]
    assert len(set(places)) == len(plan.chips)
    assert {bus for bus, _ in places} == {"A", "B"}
    assert {place for _, place in places} <= set(range(4))
