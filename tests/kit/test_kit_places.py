"""Parts under the board: apart from each other, on it, and refused where they are in the way."""

from dataclasses import replace

import pytest

from hal.profile import built_in_names
from hal.profile.geometry import Point
from hardware.kit.errors import KitError
from hardware.kit.places import places
from tests.helpers.kits.boards import layout_of, seven_laid

BOARDS = built_in_names()


def test_places_leave_the_parts_apart_and_on_the_board():
    for board in BOARDS:
        layout = layout_of(board)
        found = list(places(layout).values())
        for number, one in enumerate(found):
            assert layout.box.left <= one.box.left < one.box.right <= layout.box.right
            assert layout.box.bottom <= one.box.bottom < one.box.top <= layout.box.top
            for other in found[:number]:
                across = abs(one.at.x - other.at.x) - (one.width_mm + other.width_mm) / 2
                along = abs(one.at.y - other.at.y) - (one.height_mm + other.height_mm) / 2
                assert max(across, along) > -0.11, (one, other)


@pytest.mark.parametrize("part", ["Raspberry Pi", "supply", "chip B", "button resign"])
def test_places_refuse_a_part_on_a_screw(part: str):
    layout = seven_laid()
    known = places(layout)[part]
    for beyond, refused in ((3.2, True), (3.6, False)):
        screw = Point(known.box.right + beyond, known.at.y)
        beside = replace(layout, screws=(screw,), lights=layout.lights[-1:])
        if not refused:
            assert part in places(beside)
            continue
        with pytest.raises(
            KitError, match=rf"the {part} at .* lies on the screw at .*: allowed are"
        ):
            places(beside)


@pytest.mark.parametrize(
    ("computer", "fault"),
    [
        (
            Point(0, 0),
            r"the Raspberry Pi at 0, 0 lies on the wires of pixel \d+ at .* 48.5 mm",
        ),
        (
            Point(140, 0),
            r"the Raspberry Pi at 140, 0 leaves the board: .* -140.6 to 154 and -150 to",
        ),
    ],
)
def test_places_refuse_a_computer_that_is_in_the_way(computer: Point, fault: str):
    layout = seven_laid()
    with pytest.raises(KitError, match=fault):
        places(replace(layout, geometry=replace(layout.geometry, computer=computer)))
