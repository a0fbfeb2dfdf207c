"""The drawings of a wiring: everything is on them, and everything can be read."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

import pytest

from hal.geometry import Point
from hal.profile import Chip, Electrode, Pin, Profile, built_in_names
from hardware.kit.circuit.plan import tiles, whole
from hardware.kit.computers import computer_of
from hardware.kit.diagram import diagram, diagram_sheets, placement
from hardware.kit.drawing import Anchor, Area, Box, Drawing, Label, Path, Style
from hardware.kit.electric import feeds
from hardware.kit.files.pdf import check_text
from hardware.kit.files.svg import to_svg
from hardware.kit.layout import Layout
from hardware.kit.part_names import PIXEL
from hardware.kit.places import places
from hardware.kit.sockets import inlet_mouth, lie
from hardware.kit.wiring import Build, Kind, Wiring, wire
from tests.helpers.kits.boards import layout_of, layout_of_profile, permuted, seven_cells
from tests.helpers.kits.built import built
from tests.helpers.kits.texts import text_box, unreadable

BOARDS = built_in_names()


def foil(profile: Profile) -> tuple[Layout, Wiring]:
    layout = layout_of_profile(profile)
    return layout, wire(layout, Build.FOIL, (), feeds(layout))


def odd_boards() -> dict[str, Profile]:
    """Give boards that none of ours is like: other buses, multiplexers, pins and many buttons."""
    seven = seven_cells()
    pads = [*seven.cells, *(key for key, on in seven.keys.items() if isinstance(on, Electrode))]

    def on(*chips: Chip) -> Profile:
        count = len(chips)
        new = {pad: Electrode(chips[n % count].name, n // count) for n, pad in enumerate(pads)}
        return replace(
            seven,
            chips=chips,
            cells=MappingProxyType({cell: new[cell] for cell in seven.cells}),
            keys=MappingProxyType({key: new.get(key, was) for key, was in seven.keys.items()}),
        )

    geometry = seven.geometry
    assert geometry is not None
    many = {f"key_number_{n}": Pin(pin) for n, pin in enumerate((5, 6, 12, 13, 16, 19, 26))}
    there = {key: Point(-66.0 + 22 * n, -110.0) for n, key in enumerate(many)}
    return {
        "buses": on(*(Chip(name, bus, 0x5A) for bus, name in enumerate("ABCDE"))),
        "channels": on(
            Chip("A", 1, 0x5A),
            Chip("B", 1, 0x5B, 0x71, 7),
            Chip("C", 1, 0x5C, 0x71, 2),
            Chip("D", 1, 0x5B, 0x76, 0),
            Chip("E", 3, 0x5A),
        ),
        "overlay": on(Chip("left", 22, 0x5A), Chip("right", 23, 0x5D)),
        "buttons": replace(
            seven,
            keys=MappingProxyType(dict(seven.keys) | many),
            geometry=replace(geometry, keys=MappingProxyType(dict(geometry.keys) | there)),
        ),
        "no_buttons": replace(
            seven,
            keys=MappingProxyType(
                {key: was for key, was in seven.keys.items() if isinstance(was, Electrode)}
            ),
        ),
        "no_keys_at_all": replace(seven, keys=MappingProxyType({})),
    }


def texts(drawing: Drawing) -> list[str]:
    return [mark.shape.text for mark in drawing.marks if isinstance(mark.shape, Label)]


def check_readable(drawing: Drawing) -> None:
    drawing.check()
    for mark in drawing.marks:
        if isinstance(mark.shape, Label):
            check_text(mark.shape.text, bold=mark.shape.bold)
    assert unreadable(drawing) == []


@pytest.mark.parametrize("board", BOARDS)
def test_diagram_of_foil_can_be_read(board: str):
    layout, wiring, _ = built(board)
    check_readable(diagram(layout, wiring))


@pytest.mark.parametrize("board", BOARDS)
def test_diagram_sheets_of_foil_can_be_read(board: str):
    layout, wiring, _ = built(board)
    for sheet in diagram_sheets(layout, wiring):
        check_readable(sheet.drawing)


@pytest.mark.parametrize("name", odd_boards())
def test_diagram_sheets_of_odd_boards_can_be_read(name: str):
    for sheet in diagram_sheets(*foil(odd_boards()[name])):
        check_readable(sheet.drawing)


@pytest.mark.parametrize("board", BOARDS)
def test_placement_of_foil_can_be_read(board: str):
    layout, wiring, _ = built(board)
    check_readable(placement(layout, wiring))


@pytest.mark.parametrize("name", odd_boards())
def test_drawings_of_odd_boards_can_be_read(name: str):
    layout, wiring = foil(odd_boards()[name])
    check_readable(diagram(layout, wiring))
    check_readable(placement(layout, wiring))


@pytest.mark.parametrize("build", [Build.CIRCUIT, Build.TILES])
def test_drawings_of_circuits_can_be_read(build: Build):
    layout = layout_of_profile(seven_cells())
    circuits = (whole(layout),) if build is Build.CIRCUIT else tiles(layout)
    wiring = wire(layout, build, circuits, feeds(layout))
    check_readable(diagram(layout, wiring))
    drawing = placement(layout, wiring, circuits)
    check_readable(drawing)
    names = {connector.name for circuit in circuits for connector in circuit.connectors}
    assert names <= set(texts(drawing))


def test_drawings_of_many_feeds_can_be_read():
    layout = layout_of("hexagon-61")
    wiring = wire(layout, Build.FOIL, (), tuple(range(0, 117, 13)))
    drawing = diagram(layout, wiring)
    check_readable(drawing)
    assert len([text for text in texts(drawing) if text.startswith("pixel ")]) == 9


@pytest.mark.parametrize("board", BOARDS)
def test_diagram_shows_the_length_of_each_wire_between_parts(board: str):
    layout, wiring, _ = built(board)
    said = Counter[int]()
    for text in texts(diagram(layout, wiring)):
        for count, length in re.findall(r"(?:(\d) x )?(\d+) mm", text):
            said[int(length)] += int(count or 1)
    # Those of the note on how lengths are meant.
    said -= Counter([15, 40])
    true = Counter(
        wire.length_mm
        for wire in wiring.wires
        if wire.start.part != wire.end.part
        and wire.kind is not Kind.PART
        and not wire.start.sort == wire.end.sort == PIXEL
    )
    assert said == true


def test_diagram_sheets_together_say_what_the_diagram_says():
    for board in BOARDS:
        layout, wiring, _ = built(board)
        *chips, rest = diagram_sheets(layout, wiring)
        together = Counter(text for sheet in (*chips, rest) for text in texts(sheet.drawing))
        whole = Counter(texts(diagram(layout, wiring)))
        assert set(whole) - set(together) == {f"Wiring of {board}, pads of foil"}
        twice = together - whole
        assert set(twice) <= set(texts(chips[0].drawing)) & set(texts(rest.drawing))


def test_diagram_sheets_name_the_chip_from_which_a_wire_comes_that_is_not_on_them():
    layout, wiring = foil(odd_boards()["buses"])
    *chips, rest = diagram_sheets(layout, wiring)
    assert [sheet.shows for sheet in chips] == ["bus 0 and bus 1", "bus 2 and bus 3", "bus 4"]
    assert rest.shows == "buttons, strip and supply"
    for before, sheet in pairwise(chips):
        (named,) = (t for t in texts(sheet.drawing) if ", from " in t and t.startswith("IRQ "))
        length, chip = re.fullmatch(r"IRQ (\d+) mm, from (chip \w)", named).groups()
        assert chip in texts(before.drawing)
        (wire,) = (
            w
            for w in wiring.of(Kind.INTERRUPT)
            if w.start.part == chip and w.end.part in texts(sheet.drawing)
        )
        assert wire.length_mm == int(length)


def test_diagram_sheets_are_fewer_where_chips_are_few():
    layout, wiring, _ = built("disc-32")
    assert [sheet.shows for sheet in diagram_sheets(layout, wiring)] == [
        "bus 1",
        "buttons, strip and supply",
    ]


@pytest.mark.parametrize("board", BOARDS)
def test_diagram_shows_each_pin_of_the_computer_once(board: str):
    layout, wiring, _ = built(board)
    name = computer_of(layout.profile).name
    pins = [e.pin for w in wiring.wires for e in (w.start, w.end) if e.part == name]
    said = Counter(texts(diagram(layout, wiring)))
    assert [said[pin] for pin in pins] == [1] * len(pins)


def test_diagram_says_what_the_computer_needs():
    hexagon = texts(diagram(*built("hexagon-61")[:2]))
    assert {"Raspberry Pi", "has its own supply", "bus 1", "bus 3"} <= set(hexagon)
    assert "VSYS (39)" not in hexagon
    pico = texts(diagram(*built("hexagon-61-pico")[:2]))
    assert {"Raspberry Pi Pico", "USB to the computer", "VSYS (39)", "optional"} <= set(pico)
    mux = texts(diagram(*built("hexagon-61-mux")[:2]))
    assert {"TCA9548A", "0x70", "SD0", "SC1", "A2 to GND", "RST to VIN"} <= set(mux)


def label_boxes(drawing: Drawing, text: str) -> list[Label]:
    return [
        mark.shape
        for mark in drawing.marks
        if isinstance(mark.shape, Label) and mark.shape.text == text
    ]


@pytest.mark.parametrize("board", BOARDS)
def test_placement_shows_the_board_from_below(board: str):
    layout, wiring, _ = built(board)
    drawing = placement(layout, wiring)
    for chip, at in layout.chips.items():
        (label,) = label_boxes(drawing, f"chip {chip}")
        assert label.at.x == pytest.approx(-at.x)
        assert abs(label.at.y - at.y) < 10
    for sensor in layout.sensors.values():
        (tag,) = label_boxes(drawing, sensor.name)
        assert tag.at.distance(Point(-sensor.at.x, sensor.at.y)) < 50


@pytest.mark.parametrize("board", BOARDS)
def test_placement_shows_how_computer_inlet_and_clamps_lie(board: str):
    layout, wiring, _ = built(board)
    drawing = placement(layout, wiring)
    lying = lie(layout)
    (one,) = label_boxes(drawing, "pin 1")
    pin = lying.place(lying.computer.pin_1)
    assert one.at.distance(Point(-pin.x, pin.y)) < 11
    for socket in lying.computer.sockets:
        there = lying.place(socket.at)
        assert (
            min(
                label.at.distance(Point(-there.x, there.y))
                for label in label_boxes(drawing, socket.name)
            )
            < 10
        )
    arrows = [
        mark.shape
        for mark in drawing.marks
        if mark.style.name == "arrow" and isinstance(mark.shape, Area)
    ]
    found = places(layout)
    pointed = [part for part in found if part == "supply" or part.startswith("clamp ")]
    assert len(arrows) == len(pointed)
    (inlet,) = (
        arrow
        for arrow in arrows
        if all(abs(-p.x - layout.geometry.supply.x) <= 15.1 for p in arrow.outline)
        and all(abs(p.y - layout.geometry.supply.y) <= 10.1 for p in arrow.outline)
    )
    x, y = inlet_mouth(layout).step
    tip, ends = inlet.outline[-1], inlet.outline[:2]
    # It points inwards, and lies at the side of the mouth.
    assert all((end.x - tip.x) * -x + (end.y - tip.y) * y > 0 for end in ends)
    assert (-tip.x - layout.geometry.supply.x) * x + (tip.y - layout.geometry.supply.y) * y > 0


@pytest.mark.parametrize("board", BOARDS)
def test_placement_numbers_each_cable_on_the_board_and_in_the_list(board: str):
    layout, wiring, _ = built(board)
    found = texts(placement(layout, wiring))
    listed = {int(m[1]): m[2] for t in found if (m := re.fullmatch(r"(\d+): (.*) mm", t))}
    assert sorted(int(text) for text in found if text.isdecimal()) == sorted(listed)
    assert set(listed) == set(range(1, len(listed) + 1))
    pairs = {
        (wire.start.part, wire.end.part)
        for wire in wiring.wires
        if wire.start.part != wire.end.part
        and wire.kind not in (Kind.PAD, Kind.GUARD, Kind.PART)
        and not wire.start.sort == wire.end.sort == PIXEL
    }
    for start, end in pairs:
        assert sum(text.startswith(f"{start} to {end}: ") for text in listed.values()) == 1


@pytest.mark.parametrize("draw", [diagram, placement])
def test_drawings_of_a_wiring_are_the_same_twice(draw):
    layout, wiring = foil(permuted(seven_cells(), 5))
    assert to_svg(draw(layout, wiring)) == to_svg(draw(layout, wiring))


def test_placement_keeps_ways_along_the_sides_and_on_the_board():
    layout, wiring, _ = built("hexagon-61")
    drawing = placement(layout, wiring)
    box = layout.box
    ways = [mark.shape for mark in drawing.marks if mark.style.name.startswith("cable")]
    assert len(ways) > 20
    for way in ways:
        assert isinstance(way, Path)
        for start, end in zip(way.points, way.points[1:], strict=False):
            assert start.x == end.x or start.y == end.y
        for at in way.points:
            assert -box.right <= at.x <= -box.left
            assert box.bottom <= at.y <= box.top
    assert places(layout)


INK, LINE = Style("text", stroke=None, fill="#000000"), Style("line", width_mm=0.5)


def trial(*labels: Label) -> Drawing:
    drawing = Drawing("trial", Box(-50, -50, 50, 50))
    drawing.add(INK, *labels)
    return drawing


def test_unreadable_finds_texts_on_texts_lines_through_texts_and_texts_outside():
    here = Label("here", Point(0, 0), 4.0)
    assert unreadable(trial(here)) == []
    assert unreadable(trial(here, Label("there", Point(3, 1), 4.0))) == ['"here" lies on "there"']
    crossed = trial(here)
    crossed.add(LINE, Path((Point(-20, 1), Point(20, 1))))
    assert unreadable(crossed) == ['a line of line goes through "here"']
    below = trial(here)
    below.add(LINE, Path((Point(-20, -1), Point(20, -1))))
    assert unreadable(below) == []
    outside = Label("outside", Point(49, 0), 4.0)
    assert unreadable(trial(outside)) == ['"outside" leaves the drawing']


def test_text_box_turns_with_its_text():
    left, low, right, high = text_box(
        Label("0: a1", Point(10, 10), 2.0, Anchor.END, turn_deg=90)
    ).bounds
    assert (right, high) == pytest.approx((10, 10))
    assert high - low > right - left
