"""`lifeboard board check` and `show`: the line, the picture and the table of chips."""

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
def file(tmp_path):
    return tmp_path / "board.toml"


def test_check_says_ok_and_counts(file):
    assert check_board("hexagon-61") == (
        "ok: hexagon-61: 61 cells on 6 chips (9 electrodes to spare), 117 pixels (0 unused),"
        " 8 keys, touch sensing"
    )
    spare = f"turn2 = [{HEXAGON.pixels['turn2.0']}]", ""
    stones = ('mode = "touch"', 'mode = "presence"')
    shown = check_board(with_text(file, spare, stones))
    assert shown.endswith("117 pixels (1 unused), 8 keys, presence sensing")


def test_board_tools_tell_a_cell_without_a_pixel(file):
    name = with_text(file, (f", pixel = {HEXAGON.pixels['a3']} }}", " }"))
    assert "117 pixels (1 unused), 1 cell without a pixel, 8 keys" in check_board(name)
    row = " +".join("none" if n == 3 else f"#{HEXAGON.pixels[f'a{n}']}" for n in range(1, 6))
    assert re.search(rf"(?m)^ +{row}$", show_board(name))


def test_show_has_what_check_says_a_picture_and_the_electrodes_to_spare():
    text = show_board("hexagon-61")
    assert check_board("hexagon-61") in text.splitlines()
    board = graph_of(HEXAGON)
    assert board is not None
    assert f"\n\n{picture(HEXAGON, board)}\n\n" in text
    pads = [*HEXAGON.cells.values(), *HEXAGON.keys.values()]
    for name, place in (("A", "bus 1, address 0x5A"), ("F", "bus 3, address 0x5C")):
        used = {pad.electrode for pad in pads if isinstance(pad, Electrode) and pad.chip == name}
        spare = ", ".join(str(n) for n in range(12) if n not in used)
        assert re.search(rf"(?m)^{name} +{place} +{len(used)}  {spare}$", text)


@pytest.mark.parametrize("name", BOARDS)
def test_show_fits_a_terminal(name):
    text = show_board(name)
    assert max(len(line) for line in text.splitlines() if line != check_board(name)) <= 100
    assert text.isascii()


def test_show_of_cells_of_no_known_board_says_why_there_is_no_picture(file):
    text = show_board(with_text(file, ("a1 = {", "corner = {")))
    assert "No picture: no board that lifeboard knows has these cells." in text
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
def test_picture_has_every_cell_with_its_wiring_where_it_lies(name):
    board = graph_of(built_in(name))
    assert board is not None
    drawn = picture(built_in(name), board)
    assert lies_as_on_the_board(drawn, built_in(name), board)
    mirrored = replace(board, centres={cell: (-x, y) for cell, (x, y) in board.centres.items()})
    assert not lies_as_on_the_board(drawn, built_in(name), mirrored)
