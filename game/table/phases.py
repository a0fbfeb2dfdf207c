"""What the table waits for."""

from enum import Enum


class Phase(Enum):
    """What the table waits for."""

    DRAW = "draw"
    """The lights run: who begins is being drawn."""
    TAP = "tap"
    """A player enters a move."""
    EDIT = "edit"
    """Hands must bring the board to the position."""
    OVER = "over"
    """The game has ended; a new one can begin."""
    CONFIRM = "confirm"
    """People confirm by one touch that the board matches: after a restart or a rebuild."""
    SET_UP = "set_up"
    """People set up a position."""
    ARRANGE = "arrange"
    """Players lay out their pieces in secret."""
    SHOW = "show"
    """The faces that the last move uncovered are shown until people have seen them."""
    MENU = "menu"
    """The cells are a menu of computer players."""
