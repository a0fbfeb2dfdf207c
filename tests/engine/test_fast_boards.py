"""Each fast board plays as the rules do, move for move, from any position."""

from collections import Counter
from importlib import import_module
from random import Random
from typing import Any

import pytest

from game.engine.fast.board import FastBoard
from game.engine.food_web import board as food_webs
from game.engine.search import FAST, new_search
from game.rules.base.registry import find_game
from tests.helpers.games.cirkle_games import LEVELS, started
from tests.helpers.programs import forms

GAMES = 12


def options_of(name: str, number: int) -> dict[str, str]:
    """Return the options of a game by number, so that all levels and several targets occur."""
    if name == "circle-of-life" or name.startswith("eat-your-neighbor"):
        return {"target": ("1", "6", "20", "61")[number % 4]}
    if name.startswith("capture-go"):
        return {"target": ("1", "2", "3", "9")[number % 4]}
    return {"level": LEVELS[number % len(LEVELS)]} if name == "cirkle-mind" else {}


def fast(name: str) -> Any:
    """Return the module of a game's fast board."""
    return import_module(f"game.engine.{FAST[name]}")


def listed(board: FastBoard) -> list[int]:
    return list(board.moves[: board.list_moves()])


def whole_moves(board: FastBoard, started: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """List the legal moves of a board, each with all its parts."""
    found = []
    for move in listed(board):
        after = board.fresh()
        after.copy_from(board)
        after.play(move)
        parts = (*started, move)
        found += whole_moves(after, parts) if after.within else [parts]
    return found


def assert_same(game: Any, board: FastBoard, position: Any) -> None:
    """Compare whose turn it is, how the game ended, and the moves with their texts."""
    outcome = game.outcome(position)
    if outcome is not None:
        assert board.ended == (outcome.winner or board.players + 1)
        return
    assert (board.ended, board.mover + 1) == (0, game.to_move(position))
    texts = [fast(game.name).texts(position, moves) for moves in whole_moves(board)]
    legal = [[game.plain_text(position, move)] for move in game.legal_moves(position)]
    assert sorted(texts) == sorted(legal)


@pytest.mark.parametrize("name", sorted(FAST))
def test_fast_board_plays_as_the_rules_do(name):
    game, rng = find_game(name), Random(name)
    for number in range(GAMES):
        position = started(game, options_of(name, number), number)
        board = fast(name).board_of(position)
        for ply in range(400):
            if (ply + number) % 8 == 0:
                assert_same(game, board, position)
                assert_same(game, fast(name).board_of(position), position)
            if game.outcome(position) is not None:
                break
            parts: list[int] = []
            while board.within or not parts:
                parts.append(rng.choice(listed(board)))
                board.play(parts[-1])
            (text,) = fast(name).texts(position, parts)
            position = game.play(position, game.parse_move(position, text))
        assert_same(game, board, position)


@pytest.mark.parametrize("name", [name for name in sorted(FAST) if fast(name) is food_webs])
def test_food_web_eats_in_every_position_as_the_rules_do(name):
    game, rng, swarmed = find_game(name), Random(name), 0
    for _ in range(GAMES):
        position = game.initial({"target": rng.choice(("3", "12", "61"))})
        board = food_webs.board_of(position)
        while game.outcome(position) is None:
            assert listed(board) == [position.tables.index[m] for m in game.legal_moves(position)]
            for cell in listed(board):
                placed = game.result(position, position.tables.cells[cell])
                after = board.fresh()
                after.copy_from(board)
                after.play(cell)
                prey = board.words[1 - board.mover] & ~after.words[1 - board.mover]
                eaten = {name for n, name in enumerate(position.tables.cells) if prey >> n & 1}
                assert eaten == set(placed.removed)
                swarmed += bool(eaten) and placed.critter.swarm > 1
            cell = rng.choice(listed(board))
            board.play(cell)
            position = game.play(position, position.tables.cells[cell])
            assert list(board.words[2:4]) == list(position.eaten)
        assert board.ended == game.outcome(position).winner
    assert bool(swarmed) == bool(game.web.swarms)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("name", sorted(FAST))
def test_choices_are_the_legal_moves_with_lines_that_can_be_played(name, plain):
    game, rng = find_game(name), Random(name)
    position = started(game)
    for _ in range(3 if name == "capture-go-7" else 9):
        position = game.play(position, game.legal_moves(position).pick(rng))
    at_once, in_slices = (new_search(game, position, 5, plain=plain) for _ in range(2))
    at_once.go_on(300)
    for nodes in (0, 1, 99, 200):
        in_slices.go_on(nodes)
        choices = in_slices.choices()
        legal = [game.plain_text(position, move) for move in game.legal_moves(position)]
        assert sorted(choice.move for choice in choices) == sorted(legal)
    assert choices == at_once.choices()
    assert sum(choice.visits for choice in choices) <= in_slices.nodes <= 300
    for choice in choices:
        assert 0 <= choice.value <= 1
        after = position
        for text in choice.line:
            after = game.play(after, game.parse_move(after, text))


@pytest.mark.parametrize("nodes", [200, 2_000])
@pytest.mark.parametrize(
    "text",
    [
        ".D.L/...L/...L/...L/...L/...L/...L/..DL basic DL D 2:6",
        "...L/...L/...L/...L/...L/.DDL/...L/...L basic DL L 2:7",
    ],
)
def test_winner_of_the_first_round_of_azteka_does_not_wait(text, nodes):
    game, ply = find_game("azteka"), 0
    position = game.parse(text)
    while game.to_move(position) is not None and ply < 30:
        search, ply = new_search(game, position, ply), ply + 1
        search.go_on(nodes)
        position = game.play(position, game.parse_move(position, search.choices()[0].move))
    assert game.outcome(position).winner == 2


@pytest.mark.parametrize("cells", [range(61), range(30, 61, 2), (0, 7, 60), (0,)])
@pytest.mark.parametrize("form", [forms.in_use, forms.plain])
def test_every_cell_is_drawn_as_often(form, cells):
    chance = form()["fast.chance"].Xorshift(5)
    mask = sum(1 << cell for cell in cells)
    drawn = Counter(chance.cell(mask) for _ in range(400 * len(cells)))
    assert set(drawn) == set(cells)
    # Five standard deviations around 400.
    assert all(300 <= count <= 500 for count in drawn.values())


def test_hungriest_cell_eats_as_much_as_any():
    rng, position = Random(1), find_game("circle-of-life").initial({"target": "61"})
    board = forms.plain()["food_web.board"].board_of(position)
    while not board.ended:
        start, enemy = rng.choice(cells := listed(board)), 1 - board.mover
        prey = {cell: board.prey_of(enemy, board.critter_at(1 - enemy, cell)) for cell in cells}
        gains = {cell: mask.bit_count() for cell, mask in prey.items()}
        found = board.greediest(start)
        assert gains[found] == max(gains.values())
        assert gains[found] or found == start
        board.play(found)
