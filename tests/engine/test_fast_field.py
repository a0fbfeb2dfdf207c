"""The fast board plays as the rules do, move for move."""

from random import Random

import pytest

from game.engine.circle.board import board_of
from game.engine.circle.tables import narrow
from game.rules.circle_of_life import GAME, Position
from game.rules.circle_of_life.critters import BOARD, CRITTERS, INDEX, TABLES
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


def test_plain_field_plays_as_the_rules_do():
    module = forms.plain()["circle.field"]

    def begin(position: Position) -> object:
        field = module.Field(position.target)
        field.mover = position.mover
        return field

    rng = Random(11)
    assert sum(play_game(begin, rng) for _ in range(GAMES // 5)) > 6 * GAMES


@pytest.mark.parametrize("seed", range(effort(5, 20)))
def test_field_of_any_position_is_the_one_that_was_played_to(seed: int):
    rng = Random(seed)
    position = GAME.initial({"target": "61"})
    played = fast_field(position)
    for _ in range(rng.randrange(60)):
        if GAME.outcome(position):
            break
        move = GAME.legal_moves(position).pick(rng)
        position = GAME.play(position, move)
        played.place(INDEX[move])
    made = fast_field(position)
    assert_same(made, position)
    for player in range(2):
        for cell in range(len(BOARD.cells)):
            if made.open_cells(player) >> cell & 1:
                assert made.prey_at(player, cell) == played.prey_at(player, cell)
                assert made.critter_at(player, cell) == played.critter_at(player, cell)


def test_comparison_finds_a_stone_too_many():
    position = GAME.play(GAME.initial(), "e5")
    field = fast_field(GAME.initial())
    with pytest.raises(AssertionError):
        assert_same(field, position)


def test_copy_is_the_same_and_a_board_of_its_own():
    field = fast_field(GAME.play(GAME.play(GAME.initial({"target": "7"}), "e5"), "e6"))
    copy = fast_field(GAME.initial())
    copy.copy_from(field)
    copy.place(INDEX["a1"])
    assert field.stones(0) == 1 << INDEX["e5"]
    assert copy.stones(0) == 1 << INDEX["e5"] | 1 << INDEX["a1"]
    assert (copy.mover, field.mover, copy.target) == (1, 0, 7)


@pytest.mark.parametrize("form", [forms.in_use, forms.plain])
def test_every_critter_is_found_by_its_cells(form: object):
    field = form()["circle.field"]
    assert len({field.critter_of(narrow(mask)) for mask in CRITTERS}) == len(CRITTERS)


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


def test_games_without_end_are_cut_short(monkeypatch: pytest.MonkeyPatch):
    plain = forms.plain()
    module, chance = plain["circle.field"], plain["fast.chance"]
    monkeypatch.setattr(module, "LONGEST", 3)
    field = module.Field(20)
    field.set_eaten(0, 2)
    assert field.greedy_playout(chance.Xorshift(1)) == 0
    assert (field.stones(0) | field.stones(1)).bit_count() == 3
