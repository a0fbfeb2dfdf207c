"""The printed top: everything is there, in its place, and nothing lies on anything else."""

from cmath import exp
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from math import atan2, hypot

import pytest

from game.maker.kit.artwork import artwork
from game.play.board_mapping import graph_of
from game.rules.boards.hexagon import normal_form
from game.rules.circle_of_life.critters import CIRCLE, prey_of
from hal.profile.geometry import Point
from hardware.kit.drawing import Area, Circle, Drawing, Label, Path
from hardware.kit.plates.chambers import edge_of
from hardware.kit.plates.regions import Region
from hardware.kit.printed.artwork import Artwork
from hardware.kit.printed.top import top
from tests.helpers.kits.boards import VARIED, layout_of
from tests.helpers.kits.regions import Near, labels_of, marks_of, nearest_mm, region_of, regions_of

BOARDS = VARIED
boards = pytest.mark.parametrize("name", BOARDS)

WORDS = ("name", "word", "number", "badge-name", "sign-letter")
SOLID = ("stone", "chevron", "arrow", "arrow-head", "sign-small")
"""What no text and no window may touch, besides other texts and windows."""


@cache
def artwork_of(name: str) -> Artwork:
    layout = layout_of(name)
    graph = graph_of(layout.profile)
    assert graph is not None
    return artwork(layout.profile, graph)


@cache
def top_of(name: str) -> Drawing:
    return top(layout_of(name), artwork_of(name))


def windows(drawing: Drawing) -> list[Circle]:
    shapes = [mark.shape for mark in marks_of(drawing, "window")]
    assert all(isinstance(shape, Circle) for shape in shapes)
    return [shape for shape in shapes if isinstance(shape, Circle)]


@boards
def test_top_leaves_the_place_of_each_light_without_ink(name: str) -> None:
    layout, drawing = layout_of(name), top_of(name)

    open_at = windows(drawing)
    assert {each.centre for each in open_at} == {light.at for light in layout.lights}
    assert len(open_at) == len(layout.lights)
    assert all(each.diameter_mm >= layout.geometry.hole_mm for each in open_at)
    assert {mark.style.fill for mark in marks_of(drawing, "window")} == {"#ffffff"}
    # What is drawn after a window lies above it.
    drawn = [(mark.style.name, Near(region_of(mark.shape))) for mark in drawing.marks]
    for number, (style, window) in enumerate(drawn):
        later = (each for _, each in drawn[number + 1 :] if each.close_to(window))
        if style == "window":
            assert not any(each.region.meets(window.region) for each in later)


@boards
def test_top_puts_no_text_on_another_or_on_a_window_or_a_sign(name: str) -> None:
    drawing = top_of(name)
    texts = [region_of(label) for label in labels_of(drawing)]
    assert {mark.style.name for mark in drawing.marks if isinstance(mark.shape, Label)} <= set(
        WORDS
    )

    assert nearest_mm(texts) > 0.3
    solid = Region.joined(regions_of(drawing, "window", "hole", *SOLID))
    for label, text in zip(labels_of(drawing), texts, strict=True):
        assert text.distance(solid) > 0.2, label.text


@boards
def test_top_stays_within_the_edge(name: str) -> None:
    layout, drawing = layout_of(name), top_of(name)

    inside = Region.of(edge_of(layout)).grown(-2.4)
    for mark in drawing.marks:
        if mark.style.name not in ("edge", "rim"):
            assert inside.covers(region_of(mark.shape)), mark
    (edge,) = marks_of(drawing, "edge")
    assert edge.shape == Path(edge_of(layout), closed=True)


@boards
def test_top_names_each_cell_within_it_and_beside_its_pad(name: str) -> None:
    layout, drawing = layout_of(name), top_of(name)

    names = [m.shape for m in marks_of(drawing, "name") if isinstance(m.shape, Label)]
    assert sorted(label.text for label in names) == sorted(layout.cells)
    for label in names:
        cell = layout.cells[label.text]
        assert Region.of(cell.outline).grown(-1).covers(region_of(label))
        pad = Region.disc(cell.at, layout.geometry.pad_mm)
        assert not pad.meets(region_of(label)), label.text


@boards
def test_top_names_each_key_and_cuts_a_hole_for_each_button_and_screw(name: str) -> None:
    layout, drawing, art = layout_of(name), top_of(name), artwork_of(name)

    said = [m.shape for m in marks_of(drawing, "word") if isinstance(m.shape, Label)]
    for key, at in {**layout.sensors, **layout.buttons}.items():
        if key in layout.cells:
            continue
        own = [label for label in said if label.text == art.names[key]]
        assert len(own) == 1
        assert own[0].at.distance(at.at) < 14
    holes = [mark.shape for mark in marks_of(drawing, "hole")]
    wanted = [Circle(button.at, 12.2) for button in layout.buttons.values()]
    assert holes == [*wanted, *(Circle(at, 3.2) for at in layout.screws)]


