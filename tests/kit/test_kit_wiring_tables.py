"""The tables of a wiring: every wire is in one, and each says what a maker looks for there."""

import pytest

from hardware.kit.electric import chain, feeds
from hardware.kit.part_names import CLAMP, PIXEL
from hardware.kit.wiring import (
    Kind,
    chips_table,
    pins_table,
    pixels_table,
    power_table,
    wires_table,
)
from tests.helpers.kits.boards import VARIED, layout_of
from tests.helpers.kits.built import built

BOARDS = VARIED


@pytest.mark.parametrize("board", BOARDS)
def test_wires_table_lists_every_wire_with_both_ends(board: str):
    _, wiring, _ = built(board)
    table = wires_table(wiring)
    assert len(table.rows) == len(wiring.wires)
    for row, each in zip(table.rows, wiring.wires, strict=True):
        ends = (each.start.part, each.start.pin, each.end.part, each.end.pin)
        assert row[1:6] == (each.signal, *ends)
        assert row[6] == (str(each.length_mm) if each.length_mm else "-")
    assert set(table.column("what")) == {"wire", "part"}


@pytest.mark.parametrize("board", BOARDS)
def test_pixels_table_says_where_strips_begin_and_what_wires_are_between(board: str):
    layout, wiring, _ = built(board)
    table = pixels_table(layout, wiring)
    assert table.column("pixel") == tuple(map(str, range(layout.profile.pixel_count)))
    begins = {int(row[0]): row[4] for row in table.rows if row[4]}
    assert set(begins) == {piece.first for piece in chain.pieces(layout)}
    ways = table.column("from the one before mm")
    assert ways[0] == "by the resistor"
    for pixel in range(1, len(ways)):
        assert (ways[pixel] == "strip") == (pixel not in begins)
    for column, kind, pin in ((6, Kind.POWER_5V, "5V"), (7, Kind.GROUND, "GND")):
        told = {f"pixel {row[0]}": row[column] for row in table.rows if row[column]}
        assert set(told) == {f"pixel {pixel}" for pixel in feeds(layout)}
        for each in wiring.of(kind):
            if each.end.part in told and each.end.pin == pin and each.start.sort == CLAMP:
                assert told.pop(each.end.part) == str(each.length_mm)
        assert not told


def test_pins_table_names_pins_and_what_they_lead_to():
    layout, wiring, _ = built("hexagon-61")
    rows = {row[0]: row for row in pins_table(layout, wiring).rows}
    assert rows["GPIO17"][1:4] == ("11", "key new_game", "button new_game, 1")
    assert rows["GPIO10"][1:4] == ("19", "data, 3.3 V", "74AHCT125, 2 (1A)")


def test_chips_table_lists_chips_and_multiplexers_with_their_straps():
    layout = layout_of("hexagon-61-mux")
    _, wiring, _ = built("hexagon-61-mux")
    rows = {row[0]: row for row in chips_table(layout, wiring).rows}
    assert rows["C"][1:5] == ("1", "0 of 0x70", "0x5C", "ADDR to SDA")
    assert rows["TCA9548A"][1:5] == ("1", "-", "0x70", "A0 to GND, A1 to GND, A2 to GND")
    assert rows["TCA9548A"][5] == "Raspberry Pi, GPIO2 (3)"
    _, two, _ = built("hexagon-61")
    resistors = {row[0]: row[7] for row in chips_table(layout_of("hexagon-61"), two).rows}
    assert sum("4.7 kohm SDA to VIN, 4.7 kohm SCL to VIN" in text for text in resistors.values())


@pytest.mark.parametrize("board", BOARDS)
def test_power_table_has_supply_fuse_and_feeds_but_no_chips_and_buttons(board: str):
    layout, wiring, _ = built(board)
    table = power_table(wiring)
    for name in ("from", "to"):
        for part in table.column(name):
            assert part.partition(" ")[0] not in ("chip", "button", "multiplexer", "pad")
    fed = {row[4] for row in table.rows if row[1] == "5 V" and row[4].startswith(PIXEL)}
    assert fed == {f"pixel {pixel}" for pixel in feeds(layout)}
    parts = {row[1] for row in table.rows if row[0] == "part"}
    assert {"fuse", "capacitor 1000 uF", "capacitor 100 nF", "resistor 330 to 470 ohm"} <= parts
