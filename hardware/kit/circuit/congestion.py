"""Who uses which nodes of the grid, and what a way through it costs.

Owns the present use, the memory of past crowds, and the prices made of both (PathFinder, McMurchie
and Ebeling 1995). Must not know how ways are found or in which order.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot, inf

import numpy as np
from numpy.typing import NDArray

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import (
    CLEARANCE_MM,
    EDGE_MM,
    GROUND,
    TRACK_MM,
    VIA_DRILL_MM,
    VIA_MM,
    Side,
)
from hardware.kit.circuit.grid import (
    ANYBODY,
    DIRECTIONS,
    LAYERS,
    Flags,
    Floats,
    Grid,
    Patch,
    box_of,
)
from hardware.kit.circuit.problem import Copper, Disc
from hardware.kit.circuit.search import AROUND, DIAGONAL, Field

VIA_COST_MM = 6.0
"""Length of track that costs as much as a via."""
_NEAR_PAD = 3.0
"""A track under a pad of another net, or beside it, feels what is above that pad."""
_ON_TOP = 3.0
"""A track on the top feels fingers, unless it is the ground."""

_TRACKS = TRACK_MM + CLEARANCE_MM
_TRACK_AND_VIA = TRACK_MM / 2 + CLEARANCE_MM + VIA_MM / 2
_VIAS = VIA_MM + CLEARANCE_MM
_HOLES = VIA_DRILL_MM + EDGE_MM
"""Between the middles of two vias of one net, which may touch but for their holes."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a way takes from ways of other nets.

    Nodes where they cannot have a track, places where they cannot have a via, and squares of the
    grid that a diagonal crosses.
    """

    tracks: Counter[int] = field(default_factory=Counter)
    vias: Counter[int] = field(default_factory=Counter)
    squares: Counter[int] = field(default_factory=Counter)

    def parts(self) -> tuple[Counter[int], Counter[int], Counter[int]]:
        """Give all that is claimed."""
        return self.tracks, self.vias, self.squares


class Congestion:
    """Hold the ways that are on a grid at present."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._size = grid.rows * grid.columns
        self._tracks = np.zeros(2 * self._size, np.int32)
        self._vias = np.zeros(self._size, np.int32)
        self._squares = np.zeros(2 * self._size, np.int32)
        self._past_tracks = np.zeros(2 * self._size, np.float64)
        self._past_vias = np.zeros(self._size, np.float64)
        self._own: dict[str, Claim] = {}
        self._own_vias: dict[str, Counter[int]] = {}
        self._by_track = self._offsets(_TRACKS)
        self._by_both = self._offsets(_TRACK_AND_VIA)
        self._by_via = self._offsets(_VIAS)
        self._by_hole = self._offsets(_HOLES)

    def put(self, net: str, way: Sequence[int]) -> None:
        """Put a way of a net on the grid."""
        self._change(net, way, 1)

    def take(self, net: str, way: Sequence[int]) -> None:
        """Take a way of a net from the grid."""
        self._change(net, way, -1)

    def crowds(self, net: str, way: Sequence[int]) -> list[int]:
        """List the nodes in which a way of a net is too near to ways of others."""
        own = self._own.get(net) or Claim()
        found = [node for node in way if self._tracks[node] > own.tracks[node]]
        for start, end in pairwise(way):
            if self._is_via(start, end):
                place = start % self._size
                if self._vias[place] > own.vias[place]:
                    found.append(start)
                continue
            square = self._square(start, end)
            if square is not None and self._squares[square] > own.squares[square]:
                found.append(end)
        return found

    def remember(self, nodes: Iterable[int]) -> None:
        """Make nodes dearer for good."""
        for node in nodes:
            self._past_tracks[node] += 1.0
            self._past_vias[node % self._size] += 1.0

    def forget(self) -> None:
        """Drop the memory of all past crowds."""
        self._past_tracks[:] = 0.0
        self._past_vias[:] = 0.0

    def weight(self, net: str, side: Side, at: Point) -> float:
        """Give what a millimetre of a net's track costs, on a side and at a place."""
        pad = self._grid.pads[LAYERS.index(side)].item(self._grid.nearest(at))
        near = 1.0 if pad in {ANYBODY, self._grid.nets[net]} else _NEAR_PAD
        return near * _ON_TOP if side is Side.TOP and net != GROUND else near

    def field(
        self, start: Copper, end: Copper, patch: Patch, pressure: float, shyness: float = 0.0
    ) -> Field:
        """Show a patch of the grid as it is for a way from some copper to other of the same net.

        Each way of another net that is too near multiplies the price by `pressure` once more, and
        one right beside makes it dearer by the part `shyness`.
        """
        net = start.net
        own = self._own.get(net) or Claim()
        tracks = self._foreign(self._tracks, own.tracks, patch)
        squares = self._foreign(self._squares, own.squares, patch)
        vias = self._foreign(self._vias, own.vias, patch)[0]
        past_tracks = self._cut(self._past_tracks, patch)
        past_vias = self._cut(self._past_vias, patch)[0]
        prices = self._base(net, patch) * (1 + past_tracks) * (1 + pressure * tracks)
        if shyness:
            prices *= 1 + shyness * _beside(tracks > 0)
        changes = VIA_COST_MM * (1 + past_vias) * (1 + pressure * vias)
        owners = self._grid.vias[patch.slices]
        changes[(owners != ANYBODY) & (owners != self._grid.nets[net])] = inf
        changes[self._beside_own_vias(net, patch)] = inf
        return Field(
            patch.shape[1],
            self._moves(net, patch).ravel().tolist(),
            prices.ravel().tolist(),
            changes.ravel().tolist(),
            (pressure * squares).ravel().tolist(),
            np.flatnonzero(self._grid.inside(start, patch)).tolist(),
            self._grid.inside(end, patch).ravel().tolist(),
            self._ahead(end, patch).ravel().tolist(),
        )

    def _offsets(self, limit_mm: float) -> list[int]:
        """List the nodes around a node that are nearer to it than a limit, itself among them."""
        near = [0]
        for across, up in AROUND:
            if self._grid.step_mm * hypot(across, up) < limit_mm:
                near.append(up * self._grid.columns + across)
        return near

    def _beside_own_vias(self, net: str, patch: Patch) -> Flags:
        beside = np.zeros(self._size, np.bool_)
        vias = list(self._own_vias.get(net, ()))
        for offset in self._by_hole:
            beside[[place + offset for place in vias]] = True
        beside[vias] = False
        shaped = beside.reshape(self._grid.rows, self._grid.columns)
        return shaped[patch.slices]

    def _change(self, net: str, way: Sequence[int], by: int) -> None:
        own = self._own.setdefault(net, Claim())
        counts = self._tracks, self._vias, self._squares
        claimed = self._claim(way).parts()
        for count, mine, claim in zip(counts, own.parts(), claimed, strict=True):
            for node in claim:
                count[node] += by
                mine[node] += by
                if not mine[node]:
                    del mine[node]
        vias = self._own_vias.setdefault(net, Counter())
        for start, end in pairwise(way):
            if self._is_via(start, end):
                vias[start % self._size] += by
        self._own_vias[net] = +vias

    def _claim(self, way: Sequence[int]) -> Claim:
        claim = Claim()
        size, half_diagonal = self._size, self._grid.step_mm / DIAGONAL
        for node in way:
            claim.tracks.update(node + offset for offset in self._by_track)
            claim.vias.update((node + offset) % size for offset in self._by_both)
        for start, end in pairwise(way):
            if self._is_via(start, end):
                place = start % size
                around = [place + offset for offset in self._by_both]
                claim.tracks.update(node + layer for node in around for layer in (0, size))
                claim.vias.update(place + offset for offset in self._by_via)
            elif (square := self._square(start, end)) is not None:
                claim.squares[square] += 1
                # Where a via beside it would be too near to it, it is so to its ends, too.
                if half_diagonal < _TRACKS:
                    claim.tracks.update(self._beside(start, end))
        return claim

    def _is_via(self, start: int, end: int) -> bool:
        return abs(start - end) == self._size

    def _square(self, start: int, end: int) -> int | None:
        """Give the lower left node of the square that a diagonal step crosses."""
        columns = self._grid.columns
        low, high = min(start, end), max(start, end)
        if high - low == columns + 1:
            return low
        return low - 1 if high - low == columns - 1 else None

    def _beside(self, start: int, end: int) -> tuple[int, int]:
        low, high = min(start, end), max(start, end)
        columns = self._grid.columns
        return low + columns, high - columns

    def _cut(self, values: NDArray[np.float64], patch: Patch) -> Floats:
        shaped = values.reshape(-1, self._grid.rows, self._grid.columns)
        return shaped[:, *patch.slices]

    def _foreign(self, counts: NDArray[np.int32], own: Counter[int], patch: Patch) -> Floats:
        nodes = np.fromiter(own.keys(), np.int64)
        less = np.fromiter(own.values(), np.int32)
        counts[nodes] -= less
        shaped = counts.reshape(-1, self._grid.rows, self._grid.columns)
        cut: Floats = shaped[:, *patch.slices].astype(np.float64)
        counts[nodes] += less
        return cut

    def _base(self, net: str, patch: Patch) -> Floats:
        pads = self._grid.pads[:, *patch.slices]
        free = (pads == ANYBODY) | (pads == self._grid.nets[net])
        prices: Floats = np.where(free, 1.0, _NEAR_PAD) * self._grid.step_mm
        if net != GROUND:
            prices[LAYERS.index(Side.TOP)] *= _ON_TOP
        return prices

    def _moves(self, net: str, patch: Patch) -> NDArray[np.uint8]:
        """Give for each node the set of steps that the net may take from it, a bit each."""
        owners = self._grid.steps[:, :, *patch.slices]
        may: Flags = (owners == ANYBODY) | (owners == self._grid.nets[net])
        moves = np.zeros(may.shape[1:], np.uint8)
        rows, columns = patch.shape
        for bit, (across, up) in enumerate(DIRECTIONS):
            # Both ends of a step lie in the patch.
            here = slice(0, rows - up), slice(max(0, -across), columns - max(0, across))
            there = slice(up, rows), slice(max(0, across), columns - max(0, -across))
            allowed = may[bit][:, *here].astype(np.uint8)
            moves[:, *here] |= allowed << bit
            moves[:, *there] |= allowed << (bit + len(DIRECTIONS))
        return moves

    def _ahead(self, end: Copper, patch: Patch) -> Floats:
        x, y = self._grid.places(patch)
        if isinstance(end.shape, Disc):
            away = np.hypot(x - end.shape.at.x, y - end.shape.at.y) - end.shape.outer_mm / 2
            away = np.maximum(away, 0.0)
        else:
            box = box_of(end.shape)
            across = np.maximum(np.maximum(box.left - x, x - box.right), 0.0)
            up = np.maximum(np.maximum(box.bottom - y, y - box.top), 0.0)
            low, high = np.minimum(across, up), np.maximum(across, up)
            away = high + (DIAGONAL - 1) * low
        return np.stack([away + (0 if side in end.sides else VIA_COST_MM) for side in LAYERS])


def _beside(used: Flags) -> Flags:
    """Tell which nodes are used, or next to such on the same layer."""
    rows = used.copy()
    rows[:, 1:] |= used[:, :-1]
    rows[:, :-1] |= used[:, 1:]
    near = rows.copy()
    near[:, :, 1:] |= rows[:, :, :-1]
    near[:, :, :-1] |= rows[:, :, 1:]
    return near
