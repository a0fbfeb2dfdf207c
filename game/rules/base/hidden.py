"""Games that hide pieces from players."""

from game.rules.base.game import Game
from game.rules.base.hiding import M, P


class HiddenGame(Game[P, M]):
    """A game whose players do not know all: override what `Hiding` offers.

    Legal moves and `repr` must not depend on faces.
    """

    hidden = True
