"""Pictures of a board by Mitsuba: a lit cell with its stone, the lit board, the exploded case.

`python -m hardware.case.picture BOARD [FOLDER [SAMPLES]]`. Without a folder it computes the share
of a cell's light that leaves beside a stone, by path tracing through the slabs of `solids`. Needs
LLVM, 16 or later: DRJIT_LIBLLVM_PATH names its library.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, pairwise, product
from math import pi, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mitsuba as mi
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from shapely import Point, Polygon, constrained_delaunay_triangles, union_all
from shapely.affinity import scale
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient

from hardware.board import cell
from hardware.board.circuit import led_spot
from hardware.board.plan import PLANS, Plan, Spot
from hardware.case.case import lines
from hardware.case.prints import marks
from hardware.case.solids import FLOOR_MM, TOP_MM, Slab, boxes, chamber, solids

mi.set_variant("llvm_ad_rgb")
T = mi.ScalarTransform4f()

Floats = NDArray[np.float32]
Colour = tuple[float, float, float]
Scene = dict[str, Any]
Triangles = list[tuple[tuple[float, float, float], ...]]

ORANGE, BLUE = (1.0, 0.33, 0.03), (0.08, 0.36, 1.0)
WOOD, DARK, BLACK = (0.28, 0.17, 0.09), (0.16, 0.13, 0.11), (0.02, 0.02, 0.02)
COVER_MM = TOP_MM + cell.COVER_MM
ACRYLIC_INDEX = 1.49
CHAMBER, MASK, DRILLED, FILM_RETURNS, FILM_PASSES = 0.85, 0.75, 0.5, 0.35, 0.6
"""Reflectance of surfaces, and transmittance of the film: assumed, until a coupon is measured.

Published measurements give 0.85 to 0.92 for white PLA or matt white paint, and 0.7 to 0.8 for white
solder mask; we found none for a drilled wall of FR4."""
LIGHT_HOLE_MM = 4.0
CLEAR = {"type": "dielectric", "int_ior": ACRYLIC_INDEX, "ext_ior": 1.0}
_PATH = {"type": "path", "max_depth": 200, "rr_depth": 10}
_PASSES = 8
_REACH_MM, _DOTS, _FINE_DOTS, _POWER = 32, 4, 8, 7000.0
"""Radius of a cell's computed light in mm, dots per mm of light and of print, radiance."""
_ALIKE = 0.015
"""Squared difference of two colours, each 0 to 1, up to which it counts as noise."""
_FOLDER, _NUMBER = TemporaryDirectory(), count()


def share(plan: Plan, name: str, foot_mm: float, matt: bool = False) -> float:
    """Return the share of an LED's light that leaves its cell beside a centred opaque stone."""
    at = plan.cells[name]
    seen = chamber(plan, at) - Point(at.x, at.y).buffer(foot_mm / 2, quad_segs=64)
    meter = _shape(_caps(seen, COVER_MM + 0.3, up=False), BLACK)
    meter["sensor"] = {
        "type": "irradiancemeter",
        "sampler": {"type": "independent", "sample_count": 2**21},
        "film": {"type": "hdrfilm", "width": 1, "height": 1, "rfilter": {"type": "box"}},
    }
    scene = {"type": "scene", "integrator": _PATH, "meter": meter, **_unlit(plan, matt)}
    scene |= _led(plan, name)
    loaded = mi.load_dict(scene)
    irradiance = float(np.mean(np.array(mi.render(loaded, sensor=loaded.sensors()[0]))))
    return irradiance * seen.area / pi


def _led(plan: Plan, name: str) -> Scene:
    """Return an LED of 1 mm2 with a radiance of 1, and its body."""
    spot, (wide, deep, high) = led_spot(plan, name), cell.LED_SIZE_MM
    led = _shape(_caps(_rectangle(spot, 1.0, 1.0), -high - 0.001, up=False), 0.0)
    led["emitter"] = {"type": "area", "radiance": 1.0}
    body = _whole([Slab(_rectangle(spot, wide, deep), -high, 0.0)])
    return {"led": led, "body": _shape(body, 0.0)}


