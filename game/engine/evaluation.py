"""The static evaluation of positions, and the scores of results.

Knows a game only by its goals and scores, and by its own `worth` of a position.
"""

from math import exp
from typing import Any, TypeAlias

from game.rules.base.game import AnyGame

Scores: TypeAlias = tuple[float, ...]
"""Each player's share of one point."""

SHARPNESS = 5.0
"""How sure a lead is: the odds of a player with all goals against one without are e to this."""


def final_scores(game: AnyGame, position: Any) -> Scores:
    """Return the scores of an ended game: one point for the winner, or shared by all."""
    players = len(game.score(position))
    outcome = game.outcome(position)
    if outcome is None or outcome.winner is None:
        return (1 / players,) * players
    return tuple([float(n + 1 == outcome.winner) for n in range(players)])


def evaluate(game: AnyGame, position: Any) -> Scores | None:
    """Estimate each player's score; None if there is nothing to tell players apart.

    A game may have an evaluation of its own (`Game.evaluate`). Else it comes from the goals: one is
    enough to win, so what lacks for each is multiplied, and last steps count more than first ones.
    Goals of a whole match count the rounds won before.
    """
    worth = game.evaluate(position)
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
    weights = [exp(SHARPNESS * each) for each in come]
    total = sum(weights)
    return tuple([weight / total for weight in weights])
