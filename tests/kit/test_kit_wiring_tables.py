"""The tables of a wiring: every wire is in one, and each says what a maker looks for there."""

import pytest

from hardware.kit.electric import chain, feeds
from hardware.kit.part_names import CLAMP
from hardware.kit.wiring import (
    Kind,
    chips_table,
    pixels_table,
)
from tests.helpers.kits.boards import VARIED, layout_of
from tests.helpers.kits.built import built

BOARDS = VARIED


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
