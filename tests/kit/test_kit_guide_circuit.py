"""The guide's chapters on printed circuits: what is soldered where, whole and in tiles."""

from itertools import combinations

import pytest

from hardware.kit.circuit.tiling import GAP_MM
from hardware.kit.guide.document import Document, Heading, Picture, Steps
from hardware.kit.guide.text import assembly
from hardware.kit.guide.text_circuit import TAPE_MM
from hardware.kit.plates.regions import Region
from hardware.kit.plates.slots import PLUG_MM
from hardware.kit.wiring import Build
from tests.helpers.kits.guides import chapter, rows, said, sketch_of

BOARDS = (("hexagon-61", True), ("rectangle-88", True), ("disc-32-pico", False))
ALL = pytest.mark.parametrize(("name", "tiled"), BOARDS)
TILED = pytest.mark.parametrize(("name", "tiled"), BOARDS[:2])


@pytest.fixture
def guide(name: str, tiled: bool) -> Document:
    return assembly(sketch_of(name, tiled))


def steps(document: Document) -> list[str]:
    return [item for b in document.blocks if isinstance(b, Steps) for item in b.items]


@ALL
def test_circuit_has_a_row_for_each_pin_and_a_column_for_each_connector(guide, name, tiled):
    contents = sketch_of(name, tiled)
    found = {}
    for pin, electrode, *pads in rows(guide, "pads-circuit"):
        for connector, pad in zip(contents.circuit.connectors, pads, strict=True):
            chip = connector.name.removeprefix("J")
            if electrode == "GND":
                assert (pin, pad) == ("13", "ground")
            elif pad != "no pad":
                assert pad not in found
                found[pad] = (chip, int(electrode))
                assert int(pin) == int(electrode) + 1
    sensors = contents.layout.sensors.values()
    assert found == {each.name: (each.electrode.chip, each.electrode.electrode) for each in sensors}


@ALL
def test_circuit_lists_one_ribbon_for_each_connector_as_long_as_its_wires(guide, name, tiled):
    contents = sketch_of(name, tiled)
    wires = [w for w in contents.wirings[Build.CIRCUIT].wires if w.start.part.startswith("J")]
    listed = rows(guide, "ribbons")
    assert [row[0] for row in listed] == [each.name for each in contents.circuit.connectors]
    for connector, chip, length in listed:
        own = [wire for wire in wires if wire.start.part == connector]
        assert {(wire.end.name, str(wire.length_mm)) for wire in own} == {(chip, length)}


@ALL
def test_circuit_says_what_becomes_of_wires_without_a_pad(guide, name, tiled):
    connectors = sketch_of(name, tiled).circuit.connectors
    unused = any(not pin.net for connector in connectors for pin in connector.pins)
    said_so = "wires of the pins without a pad too" in said(chapter(guide, "circuit"))
    assert said_so == unused
    assert ("no pad" in {cell for row in rows(guide, "pads-circuit") for cell in row}) == unused


@ALL
def test_connector_tells_all_that_solder_to_one_how_it_is_done(guide, name, tiled):
    order = [b.anchor for b in guide.blocks if isinstance(b, Heading) and b.level == 1]
    readers = ("circuit", "tiles") if tiled else ("circuit",)
    for reader in readers:
        assert order.index("connector") < order.index(reader)
        own = " ".join(steps(chapter(guide, reader)))
        assert "[](#connector-inspect)" in own
        assert "[](#connector-wires)" in own
    told = " ".join(steps(chapter(guide, "connector")))
    for words in ("along the pin", "stand up by more than 3 mm", "come through to the top"):
        assert words in told
    assert f"not farther than {PLUG_MM / 2:g} mm beside the pins" in told


@TILED
def test_tiles_gap_is_the_one_that_they_have(guide, name, tiled):
    edges = [Region.of(tile.outline) for tile in sketch_of(name, tiled).tiles]
    least = min(one.distance(other) for one, other in combinations(edges, 2))
    assert least == pytest.approx(GAP_MM, abs=0.01)
    assert f"a gap of about {GAP_MM:g} mm" in said(chapter(guide, "tiles"))


@TILED
def test_tiles_are_joined_with_nothing_that_lifts_them_off_the_walls(guide, tiled):
    told = said(chapter(guide, "tiles"))
    assert TAPE_MM <= 0.05
    assert f"clear tape, at most {TAPE_MM:g} mm thick" in told
    assert "card" not in told


@TILED
def test_tiles_are_shown_as_they_lie_with_their_walls_and_their_base(guide, tiled):
    shown = {b.anchor: b.file for b in guide.blocks if isinstance(b, Picture)}
    assert "tile-plan" in shown
    assert shown["walls-tiles-below"] == "laser/walls-tiles-lower.svg"
    assert shown["base-tiles"] == "laser/base-tiles.svg"


@TILED
def test_tiles_lie_with_the_print_of_their_names_below(guide, name, tiled):

    assert "names of tiles are printed below" in said(chapter(guide, "tiles"))
    for tile in sketch_of(name, tiled).tiles:
        (connector,) = tile.connectors
        sides = {note.side.value for note in tile.notes if note.text.split()[-1] == connector.name}
        assert sides == {"bottom"}
