"""Eat Your Neighbor by Nick Bentley: critters eat those one stone smaller, and singles swarm.

Owns the web, words and drawings of this game; its rules are those of `food_web`.
"""

from game.rules.eat_your_neighbor.game import GAME as GAME
