"""The beginning of a game: who begins, and what goes on from the game before.

Owns the first entries of a game. Draws no number but from the table's generator.
"""

from collections.abc import Mapping

from game.rules.message import say
from game.table.book import Book, Entries
from game.table.entries import Entry, Kind, computers_text, names_text, options_text
from game.table.state import Phase

DRAW_S = 2.4


def begin(book: Book, now: float, computers: tuple[str, ...] | None = None) -> Entries:
    """Begin a new game; who begins is drawn unless the options name him.

    `computers` is who is a computer from now on; None leaves that as it is.
    """
    options = book.game.settle(book.wishes)
    if "first" not in book.wishes:
        options["first"] = book.rng.choice(book.game.known_options["first"].choices)
    to_clear = bool(book.state.standing)
    entries = opened(book, options, computers)
    book.change(phase=Phase.DRAW, draw_until=now + DRAW_S)
    if to_clear:
        book.notify(say("table.clear_board"), now)
    return entries


def opened(
    book: Book, options: Mapping[str, str], computers: tuple[str, ...] | None = None
) -> Entries:
    """Record that a game begins, and who plays: the same as before unless told otherwise.

    Where pieces are hidden no computer plays for a side that a device holds, which would see them.
    """
    before = book.state.computers
    who = before if computers is None else computers
    if book.game.hidden:
        seated = book.state.seated
        who = tuple("" if n in seated else level for n, level in enumerate(who, start=1))
    entries = book.record(Entry(Kind.START, options_text(dict(options))))
    if any(book.state.names):
        entries += book.record(Entry(Kind.NAMES, names_text(book.state.names)))
    if any(who) or any(before):
        who = who or ("",) * len(book.game.players)
        entries += book.record(Entry(Kind.COMPUTERS, computers_text(who)))
    return entries
