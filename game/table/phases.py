"""The phases of a table, as transitions: phase, event, next phase."""

from collections.abc import Mapping
from enum import Enum


class Phase(Enum):
    """What the table waits for."""

    DRAW = "draw"  # The lights run: who begins is being drawn
    TAP = "tap"  # A player enters a move
    EDIT = "edit"  # Hands must bring the board to the position
    OVER = "over"  # The game has ended; a new one can begin
    CONFIRM = "confirm"
    """People confirm by one touch that the board matches, after a restart or a rebuild."""
    SET_UP = "set_up"  # People set up a position
    ARRANGE = "arrange"  # Players lay out their pieces in secret
    SHOW = "show"  # The faces that the last move uncovered are shown until people have seen them
    MENU = "menu"  # The cells are a menu of computer players


class Event(Enum):
    """What can change the phase; the values are the names in the diagram."""

    GAME_BEGINS = "a game begins"
    DRAW_ENDS = "the draw ends"
    ENTRY = "the game changes"
    SETUP_ENTRY = "a side is laid out"
    BOARD_READ = "the board is read"
    BOARD_COMPARED = "the board is compared"
    DRAFT_BEGINS = "a set-up begins"
    DRAFT_ENDS = "the set-up ends"
    MENU_OPENS = "the menu opens"
    MENU_CLOSES = "the menu closes"


_AT_REST: Mapping[Event, Phase | None] = {
    Event.ENTRY: None,
    Event.SETUP_ENTRY: None,
    Event.BOARD_READ: None,
    Event.GAME_BEGINS: Phase.DRAW,
    Event.DRAFT_BEGINS: Phase.SET_UP,
    Event.MENU_OPENS: Phase.MENU,
}
_MID_GAME = {**_AT_REST, Event.BOARD_COMPARED: Phase.CONFIRM}

TRANSITIONS: Mapping[Phase, Mapping[Event, Phase | None]] = {
    Phase.SHOW: _MID_GAME,
    Phase.OVER: _AT_REST,
    Phase.ARRANGE: {e: p for e, p in _AT_REST.items() if e is not Event.DRAFT_BEGINS},
    Phase.TAP: _MID_GAME,
    Phase.CONFIRM: _MID_GAME,
    Phase.EDIT: _MID_GAME,
    Phase.DRAW: {
        Event.DRAW_ENDS: None,
        Event.ENTRY: None,
        Event.SETUP_ENTRY: Phase.DRAW,
        Event.GAME_BEGINS: Phase.DRAW,
    },
    Phase.SET_UP: {Event.DRAFT_ENDS: None, Event.ENTRY: None},
    Phase.MENU: {
        Event.MENU_CLOSES: None,
        Event.ENTRY: None,
        Event.SETUP_ENTRY: None,
        Event.GAME_BEGINS: Phase.DRAW,
        Event.DRAFT_BEGINS: Phase.SET_UP,
        # If the menu was opened in CONFIRM, closing it returns there.
        Event.BOARD_COMPARED: Phase.CONFIRM,
    },
}
"""The next phase by phase and event; None means the phase at rest, `State.resting`."""
