"""Tools for people who build a board: doctor, flash, learn, calibrate and monitor. Each runs in the
terminal and shows a page. They know boards, and of a game only which board it needs.
"""

from game.maker.board import ToolOptions, check_board, run_monitor, show_board
from game.maker.calibrate import run_calibrate
from game.maker.card import prepare
from game.maker.doctor import run_doctor
from game.maker.flash import run_flash
from game.maker.learn import LearnOptions, run_learn
