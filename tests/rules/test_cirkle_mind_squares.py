"""What is printed on the board of CirKle Mind, and the shields that it gives."""

import tomllib
from importlib.resources import files

import pytest

from game.rules.cirkle_mind import GAME
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
from tests.oracles.naive_cirkle_mind import PRINTED

GOOD = rows_of(SQUARES.printed)


def test_the_board_has_8_columns_and_11_rows() -> None:
    assert len(BOARD.cells) == 88
    assert (BOARD.cells[0], BOARD.cells[-1]) == ("A1", "H11")


def test_zones_are_the_four_rows_of_each_side() -> None:
    for zone, rows in zip(ZONES, (range(1, 5), range(8, 12)), strict=True):
        assert set(zone) == {f"{column}{row}" for column in "ABCDEFGH" for row in rows}


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


def test_the_shipped_layout_is_that_of_the_rules() -> None:
    assert GAME.printed == {cell: code for cell, code in PRINTED.items() if code}
