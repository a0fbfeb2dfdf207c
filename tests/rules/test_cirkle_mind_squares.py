"""What is printed on the board of CirKle Mind, and the shields that it gives."""

import tomllib
from importlib.resources import files

import pytest

from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.faces import COLOURS, SHAPES
from game.rules.cirkle_mind.squares import BOARD, SQUARES, ZONES, shield
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
    text = (files("game.rules.cirkle_mind") / "squares.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == {"rows": GOOD}
    assert GOOD[0].split()[0] == GAME.presentation.printed["A11"]


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
    assert (
        game.presentation.printed["A1"],
        game.presentation.printed["B1"],
        game.presentation.printed["A11"],
    ) == ("mC", "gC", "yT")
    assert game.presentation.printed != GAME.presentation.printed


@pytest.mark.parametrize("zone", ZONES)
def test_each_zone_has_each_colour_and_shape_twice(zone: tuple[str, ...]) -> None:
    pairs = [colour + shape for colour in COLOURS for shape in SHAPES]
    assert sorted(GAME.presentation.printed[cell] for cell in zone) == sorted(2 * pairs)


def test_the_shipped_layout_is_that_of_the_rules() -> None:
    assert GAME.presentation.printed == {cell: code for cell, code in PRINTED.items() if code}
