"""The kits that ship: made of today's profiles, and all that is in them says the same.

Each is read by itself: the tables as CSV, the diagram by where its texts are, the Gerbers by
following their copper. Only where connectors lie is taken from the plan.
"""

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from io import StringIO

import pytest
from shapely import Point as Spot

from hal.profile import Electrode, Pin, Profile, built_in
from hal.profile.geometry import Point
from hardware.kit.circuit.check import check
from hardware.kit.circuit.circuit import Circuit, Side
from hardware.kit.circuit.gerber import files
from hardware.kit.circuit.layers import Drills, Layer
from hardware.kit.circuit.nets import Nets
from hardware.kit.circuit.plan import tiles, whole
from hardware.kit.circuit.reading import read_drills, read_layer
from hardware.kit.diagram import diagram
from hardware.kit.drawing import Drawing, Label
from hardware.kit.electric import feeds
from hardware.kit.layout import Layout
from hardware.kit.tables import Table, to_csv
from hardware.kit.wiring import (
    Build,
    Wiring,
    chips_table,
    pads_table,
    pins_table,
    pixels_table,
    wire,
)
from tests.helpers.kits.boards import KINDS, VARIED, layout_of_profile, permuted, seven_cells
from tests.helpers.kits.circuits import expected, whole_of
from tests.helpers.kits.guides import contents_of, files_to_keep
from tests.helpers.kits.shipped_kits import BOARDS, shipped, unpacked

Electrodes = Mapping[str, Electrode]
Row = dict[str, str]


@dataclass(frozen=True)
class Said:
    """What one source says: the electrode of each pad, and the pin of the connector before it."""

    electrodes: Electrodes
    pins: Mapping[str, tuple[str, str]]


def rows(table: Table) -> list[Row]:
    """Read a table back from its file."""
    return list(csv.DictReader(StringIO(to_csv(table).decode(), newline="")))


def profile_says(profile: Profile) -> Electrodes:
    keys = {key: on for key, on in profile.keys.items() if isinstance(on, Electrode)}
    return dict(profile.cells) | keys


def table_says(wiring: Wiring) -> Said:
    electrodes, pins = {}, {}
    for row in rows(pads_table(wiring)):
        if row["electrode"] == "GND" or row["pad"] == "unused":
            continue
        electrodes[row["pad"]] = Electrode(row["chip"], int(row["electrode"]))
        if "connector" in row:
            pins[row["pad"]] = (row["connector"], row["pin"])
    return Said(electrodes, pins)


def diagram_says(drawing: Drawing) -> Said:
    """Read the texts below each chip's name: they stand on end, beside each other."""
    labels = [mark.shape for mark in drawing.marks if isinstance(mark.shape, Label)]
    chips = [label for label in labels if label.text.startswith("chip ") and label.bold]
    electrodes, pins = {}, {}
    for label in labels:
        if not label.turn_deg:
            continue
        said = re.fullmatch(r"(\d+): (?:(\S+)\.(\d+) )?(\S+), \d+ mm", label.text)
        if said is None or said[4] == "unused":
            continue
        above = [each for each in chips if 0 < each.at.y - label.at.y < 40]
        chip = min(above, key=lambda each: abs(each.at.x - label.at.x)).text
        electrodes[said[4]] = Electrode(chip.removeprefix("chip "), int(said[1]))
        if said[2]:
            pins[said[4]] = (said[2], said[3])
    return Said(electrodes, pins)


def gerbers_say(
    layout: Layout, written: Iterable[tuple[Circuit, Mapping[str, bytes]]]
) -> Mapping[str, tuple[str, str]]:
    """Follow the copper of the files from each pad's place to the pin at which it ends."""
    found: dict[str, tuple[str, str]] = {}
    for circuit, content in written:
        copper = {
            Side.TOP: read_layer(content, Layer.TOP_COPPER),
            Side.BOTTOM: read_layer(content, Layer.BOTTOM_COPPER),
        }
        nets = Nets(copper, read_drills(content, Drills.PLATED))
        pins = {
            _group(nets, Side.BOTTOM, pin.at): (connector.name, str(pin.number))
            for connector in circuit.connectors
            for pin in connector.pins
        }
        for name, sensor in layout.sensors.items():
            aside = (layout.geometry.hole_mm + layout.geometry.pad_mm) / 4
            group = _group(nets, Side.TOP, sensor.at.moved(aside))
            if group in pins:
                assert name not in found
                found[name] = pins[group]
    return found


def _group(nets: Nets, side: Side, at: Point) -> int | None:
    pieces = nets.at(side, Spot(at))
    return nets.group(pieces[0]) if pieces else None


def disagreements(
    profile: Electrodes,
    table: Said,
    drawn: Said,
    copper: Mapping[str, tuple[str, str]] | None = None,
) -> list[str]:
    """List where the sources do not say the same."""
    faults = [
        f"{pad}: profile {profile.get(pad)}, table {table.electrodes.get(pad)},"
        f" diagram {drawn.electrodes.get(pad)}"
        for pad in {*profile, *table.electrodes, *drawn.electrodes}
        if not profile.get(pad) == table.electrodes.get(pad) == drawn.electrodes.get(pad)
    ]
    if copper is not None:
        faults += [
            f"{pad}: copper {copper.get(pad)}, table {table.pins.get(pad)},"
            f" diagram {drawn.pins.get(pad)}"
            for pad in {*copper, *table.pins, *drawn.pins, *profile}
            if pad not in copper
            or not copper.get(pad) == table.pins.get(pad) == drawn.pins.get(pad)
        ]
    return sorted(faults)


