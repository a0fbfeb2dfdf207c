"""Pictures of a board by Mitsuba: a lit cell with its stone, the lit board, the exploded case.

`python -m hardware.case.picture cell|board|exploded|share hexagon-61 FILE`. The meshes are the
slabs of `solids`, the materials those of `hardware.board.light`, whose share of light `share` here
works out again by path tracing. Needs LLVM, 16 or later: DRJIT_LIBLLVM_PATH names its library.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import cos, pi, radians, sin
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mitsuba as mi
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy.ndimage import rotate, zoom
from shapely import Point, Polygon, constrained_delaunay_triangles, union_all
from shapely.affinity import scale
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient

from hardware.board import cell
from hardware.board.circuit import led_spot
from hardware.board.light import ACRYLIC_INDEX, Paint
from hardware.board.plan import PLANS, Plan, Spot
from hardware.case.case import lines
from hardware.case.prints import marks
from hardware.case.solids import FLOOR_MM, TOP_MM, Slab, boxes, chamber, solids

mi.set_variant("llvm_ad_rgb")

LIGHT_HOLE_MM = 4.0
Floats = NDArray[np.float32]
Colour = tuple[float, float, float]
WHITE, RED = (1.0, 1.0, 1.0), (1.0, 0.05, 0.05)
ORANGE, BLUE = (1.0, 0.33, 0.03), (0.08, 0.36, 1.0)
WOOD, BLACK = (0.28, 0.17, 0.09), (0.02, 0.02, 0.02)
_LED_MM2 = 1.0
_FOLDER = TemporaryDirectory()


def share(plan: Plan, name: str, foot_mm: float = 0.0, samples: int = 2**21) -> float:
    """Return the share of a cell's LED that leaves over it, beside a middled opaque stone."""
    at = plan.cells[name]
    seen = chamber(plan, at) - Point(at.x, at.y).buffer(foot_mm / 2, quad_segs=64)
    meter = _mesh("meter", _caps(seen, TOP_MM + cell.COVER_MM + 0.01, up=False), BLACK)
    meter["sensor"] = {
        "type": "irradiancemeter",
        "sampler": {"type": "independent", "sample_count": samples},
        "film": {"type": "hdrfilm", "width": 1, "height": 1, "rfilter": {"type": "box"}},
    }
    scene = mi.load_dict(
        {"type": "scene", "integrator": _PATH, "meter": meter, **_board(plan, {name: WHITE})}
    )
    irradiance = float(np.mean(np.array(mi.render(scene, sensor=scene.sensors()[0]))))
    return irradiance * seen.area / (pi * _LED_MM2)


_PATH = {"type": "path", "max_depth": 200, "rr_depth": 10}


def _board(plan: Plan, lit: Mapping[str, Colour], power: float = 1.0) -> dict[str, Any]:
    """Return cover, film, board with its holes, lattice, base, walls, and LEDs that are lit."""
    paint, found = Paint(), solids(plan)
    holes = [Point(x, y).buffer(d / 2) for x, y, d in _holes(plan)]
    drilled = Polygon(plan.outline) - union_all(holes)
    film = {
        "type": "principledthin",
        "base_color": {"type": "rgb", "value": paint.film_passes + paint.film_returns},
        "diff_trans": 2 * paint.film_passes / (paint.film_passes + paint.film_returns),
        "roughness": 1.0,
        "eta": 1.001,
    }
    cover = found["cover"][0]
    clear = {"type": "dielectric", "int_ior": ACRYLIC_INDEX, "ext_ior": 1.0}
    things = {
        "cover": _mesh("cover", _caps(cover.area, cover.high) + _sides(cover), clear),
        "film": _mesh("film", _caps(found["film"][0].area, TOP_MM), film),
        "mask": _mesh(
            "mask", _caps(drilled, cell.BOARD_MM) + _caps(drilled, 0.0, up=False), paint.mask
        ),
        "drilled": _mesh("drilled", _sides(Slab(drilled, 0.0, cell.BOARD_MM)), paint.drilled),
        "floor": _mesh("floor", _caps(found["base"][0].area, FLOOR_MM), paint.chamber),
        "base": _mesh("base", _whole((found["base"][0]._replace(high=FLOOR_MM - 0.01),)), WOOD),
    }
    for name, slabs in found.items():
        if name.startswith(("lattice", "wall", "foot")):
            colour = {"l": (paint.chamber,) * 3, "w": WOOD, "f": BLACK}[name[0]]
            things[name] = _mesh(name, _whole(slabs), colour)
    for name, colour in lit.items():
        spot, key = led_spot(plan, name), name.replace(".", "-")
        wide, deep, high = cell.LED_SIZE_MM
        body = _rectangle(spot, wide, deep)
        things[f"body {key}"] = _mesh(f"body-{key}", _whole((Slab(body, -high, 0.0),)), 0.0)
        emitter = _mesh(
            f"led-{key}", _caps(_rectangle(spot, 1.0, _LED_MM2), -high - 0.001, up=False), 0.0
        )
        radiance = [power * c for c in colour]
        emitter["emitter"] = {"type": "area", "radiance": {"type": "rgb", "value": radiance}}
        things[f"led {key}"] = emitter
    return things


