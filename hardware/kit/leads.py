"""How each pad is joined to its chip, in mm of wire and of track, as it was wired and routed.

Owns the measuring of what others have laid out. What follows from it is known to `electric`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import sqrt

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Circuit, Pad, Side, Track
from hardware.kit.electric import Lengths, Run
from hardware.kit.layout import Layout
from hardware.kit.part_names import CLAMP, FUSE, PIXEL
from hardware.kit.wiring import Build, Kind, Wiring


def runs(layout: Layout, wiring: Wiring, circuits: Iterable[Circuit] = ()) -> dict[str, Run]:
    """Measure for each sensor its wire and its track, and what runs below it.

    `circuits` are those of the wiring's build; a board of foil has none.
    """
    wires = {wire.signal: wire.length_mm for wire in wiring.of(Kind.PAD, Kind.RIBBON)}
    tracks: defaultdict[str, float] = defaultdict(float)
    crossed: defaultdict[str, float] = defaultdict(float)
    if wiring.build is not Build.FOIL:
        for circuit in circuits:
            for track in circuit.tracks:
                tracks[track.net] += track.length_mm
            for pad in circuit.pads:
                crossed[pad.net] += crossed_mm(pad, circuit.tracks)
    return {
        name: Run(wires[name], tracks[name], crossed[name])
        for name in layout.sensors
        if name in wires
    }


def lengths(wiring: Wiring) -> Lengths:
    """Measure how long each bus and each channel is, the wire of data to the first pixel, all
    wires from inlet to fuse and clamps, and the longest from a clamp to a pixel."""
    buses: defaultdict[str, float] = defaultdict(float)
    for wire in wiring.of(Kind.BUS):
        line, _, name = wire.signal.partition(" of ")
        # Both lines of a bus run beside each other, so one of them is as long as the bus.
        buses[name] += wire.length_mm if line == "SDA" else 0
    first = [wire for wire in wiring.of(Kind.DATA) if wire.signal == "data, 5 V"]
    trunk = [
        wire
        for wire in wiring.of(Kind.POWER_5V, Kind.GROUND)
        if wire.end.sort == CLAMP or wire.end.part == FUSE
    ]
    trunk_mm = float(sum(wire.length_mm for wire in trunk))
    fed = [
        wire.length_mm
        for wire in wiring.of(Kind.POWER_5V, Kind.GROUND)
        if wire.start.sort == CLAMP and wire.end.sort == PIXEL
    ]
    return Lengths(dict(buses), float(first[0].length_mm), trunk_mm, float(max(fed)))


def crossed_mm(pad: Pad, tracks: Iterable[Track]) -> float:
    """Give the length of other nets' tracks that runs on the bottom right below a pad."""
    return sum(
        _inside(start, end, pad.at, pad.diameter_mm / 2)
        for track in tracks
        if track.net != pad.net and track.side is Side.BOTTOM
        for start, end in _pieces(track)
    )


def _pieces(track: Track) -> Iterator[tuple[Point, Point]]:
    return pairwise(track.points)


def _inside(start: Point, end: Point, middle: Point, radius: float) -> float:
    """Give how much of a line from point to point lies in a circle."""
    length = start.distance(end)
    if not length:
        return 0.0
    along = Point((end.x - start.x) / length, (end.y - start.y) / length)
    towards = (middle.x - start.x) * along.x + (middle.y - start.y) * along.y
    aside2 = (start.x + along.x * towards - middle.x) ** 2
    aside2 += (start.y + along.y * towards - middle.y) ** 2
    if aside2 >= radius**2:
        return 0.0
    half = sqrt(radius**2 - aside2)
    return max(0.0, min(length, towards + half) - max(0.0, towards - half))
