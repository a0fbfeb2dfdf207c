"""Hints and teaching: what those who play ask to be shown.

Owns when they can be asked for; what shows of them stands in `game.table.helping`.
"""

from game.rules.message import say
from game.table.book import Book, Entries
from game.table.helping import persons_turn
from game.table.prompts import CONFIRM_FIRST, NO_COMPUTERS, PAUSED, WAIT_FOR_DRAW
from game.table.state import Phase

NO_HELP = say("table.no_help_where_hidden")
_REFUSALS = {Phase.DRAW: WAIT_FOR_DRAW, Phase.CONFIRM: CONFIRM_FIRST}


def ask_hint(book: Book, now: float) -> Entries:
    """Wait for a hint, or show none any more."""
    state = book.state
    if book.game.hidden:
        book.notify(NO_HELP, now)
        return ()
    if state.hints or state.hinting:
        book.change(hints=(), hinting=False)
    elif not state.levels:
        book.notify(NO_COMPUTERS, now)
    elif state.disturbed:
        book.notify(PAUSED, now)
    elif not persons_turn(book.game, state):
        book.notify(_REFUSALS.get(state.phase, say("table.no_hint")), now)
    else:
        book.change(hinting=True)
    return ()


def teach(book: Book, now: float) -> Entries:
    """Show from now on what could be taken, or show it no longer; some games have no such thing."""
    if book.game.hidden:
        book.notify(NO_HELP, now)
        return ()
    if not book.game.teaches:
        book.notify(say("table.nothing_to_teach"), now)
        return ()
    on = not book.state.teaching
    book.change(teaching=on)
    book.notify(say("table.teaching") if on else say("table.not_teaching"), now, good=True)
    return ()
