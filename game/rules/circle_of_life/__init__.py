"""Circle of Life by Nick Bentley: twelve species on a hexagon, each eats exactly one other.

Owns the rules, texts, words and drawings of this game.
"""

from game.rules.circle_of_life.game import GAME as GAME
from game.rules.circle_of_life.game import CircleOfLife as CircleOfLife
from game.rules.circle_of_life.position import Position as Position
