"""Capture Go on hexagons of 19 and of 7 cells: the smallest game in which stones are removed.

Owns the rules, words and drawings of this game.
"""

from game.rules.capture_go.game import GAME as GAME
