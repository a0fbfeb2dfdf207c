"""Rings that hands turn: how long a turn is shown, and how the lights run.

Where no stones are felt, a turn is shown for a time; where they are, also for as long as the ring
stands as it stood before. Owns also which turns hands make before their key is pressed.
"""

from dataclasses import replace

from game.rules.base.edits import Edit, EditKind, cells_of, turned
from game.rules.base.game import AnyGame
from game.table.book import Book
from game.table.records import RingTurn
from game.table.state import State

RING_TURN_S = 4.0
"""Time a ring is shown that has been turned."""


def ring_turn_at(game: AnyGame, state: State, now: float) -> RingTurn | None:
    """Return the ring turn while it lasts: its time, and until stones that are felt follow."""
    turn = state.ring_turn
    if turn is None or now < turn.until:
        return turn
    ring = game.board.rings[turn.ring]
    busy = any(edit.cell in ring for edit in state.pending)
    return replace(turn, late=True) if busy and state.feels_stones else None


def edits_to_show(game: AnyGame, state: State) -> tuple[Edit, ...]:
    """List what people are asked to do: to turn a ring where nothing else is left to do."""
    pending, turn = state.pending, _shown(game, state)
    return (_edit(turn),) if turn is not None and pending else pending


def running_lights(game: AnyGame, state: State) -> dict[str, float]:
    """Map each cell of the rings that turn to its phase: how far it lags, in periods."""
    if state.faults.reasons:
        return {}
    turn = _shown(game, state)
    edits = [edit for edit in edits_to_show(game, state) if edit.kind is EditKind.TURN]
    if turn is not None and not edits:
        edits.append(_edit(turn))
    phases = {}
    for edit in edits:
        cells = cells_of(edit, game.board)
        for n, cell in enumerate(cells):
            phases[cell] = (n if edit.steps > 0 else -n) % len(cells) / len(cells)
    return phases


def leads_to_felt(book: Book, key: str) -> bool:
    """Tell whether a key continues a move that leads to exactly the stones that are felt.

    This is so where hands have turned a ring before they press its key.
    """
    state, game = book.state, book.game
    felt = state.hands.felt
    if key not in game.keys or key not in book.next_taps() or felt is None:
        return False
    masked = state.faults.masked
    stand = (felt - masked) | (state.standing.keys() & masked)
    taps = (*state.taps, key)
    return any(
        made[: len(taps)] == taps and stand == game.pieces(game.play(state.position, move)).keys()
        for made, move in state.situation.walk.going_on(taps)
    )


def _shown(game: AnyGame, state: State) -> RingTurn | None:
    """Return the ring turn that lights show, while hands are asked for nothing else.

    After its time only while stones stand where they stood before.
    """
    turn = state.ring_turn
    if turn is None or state.faults.reasons:
        return None
    ring = game.board.rings[turn.ring]
    if any(not set(cells_of(edit, game.board)) <= {*ring} for edit in state.pending):
        return None
    return None if turn.late and not _stands_as_before(game, state, turn) else turn


def _stands_as_before(game: AnyGame, state: State, turn: RingTurn) -> bool:
    before = turned(state.expected, game.board, (_edit(turn),), back=True)
    sensed = [cell for cell in game.board.rings[turn.ring] if cell not in state.faults.masked]
    return all((cell in state.standing) == (cell in before) for cell in sensed)


def _edit(turn: RingTurn) -> Edit:
    return Edit(EditKind.TURN, turn.ring, "", turn.steps)
