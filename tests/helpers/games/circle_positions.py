"""What the tests of Circle of Life share: the order of the species, and positions to set up."""

from game.rules.circle_of_life import GAME, Position
from tests.oracles.naive_circle import SHAPES

ORDER = list(SHAPES)
"""Each eats the one before it, the first eats the last."""


def at(
    ours: str = "",
    theirs: str = "",
    *,
    to_move: int = 1,
    score: tuple[int, int] = (0, 0),
    target: int = 20,
) -> Position:
    """Set up stones of player 1 and of player 2."""
    pieces = {**dict.fromkeys(ours.split(), "1"), **dict.fromkeys(theirs.split(), "2")}
    shown = {"pieces": pieces, "to_move": to_move, "score": list(score)}
    return GAME.from_json(shown, {"target": str(target)})


CLOSING = at(
    "a5 a1 b5 b6 a3 b2 c7 c4 c3 d2 d1 e9 e5 e3 c1 f8 f4 f1 g4 g2 h4 h2 h1 d6 e7 f6",
    "a2 a4 b4 b3 c6 d8 d7 d5 d4 e8 e6 e4 b1 c2 e2 e1 f2 g7 g5 g1 h6 g3 h5 h3 i3 i2",
)
