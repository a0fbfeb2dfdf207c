"""The sensing layer as printed circuits: what is on each, and that it agrees with the profile."""

from dataclasses import replace
from itertools import chain, combinations
from types import MappingProxyType

import pytest
from shapely import LineString, Polygon, box
from shapely import Point as Spot

from hal.geometry import Point
from hal.profile import Electrode, Profile, built_in, built_in_names
from hardware.kit.circuit import plan
from hardware.kit.circuit.check import check
from hardware.kit.circuit.circuit import EDGE_MM, GROUND, Circuit, Note, Side, Track, Via
from hardware.kit.circuit.gerber import files, strokes
from hardware.kit.circuit.outlines import whole_outline
from hardware.kit.circuit.problem import Bar, Disc, Problem, Routing
from hardware.kit.errors import KitError
from hardware.kit.layout import BUTTON_MM, Layout
from tests.helpers.kits.boards import layout_of, layout_of_profile, permuted

KINDS = ("hexagon-61", "hexagon-37", "disc-32", "rectangle-88")
NOTHING = Routing((), ())


@pytest.fixture
def problems(monkeypatch: pytest.MonkeyPatch) -> list[Problem]:
    """Keep what the router is asked, and answer nothing."""
    asked: list[Problem] = []

    def route(problem: Problem) -> Routing:
        asked.append(problem)
        return NOTHING

    monkeypatch.setattr(plan, "route", route)
    return asked


