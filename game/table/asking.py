"""What people ask for, by key or on the page: a new game, taking back, resigning, the cell key.

Owns which command is refused, which must be confirmed, and the cursor that walks the masked cells.
"""

from collections.abc import Callable, Mapping

from game.rules.message import Message, say
from game.table.book import Book, Entries
from game.table.entries import Entry, Kind
from game.table.inputs import Command
from game.table.prompts import PAUSED, WAIT_FOR_DRAW
from game.table.state import Notice, Phase, Question
from game.table.touching import touch

QUESTION_S = 8.0

Start = Callable[[float], Entries]


def ask(book: Book, command: Command, start: Start, now: float) -> Entries:
    """Take one command; `start` begins a new game."""
    match command:
        case Command.NEW_GAME:
            return _new_game(book, start, now)
        case Command.NEXT_CELL | Command.TOUCH_CELL if book.state.disturbed:
            book.notify(PAUSED, now)
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
    if not state.masked or state.phase is Phase.DRAW:
        return ()
    if state.phase is Phase.TAP:
        wanted = book.next_taps()
    else:
        wanted = frozenset(edit.cell for edit in state.pending(game))
    return tuple(cell for cell in game.board.cells if cell in wanted & state.masked)


def _new_game(book: Book, start: Start, now: float) -> Entries:
    state = book.state
    if state.phase is Phase.DRAW:
        book.notify(WAIT_FOR_DRAW, now)
        return ()
    unfinished = state.history and state.outcome is None
    if unfinished and not _confirmed(book, Command.NEW_GAME, say("table.confirm_new"), now):
        return ()
    return start(now)


def _take_back(book: Book, now: float) -> Entries:
    state = book.state
    if state.phase is not Phase.DRAW and state.taps:
        book.change(taps=(), notice=None, wrong=None)
        return ()
    if state.phase is Phase.DRAW or not (state.history or state.outcome):
        book.notify(say("table.nothing_to_take_back"), now)
        return ()
    return book.record(Entry(Kind.TAKE_BACK))


def _resign(book: Book, now: float) -> Entries:
    state, game = book.state, book.game
    loser = state.turn(game)
    if state.outcome is not None or loser is None:
        book.notify(say("table.nothing_to_resign"), now)
        return ()
    question = say("table.confirm_resign", player=game.players[loser - 1])
    if not _confirmed(book, Command.RESIGN, question, now):
        return ()
    return book.record(Entry(Kind.RESIGN, str(loser)))


def _next_cell(book: Book, now: float) -> Entries:
    cells = _touchable(book)
    book.change(cursor=cells[(cells.index(book.state.cursor) + 1) % len(cells)])
    return ()


def _touch_cell(book: Book, now: float) -> Entries:
    return touch(book, book.state.cursor, now)


def _confirmed(book: Book, command: Command, question: Message, now: float) -> bool:
    """Tell whether a command is given the second time; else ask for it."""
    asked = book.state.question
    if asked is not None and asked.command is command:
        return True
    until = now + QUESTION_S
    book.change(question=Question(command, until), notice=Notice(question, until))
    return False


_ANSWERS: Mapping[Command, Callable[[Book, float], Entries]] = {
    Command.TAKE_BACK: _take_back,
    Command.RESIGN: _resign,
    Command.NEXT_CELL: _next_cell,
    Command.TOUCH_CELL: _touch_cell,
}
