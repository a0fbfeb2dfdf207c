"""Stones that are felt while they stand: hands are read off the board.

Owns what stands where, and which change of it is a tap or takes moves back. Expected minus felt is
to be put, felt minus expected is to be taken away, and play waits until both are empty, in any
order of hands. Only a single change of a board that was right can enter a move, and only hands that
leave the position can bring back an earlier one; whatever is merely found is neither.
"""

from game.rules.game import EditKind
from game.rules.message import say
from game.table import choosing, setting_up
from game.table.book import Book, Entries
from game.table.entries import Kind
from game.table.prompts import PAUSED, WAIT_FOR_DRAW, too_early
from game.table.restoring import (
    Change,
    ate_before,
    brought_back,
    came,
    made_again,
    take_back,
    watch,
)
from game.table.state import UNKNOWN_PIECE, Phase, State
from game.table.thinking import not_yours
from game.table.touching import tap

HAND_CELLS = 4
"""So many stones that come at once are a hand that rests on the board."""


def stood(book: Book, cells: frozenset[str], now: float) -> Entries:
    """Take what stands now: as a tap where it is one, else as the work of hands."""
    was = book.state
    if was.disturbed:
        book.change(felt=cells)
        if came(was, cells) - was.expected(book.game).keys():
            book.notify(PAUSED, now)
        return ()
    book.change(felt=cells, unsure=frozenset())
    _trust(book, was.unsure)
    if was.felt is None or was.draft is not None:
        # What a key has begun before the board first told ends with that.
        book.change(taps=())
        return ()
    if was.phase is Phase.MENU:
        before = was.felt or frozenset()
        changed = (cells ^ before) & set(book.game.board.cells) - was.masked - was.unsure
        return choosing.stood(book, changed, now)
    if was.phase in (Phase.TAP, Phase.EDIT):
        entries = _meant(book, was, cells, now)
        if entries:
            if any(entry.kind is Kind.MOVE for entry in entries):
                book.change(moved_at=now)
            return entries
        if book.state.taps:
            return ()
    read(book)
    watch(book)
    _explain(book, was, now)
    return ()


def read(book: Book) -> None:
    """Take over what is felt as what stands, and wait for hands where that is not right.

    A stone that has stood there all the time is the one it was. Another is the right one where one
    should stand, elsewhere the one that the last move took from there, if there is one.
    """
    state, game = book.state, book.game
    if state.felt is None or state.disturbed:
        return
    if state.draft is not None:
        setting_up.stood(book, state.felt)
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
            piece = known if known not in ("", UNKNOWN_PIECE) else expected.get(cell, "")
            piece = piece or earlier.get(cell, UNKNOWN_PIECE)
        else:
            piece = ""
        if piece:
            standing[cell] = piece
    book.change(standing=standing)
    if state.phase in (Phase.TAP, Phase.EDIT, Phase.CONFIRM):
        # Where stones are felt nobody needs to confirm anything.
        book.change(phase=book.state.resting(game))


def _trust(book: Book, unwatched: frozenset[str]) -> None:
    """Take stones that nobody watched all the time for the right ones, where one should stand."""
    state = book.state
    if state.draft is None:
        expected = book.game.pieces(state.position)
        right = {cell: expected[cell] for cell in unwatched - state.masked if cell in expected}
        book.change(standing={**state.standing, **right})


def _meant(book: Book, was: State, cells: frozenset[str], now: float) -> Entries:
    """Find what hands mean by a change of the board; nothing if it only puts it in order or out."""
    board = Change.of(book.game, was, cells)
    again = made_again(book, was, board, now)
    if again is not None:
        return again
    entries = ate_before(book, was, board, now)
    if entries is None and was.phase is Phase.TAP:
        entries = _tapped(book, was, cells)
    if entries is not None:
        return entries
    count = brought_back(book, was, board)
    if not count:
        return ()
    entries = take_back(book, count, now)
    _trust(book, cells)
    return entries


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


def _explain(book: Book, was: State, now: float) -> None:
    """Say why a stone that has just been set must go again; be silent once it has gone."""
    state, game = book.state, book.game
    felt, before = state.felt or frozenset(), was.felt or frozenset()
    pending = state.pending(game)
    new = came(was, felt)
    astray = [edit.cell for edit in pending if edit.kind is EditKind.REMOVE and edit.cell in new]
    if not astray:
        if state.wrong is not None and state.wrong.cell in before - felt:
            book.change(wrong=None, notice=None)
        return
    cell = astray[0]
    others = [edit for edit in pending if edit.cell not in astray]
    if len(astray) >= HAND_CELLS:
        why = say("table.hand_rests")
    elif was.phase is Phase.DRAW:
        why = WAIT_FOR_DRAW
    elif was.phase is Phase.OVER:
        why = say("rules.game_over")
    elif others:
        why = too_early(cell, False, others)
    elif len(astray) > 1:
        why = say("table.one_stone")
    elif cell in book.next_taps():
        why = say("table.set_again", cell=cell)
    else:
        why = not_yours(game, state, cell) or game.refusal(state.position, (cell,))
    book.refuse(cell, why, now)
