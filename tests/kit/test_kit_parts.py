"""The list of parts: counts and lengths are those of profile, wiring and figures."""

import re
from dataclasses import replace
from functools import cache
from math import asin, ceil, cos, degrees, pi

import pytest

from hal.geometry import Point
from hal.profile import Pin, built_in, built_in_names
from hardware.kit import leads
from hardware.kit.circuit.circuit import GROUND, Circuit, Connector
from hardware.kit.circuit.circuit import Pin as Contact
from hardware.kit.drawing import Box
from hardware.kit.electric import Run, feeds, figures
from hardware.kit.electric.chain import Kind as Bought
from hardware.kit.electric.chain import pieces
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.materials import cable_mm, check_sheets, is_thick, screw_mm
from hardware.kit.parts import parts
from hardware.kit.places import places
from hardware.kit.tables import Table
from hardware.kit.wiring import Build, Kind, Wiring, wire
from tests.helpers.boards.guide_tables import number, part
from tests.helpers.kits.boards import layout_of, with_pixels_mixed
from tests.helpers.kits.built import built

BOARDS = built_in_names()
PIXELS = ("strip with 30 pixels a metre", "strip with 60 pixels a metre", "single pixels")
SHARED = (
    "MPR121 breakouts",
    "TCA9548A breakouts",
    "Raspberry Pi Pico",
    "buttons",
    "74AHCT125",
    "capacitor 1000 uF",
    "capacitor 100 nF",
    "resistor 330 to 470 ohm",
    "resistor 4.7 kohm",
    "resistor 10 kohm",
    "Schottky diode",
)
"""What the guide's table and the kit's list both count."""


@cache
def listed(board: str) -> Table:
    layout, wiring, found = built(board)
    return parts(layout, found, wiring)


def quantity(table: Table, begin: str) -> str:
    """Give how many of a part are listed, "0" of one that is not."""
    names = zip(table.column("part"), table.column("quantity"), strict=True)
    found = [count for name, count in names if name.startswith(begin)]
    assert len(found) <= 1, begin
    return found[0] if found else "0"


def metres(table: Table, begin: str) -> float:
    found = re.search(r"([\d.]+) m$", quantity(table, begin))
    assert found, begin
    return float(found[1])


def connector(name: str, nets: tuple[str, ...], at: Point) -> Connector:
    contacts = (
        Contact(number, net, at.moved(2.54 * number), 1.5, 2.5)
        for number, net in enumerate(nets, 1)
    )
    return Connector(name, name, tuple(contacts))


def blank(name: str, connectors: tuple[Connector, ...]) -> Circuit:
    """Make a circuit that has connectors only."""
    outline = Box(-40, -30, 40, 29.9).corners
    return Circuit(name, outline, (), (), connectors, (), (), (), ())


def whole(layout: Layout) -> Circuit:
    found = []
    for chip, at in layout.chips.items():
        nets = [""] * 12
        for sensor in layout.sensors_of(chip):
            nets[sensor.electrode.electrode] = sensor.name
        found.append(connector(f"J{chip}", (*nets, GROUND), at.moved(-20, -15)))
    return blank("whole", tuple(found))


def in_two(layout: Layout) -> tuple[Circuit, ...]:
    names = tuple(layout.sensors)
    half = len(names) // 2 + 3
    at = Point(-50, -20)
    return (
        blank("t1", (connector("T1", (*names[:half], GROUND), at),)),
        blank("t2", (connector("T2", (*names[half:], GROUND), at),)),
    )


def of_circuits(build: Build, board: str = "hexagon-37") -> tuple[Table, Wiring, Layout]:
    layout = layout_of(board)
    circuits = (whole(layout),) if build is Build.CIRCUIT else in_two(layout)
    wiring = wire(layout, build, circuits, feeds(layout))
    found = figures(layout, dict.fromkeys(layout.sensors, Run(60, 80)), leads.lengths(wiring))
    return parts(layout, found, wiring, circuits), wiring, layout


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("board", BOARDS)
def test_guide_and_kit_count_the_same_parts(board, name):
    assert quantity(listed(board), name) == part(name, board)


