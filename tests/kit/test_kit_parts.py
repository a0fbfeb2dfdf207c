"""The list of parts: counts and lengths are those of profile, wiring and figures."""

import re
from dataclasses import replace
from functools import cache

import pytest

from hardware.kit.electric.chain import Kind as Bought
from hardware.kit.electric.chain import pieces
from hardware.kit.errors import KitError
from hardware.kit.materials import check_sheets, is_thick, screw_mm
from hardware.kit.parts import parts
from hardware.kit.tables import Table
from hardware.kit.wiring import Kind
from tests.helpers.boards.guide_tables import number, part
from tests.helpers.kits.boards import VARIED, layout_of, with_pixels_mixed
from tests.helpers.kits.built import built

BOARDS = VARIED
PIXELS = ("strip with 30 pixels a metre", "strip with 60 pixels a metre", "single pixels")
SHARED = (
    "MPR121 breakouts",
    "TCA9548A breakouts",
    "Raspberry Pi Pico",
    "buttons",
    "74AHCT125",
    "capacitor 1000 uF",
    "capacitor 100 nF",
    "resistor 330 to 470 ohm",
    "resistor 4.7 kohm",
    "resistor 10 kohm",
    "Schottky diode",
)
"""What the guide's table and the kit's list both count."""


@cache
def listed(board: str) -> Table:
    layout, wiring, found = built(board)
    return parts(layout, found, wiring)


def quantity(table: Table, begin: str) -> str:
    """Give how many of a part are listed, "0" of one that is not."""
    names = zip(table.column("part"), table.column("quantity"), strict=True)
    found = [count for name, count in names if name.startswith(begin)]
    assert len(found) <= 1, begin
    return found[0] if found else "0"


def metres(table: Table, begin: str) -> float:
    found = re.search(r"([\d.]+) m$", quantity(table, begin))
    assert found, begin
    return float(found[1])


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("board", BOARDS)
def test_guide_and_kit_count_the_same_parts(board, name):
    assert quantity(listed(board), name) == part(name, board)


@pytest.mark.parametrize(
    ("board", "seed"), [*((board, None) for board in BOARDS), ("hexagon-37", 1), ("disc-32", 2)]
)
def test_pixels_are_bought_as_the_chain_is_cut(board, seed):
    layout, wiring, found = built(board)
    table = listed(board)
    if seed is not None:
        layout = with_pixels_mixed(layout, seed)
        table = parts(layout, found, wiring)
    counts = [number(quantity(table, name)) for name in PIXELS]
    assert sum(counts) == layout.profile.pixel_count
    chain = pieces(layout)
    for kind, name, count in zip(Bought, PIXELS, counts, strict=True):
        own = [piece for piece in chain if piece.kind is kind]
        assert count == sum(len(piece.places) for piece in own)
        if own and kind is not Bought.SINGLE:
            exact = sum(piece.length_mm for piece in own) / 1000
            assert exact <= metres(table, name) + 1e-9 < exact + 0.1 + 1e-6


@pytest.mark.parametrize("board", BOARDS)
def test_wires_are_long_enough_and_each_is_in_one_row(board):
    table = listed(board)
    _, wiring, found = built(board)
    area = f"wire of {found.feeding.wire_mm2:g} mm2"
    rows = {
        "thin wire": wiring.of(Kind.PAD, Kind.GUARD),
        f"{area}, red": wiring.of(Kind.POWER_5V),
        f"{area}, black": [w for w in wiring.of(Kind.GROUND) if is_thick(w)],
    }
    taken = {wire for wires in rows.values() for wire in wires}
    rows["wire of 0.14"] = [w for w in wiring.wires if w not in taken and w.kind is not Kind.PART]
    for name, wires in rows.items():
        exact = sum(each.length_mm for each in wires) / 1000
        assert exact > 0
        assert exact * 1.1 <= metres(table, name) < exact * 1.1 + 1
    said = [re.match(r"(\d+) wires", text) for text in table.column("where the number comes from")]
    counted = sum(int(found[1]) for found in said if found)
    assert counted == sum(1 for each in wiring.wires if each.length_mm)


@pytest.mark.parametrize(
    ("measures", "length"),
    [
        # Cover 2, films 0.5, carrier 3, air 10, base 5, washer 0.5, 4 in the spacer.
        ({}, 25),
        ({"air_mm": 9.0}, 25),
        ({"air_mm": 10.1}, 30),
        # A printed circuit of 1.6 mm is thicker than such a carrier.
        ({"carrier_mm": 1.0, "air_mm": 11.4}, 25),
        ({"carrier_mm": 1.0, "air_mm": 11.5}, 30),
        ({"cover_mm": 8, "carrier_mm": 10, "air_mm": 40}, 70),
    ],
)
def test_screws_go_through_the_stack(measures, length):
    layout = layout_of("hexagon-61")
    changed = replace(layout, geometry=replace(layout.geometry, **measures))
    assert screw_mm(changed) == length


@pytest.mark.parametrize("air_mm", [12.5, 11.0, 10.1, 3.0])
def test_walls_of_sheets_that_are_not_sold_are_refused(air_mm):
    geometry = replace(layout_of("hexagon-37").geometry, air_mm=air_mm)
    half = re.escape(f"{air_mm / 2:g}")
    with pytest.raises(KitError, match=f"sheets of {half} mm.*allowed are 10, 12, 16") as caught:
        check_sheets(geometry)
    assert caught.value.key == "air_mm"