def _holes(plan: Plan) -> Iterator[tuple[float, float, float]]:
    """Yield x, y and diameter of all holes for light."""
    for at in plan.pads.values():
        yield from ((at.x + x, at.y + y, d) for x, y, d in cell.holes(at.turn))
    for name, at in plan.lights.items():
        if name.removesuffix(".0") not in plan.pads:
            yield at.x, at.y, LIGHT_HOLE_MM


def _rectangle(spot: Spot, wide: float, deep: float) -> BaseGeometry:
    ends = ((-wide, -deep), (-wide, deep), (wide, deep), (wide, -deep))
    return Polygon([spot.at(x / 2, y / 2)[:2] for x, y in ends])


Triangles = list[tuple[tuple[float, float, float], ...]]


def _caps(area: BaseGeometry, z: float, up: bool = True) -> Triangles:
    """Return an area's triangles at a height, with y pointing up from here on."""
    found: Triangles = []
    for triangle in constrained_delaunay_triangles(scale(area, 1, -1, origin=(0, 0))).geoms:
        if isinstance(triangle, Polygon):
            ends = orient(triangle, 1.0 if up else -1.0).exterior.coords[:3]
            found.append(tuple((x, y, z) for x, y in ends))
    return found


def _sides(slab: Slab) -> Triangles:
    found: Triangles = []
    area = scale(slab.area, 1, -1, origin=(0, 0))
    for polygon in getattr(area, "geoms", [area]):
        turned = orient(polygon, 1.0)
        for ring in (turned.exterior, *turned.interiors):
            ends = list(ring.coords)
            for (x, y), (u, v) in pairwise(ends):
                a, b, c, d = (
                    (x, y, slab.low),
                    (u, v, slab.low),
                    (u, v, slab.high),
                    (x, y, slab.high),
                )
                found += [(a, b, c), (a, c, d)]
    return found


def _whole(slabs: Iterable[Slab]) -> Triangles:
    found: Triangles = []
    for slab in slabs:
        found += _sides(slab) + _caps(slab.area, slab.low, up=False) + _caps(slab.area, slab.high)
    return found


def _mesh(
    name: str,
    triangles: Triangles,
    look: Any,
    smooth: bool = False,
    uv: Sequence[float] = (0.0, 0.0, 1.0, 1.0),
) -> dict[str, Any]:
    """Return a shape of these triangles; `look` is a BSDF, a colour or a grey.

    An image as a texture fills `uv`: x and y from and to in the plan, its first row at the top.
    """
    points = np.array(triangles, np.float32).reshape(-1, 3)
    points, numbers = np.unique(points.round(4), axis=0, return_inverse=True)
    numbers = numbers.reshape(-1, 3).astype(np.int32)
    numbers = numbers[[len(set(each)) == 3 for each in numbers.tolist()]]
    across = (points[:, 0] - uv[0]) / (uv[2] - uv[0])
    down = (-points[:, 1] - uv[1]) / (uv[3] - uv[1])
    points = np.column_stack((points, across, down))
    rows = np.zeros(len(numbers), [("n", "u1"), ("at", "<i4", 3)])
    rows["n"], rows["at"] = 3, numbers
    path = Path(_FOLDER.name) / f"{name.replace(' ', '-')}.ply"
    head = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n"
        + "".join(f"property float {each}\n" for each in "xyzuv")
        + f"element face {len(numbers)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    path.write_bytes(head.encode() + points.astype("<f4").tobytes() + rows.tobytes())
    if not isinstance(look, dict):
        value = list(look) if isinstance(look, tuple) else look
        diffuse = {"type": "diffuse", "reflectance": {"type": "rgb", "value": value}}
        look = {"type": "twosided", "bsdf": diffuse}
    return {"type": "ply", "filename": str(path), "face_normals": not smooth, "bsdf": look}


