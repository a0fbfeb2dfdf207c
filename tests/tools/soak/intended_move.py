"""The move that a person wants to make, and how much of it has been entered.

Owns the choice of a move by the rules, and the reading of lights and words as the first touches of
one. Must not know hands, nor how a touch is made.
"""

from collections.abc import Iterator, Mapping
from math import dist
from random import Random
from typing import Any

from game.rules.base.edits import Edit, EditKind
from game.rules.base.game import MoveResult
from game.table.scene import Cue
from tests.tools.soak.view import View

TRIES = 20
"""Random moves to try before listing all legal ones."""
COMPARED = 12
"""Random moves to compare for the most interesting one."""
PLAIN = 0.4
"""Chance to take any move rather than an interesting one."""
_RETRIES = (0, 0, 1, 2)
"""How often to redraw a move that adds nothing to the board, so that games end."""

Move = MoveResult[Any, Any]
Taps = tuple[str, ...]
Stones = Mapping[str, str]


def turns(move: Move) -> list[Edit]:
    """List the rings to turn."""
    return [edit for edit in move.edits if edit.kind is EditKind.TURN]


def choose(view: View, rng: Random, stones: Stones, first: Taps = ()) -> Move | None:
    """Choose a move that begins with these touches and whose next one is lit and possible."""
    if not view.game.legal_moves(view.position):
        return None
    likely = None if first else _interesting(view, rng, stones) or _random(view, rng, stones)
    if likely is not None:
        return likely
    begun = (move for move in _moves(view) if move.taps[: len(first)] == first)
    found = [move for move in begun if can_be_next(view, move.taps[len(first)], stones)]
    return rng.choice(found) if found else None


def choose_through(view: View, taken: Taps) -> Move | None:
    """Return a move that begins with these touches."""
    return next((move for move in _moves(view) if move.taps[: len(taken)] == taken), None)


def choose_capture(view: View, rng: Random, stones: Stones) -> Move | None:
    """Choose a move by one stone that takes others off the board."""
    able = (move for move in _moves(view) if _is_placement(view, move))
    able = (move for move in able if can_be_next(view, move.taps[0], stones))
    captures = [move for move in able if any(cell in stones for cell in move.removed)]
    return rng.choice(captures) if captures else None


def entered(view: View, intended: Move | None) -> Taps | None:
    """Infer from words and lights which touches have begun a move; None if none fits.

    If several readings fit, take the one that continues the intended move.
    """
    size = len(view.started)
    if not size:
        return ()
    same = intended is not None and intended.before == view.position
    if intended is not None and same and _reads(view, intended.taps[:size]):
        return intended.taps[:size]
    legal = view.spots(Cue.LEGAL)
    ways: dict[Taps, set[str]] = {}
    for move in _moves(view):
        if len(move.taps) > size and _reads(view, move.taps[:size]):
            ways.setdefault(move.taps[:size], set()).add(move.taps[size])
    # Another light may hide a legal one for a while, but every lit spot must continue a move.
    return next((taps for taps in sorted(ways) if legal <= ways[taps]), None)


def wrongly_lit(view: View) -> list[str]:
    """List the cells and keys that are lit as a move's start but start none."""
    return sorted(view.spots(Cue.LEGAL) - {move.taps[0] for move in _moves(view)})


def can_be_next(view: View, spot: str, stones: Stones) -> bool:
    """Return whether a spot is lit, and its cell stands as the page shows it."""
    if not view.invites(spot):
        return False
    return spot in view.started or (spot in stones) == (spot in view.page)


def _moves(view: View) -> Iterator[Move]:
    for move in view.game.legal_moves(view.position):
        yield view.game.result(view.position, move)


def _reads(view: View, taps: Taps) -> bool:
    return view.started == tuple("" if tap in view.game.keys else tap for tap in taps)


def _is_placement(view: View, move: Move) -> bool:
    cell, *others = move.taps
    return not others and cell in view.game.board.centres and cell not in view.page


def _drawn(view: View, rng: Random, count: int) -> Iterator[Move]:
    moves = view.game.legal_moves(view.position)
    return (view.game.result(view.position, moves.pick(rng)) for _ in range(count))


def _random(view: View, rng: Random, stones: Stones) -> Move | None:
    """Draw a move, more likely one that adds something to the board; None if it takes long."""
    retries = rng.choice(_RETRIES)
    for move in _drawn(view, rng, TRIES):
        if not can_be_next(view, move.taps[0], stones):
            continue
        before, after = (sorted(pieces.values()) for pieces in move.pieces)
        if not retries or _is_placement(view, move) or before != after:
            return move
        retries -= 1
    return None


def _interesting(view: View, rng: Random, stones: Stones) -> Move | None:
    """Draw an interesting move now and then, in games with several kinds of moves."""
    if not view.game.keys or rng.random() < PLAIN:
        return None
    drawn = list(_drawn(view, rng, COMPARED))
    able = [move for move in drawn if can_be_next(view, move.taps[0], stones)]
    return max(able, key=lambda move: _interest(view, move), default=None)


def _interest(view: View, move: Move) -> float:
    """Rate what a move removes and reveals, its touches, and how near it goes to other players."""
    game, centres = view.game, view.game.board.centres
    side = game.presentation.side_of(view.position, view.turn or 1)
    others = [
        centres[cell] for cell, piece in view.page.items() if game.presentation.side(piece) != side
    ]
    spot = move.taps[min(1, len(move.taps) - 1)]
    ways = (dist(centres[spot], each) for each in others if spot in centres)
    changes = len(move.removed) + len(game.faces(view.position, move.move))
    return 100 * changes + len(move.taps) - min(ways, default=9.0)
