"""The computer player: searches a position of any game for good moves. Knows rules, no table."""

from game.engine.course import (
    Point,
    analysed,
    can_be_judged,
    final_value,
    judging_nodes,
    positions_of,
    turning_points,
)
from game.engine.levels import LEVEL_NAMES, TOP, EngineError, find_level
from game.engine.ugi import MOST_SEED, UgiServer
