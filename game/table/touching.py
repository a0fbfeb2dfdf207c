"""Touches as moments: a tap enters a move, a touch confirms an edit, a held finger inspects.

Owns what one touch means in each phase. Must not know whether a sensor felt it or a key stood in.
"""

from collections.abc import Callable, Mapping
from typing import Any

from game.rules.message import say
from game.table.book import Book, Entries
from game.table.entries import Entry, Kind
from game.table.prompts import WAIT_FOR_DRAW, too_early
from game.table.state import Phase


def touch(book: Book, spot: str, now: float) -> Entries:
    """Take one touch of a cell or of a key of the game."""
    return _IN_PHASE[book.state.phase](book, spot, now)


def hold(book: Book, spot: str) -> None:
    """Inspect the piece under a finger that stays; a tap that this finger began is undone."""
    state = book.state
    if state.phase is Phase.TAP and state.taps[-1:] == (spot,) and spot in state.standing:
        book.change(taps=state.taps[:-1], inspecting=spot, wrong=None)
    elif spot in state.down:
        book.change(down=state.down - {spot}, inspecting=spot, wrong=None)


def lift(book: Book, spot: str, now: float) -> None:
    """End an inspection, or refuse a touch on a piece that was not held."""
    if spot == book.state.inspecting:
        book.change(inspecting="")
    if spot in book.state.down:
        book.change(down=book.state.down - {spot})
        _refuse(book, spot, now)


def tap(book: Book, spot: str) -> Entries | None:
    """Go on with a move, and make it when it is complete; None if no move goes on like this."""
    taps = (*book.state.taps, spot)
    move = book.walk.move(taps)
    if move is not None:
        return _make(book, move, taps)
    if spot not in book.next_taps():
        return None
    book.change(taps=taps, wrong=None, notice=None)
    return ()


def _make(book: Book, move: Any, taps: tuple[str, ...]) -> Entries:
    """Record a move, and the edits that the hand which entered it has made by its touches."""
    text = book.game.move_text(book.state.position, move)
    entries = book.record(Entry(Kind.MOVE, text))
    for edit in book.state.pending(book.game):
        if edit.cell in taps:
            entries += book.record(Entry(Kind.EDIT, edit.cell))
    return entries


def _in_draw(book: Book, spot: str, now: float) -> Entries:
    book.notify(WAIT_FOR_DRAW, now)
    return ()


def _in_tap(book: Book, spot: str, now: float) -> Entries:
    entries = tap(book, spot)
    if entries is None:
        _defer_or_refuse(book, spot, now)
    return entries or ()


def _in_edit(book: Book, spot: str, now: float) -> Entries:
    if any(edit.cell == spot for edit in book.state.pending(book.game)):
        return book.record(Entry(Kind.EDIT, spot))
    _defer_or_refuse(book, spot, now)
    return ()


def _defer_or_refuse(book: Book, spot: str, now: float) -> None:
    """Wait whether the finger on a piece is held; on a masked cell no finger is ever felt."""
    state = book.state
    if spot in state.standing and spot not in state.masked:
        book.change(down=state.down | {spot})
    else:
        _refuse(book, spot, now)


def _refuse(book: Book, spot: str, now: float) -> None:
    state, game = book.state, book.game
    pending = state.pending(game)
    if state.phase is Phase.OVER:
        why = say("rules.game_over")
    elif pending:
        why = too_early(spot, spot in state.standing, pending)
    else:
        why = game.refusal(state.position, (*state.taps, spot))
    book.refuse(spot, why, now)


_IN_PHASE: Mapping[Phase, Callable[[Book, str, float], Entries]] = {
    Phase.DRAW: _in_draw,
    Phase.TAP: _in_tap,
    Phase.EDIT: _in_edit,
    Phase.OVER: _in_edit,
}
