"""Games in which critters eat each other on a hexagon: one engine of rules, and each web as data.

Owns what Circle of Life, Eat Your Neighbor and a designer's variants have in common.
"""

from game.rules.food_web.game import FoodWebGame as FoodWebGame
from game.rules.food_web.position import Position as Position
from game.rules.food_web.web import FoodWeb as FoodWeb
from game.rules.food_web.web import Species as Species
from game.rules.food_web.web import Stuck as Stuck
