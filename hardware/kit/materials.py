"""What a board is made of by the metre and by the sheet: copper, wires, plates, screws.

Owns how much of each there must be. Parts that are counted are in `parts`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, pi, sin

from hal.profile.geometry import Geometry
from hardware.kit.circuit.circuit import Circuit
from hardware.kit.computers import FOAM_MM, computer_of
from hardware.kit.drawing import Box
from hardware.kit.electric.sensing import BOARD_MM
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.part_names import PIXEL
from hardware.kit.plates.chambers import PIXEL_WIRE_MM
from hardware.kit.plates.copper import copper
from hardware.kit.plates.walls import Level
from hardware.kit.wiring import Build, Kind, Wire, Wiring
from hardware.kit.wiring.strip import DATA_RESISTOR, FEED_NOTE

SCREWS_MM = (16, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80)
BASE_MM, FILMS_MM, WASHER_MM = 5.0, 0.5, 0.5
WALLS_MM = (5.0, 6.0, 8.0, 9.0, 10.0, 12.0, 15.0, 16.0, 18.0, 19.0)
"""Sheets of MDF that dealers have, as far as a layer of the walls may use them."""
OFF_MM = 0.2
"""By how much a sheet of MDF may be thicker or thinner than it is called (EN 622-5, EN 324-1)."""
THREAD_MM, NUT_MM = 4.0, 2.4
"""Of a screw, in the spacer that is its nut; and how high a nut M3 is (ISO 4032)."""
BUTTON_NUT_MM, SOLDER_MM = 2.0, 2.0
"""The nut of a button, and what of its legs must come out below the base."""
FEET_MM = 25
"""The spacers: nothing underneath is higher."""
TAPE_MM = 20
PAD_TAPE_MM = 25
"""A pad with its tail, across a tape."""
SPARE = 1.1
"""Of wire, strip and tape, for what is cut off or spoiled."""


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the list."""

    group: str
    name: str
    quantity: str
    look_for: str
    source: str


def screw_mm(layout: Layout) -> int:
    """Choose the common length of screw that goes through the whole stack, however it is built."""
    geometry = layout.geometry
    least = geometry.cover_mm + FILMS_MM + max(geometry.carrier_mm, BOARD_MM) + geometry.air_mm
    least += BASE_MM + WASHER_MM + THREAD_MM
    return next(length for length in SCREWS_MM if length >= least)


def thread_mm(layout: Layout) -> int:
    """Say how deep a screw goes into its spacer at most: while there is no cover, and no foil."""
    geometry = layout.geometry
    stack = min(geometry.carrier_mm, BOARD_MM) + geometry.air_mm + BASE_MM + WASHER_MM - off_mm()
    return ceil(round(screw_mm(layout) - stack, 6))


def off_mm() -> float:
    """Say by how much walls and base together may be thicker or thinner than they are called."""
    return OFF_MM * (len(Level) + 1)


def check_sheets(geometry: Geometry) -> None:
    """Raise KitError where a layer of the walls would have a thickness that is not sold."""
    half = geometry.air_mm / len(Level)
    if half not in WALLS_MM:
        sold = ", ".join(f"{len(Level) * each:g}" for each in WALLS_MM)
        raise KitError(
            f"[geometry] air_mm is {geometry.air_mm:g}, which asks for sheets of {half:g} mm, of"
            f" which {len(Level)} are the walls: allowed are {sold}, for sheets that are sold",
            "air_mm",
        )


def cable_mm(wiring: Wiring) -> float:
    """Say how thick a wire of the strip may be, so that all of a pixel's pass their hole.

    Equal circles of which each touches two others and the hole: the wire of data is thinner.
    """
    found = Counter(wire.end.part for wire in wiring.wires if _comes_to_a_pixel(wire))
    most = max(2, *found.values())
    return floor(10 * PIXEL_WIRE_MM / (1 + 1 / sin(pi / most))) / 10


def _comes_to_a_pixel(wire: Wire) -> bool:
    return wire.end.sort == PIXEL and (wire.length_mm > 0 or wire.signal == DATA_RESISTOR)


def button_mm(layout: Layout) -> tuple[int, int]:
    """Say what a button has below its collar at least: thread, and all of it with its legs."""
    geometry = layout.geometry
    layer = geometry.cover_mm + FILMS_MM + max(geometry.carrier_mm, BOARD_MM)
    legs = layer + geometry.air_mm + BASE_MM + SOLDER_MM
    return ceil(round(layer + BUTTON_NUT_MM, 6)), ceil(round(legs, 6))


