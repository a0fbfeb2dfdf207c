"""Random games of Circle of Life: agreement with the naive rules, and even draws."""

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from game.cli.referee import referee
from game.rules.circle_of_life import GAME
from game.rules.circle_of_life.critters import WEB
from game.rules.food_web.position import draw_cell
from tests.helpers.effort import effort
from tests.helpers.games.playing_out import unevenness
from tests.oracles.naive_circle import CELLS, NaivePosition, bga_name

GAMES = effort(16, 80)
SCATTERED = effort(8, 30)
TARGETS = (1, 2, 7, 20, 40, 999)


def expected(ply: int, position: NaivePosition, before: NaivePosition, cell: str) -> dict[str, Any]:
    """Return what the referee must answer after `cell` was played in `before` ("" for none)."""
    legal, winner = position.legal(), position.winner()
    reason = "stones eaten" if max(position.score) >= position.target else "no legal placement"
    return {
        "ply": ply,
        "move": before.text_of(cell) if cell else None,
        "to_move": position.to_move if winner is None else None,
        "pieces": {at: str(player) for at, player in position.stones.items()},
        "removed": sorted(before.eaten_by(cell)) if cell else [],
        "score": list(position.score),
        "legal": len(legal),
        "moves": legal,
        "outcome": None if winner is None else {"winner": winner, "reason": reason},
    }


def as_written(rng: Random, position: NaivePosition, cell: str) -> str:
    """Write a move in one of the ways that a record may."""
    x = position.text_of(cell)[len(cell) :]
    return rng.choice((cell, cell + x, bga_name(cell), bga_name(cell) + x, f"  {cell}{x} "))


def compare_game(seed: int) -> str:
    """Let the referee play one random game and compare every answer; return how it ended."""
    rng = Random(seed)
    position = NaivePosition(to_move=rng.choice((1, 2)), target=rng.choice(TARGETS))
    options = {"first": str(position.to_move), "target": str(position.target)}
    lines, answers = list[str](), [expected(0, position, position, "")]
    ply = 0
    while position.winner() is None:
        illegal = sorted(set(CELLS) - set(position.legal()))
        if illegal and rng.random() < 0.1:
            lines.append(rng.choice(illegal))
            answers.append(answers[-1])
        cell = rng.choice(position.legal())
        before, position, ply = position, position.play(cell), ply + 1
        lines.append(as_written(rng, before, cell))
        answers.append(expected(ply, position, before, cell))
    lines.append(rng.choice(CELLS))
    got = [json.loads(json.dumps(each)) for each in referee(GAME, options, None, True, lines)]
    refused = [bool(each.pop("error", "")) for each in got]
    assert got == [*answers, answers[-1]]
    assert refused == [False, *(one is two for one, two in pairwise(answers)), True]
    return str(answers[-1]["outcome"]["reason"])


def test_random_games_agree_at_every_ply():
    assert {*map(compare_game, range(GAMES))} == {"stones eaten", "no legal placement"}


def crowded(rng: Random) -> NaivePosition:
    """Scatter stones without a critter of five: positions that no game may have visited."""
    position = NaivePosition(target=999)
    for cell in rng.sample(CELLS, rng.randint(0, len(CELLS))):
        position = replace(position, to_move=rng.choice((1, 2)))
        if position.is_legal(cell):
            position = replace(position, stones={**position.stones, cell: position.to_move})
    return replace(position, score=(rng.randint(0, 60), rng.randint(0, 60)))


@pytest.mark.parametrize("batch", range(4))
def test_every_move_of_scattered_positions_agrees(batch):
    rng = Random(batch)
    eaten = 0
    for _ in range(SCATTERED):
        scattered = crowded(rng)
        shown = json.dumps(expected(0, scattered, scattered, ""))
        if scattered.winner() is not None:
            continue
        for cell in scattered.legal():
            start, after = referee(GAME, {"target": "999"}, shown, True, [cell])
            assert json.loads(json.dumps(start)) == json.loads(shown)
            wanted = expected(1, scattered.play(cell), scattered, cell)
            assert json.loads(json.dumps(after)) == wanted
            eaten += len(wanted["removed"])
    assert eaten > 4 * SCATTERED


@pytest.mark.parametrize("cells", [2, 12, 13, 61])
def test_draw_cell_gives_each_cell_the_same_chance(cells):
    rng = Random(cells)
    chosen = rng.sample(range(61), cells)
    mask = sum(WEB.tables.bit[cell] for cell in chosen)
    drawn = Counter(draw_cell(mask, rng) for _ in range(400 * cells))
    assert set(drawn) == set(chosen)
    assert unevenness(drawn, cells) < (6 if cells < 5 else 2)
