"""Parts under the board: apart from each other, on it, and refused where they are in the way."""

from dataclasses import replace

import pytest

from hal.geometry import Point
from hal.profile import built_in_names
from hardware.kit.drawing import Box
from hardware.kit.electric import chain
from hardware.kit.errors import KitError
from hardware.kit.part_names import FUSE, SHIFTER
from hardware.kit.places import clamps, places
from hardware.kit.sockets import plug_rooms
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


def test_places_refuse_a_board_without_room():
    # One pixel only, so that no strip lies on a screw first.
    layout = replace(seven_laid(), lights=seven_laid().lights[-1:])
    wanted = {FUSE, SHIFTER, *clamps(layout)}
    given = [place.box.grown(3.5) for name, place in places(layout).items() if name not in wanted]
    given += [room.grown(3.5) for room in plug_rooms(layout)]
    spots = (Point(x, y) for x in range(-140, 155, 6) for y in range(-150, 108, 6))
    free = [at for at in spots if not any(Box.sized(at, (1, 1)).overlaps(box) for box in given)]
    with pytest.raises(KitError, match="the fuse finds no room of 36 x 14 mm under the board"):
        places(replace(layout, screws=tuple(free)))


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


def test_places_refuse_a_strip_on_a_screw():
    layout = seven_laid()
    row = next(piece for piece in chain.pieces(layout) if len(piece.places) > 1)
    end = row.places[-1]
    beyond = row.kind.spacing_mm / 2
    heading = Point(
        (end.x - row.places[-2].x) / row.kind.spacing_mm,
        (end.y - row.places[-2].y) / row.kind.spacing_mm,
    )
    screw = end.moved(heading.x * (beyond + 6.0), heading.y * (beyond + 6.0))
    with pytest.raises(
        KitError, match=r"the strip of pixels \d+ to \d+ is 6\.\d mm from the screw"
    ):
        places(replace(layout, screws=(screw,)))


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
