"""The computer player: the engine's process and its answers, and the analysis of games. It knows no
board and no page.
"""

from game.opponent.analysis import Analyst, Course, Review
from game.opponent.computer import Computer
from game.opponent.player_options import (
    KnownHelp,
    check_names,
    read_computers,
    read_help,
    read_opponents,
)
from game.opponent.ratings import LEVEL_DEVIATION, EvenMatch, Rating, rated
from game.opponent.streams import serve
