"""Moves as single words, for forms of text in which a blank ends a move.

Owns the way there and back: records of games and the engine's protocol write `W:d4_B:e4` for the
move `W:d4 B:e4`. No game's own notation has `_`.
"""

BLANK, STAND_IN = " ", "_"


def as_word(move: str) -> str:
    """Write the text of a move without a blank."""
    return move.replace(BLANK, STAND_IN)


def from_word(word: str) -> str:
    """Read a move that `as_word` wrote."""
    return word.replace(STAND_IN, BLANK)
