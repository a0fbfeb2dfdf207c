"""How much light comes out beside a stone: ten times what the earlier kit let through."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from hardware.board import cell
from hardware.board.light import DULL, EARLIER, Cell, Leaving, Paint, leaving
from tests.helpers.boards.guide_tables import rows

FOOT_MM = max(cell.FOOT_MM)
WITHIN_CELL_MM = (0.0, 2.0, 4.0, (cell.PITCH_MM - FOOT_MM) / 2)


@cache
def traced(what: Cell) -> Leaving:
    return leaving(what, 30_000)


def worst(what: Cell) -> float:
    """Return the share beside a stone of 17 mm that stands anywhere within its cell."""
    return min(traced(what).beside(FOOT_MM, offset) for offset in WITHIN_CELL_MM)


def test_stone_at_the_worst_place_leaves_ten_times_the_light():
    assert worst(Cell()) >= 20 * worst(EARLIER)


@pytest.mark.parametrize(
    ("now", "before"),
    [(Cell(paint=DULL), EARLIER), (Cell(), replace(EARLIER, paint=Paint()))],
    ids=["all dull and a tenth covered by parts", "earlier chamber painted white"],
)
def test_ten_times_the_light_with_other_surfaces(now, before):
    assert worst(now) >= 10 * worst(before)


def test_design_page_has_these_shares():
    middle, at_worst = (row["figure"] for row in rows("design.md", "what")[3:5])
    found = (traced(Cell()).beside(FOOT_MM), *map(worst, (Cell(), Cell(paint=DULL), EARLIER)))
    said = [float(each.split()[0]) / 100 for each in f"{middle}, {at_worst}".split(", ")]
    assert said == pytest.approx(found, rel=0.1)


def test_light_is_even_around_the_stone():
    assert traced(Cell()).evenness() > 0.7


def test_black_chamber_lets_out_what_the_holes_see():
    """With nothing reflected the hole's solid angle, the film and the critical angle remain."""
    black = Paint(chamber=0, mask=0, drilled=0, film_returns=0, film_passes=1)
    found = leaving(replace(EARLIER, paint=black), 300_000).total()
    seen = 2**2 / (2**2 + (cell.CHAMBER_MM + cell.BOARD_MM) ** 2)
    assert found == pytest.approx(seen / 1.49**2 * 0.93, rel=0.1)


def test_lossless_cell_gives_all_its_light_back():
    """Neither created nor lost: what does not leave over the cell went sideways or into the LED."""
    white = Paint(chamber=1, mask=1, drilled=1, film_returns=0.4, film_passes=0.6)
    holes = tuple((x, y, 9.0) for x, y, _ in cell.holes())
    assert 0.5 < leaving(Cell(holes, paint=white), 5_000).total() < 1


def test_stone_hides_what_it_covers():
    spots = np.array([[0.0, 0.0], [10.0, 0.0], [-10.0, 0.0]])
    light = Leaving(spots[:, 0], spots[:, 1], np.full(3, 0.01))
    assert light.total() == pytest.approx(0.03)
    assert light.beside(17) == pytest.approx(0.02)
    assert light.beside(17, 4) == pytest.approx(0.01), "off the middle it hides one beside it too"
    assert light.beside(22) == 0
