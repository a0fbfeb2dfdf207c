"""The drawings of a wiring: everything is on them, and everything can be read."""

import re
from collections import Counter

import pytest

from hal.profile.geometry import Point
from hardware.kit.computers import computer_of
from hardware.kit.diagram import diagram, placement
from hardware.kit.drawing import Drawing, Label
from hardware.kit.part_names import PIXEL
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
