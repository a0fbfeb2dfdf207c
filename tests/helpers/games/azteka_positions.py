"""Positions of Azteka of every kind, from random games in which rare things happen.

Owns the draw, and the bridge between the rules and the naive implementation.
"""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from game.rules.azteka import GAME
from game.rules.azteka.play import Position
from tests.helpers.effort import effort
from tests.oracles.naive_azteka import STYLES, NaiveAzteka, crowded, naive_start, random_game

VARIANTS = ("basic", "aggressive", "three")


def shown(position: Position) -> dict[str, Any]:
    """Return all that the rules know of a position, as the referee reports it."""
    outcome = GAME.outcome(position)
    return {
        "moves": sorted(GAME.plain_text(position, move) for move in GAME.legal_moves(position)),
        "legal": len(GAME.legal_moves(position)),
        "pieces": GAME.pieces(position),
        "score": GAME.score(position),
        "to_move": GAME.to_move(position),
        "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason},
        **GAME.extras(position),
    }


def expected(naive: NaiveAzteka) -> dict[str, Any]:
    return {
        "moves": naive.legal(),
        "legal": len(naive.legal()),
        "pieces": naive.board,
        "score": naive.score,
        "to_move": naive.to_move,
        "outcome": naive.outcome,
        "round": naive.round,
        "roles": list(naive.roles),
        "birth": naive.birth,
        "first_round": naive.first_round,
        "last_actions": naive.last_actions,
    }


def as_position(naive: NaiveAzteka) -> Position:
    return GAME.from_json(expected(naive), {"variant": naive.variant})


def as_naive(position: Position) -> NaiveAzteka:
    here = shown(position)
    return NaiveAzteka(
        position.variant.name,
        tuple(here["roles"]),
        here["to_move"],
        here["pieces"],
        here["round"],
        here["birth"],
        here["first_round"],
        here["last_actions"],
        here["outcome"],
    )


def lines(variant: str, games: int) -> Iterator[list[tuple[Position, str]]]:
    """Return games as positions, each with the move made in it, and "" at the end."""
    for seed in range(games):
        rng = Random(seed)
        start = crowded(rng, variant) if seed % 2 else naive_start(variant)
        line = []
        position = as_position(start)
        for _, move, _ in random_game(rng, start, STYLES[seed % len(STYLES)]):
            line.append((position, move))
            position = GAME.play(position, move)
        yield [*line, (position, "")]


@cache
def some_positions(variant: str) -> tuple[Position, ...]:
    """Return the positions of some games, with every kind of position among them."""
    found = tuple(position for line in lines(variant, effort(10, 24)) for position, _ in line)
    kinds = {
        "over": any(GAME.outcome(each) is not None for each in found),
        "birth": any(each.birth for each in found) or variant != "basic",
        "round 2": any(each.round == 2 for each in found) or variant == "three",
        "last": any(each.last_actions for each in found) or variant != "three",
    }
    missing = [kind for kind, there in kinds.items() if not there]
    if missing:
        raise ValueError(f"no position of {missing} in games of {variant}")
    return found
