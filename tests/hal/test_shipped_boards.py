"""The boards that ship: each has the cells, lights and keys of its games, and a sound wiring."""

from importlib.resources import files

import pytest

from hal.profile import Electrode, Pin, built_in, built_in_names

CHOICES = {"choice1": 1, "choice2": 1}
SCORES = {"score1": 20, "score2": 20, "turn1": 1, "turn2": 1} | CHOICES
RINGS = {"ring1": 1, "ring2": 1, "ring3": 1, "ring4": 1}
BUTTONS = {"new_game", "take_back", "resign", "cell", "shutdown", "hint"}

BOARDS = {
    # name: number of cells and chips, lights, keys on pads
    "bench-7": (7, 1, {}, set[str]()),
    "hexagon-37": (37, 4, SCORES | {"score1": 5, "score2": 5}, set(CHOICES)),
    "hexagon-61": (61, 6, SCORES | {"circle": 12}, set(CHOICES)),
    "disc-32": (
        *(32, 5),
        SCORES | RINGS | {"score1": 14, "score2": 14, "score3": 12, "turn3": 1},
        set(RINGS),
    ),
    "rectangle-88": (88, 8, SCORES | {"score1": 24, "score2": 24}, set(CHOICES)),
}
ON_PICO = ["hexagon-61-pico", "rectangle-88-pico", "bench-7-pico", "disc-32-pico"]


def test_shipped_boards_are_these_and_each_is_read():
    assert built_in_names() == tuple(sorted([*BOARDS, *ON_PICO]))


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
    assert buttons == (set() if name.startswith("bench") else wanted)
    assert sorted(profile.pixels.values()) == list(range(profile.pixel_count))
    # Every Pi has these, and they need no root.
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


@pytest.mark.parametrize("name", [*BOARDS, *ON_PICO])
def test_shipped_board_is_described_in_a_file_that_names_its_own_pins_only(name):
    text = files("hal").joinpath("boards", f"{name}.toml").read_text(encoding="utf-8")
    assert ("GPIO" in text) == (name in BOARDS)
    assert ("Pico" in text) == (name in ON_PICO)
    assert max(map(len, text.splitlines())) <= 100
