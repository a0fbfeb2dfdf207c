"""All parts of a board, and how their pads are joined.

Owns the circuit and the places of parts. Must not know tracks. All parts are on the lower side;
places and angles are as in `plan`, and a part's `turn` is the orientation that KiCad shows for it
there: its footprint, mirrored top to bottom, is turned by it counter-clockwise as seen from above.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from hardware.board import kinds
from hardware.board.kinds import Kind
from hardware.board.plan import LED_MM, Plan, Spot

ChipKind = Literal["mpr121", "cy8cmbr3116"]

LIGHT_MM = 5.0
"""From the hole of a light beside the cells to its LED."""
TEST_POINT_MM = 10.5
"""From a pad's middle to its test point, which lies between two of its six holes."""
PI_PINS = {
    **{"SDA_A": 3, "SCL_A": 5, "SDA_B": 16, "SCL_B": 18, "IRQ": 7, "DATA": 19},
    "+3V3": 1,
}
"""Raspberry Pi documentation, "GPIO and the 40-pin header": pins of GPIO2, 3, 23, 24, 4 and 10."""
PI_KEYS = {
    **{"new_game": 11, "take_back": 13, "resign": 15, "cell": 29, "shutdown": 31, "hint": 22},
    **{"confirm": 37, "choice1": 33, "choice2": 37},
}
"""Pins of GPIO17, 27, 22, 5, 6, 25, 26 and 13. No board has both confirm and a button choice2."""
PI_GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
PICO_PINS = {
    **{"SDA_A": 6, "SCL_A": 7, "SDA_B": 9, "SCL_B": 10, "IRQ": 11, "DATA": 4},
    **{"+3V3": 36, "VSYS": 39},
}
"""Raspberry Pi Pico data sheet, section 2.1: pins of GP4 to 8 and GP2."""
PICO_KEYS = {
    **{"new_game": 14, "take_back": 15, "resign": 16, "cell": 17, "shutdown": 19, "hint": 20},
    **{"choice1": 21, "choice2": 22, "confirm": 24},
}
"""Pins of GP10 to GP18."""
PICO_GROUND = (3, 8, 13, 18, 23, 28, 33, 38)
ADDRESSES = ("GND", "+3V3", "SDA", "SCL")
"""What the ADDR pin of an MPR121 is joined to for 0x5A, 0x5B, 0x5C and 0x5D."""


@dataclass(frozen=True)
class Part:
    """A part: `nets` by the number of the pad; a pad that is missing there is not connected.

    `serves` is the cell, light, key or chip that it belongs to, "" for all others.
    """

    reference: str
    kind: Kind
    spot: Spot
    nets: Mapping[str, str]
    serves: str = ""


_Placed = tuple[str, Kind, Spot, Mapping[str, str], str]


def circuit(plan: Plan, chip: ChipKind = "mpr121") -> tuple[Part, ...]:
    """List all parts of a board with these chips. References count from 1 by their letters."""
    counts: Counter[str] = Counter()
    parts = []
    for letters, kind, spot, nets, serves in _placed(plan, chip):
        counts[letters] += 1
        joined = {pad: net for pad, net in nets.items() if net}
        parts.append(Part(f"{letters}{counts[letters]}", kind, spot, joined, serves))
    return tuple(parts)


def led_spot(plan: Plan, name: str) -> Spot:
    """Give the place and orientation of the LED of a cell or light."""
    pad = name.removesuffix(".0")
    if pad in plan.pads:
        return plan.pads[pad].at(LED_MM, 0, 90)
    return plan.lights[name].at(LIGHT_MM, 0, 90)


def section(plan: Plan, name: str) -> str:
    """Name the net that feeds the LED of a cell or light: one of three fused sections."""
    if "usb" not in plan.connectors:
        return "+5V"
    if name not in plan.cells:
        return "+5V_LIGHTS"
    middle = sum(at.y for at in plan.cells.values()) / len(plan.cells)
    return "+5V_NEAR" if plan.cells[name].y > middle + 0.1 else "+5V_FAR"


def _placed(plan: Plan, chip: ChipKind) -> Iterator[_Placed]:
    yield from _pixels(plan)
    yield from _pads(plan)
    for number, spot in enumerate(plan.chips):
        yield from _mpr121(plan, number, spot)
    yield from _logic(plan, plan.connectors["logic"])
    yield from _buttons(plan)
    if "usb" in plan.connectors:
        yield from _inlet(plan.connectors["usb"])
    yield from _connectors(plan)
    for spot in plan.holes:
        yield "H", kinds.HOLE, spot, {}, ""


def _pixels(plan: Plan) -> Iterator[_Placed]:
    for number, name in enumerate(plan.pixels):
        spot, feed = led_spot(plan, name), section(plan, name)
        last = number == len(plan.pixels) - 1
        nets = {"1": f"D_{number + 1}", "2": "GND", "3": f"D_{number}", "4": feed}
        yield "D", kinds.LED, spot, nets, name
        # Beside the LED's pads of supply.
        yield "C", kinds.C100N, spot.at(2.6, 0.2), {"1": feed, "2": "GND"}, name
        following = "" if last else section(plan, plan.pixels[number + 1])
        if feed != following:
            yield _test_point(spot.at(-3.2, 0), f"D_{number + 1}", name)


