"""All parts of a board, and the nets of their pads.

All parts are on the bottom; places and angles are as in `plan`. A part's `turn` is its orientation
in KiCad: the footprint, mirrored top to bottom, is rotated by it counter-clockwise, as seen from
above.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hardware.board import kinds
from hardware.board.cell import CAPACITOR_AT, LED_RADIUS_MM
from hardware.board.computers import PI, PICO, PICO_VSYS
from hardware.board.kinds import Kind
from hardware.board.plan import Plan, Spot
from hardware.board.supply import FUSES, SECTIONS, sections

LIGHT_MM = 5.0
"""Distance from the hole of a light beside the cells to its LED."""
TEST_POINT_MM = 10.5
"""Distance from an electrode's middle to its test point, between two of the six holes."""
ADDRESSES = ("GND", "+3V3", "SDA", "SCL")
"""The nets of an MPR121's ADDR pin for 0x5A, 0x5B, 0x5C and 0x5D."""


@dataclass(frozen=True)
class Part:
    """A part: `nets` has the net of each pad number; other pads are not connected.

    `serves` is the cell, light, key, chip or connector that it belongs to; "" for other parts.
    """

    reference: str
    kind: Kind
    spot: Spot
    nets: Mapping[str, str]
    serves: str = ""


_Placed = tuple[str, Kind, Spot, Mapping[str, str], str]


def circuit(plan: Plan) -> tuple[Part, ...]:
    """List all parts of a board. References count from 1 for each prefix."""
    counts: Counter[str] = Counter()
    parts = []
    for letters, kind, spot, nets, serves in _placed(plan):
        counts[letters] += 1
        joined = {pad: net for pad, net in nets.items() if net}
        parts.append(Part(f"{letters}{counts[letters]}", kind, spot, joined, serves))
    return tuple(parts)


def led_spots(plan: Plan) -> dict[str, Spot]:
    """Return place and orientation of all LEDs, in the order of the data chain."""
    return {name: led_spot(plan, name) for name in plan.pixels}


def led_spot(plan: Plan, name: str) -> Spot:
    """Return the place and orientation of the LED of a cell or light."""
    pad = name.removesuffix(".0")
    if pad in plan.pads:
        return plan.pads[pad].at(LED_RADIUS_MM, 0, 90)
    return plan.lights[name].at(LIGHT_MM, 0, 90)


def _placed(plan: Plan) -> Iterator[_Placed]:
    yield from _pixels(plan)
    yield from _pads(plan)
    for number, spot in enumerate(plan.chips):
        yield from _mpr121(plan, number, spot)
    yield from _logic(plan, plan.connectors["logic"])
    yield from _keys(plan)
    if "usb" in plan.connectors:
        yield from _inlet(plan.connectors["usb"])
    yield from _connectors(plan)
    for spot in plan.holes:
        yield "H", kinds.HOLE, spot, {}, ""


def _pixels(plan: Plan) -> Iterator[_Placed]:
    spots = led_spots(plan)
    feeds = sections(plan, spots)
    for number, (name, spot) in enumerate(spots.items()):
        feed = feeds[name]
        last = number == len(plan.pixels) - 1
        nets = {"1": f"D_{number + 1}", "2": "GND", "3": f"D_{number}", "4": feed}
        yield "D", kinds.LED, spot, nets, name
        beside = spot.at(CAPACITOR_AT[0], CAPACITOR_AT[1] - LED_RADIUS_MM, 90)
        yield "C", kinds.C100N, beside, {"1": feed, "2": "GND"}, name
        following = "" if last else feeds[plan.pixels[number + 1]]
        if last or (feed != following and name.removesuffix(".0") not in plan.pads):
            yield _test_point(spot.at(-2.8, -0.5), f"D_{number + 1}", name)


