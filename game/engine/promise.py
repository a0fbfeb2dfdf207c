"""What a position promises each player, without a search: by how near everybody is to his ends.

Owns the guess that orders moves in the general searches, and the worth of results. Knows a game
only by its goals and scores, and what it tells of a position's worth.
"""

from math import exp
from typing import Any, TypeAlias

from game.rules.game import Game

Scores: TypeAlias = tuple[float, ...]
"""What something is worth: a share of one point for each player."""

KEENNESS = 5.0
"""How sure a lead is: a player far ahead of another may expect e to this times as much."""


def result(game: Game[Any, Any], position: Any) -> Scores:
    """Share one point out at the end: all of it to the winner, or the same to each."""
    players = len(game.score(position))
    outcome = game.outcome(position)
    if outcome is None or outcome.winner is None:
        return (1 / players,) * players
    return tuple([float(n + 1 == outcome.winner) for n in range(players)])


def promise(game: Game[Any, Any], position: Any) -> Scores | None:
    """Guess what each player may expect; None where nobody has reached anything.

    A game may know better (`Game.worth`); else the goals tell it. Goals are roads of which one is
    enough: what lacks on each is multiplied, and the last steps count more than the first. Where
    goals of the whole match count rounds, they are the next one.
    """
    worth = game.worth(position)
    if worth is not None:
        return worth
    goals = game.goals(position)
    if not any(goal.reached > 0 for goal in goals):
        return None
    players = len(game.score(position))
    lacking, before, rounds = [1.0] * players, [0] * players, [1] * players
    for goal in goals:
        if goal.of_match:
            before[goal.player - 1], rounds[goal.player - 1] = goal.reached, goal.wanted
        elif goal.reached > 0:
            share = min(1.0, goal.reached / goal.wanted)
            lacking[goal.player - 1] *= 1 - share * share
    come = [(won + 1 - each) / of for won, each, of in zip(before, lacking, rounds, strict=True)]
    weights = [exp(KEENNESS * each) for each in come]
    total = sum(weights)
    return tuple([weight / total for weight in weights])