def _unlit(plan: Plan, matt: bool = False) -> Scene:
    """Return cover, film, board, lattice and floor."""
    found, drilled = solids(plan), _drilled(plan)
    both = FILM_PASSES + FILM_RETURNS
    film = {
        "type": "principledthin",
        "base_color": {"type": "rgb", "value": both},
        "diff_trans": 2 * FILM_PASSES / both,
        "roughness": 1.0,
        "eta": 1.001,
    }
    cover = found["cover"][0]
    lattice = [
        slab for each, slabs in found.items() if each.startswith("lattice") for slab in slabs
    ]
    return {
        # A film glued below the cover leaves no air gap, so the cover has no lower face then.
        "cover": _shape(_whole([cover]) if matt else _top(cover), CLEAR),
        "film": _shape(_caps(cover.area, COVER_MM + 0.2 if matt else TOP_MM), film),
        "mask": _shape(_caps(drilled, cell.BOARD_MM) + _caps(drilled, 0.0, up=False), MASK),
        "drilled": _shape(_sides(Slab(drilled, 0.0, cell.BOARD_MM)), DRILLED),
        "lattice": _shape(_whole(lattice), CHAMBER),
        "floor": _shape(_caps(found["base"][0].area, FLOOR_MM), CHAMBER),
    }


def _drilled(plan: Plan) -> BaseGeometry:
    return Polygon(plan.outline) - union_all(_holes(plan))


def _holes(plan: Plan) -> list[Polygon]:
    """List all holes for light."""
    holes = [
        (at.x + x, at.y + y, d) for at in plan.pads.values() for x, y, d in cell.holes(at.turn)
    ]
    lone = [at for name, at in plan.lights.items() if name.removesuffix(".0") not in plan.pads]
    holes += [(at.x, at.y, LIGHT_HOLE_MM) for at in lone]
    return [Point(x, y).buffer(d / 2) for x, y, d in holes]


def _rectangle(spot: Spot, wide: float, deep: float) -> BaseGeometry:
    ends = ((-wide, -deep), (-wide, deep), (wide, deep), (wide, -deep))
    return Polygon([spot.at(x / 2, y / 2)[:2] for x, y in ends])


def _caps(area: BaseGeometry, z: float, up: bool = True) -> Triangles:
    """Return an area's triangles at a height, with y pointing up from here on."""
    cut = constrained_delaunay_triangles(scale(area, 1, -1, origin=(0, 0))).geoms
    turned = [orient(each, 1.0 if up else -1.0) for each in cut if isinstance(each, Polygon)]
    return [tuple((x, y, z) for x, y in each.exterior.coords[:3]) for each in turned]


def _sides(slab: Slab) -> Triangles:
    found: Triangles = []
    area, low, high = scale(slab.area, 1, -1, origin=(0, 0)), slab.low, slab.high
    for polygon in (orient(each, 1.0) for each in getattr(area, "geoms", [area])):
        for ring in (polygon.exterior, *polygon.interiors):
            for (x, y), (u, v) in pairwise(ring.coords):
                found.append(((x, y, low), (u, v, low), (u, v, high)))
                found.append(((x, y, low), (u, v, high), (x, y, high)))
    return found


def _top(slab: Slab) -> Triangles:
    return _caps(slab.area, slab.high) + _sides(slab)


def _whole(slabs: Iterable[Slab], lift: float = 0.0) -> Triangles:
    lifted = [Slab(slab.area, slab.low + lift, slab.high + lift) for slab in slabs]
    sides = [triangle for slab in lifted for triangle in _sides(slab)]
    ends = [
        (slab.area, z, up) for slab in lifted for z, up in ((slab.low, False), (slab.high, True))
    ]
    return sides + [triangle for end in ends for triangle in _caps(*end)]