def _pads(plan: Plan) -> Iterator[_Placed]:
    for name, at in plan.pads.items():
        chip = plan.chips[plan.electrodes[name][0]]
        between = [at.at(0, 0, 60 * n).at(TEST_POINT_MM, 0) for n in range(6)]
        yield _test_point(min(between, key=chip.distance), f"E_{name}", name)


def _mpr121(plan: Plan, number: int, spot: Spot) -> Iterator[_Placed]:
    letter, bus = chr(ord("A") + number), plan.bus(number)
    address = ADDRESSES[plan.place_on_bus(number)]
    vreg, rext = f"VREG_{letter}", f"REXT_{letter}"
    nets = {
        **{"1": "IRQ", "2": f"SCL_{bus}", "3": f"SDA_{bus}"},
        "4": address if address in ("GND", "+3V3") else f"{address}_{bus}",
        **{"5": vreg, "6": "GND", "7": rext, "20": "+3V3"},
        **{str(8 + electrode): net for electrode, net in _electrodes(plan, number)},
    }
    yield "U", kinds.MPR121, spot, nets, letter
    yield "C", kinds.C100N, spot.at(-3.2, -2.0, 180), {"1": vreg, "2": "GND"}, letter
    yield "R", kinds.R75K, spot.at(-1.5, -3.6, 180), {"1": rext, "2": "GND"}, letter
    yield "C", kinds.C100N, spot.at(-3.2, 2.0, 180), {"1": "+3V3", "2": "GND"}, letter


def _electrodes(plan: Plan, chip: int) -> Iterator[tuple[int, str]]:
    for pad, (own, electrode) in plan.electrodes.items():
        if own == chip:
            yield electrode, f"E_{pad}"


def _logic(plan: Plan, spot: Spot) -> Iterator[_Placed]:
    """Place level shifter, parts of the buses and supply, and test points around a spot."""
    shifted = {"1": "GND", "2": "DATA", "3": "GND", "4": "D_SHIFTED", "5": "+5V"}
    yield "U", kinds.SHIFTER, spot.at(0, 0), shifted, ""
    yield "C", kinds.C100N, spot.at(0, 3), {"1": "+5V", "2": "GND"}, ""
    yield "R", kinds.R10K, spot.at(0, -3), {"1": "DATA", "2": "GND"}, ""
    yield "R", kinds.R330, spot.at(3.5, 0), {"1": "D_SHIFTED", "2": "D_0"}, ""
    yield "C", kinds.C10U, spot.at(6, 3), {"1": "+3V3", "2": "GND"}, ""
    lines = ["IRQ", *(f"{line}_{bus}" for bus in _buses(plan) for line in ("SDA", "SCL"))]
    for number, line in enumerate(lines):
        resistor = kinds.R10K if line == "IRQ" else kinds.R2K2
        yield "R", resistor, spot.at(-8 + 2 * number, -5.5, 90), {"1": "+3V3", "2": line}, ""
    for number, net in enumerate([*lines, "DATA", "D_0", "+3V3", "GND", "+5V"]):
        yield _test_point(spot.at(-9 + 2.5 * number, 6), net, "")


def _buses(plan: Plan) -> list[str]:
    return sorted({plan.bus(number) for number in range(len(plan.chips))})


def _buttons(plan: Plan) -> list[str]:
    return [key for key in plan.keys if key not in plan.electrodes]


