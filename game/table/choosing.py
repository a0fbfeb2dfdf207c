"""Choosing on the board itself who is a computer: its cells become a menu.

Owns opening and closing the menu, and what a touch or a stone chooses there. Where what stands
is in `game.table.menu`.
"""

from collections.abc import Iterable
from typing import Any

from game.rules.game import Game
from game.rules.message import say
from game.table.book import Book, Entries
from game.table.inputs import Opposed
from game.table.menu import choices
from game.table.opposing import oppose
from game.table.prompts import NO_COMPUTERS, PAUSED, WAIT_FOR_DRAW
from game.table.state import Phase, State
from game.table.thinking import computer


def toggle(book: Book, now: float) -> Entries:
    """Open the menu, or close it."""
    state = book.state
    if state.phase is Phase.MENU:
        close(book)
    elif state.phase is Phase.DRAW:
        book.notify(WAIT_FOR_DRAW, now)
    elif state.phase is Phase.SET_UP:
        book.notify(say("table.setting_up_first"), now)
    elif state.disturbed:
        book.notify(PAUSED, now)
    elif not _tells_nothing(book.game, state):
        book.notify(say("table.no_menu_where_hidden"), now)
    elif not choices(book.game, state):
        book.notify(NO_COMPUTERS, now)
    else:
        beneath = state.phase
        book.turn_to(Phase.MENU)
        book.change(beneath=beneath)
    return ()


def _tells_nothing(game: Game[Any, Any], state: State) -> bool:
    """Tell whether touches may be read as the menu's: not if they may be of hidden pieces."""
    if not game.hidden or state.outcome is not None:
        return True
    laid = any(not computer(state, player) for player in state.sealed)
    return state.phase is Phase.ARRANGE and state.covering is None and not laid


def close(book: Book) -> None:
    """Go back to what the menu covers."""
    state = book.state
    confirms = state.beneath is Phase.CONFIRM
    book.turn_to(Phase.CONFIRM if confirms else state.resting(book.game))


def touched(book: Book, spot: str, now: float) -> Entries:
    """Choose what a cell stands for, and begin a new game; a cell for nothing is refused."""
    menu = choices(book.game, book.state)
    if spot not in menu and book.state.arranging(book.game):
        # Where hands are while pieces are laid out is nobody's business.
        book.notify(say("table.not_in_menu_there"), now)
        return ()
    if spot not in menu:
        book.refuse(spot, say("table.not_in_menu", cell=spot), now)
        return ()
    choice = menu[spot]
    players = range(1, len(book.game.players) + 1)
    computers = tuple(choice.level if player == choice.player else "" for player in players)
    return oppose(book, Opposed(computers, new=True), now)


def stood(book: Book, changed: Iterable[str], now: float) -> Entries:
    """Take the one stone that was set or lifted for a touch; of several nobody knows which."""
    cells = tuple(changed)
    if len(cells) == 1:
        return touched(book, cells[0], now)
    return ()
