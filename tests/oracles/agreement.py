"""Random games that a game's rules and its naive implementation play side by side.

A naive position must not know `game`; here it says in the referee's keys what it knows.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest

from game.rules.base.errors import IllegalMove
from game.rules.base.game import AnyGame
from tests.oracles.naive import Naive

Choose = Callable[[Random, Any, list[str]], str]
"""Draws one of the legal moves of a naive position."""


def any_move(rng: Random, naive: Naive, legal: list[str]) -> str:
    return rng.choice(legal)


def shown(game: AnyGame, position: Any) -> dict[str, Any]:
    """Return all that the rules know of a position, in the referee's keys, as JSON."""
    outcome = game.outcome(position)
    arranging = any(game.arranging(position, n + 1) for n in range(len(game.players)))
    moves = [] if arranging else game.legal_moves(position)
    known = {
        "pieces": game.pieces(position),
        "to_move": game.to_move(position),
        "score": game.score(position),
        "moves": sorted(game.plain_text(position, move) for move in moves),
        "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason},
        **game.extras(position),
    }
    return _as_json(known)


def read(game: AnyGame, naive: Naive, options: Mapping[str, str] = {}) -> Any:
    """Return the position of the rules that a naive one describes."""
    return game.from_json(_as_json(naive.facts()), options)


def agree(
    game: AnyGame, naive: Any, position: Any, rng: Random, choose: Choose = any_move
) -> Iterator[Any]:
    """Play a random game by both; yield each naive position once all is found to be the same.

    Moves that were legal before, and are not any more, must be refused.
    """
    tried = list[str]()
    while True:
        facts = _as_json(naive.facts())
        assert shown(game, position) == facts
        yield naive
        if naive.outcome is not None:
            return
        move = choose(rng, naive, facts["moves"])
        tried.append(move)
        if (wrong := rng.choice(tried)) not in {move, *facts["moves"]}:
            with pytest.raises(IllegalMove):
                game.parse_move(position, wrong)
        done = game.result(position, game.parse_move(position, move))
        position, naive = done.after, naive.play(move)
        assert sorted(done.removed) == sorted(naive.gone), move


def _as_json(facts: dict[str, Any]) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(json.dumps(facts))
    return written
