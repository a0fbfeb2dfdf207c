"""Perft: the number of lines of legal moves from a position, against counts stored here."""

import pytest

from game.rules.circle_of_life import GAME
from tests.helpers.games.playing_out import perft

EARLY = "22.../21..../....1../21.12..1/..112..../...2..../.2...../22...1/..... 1 0-2 20"
SCATTERED = "..2.2/2...2./11...../.1..2.2./.22.2.1.1/22.....1/.1.1.../.1...1/12..1 1 1-1 20"
MIDDLE = "2..11/.2.11./...2..1/22.21..1/....1.2../..21.2../21.2.22/...111/21..2 1 1-2 20"
LATE = "212.1/...12./..112../.1.2121./1.12.2122/12..1.2./2.11.21/.212.1/.22.. 1 4-4 20"
FULL = "1..11/21..22/21.221./.121.112/2..21.221/22.12.11/2122.12/.2..22/1111. 1 4-5 20"
NEAR_TARGET = LATE.replace("4-4 20", "4-4 6")

COUNTS = {
    EARLY: (35, 1366, 45291),
    SCATTERED: (34, 996, 30318),
    MIDDLE: (24, 472, 10408),
    LATE: (12, 128, 1465),
    FULL: (3, 16, 39),
    NEAR_TARGET: (12, 128, 1089),
}


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 61), (2, 3660), (3, 215_940)])
def test_perft_from_the_start(depth: int, count: int) -> None:
    assert perft(GAME, GAME.initial(), depth) == count


@pytest.mark.parametrize("text", COUNTS)
def test_perft_from_a_middle_game(text: str) -> None:
    position = GAME.parse(text)
    assert tuple(perft(GAME, position, depth) for depth in (1, 2, 3)) == COUNTS[text]
