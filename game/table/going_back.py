"""Taking back by asking for it: as far as people can then choose another move.

Owns how many moves one asking takes back. What hands take back by themselves stands in
`game.table.restoring`.
"""

from typing import Any

from game.rules.game import Game
from game.rules.message import say
from game.table.book import Book, Entries
from game.table.entries import Entry, Kind
from game.table.state import Phase, State, Travel
from game.table.thinking import computer
from game.table.touching import TRAVEL_S


def take_back(book: Book, now: float) -> Entries:
    """Take back what was begun of a move, or an end that no move made, or a person's last move."""
    state = book.state
    if state.taps:
        book.change(taps=(), notice=None, wrong=None)
        return ()
    if _ended_by_people(book.game, state):
        return book.record(Entry(Kind.TAKE_BACK))
    own = _own_moves(state)
    if state.phase is Phase.DRAW or not own:
        book.notify(say("table.nothing_to_take_back"), now)
        return ()
    entries: Entries = ()
    for _ in range(len(state.history) - own[-1]):
        entries += one_back(book)
    if state.felt is not None:
        for edit in state.history[own[-1]].turned:
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


def presses(game: Game[Any, Any], state: State) -> tuple[int, ...]:
    """Count, for each move so far, how often to ask until it is gone; 0 if it never is."""
    own = _own_moves(state)
    before = bool(state.taps) + _ended_by_people(game, state)
    return tuple(
        before + sum(each > ply for each in own) + 1 if own and own[0] <= ply else 0
        for ply in range(len(state.history))
    )


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


def _ended_by_people(game: Game[Any, Any], state: State) -> bool:
    return state.outcome is not None and game.outcome(state.position) is None