def metres(length_mm: float, step_m: float, spare: float = SPARE) -> str:
    """Say a length in metres, up to the next step."""
    steps = ceil(round(length_mm * spare / 1000 / step_m, 6))
    return f"{steps * step_m:.{0 if step_m == 1 else 1}f} m"


def sensing_layer(layout: Layout, wiring: Wiring, circuits: Sequence[Circuit]) -> Iterator[Part]:
    """List what pads and guards are made of."""
    group = "sensing layer"
    pads = len(layout.sensors)
    if wiring.build is Build.FOIL:
        yield Part(
            group,
            f"copper tape, {TAPE_MM} mm wide",
            metres(pads * PAD_TAPE_MM, 0.1),
            "self-adhesive; 0.03 to 0.1 mm of copper; its glue need not conduct",
            f"{PAD_TAPE_MM} mm a pad, with its tail, and a tenth to spare",
        )
        guards = copper(layout).guards.extent
        yield Part(
            group,
            "copper foil for the guards",
            _sheet(guards),
            "self-adhesive, as the tape; pieces will do when they are soldered to each other",
            "the guards' extent in the template",
        )
        return
    for circuit in circuits:
        box = Box.around(circuit.outline)
        pins = sum(len(each.pins) for each in circuit.connectors)
        yield Part(
            group,
            f"printed circuit {circuit.name}, {box.width:.1f} x {box.height:.1f} mm",
            "1",
            f"2 layers, {BOARD_MM:g} mm, FR4; ordered as the guide says, nothing to be assembled",
            f"{len(circuit.pads)} pads, {pins} pins",
        )


def wires(wire_mm2: float, wiring: Wiring) -> Iterator[Part]:
    """List all wires; those of the strip have this cross-section."""
    group = "wires"
    pads = wiring.of(Kind.PAD)
    if pads:
        loose = (*pads, *wiring.of(Kind.GUARD))
        yield Part(
            group,
            "thin wire for the pads",
            metres(_total(loose), 1),
            "0.05 to 0.1 mm2, solid or stranded, insulated",
            f"{len(loose)} wires of {_range(loose)} and a tenth to spare",
        )
    ribbons = _ribbons(wiring)
    if ribbons:
        most = max(len(each) for each in ribbons.values())
        lengths = [max(wire.length_mm for wire in each) for each in ribbons.values()]
        yield Part(
            group,
            "flat cable, pitch 1.27 mm",
            metres(sum(lengths), 0.5),
            f"{most} wires or more, split where a connector has fewer",
            f"{len(lengths)} of {_from_to(lengths)} and a tenth to spare",
        )
    thick = [wire for wire in wiring.of(Kind.POWER_5V, Kind.GROUND) if is_thick(wire)]
    outer = (
        f"at most {cable_mm(wiring):g} mm thick with its insulation, as thin-walled cable for"
        " vehicles (FLRY) is"
    )
    for colour, kind in (("red", Kind.POWER_5V), ("black", Kind.GROUND)):
        own = [wire for wire in thick if wire.kind is kind and wire.length_mm]
        yield Part(
            group,
            f"wire of {wire_mm2:g} mm2, {colour}",
            metres(_total(own), 0.5),
            f"stranded, for {'5 V' if kind is Kind.POWER_5V else 'ground'} of the strip; {outer}",
            f"{len(own)} wires of {_range(own)} and a tenth to spare; it carries the fuse",
        )
    kinds = (Kind.BUS, Kind.ADDRESS, Kind.INTERRUPT, Kind.POWER_3V3, Kind.BUTTON, Kind.DATA)
    thin = [*wiring.of(*kinds), *(wire for wire in wiring.of(Kind.GROUND) if not is_thick(wire))]
    thin = [wire for wire in thin if wire.length_mm]
    yield Part(
        group,
        "wire of 0.14 to 0.25 mm2",
        metres(_total(thin), 1),
        "stranded, in several colours",
        f"{len(thin)} wires of {_range(thin)} for buses, buttons and data, and a tenth to spare",
    )


def is_thick(wire: Wire) -> bool:
    """Tell whether a wire carries the strip's current."""
    return FEED_NOTE in wire.note