def _pads(plan: Plan) -> Iterator[_Placed]:
    for name, at in plan.pads.items():
        chip = plan.chips[plan.electrodes[name][0]]
        between = [at.at(0, 0, 60 * n).at(TEST_POINT_MM, 0) for n in range(6)]
        yield _test_point(min(between, key=chip.distance), f"E_{name}", name)


def _mpr121(plan: Plan, number: int, spot: Spot) -> Iterator[_Placed]:
    letter, bus = chr(ord("A") + number), "AB"[plan.bus(number)]
    first = min(n for n in range(number + 1) if plan.bus(n) == plan.bus(number))
    address = ADDRESSES[number - first]
    vreg, rext = f"VREG_{letter}", f"REXT_{letter}"
    nets = {
        **{"1": "IRQ", "2": f"SCL_{bus}", "3": f"SDA_{bus}"},
        "4": address if address in ("GND", "+3V3") else f"{address}_{bus}",
        **{"5": vreg, "6": "GND", "7": rext, "20": "+3V3"},
        **{
            str(8 + electrode): f"E_{pad}"
            for pad, (own, electrode) in plan.electrodes.items()
            if own == number
        },
    }
    yield "U", kinds.MPR121, spot, nets, letter
    yield "C", kinds.C100N, spot.at(-3.1, -1.6, 180), {"1": vreg, "2": "GND"}, letter
    yield "R", kinds.R75K, spot.at(-0.6, -3.0, 180), {"1": rext, "2": "GND"}, letter
    yield "C", kinds.C100N, spot.at(-3.1, 1.6, 180), {"1": "+3V3", "2": "GND"}, letter


def _logic(plan: Plan, spot: Spot) -> Iterator[_Placed]:
    """Place the level shifter, what buses and supply need, and test points, around a spot."""
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
    return sorted({"AB"[plan.bus(number)] for number in range(len(plan.chips))})


def _button_names(plan: Plan) -> list[str]:
    return [key for key in plan.keys if key not in plan.electrodes]


def _buttons(plan: Plan) -> Iterator[_Placed]:
    names = _button_names(plan)
    for name in names:
        at = plan.keys[name]
        # The footprint's pins are 4.5 mm apart, 3 mm behind the edge; its front looks up.
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
    """Place what is between the plug and the three sections, behind a spot on the edge."""
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
    for y, name in ((-8, "+5V_FAR"), (0, "+5V_NEAR"), (8, "+5V_LIGHTS")):
        yield "F", kinds.POLYFUSE, spot.at(-28, y, 180), {"1": "+5V", "2": name}, ""
        yield _test_point(spot.at(-33, y), name, "")


def _connectors(plan: Plan) -> Iterator[_Placed]:
    names, at = _button_names(plan), plan.connectors
    shared = {
        "DATA",
        "IRQ",
        "+3V3",
        *(f"{n}_{bus}" for bus in _buses(plan) for n in ("SDA", "SCL")),
    }
    if "pi" in at:
        nets = {str(pin): net for net, pin in PI_PINS.items() if net in shared} | {"17": "+3V3"}
        nets |= dict.fromkeys(map(str, PI_GROUND), "GND")
        nets |= {str(PI_KEYS[name]): f"KEY_{name}" for name in names}
        # The header's middle is at the spot; its pins run in the spot's direction.
        yield "J", kinds.PI_HEADER, at["pi"].at(-24.13, -1.27, 270), nets, "pi"
    if "pico" in at:
        nets = {str(pin): net for net, pin in PICO_PINS.items() if net in (*shared, "VSYS")}
        nets |= dict.fromkeys(map(str, PICO_GROUND), "GND")
        nets |= {str(PICO_KEYS[name]): f"KEY_{name}" for name in names}
        left = {pin: net for pin, net in nets.items() if int(pin) <= 20}
        right = {str(int(pin) - 20): net for pin, net in nets.items() if int(pin) > 20}
        yield "J", kinds.SOCKET, at["pico"].at(-1.37, 8.89, 90), left, "pico"
        yield "J", kinds.SOCKET, at["pico"].at(-1.37 - 48.26, -8.89, 270), right, "pico"
        yield "D", kinds.SCHOTTKY, at["pico"].at(-6, 0, 90), {"1": "VSYS", "2": "+5V"}, "pico"
    if "bench" in at:
        order = ("GND", "+5V", "+3V3", "SDA_A", "SCL_A", "IRQ", "DATA", "GND")
        nets = {str(n): net for n, net in enumerate(order, start=1)}
        yield "J", kinds.BENCH_HEADER, at["bench"].at(0, 0, 270), nets, "bench"


def _test_point(spot: Spot, net: str, serves: str) -> _Placed:
    return "TP", kinds.TEST_POINT, spot, {"1": net}, serves
