"""How boards feel fingers and feed LEDs: formulas against a solved field, and the margins."""

from collections.abc import Callable
from itertools import pairwise
from math import pi

import numpy as np
import pytest
import skfem
from skfem.helpers import dot, grad

from hal.measuring.charge import TARGET_COUNTS
from hardware.board import cell, figures
from hardware.board.plan import PLANS
from tests.helpers.boards.guide_tables import rows
from tests.helpers.orders import LONGEST_TRACK_MM

BOARDS = ("hexagon-61", "rectangle-88", "disc-32")


def farad(electrode: Callable, finger: bool) -> float:
    """Solve the field around a cell's axis; return an electrode's capacitance to all others in pF.

    From the guard on outwards the cell's six neighbours are one ring. The finger is a grounded
    cylinder that stands on the cover. `electrode` tells by radius which copper is at 1 V.
    """
    guard = cell.PAD_RADIUS_MM + cell.GUARD_GAP_MM
    ring = cell.PITCH_MM - cell.PAD_RADIUS_MM
    edges_r = [0, cell.FINGER_RADIUS_MM, cell.PAD_RADIUS_MM, guard, ring - cell.GUARD_GAP_MM]
    edges_r += [ring, ring + 2 * cell.PAD_RADIUS_MM, 60]
    edges_z = [-30, -cell.BOARD_MM, 0, cell.COVER_MM, cell.COVER_MM + 30]

    def graded(edges: list[float]) -> np.ndarray:
        part = (1 - np.cos(np.linspace(0, pi, 13)))[:-1] / 2
        steps = [a + (b - a) * part for a, b in pairwise(edges)]
        return np.append(np.concatenate(steps), edges[-1])

    mesh = skfem.MeshQuad.init_tensor(graded(edges_r), graded(edges_z))
    basis = skfem.Basis(mesh, skfem.ElementQuad2())
    r, z = basis.doflocs
    copper = (z == 0) & ((r <= cell.PAD_RADIUS_MM) | ((r >= guard) & (r <= edges_r[4])))
    copper |= (z == 0) & (r >= ring) & (r <= edges_r[6])
    copper |= (np.abs(z + cell.BOARD_MM) < 1e-9) & (r >= guard) & (r <= edges_r[4])
    grounded = (r == 60) | (z == edges_z[0]) | (z == edges_z[-1])
    if finger:
        grounded |= (r <= cell.FINGER_RADIUS_MM) & (z >= cell.COVER_MM)

    @skfem.BilinearForm
    def energy(u, v, w):
        height = w.x[1]
        material = np.where(height > cell.COVER_MM, 1.0, figures.ACRYLIC)
        material = np.where(height < 0, figures.FR4, material)
        material = np.where(height < -cell.BOARD_MM, 1.0, material)
        return 2 * pi * w.x[0] * figures.VACUUM_PF_MM * material * dot(grad(u), grad(v))

    matrix = energy.assemble(basis)
    volts = np.where(copper & (z == 0) & electrode(r), 1.0, 0.0)
    solved = skfem.solve(*skfem.condense(matrix, x=volts, D=np.flatnonzero(copper | grounded)))
    return float(solved @ (matrix @ solved))


def own(r: np.ndarray) -> np.ndarray:
    return r <= cell.PAD_RADIUS_MM


def neighbours(r: np.ndarray) -> np.ndarray:
    return r >= cell.PITCH_MM - cell.PAD_RADIUS_MM


@pytest.fixture(scope="module")
def field() -> dict[str, float]:
    empty, touched = farad(own, False), farad(own, True)
    aside = farad(neighbours, True) - farad(neighbours, False)
    return {"pad": empty, "finger": touched - empty, "neighbours": aside}


def test_formulas_agree_with_the_solved_field(field):
    assert field["finger"] == pytest.approx(figures.finger_pf(), rel=0.2)
    assert 0.7 * figures.pad_pf() < field["pad"] < figures.pad_pf()


def test_finger_is_felt_at_the_worst_pad(field):
    assert figures.counts(LONGEST_TRACK_MM) >= 20
    empty = figures.CHIP_PF + field["pad"] + figures.track_pf(LONGEST_TRACK_MM)
    assert TARGET_COUNTS * field["finger"] / (empty + field["finger"]) >= 20


def test_longer_tracks_are_felt_less():
    assert figures.counts(20) > figures.counts(60) > figures.counts(300) < 20


def test_neighbours_feel_less_than_a_quarter(field):
    """By the field all six together, by formula each, also of a finger off the middle."""
    assert abs(field["neighbours"]) < field["finger"] / 4
    assert figures.neighbour_share() < figures.neighbour_share(8) < 0.25
    assert figures.neighbour_share(cell.PITCH_MM / 2) == pytest.approx(1)


@pytest.mark.parametrize("name", BOARDS)
def test_lowest_voltage_with_the_whole_budget(name):
    plan = PLANS[name]()
    lowest = figures.lowest_v(plan, budget_ma=2500, brightness=0.6)
    assert figures.LEAST_V < lowest < figures.SUPPLY_V - 0.1
    assert figures.lowest_v(plan, budget_ma=1000, brightness=0.6) > lowest


def test_section_that_its_fuse_does_not_hold_is_refused():
    with pytest.raises(ValueError, match=r"\+5V_1 draws 1620 mA"):
        figures.lowest_v(PLANS["hexagon-61"](), budget_ma=2500, brightness=1.0)


def test_plane_drop_of_a_strip_is_ohms_law():
    """Without cells a plane of 32 x 232 mm: 200 mm from feed to load, and what spreads at each."""
    squares = figures.plane_drop_v([], [(200, 0, 1000)], (0, 0)) / 2 / figures.PLANE_OHM
    assert 200 / 33 < squares < 200 / 33 + 3


def test_plane_ends_at_the_cells():
    with pytest.raises(ValueError, match="no plane"):
        figures.plane_drop_v([(0, 0)], [(0, 5, 36)], (0, -16))


def test_design_page_has_these_figures():
    said = [row["figure"] for row in rows("design.md", "what")]
    assert said[:2] == [f"{figures.counts(mm):.0f}" for mm in (LONGEST_TRACK_MM, 10)]
    assert said[2] == ", ".join(f"{100 * figures.neighbour_share(mm):.1f} %" for mm in (0, 8))
    volts = [figures.lowest_v(PLANS[name](), 2500, 0.6) for name in BOARDS]
    assert said[4] == ", ".join(f"{volt:.2f}" for volt in volts) + " V"
