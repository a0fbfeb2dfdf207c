"""What is printed on the board of CirKle Mind, and the shields that it gives."""

import tomllib
from collections import Counter
from importlib.resources import files

import pytest

from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind_faces import FACES, NUMBER
from game.rules.cirkle_mind_squares import (
    BOARD,
    SQUARES,
    ZONES,
    Squares,
    read_squares,
    shield,
)
from game.rules.errors import BadSquares
from tests.helpers.games.cirkle_positions import board_with, rows_of

GOOD = rows_of(SQUARES.printed)


def by_rule(row: int, column: int) -> str:
    """Work out the square of a row counted from its owner's side, and a column, from 1."""
    shape = "TSCO"[(row + column) % 4]
    return "ygbm"[(column + 2 * (row - 1) + (column - 1) // 4) % 4] + shape


def test_the_board_has_8_columns_and_11_rows() -> None:
    assert len(BOARD.cells) == 88
    assert (BOARD.cells[0], BOARD.cells[-1]) == ("A1", "H11")


def test_zones_are_the_four_rows_of_each_side() -> None:
    for zone, rows in zip(ZONES, (range(1, 5), range(8, 12)), strict=True):
        assert set(zone) == {f"{column}{row}" for column in "ABCDEFGH" for row in rows}


@pytest.mark.parametrize("row", range(1, 12))
@pytest.mark.parametrize("column", range(1, 9))
def test_the_shipped_layout_is_that_of_the_rule(row: int, column: int) -> None:
    cell = f"{'ABCDEFGH'[column - 1]}{row}"
    if 5 <= row <= 7:
        assert cell not in GAME.printed
    else:
        assert GAME.printed[cell] == by_rule(min(row, 12 - row), column)


def test_each_zone_has_each_combination_exactly_twice() -> None:
    for zone in ZONES:
        counts = Counter(GAME.printed[cell] for cell in zone)
        assert set(counts.values()) == {2}
        assert len(counts) == 16


def test_neighbours_on_the_shipped_layout_never_share_a_shape() -> None:
    for cell, code in GAME.printed.items():
        for near in BOARD.neighbours[cell]:
            assert GAME.printed.get(near, "--")[1] != code[1]


def test_the_shipped_file_lists_the_upper_rows_first() -> None:
    text = (files("game.rules") / "cirkle_mind_squares.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == {"rows": GOOD}
    assert GOOD[0].split()[0] == GAME.printed["A11"]


@pytest.mark.parametrize(
    ("face", "square", "level"),
    [
        ("yC", "", 0),
        ("kC", "", 0),
        ("yC", "gT", 0),
        ("yC", "gC", 1),
        ("yC", "yT", 1),
        ("yC", "yC", 2),
        ("kC", "yC", 2),
        ("kC", "yT", 0),
        ("yX", "yT", 1),
        ("yX", "gT", 0),
    ],
)
def test_a_shield_counts_what_square_and_face_have_in_common(
    face: str, square: str, level: int
) -> None:
    assert shield(face, square) == level


def test_shields_of_a_board_are_those_of_its_squares() -> None:
    for face in FACES:
        for at, square in enumerate(SQUARES.printed):
            assert SQUARES.shields[NUMBER[face]][at] == shield(face, square)


def test_a_board_can_have_another_layout() -> None:
    game = board_with({"A1": "mC", "B1": "gC", "A11": "yT"})
    assert (game.printed["A1"], game.printed["B1"], game.printed["A11"]) == ("mC", "gC", "yT")
    assert game.printed != GAME.printed


def changed(row: int, text: str) -> list[str]:
    return [*GOOD[:row], text, *GOOD[row + 1 :]]


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        (None, "rows"),
        ("gC", "rows"),
        (GOOD[1:], "rows"),
        ([*GOOD, GOOD[0]], "rows"),
        (changed(0, ""), "row 11"),
        (changed(0, GOOD[0] + " gC"), "row 11"),
        (changed(10, "-- " + GOOD[10][3:]), "row 1"),
        (changed(4, "gC " + GOOD[4][3:]), "row 7"),
        (changed(0, GOOD[0].replace("gC", "kC")), "row 11"),
        (changed(0, GOOD[0].replace("gC", "gX")), "row 11"),
        (changed(0, GOOD[0].replace("gC", "Cg")), "row 11"),
        (changed(0, GOOD[0].replace("gC", "gO")), "a zone"),
        (changed(10, GOOD[10].replace("gC", "gO")), "a zone"),
        ([*GOOD[:10], 7], "row 1"),
    ],
)
def test_a_wrong_layout_is_refused_and_the_message_names_the_place(rows: object, what: str) -> None:
    with pytest.raises(BadSquares) as caught:
        read_squares(rows)
    assert what in str(caught.value.message.args["what"])
    assert caught.value.message.args["allowed"]


def test_a_good_layout_is_read_as_it_was_written() -> None:
    assert read_squares(GOOD) == SQUARES
    assert isinstance(SQUARES, Squares)
