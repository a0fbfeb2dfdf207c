"""The search for every game: it finds what can be found, for any number of players."""

import pytest

from game.engine.general import GeneralBoard, evaluate
from game.engine.search import Search, new_search
from game.rules.base.game import Goal
from game.rules.base.message import say
from game.rules.base.registry import find_game
from tests.helpers.games.small_games import Endless, Gamble, Heap, Noughts, telling


@pytest.fixture(params=["plain", "with goals"])
def goals(request):
    """Whether games report goals; those use a different search."""
    return request.param == "with goals"


@pytest.fixture
def searched(goals):
    def search(game, position: str, nodes: int = 3000, seed: int = 1) -> Search:
        return searching(telling(game) if goals else game, position, nodes, seed)

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
    search = searched(Noughts(), "1.1.2....")
    assert (search.choices()[0].move, search.choices()[0].value) == ("1", 0.5)
    assert all(choice.value == 0 for choice in search.choices()[1:] if choice.decided)


def test_proved_draw_is_taken_before_what_promises_less():
    search = searching(Gamble(winner=2), "0", 20)
    draw, gamble = search.choices()
    assert (draw.move, draw.value, draw.decided) == ("draw", 0.5, True)
    assert (gamble.value, gamble.decided) == (0, False)
    assert gamble.visits > draw.visits


def test_proved_draw_is_left_for_what_promises_more():
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
    assert choice.line == (choice.move,)


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


def test_promise_counts_beside_the_games_that_were_played_on():
    class Lead(Heap):
        def goals(self, position: str):
            return (Goal(1, say("goal.score"), 9, 10), Goal(2, say("goal.score"), 1, 10))

    class Behind(Heap):
        def goals(self, position: str):
            return (Goal(1, say("goal.score"), 1, 10), Goal(2, say("goal.score"), 9, 10))

    values = [searching(game(), "60 1", 60).choices()[0].value for game in (Lead, Behind)]
    assert values[0] > 0.6
    assert values[1] < 0.4


@pytest.mark.parametrize("nearly", [(11, 12), (13, 14)])
def test_round_that_was_won_promises_more_than_one_nearly_won(nearly):
    class Rounds(Heap):
        def goals(self, position: str):
            if position == "won":
                round_, won = (0, 5), 1
            else:
                round_, won = nearly, 0
            word = say("goal.score")
            return (
                Goal(1, word, *round_),
                Goal(2, word, 0, 5),
                Goal(1, word, won, 2, of_match=True),
                Goal(2, word, 0, 2, of_match=True),
            )

    won, almost = evaluate(Rounds(), "won"), evaluate(Rounds(), "nearly")
    assert won[0] > almost[0] > 0.5
