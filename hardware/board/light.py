"""How much of a cell's light comes out beside the stone: Monte Carlo of one cell, by numpy.

Every surface is Lambertian but the cover's top (Fresnel). What a stone covers is dark, what leaves
over another cell is not counted, nor is what returns from there. Millimetres; z is up, 0 at the
board's lower face.

100,000 rays: 3.5 % of the LED's light leaves an empty cell, 3.1 % beside a stone of 17 mm, 2.4 % at
its worst place. Mitsuba's path tracer, over the meshes of the whole case (`hardware.case.picture`),
finds 3.7 and 3.2 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, radians, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.board import cell

Floats = NDArray[np.float64]

ACRYLIC_INDEX = 1.49
_DIMMEST, _MOST_BOUNCES = 1e-4, 2000


@dataclass(frozen=True)
class Paint:
    """What surfaces return, and what the film passes, 0 to 1: assumed, until a coupon is measured.

    White PLA or matt white paint is given as 0.85 to 0.92 and white solder mask as 0.7 to 0.8 by
    those who measured some; a drilled wall of FR4 is not stated anywhere we looked.
    """

    chamber: float = 0.85
    mask: float = 0.75
    drilled: float = 0.5
    film_returns: float = 0.35
    film_passes: float = 0.6
    covered_by_parts: float = 0.0


DULL = Paint(chamber=0.7, mask=0.6, covered_by_parts=0.1)


@dataclass(frozen=True)
class Cell:
    """A cell in the middle of a hexagon's board, with its corner and LED at (0, y)."""

    holes: Sequence[tuple[float, float, float]] = cell.holes()
    led: tuple[float, float] = cell.led()
    led_on_floor: bool = False
    chamber_mm: float = cell.CHAMBER_MM
    cover_mm: float = cell.COVER_MM
    paint: Paint = Paint()


EARLIER = Cell(
    holes=((0.0, 0.0, 4.0),),
    led=(0.0, 0.0),
    led_on_floor=True,
    cover_mm=2.0,
    paint=Paint(chamber=0.4, mask=0.4),
)
"""The kit before: a hole of 4 mm in the pad's middle, a strip's pixel 10 mm below, shining up in a
chamber of bare MDF (assumed: 0.4)."""


@dataclass(frozen=True)
class Leaving:
    """Where light leaves a cell's top: x, y in mm, and the share of the LED's light of each ray."""

    x: Floats
    y: Floats
    share: Floats

    def total(self) -> float:
        """Return the share of the LED's light that leaves an empty cell."""
        return float(self.share.sum())

    def beside(self, foot_mm: float, offset_mm: float = 0.0) -> float:
        """Return the share beside an opaque stone, so far off the middle in the worst direction."""
        return min(self._beside(foot_mm, offset_mm, radians(turn)) for turn in range(0, 360, 5))

    def _beside(self, foot_mm: float, offset_mm: float, turn: float) -> float:
        dx, dy = self.x - offset_mm * cos(turn), self.y - offset_mm * sin(turn)
        return float(self.share[dx * dx + dy * dy > foot_mm**2 / 4].sum())

    def evenness(self) -> float:
        """Return the darkest by the brightest twelfth of the ring beside a stone of 17 mm."""
        ring = self.x**2 + self.y**2 > max(cell.FOOT_MM) ** 2 / 4
        twelfth = ((np.arctan2(self.y, self.x) / pi + 1) * 6).astype(int) % 12
        sums = np.bincount(twelfth[ring], self.share[ring], 12)
        return float(sums.min() / sums.max())


def share_beside(what: Cell, foot_mm: float, offset_mm: float, rays: int = 100_000) -> float:
    """Return the share of the LED's light beside an opaque stone at the worst place."""
    return leaving(what, rays).beside(foot_mm, offset_mm)


def leaving(what: Cell, rays: int = 100_000, seed: int = 1) -> Leaving:
    """Follow rays from the LED until they leave the cover or are absorbed."""
    return _Trace(what, rays, np.random.default_rng(seed)).followed()


_CHAMBER, _COVER = -1, -2
"""Where a ray is; else the number of a hole."""
_NORMALS = np.array([(cos(radians(a)), sin(radians(a))) for a in range(0, 360, 60)])