def _shape(triangles: Triangles, look: Any) -> Scene:
    """Return a Mitsuba shape of triangles; `look` is a BSDF, a colour or a grey."""
    path = Path(_FOLDER.name) / f"{next(_NUMBER)}.obj"
    points = [f"v {x:.4f} {y:.4f} {z:.4f}" for each in triangles for x, y, z in each]
    faces = [f"f {n} {n + 1} {n + 2}" for n in range(1, len(points), 3)]
    path.write_text("\n".join((*points, *faces)) + "\n", encoding="ascii")
    if not isinstance(look, dict):
        value = list(look) if isinstance(look, tuple) else look
        diffuse = {"type": "diffuse", "reflectance": {"type": "rgb", "value": value}}
        look = {"type": "twosided", "bsdf": diffuse}
    return {"type": "obj", "filename": str(path), "face_normals": True, "bsdf": look}


def _glow(plan: Plan, lit: Mapping[str, Colour]) -> Floats:
    """Return the film's radiance below the cover, seen from above, rendered light by light."""
    spots, rim, unlit = {**plan.lights, **plan.cells}, _REACH_MM * _DOTS, _unlit(plan)
    wide, high = (_DOTS * round(2 * half) for half in plan.half)
    light = np.zeros((high + 2 * rim, wide + 2 * rim, 3), np.float32)
    for name, colour in lit.items():
        at = spots[name]
        view = T.look_at([at.x, -at.y, 200], [at.x, -at.y, 0], [0, 1, 0])
        view = view @ mi.ScalarTransform4f().scale([_REACH_MM, _REACH_MM, 1])
        sensor = {"type": "orthographic", "to_world": view, "film": _film(2 * rim, 2 * rim)}
        row, column = (
            round((c + half) * _DOTS) for c, half in zip((at.y, at.x), plan.half[::-1], strict=True)
        )
        tile = _rendered(unlit | _led(plan, name) | {"sensor": sensor}, 128)
        light[row : row + 2 * rim, column : column + 2 * rim] += tile * colour
    # Light that leaves acrylic straight up spreads over n**2 times the solid angle, and loses 4 %.
    lost = ((ACRYLIC_INDEX - 1) / (ACRYLIC_INDEX + 1)) ** 2
    return light[rim:-rim, rim:-rim] * _POWER * ACRYLIC_INDEX**2 / (1 - lost)


def _sheet(plan: Plan, height: float) -> Scene:
    """Return the film on the white board, where unlit holes are darker, with the print."""
    x, y = plan.half
    image = Image.new("L", (round(2 * x * _FINE_DOTS), round(2 * y * _FINE_DOTS)), 184)
    pen = ImageDraw.Draw(image)

    def dots(points: Iterable[Sequence[float]], way: float = 1) -> list[tuple[float, float]]:
        return [((p[0] + x) * _FINE_DOTS, (way * p[1] + y) * _FINE_DOTS) for p in points]

    for hole in _holes(plan):
        pen.polygon(dots(hole.exterior.coords), fill=128)
    windows: Any = Polygon(plan.outline) - solids(plan)["film"][0].area
    for window in windows.geoms:
        pen.polygon(dots(window.exterior.coords), fill=20)
    for line in (line for mark in marks(plan) for line in lines(mark)):
        pen.line(dots(line, -1), fill=25, width=3)
    grey = np.asarray(image, np.float32)[..., None].repeat(3, axis=2) / 255
    place = mi.ScalarTransform4f().translate([0, 0, height])
    return {
        "type": "rectangle",
        "to_world": place @ mi.ScalarTransform4f().scale([x, y, 1]),
        "bsdf": {"type": "diffuse", "reflectance": _bitmap(grey)},
    }


