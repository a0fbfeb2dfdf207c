"""Random games of Circle of Life."""

from random import Random

from game.rules.circle_of_life import GAME
from game.rules.food_web.position import draw_cell


def random_game(rng: Random, target: int = 20) -> tuple[int, int]:
    """Play one game of random legal placements; return the winner (0, 1) and the plies played."""
    position, ply = GAME.initial({"target": str(target)}), 0
    while mask := position.open_cells:
        position, ply = position.placed(draw_cell(mask, rng))[0], ply + 1
    return 1 - position.mover if max(position.eaten) >= target else position.mover, ply
