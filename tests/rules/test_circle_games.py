"""Random games of Circle of Life: agreement with the naive rules, and even draws."""

import json
from collections import Counter, deque
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from game.cli.referee import referee
from game.rules.circle_of_life import GAME
from game.rules.circle_of_life.critters import BIT
from game.rules.food_web.position import draw_cell
from tests.helpers.effort import effort
from tests.helpers.games.playing_out import unevenness
from tests.oracles.naive_circle import CELLS, NaivePosition, bga_name

GAMES = effort(16, 300)
SCATTERED = effort(8, 60)
TARGETS = (1, 2, 7, 20, 40, 999)


class Umpire:
    """The referee of one game, which is sent a line at a time."""

    def __init__(self, start: NaivePosition) -> None:
        options = {"first": str(start.to_move), "target": str(start.target)}
        self._lines = deque[str]()
        self._answers = referee(GAME, options, None, True, iter(self._lines.popleft, None))

    def answer(self, *line: str) -> dict[str, Any]:
        """Return the answer to a line, or the one about the start, as other programs read it."""
        self._lines.extend(line)
        return json.loads(json.dumps(next(self._answers)))


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


def converse(seed: int) -> str:
    """Play one random game and compare every answer; return how it ended."""
    rng = Random(seed)
    start = NaivePosition(to_move=rng.choice((1, 2)), target=rng.choice(TARGETS))
    before = position = start
    umpire, ply = Umpire(start), 0
    answer = umpire.answer()
    assert answer == expected(0, position, position, "")
    while position.winner() is None:
        illegal = sorted(set(CELLS) - set(position.legal()))
        if illegal and rng.random() < 0.1:
            refusal = umpire.answer(rng.choice(illegal))
            assert refusal.pop("error")
            assert refusal == answer
        cell = rng.choice(position.legal())
        before, position, ply = position, position.play(cell), ply + 1
        answer = umpire.answer(as_written(rng, before, cell))
        assert answer == expected(ply, position, before, cell)
    refusal = umpire.answer(rng.choice(CELLS))
    assert refusal.pop("error")
    assert refusal == answer
    return str(answer["outcome"]["reason"])


def test_random_games_in_conversation_agree_at_every_ply() -> None:
    ends = {converse(seed) for seed in range(GAMES)}
    assert ends == {"stones eaten", "no legal placement"}


def crowded(rng: Random) -> NaivePosition:
    """Scatter stones without a critter of five: positions that no game may have visited."""
    position = NaivePosition(target=999)
    for cell in rng.sample(CELLS, rng.randint(0, len(CELLS))):
        position = replace(position, to_move=rng.choice((1, 2)))
        if position.is_legal(cell):
            position = replace(position, stones={**position.stones, cell: position.to_move})
    return replace(position, score=(rng.randint(0, 60), rng.randint(0, 60)))


@pytest.mark.parametrize("batch", range(4))
def test_every_move_of_scattered_positions_agrees(batch: int) -> None:
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
def test_draw_cell_gives_each_cell_the_same_chance(cells: int) -> None:
    rng = Random(cells)
    chosen = rng.sample(range(61), cells)
    mask = sum(BIT[cell] for cell in chosen)
    drawn = Counter(draw_cell(mask, rng) for _ in range(400 * cells))
    assert set(drawn) == set(chosen)
    assert unevenness(drawn, cells) < (6 if cells < 5 else 2)
