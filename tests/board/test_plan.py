"""Plans of boards: places that fit, and a chain through all pixels."""

import itertools

import pytest

from hardware.board.cell import PAD_RADIUS_MM
from hardware.board.circuit import circuit
from hardware.board.plan import PLANS

BOARDS = {name: plan() for name, plan in PLANS.items()}
GAMES = ["hexagon-61", "rectangle-88", "disc-32"]


@pytest.fixture(params=BOARDS)
def plan(request):
    return BOARDS[request.param]


@pytest.mark.parametrize("name", GAMES)
def test_board_has_the_cells_lights_and_keys_that_its_games_use(name):
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


def test_board_fits_the_laser_and_its_parts_lie_within_it(plan):
    (left, top), (right, bottom) = min(plan.outline), max(plan.outline)
    limit = 100 if plan.name.startswith("coupon") else 400
    assert max(right - left, bottom - top) <= limit
    assert (left, top) == (-right, -bottom)
    reaches = [(part.spot, 0) for part in circuit(plan)]
    reaches += [(at, PAD_RADIUS_MM + 2) for at in plan.pads.values()]
    for at, reach in reaches:
        assert left + reach < at.x < right - reach, at
        assert top + reach < at.y < bottom - reach, at


def test_chain_passes_every_cell_and_light_once_and_cells_in_short_steps(plan):
    assert sorted(plan.pixels) == sorted([*plan.cells, *plan.lights])
    cells = [plan.cells[each] for each in plan.pixels[: len(plan.cells)]]
    steps = sorted(a.distance(b) for a, b in itertools.pairwise(cells))
    # Consecutive pixels are neighbours, but for the outermost cells of the disc's segments.
    assert steps[: -4 if plan.shape == "disc" else None][-1] < 34
    assert steps[-1] < 110