def circuit_faults(layout: Layout, wiring: Wiring, circuits: Iterable[Circuit]) -> list[str]:
    copper = gerbers_say(layout, [(circuit, files(circuit)) for circuit in circuits])
    drawn = diagram_says(diagram(layout, wiring))
    return disagreements(profile_says(layout.profile), table_says(wiring), drawn, copper)


def other_faults(layout: Layout, wiring: Wiring) -> list[str]:
    """List where pixels, pins and chips of tables and diagram are not those of the profile."""
    profile = layout.profile
    texts = [
        mark.shape.text for mark in diagram(layout, wiring).marks if isinstance(mark.shape, Label)
    ]
    pixels = {r["lights"]: int(r["pixel"]) for r in rows(pixels_table(layout, wiring))}
    pixels.pop("nothing", None)
    faults = [] if pixels == dict(profile.pixels) else ["pixels"]
    said = {r["signal"]: r for r in rows(pins_table(layout, wiring))}
    keys = {f"key {n}": on.number for n, on in profile.keys.items() if isinstance(on, Pin)}
    keys |= {"interrupt": profile.interrupt_pin, "data, 3.3 V": profile.strip.pin}
    for signal, number in keys.items():
        row = said.get(signal)
        name = profile.pin_name(number)
        if row is None or row["name"] != name:
            faults.append(f"pin of {signal} in the table")
        elif f"{name} ({row['pin']})" not in texts:
            faults.append(f"pin of {signal} in the diagram")
    chips = {r["chip"]: r for r in rows(chips_table(layout, wiring))}
    for chip in profile.chips:
        row = chips[chip.name]
        if (row["bus"], row["address"]) != (str(chip.bus), f"0x{chip.address:X}"):
            faults.append(f"chip {chip.name} in the table")
        at = texts.index(f"chip {chip.name}")
        if texts[at + 1] != f"0x{chip.address:X}" or texts[at + 2] != row["address pins"]:
            faults.append(f"chip {chip.name} in the diagram")
    return faults


@pytest.mark.parametrize(
    ("board", "seed"),
    [*((name, None) for name in VARIED), ("hexagon-37", 1), ("disc-32", 2)],
)
def test_profile_table_and_diagram_of_foil_agree(board: str, seed: int | None):
    profile = built_in(board)
    layout = layout_of_profile(profile if seed is None else permuted(profile, seed))
    wiring = wire(layout, Build.FOIL, (), feeds(layout))
    drawn = diagram_says(diagram(layout, wiring))
    assert disagreements(profile_says(layout.profile), table_says(wiring), drawn) == []
    assert other_faults(layout, wiring) == []


# What hangs on a Pico, or behind a multiplexer, has the copper of the same board without.
@pytest.mark.parametrize("board", KINDS)
def test_profile_table_diagram_and_gerbers_agree_on_kits_that_ship(board: str):
    contents = contents_of(board)
    layout, wiring = contents.layout, contents.wirings[Build.CIRCUIT]
    copper = gerbers_say(layout, [(contents.circuit, contents.gerbers[board])])
    drawn = diagram_says(contents.drawings["wiring-circuit"])
    assert disagreements(profile_says(layout.profile), table_says(wiring), drawn, copper) == []


@cache
def planned(seed: int | None, build: Build) -> tuple[Layout, Wiring, tuple[Circuit, ...]]:
    """Plan the small board, permuted by a seed."""
    profile = seven_cells() if seed is None else permuted(seven_cells(), seed)
    layout = layout_of_profile(profile)
    circuits = (whole(layout),) if build is Build.CIRCUIT else tiles(layout)
    return layout, wire(layout, build, circuits, feeds(layout)), circuits


@pytest.mark.parametrize("build", [Build.CIRCUIT, Build.TILES])
@pytest.mark.parametrize("seed", [None, 0, 1])
def test_circuits_of_permuted_boards_agree_with_their_profile_and_keep_clearances(
    seed: int | None, build: Build
):
    layout, wiring, circuits = planned(seed, build)
    assert circuit_faults(layout, wiring, circuits) == []
    assert other_faults(layout, wiring) == []
    assert [check(files(circuit), *expected(circuit)) for circuit in circuits] == [()] * len(
        circuits
    )


LARGEST = 400_000
"""What is kept of one board, in bytes: these files are in everybody's checkout."""


def stale(board: str, files: dict[str, bytes]) -> list[str]:
    """Name what is kept of a board's kit and differs from what is made of it now."""
    old, new = unpacked(shipped(board)), unpacked(files)
    return sorted(name for name in old | new if old.get(name) != new.get(name))


@pytest.mark.parametrize("board", BOARDS)
def test_kit_that_ships_is_current_and_small(board: str):
    files = files_to_keep(board)
    assert stale(board, files) == [], "call `make kits`"
    assert 0 < sum(map(len, shipped(board).values())) < LARGEST
    # And the comparison would notice.
    changed = {**files, "parts-foil.csv": files["parts-foil.csv"] + b"one more,1\r\n"}
    del changed["figures.csv"]
    assert stale(board, changed) == ["figures.csv", "parts-foil.csv"]


@pytest.mark.parametrize("board", BOARDS)
def test_circuit_that_ships_joins_each_pad_with_its_pin_and_keeps_all_clearances(board: str):
    files = unpacked(shipped(board))
    inside = f"circuit/{board}.zip/"
    gerbers = {n.removeprefix(inside): c for n, c in files.items() if n.startswith(inside)}
    assert check(gerbers, *expected(whole_of(board))) == ()