@pytest.fixture(scope="module")
def boards() -> dict[str, tuple[Layout, Circuit]]:
    """Plan each kind of board as a whole, without tracks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "route", lambda _problem: NOTHING)
        return {name: (layout_of(name), plan.whole(layout_of(name))) for name in KINDS}


def part_of(layout: Layout, *names: str) -> Layout:
    """Give a board that has only these pads of another, and the chips that they hang on."""
    chips = {layout.sensors[name].electrode.chip for name in names}
    return replace(
        layout,
        lights=tuple(light for light in layout.lights if light.name in names),
        chips=MappingProxyType({n: at for n, at in layout.chips.items() if n in chips}),
        cells=MappingProxyType({n: layout.cells[n] for n in layout.cells if n in names}),
        sensors=MappingProxyType({n: layout.sensors[n] for n in layout.sensors if n in names}),
    )


def wired(profile: Profile) -> dict[str, Electrode]:
    """List the electrode of each pad that a profile has."""
    keys = {name: key for name, key in profile.keys.items() if isinstance(key, Electrode)}
    return {**profile.cells, **keys}


def text_box(note: Note) -> Polygon:
    """Give what a text takes as it is drawn."""
    drawn = list(chain.from_iterable(strokes(note.text)))
    half = (max(at.x for at in drawn) - min(at.x for at in drawn)) / 2 * note.size_mm
    low = (0.5 - min(at.y for at in drawn)) * note.size_mm
    return box(note.at.x - half, note.at.y - low, note.at.x + half, note.at.y + note.size_mm / 2)


def pins_of(circuit: Circuit) -> list[Polygon]:
    return [
        box(
            pin.at.x - pin.width_mm / 2,
            pin.at.y - pin.height_mm / 2,
            pin.at.x + pin.width_mm / 2,
            pin.at.y + pin.height_mm / 2,
        )
        for connector in circuit.connectors
        for pin in connector.pins
    ]


@pytest.mark.usefixtures("problems")
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        *((name, None) for name in built_in_names()),
        *((name, seed) for name in KINDS for seed in (1, 2)),
    ],
)
def test_whole_circuit_agrees_with_the_profile(name: str, seed: int | None) -> None:
    profile = built_in(name) if seed is None else permuted(built_in(name), seed)
    circuit = plan.whole(layout_of_profile(profile))
    assert circuit.name == profile.name
    assert [each.name for each in circuit.connectors] == [f"J{c.name}" for c in profile.chips]
    found = {
        pin.net: Electrode(connector.name.removeprefix("J"), pin.number - 1)
        for connector in circuit.connectors
        for pin in connector.pins
        if pin.net not in ("", GROUND)
    }
    assert found == wired(profile)
    for connector in circuit.connectors:
        assert [pin.number for pin in connector.pins] == list(range(1, 14))
        assert connector.pins[-1].net == GROUND
        assert GROUND not in [pin.net for pin in connector.pins[:-1]]


@pytest.mark.parametrize("name", KINDS)
def test_whole_circuit_has_a_pad_guard_and_hole_for_each_sensor(
    name: str, boards: dict[str, tuple[Layout, Circuit]]
) -> None:
    layout, circuit = boards[name]
    geometry = layout.geometry
    assert {pad.net: pad.at for pad in circuit.pads} == {
        sensor.name: sensor.at for sensor in layout.sensors.values()
    }
    assert {pad.diameter_mm for pad in circuit.pads} == {geometry.pad_mm}
    assert [guard.at for guard in circuit.guards] == [pad.at for pad in circuit.pads]
    rings = {(guard.inner_mm, guard.outer_mm) for guard in circuit.guards}
    assert rings == {(geometry.guard_inner_mm, geometry.guard_outer_mm)}
    lit = {sensor.at for sensor in layout.sensors.values() if sensor.lit}
    assert {hole.at for hole in circuit.holes} == lit
    assert {hole.drill_mm for hole in circuit.holes} == {geometry.hole_mm}
    for pad in circuit.pads:
        assert pad.hole_mm == (geometry.hole_mm if pad.at in lit else 0)


@pytest.mark.usefixtures("problems")
def test_whole_circuit_has_no_hole_in_a_pad_without_light() -> None:
    layout = part_of(layout_of("hexagon-61"), "e3", "e4", "e5")
    dark = replace(layout.sensors["e4"], lit=False)
    sensors = MappingProxyType({**layout.sensors, "e4": dark})
    circuit = plan.whole(replace(layout, sensors=sensors))
    assert [pad.hole_mm for pad in circuit.pads] == [4, 0, 4]
    assert dark.at not in [hole.at for hole in circuit.holes]


@pytest.mark.parametrize("name", KINDS)
def test_whole_circuit_has_connectors_between_pads_and_apart(
    name: str, boards: dict[str, tuple[Layout, Circuit]]
) -> None:
    _, circuit = boards[name]
    pins = pins_of(circuit)
    board = Polygon(circuit.outline).buffer(-1.4)
    for pin in pins:
        assert board.contains(pin)
        for pad in circuit.pads:
            assert pin.distance(Spot(pad.at)) > pad.diameter_mm / 2
    for one, other in combinations(pins, 2):
        assert one.distance(other) >= 1.2


@pytest.mark.parametrize("name", KINDS)
def test_whole_outline_is_a_ring_around_all_guards(name: str) -> None:
    layout = layout_of(name)
    outline = whole_outline(layout)
    shape = Polygon(outline)
    assert shape.is_valid
    assert shape.exterior.is_ccw
    radius = layout.geometry.guard_outer_mm / 2
    for sensor in layout.sensors.values():
        assert shape.contains(Spot(sensor.at))
        assert shape.exterior.distance(Spot(sensor.at)) >= radius + EDGE_MM
    board = layout.box
    assert box(board.left, board.bottom, board.right, board.top).contains(shape)


@pytest.mark.parametrize("name", KINDS)
def test_whole_outline_leaves_out_what_stands_beside_the_pads(name: str) -> None:
    layout = layout_of(name)
    shape = Polygon(whole_outline(layout))
    pads = {sensor.at for sensor in layout.sensors.values()}
    for button in layout.buttons.values():
        assert shape.distance(Spot(button.at)) >= BUTTON_MM / 2 - 0.1, button.name
    for light in layout.lights:
        assert light.at in pads or shape.distance(Spot(light.at)) >= 5.9, light.name
    for screw in layout.screws:
        assert shape.distance(Spot(screw)) >= 3.5


def test_whole_outline_without_room_is_an_error_that_names_a_pad() -> None:
    layout = layout_of("hexagon-61")
    beside = layout.sensors["e1"].at.moved(x=-16)
    lights = (*layout.lights, replace(layout.lights[0], name="extra.0", at=beside))
    with pytest.raises(KitError, match="the guard of e1"):
        whole_outline(replace(layout, lights=lights))


def test_whole_outline_with_something_among_the_pads_is_an_error() -> None:
    layout = layout_of("disc-32")
    lights = (*layout.lights, replace(layout.lights[0], name="extra.0", at=Point(0, 0)))
    with pytest.raises(KitError, match="1 holes for other parts"):
        whole_outline(replace(layout, lights=lights))


@pytest.mark.parametrize("name", KINDS)
def test_whole_circuit_says_which_side_it_is_and_names_every_pad(
    name: str, boards: dict[str, tuple[Layout, Circuit]]
) -> None:
    _, circuit = boards[name]
    for side in Side:
        texts = [note.text for note in circuit.notes if note.side is side]
        assert not {pad.net for pad in circuit.pads} - set(texts)
        assert ("players touch the other side" in texts) == (side is Side.BOTTOM)
        assert (f"lifeboard {name}" in texts) == (side is Side.BOTTOM)
    below = [note for note in circuit.notes if note.side is Side.BOTTOM]
    for connector in circuit.connectors:
        (label,) = [note for note in below if note.text == connector.label]
        assert min(pin.at.distance(label.at) for pin in connector.pins) < 10
        for pin in connector.pins:
            (text, *_) = sorted(
                (note for note in below if note.size_mm < 1.5),
                key=lambda note: note.at.distance(pin.at),
            )
            assert text.text == (GROUND if pin.number == 13 else str(pin.number - 1))


@pytest.mark.usefixtures("problems")
@pytest.mark.parametrize("name", KINDS)
def test_circuits_are_printed_where_nothing_hides_it(name: str) -> None:
    layout = layout_of(name)
    for circuit in (plan.whole(layout), *plan.tiles(layout)):
        board = Polygon(circuit.outline)
        holes = [Spot(hole.at).buffer(hole.drill_mm / 2) for hole in circuit.holes]
        for side in Side:
            boxes = [(note.text, text_box(note)) for note in circuit.notes if note.side is side]
            bare = holes + (pins_of(circuit) if side is Side.BOTTOM else [])
            for text, shape in boxes:
                assert board.contains(shape), text
                assert not any(shape.intersects(part) for part in bare), text
            for (one, shape), (other, its_shape) in combinations(boxes, 2):
                assert not shape.intersects(its_shape), (one, other)


@pytest.mark.usefixtures("problems")
@pytest.mark.parametrize("name", KINDS)
def test_circuits_of_tiles_say_which_tile_and_side_they_are(name: str) -> None:
    for number, circuit in enumerate(plan.tiles(layout_of(name)), 1):
        below = [note.text for note in circuit.notes if note.side is Side.BOTTOM]
        assert f"lifeboard {name} T{number}" in below
        assert f"T{number}" in below
        assert "players touch the other side" in " ".join(below)
        for pad in circuit.pads:
            # Below the pad, and at its pin.
            assert below.count(pad.net) == 2


@pytest.mark.parametrize("name", KINDS)
def test_names_of_pads_are_at_their_pads(
    name: str, boards: dict[str, tuple[Layout, Circuit]]
) -> None:
    layout, circuit = boards[name]
    names = [note for note in circuit.notes if note.text in layout.sensors]
    for note in names:
        nearest = min(circuit.pads, key=lambda pad: pad.at.distance(note.at))
        assert nearest.net == note.text


def test_router_is_told_of_all_copper(problems: list[Problem]) -> None:
    layout = part_of(layout_of("hexagon-61"), "e3", "e4", "e5")
    circuit = plan.whole(layout)
    (problem,) = problems
    assert problem.outline == circuit.outline
    assert problem.holes == circuit.holes
    on_top = [copper for copper in problem.coppers if copper.sides == {Side.TOP}]
    pads = [(each.net, each.shape) for each in on_top if each.net != GROUND]
    assert pads == [(pad.net, Disc(pad.at, 5, 18)) for pad in circuit.pads]
    guards = [each.shape for each in on_top if each.net == GROUND]
    assert guards == [Disc(guard.at, 22, 28) for guard in circuit.guards]
    below = [copper for copper in problem.coppers if copper.sides == {Side.BOTTOM}]
    assert [(each.net, each.shape) for each in below] == [
        (pin.net, Bar(pin.at, pin.width_mm, pin.height_mm))
        for connector in circuit.connectors
        for pin in connector.pins
    ]
    assert len(on_top) + len(below) == len(problem.coppers)


def test_router_fills_the_circuit(monkeypatch: pytest.MonkeyPatch) -> None:
    track = Track("e4", Side.BOTTOM, (Point(0, 0), Point(1, 0)))
    via = Via("e4", Point(1, 0))
    monkeypatch.setattr(plan, "route", lambda _problem: Routing((track,), (via,)))
    circuit = plan.whole(part_of(layout_of("hexagon-61"), "e3", "e4", "e5"))
    assert circuit.tracks == (track,)
    assert circuit.vias == (via,)


def test_router_without_a_way_is_an_error_that_names_the_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def route(_problem: Problem) -> Routing:
        raise KitError("net e4 has no way")

    monkeypatch.setattr(plan, "route", route)
    with pytest.raises(KitError, match='board "hexagon-61-t1": net e4 has no way'):
        plan.tiles(part_of(layout_of("hexagon-61"), "e3", "e4", "e5"))


@pytest.mark.usefixtures("problems")
def test_circuits_are_the_same_each_time() -> None:
    first, second = (layout_of_profile(built_in("hexagon-37")) for _ in range(2))
    assert plan.whole(first) == plan.whole(second)
    assert plan.tiles(first) == plan.tiles(second)


@pytest.mark.parametrize(
    "measures",
    [
        {"pad_mm": 22.0},
        {"pad_mm": 24.0, "gap_mm": 1.0, "guard_mm": 1.0},
        {"pad_mm": 12.0, "gap_mm": 1.0, "guard_mm": 1.0, "hole_mm": 6.0},
    ],
)
@pytest.mark.usefixtures("problems")
def test_circuits_follow_the_measures_of_the_profile(measures: dict[str, float]) -> None:
    profile = built_in("hexagon-61")
    assert profile.geometry is not None
    layout = layout_of_profile(replace(profile, geometry=replace(profile.geometry, **measures)))
    for circuit in (plan.whole(layout), *plan.tiles(layout)):
        board = Polygon(circuit.outline)
        for guard in circuit.guards:
            assert board.contains(Spot(guard.at).buffer(guard.outer_mm / 2 + EDGE_MM - 0.01))
        for pin in pins_of(circuit):
            assert board.contains(pin)
            for pad in circuit.pads:
                assert pin.distance(Spot(pad.at)) > pad.diameter_mm / 2


def test_circuit_of_a_few_cells_is_right_to_its_last_file() -> None:
    layout = part_of(layout_of("hexagon-61"), "e3", "e4", "e5", "d4", "d5", "d6", "c3")
    for circuit in (plan.whole(layout), *plan.tiles(layout)):
        pads = {
            pad.net: pad.at.moved(x=(pad.inner_mm + pad.diameter_mm) / 4) for pad in circuit.pads
        }
        pins = [
            (connector.name, pin.number, pin.net, pin.at)
            for connector in circuit.connectors
            for pin in connector.pins
        ]
        assert check(files(circuit), pads, pins) == ()
        for track in circuit.tracks:
            assert Polygon(circuit.outline).contains(LineString(track.points))
