"""The cables of sensor chips, found among the wires: which parts each visits, and what ends there.

Owns how a wiring is read. Must not know where anything is drawn.
"""

from dataclasses import dataclass

from hal.profile.pin_map import ELECTRODES
from hardware.kit.part_names import GROUND_PIN, MUX, PAD_PIN
from hardware.kit.wiring import End, Kind, Wire, Wiring

_SENSING = (Kind.PAD, Kind.RIBBON, Kind.GUARD)


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable: the part where it begins, what its bus is called, and the parts that it visits.

    Multiplexers are visited last.
    """

    source: str
    name: str
    stops: tuple[str, ...]

    @property
    def channel(self) -> str:
        """Give the number of the multiplexer's channel, of a cable that begins there."""
        return self.name.rpartition(" ")[2]


def cables(wiring: Wiring) -> tuple[Cable, ...]:
    """Find all cables: chains of SDA that begin at the computer, or at a multiplexer's channel."""
    following = {wire.start: wire for wire in wiring.of(Kind.BUS) if wire.end.pin == "SDA"}
    found = []
    for wire in following.values():
        if wire.start.pin == "SDA":
            continue
        stops, here = [wire.end.part], wire.end
        while here in following:
            here = following[here].end
            stops.append(here.part)
        found.append(Cable(wire.start.part, wire.signal.removeprefix("SDA of "), tuple(stops)))
    return tuple(found)


def is_mux(part: str) -> bool:
    """Tell whether a part is a multiplexer."""
    return part.startswith(f"{MUX} ")


def resistors(wiring: Wiring, part: str) -> tuple[Wire, ...]:
    """List what pulls up the lines of a breakout."""
    return tuple(wire for wire in wiring.of(Kind.PART) if wire.start.part == part)


def straps(wiring: Wiring, part: str) -> tuple[Wire, ...]:
    """List the short wires between a breakout's own pins, those of its address first."""
    own = (*wiring.of(Kind.ADDRESS), *wiring.of(Kind.POWER_3V3))
    return tuple(wire for wire in own if wire.start.part == wire.end.part == part)


def electrodes(wiring: Wiring, chip: str) -> tuple[str, ...]:
    """Say what is wired to each electrode of a chip, and to its ground on that side."""
    texts = []
    for electrode in range(ELECTRODES):
        wires = _sensing(wiring, End(chip, str(electrode)))
        texts += [f"{electrode}: {_far(wire)}" for wire in wires] or [f"{electrode}: free"]
    grounds = _sensing(wiring, End(chip, GROUND_PIN))
    return (*texts, *(f"{GROUND_PIN}: {_far(wire)}" for wire in grounds))


def _sensing(wiring: Wiring, end: End) -> list[Wire]:
    return [wire for wire in wiring.at(end) if wire.kind in _SENSING]


def _far(wire: Wire) -> str:
    pin = f"{wire.start.part}.{wire.start.pin}"
    if wire.kind is Kind.PAD:
        name = wire.signal
    elif wire.kind is Kind.RIBBON:
        name = f"{pin} {wire.signal}"
    else:
        name = wire.start.part if wire.start.pin == PAD_PIN else pin
    return f"{name}, {wire.length_mm} mm"
