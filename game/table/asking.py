"""What people ask for, by key or on the page: a new game, taking back, resigning and so on.

Owns which command is refused, which must be confirmed, and the cursor that walks the masked cells.
"""

from collections.abc import Callable, Mapping

from game.rules.message import say
from game.table import arranging, choosing, setting_up, showing
from game.table.beginning import begin
from game.table.book import Book, Entries
from game.table.edits import cells_of
from game.table.entries import Entry, Kind
from game.table.going_back import take_back
from game.table.hinting import ask_hint, teach
from game.table.inputs import Command
from game.table.menu import choices
from game.table.prompts import (
    CONFIRM_FIRST,
    NOT_BEGUN,
    NOTHING_TO_CONFIRM,
    PAUSED,
    WAIT_FOR_DRAW,
)
from game.table.questions import QUESTION_S as QUESTION_S
from game.table.questions import confirmed
from game.table.state import Phase
from game.table.thinking import computer
from game.table.touching import confirm, touch


def ask(book: Book, command: Command, now: float) -> Entries:
    """Take one command."""
    draft, in_menu = book.state.draft, book.state.phase is Phase.MENU
    arranges = book.state.phase is Phase.ARRANGE
    match command:
        case Command.SET_UP if arranges:
            arranging.begin_covering(book, now)
        case Command.SET_UP:
            return setting_up.enter(book, now)
        case Command.NEW_GAME | Command.TAKE_BACK | Command.RESIGN if draft is not None:
            return setting_up.ANSWERS[command](book, draft, now)
        case Command.DRAW if draft is not None:
            book.notify(say("table.setting_up_first"), now)
        case Command.NEW_GAME | Command.TAKE_BACK | Command.RESIGN | Command.DRAW if in_menu:
            choosing.close(book)
        case Command.NEXT_CELL | Command.TOUCH_CELL | Command.CONFIRM if book.state.disturbed:
            book.notify(PAUSED, now)
        case Command.CONFIRM | Command.TOUCH_CELL if book.state.phase is Phase.CONFIRM:
            return confirm(book)
        case Command.CONFIRM if arranges:
            return arranging.confirm(book, now)
        case Command.CONFIRM if book.state.phase is Phase.SHOW:
            return showing.cover(book)
        case Command.TAKE_BACK if arranges and book.state.covering is not None:
            arranging.undo(book)
        case Command.CONFIRM:
            _compare(book, now)
        case Command.TAKE_BACK if book.state.relaying:
            return take_back(book, now)
        case Command.TAKE_BACK | Command.RESIGN | Command.DRAW if book.state.phase is Phase.CONFIRM:
            book.notify(CONFIRM_FIRST, now)
        case Command.NEXT_CELL | Command.TOUCH_CELL if not book.state.cursor:
            book.notify(say("table.no_cell"), now)
        case _:
            return _ANSWERS[command](book, now)
    return ()


def aim(book: Book) -> None:
    """Keep the cursor on a masked cell that can be touched now, as long as there is one."""
    cells = _touchable(book)
    if book.state.cursor not in cells:
        book.change(cursor=next(iter(cells), ""))


def _touchable(book: Book) -> tuple[str, ...]:
    """List the masked cells that a touch would now change, in the board's order."""
    state, game = book.state, book.game
    if not state.masked or state.phase in (Phase.DRAW, Phase.CONFIRM, Phase.ARRANGE, Phase.SHOW):
        return ()
    if state.phase is Phase.TAP:
        wanted = book.next_taps()
    elif state.phase is Phase.SET_UP:
        wanted = state.masked
    elif state.phase is Phase.MENU:
        wanted = frozenset(choices(game, state))
    else:
        edits = state.pending(game)
        wanted = frozenset(cell for edit in edits for cell in cells_of(edit, game.board))
    return tuple(cell for cell in game.board.cells if cell in wanted & state.masked)


def _new_game(book: Book, now: float) -> Entries:
    state = book.state
    if state.phase is Phase.DRAW:
        book.notify(WAIT_FOR_DRAW, now)
        return ()
    begun = state.history or state.position != book.game.initial(state.options)
    begun = begun or state.sealed or state.covering is not None
    unfinished = begun and state.outcome is None
    if unfinished and not confirmed(book, Command.NEW_GAME, say("table.confirm_new"), now):
        return ()
    return begin(book, now)


def _resign(book: Book, now: float) -> Entries:
    state, game = book.state, book.game
    loser = state.turn(game)
    people = [n for n in range(1, len(game.players) + 1) if not computer(state, n)]
    if loser is not None and state.computers and len(people) == 1:
        # A computer player gives nothing up.
        (loser,) = people
    if state.arranging(game):
        book.notify(NOT_BEGUN, now)
        return ()
    if state.outcome is not None or loser is None:
        book.notify(say("table.nothing_to_resign"), now)
        return ()
    question = say("table.confirm_resign", player=game.called(state.position, loser))
    if not confirmed(book, Command.RESIGN, question, now):
        return ()
    return book.record(Entry(Kind.RESIGN, str(loser)))


def _draw(book: Book, now: float) -> Entries:
    state = book.state
    if not book.game.agreed_draws:
        book.notify(say("table.no_agreed_draws"), now)
    elif state.arranging(book.game):
        book.notify(NOT_BEGUN, now)
    elif state.outcome is not None or state.turn(book.game) is None:
        book.notify(say("table.nothing_to_draw"), now)
    elif any(state.computers):
        book.notify(say("table.no_draw_with_computer"), now)
    elif confirmed(book, Command.DRAW, say("table.confirm_draw"), now):
        return book.record(Entry(Kind.DRAW))
    return ()


def _compare(book: Book, now: float) -> None:
    """Show what should stand where until people confirm it."""
    if book.state.phase not in (Phase.TAP, Phase.EDIT):
        book.notify(NOTHING_TO_CONFIRM, now)
        return
    book.turn_to(Phase.CONFIRM)


def _next_cell(book: Book, now: float) -> Entries:
    cells = _touchable(book)
    book.change(cursor=cells[(cells.index(book.state.cursor) + 1) % len(cells)])
    return ()


def _touch_cell(book: Book, now: float) -> Entries:
    return touch(book, book.state.cursor, now)


_ANSWERS: Mapping[Command, Callable[[Book, float], Entries]] = {
    Command.NEW_GAME: _new_game,
    Command.TAKE_BACK: take_back,
    Command.RESIGN: _resign,
    Command.DRAW: _draw,
    Command.NEXT_CELL: _next_cell,
    Command.TOUCH_CELL: _touch_cell,
    Command.HINT: ask_hint,
    Command.TEACH: teach,
    Command.MENU: choosing.toggle,
}
