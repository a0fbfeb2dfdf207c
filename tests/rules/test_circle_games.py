"""Random games of Circle of Life: agreement with the naive rules, perft, and even draws."""

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from game.cli.referee import referee
from game.rules.circle_of_life import GAME, Position
from game.rules.circle_of_life.critters import BIT
from game.rules.food_web.ecosystem import draw_cell
from tests.helpers.effort import effort
from tests.helpers.games.playing_out import unevenness
from tests.helpers.programs.conversation import Umpire
from tests.oracles.naive_circle import CELLS, NaivePosition, bga_name

GAMES = effort(16, 300)
PROCESSES = effort(2, 10)
SCATTERED = effort(8, 60)
TARGETS = (None, 1, 2, 7, 20, 40, 999)


def options_of(position: NaivePosition) -> dict[str, str]:
    """Write a start position as options, the defaults left out."""
    shown = {}
    if position.to_move != 1:
        shown["first"] = str(position.to_move)
    if position.target != 20:
        shown["target"] = str(position.target)
    return shown


def call_of(position: NaivePosition) -> list[str]:
    """Write the command's arguments for a game from that start."""
    pairs = [f"--option={key}={value}" for key, value in options_of(position).items()]
    return ["referee", "circle-of-life", "--legal", *pairs]


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


def random_start(rng: Random) -> NaivePosition:
    """Draw who begins and the target; None is the default of 20."""
    return NaivePosition(to_move=rng.choice((1, 2)), target=rng.choice(TARGETS) or 20)


def as_written(rng: Random, position: NaivePosition, cell: str) -> str:
    """Write a move in one of the ways that a record may."""
    x = position.text_of(cell)[len(cell) :]
    return rng.choice((cell, cell + x, bga_name(cell), bga_name(cell) + x, f"  {cell}{x} "))


def converse(umpire: Umpire, seed: int) -> str:
    """Play one random game and compare every answer; return how it ended."""
    rng = Random(seed)
    before = position = random_start(rng)
    answer = umpire.call(call_of(position))
    assert answer == expected(0, position, position, "")
    ply = refused = 0
    while position.winner() is None:
        illegal = sorted(set(CELLS) - set(position.legal()))
        if illegal and rng.random() < 0.1:
            refusal = umpire.say(rng.choice(illegal))
            assert refusal.pop("error")
            assert refusal == answer
            refused += 1
        cell = rng.choice(position.legal())
        before, position, ply = position, position.play(cell), ply + 1
        answer = umpire.say(as_written(rng, before, cell))
        assert answer == expected(ply, position, before, cell)
    refusal = umpire.say(rng.choice(CELLS))
    assert refusal.pop("error")
    assert refusal == answer
    assert umpire.end() == 1
    return str(answer["outcome"]["reason"])


@pytest.mark.parametrize("process", range(PROCESSES))
def test_random_games_in_conversation_agree_at_every_ply(process: int) -> None:
    with Umpire() as umpire:
        ends = {converse(umpire, seed) for seed in range(process, GAMES, PROCESSES)}
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
            assert json.loads(start.text) == json.loads(shown)
            wanted = expected(1, scattered.play(cell), scattered, cell)
            assert json.loads(after.text) == wanted
            eaten += len(wanted["removed"])
    assert eaten > 4 * SCATTERED


EARLY = "22.../21..../....1../21.12..1/..112..../...2..../.2...../22...1/..... 1 0-2 20"
LATE = "212.1/...12./..112../.1.2121./1.12.2122/12..1.2./2.11.21/.212.1/.22.. 1 4-4 20"
FULL = "1..11/21..22/21.221./.121.112/2..21.221/22.12.11/2122.12/.2..22/1111. 1 4-5 20"
NEAR_TARGET = LATE.replace("4-4 20", "4-4 6")

COUNTS = {
    GAME.text(GAME.initial()): (61, 3660, 215_940),
    EARLY: (35, 1366, 45291),
    LATE: (12, 128, 1465),
    FULL: (3, 16, 39),
    NEAR_TARGET: (12, 128, 1089),
}


def perft(position: Position, depth: int) -> int:
    """Count the lines of so many legal moves."""
    moves = GAME.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(GAME.play(position, move), depth - 1) for move in moves)


@pytest.mark.parametrize("text", COUNTS)
def test_perft_is_as_pinned(text: str) -> None:
    position = GAME.parse(text)
    assert tuple(perft(position, depth) for depth in (1, 2, 3)) == COUNTS[text]


@pytest.mark.parametrize("cells", [2, 12, 13, 61])
def test_draw_cell_gives_each_cell_the_same_chance(cells: int) -> None:
    rng = Random(cells)
    chosen = rng.sample(range(61), cells)
    mask = sum(BIT[cell] for cell in chosen)
    drawn = Counter(draw_cell(mask, rng) for _ in range(400 * cells))
    assert set(drawn) == set(chosen)
    assert unevenness(drawn, cells) < (6 if cells < 5 else 2)


def test_drawing_from_no_cell_is_a_lookup_error() -> None:
    with pytest.raises(LookupError, match="no cell"):
        draw_cell(0, Random(0))
