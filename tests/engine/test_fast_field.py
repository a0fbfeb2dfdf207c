"""The fast board plays as the rules do, move for move."""

from random import Random

import pytest

from game.engine.circle.board import board_of
from game.engine.circle.tables import narrow
from game.rules.circle_of_life import GAME, Position
from game.rules.circle_of_life.critters import BOARD, INDEX, TABLES
from game.rules.food_web.ecosystem import open_cells
from tests.helpers.effort import effort
from tests.helpers.programs import forms


def fast_field(position: Position) -> object:
    return board_of(position).field


GAMES = effort(20, 1_000)
TARGETS = ("1", "6", "20", "20", "61")


def assert_same(field: object, position: Position) -> None:
    """Compare the stones, what was eaten, whose turn it is, and who may place where."""
    for player in range(2):
        assert field.stones(player) == narrow(position.stones[player])
        assert field.eaten(player) == position.eaten[player]
        allowed = open_cells(TABLES, position.stones, position.crowd[player])
        assert field.open_cells(player) == narrow(allowed)
    assert field.mover == position.mover


def play_game(begin: object, rng: Random) -> int:
    """Play one game at random on both boards, comparing all the way; return its plies."""
    options = {"first": rng.choice("12"), "target": rng.choice(TARGETS)}
    position = GAME.initial(options)
    field = begin(position)
    plies = 0
    while True:
        assert_same(field, position)
        outcome = GAME.outcome(position)
        assert field.winner() == (outcome.winner - 1 if outcome else -1)
        if outcome is not None:
            return plies
        move = GAME.legal_moves(position).pick(rng)
        prey = field.prey_at(position.mover, INDEX[move])
        before, position = position, GAME.play(position, move)
        enemy = 1 - before.mover
        gone = narrow(before.stones[enemy] & ~position.stones[enemy])
        assert field.place(INDEX[move]) == prey == gone
        plies += 1


@pytest.mark.parametrize("seed", range(effort(2, 10)))
def test_field_plays_as_the_rules_do(seed: int):
    rng = Random(seed)
    plies = sum(play_game(fast_field, rng) for _ in range(GAMES))
    assert plies > 30 * GAMES


@pytest.mark.parametrize("cells", [range(61), range(30, 61, 2), (0, 7, 60), (60,), (0,)])
@pytest.mark.parametrize("form", [forms.in_use, forms.plain])
def test_every_cell_is_drawn_as_often(form: object, cells: range):
    draws = 400 * len(cells)
    chance = form()["fast.chance"].Xorshift(5)
    mask = sum(1 << cell for cell in cells)
    drawn = [chance.cell(mask) for _ in range(draws)]
    assert set(drawn) == set(cells)
    # Five standard deviations around 400.
    assert all(300 <= drawn.count(cell) <= 500 for cell in cells)


def test_plain_and_compiled_draw_and_play_the_same():
    one, other = forms.in_use()["circle.field"], forms.plain()["circle.field"]
    chances = [form()["fast.chance"].Xorshift(9) for form in (forms.in_use, forms.plain)]
    assert [chances[0].draw() for _ in range(100)] == [chances[1].draw() for _ in range(100)]
    for seed, target in ((1, 20), (2, 5), (3, 61)):
        assert one.random_games(150, seed, target) == other.random_games(150, seed, target)


def test_random_games_end_as_those_of_the_rules():
    # In 20,000 games of the rules' own, 61 plies a game, and the first player wins 52%.
    won, plies = forms.in_use()["circle.field"].random_games(2_000, 4)
    assert 60.0 < plies / 2_000 < 62.0
    assert 950 < won < 1_100


@pytest.mark.parametrize("seed", range(effort(2, 5)))
def test_hungriest_cell_eats_as_much_as_any(seed: int):
    rng = Random(seed)
    field = fast_field(GAME.initial({"target": "61"}))
    while field.winner() < 0:
        cells = field.open_cells(field.mover)
        indices = [cell for cell in range(len(BOARD.cells)) if cells >> cell & 1]
        start = rng.choice(indices)
        gains = {cell: field.prey_at(field.mover, cell).bit_count() for cell in indices}
        found = field.greediest(field.mover, cells, start)
        assert gains[found] == max(gains.values())
        if not gains[found]:
            assert found == start
        field.place(found)
