"""Circle of Life by Nick Bentley: twelve species on a hexagon, each eats exactly one other.

Owns the species, words and drawings of this game; its rules are those of `food_web`.
"""

from game.rules.circle_of_life.game import GAME as GAME
from game.rules.circle_of_life.game import CircleOfLife as CircleOfLife
from game.rules.food_web.position import Position as Position