@pytest.mark.parametrize("board", BOARDS)
def test_guide_and_kit_agree_on_supply_fuse_and_pixels(board):
    table = listed(board)
    for name in ("supply for the strip", "fuse, time-lag"):
        assert quantity(table, name) == part(name.partition(",")[0], board)
    pixels = [quantity(table, name) for name in PIXELS]
    assert sum(number(each) for each in pixels) == number(part("pixels", board))


@pytest.mark.parametrize("board", BOARDS)
def test_guide_and_kit_agree_on_copper_and_thin_wire(board):
    assert quantity(listed(board), "copper tape") == part("copper tape", board)
    # The guide says how much it is at most; the kit knows how long each wire is.
    assert metres(listed(board), "thin wire") <= number(part("thin wire", board))


@pytest.mark.parametrize("board", BOARDS)
def test_parts_are_those_of_the_profile(board):
    table, profile = listed(board), built_in(board)
    buttons = [key for key in profile.keys.values() if isinstance(key, Pin)]
    assert quantity(table, "MPR121") == str(len(profile.chips))
    assert quantity(table, "buttons") == str(len(buttons))
    on_pico = profile.pico is not None
    computers = {"Raspberry Pi Pico": on_pico, "USB cable": on_pico, "SD card": not on_pico}
    for name, wanted in computers.items():
        assert quantity(table, name) == str(int(wanted))


@pytest.mark.parametrize(
    ("board", "seed"), [*((board, None) for board in BOARDS), ("hexagon-37", 1), ("disc-32", 2)]
)
def test_pixels_are_bought_as_the_chain_is_cut(board, seed):
    layout, wiring, found = built(board)
    table = listed(board)
    if seed is not None:
        layout = with_pixels_mixed(layout, seed)
        table = parts(layout, found, wiring)
    counts = [number(quantity(table, name)) for name in PIXELS]
    assert sum(counts) == layout.profile.pixel_count
    chain = pieces(layout)
    for kind, name, count in zip(Bought, PIXELS, counts, strict=True):
        own = [piece for piece in chain if piece.kind is kind]
        assert count == sum(len(piece.places) for piece in own)
        if own and kind is not Bought.SINGLE:
            exact = sum(piece.length_mm for piece in own) / 1000
            assert exact <= metres(table, name) + 1e-9 < exact + 0.1 + 1e-6


@pytest.mark.parametrize("board", BOARDS)
def test_wires_are_long_enough_and_each_is_in_one_row(board):
    table = listed(board)
    _, wiring, found = built(board)
    area = f"wire of {found.feeding.wire_mm2:g} mm2"
    rows = {
        "thin wire": wiring.of(Kind.PAD, Kind.GUARD),
        f"{area}, red": wiring.of(Kind.POWER_5V),
        f"{area}, black": [w for w in wiring.of(Kind.GROUND) if is_thick(w)],
    }
    taken = {wire for wires in rows.values() for wire in wires}
    rows["wire of 0.14"] = [w for w in wiring.wires if w not in taken and w.kind is not Kind.PART]
    for name, wires in rows.items():
        exact = sum(each.length_mm for each in wires) / 1000
        assert exact > 0
        assert exact * 1.1 <= metres(table, name) < exact * 1.1 + 1
    said = [re.match(r"(\d+) wires", text) for text in table.column("where the number comes from")]
    counted = sum(int(found[1]) for found in said if found)
    assert counted == sum(1 for each in wiring.wires if each.length_mm)


