"""Whether the files of a circuit are looked at as a maker, and an ohmmeter, would."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from hal.profile.geometry import Point
from hardware.kit.circuit.check import check
from hardware.kit.circuit.circuit import (
    GROUND,
    Circuit,
    Guard,
    Hole,
    Pad,
    Side,
    Via,
)
from hardware.kit.circuit.gerber import files
from hardware.kit.circuit.layers import Drills, Layer, file_name
from tests.helpers.kits.circuits import (
    BOTTOM,
    TOP,
    expected,
    small_circuit,
    tiles_of,
    with_track,
)

Files = dict[str, bytes]


def faults_of(circuit: Circuit, written: Files | None = None) -> tuple[str, ...]:
    """Check a circuit's files against what the small circuit should join."""
    return check(written or files(circuit), *expected(small_circuit()))


def changed(part: Layer | Drills, old: str, new: str, count: int = 1) -> Files:
    """Change the bytes of a file of the small circuit, where there are so many such bytes."""
    written = files(small_circuit())
    name = file_name("small", part)
    assert written[name].count(old.encode()) == count
    return written | {name: written[name].replace(old.encode(), new.encode())}


def without_track(net: str, side: Side) -> Circuit:
    circuit = small_circuit()
    left = tuple(t for t in circuit.tracks if (t.net, t.side) != (net, side))
    assert len(left) < len(circuit.tracks)
    return replace(circuit, tracks=left)


def with_via(net: str, x: float, y: float) -> Circuit:
    circuit = small_circuit()
    return replace(circuit, vias=(*circuit.vias, Via(net, Point(x, y))))


def with_hole(x: float, y: float, drill_mm: float) -> Circuit:
    circuit = small_circuit()
    return replace(circuit, holes=(*circuit.holes, Hole(Point(x, y), drill_mm)))


def with_guard(number: int, guard: Guard | None) -> Circuit:
    circuit = small_circuit()
    guards = list(circuit.guards)
    guards[number : number + 1] = [guard] if guard else []
    return replace(circuit, guards=tuple(guards))


def with_pads(*pads: Pad) -> Circuit:
    return replace(small_circuit(), pads=pads)


def test_check_finds_no_fault_in_a_circuit_without_one() -> None:
    assert faults_of(small_circuit()) == ()


def test_check_finds_no_fault_in_tiles_which_are_at_most_as_large_as_is_cheap() -> None:
    for circuit in tiles_of("hexagon-37"):
        assert check(files(circuit), *expected(circuit), within_mm=(100, 100)) == ()