def baked(plan: Plan, name: str) -> Floats:
    """Return the film's radiance under the cover about a cell or light whose LED has radiance 1.

    Square, `_BAKED_MM` wide, `_DOTS` a mm, turned so that the LED is below. Rendered from straight
    above with nothing else lit, and made symmetric about the LED's direction.
    """
    at, wide, dots = {**plan.lights, **plan.cells}[name], _BAKED_MM, _DOTS // 2
    look = mi.ScalarTransform4f().look_at([at.x, -at.y, 200], [at.x, -at.y, 0], [0, 1, 0])
    view = look @ mi.ScalarTransform4f().scale([wide / 2, wide / 2, 1])
    sensor = {"type": "orthographic", "to_world": view, "film": _film(wide * dots, wide * dots)}
    light = _rendered(_board(plan, {name: WHITE}) | {"sensor": sensor}, 192)
    light = zoom(rotate(light, 270 - at.turn, reshape=False, order=1), (2, 2, 1), order=1)
    # What leaves acrylic straight upward is spread over n2 times the angle, and loses 4 %.
    lost = ((ACRYLIC_INDEX - 1) / (ACRYLIC_INDEX + 1)) ** 2
    film: Floats = (light + light[:, ::-1]) / 2 * ACRYLIC_INDEX**2 / (1 - lost)
    off = np.abs(np.linspace(-wide / 2, wide / 2, len(film)))
    # What little goes farther fades out, so that no edge is seen.
    fading = np.clip((wide / 2 - np.hypot(off, off[:, None])) / 4, 0, 1)
    return film * fading[..., None].astype(np.float32)


_BAKED_MM, _DOTS = 44, 8


