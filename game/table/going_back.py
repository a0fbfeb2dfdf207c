"""Taking back by asking for it: as far as people can then choose another move.

Owns how many moves one asking takes back. What hands take back by themselves stands in
`game.table.restoring`.
"""

from typing import Any

from game.rules.game import Game
from game.rules.message import say
from game.table.book import Book, Entries
from game.table.entries import Entry, Kind
from game.table.inputs import Command
from game.table.questions import confirmed
from game.table.state import Phase, Played, State, Travel
from game.table.thinking import computer
from game.table.touching import TRAVEL_S

AnyGame = Game[Any, Any]


def take_back(book: Book, now: float) -> Entries:
    """Take back what was begun of a move, or an end that no move made, or a person's last move."""
    state, game = book.state, book.game
    if state.taps:
        book.change(taps=(), notice=None, wrong=None)
        return ()
    if _ended_by_people(game, state) and not game.hidden:
        return book.record(Entry(Kind.TAKE_BACK))
    if game.hidden and state.outcome is not None:
        book.notify(say("table.all_is_shown"), now)
        return ()
    own = _own_moves(state)
    if state.phase is Phase.DRAW or not own:
        book.notify(say("table.nothing_to_take_back"), now)
        return ()
    first = _first_taken(game, state, own[-1])
    anew = _arranges(game, state.history[first])
    if anew and not confirmed(book, Command.TAKE_BACK, say("table.confirm_anew"), now):
        return ()
    entries: Entries = ()
    for _ in range(len(state.history) - first):
        entries += one_back(book)
    if state.felt is not None:
        for edit in state.history[first].turned:
            book.change(travel=Travel(edit.cell, -edit.steps, now + TRAVEL_S))
    return entries


def one_back(book: Book) -> Entries:
    """Record that the last move is taken back, and the rings that hands then turn back.

    Where only places are felt nothing else would tell, after a restart, what came back with a ring.
    """
    turned = book.state.history[-1].turned
    entries = book.record(Entry(Kind.TAKE_BACK))
    if book.state.felt is not None:
        for edit in turned:
            entries += book.record(Entry(Kind.EDIT, edit.cell))
    return entries


def presses(game: AnyGame, state: State) -> tuple[int, ...]:
    """Count, for each move so far, how often to ask until it is gone; 0 if it never is."""
    if game.hidden and state.outcome is not None:
        return (0,) * len(state.history)
    own = _own_moves(state)
    before = bool(state.taps) + _ended_by_people(game, state)
    asks = {
        _first_taken(game, state, ply): 2 if _arranges(game, state.history[ply]) else 1
        for ply in own
    }
    told = []
    for ply in range(len(state.history)):
        # It goes with the last of these that is not after it.
        last = max((each for each in asks if each <= ply), default=None)
        later = sum(count for each, count in asks.items() if last is not None and each >= last)
        told.append(before + later if last is not None else 0)
    return tuple(told)


def _first_taken(game: AnyGame, state: State, ply: int) -> int:
    """Return which move goes first with another: what players laid out goes all together."""
    if not _arranges(game, state.history[ply]):
        return ply
    return next(n for n, played in enumerate(state.history) if _arranges(game, played))


def _arranges(game: AnyGame, played: Played) -> bool:
    """Tell whether a player laid out his pieces by a move."""
    return game.arranging(played.before, played.player) is not None


def _own_moves(state: State) -> tuple[int, ...]:
    """List the moves before which a person was to move, counted from 0.

    Where only computers play, all of them are.
    """
    watched = bool(state.computers) and all(state.computers)
    return tuple(
        ply
        for ply, played in enumerate(state.history)
        if watched or not computer(state, played.player)
    )


def _ended_by_people(game: AnyGame, state: State) -> bool:
    return state.outcome is not None and game.outcome(state.position) is None
