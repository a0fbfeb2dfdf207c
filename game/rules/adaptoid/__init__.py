"""Adaptoid: bodies grow legs and pincers, fight, and starve where it is crowded.

Owns the rules, texts, words and drawings of this game.
"""

from game.rules.adaptoid.game import GAME as GAME
