"""Rings that hands turn: how long that shows, and which ring the lights show on its way.

Owns what follows from a travel in a state, and how a turn shows that no key has told yet. Where no
stones are felt a travel shows for a time; where they are, also for as long as the ring stands as it
stood before it was turned.
"""

from dataclasses import replace
from typing import Any

from game.rules.game import Edit, EditKind, Game
from game.table.book import Book
from game.table.edits import cells_of, turned
from game.table.state import State, Travel

AnyGame = Game[Any, Any]


def lasting(game: AnyGame, state: State, now: float) -> Travel | None:
    """Return the travel as long as it lasts: its time, and until stones that are felt follow."""
    travel = state.travel
    if travel is None or now < travel.until:
        return travel
    ring = game.board.rings[travel.ring]
    busy = any(edit.cell in ring for edit in state.pending(game))
    return replace(travel, late=True) if busy and state.felt is not None else None


def shown(game: AnyGame, state: State) -> Travel | None:
    """Return the ring that the lights show on its way, while nothing else is asked of hands.

    After its time only as long as stones stand where they stood before it was turned.
    """
    travel = state.travel
    if travel is None or state.disturbed:
        return None
    ring = game.board.rings[travel.ring]
    if any(not set(cells_of(edit, game.board)) <= {*ring} for edit in state.pending(game)):
        return None
    return None if travel.late and not _stands_as_before(game, state, travel) else travel


def _stands_as_before(game: AnyGame, state: State, travel: Travel) -> bool:
    cells = [cell for cell in game.board.rings[travel.ring] if cell not in state.masked]
    edit = Edit(EditKind.TURN, travel.ring, "", travel.steps)
    before = turned(state.expected(game), game.board, (edit,), back=True)
    return all((cell in state.standing) == (cell in before) for cell in cells)


def asked(game: AnyGame, state: State) -> tuple[Edit, ...]:
    """List what people are asked to do: to turn a ring where that is what is left to be done."""
    pending, travel = state.pending(game), shown(game, state)
    if travel is None or not pending:
        return pending
    return (Edit(EditKind.TURN, travel.ring, "", travel.steps),)


def running(game: AnyGame, state: State) -> dict[str, float]:
    """Map each cell of the rings that turn to its phase: how far it lags, in periods."""
    if state.disturbed:
        return {}
    edits = [edit for edit in asked(game, state) if edit.kind is EditKind.TURN]
    travel = shown(game, state)
    if travel is not None and not edits:
        edits.append(Edit(EditKind.TURN, travel.ring, "", travel.steps))
    phases = {}
    for edit in edits:
        cells = cells_of(edit, game.board)
        for n, cell in enumerate(cells):
            phases[cell] = (n if edit.steps > 0 else -n) % len(cells) / len(cells)
    return phases


def leads_to_felt(book: Book, key: str) -> bool:
    """Tell whether a key goes on with a move after which just what is felt should stand.

    So it is where hands have turned a ring before its key is pressed.
    """
    state, game = book.state, book.game
    if key not in game.keys or key not in book.next_taps() or state.felt is None:
        return False
    stand = (state.felt - state.masked) | (state.standing.keys() & state.masked)
    taps = (*state.taps, key)
    return any(
        made[: len(taps)] == taps and stand == game.pieces(game.play(state.position, move)).keys()
        for made, move in book.walk.going_on(taps)
    )
