"""CirKle Mind by Patrick Laterrot: two armies; each sees only the backs of the other's pieces.

Owns the rules, texts, words and drawings of this game, and the layout printed on its board.
"""

from game.rules.cirkle_mind.game import GAME as GAME
from game.rules.cirkle_mind.game import CirkleMind as CirkleMind
