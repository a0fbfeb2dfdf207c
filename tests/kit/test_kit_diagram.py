"""The drawings of a wiring: everything is on them, and everything can be read."""

import re
from collections import Counter

import pytest

from hal.profile.geometry import Point
from hardware.kit.computers import computer_of
from hardware.kit.diagram import diagram, placement
from hardware.kit.drawing import Area, Drawing, Label
from hardware.kit.part_names import PIXEL
from hardware.kit.places import places
from hardware.kit.sockets import inlet_mouth, lie
from hardware.kit.wiring import Kind
from tests.helpers.kits.boards import VARIED
from tests.helpers.kits.built import built

BOARDS = VARIED


def texts(drawing: Drawing) -> list[str]:
    return [mark.shape.text for mark in drawing.marks if isinstance(mark.shape, Label)]


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


@pytest.mark.parametrize("board", BOARDS)
def test_diagram_shows_each_pin_of_the_computer_once(board: str):
    layout, wiring, _ = built(board)
    name = computer_of(layout.profile).name
    pins = [e.pin for w in wiring.wires for e in (w.start, w.end) if e.part == name]
    said = Counter(texts(diagram(layout, wiring)))
    assert [said[pin] for pin in pins] == [1] * len(pins)


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