CIRCUITS: dict[str, tuple[Callable[[], Circuit], str]] = {
    "a short between two pads": (
        lambda: with_track(small_circuit(), "e5", BOTTOM, (0, -10), (33.3, -10)),
        r"short: GND, choice1, e5, f5 are joined: allowed is one net",
    ),
    "a short between a pad and its guard": (
        lambda: with_track(small_circuit(), "choice1", TOP, (16.65, 28), (16.65, 17)),
        r"short: GND, choice1 are joined: allowed is one net",
    ),
    "a pad that its track does not reach": (
        lambda: without_track("e5", BOTTOM),
        r"open: net e5 falls into 2 pieces .*\(pad e5, pin 1 of J1\): allowed is 1",
    ),
    "a track that no hole leads to the other side": (
        lambda: replace(small_circuit(), vias=small_circuit().vias[1:]),
        r"open: net e5 falls into 2 pieces",
    ),
    "a guard that nothing joins with ground": (
        lambda: replace(small_circuit(), tracks=small_circuit().tracks[:-1]),
        r"top copper at \(.*\) reaches no pad and no pin: allowed is a net",
    ),
    "copper between a pad and its guard": (
        lambda: with_via(GROUND, -10, 0),
        r"pad e5: 2 pieces of copper are in its ring: allowed is 1",
    ),
    "an unused pin that touches another": (
        lambda: with_track(small_circuit(), "", BOTTOM, (15.62, -22), (18.16, -22)),
        r"short: GND, no net \(pin 4 of J1\) are joined",
    ),
    "tracks too near": (
        lambda: with_track(small_circuit(), "e5", BOTTOM, (0, -10), (12.6, -10)),
        r"bottom copper of .*choice1.* is 0\.230 mm apart at \(12\.\d\d, -10\.\d\d\):"
        r" allowed are 0\.250 mm and more",
    ),
    "a guard too near to its pad": (
        lambda: with_guard(0, Guard(Point(0, 0), 18.4, 28)),
        r"top copper of .* is 0\.200 mm apart at .*: allowed are 0\.250 mm and more",
    ),
    "copper at the edge": (
        lambda: with_track(small_circuit(), GROUND, TOP, (4.15, 28.838), (-19.5, 28.838)),
        r"top copper of GND at .* is 0\.375 mm from the edge: allowed are 0\.500 mm and more",
    ),
    "copper at a hole for light": (
        lambda: with_pads(Pad("e5", Point(0, 0), 18, 3.6), *small_circuit().pads[1:]),
        r"unplated hole at \(0\.00, 0\.00\): top copper of e5 is 0\.(299|300) mm from it:"
        r" allowed are 0\.500 mm and more",
    ),
    "a track over a screw": (
        lambda: with_hole(13.08, 5, 3.2),
        r"unplated hole at \(13\.08, 5\.00\): bottom copper of choice1 is 0\.000 mm from it",
    ),
    "a drill that is too thin": (
        lambda: with_hole(40, 30, 0.4),
        r"unplated hole at \(40\.00, 30\.00\) is 0\.400 mm wide: allowed are 0\.5 to 6\.3 mm",
    ),
    "holes that meet": (
        lambda: with_hole(-14, -20.5, 3.2),
        r"holes at \(-14\.00, -24\.00\) and \(-14\.00, -20\.50\) are 0\.300 mm apart:"
        r" allowed are 0\.500 mm and more",
    ),
    "a hole on the edge": (
        lambda: with_hole(52, 30, 3.2),
        r"hole at \(52\.00, 30\.00\) lies on the edge or outside",
    ),
    "a thin track": (
        lambda: replace(
            small_circuit(),
            tracks=(
                replace(small_circuit().tracks[0], width_mm=0.1),
                *small_circuit().tracks[1:],
            ),
        ),
        r"bottom copper: a line at .* is 0\.100 mm wide: allowed are 0\.150 mm and more",
    ),
    "an outline that crosses itself": (
        lambda: replace(
            small_circuit(),
            outline=(Point(-20, -36), Point(52, 45), Point(52, -36), Point(-20, 45)),
        ),
        r"outline: 1 lines, of which 0 close without crossing themselves: allowed is 1 that does",
    ),
    "copper beside a pin in its opening": (
        lambda: with_track(small_circuit(), "", BOTTOM, (7.05, -22.5), (7.05, -21.5)),
        r"bottom mask: opening at \(8\.00, -22\.00\) bares copper beside pin 1 of J1",
    ),
}


@pytest.mark.parametrize(("make", "words"), CIRCUITS.values(), ids=CIRCUITS)
def test_check_finds_a_fault_of_a_circuit(make: Callable[[], Circuit], words: str) -> None:
    found = faults_of(make())
    assert any(re.match(words, fault) for fault in found), found


