"""The router: every net joined, every clearance kept, measured by shapely on true shapes."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from shapely.geometry import LineString
from shapely.geometry import Point as Place

from hal.geometry import Point
from hal.profile import built_in
from hardware.kit.circuit import space, traffic
from hardware.kit.circuit.circuit import GROUND, Hole, Side, Track, Via
from hardware.kit.circuit.router import Bar, Copper, Disc, Problem, Routing, route
from hardware.kit.drawing import Box, Points
from hardware.kit.errors import KitError
from tests.helpers.kits.boards import layout_of, layout_of_profile, permuted
from tests.helpers.kits.routed_boards import BOTTOM, TOP, faults, problem_of

EVERYWHERE = TOP | BOTTOM
SMALL = Box(0, 0, 30, 20).corners


def pin(net: str, x: float, y: float) -> Copper:
    return Copper(net, BOTTOM, Bar(Point(x, y), 1.5, 1.5))


def wall(x: float, low: float, high: float) -> Copper:
    middle = Point(x, (low + high) / 2)
    return Copper("", EVERYWHERE, Bar(middle, 2.0, high - low))


def problem(*coppers: Copper, outline: Points = SMALL) -> Problem:
    return Problem(outline, coppers, ())


def length_of(routing: Routing, net: str) -> float:
    return sum(track.length_mm for track in routing.tracks if track.net == net)


PAIR = problem(pin("a", 5, 5), pin("a", 25, 5))


def test_router_joins_a_pair_by_a_straight_track() -> None:
    routing = route(PAIR)
    assert faults(PAIR, routing) == []
    (track,) = routing.tracks
    assert len(track.points) == 2
    assert track.side is Side.BOTTOM
    assert 18.5 <= track.length_mm <= 21.5
    assert not routing.vias


def test_router_leads_crossing_pairs_around_each_other() -> None:
    crossing = problem(pin("a", 5, 5), pin("a", 25, 15), pin("b", 5, 15), pin("b", 25, 5))
    assert faults(crossing, route(crossing)) == []


def test_router_joins_a_pad_and_a_pin_by_one_via_in_the_pad() -> None:
    disc = Disc(Point(8, 10), 5.0, 12.0)
    board = problem(Copper("a", TOP, disc), pin("a", 25, 10))
    board = replace(board, holes=(Hole(disc.at, 4.0),))
    routing = route(board)
    assert faults(board, routing) == []
    (via,) = routing.vias
    assert 2.5 + 0.4 <= via.at.distance(disc.at) <= 6 - 0.4
    assert all(track.side is Side.BOTTOM for track in routing.tracks)


def test_router_joins_rings_on_the_top_by_the_shortest_line() -> None:
    rings = [
        Copper(GROUND, TOP, Disc(Point(15 + x, 15 + y), 18, 20)) for x, y in ((0, 0), (17, 20))
    ]
    board = problem(*rings, outline=Box(0, 0, 50, 50).corners)
    routing = route(board)
    assert faults(board, routing) == []
    assert not routing.vias
    (track,) = routing.tracks
    assert track.side is Side.TOP
    assert track.length_mm < Point(0, 0).distance(Point(17, 20)) - 20 + 1.5


def test_router_finds_the_gap_in_a_wall() -> None:
    board = problem(*PAIR.coppers, wall(15, -1, 14), wall(15, 16, 21))
    routing = route(board)
    assert faults(board, routing) == []
    assert length_of(routing, "a") > 25


def test_router_finds_a_gap_that_only_the_finer_grid_sees() -> None:
    # A track and its clearances take 0.75 mm; the coarse grid has no node in this gap.
    board = problem(*PAIR.coppers, wall(15, -1, 10.335), wall(15, 11.095, 21))
    assert faults(board, route(board)) == []


def test_router_goes_over_a_wall_on_one_side() -> None:
    shut = replace(wall(15, -1, 21), sides=BOTTOM)
    board = problem(*PAIR.coppers, shut)
    routing = route(board)
    assert faults(board, routing) == []
    assert len(routing.vias) == 2


@pytest.mark.parametrize("gap_mm", [0.0, 0.7])
def test_router_names_the_net_that_has_no_way(gap_mm: float) -> None:
    halves = wall(15, -1, 10 - gap_mm / 2), wall(15, 10 + gap_mm / 2, 21)
    board = problem(pin("b", 3, 15), pin("b", 10, 15), *PAIR.coppers, *halves)
    with pytest.raises(KitError, match=r'"a".*allowed'):
        route(board)


def test_router_names_nets_for_which_there_is_no_room_together() -> None:
    # Three nets, and a gap for one track on each side.
    pins = [pin(net, x, y) for net, y in (("a", 5.0), ("b", 15.0), ("c", 10.0)) for x in (5, 25)]
    board = problem(*pins, wall(15, -1, 9.5), wall(15, 10.5, 21))
    with pytest.raises(KitError, match=r'"[abc]", "[abc]".*allowed'):
        route(board)


def test_router_goes_around_the_pad_of_another_net_rather_than_under_it() -> None:
    pad = Copper("b", TOP, Disc(Point(15, 6), 0.0, 6.0))
    board = problem(*PAIR.coppers, pad)
    routing = route(board)
    assert faults(board, routing) == []
    tracks = [LineString(track.points) for track in routing.tracks]
    assert min(track.distance(Place(15, 6)) for track in tracks) > 3
    assert length_of(routing, "a") < 26


def test_router_keeps_foreign_tracks_out_of_guards() -> None:
    # A wall on the bottom, which a hop in the gap between a pad and its guard would pass.
    pad, ring = Disc(Point(15, 10), 0.0, 8.0), Disc(Point(15, 10), 12.0, 15.0)
    shut = replace(wall(15, -1, 21), sides=BOTTOM)
    board = problem(
        pin("a", 12, 18.5), pin("a", 20, 5), shut, Copper("b", TOP, pad), Copper(GROUND, TOP, ring)
    )
    routing = route(board)
    assert faults(board, routing) == []
    assert len(routing.vias) == 2
    assert all(via.at.distance(ring.at) > 7.5 for via in routing.vias)


def test_router_goes_under_a_pad_when_there_is_no_other_way() -> None:
    pad = Copper("b", TOP, Disc(Point(15, 10), 0.0, 6.0))
    board = problem(pin("a", 5, 10), pin("a", 25, 10), pad, wall(15, -1, 8), wall(15, 12, 21))
    routing = route(board)
    assert faults(board, routing) == []
    assert length_of(routing, "a") < 24


def test_router_keeps_within_an_outline_that_turns_inward() -> None:
    outline = tuple(
        Point(*at) for at in ((0, 0), (30, 0), (30, 20), (22, 20), (15, 5), (8, 20), (0, 20))
    )
    board = problem(pin("a", 4, 17), pin("a", 26, 17), outline=outline)
    routing = route(board)
    assert faults(board, routing) == []
    assert length_of(routing, "a") > 30


def test_router_sets_no_via_in_a_pin() -> None:
    pins = [pin("a", 5, 10), Copper("a", TOP, Bar(Point(25, 10), 1.5, 1.5))]
    routing = route(problem(*pins))
    (via,) = routing.vias
    assert all(abs(via.at.x - each.shape.at.x) >= 0.75 + 0.4 for each in pins)


def test_router_joins_nothing_to_a_pin_without_a_net() -> None:
    board = problem(*PAIR.coppers, pin("", 15, 5), pin("", 20, 5), pin("single", 15, 15))
    routing = route(board)
    assert faults(board, routing) == []
    assert {track.net for track in routing.tracks} == {"a"}


def test_router_answers_the_same_each_time() -> None:
    board = problem(pin("a", 5, 5), pin("a", 25, 15), pin("b", 5, 15), pin("b", 25, 5))
    assert route(board) == route(board)


@pytest.mark.parametrize(("name", "seed"), [("hexagon-61", 3), ("disc-32", 2), ("rectangle-88", 5)])
def test_router_joins_all_of_a_board_with_its_wiring_permuted(name: str, seed: int) -> None:
    layout = layout_of_profile(permuted(built_in(name), seed))
    board = problem_of(layout)
    routing = route(board)
    assert faults(board, routing) == []
    farthest = max(
        pad.at.distance(layout.chips[pad.electrode.chip]) for pad in layout.sensors.values()
    )
    longest = max(length_of(routing, pad.name) for pad in layout.sensors.values())
    assert longest < 1.5 * farthest + 60
    assert all(
        track.side is Side.TOP or track.net != GROUND or track.length_mm < 30
        for track in routing.tracks
    )


SPOTS = [(6.0 + 9 * column, 6.0 + 9 * row) for row in range(4) for column in range(4)]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    places=some.permutations(SPOTS),
    off=some.lists(some.tuples(some.floats(-1, 1), some.floats(-1, 1)), min_size=16, max_size=16),
    nets=some.lists(some.sampled_from(["a", "b", "c", "d", GROUND, ""]), min_size=4, max_size=16),
    kinds=some.lists(some.sampled_from(["pin", "disc", "ring"]), min_size=16, max_size=16),
)
def test_router_joins_random_boards(
    places: list[tuple[float, float]],
    off: list[tuple[float, float]],
    nets: list[str],
    kinds: list[str],
) -> None:
    coppers = []
    for (x, y), (dx, dy), net, kind in zip(places, off, nets, kinds, strict=False):
        at = Point(round(x + dx, 3), round(y + dy, 3))
        if kind == "pin":
            coppers.append(Copper(net, BOTTOM, Bar(at, 1.6, 2.1)))
        else:
            coppers.append(Copper(net, TOP, Disc(at, 2.0 if kind == "ring" else 0.0, 5.0)))
    board = problem(*coppers, outline=Box(0, 0, 39, 39).corners)
    assert faults(board, route(board)) == []


def test_judge_sees_tracks_too_near_to_each_other() -> None:
    lanes = problem(*(pin(net, x, y) for net, y in (("a", 5), ("b", 7.54)) for x in (5, 25)))
    good = route(lanes)
    assert faults(lanes, good) == []
    near = replace(
        good,
        tracks=(
            good.tracks[0],
            Track("b", Side.BOTTOM, (Point(5, 7.5), Point(15, 5.4), Point(25, 7.5))),
        ),
    )
    assert any("track" in fault for fault in faults(lanes, near))


def test_judge_sees_copper_that_is_not_joined() -> None:
    assert any("2 pieces" in fault for fault in faults(PAIR, Routing((), ())))


def test_judge_sees_edges_and_holes() -> None:
    board = replace(PAIR, holes=(Hole(Point(15, 5), 4.0),))
    through = Track("a", Side.BOTTOM, (Point(5, 5), Point(25, 5)))
    assert any("hole" in fault for fault in faults(board, Routing((through,), ())))
    outside = Routing((replace(through, points=(Point(5, 5), Point(5, 0.4))),), ())
    assert any("edge" in fault for fault in faults(PAIR, outside))
    assert any("edge" in f for f in faults(PAIR, Routing((), (Via("a", Point(29.3, 10)),))))


def test_judge_sees_a_via_in_the_clearance_of_a_ring_from_within() -> None:
    ring = Copper("b", TOP, Disc(Point(15, 10), 10.0, 14.0))
    board = problem(ring)
    assert any("mm from" in f for f in faults(board, Routing((), (Via("a", Point(19.4, 10)),))))
    assert not any("mm from" in f for f in faults(board, Routing((), (Via("a", Point(19.3, 10)),))))


def test_router_checks_its_tracks_after_smoothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # A grid that forgets the traffic of others leads tracks across each other.
    monkeypatch.setattr(traffic.Traffic, "crowds", lambda *_: [])
    monkeypatch.setattr(traffic.Traffic, "put", lambda *_: None)
    monkeypatch.setattr(traffic.Traffic, "take", lambda *_: None)
    board = problem(pin("a", 5, 5), pin("a", 25, 15), pin("b", 5, 15), pin("b", 25, 5))
    with pytest.raises(KitError, match="too near"):
        route(board)
    monkeypatch.setattr(space.Space, "track_is_free", lambda *_: True)
    assert faults(board, route(board))


def test_problem_of_a_board_has_every_pad_once() -> None:
    layout = layout_of("hexagon-61")
    nets = [each.net for each in problem_of(layout).coppers if isinstance(each.shape, Bar)]
    assert sorted(net for net in nets if net not in {"", GROUND}) == sorted(layout.sensors)