def test_ground_of_the_strip_is_as_thick_as_its_5_volts():
    _, wiring, _ = built("hexagon-61")
    thick = [each for each in wiring.of(Kind.GROUND) if is_thick(each)]
    strip = ("pixel", "74AHCT125")
    fed = {each.end.part for each in wiring.of(Kind.POWER_5V) if each.end.part.startswith(strip)}
    fed = {
        part
        for part in fed
        if any(w.length_mm for w in wiring.of(Kind.GROUND) if w.end.part == part)
    }
    joined = {each.end.part for each in thick if each.end.part.startswith("clamp GND")}
    assert joined
    assert {each.end.part for each in thick} == fed | joined
    assert not any(is_thick(each) for each in wiring.of(Kind.DATA, Kind.BUS, Kind.POWER_3V3))


@pytest.mark.parametrize("build", [Build.CIRCUIT, Build.TILES])
def test_circuits_take_the_place_of_copper_and_thin_wire(build):
    table, wiring, _ = of_circuits(build)
    names = table.column("part")
    count = 1 if build is Build.CIRCUIT else 2
    assert sum(name.startswith("printed circuit") for name in names) == count
    circuit = "whole" if build is Build.CIRCUIT else "t2"
    assert quantity(table, f"printed circuit {circuit}, 80.0 x 59.9 mm") == "1"
    for name in ("copper tape", "copper foil", "thin wire", "acrylic or plywood, 3 mm"):
        assert quantity(table, name) == "0"
        assert quantity(listed("hexagon-37"), name) != "0"
    assert quantity(listed("hexagon-37"), "flat cable") == "0"
    cables: dict[str, int] = {}
    for each in wiring.of(Kind.RIBBON, Kind.GUARD):
        cables[each.start.part] = max(cables.get(each.start.part, 0), each.length_mm)
    assert len(cables) == (4 if build is Build.CIRCUIT else 2)
    exact = sum(cables.values()) / 1000 * 1.1
    assert exact <= metres(table, "flat cable") < exact + 0.5


def test_flat_cable_has_a_wire_for_each_pin():
    def wanted(build: Build) -> str:
        table, _, _ = of_circuits(build)
        rows = [row for row in table.rows if row[1].startswith("flat cable")]
        return rows[0][3]

    assert wanted(Build.CIRCUIT).startswith("13 wires")
    # 39 pads on two tiles: 22 on the first one, and ground.
    assert wanted(Build.TILES).startswith("23 wires")


@pytest.mark.parametrize("board", BOARDS)
def test_plates_are_as_large_as_the_board(board):
    layout, table = layout_of(board), listed(board)
    size = f"{ceil(layout.box.width)} x {ceil(layout.box.height)} mm"
    plates = [row for row in table.rows if row[0] == "plates"]
    assert len(plates) == 6
    for row in plates:
        count = 2 if row[4].startswith("walls") else 1
        assert row[2] == f"{count} larger than {size}"
    assert quantity(table, "screws M3 x 25 mm") == str(len(layout.screws))
    assert quantity(table, "washers M3") == str(len(layout.screws))
    assert quantity(table, "spacers M3 x 25 mm") == str(len(layout.screws))


@pytest.mark.parametrize(
    ("measures", "length"),
    [
        # Cover 2, films 0.5, carrier 3, air 10, base 5, washer 0.5, 4 in the spacer.
        ({}, 25),
        ({"air_mm": 9.0}, 25),
        ({"air_mm": 10.1}, 30),
        # A printed circuit of 1.6 mm is thicker than such a carrier.
        ({"carrier_mm": 1.0, "air_mm": 11.4}, 25),
        ({"carrier_mm": 1.0, "air_mm": 11.5}, 30),
        ({"cover_mm": 8, "carrier_mm": 10, "air_mm": 40}, 70),
    ],
)
def test_screws_go_through_the_stack(measures, length):
    layout = layout_of("hexagon-61")
    changed = replace(layout, geometry=replace(layout.geometry, **measures))
    assert screw_mm(changed) == length


