"""Placing and feeding in Circle of Life, on a board that changes in place; see `food_web`."""

from functools import partial

from game.rules.circle_of_life.critters import TABLES
from game.rules.food_web import ecosystem
from game.rules.food_web.ecosystem import draw_cell as draw_cell

Ecosystem = partial(ecosystem.Ecosystem, TABLES)
open_cells = partial(ecosystem.open_cells, TABLES)