def glowing(plan: Plan, lit: Mapping[str, Colour], stones: Mapping[str, Colour]) -> dict[str, Any]:
    """Return a whole board as players see it: lit cells and lights, and stones of these colours.

    The light on the film is `baked` once for a cell and once for a light, and laid where it is lit.
    """
    found, things = solids(plan), {}
    cover, film = found["cover"][0], found["film"][0]
    bounds = x0, y0, x1, y1 = cover.area.bounds
    paper, _ = _paper(plan)
    shape = round((y1 - y0) * _DOTS), round((x1 - x0) * _DOTS)
    rim = _BAKED_MM * _DOTS
    light = np.zeros((shape[0] + 2 * rim, shape[1] + 2 * rim, 3), np.float32)
    tiles: dict[bool, Floats] = {}
    for name, colour in lit.items():
        at = {**plan.lights, **plan.cells}[name]
        if (name in plan.cells) not in tiles:
            tiles[name in plan.cells] = baked(plan, name)
        tile = rotate(tiles[name in plan.cells], at.turn - 270, reshape=False, order=1)
        row, column = (round((c - low) * _DOTS) + rim // 2 for c, low in ((at.y, y0), (at.x, x0)))
        light[row : row + rim, column : column + rim] += tile * colour
    light = light[rim:-rim, rim:-rim] * _POWER
    things["film"] = _mesh("film", _caps(film.area, TOP_MM), paper, uv=bounds)
    things["film"]["emitter"] = {"type": "area", "radiance": _bitmap(light)}
    clear = {"type": "dielectric", "int_ior": ACRYLIC_INDEX, "ext_ior": 1.0}
    things["cover"] = _mesh("cover", _caps(cover.area, cover.high) + _sides(cover), clear)
    for name, slabs in found.items():
        if name.startswith(("wall", "base", "foot")):
            things[name] = _mesh(name, _whole(slabs), BLACK if name.startswith("foot") else WOOD)
    for name, colour in stones.items():
        things[f"stone {name}"] = stone(plan.cells[name], colour, f"stone-{name}")
    return things


_POWER = 7000.0


def _paper(plan: Plan) -> tuple[dict[str, Any], tuple[float, ...]]:
    """Return the film on the white board, where unlit holes are darker, with the print; and the
    bounds of its texture."""
    bounds = solids(plan)["cover"][0].area.bounds
    size = [round((high - low) * _DOTS) for low, high in zip(bounds[:2], bounds[2:], strict=True)]
    image = Image.new("L", size, round(255 * 0.72))
    pen = ImageDraw.Draw(image)
    left, top = bounds[:2]
    for x, y, d in _holes(plan):
        ends = (x - d / 2 - left, y - d / 2 - top, x + d / 2 - left, y + d / 2 - top)
        pen.ellipse([_DOTS * end for end in ends], fill=round(255 * 0.5))
    for line in (line for mark in marks(plan) for line in lines(mark)):
        pen.line([((x - left) * _DOTS, (-y - top) * _DOTS) for x, y in line], fill=25, width=3)
    grey = np.asarray(image, np.float32) / 255
    reflected = _bitmap(np.repeat(grey[..., None], 3, axis=2))
    return {"type": "diffuse", "reflectance": reflected}, bounds


def _bitmap(image: Floats) -> dict[str, Any]:
    return {"type": "bitmap", "bitmap": mi.Bitmap(image.astype(np.float32)), "raw": True}


def stone(at: Spot, colour: Colour, name: str) -> dict[str, Any]:
    """Return a glossy stone with a foot of 17 mm, 7 mm high, on the cover."""
    base, foot = TOP_MM + cell.COVER_MM, max(cell.FOOT_MM) / 2
    rim = [(foot + 1.6 * sin(radians(a)), 1.6 - 1.6 * cos(radians(a))) for a in range(0, 91, 10)]
    rim += [((foot + 1.6) * cos(radians(a)), 1.6 + 5.4 * sin(radians(a))) for a in range(5, 91, 5)]
    found: Triangles = []
    turns = [(cos(radians(n * 4)), sin(radians(n * 4))) for n in range(91)]
    for (r, z), (s, w) in pairwise(rim):
        for (c, n), (d, o) in pairwise(turns):
            corners = [(r, c, n, z), (r, d, o, z), (s, d, o, w), (s, c, n, w)]
            a, b, e, f = ((at.x + q * i, -at.y + q * j, base + 0.002 + k) for q, i, j, k in corners)
            found += [(a, b, e), (a, e, f)]
    plastic = {"type": "plastic", "diffuse_reflectance": {"type": "rgb", "value": list(colour)}}
    return _mesh(name, found, plastic, smooth=True)


def picture(
    scene: dict[str, Any],
    camera: Sequence[Sequence[float]],
    fov: float,
    size: tuple[int, int],
    samples: int,
) -> Image.Image:
    """Render as seen from a place toward another, in the display's colours."""
    view = mi.ScalarTransform4f().look_at(camera[0], camera[1], [0, 0, 1])
    sensor = {"type": "perspective", "fov": fov, "to_world": view, "film": _film(*size)}
    light = _rendered(scene | {"sensor": sensor}, samples)
    # Narkowicz' fit of the ACES film curve, then sRGB.
    film = np.clip(light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14), 0, 1)
    display = np.where(film <= 0.0031308, 12.92 * film, 1.055 * film ** (1 / 2.4) - 0.055)
    return Image.fromarray((display * 255 + 0.5).astype(np.uint8))


def _film(wide: int, high: int) -> dict[str, Any]:
    return {"type": "hdrfilm", "width": wide, "height": high, "rfilter": {"type": "gaussian"}}


def _rendered(scene: dict[str, Any], samples: int) -> Floats:
    """Render in passes; what one makes far brighter than the median of all is cut off."""
    loaded = mi.load_dict({"type": "scene", "integrator": _PATH, **scene})
    each = samples // _PASSES
    passes = [np.array(mi.render(loaded, spp=each, seed=n))[..., :3] for n in range(_PASSES)]
    usual = np.median(passes, axis=0)
    light: Floats = np.mean(np.minimum(passes, 3 * usual + 0.5 * usual.mean()), axis=0)
    return light


_PASSES = 8


def lit_cell(plan: Plan) -> dict[str, Any]:
    """Return the scene of cells that are lit, with and without a stone, and of one that is dark."""
    lit = {"e5": WHITE, "e6": BLUE, "d5": ORANGE, "f5": WHITE}
    stones = {"e5": ORANGE, "e6": BLUE, "d5": ORANGE, "e4": BLUE}
    return glowing(plan, lit, stones) | _room(0.16)