def _keys(plan: Plan) -> Iterator[_Placed]:
    names = _buttons(plan)
    for name in names:
        at = plan.keys[name]
        # The footprint's pins are 4.5 mm apart, 3 mm behind the edge; its front faces up.
        nets = {"1": f"K_{name}", "2": "GND"}
        yield "SW", kinds.BUTTON, at.at(-3, 2.25, 90), nets, name
        yield "R", kinds.R1K, at.at(-12, -3), {"1": f"KEY_{name}", "2": f"K_{name}"}, name
    by_place = sorted(names, key=lambda key: (plan.keys[key].x, plan.keys[key].y))
    for start in range(0, len(by_place), 4):
        four = by_place[start : start + 4]
        middle = plan.keys[four[len(four) // 2]]
        nets = {pad: f"K_{key}" for pad, key in zip(("1", "3", "4", "6"), four, strict=False)}
        # Between two keys.
        shift = (plan.keys[four[len(four) // 2 - 1]].distance(middle) / 2) if len(four) > 1 else 0
        yield "U", kinds.ESD, middle.at(-12, shift), {**nets, "2": "GND", "5": "+3V3"}, ""


def _inlet(spot: Spot) -> Iterator[_Placed]:
    """Place the parts between the plug and the three sections, behind a spot on the edge."""
    ground = dict.fromkeys(("A1", "A12", "B1", "B12", "S1"), "GND")
    supply = dict.fromkeys(("A4", "A9", "B4", "B9"), "+5V_USB")
    plug = {**ground, **supply, "A5": "CC1", "B5": "CC2"}
    yield "J", kinds.USB_C, spot.at(-3.65, 0, 270), plug, "usb"
    yield "R", kinds.R5K1, spot.at(-10.5, -3), {"1": "CC1", "2": "GND"}, ""
    yield "R", kinds.R5K1, spot.at(-10.5, 3), {"1": "CC2", "2": "GND"}, ""
    yield "F", kinds.FUSE, spot.at(-14, 0, 180), {"1": "+5V_USB", "2": "+5V"}, ""
    yield "D", kinds.TVS, spot.at(-19, 0, 90), {"1": "+5V", "2": "GND"}, ""
    for y in (-10, 10):
        yield "C", kinds.C470U, spot.at(-19, y, 90), {"1": "+5V", "2": "GND"}, ""
    yield _test_point(spot.at(-10.5, -7), "+5V_USB", "")
    yield _test_point(spot.at(-28, -13), "+5V", "")
    yield _test_point(spot.at(-28, 13), "GND", "")
    inward, across = FUSES
    for offset, name in zip(across, SECTIONS, strict=True):
        yield "F", kinds.POLYFUSE, spot.at(inward, offset, 180), {"1": "+5V", "2": name}, ""
        yield _test_point(spot.at(-33, offset), name, "")


def _connectors(plan: Plan) -> Iterator[_Placed]:
    at = plan.connectors
    nets = {"DATA", "IRQ", *(f"{line}_{bus}" for bus in _buses(plan) for line in ("SDA", "SCL"))}
    nets |= {f"KEY_{name}" for name in _buttons(plan)}
    if "pi" in at:
        # The header's middle is at the spot, and its pins run in the spot's direction.
        yield "J", kinds.PI_HEADER, at["pi"].at(-24.13, -1.27, 270), PI.nets(nets), "pi"
    if "pico" in at:
        pins = PICO.nets(nets) | {str(PICO_VSYS): "VSYS"}
        left = {pin: net for pin, net in pins.items() if int(pin) <= 20}
        right = {str(int(pin) - 20): net for pin, net in pins.items() if int(pin) > 20}
        yield "J", kinds.SOCKET, at["pico"].at(-1.37, 8.89, 90), left, "pico"
        yield "J", kinds.SOCKET, at["pico"].at(-1.37 - 48.26, -8.89, 270), right, "pico"
        yield "D", kinds.SCHOTTKY, at["pico"].at(-6, 0, 90), {"1": "VSYS", "2": "+5V"}, "pico"
    if "bench" in at:
        order = ("GND", "+5V", "+3V3", "SDA_A", "SCL_A", "IRQ", "DATA", "GND")
        joined = {str(n): net for n, net in enumerate(order, start=1)}
        yield "J", kinds.BENCH_HEADER, at["bench"].at(0, 0, 270), joined, "bench"


def _test_point(spot: Spot, net: str, serves: str) -> _Placed:
    return "TP", kinds.TEST_POINT, spot, {"1": net}, serves