def _bitmap(image: NDArray[Any]) -> Scene:
    """Return a texture, flipped, since a rectangle has its first row at the bottom."""
    return {"type": "bitmap", "bitmap": mi.Bitmap(image[::-1].astype(np.float32)), "raw": True}


def _film(wide: int, high: int) -> Scene:
    return {"type": "hdrfilm", "width": wide, "height": high, "rfilter": {"type": "gaussian"}}


def _rendered(scene: Scene, samples: int) -> Floats:
    """Render in passes; clip values of a pass that are far above the median of all passes."""
    each = samples // _PASSES
    even = {"sampler": {"type": "multijitter", "sample_count": each}}
    scene = scene | {"sensor": scene["sensor"] | even}
    loaded = mi.load_dict({"type": "scene", "integrator": _PATH, **scene})
    passes = [np.array(mi.render(loaded, spp=each, seed=n))[..., :3] for n in range(_PASSES)]
    usual = np.median(passes, axis=0)
    light: Floats = np.mean(np.minimum(passes, 3 * usual + 0.5 * usual.mean()), axis=0)
    return light


def played(plan: Plan) -> Scene:
    """Return the scene of a game of Circle of Life: Orange's key has just eaten a blue triangle,
    which is to be taken off."""
    red, dim = (1.0, 0.05, 0.05), (0.5, 0.16, 0.015)
    lit = {"b2": red, "c2": red, "c3": red, "b3": dim, "b4": dim, "c4": dim, "d4": ORANGE}
    lit |= {"turn1.0": ORANGE, "circle.5": dim, "score2.0": BLUE}
    lit |= {f"score1.{n}": ORANGE for n in range(3)}
    found, film = solids(plan), _sheet(plan, TOP_MM)
    film["emitter"] = {"type": "area", "radiance": _bitmap(_glow(plan, lit))}
    things = _room(0.23) | {"film": film, "cover": _shape(_top(found["cover"][0]), CLEAR)}
    things |= {name: _shape(_whole(found[name]), look) for name, look in _outside(found).items()}
    for names, colour in ((ORANGES, ORANGE), (BLUES, BLUE)):
        look = {"type": "plastic", "diffuse_reflectance": {"type": "rgb", "value": list(colour)}}
        stones = [slab for name in names.split() for slab in _stone(plan.cells[name])]
        things[names] = _shape(_whole(stones), look)
    return things


ORANGES = "b1 b3 b4 c4 d4 f1 f2 f4 f6 g2 g6 h2 i3"
BLUES = "a3 b6 d5 d8 e5 e6 e9 f5 f8 h3 b2 c2 c3"


def _outside(found: Iterable[str]) -> dict[str, Colour]:
    names = [name for name in found if name.startswith(("wall", "base", "foot"))]
    return {name: BLACK if name.startswith("foot") else WOOD for name in names}


def _stone(at: Spot) -> list[Slab]:
    """Return a stone on the cover, 7 mm high, with a foot of 17 mm and a round rim."""
    steps = np.sin(np.linspace(-pi / 2, pi / 2, 41))
    rounds = [
        max(cell.FOOT_MM) / 2 + 1.6 * sqrt(1 - ((a + b) / 2) ** 2) for a, b in pairwise(steps)
    ]
    ends = [COVER_MM + 3.5 + 3.5 * float(step) for step in steps]
    return [
        Slab(Point(at.x, at.y).buffer(radius, quad_segs=24), low + 0.002, high + 0.002)
        for radius, (low, high) in zip(rounds, pairwise(ends), strict=True)
    ]


