"""The tracks of a board: prepares nets for the router, and draws the ways that it finds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt

import pcbnew

from hardware.board import cell
from hardware.board.drawing import Drawing, Point, at, chain
from hardware.board.field import INNER, LAYERS, Field, Reach
from hardware.board.routes import Net, Router, Way

MENDS = 12
"""How many times ways are searched again because they cut a plane."""
STITCH = 15
"""Steps between the vias that join the three layers of ground, where they fit."""
LARGE, VIAS = 4.0, 4
"""Pads of more than LARGE mm2 carry power: VIAS vias join each to its plane."""


@dataclass(frozen=True)
class Report:
    """The result of routing: the length of each electrode's track in mm, and nets without a way."""

    lengths_mm: Mapping[str, float]
    failed: tuple[str, ...]


Areas = Mapping[str, Sequence[Point]]


def route(drawing: Drawing, field: Field, areas: Areas) -> Report:
    """Find and draw all tracks; ground and nets with a plane get vias only."""
    return _Ways(drawing, field, areas).drawn()


class _Ways:
    def __init__(self, drawing: Drawing, field: Field, areas: Areas) -> None:
        self.drawing, self.field, self.grid = drawing, field, field.grid
        self.areas = areas
        self.extra: set[str] = set()
        """Vias beyond the first of a large pad: left out where there is no room."""
        self.planes = self._planes()
        self.nets = {net.name: net for net in self._nets()}
        self.router = Router(self.grid.columns, self.grid.rows, len(LAYERS))

    def drawn(self) -> Report:
        ways, failed = self.router.route(self.nets.values())
        for _ in range(MENDS):
            cuts = {
                cut for net, nodes in self.planes.items() for cut in self._cuts(ways, net, nodes)
            }
            if not cuts:
                break
            self.router.discourage(cuts)
            ways, failed = self.router.route(self.nets.values())
        if needless := failed & self.extra:
            self.router.forget(needless)
            chosen = [net for label, net in self.nets.items() if label not in needless]
            ways, failed = self.router.route(chosen)
        lengths = {}
        for label, way in ways.items():
            length = self._draw(way, _net_of(label))
            if label.startswith("E_"):
                lengths[label] = round(length, 1)
        self._stitch()
        return Report(lengths, tuple(sorted(failed)))

    def _nets(self) -> Iterator[Net]:
        """Yield the nets in the order of routing; names of a plane's nets end in a number."""
        field, area = self.field, self.grid.area
        # Outside the cells inner tracks cost more: the bottom has room, and planes stay whole.
        inner = bytearray(6 * flag for flag in field.quiet)
        for x, y, _ in self.drawing.electrodes.values():
            for node in self.grid.disc(x, y, cell.PITCH_MM / sqrt(3) + 0.4):
                inner[node] = min(inner[node], 2)
        open_cost = field.free + bytearray(2 * factor for factor in inner)
        quiet_cost = field.quiet + inner
        own: dict[str, dict[int, int]] = {}
        for node, net in field.owners.items():
            open_cost[node] = quiet_cost[node] = 0
            if net and field.free[node % area]:
                own.setdefault(net, {})[node] = 1 + node // area
        for name, pads in field.groups.items():
            if name == "GND" or name in self.areas:
                # An LED shares a via with its capacitor; nearly every ground pad has its own via.
                clusters = _clusters(pads, 1 if name == "GND" else 2)
                vias = self._vias_of(name)
                needed = len(clusters)
                clusters += [[pad] for pad in pads if pad.size > LARGE for _ in range(VIAS - 1)]
                for number, cluster in enumerate(clusters):
                    nodes = tuple(pad.nodes for pad in cluster)
                    label = f"{name} {number}"
                    if number >= needed:
                        self.extra.add(label)
                    yield Net(label, nodes, quiet_cost, own[name], vias, True)
        for electrodes in (True, False):
            for name, pads in field.groups.items():
                flat = name == "GND" or name in self.areas
                if not flat and name.startswith("E_") == electrodes:
                    cost = open_cost if electrodes else quiet_cost
                    nodes = tuple(pad.nodes for pad in pads)
                    yield Net(name, nodes, cost, own.get(name, {}), field.vias)

    def _vias_of(self, net: str) -> bytes:
        """Return a flag for each node: whether a via to the net's plane fits there."""
        if net == "GND":
            return bytes(self.field.vias)
        c, base, plane = self.grid.columns, INNER * self.grid.area, self.planes[net]
        return bytes(
            fits and all(base + node + step in plane for step in (0, -1, 1, -c, c))
            for node, fits in enumerate(self.field.vias)
        )

    def _planes(self) -> dict[str, set[int]]:
        """Return the nodes that each plane can cover; later areas are cut out of earlier ones."""
        base, taken = INNER * self.grid.area, set[int]()
        planes = {}
        for net, line in reversed(list(self.areas.items())):
            shape = pcbnew.SHAPE_POLY_SET()
            shape.AddOutline(chain(line))
            planes[net] = {
                base + node
                for node in range(self.grid.area)
                if self.field.quiet[node]
                and base + node not in self.field.owners
                and base + node not in taken
                and shape.Contains(at(*self.grid.place(node)))
            }
            taken |= planes[net]
        return planes

    def _cuts(self, ways: Mapping[str, Way], net: str, area: set[int]) -> set[int]:
        """Return the occupied nodes around parts of a plane that ways cut off from its largest."""
        router, base = self.router, INNER * self.grid.area
        own = {base + n for label, way in ways.items() if _net_of(label) == net for n in way.vias}
        copper = router.bare(area) | {to for node in own for to in (node, *router.beside(node))}
        parts, seen = [], set[int]()
        for start in sorted(own):
            if start in seen:
                continue
            part, todo = {start}, [start]
            while todo:
                fresh = [to for to in router.beside(todo.pop()) if to in copper and to not in part]
                part.update(fresh)
                todo += fresh
            seen |= part
            parts.append(part)
        parts.sort(key=len)
        rims = {to for part in parts[:-1] for node in part for to in router.beside(node)}
        return rims & area - copper

    def _draw(self, way: Way, net: str) -> float:
        length = 0.0
        for line in way.lines:
            corners = [
                node
                for k, node in enumerate(line)
                if k in (0, len(line) - 1) or line[k + 1] - node != node - line[k - 1]
            ]
            layer = LAYERS[line[0] // self.grid.area]
            length += self.drawing.track([self.grid.place(node) for node in corners], layer, net)
        for node in sorted(way.vias):
            self.drawing.via(*self.grid.place(node), net)
        return length

    def _stitch(self) -> None:
        """Join the layers of ground by vias all over the board, where they fit."""
        field = self.field
        for node in range(self.grid.area):
            row, column = divmod(node, self.grid.columns)
            on_lattice = row % STITCH == column % STITCH == 0
            if on_lattice and field.vias[node] and field.quiet[node] and self.router.via_fits(node):
                self.drawing.via(*self.grid.place(node), "GND")


def _net_of(label: str) -> str:
    return label.split(" ")[0]


def _clusters(groups: Iterable[Reach], reach_mm: float) -> list[list[Reach]]:
    """Group the pads of one net that can share a via."""
    clusters: list[list[Reach]] = []
    for pad in groups:
        near = [
            each
            for each in clusters
            if any(hypot(pad.x - other.x, pad.y - other.y) < reach_mm for other in each)
        ]
        clusters = [each for each in clusters if each not in near]
        clusters.append([pad, *(one for each in near for one in each)])
    return clusters
