"""Random games, on which the benchmark and the computer players rely."""

from collections import Counter
from random import Random

import pytest

from game.rules.circle_of_life import GAME
from game.rules.circle_of_life.critters import BIT
from game.rules.food_web.ecosystem import draw_cell
from tests.helpers.effort import effort
from tests.helpers.games.playing_out import random_game


def game_by_positions(rng: Random, target: int) -> tuple[int, int]:
    """Play the game that `random_game` plays, through the rules that check every move."""
    position, plies = GAME.initial({"target": str(target)}), 0
    while (outcome := GAME.outcome(position)) is None:
        position = GAME.play(position, GAME.legal_moves(position).pick(rng))
        plies += 1
    assert outcome.winner is not None
    return outcome.winner - 1, plies


def unevenness(drawn: Counter[int], cells: int) -> float:
    """Measure draws against equal chances: chi square for each degree of freedom, about 1."""
    fair = drawn.total() / cells
    counts = list(drawn.values()) + [0] * (cells - len(drawn))
    return sum((count - fair) ** 2 / fair for count in counts) / (cells - 1)


@pytest.mark.parametrize("target", [1, 6, 20, 999])
def test_random_game_agrees_with_the_same_draws_through_positions(target: int) -> None:
    for seed in range(effort(15, 100)):
        one, other = Random(seed), Random(seed)
        assert random_game(one, target) == game_by_positions(other, target)
        assert one.getstate() == other.getstate()


@pytest.mark.parametrize("cells", [2, 3, 11, 12, 13, 14, 40, 61])
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