class _Trace:
    def __init__(self, what: Cell, rays: int, chance: np.random.Generator) -> None:
        self.what, self.paint, self.chance = what, what.paint, chance
        self.holes = np.array(what.holes)
        self.top = cell.BOARD_MM + what.cover_mm
        self.floor = -what.chamber_mm
        self.share, self.dim = np.full(rays, 1.0 / rays), _DIMMEST / rays
        spot = chance.uniform(-0.5, 0.5, (rays, 2)) + what.led
        height = self.floor if what.led_on_floor else -cell.LED_SIZE_MM[2]
        self.at = np.column_stack((spot, np.full(rays, height)))
        self.way = self._lambert(rays, 1.0 if what.led_on_floor else -1.0)
        self.where = np.full(rays, _CHAMBER)
        self.out: list[Floats] = []

    def followed(self) -> Leaving:
        for _ in range(_MOST_BOUNCES):
            if not self.share.size:
                break
            for place, step in ((_CHAMBER, self._chamber), (_COVER, self._cover)):
                here = np.flatnonzero(self.where == place)
                step(here, self.at[here], self.way[here])
            here = np.flatnonzero(self.where >= 0)
            self._hole(here, self.at[here], self.way[here])
            self._forget_dim()
        x, y, share = np.concatenate(self.out).T
        return Leaving(x, y, share)

    def _forget_dim(self) -> None:
        """Go on with one in ten of the dim rays, ten times as bright."""
        dim = self.share < self.dim
        self.share = np.where(dim, self.share * 10, self.share)
        kept = (self.share > 0) & (~dim | (self.chance.random(dim.shape) < 0.1))
        self.at, self.way = self.at[kept], self.way[kept]
        self.where, self.share = self.where[kept], self.share[kept]

    def _lambert(self, count: int, up: float | Floats) -> Floats:
        """Return directions about the vertical, by the cosine."""
        square, turn = self.chance.random(count), self.chance.random(count) * 2 * pi
        flat = np.sqrt(square)
        return np.column_stack((flat * np.cos(turn), flat * np.sin(turn), up * np.sqrt(1 - square)))

    def _lambert_about(self, normals: Floats) -> Floats:
        """Return directions about level normals, by the cosine."""
        out, side, level = self._lambert(len(normals), 1.0).T[[2, 0, 1]]
        x, y = normals.T
        return np.column_stack((out * x - side * y, out * y + side * x, level))

    def _over(self, xy: Floats) -> NDArray[np.intp]:
        """Return which hole each point is over, -1 for none."""
        apart = xy[:, None, :] - self.holes[:, :2]
        inside = (apart**2).sum(axis=2) < self.holes[:, 2] ** 2 / 4
        return np.where(inside.any(axis=1), inside.argmax(axis=1), -1)

    def _chamber(self, here: NDArray[np.intp], at: Floats, way: Floats) -> None:
        toward = way[:, :2] @ _NORMALS.T
        clear = np.maximum(0, (cell.PITCH_MM - cell.WALL_MM) / 2 - at[:, :2] @ _NORMALS.T)
        walls = np.where(toward > 1e-9, clear / np.where(toward > 1e-9, toward, 1), np.inf)
        wall, which = walls.min(axis=1), walls.argmin(axis=1)
        up = way[:, 2] > 0
        level = np.where(up, -at[:, 2], self.floor - at[:, 2]) / way[:, 2]
        at = at + way * np.minimum(wall, level)[:, None]
        aside = wall < level
        way[aside] = self._lambert_about(-_NORMALS[which[aside]])
        way[~aside] = self._lambert(int((~aside).sum()), np.where(up[~aside], -1.0, 1.0))
        returned = np.full(len(here), self.paint.chamber)
        ceiling = up & ~aside
        returned[ceiling] = self.paint.mask * (1 - self.paint.covered_by_parts)
        if not self.what.led_on_floor:
            part = np.abs(at[:, :2] - self.what.led) < np.array(cell.LED_SIZE_MM[:2]) / 2
            returned[ceiling & part.all(axis=1)] = 0.0
        hole = np.where(ceiling, self._over(at[:, :2]), -1)
        through = hole >= 0
        returned[through], way[through] = 1.0, self.way[here[through]]
        at[ceiling, 2] = np.where(through, 0.0, -1e-9)[ceiling]
        at[~aside & ~up, 2] = self.floor + 1e-9
        self._store(here, at, way, returned, np.where(through, hole, _CHAMBER))

    def _hole(self, here: NDArray[np.intp], at: Floats, way: Floats) -> None:
        middle, radius = np.hsplit(self.holes[self.where[here]], [2])
        apart, flat = at[:, :2] - middle, way[:, :2]
        a, b = (flat**2).sum(axis=1), (apart * flat).sum(axis=1)
        c = (apart**2).sum(axis=1) - radius[:, 0] ** 2 / 4
        wall = np.maximum(0, -b + np.sqrt(np.maximum(b * b - a * c, 0))) / np.maximum(a, 1e-12)
        up = way[:, 2] > 0
        level = (np.where(up, cell.BOARD_MM, 0.0) - at[:, 2]) / way[:, 2]
        at = at + way * np.minimum(wall, level)[:, None]
        aside, film = wall < level, up & (wall >= level)
        inward = (middle - at[:, :2]) / (radius / 2)
        way[aside] = self._lambert_about(inward[aside])
        at[aside, :2] += inward[aside] * 1e-9
        returned = np.where(aside, self.paint.drilled, 1.0)
        through = film & self._passes(len(here))
        way[film] = self._lambert(int(film.sum()), np.where(through[film], 1.0, -1.0))
        returned[film] = self.paint.film_passes + self.paint.film_returns
        at[film & ~through, 2] = cell.BOARD_MM - 1e-9
        to = np.where(aside | (film & ~through), self.where[here], np.where(film, _COVER, _CHAMBER))
        at[to == _CHAMBER, 2] = -1e-9
        self._store(here, at, way, returned, to)

    def _cover(self, here: NDArray[np.intp], at: Floats, way: Floats) -> None:
        up = way[:, 2] > 0
        level = (np.where(up, self.top, cell.BOARD_MM) - at[:, 2]) / way[:, 2]
        at = at + way * level[:, None]
        own = (at[:, :2] @ _NORMALS.T < cell.PITCH_MM / 2).all(axis=1)
        out = up & (self.chance.random(len(here)) >= _fresnel(way[:, 2]))
        seen = out & own
        self.out.append(np.column_stack((at[seen, :2], self.share[here[seen]])))
        way[up, 2] *= -1
        hole = np.where(up, -1, self._over(at[:, :2]))
        through = (hole >= 0) & self._passes(len(here))
        way[~up] = self._lambert(int((~up).sum()), np.where(through[~up], -1.0, 1.0))
        paint = self.paint
        film = paint.film_returns + paint.film_passes
        onto_mask = paint.film_returns + paint.film_passes**2 * paint.mask / (
            1 - paint.film_returns * paint.mask
        )
        returned = np.where(up, 1.0, np.where(hole >= 0, film, onto_mask))
        returned[out | ~own] = 0.0
        self._store(here, at, way, returned, np.where(through, hole, _COVER))

    def _passes(self, count: int) -> NDArray[np.bool_]:
        returns, passes = self.paint.film_returns, self.paint.film_passes
        return self.chance.random(count) < passes / (passes + returns)

    def _store(self, here: Any, at: Floats, way: Floats, returned: Floats, to: Any) -> None:
        self.at[here], self.way[here], self.where[here] = at, way, to
        self.share[here] *= returned


def _fresnel(cosine: Floats) -> Floats:
    """Return how much unpolarised light stays inside acrylic; all of it beyond 42 degrees."""
    cosine = np.abs(cosine)
    sine = ACRYLIC_INDEX * np.sqrt(1 - cosine**2)
    other = np.sqrt(np.maximum(1 - sine**2, 0))
    across = (ACRYLIC_INDEX * cosine - other) / (ACRYLIC_INDEX * cosine + other)
    along = (ACRYLIC_INDEX * other - cosine) / (ACRYLIC_INDEX * other + cosine)
    return np.where(sine >= 1, 1.0, (across**2 + along**2) / 2)
