"""Write a case's files: pieces for printers (STL), plates for lasers (DXF), the whole (STEP).

`python -m hardware.case.case hexagon-61 FOLDER`. In these files y points up, unlike in the plan.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import build123d as bd
import ezdxf
from shapely import MultiLineString, line_merge, unary_union
from shapely.geometry.base import BaseGeometry

from hardware.board.plan import PLANS, Plan
from hardware.case.prints import Words, marks
from hardware.case.solids import Slab, Solid, boxes, solids

PRINTED = ("lattice", "wall", "foot")
CAPITAL = 0.72
"""Height of a capital of the single-stroke engraving font, relative to its font size."""
CUT = ("cover", "film", "base")
COLOURS = {
    **{"cover": (0.8, 0.9, 1.0, 0.25), "film": (1.0, 1.0, 1.0, 0.6), "base": (0.45, 0.32, 0.22)},
    **{"lattice": (0.95, 0.95, 0.95), "wall": (0.45, 0.32, 0.22), "foot": (0.2, 0.2, 0.2)},
    "board": (0.9, 0.95, 0.9),
}


def solid(slabs: Iterable[Slab]) -> bd.Part:
    """Join slabs into one solid."""
    return bd.Part() + [bd.extrude(_sketch(s.area, s.low), s.high - s.low) for s in slabs]


def write(plan: Plan, folder: Path) -> list[Path]:
    """Write all files of a case into a folder, which is made; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    found = solids(plan)
    written = []
    for name in CUT:
        engraved = list(marks(plan)) if name == "cover" else []
        written.append(_plate(found[name], engraved, folder / f"{name}.dxf"))
    # Plates of 5 mm acrylic or MDF to stack, instead of printed pieces.
    for layer, level in (("lattice-lower", 0), ("lattice-upper", 1)):
        pieces = [slabs[level].area for name, slabs in found.items() if name.startswith("lattice")]
        joined = (
            unary_union(pieces).buffer(0.2, join_style="mitre").buffer(-0.2, join_style="mitre")
        )
        written.append(_plate((Slab(joined, 0, 5),), [], folder / f"{layer}.dxf"))
    shapes = {name: solid(slabs) for name, slabs in found.items()}
    for name, shape in shapes.items():
        if (name.startswith(PRINTED) and not name.startswith("foot-")) or name == "foot-1":
            path = folder / f"{name.replace('foot-1', 'foot')}.stl"
            bd.export_stl(bd.Rot(180, 0, 0) * shape if name.startswith("wall") else shape, path)
            written.append(path)
        shape.label, shape.color = name, bd.Color(*COLOURS[name.partition("-")[0]])
    parts = {name: solid([slab]) for name, slab in boxes(plan).items()}
    for name, part in parts.items():
        part.label, part.color = name, bd.Color(*COLOURS["board" if name == "board" else "foot"])
    bd.export_step(
        bd.Compound(label=plan.name, children=[*shapes.values(), *parts.values()]),
        folder / "case.step",
    )
    return [*written, folder / "case.step"]


def _sketch(area: BaseGeometry, height: float) -> bd.Sketch:
    faces = []
    for polygon in getattr(area, "geoms", [area]):
        outer, *holes = (
            bd.Wire.make_polygon([(x, -y, height) for x, y in ring.coords[:-1]])
            for ring in (polygon.exterior, *polygon.interiors)
        )
        faces.append(bd.Face(outer, holes))
    return bd.Sketch() + faces


def _plate(slabs: Solid, engraved: Iterable[BaseGeometry | Words], path: Path) -> Path:
    drawing = ezdxf.new("R2000", units=ezdxf.units.MM)
    drawing.layers.add("cut", color=1)
    drawing.layers.add("engrave", color=5)
    space = drawing.modelspace()
    for area in (each for slab in slabs for each in getattr(slab.area, "geoms", [slab.area])):
        for ring in (area.exterior, *area.interiors):
            space.add_lwpolyline(_up(ring.coords), close=True, dxfattribs={"layer": "cut"})
    for mark in engraved:
        for line in lines(mark):
            space.add_lwpolyline(line, dxfattribs={"layer": "engrave"})
    drawing.saveas(path)
    return path


def lines(mark: BaseGeometry | Words) -> Iterator[list[tuple[float, float]]]:
    """Yield the lines of a mark, with words in single strokes and y pointing up."""
    if not isinstance(mark, Words):
        yield _up(mark.coords)
        return
    across = bd.Align.MIN if mark.left else bd.Align.CENTER
    text = bd.Compound.make_text(
        mark.text,
        mark.height / CAPITAL,
        font="singleline",
        align=(across, bd.Align.CENTER),
        single_line_width=0,
    )
    strokes = [
        [(p.X + mark.x, p.Y - mark.y) for p in edge.positions([n / 4 for n in range(5)])]
        for edge in text.edges()
    ]
    merged = line_merge(MultiLineString(strokes))
    yield from (list(line.coords) for line in getattr(merged, "geoms", [merged]))


def _up(points: Iterable[tuple[float, ...]]) -> list[tuple[float, float]]:
    return [(x, -y) for x, y, *_ in points]


if __name__ == "__main__":
    for each in write(PLANS[sys.argv[1]](), Path(sys.argv[2])):
        print(each)
