"""Where everything of a board is: as the rules lay out its cells, apart, and inside the edge."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest
from shapely import Point as Spot
from shapely import Polygon, unary_union

from game.play.board_mapping import graph_of
from hal.profile import Electrode, Pin, Profile, built_in
from hal.profile.geometry import Geometry, Point
from hardware.kit.errors import KitError
from hardware.kit.layout import BREAKOUT_MM
from hardware.kit.places import places
from hardware.kit.plates.holes import holes
from hardware.kit.plates.regions import Region
from tests.helpers.kits.boards import VARIED, layout_of, layout_of_profile
from tests.helpers.kits.circuits import connectors_of, tile_connectors_of

BOARDS = VARIED


def with_geometry(profile: Profile, **changes: object) -> Profile:
    assert profile.geometry is not None
    return replace(profile, geometry=replace(profile.geometry, **changes))


def with_keys(geometry: Geometry, **places: Point) -> Mapping[str, Point]:
    return MappingProxyType({**geometry.keys, **places})


@pytest.mark.parametrize("name", BOARDS)
def test_layout_has_each_cell_where_its_rules_have_it(name: str):
    layout = layout_of(name)
    graph = graph_of(layout.profile)
    assert graph is not None
    assert set(layout.cells) == set(layout.profile.cells)
    for cell, (x, y) in graph.centres.items():
        assert layout.cells[cell].at == pytest.approx((33.3 * x, -33.3 * y), abs=1e-3)
        for near in graph.neighbours[cell]:
            apart = layout.cells[cell].at.distance(layout.cells[near].at)
            assert apart >= 33.29


@pytest.mark.parametrize("name", BOARDS)
def test_layout_cells_cover_the_field_without_overlap(name: str):
    layout = layout_of(name)
    polygons = [Polygon(cell.outline) for cell in layout.cells.values()]
    assert all(each.is_valid and each.exterior.is_ccw for each in polygons)
    # Slivers are where arcs are drawn with straight lines of different steps.
    together = unary_union([each.buffer(0.01) for each in polygons])
    assert together.geom_type == "Polygon"
    assert sum(each.area for each in polygons) == pytest.approx(together.area, rel=0.01)
    for cell, polygon in zip(layout.cells.values(), polygons, strict=True):
        pad = Spot(cell.at).buffer(layout.geometry.guard_outer_mm / 2)
        assert polygon.contains(pad), cell.name


@pytest.mark.parametrize("name", BOARDS)
def test_layout_says_of_each_pad_pixel_and_button_what_the_profile_says(name: str):
    layout = layout_of(name)
    profile = layout.profile
    on_pads = {key: on for key, on in profile.keys.items() if isinstance(on, Electrode)}
    assert {n: s.electrode for n, s in layout.sensors.items()} == {**profile.cells, **on_pads}
    assert all(layout.sensors[cell].at == layout.cells[cell].at for cell in profile.cells)
    assert {each.name: each.pixel for each in layout.lights} == dict(profile.pixels)
    assert [each.pixel for each in layout.lights] == sorted(profile.pixels.values())
    pins = {key: on.number for key, on in profile.keys.items() if isinstance(on, Pin)}
    assert {key: button.pin for key, button in layout.buttons.items()} == pins


@pytest.mark.parametrize("name", BOARDS)
def test_layout_keeps_everything_inside_the_edge_and_off_the_screws(name: str):
    layout = layout_of(name)
    places = [
        *(each.at for each in layout.sensors.values()),
        *(each.at for each in layout.lights),
        *(each.at for each in layout.buttons.values()),
        layout.geometry.computer,
        layout.geometry.supply,
    ]
    inner = layout.box.grown(-layout.geometry.margin_mm)
    for at in (*places, *layout.chips.values()):
        assert inner.left <= at.x <= inner.right
        assert inner.bottom <= at.y <= inner.top
        assert min(at.distance(screw) for screw in layout.screws) >= 10
    assert len(layout.screws) == len(set(layout.screws))
    along = [layout.box.grown(-6).corners.count(screw) for screw in layout.screws]
    assert sum(along) == 4
    assert len(layout.screws) == 8 - 2 * (layout.box.width <= 260) - 2 * (layout.box.height <= 260)


@pytest.mark.parametrize("name", BOARDS)
def test_layout_puts_each_breakout_near_its_pads_and_off_the_others(name: str):
    layout = layout_of(name)
    places = list(layout.chips.values())
    for number, here in enumerate(places):
        for there in places[:number]:
            apart = abs(here.x - there.x), abs(here.y - there.y)
            assert apart[0] >= BREAKOUT_MM[0] - 0.2 or apart[1] >= BREAKOUT_MM[1] - 0.2
    for chip, at in layout.chips.items():
        own = layout.sensors_of(chip)
        assert [each.electrode.electrode for each in own] == sorted(
            each.electrode.electrode for each in own
        )
        middle = Point(sum(s.at.x for s in own) / len(own), sum(s.at.y for s in own) / len(own))
        assert at.distance(middle) < 40


def test_layout_of_a_profile_without_measures_says_what_is_missing():
    profile = replace(built_in(), geometry=None)
    with pytest.raises(KitError, match=r'"hexagon-61" says nothing .*\[geometry\] is missing'):
        layout_of_profile(profile)


@pytest.mark.parametrize(
    ("key", "at", "message"),
    [
        ("choice1", Point(0, 0), r"pad of choice1 is 0.0 mm from the pad of e5: .* 28.0 mm"),
        ("hint", Point(170, -178), r"button take_back is 10.0 mm from|hint is 10.0 mm from"),
        ("resign", Point(-66.6, -100), r"the button resign is 15.4 mm from the pad of a1: .*24.0"),
    ],
)
def test_layout_of_parts_on_each_other_names_them(key: str, at: Point, message: str):
    profile = built_in()
    assert profile.geometry is not None
    wrong = with_geometry(profile, keys=with_keys(profile.geometry, **{key: at}))
    with pytest.raises(KitError, match=message):
        layout_of_profile(wrong)


@pytest.mark.parametrize("name", BOARDS)
def test_parts_underneath_cover_no_wires_of_the_strip_and_no_slot(name: str):
    layout = layout_of(name)
    boxes = {part: Region.box(place.box) for part, place in places(layout).items()}
    for connectors in ((), connectors_of(name), tile_connectors_of(name)):
        found = holes(layout, connectors)
        openings = [slot.region for slot in found.slots]
        openings += [Region.disc(at, 6.0) for at in found.pixels]
        assert len(openings) > len(connectors)
        for part, box in boxes.items():
            # Buttons are round, and where the profile has them.
            least = 0.5 if part.startswith("button") else 3 - 1e-6
            assert min(box.distance(opening) for opening in openings) >= least, part


@pytest.mark.parametrize(
    ("board", "part", "at", "message"),
    [
        (
            "disc-32-pico",
            "computer",
            Point(130, 165),
            r"the Raspberry Pi Pico at 130, 165 lies on the wires of pixel \d+ at [\d., -]+:"
            r" allowed are places that are 16.5 mm away from these in x or 31.5 mm in y",
        ),
        ("rectangle-88", "supply", Point(-120, 195), r"the supply at .* wires of pixel 10 at"),
    ],
)
def test_layout_of_a_part_on_wires_of_the_strip_names_both(
    board: str, part: str, at: Point, message: str
):
    with pytest.raises(KitError, match=message) as caught:
        layout_of_profile(with_geometry(built_in(board), **{part: at}))
    assert caught.value.key == part


@pytest.mark.parametrize("name", BOARDS)
def test_breakouts_lie_between_computer_plugs_and_screws(name: str):
    layout = layout_of(name)
    found = list(places(layout).values())
    for number, one in enumerate(found):
        assert not any(one.box.overlaps(other.box) for other in found[:number]), one