@pytest.mark.parametrize("board", BOARDS)
def test_spacers_take_all_of_the_thread_that_a_screw_has_left(board):
    layout, table = layout_of(board), listed(board)
    geometry = layout.geometry
    (row,) = (row for row in table.rows if row[1].startswith("spacers"))
    deep = re.search(r"(\d+) mm deep", row[3])
    assert deep
    # A printed circuit, walls, base and washer: what there is before the cover comes. Two layers
    # of walls and a base may each be 0.2 mm thinner than they are called.
    left = screw_mm(layout) - (1.6 + geometry.air_mm + 5 + 0.5) + 3 * 0.2
    assert left <= int(deep[1]) < left + 1
    parts_below = places(layout)
    for at in layout.screws:
        foot = Box.sized(at, (7.0, 7.0))
        assert not any(foot.overlaps(place.box) for place in parts_below.values())


def test_supply_of_much_current_has_no_plug():
    layout, wiring, found = built("hexagon-61")
    for fuse, wanted in ((5.0, "for its plug"), (6.3, "screw terminals")):
        feeding = replace(found.feeding, fuse_a=fuse)
        table = parts(layout, replace(found, feeding=feeding), wiring)
        rows = [row for row in table.rows if row[1] == "inlet for the supply"]
        assert rows[0][3].startswith(wanted)


def row_of(table: Table, begin: str) -> tuple[str, ...]:
    (row,) = (row for row in table.rows if row[1].startswith(begin))
    return row


@pytest.mark.parametrize("board", BOARDS)
def test_thick_wires_of_a_pixel_pass_its_hole_together(board):
    _, _, found = built(board)
    table = listed(board)
    said = re.search(r"at most ([\d.]+) mm thick", row_of(table, "wire of 0.75 mm2, red")[3])
    assert said
    assert said[1] in row_of(table, f"wire of {found.feeding.wire_mm2:g} mm2, black")[3]
    thick = float(said[1])
    # A link and a feed, each 5 V and ground, and data, round the hole of 6 mm: their turn is not
    # more than a whole one, and with 0.1 mm more it would be.
    for mm, passes in ((thick, True), (thick + 0.1, False)):
        assert (5 * 2 * degrees(asin(mm / (6.0 - mm))) <= 360) is passes


def test_hole_of_a_pixel_takes_as_many_wires_as_its_board_has():
    _, wiring, _ = built("hexagon-61")
    ends = [wire.end.part for wire in wiring.wires if wire.length_mm]
    feeds_of_one = max(ends.count(f"pixel {pixel}") for pixel in range(117))
    assert feeds_of_one == 5
    assert cable_mm(wiring) == 2.2
    fewer = replace(wiring, wires=tuple(w for w in wiring.wires if w.start.sort != "clamp"))
    assert cable_mm(fewer) > 2.2


@pytest.mark.parametrize("air_mm", [10.0, 12.0, 16.0, 20.0])
def test_walls_of_sheets_that_are_sold_are_allowed(air_mm):
    check_sheets(replace(layout_of("hexagon-37").geometry, air_mm=air_mm))


@pytest.mark.parametrize("air_mm", [12.5, 11.0, 10.1, 3.0])
def test_walls_of_sheets_that_nobody_sells_are_refused(air_mm):
    geometry = replace(layout_of("hexagon-37").geometry, air_mm=air_mm)
    half = re.escape(f"{air_mm / 2:g}")
    with pytest.raises(KitError, match=f"sheets of {half} mm.*allowed are 10, 12, 16") as caught:
        check_sheets(geometry)
    assert caught.value.key == "air_mm"


