"""Random games of Circle of Life, and how evenly moves are drawn."""

from collections import Counter
from random import Random
from typing import Any

from game.rules.circle_of_life.critters import TABLES
from game.rules.food_web.ecosystem import Ecosystem, draw_cell, open_cells


def random_game(rng: Random, target: int = 20) -> tuple[int, int]:
    """Play one game of random legal placements; return the winner (0, 1) and the plies played."""
    field = Ecosystem(TABLES)
    player = ply = 0
    while mask := open_cells(TABLES, field.stones, field.crowd[player]):
        if field.place(player, draw_cell(mask, rng)) and field.eaten[player] >= target:
            return player, ply + 1
        player = 1 - player
        ply += 1
    return player, ply


def unevenness(drawn: Counter[Any], chances: int) -> float:
    """Measure draws against equal chances: chi square for each degree of freedom, about 1."""
    fair = drawn.total() / chances
    counts = list(drawn.values()) + [0] * (chances - len(drawn))
    return sum((count - fair) ** 2 / fair for count in counts) / (chances - 1)