def exploded(plan: Plan) -> Scene:
    """Return the scene of an exploded case, with its layers lifted apart."""
    found, lifts = solids(plan), {"wall": 120, "lattice": 120, "base": 0, "foot": -40}
    looks = _outside(found) | dict.fromkeys(
        (name for name in found if name.startswith("lattice")), (0.85, 0.85, 0.85)
    )
    things = _room(0.45, (0.5, 0.5, 0.48), below=40)
    for name, look in looks.items():
        things[name] = _shape(_whole(found[name], lifts[name.partition("-")[0]]), look)
    things["floor"] = _shape(_caps(found["base"][0].area, FLOOR_MM + 0.05), CHAMBER)
    thin = {"type": "thindielectric", "int_ior": ACRYLIC_INDEX}
    things["cover"] = _shape(_whole(found["cover"], 430), thin)
    things["film"] = _sheet(plan, TOP_MM + 350)
    board, *parts = boxes(plan).values()
    board = board._replace(area=_drilled(plan))
    # The white solder mask looks darker where no copper is below it.
    middle, half = cell.PAD_RADIUS_MM + cell.GUARD_GAP_MM / 2, cell.GUARD_GAP_MM / 2
    pads = [Point(at.x, at.y).buffer(middle).exterior.buffer(half) for at in plan.pads.values()]
    things["gaps"] = _shape(
        _caps(union_all(pads) & board.area, board.high + 240.02), (0.4, 0.46, 0.42)
    )
    things["board"] = _shape(_whole([board], 240), (0.72, 0.78, 0.74))
    things["parts"] = _shape(_whole(parts, 240), BLACK)
    return things


def _room(brightness: float, table: Colour = DARK, below: float = 0.0) -> Scene:
    """Return a table, dim ambient light, and a lamp behind the viewer's left shoulder."""
    lamp = T.look_at([-900, -500, 900], [0, 0, 0], [0, 0, 1]) @ mi.ScalarTransform4f().scale(900)
    bright = {"type": "area", "radiance": 3 * brightness}
    return {
        "sky": {"type": "constant", "radiance": brightness},
        "lamp": {"type": "rectangle", "to_world": lamp, "emitter": bright},
        "table": _shape(_caps(Point(0, 0).buffer(9000), -41.1 - below), table),
    }


VIEWS = {
    "board": (played, ([60, -480, 500], [4, -24, 0]), 36.5, (1200, 820)),
    "lit-cell": (played, ([-32, -160, 82], [-34, -62, 2]), 34, (900, 600)),
    "exploded-case": (exploded, ([430, -1150, 830], [0, 0, 166]), 23.5, (900, 1080)),
}


def main(board: str, folder: str = "", samples: str = "64") -> None:
    """Write all pictures; or print shares of light, with the film below the cover and on it."""
    plan = PLANS[board]()
    if not folder:
        for matt, foot in product((False, True), (0.0, max(cell.FOOT_MM))):
            beside = share(plan, "e5", foot, matt)
            print(f"film {'on' if matt else 'below'} the cover, beside {foot:g} mm: {beside:.4f}")
        return
    scenes = {scene: scene(plan) for scene in (played, exploded)}
    for name, (scene, camera, fov, (wide, high)) in VIEWS.items():
        view = T.look_at(*camera, [0, 0, 1])
        sensor = {"type": "perspective", "fov": fov, "to_world": view, "film": _film(wide, high)}
        light = _rendered(scenes[scene] | {"sensor": sensor}, int(samples))
        # Narkowicz' fit of the ACES film curve; the file is in sRGB.
        film = np.clip(light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14), 0, 1)
        path = str(Path(folder) / f"{name}.jpg")
        mi.util.write_bitmap(path, _smooth(film.astype(np.float32)), write_async=False, quality=88)


def _smooth(image: Floats) -> Floats:
    """Smooth noise by averaging near pixels of similar colours."""
    total, weights = np.zeros_like(image), np.float32(0)
    for shift in product(range(-2, 3), repeat=2):
        near = np.roll(image, shift, (0, 1))
        weight = np.exp(-((near - image) ** 2).sum(axis=2, keepdims=True) / _ALIKE)
        total, weights = total + weight * near, weights + weight
    return total / weights


if __name__ == "__main__":
    main(*sys.argv[1:])