def plates(layout: Layout, build: Build) -> Iterator[Part]:
    """List the plates and films of the stack."""
    group, geometry = "plates", layout.geometry
    size = _size(layout.box)
    edge = "the board's edge"
    base = f"{BASE_MM - OFF_MM:g} to {BASE_MM + OFF_MM:g} mm when you measure it"
    yield Part(
        group,
        f"acrylic, clear, {geometry.cover_mm:g} mm",
        f"1 larger than {size}",
        "cast or extruded, nothing that conducts",
        f"cover; {edge}, cover_mm",
    )
    yield Part(
        group,
        "paper or film for the print",
        f"1 larger than {size}",
        "thin and translucent, or joined of sheets",
        f"printed top; {edge}",
    )
    yield Part(
        group,
        "film that spreads light",
        f"1 larger than {size}",
        "opal film or tracing paper, 0.1 to 0.2 mm",
        f"diffuser; {edge}",
    )
    if build is Build.FOIL:
        yield Part(
            group,
            f"acrylic or plywood, {geometry.carrier_mm:g} mm",
            f"1 larger than {size}",
            "flat; nothing that conducts",
            f"carrier; {edge}, carrier_mm",
        )
    else:
        yield Part(
            group,
            "acrylic, plywood or card, 1.5 to 1.6 mm",
            f"1 larger than {size}",
            "as thick as the printed circuit, which it surrounds",
            f"surround; {edge}",
        )
    layers = len(Level)
    half = geometry.air_mm / layers
    yield Part(
        group,
        f"MDF or foam board, {half:g} mm",
        f"{layers} larger than {size}",
        f"opaque; {half - OFF_MM:g} to {half + OFF_MM:g} mm when you measure it",
        f"walls; {edge}, air_mm in {layers} layers",
    )
    yield Part(
        group,
        f"MDF or plywood, {BASE_MM:g} mm",
        f"1 larger than {size}",
        f"flat; {base}",
        f"base; {edge}",
    )


def small_parts(layout: Layout) -> Iterator[Part]:
    """List what holds it all together."""
    group, screws = "small parts", len(layout.screws)
    why = _screwed(layout)
    yield Part(
        group,
        f"screws M3 x {screw_mm(layout)} mm",
        str(screws),
        "flat or round head",
        f"{why}; as long as cover, films, sensing layer, walls, base and {THREAD_MM:g} mm of thread"
        f" together, or {_least_thread_mm():g} mm where sheets are thick: a nut has {NUT_MM:g} mm",
    )
    yield Part(group, "washers M3", str(screws), "one a screw", why)
    yield Part(
        group,
        f"spacers M3 x {FEET_MM} mm",
        str(screws),
        f"hexagonal, of brass or nylon, with an inner thread {thread_mm(layout)} mm deep or more at"
        " one end at least; as nuts of the screws they are the board's feet",
        f"one a screw; nothing underneath is higher than {FEET_MM} mm",
    )
    area = layout.box.width * layout.box.height
    yield Part(
        group,
        "glue film",
        f"{max(1, ceil(3 * area / 1e5)) / 10:.1f} m2",
        "transfer tape, clear, 0.05 mm: between cover, print, diffuser and copper",
        "three times the board",
    )
    yield Part(
        group,
        "double-sided foam tape",
        "1 roll",
        f"{FOAM_MM:g} mm thick",
        f"fixes {computer_of(layout.profile).name}, breakouts, inlet and fuse holder, on whose"
        " backs joints stand up",
    )
    yield Part(group, "heat-shrink tube", "1 m", "2 to 3 mm wide", "over soldered joints")


def _screwed(layout: Layout) -> str:
    """Say where the screws are: at the corners, and between these on some sides or on all."""
    box = Box.around(layout.screws)
    long_x = any(box.left < at.x < box.right for at in layout.screws)
    long_y = any(box.bottom < at.y < box.top for at in layout.screws)
    if long_x and long_y:
        return "corners, and middles of all four sides"
    if long_x or long_y:
        return "corners, and middles of the long sides"
    return "corners"


def _least_thread_mm() -> float:
    return round(THREAD_MM - off_mm(), 1)


def _ribbons(wiring: Wiring) -> dict[str, list[Wire]]:
    """Sort the wires of the printed circuits' connectors by the connector."""
    found: dict[str, list[Wire]] = {}
    for wire in wiring.of(Kind.RIBBON, Kind.GUARD):
        if wiring.build is not Build.FOIL:
            found.setdefault(wire.start.part, []).append(wire)
    return found


def _total(wires: Iterable[Wire]) -> float:
    return float(sum(wire.length_mm for wire in wires))


def _range(wires: Sequence[Wire]) -> str:
    return _from_to([wire.length_mm for wire in wires])


def _from_to(lengths: Sequence[int]) -> str:
    if not lengths:
        return "0 mm"
    least, most = min(lengths), max(lengths)
    return f"{least} mm each" if least == most else f"{least} to {most} mm"


def _size(box: Box) -> str:
    return f"{ceil(box.width)} x {ceil(box.height)} mm"


def _sheet(box: Box) -> str:
    wide, high = (10 * ceil((side + 5) / 10) for side in (box.width, box.height))
    return f"1 of {wide} x {high} mm"
