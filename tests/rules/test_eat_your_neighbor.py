"""Eat Your Neighbor: agreement with the naive rules, and the cases that its document settles."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from game.rules.base.message import say
from game.rules.base.registry import find_game
from game.rules.food_web import FoodWeb, Species
from tests.helpers.effort import effort
from tests.oracles.agreement import agree
from tests.oracles.naive_neighbor import NaiveNeighbor

GAME = find_game("eat-your-neighbor")
LARGE = find_game("eat-your-neighbor", {"variant": "cells-61"})
LINE = ((0, 0), (1, 0), (2, 0))
ONE = Species("single", say("species.singleton"), LINE[:1])
PAIR = Species("pair", say("species.pair"), LINE[:2])


def ending(seed: int) -> tuple[str, bool]:
    """Play a random game by both rules; return how it ended, and whether there was a swarm."""
    rng, swarmed = Random(seed), False
    side, game = rng.choice(((4, GAME), (5, LARGE)))
    target, first = rng.choice((3, 12, 12, 12, 40)), rng.choice((1, 2))
    start = game.initial({"target": str(target), "first": str(first)})
    naive = NaiveNeighbor(side, to_move=first, target=target)
    for now in agree(game, naive, start, rng):
        placed = now.stones.keys() - naive.stones.keys()
        swarmed |= bool(now.gone) and placed in now.creatures(naive.to_move)
        naive = now
    return naive.outcome[1], swarmed


def test_random_games_agree_with_the_naive_rules_at_every_ply():
    ends, swarms = zip(*map(ending, range(effort(30, 60))), strict=True)
    assert set(ends) == {"stones eaten", "no legal placement"}
    assert any(swarms)


# Nobody can place: every empty cell would join more than four stones of either colour.
FULL = "1121/22121/21..12/2122121/.22.21/11121/21.1"


@pytest.mark.parametrize(
    ("score", "winner", "word"),
    [("6-7", 2, "food_web.won_more"), ("6-6", 2, "food_web.won_last")],
)
def test_who_cannot_place_ends_the_game_and_what_was_eaten_decides(score, winner, word):
    stuck = GAME.parse(f"{FULL} 1 {score} 12")
    ended = GAME.outcome(stuck)
    assert (ended.winner, ended.message.key) == (winner, word)
    shown = {
        "pieces": GAME.pieces(stuck),
        "to_move": None,
        "score": list(GAME.score(stuck)),
        "outcome": {"winner": winner},
    }
    assert GAME.outcome(GAME.from_json(shown, {})) == ended


def test_the_web_of_the_document_is_a_whole_game_in_30_lines():
    page = (Path(__file__).parents[2] / "docs" / "eat-your-neighbor.md").read_text("utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    assert len(code.splitlines()) <= 30
    given: dict[str, Any] = {"__name__": "game.rules.food_web"}
    exec(code, given)
    game, rng, eaten = given["GAME"], Random(1), 0
    for _ in range(30):
        position = game.initial()
        while game.outcome(position) is None:
            move = game.legal_moves(position).pick(rng)
            assert game.result(position, move).summary.key.startswith("circle_of_life.")
            position = game.play(position, move)
            assert game.parse(game.text(position)) == position
        eaten += sum(position.eaten)
    assert eaten > 60
    arrows = [entry.arrow_to for entry in game.presentation.legend]
    assert arrows == [3, 0, 1, 2]
    assert len(game.presentation.rules) == 7


@pytest.mark.parametrize(
    ("species", "eats", "why"),
    [
        ((ONE, PAIR), {"single": "trio"}, "'trio'; allowed: single, pair"),
        ((ONE, Species("line", say("species.line"), LINE)), {}, "of no species"),
        ((Species("six", say("species.line"), tuple((n, 0) for n in range(6))),), {}, "at most 5"),
    ],
)
def test_a_web_that_cannot_be_is_refused(species, eats, why):
    with pytest.raises(ValueError, match=why):
        FoodWeb(2, species, eats).tables  # noqa: B018
