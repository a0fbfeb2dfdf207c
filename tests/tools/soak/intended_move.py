"""The move that a person wants to make, and how much of it has been entered.

Owns the choice of a move by the rules, and the reading of lights and words as the first touches of
one. Must not know hands, nor how a touch is made.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import dist
from random import Random
from typing import Any

from game.rules.base.edits import Edit, EditKind
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

Taps = tuple[str, ...]
Stones = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class IntendedMove:
    """A move from the position `before` to the one `after`.

    `stands` is what stands on each cell afterwards, `turns` are the rings to turn, and `gone` the
    cells whose piece leaves the board.
    """

    before: Any
    taps: Taps
    after: Any
    stands: Stones
    turns: tuple[Edit, ...]
    gone: tuple[str, ...]


def choose(view: View, rng: Random, stones: Stones, first: Taps = ()) -> IntendedMove | None:
    """Choose a move that begins with these touches and whose next one is lit and possible."""
    game, position = view.game, view.position
    moves = game.legal_moves(position)
    if not moves:
        return None
    if not first:
        likely = _interesting(view, rng, stones) or _random(view, rng, stones)
        if likely is not None:
            return _intend(view, *likely)
    at = len(first)
    found = [
        (move, taps)
        for move in moves
        if (taps := game.taps(position, move))[:at] == first and can_be_next(view, taps[at], stones)
    ]
    return _intend(view, *rng.choice(found)) if found else None


def choose_through(view: View, first: Taps, spot: str) -> IntendedMove | None:
    """Return a move that begins with these touches and then this spot."""
    taken = (*first, spot)
    for move in view.game.legal_moves(view.position):
        taps = view.game.taps(view.position, move)
        if taps[: len(taken)] == taken:
            return _intend(view, move, taps)
    return None


def choose_capture(view: View, rng: Random, stones: Stones) -> IntendedMove | None:
    """Choose a move by one stone that takes others off the board."""
    game, position = view.game, view.position
    captures = []
    for move in game.legal_moves(position):
        taps = game.taps(position, move)
        if _is_placement(view, taps) and can_be_next(view, taps[0], stones):
            gone = game.result(position, move).removed
            captures += [(move, taps)] if any(cell in stones for cell in gone) else []
    return _intend(view, *rng.choice(captures)) if captures else None


def entered(view: View, intended: IntendedMove | None) -> Taps | None:
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
    for move in view.game.legal_moves(view.position):
        taps = view.game.taps(view.position, move)
        if len(taps) > size and _reads(view, taps[:size]):
            ways.setdefault(taps[:size], set()).add(taps[size])
    # Another light may hide a legal one for a while, but every lit spot must continue a move.
    return next((taps for taps in sorted(ways) if legal <= ways[taps]), None)


def _reads(view: View, taps: Taps) -> bool:
    return view.started == tuple("" if tap in view.game.keys else tap for tap in taps)


def wrongly_lit(view: View) -> list[str]:
    """List the cells and keys that are lit as a move's start but start none."""
    moves = view.game.legal_moves(view.position)
    return sorted(view.spots(Cue.LEGAL) - {view.game.taps(view.position, m)[0] for m in moves})


def can_be_next(view: View, spot: str, stones: Stones) -> bool:
    """Return whether a spot is lit, and its cell stands as the page shows it."""
    if not view.invites(spot):
        return False
    return spot in view.started or (spot in stones) == (spot in view.page)


def _intend(view: View, move: Any, taps: Taps) -> IntendedMove:
    game, before = view.game, view.position
    done = game.result(before, move)
    turns = tuple(edit for edit in done.edits if edit.kind is EditKind.TURN)
    return IntendedMove(before, taps, done.after, game.pieces(done.after), turns, done.removed)


def _is_placement(view: View, taps: Taps) -> bool:
    return len(taps) == 1 and taps[0] in view.game.board.centres and taps[0] not in view.page


def _random(view: View, rng: Random, stones: Stones) -> tuple[Any, Taps] | None:
    """Draw a move, more likely one that adds something to the board; None if it takes long."""
    moves, retries = view.game.legal_moves(view.position), rng.choice(_RETRIES)
    for _ in range(TRIES):
        move = moves.pick(rng)
        taps = view.game.taps(view.position, move)
        if not can_be_next(view, taps[0], stones):
            continue
        if not retries or _is_placement(view, taps) or _adds(view, move):
            return move, taps
        retries -= 1
    return None


def _adds(view: View, move: Any) -> bool:
    after = view.game.pieces(view.game.play(view.position, move))
    return sorted(after.values()) != sorted(view.page.values())


def _interesting(view: View, rng: Random, stones: Stones) -> tuple[Any, Taps] | None:
    """Draw an interesting move now and then, in games with several kinds of moves."""
    if not view.game.keys or rng.random() < PLAIN:
        return None
    moves = view.game.legal_moves(view.position)
    drawn = [
        (move, view.game.taps(view.position, move))
        for move in (moves.pick(rng) for _ in range(COMPARED))
    ]
    able = [each for each in drawn if can_be_next(view, each[1][0], stones)]
    return max(able, key=lambda each: _interest(view, *each), default=None)


def _interest(view: View, move: Any, taps: Taps) -> float:
    """Rate what a move removes and reveals, its touches, and how near it goes to other players."""
    game, centres = view.game, view.game.board.centres
    side = game.presentation.side_of(view.position, view.turn or 1)
    others = [
        centres[cell] for cell, piece in view.page.items() if game.presentation.side(piece) != side
    ]
    spot = taps[min(1, len(taps) - 1)]
    ways = (dist(centres[spot], each) for each in others if spot in centres)
    changes = len(game.result(view.position, move).removed) + len(game.faces(view.position, move))
    return 100 * changes + len(taps) - min(ways, default=9.0)
