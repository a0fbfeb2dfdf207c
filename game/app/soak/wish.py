"""The move that somebody wants to make, and how far the lights say that he has come with it.

Owns the choice of a move by whoever knows the rules, and the reading of the lights as the first
touches of one. Must not know hands, nor how a touch is made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import dist
from random import Random
from typing import Any

from game.app.soak.sight import Sight
from game.rules.game import Edit, EditKind
from game.rules.moves import Moves
from game.table.scene import Cue

DRAWN = 20
"""So many moves he thinks of that he cannot make now, before he goes through all of them."""
WEIGHED = 12
"""So many moves he compares where he has a taste for some."""
_FORWARD = (0, 0, 1, 2)
"""So often he thinks again of a move that brings no stone on the board; games are to end."""

Taps = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """A move that somebody wants to make, from the position `before` to the one `after`.

    `stands` is what is to stand on each cell then, `turns` which rings are to be turned, and `gone`
    are the cells whose piece leaves the board.
    """

    before: Any
    taps: Taps
    after: Any
    stands: Mapping[str, str]
    turns: tuple[Edit, ...] = ()
    gone: tuple[str, ...] = ()


def draw(sight: Sight, rng: Random, stones: Mapping[str, str], first: Taps = ()) -> Wish | None:
    """Draw a move whose next touch is lit and possible; None if there is none.

    It goes on from the touches that have been made, if these begin one.
    """
    game, position = sight.game, sight.position
    moves = game.legal_moves(position)
    if not moves:
        return None
    if not first:
        likely = _taste(sight, rng, stones) or _any(sight, rng, stones)
        if likely is not None:
            return _wish(sight, *likely)
    at = len(first)
    found = [
        (move, taps)
        for move in moves
        if (taps := game.taps(position, move))[:at] == first
        and can_be_next(sight, taps[at], stones)
    ]
    return _wish(sight, *rng.choice(found)) if found else None


def through(sight: Sight, first: Taps, spot: str) -> Wish | None:
    """Give a move that goes on from touches by one of a cell or key; None if there is none."""
    taken = (*first, spot)
    for move in sight.game.legal_moves(sight.position):
        taps = sight.game.taps(sight.position, move)
        if taps[: len(taken)] == taken:
            return _wish(sight, move, taps)
    return None


def draw_meal(sight: Sight, rng: Random, stones: Mapping[str, str]) -> Wish | None:
    """Draw a move by one stone that takes others off the board; None if there is none."""
    game, position = sight.game, sight.position
    meals = []
    for move in game.legal_moves(position):
        taps = game.taps(position, move)
        if _is_placement(sight, taps) and can_be_next(sight, taps[0], stones):
            gone = game.removed(position, move)
            meals += [(move, taps, gone)] if any(cell in stones for cell in gone) else []
    if not meals:
        return None
    move, taps, gone = rng.choice(meals)
    return replace(_wish(sight, move, taps), gone=gone)


def entered(sight: Sight, wish: Wish | None) -> Taps | None:
    """Read off words and lights with which touches a move has begun; None if that makes no sense.

    Where several readings fit, it is the one that goes on to what is wanted.
    """
    begun, size = sight.begun, len(sight.begun)
    if not begun:
        return ()
    if wish is not None and wish.before == sight.position and _reads(sight, wish.taps[:size]):
        return wish.taps[:size]
    game, legal = sight.game, sight.spots(Cue.LEGAL)
    ways: dict[Taps, set[str]] = {}
    for move in game.legal_moves(sight.position):
        taps = game.taps(sight.position, move)
        if len(taps) > size and _reads(sight, taps[:size]):
            ways.setdefault(taps[:size], set()).add(taps[size])
    # A light can be covered by another for a while, but none is lit that does not go on.
    return next((taps for taps in sorted(ways) if legal <= ways[taps]), None)


def _reads(sight: Sight, taps: Taps) -> bool:
    """Tell whether the words can mean these touches."""
    keys = sight.game.keys
    return sight.begun == tuple("" if tap in keys else tap for tap in taps)


def lit_in_vain(sight: Sight) -> list[str]:
    """List the cells and keys that are lit to begin a move, and begin none."""
    moves = sight.game.legal_moves(sight.position)
    begin = {sight.game.taps(sight.position, move)[0] for move in moves}
    return sorted(sight.spots(Cue.LEGAL) - begin)


def can_be_next(sight: Sight, spot: str, stones: Mapping[str, str]) -> bool:
    """Tell whether a touch is lit, and its cell is as the page shows it."""
    if sight.cue(spot) is not Cue.LEGAL:
        return False
    return spot in sight.begun or (spot in stones) == (spot in sight.page)


def _wish(sight: Sight, move: Any, taps: Taps) -> Wish:
    game, before = sight.game, sight.position
    after = game.play(before, move)
    if _is_placement(sight, taps):
        return Wish(before, taps, after, game.pieces(after))
    turns = tuple(edit for edit in game.edits(before, move) if edit.kind is EditKind.TURN)
    return Wish(before, taps, after, game.pieces(after), turns, game.removed(before, move))


def _is_placement(sight: Sight, taps: Taps) -> bool:
    """Tell whether a move is entered by one stone that is set on an empty cell."""
    return len(taps) == 1 and taps[0] in sight.game.board.centres and taps[0] not in sight.page


def _any(sight: Sight, rng: Random, stones: Mapping[str, str]) -> tuple[Any, Taps] | None:
    """Draw a move, more likely one that brings something on the board; None if it takes long."""
    moves, again = sight.game.legal_moves(sight.position), rng.choice(_FORWARD)
    for _ in range(DRAWN):
        move = moves.pick(rng)
        taps = sight.game.taps(sight.position, move)
        if not can_be_next(sight, taps[0], stones):
            continue
        if not again or _is_placement(sight, taps) or _adds(sight, move):
            return move, taps
        again -= 1
    return None


def _taste(sight: Sight, rng: Random, stones: Mapping[str, str]) -> tuple[Any, Taps] | None:
    """Draw a move to his taste, in games whose moves are of several kinds; mostly he has none."""
    tastes = _HIDDEN_TASTES if sight.game.hidden else _TASTES
    taste = rng.choice(tastes) if sight.game.keys else None
    if taste is None:
        return None
    moves = sight.game.legal_moves(sight.position)
    drawn = [(move, sight.game.taps(sight.position, move)) for move in _some(moves, rng)]
    able = [each for each in drawn if can_be_next(sight, each[1][0], stones)]
    return max(able, key=lambda each: taste(sight, *each), default=None)


def _some(moves: Moves[Any], rng: Random) -> list[Any]:
    return [moves.pick(rng) for _ in range(WEIGHED)]


def _takes(sight: Sight, move: Any, taps: Taps) -> int:
    """Count what a move takes off the board."""
    return len(sight.game.removed(sight.position, move))


def _fights(sight: Sight, move: Any, taps: Taps) -> int:
    """Count what a move takes where it goes, and what it loses of its own."""
    return sum(cell in taps for cell in sight.game.removed(sight.position, move))


def _crowds(sight: Sight, move: Any, taps: Taps) -> int:
    """Count the pieces of others beside where a move goes."""
    game = sight.game
    side = game.side_of(sight.position, sight.turn or 1)
    beside = game.board.neighbours.get(taps[-1], ())
    return sum(cell in sight.page and game.side(sight.page[cell]) != side for cell in beside)


def _is_long(sight: Sight, move: Any, taps: Taps) -> int:
    """Count the touches that a move takes."""
    return len(taps)


_Taste = Callable[[Sight, Any, Taps], int]
_TASTES: tuple[_Taste | None, ...] = (
    None,
    None,
    None,
    _takes,
    _fights,
    _crowds,
    _crowds,
    _is_long,
)


def _attacks(sight: Sight, move: Any, taps: Taps) -> int:
    """Count the faces that a move shows."""
    return len(sight.game.faces(sight.position, move))


def _nears(sight: Sight, move: Any, taps: Taps) -> int:
    """Tell how near to the next piece of the others a move goes."""
    if len(taps) < 2:
        return 0
    attacks, game = _attacks(sight, move, taps), sight.game
    side = game.side_of(sight.position, sight.turn or 1)
    centres = game.board.centres
    away = [
        dist(centres[taps[1]], centres[cell])
        for cell, piece in sight.page.items()
        if game.side(piece) != side
    ]
    return 100 * attacks - round(10 * min(away, default=0.0))


_HIDDEN_TASTES: tuple[_Taste | None, ...] = (None, _attacks, _nears, _nears)


def _adds(sight: Sight, move: Any) -> bool:
    """Tell whether there are other pieces on the board after a move: more, or grown ones."""
    after = sight.game.pieces(sight.game.play(sight.position, move))
    return sorted(after.values()) != sorted(sight.page.values())