def lit_board(plan: Plan) -> dict[str, Any]:
    """Return the scene of a game of Circle of Life: Orange's key has just eaten a blue triangle,
    which is to be taken off."""
    orange = ["b1", "b3", "b4", "c4", "d4", "f1", "f2", "f4", "f6", "g2", "g6", "h2", "i3"]
    blue = ["a3", "b6", "d5", "d8", "e5", "e6", "e9", "f5", "f8", "h3"]
    eaten = ["b2", "c2", "c3"]
    lit = dict.fromkeys(eaten, RED) | dict.fromkeys(("b3", "b4", "c4"), _dim(ORANGE, 0.5))
    lit |= {"d4": ORANGE, "turn1.0": ORANGE, "circle.5": _dim(ORANGE, 0.5), "score2.0": BLUE}
    lit |= {f"score1.{n}": ORANGE for n in range(3)}
    stones = dict.fromkeys(orange, ORANGE) | dict.fromkeys(blue + eaten, BLUE)
    return glowing(plan, lit, stones) | _room(0.17)


def exploded(plan: Plan) -> dict[str, Any]:
    """Return the scene of a case taken apart: what lies above is higher."""
    lifts = {"cover": 430, "film": 350, "board": 240, "wall": 120, "lattice": 120}
    looks = {
        "cover": {"type": "thindielectric", "int_ior": ACRYLIC_INDEX},
        **{"film": (0.8, 0.85, 0.9), "wall": WOOD, "lattice": (0.85, 0.85, 0.85)},
        **{"base": WOOD, "foot": BLACK},
    }
    things = _room(0.45)
    things["table"] = _mesh("table", _caps(Point(0, 0).buffer(9000), -90), (0.5, 0.5, 0.48))
    for name, slabs in solids(plan).items():
        kind = name.partition("-")[0]
        lifted = list(_lifted(slabs, lifts.get(kind, -40 if kind == "foot" else 0)))
        things[name] = _mesh(name, _whole(lifted), looks[kind])
        above = _caps(slabs[0].area, lifted[0].high + 0.05)
        if kind == "film":
            paper, bounds = _paper(plan)
            things["print"] = _mesh("print", above, paper, uv=bounds)
        elif kind == "base":
            things["floor"] = _mesh("floor", above, Paint().chamber)
    holes = union_all([Point(x, y).buffer(d / 2) for x, y, d in _holes(plan)])
    drilled = Polygon(plan.outline) - holes
    (board, *parts) = boxes(plan).values()
    things["board"] = _mesh(
        "board", _whole(_lifted([board._replace(area=drilled)], lifts["board"])), (0.7, 0.75, 0.72)
    )
    things["parts"] = _mesh("parts", _whole(_lifted(parts, lifts["board"])), BLACK)
    pads = [Point(at.x, at.y).buffer(cell.PAD_RADIUS_MM) & drilled for at in plan.pads.values()]
    height = cell.BOARD_MM + lifts["board"] + 0.02
    things["pads"] = _mesh("pads", _caps(union_all(pads), height), (0.62, 0.52, 0.3))
    return things


def _lifted(slabs: Iterable[Slab], by: float) -> Iterator[Slab]:
    return (slab._replace(low=slab.low + by, high=slab.high + by) for slab in slabs)


def _dim(colour: Colour, by: float) -> Colour:
    return (colour[0] * by, colour[1] * by, colour[2] * by)


def _room(brightness: float) -> dict[str, Any]:
    """Return a table, dim light from everywhere, and a lamp behind the viewer's left shoulder."""
    lamp = mi.ScalarTransform4f().look_at([-900, -500, 900], [0, 0, 0], [0, 0, 1])
    low = min(slab.low for slab in solids(plan)["foot-1"])
    return {
        "sky": {"type": "constant", "radiance": brightness},
        "lamp": {
            "type": "rectangle",
            "to_world": lamp @ mi.ScalarTransform4f().scale(500),
            "emitter": {"type": "area", "radiance": 5 * brightness},
        },
        "table": _mesh("table", _caps(Point(0, 0).buffer(2000), low), (0.16, 0.13, 0.11)),
    }


VIEWS = {
    "exploded": (exploded, ([430, -1150, 830], [0, 0, 166]), 23.5),
    "cell": (lit_cell, ([8, -100, 82], [6, -2, 2]), 34),
    "board": (lit_board, ([60, -480, 500], [4, -24, 0]), 36.5),
}

if __name__ == "__main__":
    what, board, *rest = sys.argv[1:]
    plan = PLANS[board]()
    if what == "share":
        for foot in (0.0, max(cell.FOOT_MM)):
            print(f"beside {foot:g} mm: {share(plan, 'e5', foot):.4f}")
    else:
        scene, camera, fov = VIEWS[what]
        path, wide, high, samples = rest
        picture(scene(plan), camera, fov, (int(wide), int(high)), int(samples)).save(
            path, quality=88
        )
