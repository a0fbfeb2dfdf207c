"""Faces that a move has shown: for how long, and what covers them again.

Owns the end of showing them. What their lights and words are stands with all others.
"""

from game.rules.message import say
from game.table.book import Book, Entries
from game.table.entries import Entry, Kind
from game.table.state import Phase, State

SETTLE_S = 1.0
"""So long after something new is shown no hand has seen it, and none is taken for an answer."""


def cover(book: Book) -> Entries:
    """Go on: people have seen the faces."""
    return book.record(Entry(Kind.COVER))


def touched(book: Book, spot: str, now: float) -> Entries:
    """Take a touch of anything for the word that people have seen the faces."""
    if _too_soon(book.state, now):
        book.notify(say("table.look_first"), now)
        return ()
    entries = cover(book)
    # The finger that said so may slide on, and must take nothing away by that.
    book.change(sliding=frozenset({spot}))
    return entries


def stood(book: Book, was: State, cells: frozenset[str], now: float) -> Entries:
    """Take a change of the board for the word that people have seen the faces."""
    unread = was.masked | was.unsure
    changed = cells ^ (was.felt or frozenset())
    if was.phase is not Phase.SHOW or was.felt is None or not changed - unread:
        return ()
    return () if _too_soon(was, now) else cover(book)


def _too_soon(state: State, now: float) -> bool:
    return state.moved_at is not None and now < state.moved_at + SETTLE_S
