"""Wires of the sensing layer: pads, or the ribbons of printed circuits, and the guard.

Owns them for each way to build it. Must not know what chips are wired to on their other side.
"""

from collections.abc import Iterable, Sequence

from hal.profile.geometry import Point
from hal.profile.pin_map import ELECTRODES
from hardware.kit.circuit.circuit import GROUND, Circuit, Connector, Pin
from hardware.kit.electric.sensing import LONGEST_MM
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout, Sensor
from hardware.kit.part_names import GROUND_PIN, GUARD, PAD_PIN, chip_part, pad_part
from hardware.kit.plates.copper import copper
from hardware.kit.wiring.runs import length_mm
from hardware.kit.wiring.wires import Build, End, Kind, Wire

WHOLE, TILE = "J", "T"
"""How connectors are named: J and the chip's name on a whole circuit, T and a number on a tile."""
UNUSED = "unused"
LEAST_FLAT_MM = 120
"""Of a flat cable: 40 mm are parted at each of its ends."""


def sensing_wires(layout: Layout, build: Build, circuits: Sequence[Circuit]) -> list[Wire]:
    """Wire all pads and guards; raise KitError for a wire that is too long, or a circuit that is
    not of this board."""
    if build is Build.FOIL:
        return list(_foil_wires(layout))
    if not circuits:
        raise ValueError(f"{build} is built of circuits: allowed are 1 and more")
    connectors = [connector for circuit in circuits for connector in circuit.connectors]
    if build is Build.TILES:
        wires = [wire for connector in connectors for wire in _tile_wires(layout, connector)]
    else:
        wires = [wire for connector in connectors for wire in _ribbon(layout, connector)]
    _check_complete(layout, wires)
    return wires


def _foil_wires(layout: Layout) -> Iterable[Wire]:
    """Wire each pad of foil to its electrode, and the guards, which are one piece, to ground."""
    foil = copper(layout)
    for sensor in layout.sensors.values():
        start, end = End(pad_part(sensor.name), PAD_PIN), _electrode(sensor)
        at = foil.pads[sensor.name].wire
        length = length_mm(at, layout.chips[sensor.electrode.chip])
        yield _checked(Wire(Kind.PAD, sensor.name, start, end, length))
    chip = _nearest_chip(layout, foil.ground)
    length = length_mm(foil.ground, layout.chips[chip])
    yield Wire(Kind.GUARD, GROUND, End(GUARD, PAD_PIN), End(chip_part(chip), GROUND_PIN), length)


def _ribbon(layout: Layout, connector: Connector) -> Iterable[Wire]:
    """Wire a connector of a whole circuit: pin 1 to electrode 0 and so on, the last to ground."""
    chip = connector.name.removeprefix(WHOLE)
    if chip not in layout.chips or len(connector.pins) != ELECTRODES + 1:
        raise KitError(
            f"connector {connector.name} with {len(connector.pins)} pins: allowed are"
            f" {', '.join(WHOLE + name for name in layout.chips)} with {ELECTRODES + 1}"
        )
    length = max(LEAST_FLAT_MM, length_mm(_middle(connector.pins), layout.chips[chip]))
    expected = {sensor.electrode.electrode: sensor.name for sensor in layout.sensors_of(chip)}
    for pin in connector.pins:
        ground = pin.number == ELECTRODES + 1
        net = GROUND if ground else expected.get(pin.number - 1, "")
        if pin.net != net:
            raise KitError(_stray(connector, pin, net))
        end = End(chip_part(chip), GROUND_PIN if ground else str(pin.number - 1))
        kind = Kind.GUARD if ground else Kind.RIBBON
        start = End(connector.name, str(pin.number))
        yield _checked(Wire(kind, pin.net or UNUSED, start, end, length))


def _tile_wires(layout: Layout, connector: Connector) -> Iterable[Wire]:
    """Wire a connector of a tile: each pin to its pad's electrode, the last to a ground nearby."""
    nearest = _nearest_chip(layout, _middle(connector.pins))
    for pin in connector.pins:
        start = End(connector.name, str(pin.number))
        if pin.net == GROUND:
            end = End(chip_part(nearest), GROUND_PIN)
            length = max(LEAST_FLAT_MM, length_mm(pin.at, layout.chips[nearest]))
            yield _checked(Wire(Kind.GUARD, GROUND, start, end, length))
        elif pin.net in layout.sensors:
            sensor = layout.sensors[pin.net]
            way = length_mm(pin.at, layout.chips[sensor.electrode.chip])
            length = max(LEAST_FLAT_MM, way)
            yield _checked(Wire(Kind.RIBBON, pin.net, start, _electrode(sensor), length))
        elif pin.net:
            raise KitError(_stray(connector, pin, "a pad of the board"))


def _check_complete(layout: Layout, wires: Iterable[Wire]) -> None:
    wired = [wire.signal for wire in wires if wire.signal in layout.sensors]
    for name in layout.sensors:
        if wired.count(name) != 1:
            raise KitError(
                f"pad {name} is on {wired.count(name)} pins of the circuits' connectors:"
                " allowed is 1"
            )


def _stray(connector: Connector, pin: Pin, allowed: str) -> str:
    net = pin.net or "nothing"
    return f"pin {pin.number} of {connector.name} is {net}: allowed is {allowed or 'nothing'}"


def _checked(wire: Wire) -> Wire:
    if wire.length_mm > LONGEST_MM:
        raise KitError(
            f"the wire of {wire.signal} from {wire.start.part} to {wire.end.part} is"
            f" {wire.length_mm} mm long: allowed are up to {LONGEST_MM:g} mm, so pads that are far"
            " apart want another chip"
        )
    return wire


def _electrode(sensor: Sensor) -> End:
    return End(chip_part(sensor.electrode.chip), str(sensor.electrode.electrode))


def _nearest_chip(layout: Layout, at: Point) -> str:
    return min(layout.chips, key=lambda chip: round(at.distance(layout.chips[chip]), 3))


def _middle(pins: Sequence[Pin]) -> Point:
    count = len(pins)
    return Point(sum(pin.at.x for pin in pins) / count, sum(pin.at.y for pin in pins) / count)
