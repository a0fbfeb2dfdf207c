"""Stones that are felt while they stand: hands are read off the board.

Owns what stands where, and which change of it is a tap. Expected minus felt is to be put, felt
minus expected is to be taken away, and play waits until both are empty, in any order of hands. Only
a single change of a board that was right can enter a move; whatever is merely found is none.
"""

from game.rules.game import EditKind
from game.rules.message import say
from game.table.book import Book, Entries
from game.table.prompts import PAUSED, WAIT_FOR_DRAW, too_early
from game.table.state import UNKNOWN_PIECE, Phase, State
from game.table.touching import tap


def stood(book: Book, cells: frozenset[str], now: float) -> Entries:
    """Take what stands now: as a tap where it is one, else as the work of hands."""
    was = book.state
    if was.disturbed:
        book.change(felt=cells)
        if _came(was, cells) - set(book.game.pieces(was.position)):
            book.notify(PAUSED, now)
        return ()
    book.change(felt=cells, unsure=frozenset())
    if was.felt is None:
        return ()
    if was.phase is Phase.TAP:
        entries = _tapped(book, was, cells)
        if entries is not None:
            return entries
    read(book)
    _explain(book, was, now)
    return ()


def read(book: Book) -> None:
    """Take over what is felt as what stands, and wait for hands where that is not right.

    A stone that is felt where one should stand is the right one; elsewhere it is the one that has
    stood there all the time, or that the last move took from there, if there is one.
    """
    state, game = book.state, book.game
    if state.felt is None or state.disturbed:
        return
    unread = state.masked | state.unsure | set(state.taps)
    expected = game.pieces(state.position)
    earlier = game.pieces(state.history[-1].before) if state.history else {}
    standing = {}
    for cell in game.board.cells:
        known = state.standing.get(cell, "")
        if cell in unread:
            piece = known
        elif cell in state.felt:
            piece = expected.get(cell) or known or earlier.get(cell, UNKNOWN_PIECE)
        else:
            piece = ""
        if piece:
            standing[cell] = piece
    book.change(standing=standing)
    if state.phase in (Phase.TAP, Phase.EDIT):
        book.change(phase=book.state.resting(game))


def _tapped(book: Book, was: State, cells: frozenset[str]) -> Entries | None:
    """Take the one change of a right board as a tap; None if it is none, which ends the taps."""
    right = set(book.game.pieces(was.position))
    for spot in was.taps:
        right ^= {spot}
    changed = (cells ^ right) & set(book.game.board.cells) - was.masked
    if len(changed) == 1 and not changed & was.unsure:
        (cell,) = changed
        entries = tap(book, cell)
        if entries is not None:
            return entries
    if changed:
        book.change(taps=())
    return None


def _came(was: State, cells: frozenset[str]) -> frozenset[str]:
    """Return where stones have just been set; what is only felt again was set by nobody now."""
    return cells - was.felt - was.masked - was.unsure if was.felt is not None else frozenset()


def _explain(book: Book, was: State, now: float) -> None:
    """Say why a stone that has just been set must go again; be silent once it has gone."""
    state, game = book.state, book.game
    felt, before = state.felt or frozenset(), was.felt or frozenset()
    pending = state.pending(game)
    came = _came(was, felt)
    astray = [edit.cell for edit in pending if edit.kind is EditKind.REMOVE and edit.cell in came]
    if not astray:
        if state.wrong is not None and state.wrong.cell in before - felt:
            book.change(wrong=None, notice=None)
        return
    cell = astray[0]
    others = [edit for edit in pending if edit.cell not in astray]
    if was.phase is Phase.DRAW:
        why = WAIT_FOR_DRAW
    elif was.phase is Phase.OVER:
        why = say("rules.game_over")
    elif others:
        why = too_early(cell, False, others)
    elif len(astray) > 1:
        why = say("table.one_stone")
    elif cell in book.walk.next_taps(()):
        why = say("table.set_again", cell=cell)
    else:
        why = game.refusal(state.position, (cell,))
    book.refuse(cell, why, now)