def test_thick_sheets_leave_a_nut_of_thread_and_are_told():
    layout = layout_of("hexagon-61")
    row = row_of(listed("hexagon-61"), "screws M3")
    geometry = layout.geometry
    stack = geometry.cover_mm + 0.5 + geometry.carrier_mm + geometry.air_mm + 5 + 0.5
    assert screw_mm(layout) - stack - 3 * 0.2 >= 2.4
    assert "4 mm of thread together, or 3.4 mm where sheets are thick: a nut has 2.4 mm" in row[4]
    for name in ("MDF or foam board, 5 mm", "MDF or plywood, 5 mm"):
        assert "4.8 to 5.2 mm when you measure it" in row_of(listed("hexagon-61"), name)[3]


@pytest.mark.parametrize("board", BOARDS)
def test_screws_are_told_where_they_are(board):
    layout = layout_of(board)
    box = Box.around(layout.screws)
    on_near = any(at.y == box.bottom and box.left < at.x < box.right for at in layout.screws)
    on_left = any(at.x == box.left and box.bottom < at.y < box.top for at in layout.screws)
    wanted = {
        (True, True): "corners, and middles of all four sides",
        (True, False): "corners, and middles of the long sides",
        (False, True): "corners, and middles of the long sides",
        (False, False): "corners",
    }
    assert row_of(listed(board), "washers M3")[4] == wanted[on_near, on_left]


@pytest.mark.parametrize("board", BOARDS)
def test_buttons_fit_and_only_those_of_the_board_may_be_left_out(board):
    layout = layout_of(board)
    row = row_of(listed(board), "buttons")
    collar = re.search(r"collar at most (\d+) mm", row[3])
    nut = re.search(r"nut and washer at most (\d+) mm", row[3])
    assert collar
    assert nut
    places_of = [each.at for each in layout.buttons.values()]
    nearest = min(a.distance(b) for n, a in enumerate(places_of) for b in places_of[:n])
    assert int(collar[1]) < nearest
    # Across its corners a nut of 14 mm has 16.2 mm; the walls leave 18 mm.
    assert 14 / cos(pi / 6) < int(nut[1]) < 18
    words = {"hint": "hints", "cell": "dead cells", "confirm": "conf", "shutdown": "switching"}
    for key, word in words.items():
        assert (word in row[4]) == (key in layout.buttons), key


def test_one_length_is_not_a_range():
    table, wiring, _ = of_circuits(Build.CIRCUIT)
    even = replace(
        wiring,
        wires=tuple(
            replace(w, length_mm=120) if w.kind in (Kind.RIBBON, Kind.GUARD) else w
            for w in wiring.wires
        ),
    )
    layout, _, found = built("hexagon-37")
    row = row_of(parts(layout, found, even, (whole(layout),)), "flat cable")
    assert row[4].startswith("4 of 120 mm each and")
    assert "120 to 120" not in " ".join(" ".join(each) for each in table.rows)


@pytest.mark.parametrize("board", BOARDS)
def test_parts_that_stand_up_lie_on_thick_tape_and_breakouts_have_pins(board):
    table, profile = listed(board), built_in(board)
    assert row_of(table, "double-sided foam tape")[3] == "3 mm thick"
    breakouts = int(quantity(table, "MPR121")) + int(quantity(table, "TCA9548A"))
    assert quantity(table, "pin strips") == str(breakouts)
    inlet = row_of(table, "inlet")[3]
    assert f"carries {built(board)[2].feeding.fuse_a:g} A or more" in inlet
    assert "30 x 20 mm" in inlet
    if profile.pico is not None:
        assert "no Pico H" in row_of(table, "Raspberry Pi Pico")[3]


def test_breakouts_come_with_a_warning_of_addr():
    rows = [row for row in listed("hexagon-61").rows if row[1].startswith("MPR121")]
    assert "ADDR" in rows[0][3]
    assert "0x5A" in rows[0][3]


@pytest.mark.parametrize("board", BOARDS)
def test_every_part_has_a_quantity_and_says_why(board):
    table = listed(board)
    assert len(set(table.column("part"))) == len(table.rows)
    for row in table.rows:
        assert all(row), row
        assert re.match(r"[1-9]|0\.[1-9]", row[2]), row