BYTES: dict[str, tuple[Callable[[], Files], str]] = {
    "an outline that is open": (
        lambda: changed(Layer.EDGE, "X-20000000Y-36000000D01*", "X-20000000Y-35000000D01*"),
        r"outline: 1 lines, of which 0 close",
    ),
    "an opening over nothing": (
        lambda: changed(Layer.TOP_MASK, "M02*", "X40000000Y30000000D03*\nM02*"),
        r"top mask: opening at \(40\.00, 30\.00\) is at no pin and at no unplated hole",
    ),
    "a pin under the mask": (
        lambda: changed(Layer.BOTTOM_MASK, "X8000000Y-22000000D03*\n", ""),
        r"pin 1 of J1 has no opening in the mask: allowed is 1",
    ),
    "openings that are too small": (
        lambda: changed(Layer.BOTTOM_MASK, "R,1.7X3.1*", "R,1.7X2.9*"),
        r"bottom mask: opening at .* goes -0\.050 mm beyond pin 1 of J1: allowed are 0\.050 mm",
    ),
    "a pin without paste": (
        lambda: changed(Layer.BOTTOM_PASTE, "X8000000Y-22000000D03*\n", ""),
        r"pin 1 of J1 has 0 patches of paste: allowed is 1",
    ),
    "paste beside pins": (
        lambda: changed(Layer.BOTTOM_PASTE, "M02*", "X40000000Y30000000D03*\nM02*"),
        r"paste at \(40\.00, 30\.00\) is on 0 pins: allowed is 1",
    ),
    "print on a pin": (
        lambda: changed(
            Layer.BOTTOM_PRINT,
            "M02*",
            "X7000000Y-22000000D02*\nX9000000Y-22000000D01*\nM02*",
        ),
        r"bottom print lies on the opening at \(8\.00, -22\.00\)",
    ),
    "thin print": (
        lambda: changed(Layer.TOP_PRINT, "C,0.28*", "C,0.1*"),
        r"top print: a line at .* is 0\.100 mm wide: allowed are 0\.150 mm and more",
    ),
    "a plated hole that takes its ring away": (
        lambda: changed(Drills.PLATED, "T01C0.4000", "T01C0.6000"),
        r"plated hole at \(20\.80, 0\.00\): its ring of bottom copper is 0\.100 mm wide:"
        r" allowed are 0\.150 mm and more",
    ),
    "a net that the file calls by another's name": (
        lambda: changed(Layer.TOP_COPPER, "%TO.N,f5*%", "%TO.N,f6*%", 2),
        r"top copper at .* is said to be of net f6: allowed is f5",
    ),
    "layers exchanged": (
        lambda: changed(Layer.TOP_COPPER, "Copper,L1,Top", "Copper,L2,Bot"),
        r"F_Cu: its function is Copper,L2,Bot: allowed is Copper,L1,Top",
    ),
    "a mask that is not negative": (
        lambda: changed(Layer.TOP_MASK, "FilePolarity,Negative", "FilePolarity,Positive"),
        r"F_Mask: its polarity is Positive: allowed is Negative",
    ),
    "inches": (
        lambda: changed(Layer.TOP_COPPER, "%MOMM*%", "%MOIN*%"),
        r"F_Cu: its coordinates are \(4, 6\) in in: allowed is \(4, 6\) in mm",
    ),
    "half a file": (
        lambda: changed(Layer.TOP_COPPER, "M02*", ""),
        r"F_Cu: cannot be read: .*M02",
    ),
    "a slot": (
        lambda: changed(
            Drills.UNPLATED, "X-14.0000Y-24.0000", "G00X-14.0Y-24.0\nM15\nG01X-10.0Y-24.0"
        ),
        r"NPTH: a Line is in it: allowed are round holes",
    ),
}


@pytest.mark.parametrize(("make", "words"), BYTES.values(), ids=BYTES)
def test_check_finds_a_fault_of_a_file(make: Callable[[], Files], words: str) -> None:
    found = faults_of(small_circuit(), make())
    assert any(re.match(words, fault) for fault in found), found


def test_check_misses_a_file() -> None:
    written = files(small_circuit())
    del written[file_name("small", Drills.PLATED)]
    assert faults_of(small_circuit(), written) == ("files *-PTH.drl are 0: allowed is 1",)


def test_check_measures_the_board() -> None:
    written = files(small_circuit())
    assert check(written, *expected(small_circuit()), within_mm=(81, 72)) == ()
    (fault,) = check(written, *expected(small_circuit()), within_mm=(80, 80))
    assert fault == "board is 72.0 x 81.0 mm: allowed are 80.0 x 80.0 mm and less"


def test_check_allows_clearance_and_edge_to_the_micrometre() -> None:
    # The track's side is at x = 13.08 - 0.125, and the new one's end at x + 0.125.
    fits = with_track(small_circuit(), "e5", BOTTOM, (0, -10), (13.08 - 0.5, -10))
    assert faults_of(fits) == ()
    near = with_track(small_circuit(), "e5", BOTTOM, (0, -10), (13.08 - 0.498, -10))
    (fault,) = faults_of(near)
    assert "0.248 mm" in fault


def test_check_wants_exactly_one_pin_a_pad() -> None:
    pads, pins = expected(small_circuit())
    written = files(small_circuit())
    assert check(written, pads | {"g5": Point(40, 30)}, pins) == (
        "pad g5 at (40.00, 30.00): copper there is none: allowed is a piece",
        "net g5 has 0 pins: allowed is 1",
    )
    fewer = {name: at for name, at in pads.items() if name != "e5"}
    assert "pin 1 of J1 is of net e5: allowed are the pads and GND" in check(written, fewer, pins)


def test_check_wants_pads_on_the_pins_that_are_asked() -> None:
    pads, pins = expected(small_circuit())
    mixed = [
        (name, number, {"e5": "f5", "f5": "e5"}.get(net, net), at) for name, number, net, at in pins
    ]
    found = check(files(small_circuit()), pads, mixed)
    assert "short: e5, f5 are joined: allowed is one net" in found


def test_check_does_not_need_the_names_of_nets_in_the_files() -> None:
    written = {
        name: re.sub(rb"%T[OD][^*]*\*%\n", b"", data)
        for name, data in files(small_circuit()).items()
    }
    assert b"TO." not in written["small-F_Cu.gbr"]
    assert faults_of(small_circuit(), written) == ()
