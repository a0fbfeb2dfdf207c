"""Azteka: Life, Death and, with three players, Mummies on a disc whose rings turn.

Owns the rules, texts, words and drawings of this game and its variants.
"""

from game.rules.azteka.game import GAME as GAME
