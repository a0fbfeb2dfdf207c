"""The search for every game: it finds what can be found, for any number of players."""

import pytest

from game.engine.general import GeneralBoard, evaluate
from game.engine.search import Search, new_search
from game.rules.base.game import Goal
from game.rules.base.message import say
from game.rules.base.registry import find_game
from tests.helpers.games.small_games import Endless, Gamble, Heap, Noughts, telling


@pytest.fixture(params=[telling, lambda game: game], ids=["with goals", "plain"])
def searched(request):
    """Search a game with goals, or without: those use a different search."""

    def search(game, position: str, nodes: int = 3000, seed: int = 1) -> Search:
        return searching(request.param(game), position, nodes, seed)

    return search


def searching(game, position: str, nodes: int, seed: int = 1) -> Search:
    search = new_search(game, position, seed)
    search.go_on(nodes)
    return search


@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_win_at_heap_is_proved_by_leaving_a_multiple_of_four(searched, heap):
    best = searched(Heap(), f"{heap} 1").choices()[0]
    assert (best.move, best.value, best.decided) == (str(heap % 4), 1, True)


def test_lost_heap_is_proved_lost_with_every_move(searched):
    search = searched(Heap(), "8 2")
    assert search.settled
    assert {(choice.value, choice.decided) for choice in search.choices()} == {(0, True)}
    assert sorted(choice.move for choice in search.choices()) == ["1", "2", "3"]


def test_proved_draw_is_taken_before_a_loss(searched):
    # Only the place between the two noughts keeps the draw.
    best, *others = searched(Noughts(), "1.1.2....").choices()
    assert (best.move, best.value) == ("1", 0.5)
    assert all(choice.value == 0 for choice in others if choice.decided)


def test_proved_draw_is_taken_before_what_promises_less_and_left_for_more():
    draw, gamble = searching(Gamble(winner=2), "0", 20).choices()
    assert (draw.move, draw.value, draw.decided) == ("draw", 0.5, True)
    assert (gamble.value, gamble.decided, gamble.visits > draw.visits) == (0, False, True)
    gamble, draw = searching(Gamble(winner=1), "0", 20).choices()
    assert (gamble.move, gamble.value, gamble.decided) == ("go", 1, False)
    assert (draw.move, draw.decided) == ("draw", True)


def test_result_for_three_is_not_sure_where_another_may_choose_who_wins(searched):
    # With five left the mover always loses but decides who wins, so nothing is certain.
    search = searched(Heap(players=3), "5 1")
    assert {(choice.value, choice.decided) for choice in search.choices()} == {(0, True)}
    assert not search.settled
    above = {choice.move: choice for choice in searched(Heap(players=3), "6 1").choices()}
    assert [above[move].decided for move in "123"] == [False, True, True]
    assert 0 < above["1"].value < 1


def test_same_seed_finds_the_same_in_one_go_and_in_many(searched):
    at_once, by_pieces = searched(Heap(), "25 1", 300), searched(Heap(), "25 1", 0)
    for _ in range(30):
        by_pieces.go_on(10)
    assert at_once.nodes == by_pieces.nodes == 300
    assert at_once.choices() == by_pieces.choices()
    assert searched(Heap(), "25 1", 300, seed=2).choices() != at_once.choices()


def test_before_any_node_there_is_a_legal_move(searched):
    choice = searched(Heap(), "9 1", nodes=0).choices()[0]
    assert (choice.move in ("1", "2", "3"), choice.visits, choice.decided) == (True, 0, False)


def test_game_without_end_counts_as_a_draw(searched):
    search = searched(Endless(), "1 1", nodes=20)
    assert {choice.value for choice in search.choices()} == {0.5}


def test_of_more_moves_than_the_tree_takes_some_are_searched():
    game = find_game("adaptoid")
    board = GeneralBoard(game, game.initial())
    search = Search(board, board.texts, 1)
    search.go_on(1)
    moves = {choice.move for choice in search.choices()}
    assert len(moves) == len(search.choices()) == 512
    assert moves < {game.move_text(None, move) for move in game.legal_moves(game.initial())}


class Promising(Heap):
    """Heap with goals: those of each player by its number, of the game and of a match."""

    def __init__(self, *goals: tuple[int, int, int, bool]) -> None:
        super().__init__()
        self._goals = [
            Goal(player, say("goal.score"), reached, wanted, of_match=of_match)
            for player, reached, wanted, of_match in goals
        ]

    def goals(self, position: str):
        return tuple(self._goals)


def test_promise_counts_beside_the_games_that_were_played_on():
    lead, behind = (
        Promising((player, 9, 10, False), (3 - player, 1, 10, False)) for player in (1, 2)
    )
    values = [searching(game, "60 1", 60).choices()[0].value for game in (lead, behind)]
    assert values[0] > 0.6
    assert values[1] < 0.4


@pytest.mark.parametrize("nearly", [(11, 12), (13, 14)])
def test_round_that_was_won_promises_more_than_one_nearly_won(nearly):
    theirs = (2, 0, 5, False), (2, 0, 2, True)
    won = evaluate(Promising((1, 0, 5, False), (1, 1, 2, True), *theirs), "")
    almost = evaluate(Promising((1, *nearly, False), (1, 0, 2, True), *theirs), "")
    assert won[0] > almost[0] > 0.5
