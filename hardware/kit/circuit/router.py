"""Find the tracks of a board with two layers.

Owns the order of things: which copper is joined to which, and ways that are sought again and again
until none is too near to another (negotiated congestion: PathFinder, McMurchie and Ebeling 1995).
What is asked and answered is in `problem`. Must not know where the parts of a board come from.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import CLEARANCE_MM, EDGE_MM, Track, Via
from hardware.kit.circuit.congestion import VIA_COST_MM, Congestion
from hardware.kit.circuit.grid import LAYERS, Grid, box_of
from hardware.kit.circuit.problem import Bar, Copper, Disc, Problem, Routing
from hardware.kit.circuit.search import find
from hardware.kit.circuit.smoothing import Run, Smoother
from hardware.kit.circuit.space import Space
from hardware.kit.drawing import Box
from hardware.kit.errors import KitError

__all__ = ["Bar", "Copper", "Disc", "Problem", "Routing", "route"]

_STEPS_MM = (1.27, 0.635)
"""The grids that are tried. A pitch of pins is two steps; on the coarse grid tracks lie apart."""
_ROUNDS = 40
_FIRST_PRESSURE = 1.0
_MORE_PRESSURE = 1.6
_MOST_PRESSURE = 200.0
_FORBIDDEN = 1e6
_SHYNESS = 0.3
_TIDY_ROUNDS = 2
_MARGIN_MM = 15.0
_WIDER_MM = 5.0


class _NoWayError(Exception):
    """There is no way for a net on this grid."""


@dataclass(slots=True)
class _Way:
    """Two pieces of copper of one net, and the nodes from one to the other."""

    start: Copper
    end: Copper
    nodes: list[int] = field(default_factory=list)

    @property
    def net(self) -> str:
        return self.start.net


def route(problem: Problem) -> Routing:
    """Join the copper of each net with tracks and vias.

    Raises KitError that names a net for which there is no way.
    """
    ways = _ways(problem)
    fault = ""
    for step_mm in _STEPS_MM:
        grid = Grid(problem, step_mm)
        congestion = Congestion(grid)
        try:
            _negotiate(ways, grid, congestion)
        except _NoWayError as no_way:
            fault = str(no_way)
            continue
        _shorten(ways, grid, congestion)
        return _drawn(problem, ways, grid, congestion)
    raise KitError(fault)


def _ways(problem: Problem) -> list[_Way]:
    """Choose which copper to join: the shortest ways that make one piece of each net."""
    nets: dict[str, list[Copper]] = {}
    for copper in problem.coppers:
        if copper.net:
            nets.setdefault(copper.net, []).append(copper)
    ways = [way for coppers in nets.values() for way in _tree(coppers)]
    return sorted(ways, key=lambda way: _apart(way.start, way.end))


def _tree(coppers: Sequence[Copper]) -> Iterator[_Way]:
    joined = coppers[0]
    nearest = {n: (_apart(joined, each), joined) for n, each in enumerate(coppers) if n}
    while nearest:
        number = min(nearest, key=lambda n: nearest[n][0])
        _, start = nearest.pop(number)
        joined = coppers[number]
        yield _Way(start, joined)
        for other, (apart, _) in nearest.items():
            if (now := _apart(joined, coppers[other])) < apart:
                nearest[other] = now, joined


def _apart(start: Copper, end: Copper) -> float:
    """Measure about how long a way between two pieces of copper will be."""
    across = abs(start.shape.at.x - end.shape.at.x)
    up = abs(start.shape.at.y - end.shape.at.y)
    for shape in (start.shape, end.shape):
        if isinstance(shape, Bar):
            across = max(across - shape.width_mm / 2, 0.0)
            up = max(up - shape.height_mm / 2, 0.0)
    apart = hypot(across, up)
    for shape in (start.shape, end.shape):
        if isinstance(shape, Disc):
            apart -= shape.outer_mm / 2
    return max(apart, 0.0) + (0.0 if start.sides & end.sides else VIA_COST_MM)


def _negotiate(ways: list[_Way], grid: Grid, congestion: Congestion) -> None:
    for way in ways:
        way.nodes = []
    waiting = ways
    pressure = _FIRST_PRESSURE
    for count in range(_ROUNDS):
        for way in waiting:
            if way.nodes and not congestion.crowds(way.net, way.nodes):
                continue
            _seek(way, grid, congestion, pressure, _MARGIN_MM + count * _WIDER_MM)
        waiting = []
        for way in ways:
            crowds = congestion.crowds(way.net, way.nodes)
            if crowds:
                congestion.remember(crowds)
                waiting.append(way)
        if not waiting:
            return
        pressure = min(pressure * _MORE_PRESSURE, _MOST_PRESSURE)
    nets = ", ".join(f'"{net}"' for net in dict.fromkeys(way.net for way in waiting))
    raise _NoWayError(
        f"the tracks of {nets} are in each other's way after {_ROUNDS} rounds: allowed are nets"
        " for which there is room"
    )


def _shorten(ways: list[_Way], grid: Grid, congestion: Congestion) -> None:
    """Route each net once more around all others, whose routes are known now."""
    congestion.forget()
    for way in ways * _TIDY_ROUNDS:
        old = way.nodes
        _seek(way, grid, congestion, _FORBIDDEN, _MARGIN_MM, _SHYNESS)
        if congestion.crowds(way.net, way.nodes):
            congestion.take(way.net, way.nodes)
            congestion.put(way.net, old)
            way.nodes = old


def _seek(
    way: _Way,
    grid: Grid,
    congestion: Congestion,
    pressure: float,
    margin_mm: float,
    shyness: float = 0.0,
) -> None:
    if way.nodes:
        congestion.take(way.net, way.nodes)
    boxes = box_of(way.start.shape), box_of(way.end.shape)
    box = Box.around(boxes[0].corners + boxes[1].corners)
    for patch in (grid.patch(box.grown(margin_mm)), grid.whole):
        found = find(congestion.field(way.start, way.end, patch, pressure, shyness))
        if found is not None:
            way.nodes = [grid.number(node, patch) for node in found]
            congestion.put(way.net, way.nodes)
            return
    raise _NoWayError(
        f'there is no way for the track of "{way.net}" from {_named(way.start)} to'
        f" {_named(way.end)}: allowed is copper that a track can reach"
    )


def _named(copper: Copper) -> str:
    at = copper.shape.at
    return f"({at.x:g}, {at.y:g})"


def _drawn(problem: Problem, ways: list[_Way], grid: Grid, congestion: Congestion) -> Routing:
    """Make smooth tracks of the ways, and check each of them exactly."""
    space = Space(problem)
    runs = [_runs(way, grid) for way in ways]
    for number, way in enumerate(ways):
        _add(space, number, way.net, runs[number])
    smoother = Smoother(space, congestion.weight)
    for number, way in (*enumerate(ways), *enumerate(ways)):
        space.remove(number, (at for run in runs[number] for at in run.points))
        smooth = [smoother.smooth(way.net, run) for run in runs[number]]
        if len(smooth) == 1:
            smooth = [smoother.straightened(smooth[0], way.start, way.end)]
        runs[number] = smooth
        _add(space, number, way.net, smooth)
    tracks, vias = [], {}
    for way, pieces in zip(ways, runs, strict=True):
        for run in pieces:
            for start, end in pairwise(run.points):
                if not space.track_is_free(way.net, run.side, start, end):
                    raise KitError(_too_near(way.net, start))
            if len(run.points) > 1:
                tracks.append(Track(way.net, run.side, run.points))
        for run in pieces[1:]:
            at = run.points[0]
            if not space.via_is_free(way.net, at):
                raise KitError(_too_near(way.net, at))
            vias[way.net, at] = Via(way.net, at)
    return Routing(tuple(tracks), tuple(vias.values()))


def _runs(way: _Way, grid: Grid) -> list[Run]:
    """Cut a way where it changes sides."""
    size = grid.rows * grid.columns
    runs: list[Run] = []
    layer = -1
    for node in way.nodes:
        if node // size != layer:
            layer = node // size
            runs.append(Run(LAYERS[layer], ()))
        runs[-1] = Run(LAYERS[layer], (*runs[-1].points, grid.point(node)))
    return runs


def _add(space: Space, number: int, net: str, runs: Sequence[Run]) -> None:
    for run in runs:
        space.add_track(number, net, run.side, run.points)
    for run in runs[1:]:
        space.add_via(number, net, run.points[0])


def _too_near(net: str, at: Point) -> str:
    return (
        f'the track of "{net}" at ({at.x:g}, {at.y:g}) is too near to other copper or to an edge:'
        f" allowed are {CLEARANCE_MM:g} and {EDGE_MM:g} mm"
    )
