"""Take back moves when people ask for it: as far as a person can then choose another move.

Owns how many moves one request takes back, and how many *Redo* makes again. What hands take back
is in `game.table.restoring`.
"""

from dataclasses import replace

from game.rules.base.game import AnyGame
from game.rules.base.message import say
from game.table.book import Book, Entries
from game.table.entries import Entry, EntryKind
from game.table.inputs import Command
from game.table.player_view import is_hidden
from game.table.prompts import PAUSED, STRICT
from game.table.records import Phase, Played, RingTurn
from game.table.rings import RING_TURN_S
from game.table.state import State


def take_back(book: Book, now: float) -> Entries:
    """Take back what was begun of a move, an end that no move made, or a person's last move."""
    state, game = book.state, book.game
    if state.taps:
        book.set_taps()
        book.clear_notice(rejected=True)
        return ()
    if state.agreement.strict:
        book.notify(STRICT, now)
        return ()
    if is_hidden(game) and state.outcome is not None:
        book.notify(say("table.all_is_shown"), now)
        return ()
    if _ended_by_people(game, state):
        return book.record(Entry(EntryKind.TAKE_BACK))
    own = _own_moves(state)
    if state.phase is Phase.DRAW or not own:
        book.notify(say("table.nothing_to_take_back"), now)
        return ()
    first = _first_taken(game, state, own[-1])
    anew = _is_set_up(game, state.history[first])
    if anew and not book.confirmed(Command.TAKE_BACK, say("table.confirm_anew"), now):
        return ()
    entries: Entries = ()
    for _ in range(len(state.history) - first):
        entries += take_one_back(book)
    if state.feels_stones:
        for edit in state.history[first].turned:
            turn = RingTurn(edit.cell, -edit.steps, now + RING_TURN_S)
            book.state = replace(book.state, ring_turn=turn)
    return entries


def redo(book: Book, now: float) -> Entries:
    """Make again the moves that were taken back last, up to a person's turn."""
    state, game = book.state, book.game
    if state.faults.reasons:
        book.notify(PAUSED, now)
        return ()
    if not state.undone or state.outcome is not None or state.phase in (Phase.DRAW, Phase.SHOW):
        book.notify(say("table.nothing_to_redo"), now)
        return ()
    entries = book.record(Entry(EntryKind.MOVE, state.undone[-1]))
    while (
        book.state.undone and not book.state.showing_faces and _computer_follows(game, book.state)
    ):
        entries += book.record(Entry(EntryKind.MOVE, book.state.undone[-1]))
    if state.feels_stones:
        for edit in book.state.history[-1].turned:
            turn = RingTurn(edit.cell, edit.steps, now + RING_TURN_S)
            book.state = replace(book.state, ring_turn=turn)
    return entries


def _computer_follows(game: AnyGame, state: State) -> bool:
    mixed = any(state.computers) and not all(state.computers)
    return mixed and bool(state.level_of(state.situation.to_move))


def take_one_back(book: Book) -> Entries:
    """Record that the last move is taken back, and the rings that hands then turn back.

    Where stones are felt, only this tells after a restart which pieces came back with a ring.
    """
    turned = book.state.history[-1].turned
    entries = book.record(Entry(EntryKind.TAKE_BACK))
    if book.state.feels_stones:
        for edit in turned:
            entries += book.record(Entry(EntryKind.EDIT, edit.cell))
    return entries


def requests_to_undo(game: AnyGame, state: State) -> tuple[int, ...]:
    """Count, for each move so far, the requests until it is taken back; 0 if it cannot be."""
    if state.agreement.strict or (is_hidden(game) and state.outcome is not None):
        return (0,) * len(state.history)
    before = bool(state.taps) + _ended_by_people(game, state)
    requests = {
        _first_taken(game, state, ply): 2 if _is_set_up(game, state.history[ply]) else 1
        for ply in _own_moves(state)
    }
    counts, count, left = [], 0, before + sum(requests.values())
    for ply in range(len(state.history)):
        # A move goes with the last of these that is not after it.
        if ply in requests:
            count, left = left, left - requests[ply]
        counts.append(count)
    return tuple(counts)


def _first_taken(game: AnyGame, state: State, ply: int) -> int:
    """Return the first move that is taken back with another: set-ups go all together."""
    if not _is_set_up(game, state.history[ply]):
        return ply
    return next(n for n, played in enumerate(state.history) if _is_set_up(game, played))


def _is_set_up(game: AnyGame, played: Played) -> bool:
    """Tell whether a player laid out pieces by a move."""
    return game.arranging(played.before, played.player) is not None


def _own_moves(state: State) -> tuple[int, ...]:
    """List the moves that people made, counted from 0; all where only computers play."""
    only_computers = bool(state.computers) and all(state.computers)
    return tuple(
        ply
        for ply, played in enumerate(state.history)
        if only_computers or not state.level_of(played.player)
    )


def _ended_by_people(game: AnyGame, state: State) -> bool:
    return state.outcome is not None and state.situation.outcome is None
