"""`lifeboard board check` and `show`: the line, the picture and the table of chips."""

import re
from itertools import permutations
from pathlib import Path

import pytest

import hal
from game.maker import check_board, show_board
from game.play import graph_of
from hal.profile import built_in, built_in_names

HEXAGON = built_in("hexagon-61")


def changed(file: Path, *changes: tuple[str, str]) -> str:
    """Write the hexagon's file with changes, and name it."""
    text = Path(hal.__file__).with_name("boards").joinpath("hexagon-61.toml").read_text()
    for written, instead in changes:
        assert written in text
        text = text.replace(written, instead, 1)
    file.write_text(text)
    return str(file)


def test_board_tools_tell_counts_and_what_is_spare_or_missing(tmp_path):
    line = (
        "ok: hexagon-61: 61 cells on 6 chips (9 electrodes to spare), 117 pixels (0 unused),"
        " 8 keys, touch sensing"
    )
    assert check_board("hexagon-61") == line
    shown = show_board("hexagon-61")
    assert line in shown.splitlines()
    assert re.search(r"(?m)^E +bus 3, address 0x5B +12  none$", shown)
    assert re.search(r"(?m)^F +bus 3, address 0x5C +8  6, 7, 9, 10$", shown)
    dark = (f", pixel = {HEXAGON.pixels['a3']} }}", " }"), ('mode = "touch"', 'mode = "presence"')
    name = changed(tmp_path / "dark.toml", *dark)
    assert check_board(name).endswith(
        "(1 unused), 1 cell without a pixel, 8 keys, presence sensing"
    )
    row = " +".join("none" if n == 3 else f"#{HEXAGON.pixels[f'a{n}']}" for n in range(1, 6))
    assert re.search(rf"(?m)^ +{row}$", show_board(name))
    other = show_board(changed(tmp_path / "other.toml", ("a1 = {", "corner = {")))
    assert "No picture: no board that lifeboard knows has these cells." in other


@pytest.mark.parametrize("name", built_in_names())
def test_picture_fits_a_terminal_and_has_every_cell_with_its_wiring_where_it_lies(name):
    profile, shown = built_in(name), show_board(name)
    board = graph_of(profile)
    assert board is not None
    lines = [line for line in shown.splitlines() if line != check_board(name)]
    assert max(map(len, lines)) <= 100
    assert shown.isascii()
    places = {}
    for cell in board.cells:
        ((row, column),) = (
            (row, hit.start())
            for row, line in enumerate(lines)
            for hit in re.finditer(rf"(?<!\S){cell}(?!\S)", line)
        )
        label = [line[column:].split()[0] for line in lines[row : row + 3]]
        assert label == [cell, str(profile.cells[cell]), f"#{profile.pixels[cell]}"]
        places[cell] = column, row
    for one, other in permutations(board.cells, 2):
        for axis in range(2):
            if board.centres[other][axis] - board.centres[one][axis] > 0.2:
                assert places[one][axis] < places[other][axis], (one, other)
