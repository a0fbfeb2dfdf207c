"""The measures of a board: read strictly, written back, and left to the lights that there are."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hal import ProfileError, built_in, built_in_names
from hal.profile import Profile, load
from hal.profile.geometry import Geometry, Point

HEXAGON = Path(__file__).parents[2] / "hardware" / "boards" / "hexagon-61.toml"


def geometry_of(profile: Profile) -> Geometry:
    assert profile.geometry is not None
    return profile.geometry


def written(folder: Path, text: str) -> Path:
    file = folder / "board.toml"
    file.write_text(text, encoding="utf-8")
    return file


def changed(folder: Path, old: str, new: str) -> Path:
    text = HEXAGON.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    return written(folder, text.replace(old, new))


@pytest.mark.parametrize("name", built_in_names())
def test_geometry_of_a_shipped_board_places_every_light_and_key(name: str):
    profile = built_in(name)
    geometry = geometry_of(profile)
    assert set(geometry.lights) == profile.pixels.keys() - profile.cells.keys()
    assert set(geometry.keys) == set(profile.keys)


@pytest.mark.parametrize("name", built_in_names())
def test_geometry_of_a_shipped_board_has_its_pad_lights_in_their_pads(name: str):
    geometry = geometry_of(built_in(name))
    pads = set(built_in(name).keys) & set(built_in(name).lights)
    on_pads = {key for key in pads if not hasattr(built_in(name).keys[key], "number")}
    assert on_pads
    assert all(geometry.keys[key] == geometry.lights[f"{key}.0"] for key in on_pads)


def test_geometry_lays_a_circle_clockwise_from_the_top():
    lights = geometry_of(built_in()).lights
    assert lights["circle.0"] == Point(0, 176)
    assert lights["circle.3"] == Point(176, 0)
    assert lights["circle.6"] == Point(0, -176)
    assert all(
        Point(0, 0).distance(lights[f"circle.{n}"]) == pytest.approx(176, abs=1e-3)
        for n in range(12)
    )


def test_geometry_lays_a_row_from_one_end_to_the_other():
    lights = geometry_of(built_in()).lights
    assert (lights["score2.0"], lights["score2.19"]) == (Point(158.3, 202), Point(-158.3, 202))
    steps = [lights[f"score1.{n + 1}"].x - lights[f"score1.{n}"].x for n in range(19)]
    assert steps == pytest.approx([316.6 / 19] * 19, abs=2e-3)


WRONG = {
    "measure out of range": (
        "pitch_mm = 33.3 ",
        "pitch_mm = 333 ",
        r"\[geometry\] pitch_mm = 333: allowed is a number from 15 to 80",
    ),
    "missing measure": ("air_mm = 10 ", "# ", r"\[geometry\] air_mm: missing"),
    "guards that meet": (
        "guard_mm = 3 ",
        "guard_mm = 6 ",
        r"\[geometry\] has pad_mm = 18, gap_mm = 2, guard_mm = 6, which make guards of 34 mm:"
        r" allowed is less than pitch_mm = 33.3",
    ),
    "hole that leaves no pad": (
        "pad_mm = 18                      # copper under a cell, round\nhole_mm = 4 ",
        "pad_mm = 9\nhole_mm = 6 ",
        r"hole_mm = 6: allowed is up to 5, so that 2 mm of the pad are left around it",
    ),
    "place of one number": (
        "supply = [-145, 185]",
        "supply = [-150]",
        r"\[geometry\] supply = \[-150\]: allowed is \[x, y\] in mm from the middle",
    ),
    "group without a place": (
        "turn1 = { at = [[-178, -202]] }",
        "",
        r"\[geometry.lights\] turn1: miss",
    ),
    "key misnamed": (
        "hint = [-160, -178]",
        "hints = [-160, -178]",
        r"\[geometry.keys\] hints: unknown key: allowed are new_game, ",
    ),
    "places too few": (
        "turn1 = { at = [[-178, -202]] }",
        "turn1 = { at = [] }",
        r"\[geometry.lights.turn1\] at = \[\]: allowed is a list of 1 \[x, y\]",
    ),
    "half a row": (
        "score1 = { from = [-158.3, -202], to = [158.3, -202] }",
        "score1 = { from = [-158.3, -202] }",
        r"\[geometry.lights.score1\] to: missing",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_geometry_that_is_wrong_is_refused(case: str, tmp_path: Path):
    old, new, message = WRONG[case]
    with pytest.raises(ProfileError, match=message) as refusal:
        load(changed(tmp_path, old, new))
    assert re.match(rf"{re.escape(str(tmp_path))}/board\.toml: ", str(refusal.value))


def test_geometry_of_fewer_lights_and_keys_has_only_theirs():
    geometry = geometry_of(built_in())
    fewer = geometry.of({"turn1.0", "e5"}, {"hint"})
    assert dict(fewer.lights) == {"turn1.0": Point(-178, -202)}
    assert dict(fewer.keys) == {"hint": Point(-160, -178)}
    assert replace(fewer, lights=geometry.lights, keys=geometry.keys) == geometry
