"""`lifeboard board check` and `show`: the line, the tables, the picture and the summary."""

import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

import hal
from game.maker import check_board, show_board
from game.maker.board_report import picture
from game.play import graph_of
from game.rules.boards.board import Board
from hal.profile import Electrode, Profile, built_in, built_in_names

BOARDS = built_in_names()
HEXAGON = built_in("hexagon-61")
A3 = HEXAGON.cells["a3"]


def with_text(path: Path, *changes: tuple[str, str]) -> str:
    """Write the hexagon's file with changes, and name it."""
    text = Path(hal.__file__).with_name("boards").joinpath("hexagon-61.toml").read_text()
    for written, instead in changes:
        assert written in text
        text = text.replace(written, instead, 1)
    path.write_text(text)
    return str(path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "board.toml"


def test_check_says_ok_and_counts(file: Path) -> None:
    assert check_board("hexagon-61") == (
        "ok: hexagon-61: 61 cells on 6 chips (9 electrodes to spare), 117 pixels (0 unused),"
        " 8 keys, touch sensing"
    )
    spare = f"turn2 = [{HEXAGON.pixels['turn2.0']}]", ""
    stones = ('mode = "touch"', 'mode = "presence"')
    shown = check_board(with_text(file, spare, stones))
    assert shown.endswith("117 pixels (1 unused), 8 keys, presence sensing")


def test_board_tools_tell_a_cell_without_a_pixel(file: Path) -> None:
    name = with_text(file, (f", pixel = {HEXAGON.pixels['a3']} }}", " }"))
    assert "117 pixels (1 unused), 1 cell without a pixel, 8 keys" in check_board(name)
    text = show_board(name)
    assert re.search(rf"(?m)^a3 +{A3.chip} +bus \d, address 0x5. +{A3.electrode} +none$", text)
    row = " +".join("none" if n == 3 else f"#{HEXAGON.pixels[f'a{n}']}" for n in range(1, 6))
    assert re.search(rf"(?m)^ +{row}$", text)
    assert f"order GRB; unused: {HEXAGON.pixels['a3']}\n" in text


@pytest.mark.parametrize("name", BOARDS)
def test_show_lists_every_cell_key_and_light(name: str) -> None:
    board, text = built_in(name), show_board(name)
    places = {chip.name: chip.place for chip in board.chips}
    for cell, pad in board.cells.items():
        place, pixel = re.escape(places[pad.chip]), board.pixels[cell]
        assert re.search(rf"(?m)^{cell} +{pad.chip} +{place} +{pad.electrode} +{pixel}$", text)
    for key, on in board.keys.items():
        pin = "GP" if name.endswith("-pico") else "GPIO"
        where = rf"{on.chip}\.{on.electrode}" if isinstance(on, Electrode) else f"{pin}{on.number}"
        assert re.search(rf"(?m)^{key} +{where}$", text)
    for group in board.lights:
        assert re.search(rf"(?m)^{group} +{board.pixels[f'{group}.0']}(-|,|$)", text)
    assert max(map(len, text.splitlines())) <= 100
    assert text.isascii()


def test_show_sums_up_chips_strip_current_and_night(file: Path) -> None:
    text = show_board("hexagon-61")
    pads = [*HEXAGON.cells.values(), *HEXAGON.keys.values()]
    for name, place in (("A", "bus 1, address 0x5A"), ("F", "bus 3, address 0x5C")):
        used = {pad.electrode for pad in pads if isinstance(pad, Electrode) and pad.chip == name}
        (said,) = re.findall(rf"(?m)^{name} +{place} +{len(used)}  (.+)$", text)
        runs = [[int(end) for end in run.split("-")] for run in said.split(", ")]
        spare = {n for run in runs for n in range(run[0], run[-1] + 1)}
        assert spare == set(range(12)) - used
    assert "117 pixels by spi on GPIO10, order GRB; unused: none" in text
    assert "charge found by each chip, from 16 uA for 0.5 us" in text
    # 117 pixels of three channels at 0.6 of 12 mA, and 1 mA each for their controllers.
    assert "is about 2644 mA, dimmed to the budget of 2500 mA" in text
    assert re.search(r"(?m)^night +as bright as the day$", text)
    night = '[night]\nstart = "22:05"\nend = "07:00"\nbrightness = 0.1\n[keys]'
    other = show_board(
        with_text(
            file,
            ("[keys]", night),
            ("budget_ma = 2500", "budget_ma = 5000"),
            ("automatic = true", "automatic = false"),
            (f"turn1 = [{HEXAGON.pixels['turn1.0']}]", ""),
        )
    )
    assert "brightness 0.1 from 22:05 to 07:00" in other
    assert "is about 2644 mA, within the budget of 5000 mA" in other
    assert "; charge 16 uA for 0.5 us" in other
    assert f"unused: {HEXAGON.pixels['turn1.0']}\n" in other


def test_show_says_how_a_pico_is_wired_and_names_its_pins_only() -> None:
    text = show_board("hexagon-61-pico")
    buses = "bus 0 on GP4 (SDA) and GP5 (SCL); bus 1 on GP6 (SDA) and GP7 (SCL)"
    assert f"\npico       port auto; {buses}\n" in text
    assert "\nsensing    touch; interrupt line on GP8\n" in text
    assert "117 pixels by pio on GP2, order GRB; unused: none" in text
    assert "GPIO" not in text
    assert "pico" not in show_board("hexagon-61")


def test_show_of_cells_of_no_known_board_has_the_tables_and_says_why_no_picture(
    file: Path,
) -> None:
    text = show_board(with_text(file, ("a1 = {", "corner = {")))
    pad, pixel = HEXAGON.cells["a1"], HEXAGON.pixels["a1"]
    place = r"bus \d, address 0x5."
    assert re.search(rf"(?m)^corner +{pad.chip} +{place} +{pad.electrode} +{pixel}$", text)
    assert "No picture: no board that lifeboard knows has these cells." in text
    assert "from above" not in text
    assert "No picture" not in show_board("hexagon-61")


def found(text: str, profile: Profile, board: Board) -> dict[str, tuple[int, int]]:
    """Find each cell in a picture: where its three lines stand one below the other."""
    lines = text.splitlines()
    places = {}
    for cell in board.cells:
        pad = profile.cells[cell]
        label = (cell, str(pad), f"#{profile.pixels[cell]}")
        places[cell] = next(
            (row, hit.start())
            for row in range(len(lines) - 2)
            for hit in re.finditer(rf"(?<!\S){re.escape(label[0])}(?!\S)", lines[row])
            if all(
                re.match(rf"{re.escape(label[n])}(?!\S)", lines[row + n][hit.start() :])
                for n in (1, 2)
            )
        )
    return places


def lies_as_on_the_board(text: str, profile: Profile, board: Board) -> bool:
    """Return whether all pairs of cells in a picture lie as their centres do on the board."""
    places = found(text, profile, board)
    for (one, (row1, column1)), (other, (row2, column2)) in permutations(places.items(), 2):
        (x1, y1), (x2, y2) = board.centres[one], board.centres[other]
        if (x2 - x1 > 0.2 and column1 >= column2) or (y2 - y1 > 0.2 and row1 >= row2):
            return False
    return True


@pytest.mark.parametrize("name", BOARDS)
def test_picture_has_every_cell_with_its_wiring_where_it_lies(name: str) -> None:
    board = graph_of(built_in(name))
    assert board is not None
    drawn = picture(built_in(name), board)
    assert lies_as_on_the_board(drawn, built_in(name), board)
    mirrored = replace(board, centres={cell: (-x, y) for cell, (x, y) in board.centres.items()})
    assert not lies_as_on_the_board(drawn, built_in(name), mirrored)
