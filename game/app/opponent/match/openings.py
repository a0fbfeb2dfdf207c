"""How the games of a match begin: a few plies by chance, each opening another one.

Owns the choice of openings. The same seed gives the same ones, in the same order, however many.
Where players lay out their pieces before play, chance does so as well, beside these plies.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from game.app.opponent.match.specs import MatchError
from game.rules.game import Game

_TRIES = 2000
"""So often in a row may chance find only openings that are known or decided."""


def openings(game: Game[Any, Any], start: Any, plies: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Yield openings without end, in plain texts, in each of which somebody is to move.

    No two lead to the same position. Raises MatchError when there are no more.
    """
    rng = Random(f"{seed}/openings")
    known: set[str] = set()
    while True:
        for _ in range(_TRIES):
            moves, position = _by_chance(game, start, plies, rng)
            text = game.text(position)
            if game.to_move(position) is not None and text not in known:
                known.add(text)
                break
        else:
            raise MatchError(
                f"{plies} plies by chance give no more than {len(known)} openings of"
                f" {game.name}; allowed: fewer pairs, or longer openings"
            )
        yield moves


def _by_chance(
    game: Game[Any, Any], position: Any, plies: int, rng: Random
) -> tuple[tuple[str, ...], Any]:
    moves: list[str] = []
    while (mover := game.to_move(position)) is not None:
        if game.arranging(position, mover) is None:
            if plies <= 0:
                break
            plies -= 1
        move = game.legal_moves(position).pick(rng)
        moves.append(game.plain_text(position, move))
        position = game.play(position, move)
    return tuple(moves), position
