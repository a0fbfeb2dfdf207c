"""A board wired at random is learned to its end and calibrated, through real MicroPython."""

from pathlib import Path

from tests.helpers.boards.pico_tools import SOME_CELLS, learn_and_calibrate, small
from tests.helpers.rp2040.flashed import ready_pico


def test_board_wired_at_random_is_learned_and_calibrated(tmp_path: Path):
    learn_and_calibrate(small(SOME_CELLS), tmp_path, ready_pico())