@boards
def test_top_numbers_each_score_light_as_its_player_sees_it(name: str) -> None:
    layout, drawing = layout_of(name), top_of(name)

    numbers = [m.shape for m in marks_of(drawing, "number") if isinstance(m.shape, Label)]
    scores = [light for light in layout.lights if light.name.startswith("score")]
    assert len(numbers) == len(scores)
    turned = {"score1": 0.0, "score2": 180.0, "score3": -90.0}
    for light in scores:
        group, _, place = light.name.partition(".")
        number = min(numbers, key=lambda label: _centre(label).distance(light.at))
        assert number.text == str(int(place) + 1)
        assert number.turn_deg == turned[group]


def _centre(label: Label) -> Point:
    box = region_of(label).extent
    return Point((box.left + box.right) / 2, (box.bottom + box.top) / 2)


def test_top_draws_each_species_with_one_of_its_stones_as_the_light() -> None:
    drawing = top_of("hexagon-61")
    layout = layout_of("hexagon-61")

    found = _species(drawing)
    for number, species in enumerate(CIRCLE):
        light = next(light.at for light in layout.lights if light.name == f"circle.{number}")
        stones, label = found[number]
        assert any(stone.distance(light) < 0.01 for stone in stones)
        assert _form(stones) == normal_form(species.shape)
        assert label.text.replace(" ", "-") == species.name


def _species(drawing: Drawing) -> dict[int, tuple[list[Point], Label]]:
    """Read the badges from a drawing: stones that touch, and the nearest name, by the lights."""
    left = [m.shape.centre for m in marks_of(drawing, "stone") if isinstance(m.shape, Circle)]
    pitch = min(a.distance(b) for a, b in combinations(left, 2))
    names = [m.shape for m in marks_of(drawing, "badge-name") if isinstance(m.shape, Label)]
    found = {}
    lights = {light.name: light.at for light in layout_of("hexagon-61").lights}
    for number in range(len(CIRCLE)):
        at = lights[f"circle.{number}"]
        group = [at]
        for stone in group:
            group += [s for s in left if s not in group and s.distance(stone) < 1.1 * pitch]
        label = min(names, key=lambda each: _to(group, _centre(each)))
        found[number] = group, label
    return found


def _to(stones: Iterable[Point], at: Point) -> float:
    return min(stone.distance(at) for stone in stones)


def _form(stones: list[Point]) -> tuple[tuple[int, int], ...]:
    """Turn stones of a drawing into the form of their shape: neighbours are 60 degrees apart."""
    if len(stones) == 1:
        return normal_form([(0, 0)])
    pitch = min(a.distance(b) for a, b in combinations(stones, 2))
    first = stones[0]
    near = next(s for s in stones if abs(s.distance(first) - pitch) < 0.05)
    turn = atan2(near.y - first.y, near.x - first.x)
    axial = []
    for stone in stones:
        length = hypot(stone.x - first.x, stone.y - first.y) / pitch
        angle = atan2(stone.y - first.y, stone.x - first.x) - turn
        x, y = _rectangular(length, angle)
        r = round(y / (3**0.5 / 2))
        axial.append((round(x - r / 2), r))
    return normal_form(axial)


def _rectangular(length: float, angle: float) -> tuple[float, float]:
    turned = length * exp(1j * angle)
    return turned.real, turned.imag


def test_top_has_an_arrow_from_each_species_to_what_it_eats() -> None:
    drawing = top_of("hexagon-61")
    species = _species(drawing)

    lines = [m.shape.points for m in marks_of(drawing, "arrow") if isinstance(m.shape, Path)]
    arrows = [m.shape for m in marks_of(drawing, "arrow-head")]
    heads = [shape.outline[0] for shape in arrows if isinstance(shape, Area)]
    read = {}
    for line, tip in zip(lines, heads, strict=True):
        eater = min(species, key=lambda number: _to(species[number][0], line[0]))
        prey = min(species, key=lambda number: _to(species[number][0], tip))
        # The head goes on where the line ends, and away from its beginning.
        assert line[-1].distance(tip) < 6
        assert tip.distance(line[0]) > line[-1].distance(line[0])
        read[eater] = prey
    assert read == {number: prey_of(number) for number in range(len(CIRCLE))}


def test_top_prints_each_sign_of_a_square_twice_with_its_letter() -> None:
    layout, drawing = layout_of("rectangle-88"), top_of("rectangle-88")
    signs = artwork_of("rectangle-88").signs

    large, small = regions_of(drawing, "sign"), regions_of(drawing, "sign-small")
    letters = [m.shape for m in marks_of(drawing, "sign-letter") if isinstance(m.shape, Label)]
    assert len(large) == len(small) == len(letters) == len(signs) == 64
    for cell, sign in signs.items():
        whole = Region.of(layout.cells[cell].outline).grown(-0.6)
        (one,), (two,) = (
            [each for each in regions if whole.covers(each)] for regions in (large, small)
        )
        (label,) = (each for each in letters if whole.contains(each.at))
        assert not one.meets(two)
        assert min(one.distance(region_of(label)), two.distance(region_of(label))) > 0.5
        assert label.text == sign.letter
    colours = {m.style.fill for m in marks_of(drawing, "sign-small")}
    assert colours == {sign.colour for sign in signs.values()}
