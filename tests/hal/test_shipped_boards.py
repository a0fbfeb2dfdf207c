"""The boards that ship: each has the cells, lights and keys of its games, and a sound wiring."""

from importlib.resources import files

import pytest

from hal.profile import Electrode, Pin, built_in, built_in_names

CHOICES = {"choice1": 1, "choice2": 1}
CIRCLE_LIGHTS = {"circle": 12, "score1": 20, "score2": 20, "turn1": 1, "turn2": 1} | CHOICES
RINGS = {"ring1": 1, "ring2": 1, "ring3": 1, "ring4": 1}
BUTTONS = {"new_game", "take_back", "resign", "cell", "shutdown", "hint"}

BOARDS = {
    # name: number of cells and chips, lights, keys on pads
    "bench-7": (7, 1, {}, set[str]()),
    "hexagon-37": (
        37,
        4,
        {"score1": 5, "score2": 5, "turn1": 1, "turn2": 1} | CHOICES,
        set(CHOICES),
    ),
    "hexagon-61": (61, 6, CIRCLE_LIGHTS, set(CHOICES)),
    "hexagon-61-pico": (61, 6, CIRCLE_LIGHTS, set(CHOICES)),
    "disc-32": (
        32,
        5,
        RINGS
        | {"score1": 14, "score2": 14, "score3": 12, "turn1": 1, "turn2": 1, "turn3": 1}
        | CHOICES,
        set(RINGS),
    ),
    "rectangle-88": (
        88,
        8,
        {"score1": 24, "score2": 24, "turn1": 1, "turn2": 1} | CHOICES,
        set(CHOICES),
    ),
}
BOARDS["rectangle-88-pico"] = BOARDS["rectangle-88"]
BOARDS["bench-7-pico"] = BOARDS["bench-7"]
BOARDS["disc-32-pico"] = BOARDS["disc-32"]
ON_PICO = [name for name in BOARDS if name.endswith("-pico")]
ON_PI = [name for name in BOARDS if name not in ON_PICO]
WITH_KEYS = [name for name in BOARDS if not name.startswith("bench")]


def test_shipped_boards_are_these_and_each_is_read():
    assert built_in_names() == tuple(sorted(BOARDS))
    for name in built_in_names():
        assert built_in(name).name == name


@pytest.mark.parametrize("name", BOARDS)
def test_shipped_board_has_every_cell_light_and_key(name):
    cells, chips, lights, pads = BOARDS[name]
    profile = built_in(name)
    assert len(profile.cells) == cells
    assert len(profile.chips) == chips
    assert profile.lights == lights
    assert {key for key, on in profile.keys.items() if isinstance(on, Electrode)} == pads
    buttons = {key for key, on in profile.keys.items() if isinstance(on, Pin)}
    # Where no electrode is to spare, choices are buttons; armies are laid out on the rectangle.
    confirm = {"confirm"} if name.startswith("rectangle") else set()
    wanted = BUTTONS | confirm | (CHOICES.keys() - pads)
    assert buttons == (wanted if name in WITH_KEYS else set())


@pytest.mark.parametrize("name", WITH_KEYS)
def test_shipped_board_has_a_light_for_each_key_of_a_game(name):
    profile = built_in(name)
    keys = set(profile.keys) - BUTTONS - {"confirm"}
    assert keys >= set(CHOICES)
    assert {key: profile.lights[key] for key in keys} == dict.fromkeys(keys, 1)


@pytest.mark.parametrize("name", BOARDS)
def test_shipped_board_uses_every_pixel_of_its_strip(name):
    profile = built_in(name)
    assert sorted(profile.pixels.values()) == list(range(profile.pixel_count))


@pytest.mark.parametrize("name", ON_PI)
def test_shipped_board_works_on_every_pi_without_root(name):
    profile = built_in(name)
    assert profile.pico is None
    assert (profile.strip.driver, profile.strip.pin) == ("spi", 10)
    assert {chip.bus for chip in profile.chips} <= {1, 3}


@pytest.mark.parametrize("name", ON_PICO)
def test_shipped_board_on_a_pico_is_the_one_on_a_pi_wired_anew(name):
    board, other = built_in(name), built_in(name.removesuffix("-pico"))
    assert board.pico is not None
    assert board.strip.driver == "pio"
    assert [(chip.name, chip.address) for chip in board.chips] == [
        (chip.name, chip.address) for chip in other.chips
    ]
    for part in ("cells", "pixels", "pixel_count", "lights", "sensing", "measuring", "power"):
        assert getattr(board, part) == getattr(other, part)
    assert (board.strip.pixels, board.strip.order) == (other.strip.pixels, other.strip.order)
    assert list(board.keys) == list(other.keys)


@pytest.mark.parametrize("name", BOARDS)
def test_shipped_board_is_described_in_a_file_that_names_its_own_pins_only(name):
    text = files("hal").joinpath("boards", f"{name}.toml").read_text(encoding="utf-8")
    assert ("GPIO" in text) == (name in ON_PI)
    assert ("Pico" in text) == (name in ON_PICO)
    assert max(map(len, text.splitlines())) <= 100
