"""Whether the files of a circuit can be made, and join what they should and nothing else.

Owns the rules of makers, and the list of faults. Looks at the bytes of the files only: what they
should join is told by places of pads and pins. Must not know the circuit that was written.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shapely import Point as Spot
from shapely import Polygon, STRtree, prepare
from shapely.geometry.base import BaseGeometry

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import EDGE_MM, Side
from hardware.kit.circuit.layers import (
    DRILLS_MM,
    MASK_HOLE_MM,
    MASK_MM,
    MOST_MM,
    PRINT_MM,
    RING_MM,
    THIN_MM,
    UNPLATED_MM,
    WALL_MM,
    Drills,
    Layer,
)
from hardware.kit.circuit.nets import (
    TOLERANCE_MM,
    Nets,
    PinPlace,
    clearance_faults,
    guard_faults,
    net_faults,
)
from hardware.kit.circuit.reading import (
    Bow,
    Drill,
    Item,
    Stroke,
    read_drills,
    read_layer,
)
from hardware.kit.circuit.shapes import disc, merged, name_of, pieces, ring
from hardware.kit.errors import KitError

_COPPER = {Side.TOP: Layer.TOP_COPPER, Side.BOTTOM: Layer.BOTTOM_COPPER}
_MASKS = {Side.TOP: Layer.TOP_MASK, Side.BOTTOM: Layer.BOTTOM_MASK}
_PRINTS = {Side.TOP: Layer.TOP_PRINT, Side.BOTTOM: Layer.BOTTOM_PRINT}


def check(
    files: Mapping[str, bytes],
    pads: Mapping[str, Point],
    pins: Sequence[PinPlace],
    within_mm: tuple[float, float] = MOST_MM,
) -> tuple[str, ...]:
    """List what is wrong with the files of a circuit, nothing if they are right.

    `pads` has a place in the copper of each, `pins` has (connector, number, net, place), where a
    pin without a net must touch nothing. `within_mm` is the largest board that is allowed.
    """
    try:
        board = _read(files)
    except KitError as error:
        return (str(error),)
    nets = Nets(board.copper, board.plated)
    faults, named = net_faults(nets, pads, pins)
    faults += clearance_faults(nets, named)
    faults += guard_faults(nets, pads, pins)
    faults += _width_faults(board)
    faults += _drill_faults(board)
    faults += _ring_faults(board, nets)
    faults += _hole_faults(board, nets, named)
    faults += _mask_faults(board, nets, pins)
    faults += _paste_faults(board, nets, pins)
    faults += _print_faults(board)
    faults += _edge_faults(board, nets, named, within_mm)
    return tuple(faults)


@dataclass(frozen=True, slots=True)
class _Board:
    """What the files show."""

    copper: Mapping[Side, tuple[Item, ...]]
    masks: Mapping[Side, BaseGeometry]
    prints: Mapping[Side, tuple[Item, ...]]
    inks: Mapping[Side, BaseGeometry]
    paste: BaseGeometry
    edge: tuple[Item, ...]
    plated: tuple[Drill, ...]
    unplated: tuple[Drill, ...]


def _read(files: Mapping[str, bytes]) -> _Board:
    prints = {side: read_layer(files, layer) for side, layer in _PRINTS.items()}
    return _Board(
        {side: read_layer(files, layer) for side, layer in _COPPER.items()},
        {side: merged(read_layer(files, layer)) for side, layer in _MASKS.items()},
        prints,
        {side: merged(items) for side, items in prints.items()},
        merged(read_layer(files, Layer.BOTTOM_PASTE)),
        read_layer(files, Layer.EDGE),
        read_drills(files, Drills.PLATED),
        read_drills(files, Drills.UNPLATED),
    )


def _width_faults(board: _Board) -> Iterable[str]:
    for what, sides, least in (
        ("copper", board.copper, THIN_MM),
        ("print", board.prints, PRINT_MM),
    ):
        for side, items in sides.items():
            for item in items:
                if isinstance(item.form, Stroke | Bow) and item.form.width_mm < least - 1e-6:
                    yield (
                        f"{side.value} {what}: a line at {name_of(item.form.start)} is"
                        f" {item.form.width_mm:.3f} mm wide: allowed are {least:.3f} mm and more"
                    )


def _drill_faults(board: _Board) -> Iterable[str]:
    for kind, drills, (least, most) in (
        ("plated", board.plated, DRILLS_MM),
        ("unplated", board.unplated, UNPLATED_MM),
    ):
        for drill in drills:
            if not least - 1e-6 <= drill.diameter_mm <= most + 1e-6:
                yield (
                    f"{kind} hole at {name_of(drill.at)} is {drill.diameter_mm:.3f} mm wide:"
                    f" allowed are {least} to {most} mm"
                )
    every = (*board.plated, *board.unplated)
    for number, drill in enumerate(every):
        for other in every[:number]:
            wall = drill.at.distance(other.at) - (drill.diameter_mm + other.diameter_mm) / 2
            if wall < WALL_MM - TOLERANCE_MM:
                yield (
                    f"holes at {name_of(other.at)} and {name_of(drill.at)} are {wall:.3f} mm"
                    f" apart: allowed are {WALL_MM:.3f} mm and more"
                )


def _ring_faults(board: _Board, nets: Nets) -> Iterable[str]:
    for drill in board.plated:
        for side in Side:
            spot = Spot(drill.at)
            around = [nets.islands[number].shape for number in nets.at(side, spot)]
            reach = around[0].boundary.distance(spot) if around else 0.0
            width = max(0.0, reach - drill.diameter_mm / 2)
            if width < RING_MM - TOLERANCE_MM:
                yield (
                    f"plated hole at {name_of(drill.at)}: its ring of {side.value} copper is"
                    f" {width:.3f} mm wide: allowed are {RING_MM:.3f} mm and more"
                )


def _hole_faults(board: _Board, nets: Nets, named: Mapping[int, str]) -> Iterable[str]:
    for drill in board.unplated:
        hole = disc(drill.at, drill.diameter_mm)
        zone = disc(drill.at, drill.diameter_mm + 2 * EDGE_MM - 2 * TOLERANCE_MM)
        for side in Side:
            for number in nets.at(side, zone):
                apart = nets.islands[number].shape.distance(hole)
                net = named.get(nets.group(number), "no net")
                yield (
                    f"unplated hole at {name_of(drill.at)}: {side.value} copper of {net} is"
                    f" {apart:.3f} mm from it: allowed are {EDGE_MM:.3f} mm and more"
                )


def _mask_faults(board: _Board, nets: Nets, pins: Sequence[PinPlace]) -> Iterable[str]:
    pasted = pieces(board.paste)
    spots = STRtree([Spot(pin[3]) for pin in pins])
    bare: set[int] = set()
    for side, mask in board.masks.items():
        for opening in pieces(mask):
            where = f"{side.value} mask: opening at {name_of(opening.centroid)}"
            inside = _within(opening, spots) if side is Side.BOTTOM else []
            bare.update(inside)
            shown = {nets.group(number) for number in nets.at(side, opening)}
            if len(inside) > 1:
                names = ", ".join(_pin(pins[number]) for number in inside)
                yield f"{where} bares {len(inside)} pins ({names}): allowed is 1"
            elif inside:
                pin = pins[inside[0]]
                under = nets.at(side, Spot(pin[3]))
                grown = opening.buffer(TOLERANCE_MM)
                if not pin[2] and not all(grown.covers(nets.islands[n].shape) for n in under):
                    yield (
                        f"{side.value} copper of {_pin(pin)}, which is unused, goes beyond its"
                        " opening: allowed is none there"
                    )
                if shown - {nets.group(n) for n in under}:
                    yield f"{where} bares copper beside {_pin(pin)}: allowed is none"
                yield from _margin_faults(where, opening, pin, pasted)
            else:
                if not any(_opens(opening, drill) for drill in board.unplated):
                    yield f"{where} is at no pin and at no unplated hole: allowed is none there"
                elif shown:
                    yield f"{where} bares copper beside a hole: allowed is none"
    for number, pin in enumerate(pins):
        if number not in bare:
            yield f"{_pin(pin)} has no opening in the mask: allowed is 1"


def _opens(opening: Polygon, drill: Drill) -> bool:
    """Tell whether an opening is around a hole, and little larger."""
    if drill.at.distance(Point(opening.centroid.x, opening.centroid.y)) > drill.diameter_mm:
        return False
    return bool(disc(drill.at, drill.diameter_mm + 4 * MASK_HOLE_MM).covers(opening))


def _margin_faults(
    where: str, opening: Polygon, pin: PinPlace, pasted: Sequence[Polygon]
) -> Iterable[str]:
    """Compare an opening with the paste on its pin, which is as large as the pin."""
    for shape in pasted:
        if shape.intersects(Spot(pin[3])):
            inner, outer = shape.bounds, opening.bounds
            margins = [
                inner[0] - outer[0],
                inner[1] - outer[1],
                outer[2] - inner[2],
                outer[3] - inner[3],
            ]
            for margin in (min(margins), max(margins)):
                if abs(margin - MASK_MM) > TOLERANCE_MM:
                    yield (
                        f"{where} goes {margin:.3f} mm beyond {_pin(pin)}:"
                        f" allowed are {MASK_MM:.3f} mm"
                    )
                    break


def _paste_faults(board: _Board, nets: Nets, pins: Sequence[PinPlace]) -> Iterable[str]:
    spots = STRtree([Spot(pin[3]) for pin in pins])
    pasted: dict[int, int] = {}
    for shape in pieces(board.paste):
        inside = _within(shape, spots)
        for number in inside:
            pasted[number] = pasted.get(number, 0) + 1
        if len(inside) != 1:
            yield (f"paste at {name_of(shape.centroid)} is on {len(inside)} pins: allowed is 1")
            continue
        copper = nets.at(Side.BOTTOM, Spot(pins[inside[0]][3]))
        if not copper or not nets.islands[copper[0]].shape.buffer(TOLERANCE_MM).covers(shape):
            yield f"paste on {_pin(pins[inside[0]])} goes beyond its copper: allowed is none there"
    for number, pin in enumerate(pins):
        if pasted.get(number, 0) != 1:
            yield f"{_pin(pin)} has {pasted.get(number, 0)} patches of paste: allowed is 1"


def _print_faults(board: _Board) -> Iterable[str]:
    for side in Side:
        inked = board.inks[side]
        prepare(inked)
        for opening in pieces(board.masks[side]):
            if inked.intersects(opening):
                yield (
                    f"{side.value} print lies on the opening at {name_of(opening.centroid)}:"
                    " allowed is none there"
                )


def _edge_faults(
    board: _Board, nets: Nets, named: Mapping[int, str], within_mm: tuple[float, float]
) -> Iterable[str]:
    try:
        inside = ring(board.edge)
    except KitError as error:
        yield str(error)
        return
    left, low, right, high = inside.bounds
    size = (right - left, high - low)
    if any(
        one > most + TOLERANCE_MM for one, most in zip(sorted(size), sorted(within_mm), strict=True)
    ):
        yield (
            f"board is {size[0]:.1f} x {size[1]:.1f} mm: allowed are"
            f" {within_mm[0]:.1f} x {within_mm[1]:.1f} mm and less"
        )
    prepare(inside)
    near = inside.buffer(-(EDGE_MM - TOLERANCE_MM), join_style="mitre")
    prepare(near)
    for number, island in enumerate(nets.islands):
        if not near.covers(island.shape):
            apart = inside.exterior.distance(island.shape) if inside.covers(island.shape) else 0.0
            net = named.get(nets.group(number), "no net")
            yield (
                f"{island.side.value} copper of {net} at"
                f" {name_of(island.shape.representative_point())} is {apart:.3f} mm from the edge:"
                f" allowed are {EDGE_MM:.3f} mm and more"
            )
    for drill in (*board.plated, *board.unplated):
        if not near.covers(disc(drill.at, drill.diameter_mm)):
            yield (
                f"hole at {name_of(drill.at)} lies on the edge or outside: allowed are"
                f" {EDGE_MM:.3f} mm and more inside of it"
            )
    others = {
        "top mask": board.masks[Side.TOP],
        "bottom mask": board.masks[Side.BOTTOM],
        "bottom paste": board.paste,
        "top print": board.inks[Side.TOP],
        "bottom print": board.inks[Side.BOTTOM],
    }
    for name, shape in others.items():
        for piece in pieces(shape):
            if not inside.covers(piece):
                yield (
                    f"{name} at {name_of(piece.representative_point())} lies outside of the"
                    " outline: allowed is none there"
                )


def _within(shape: Polygon, spots: STRtree) -> list[int]:
    """Number the places that a shape has in it."""
    return sorted(int(number) for number in spots.query(shape, "intersects"))


def _pin(pin: PinPlace) -> str:
    return f"pin {pin[1]} of {pin[0]}"
