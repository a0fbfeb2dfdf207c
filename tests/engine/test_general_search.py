"""The search for every game: it finds what can be found, for any number of players."""

import pytest
from small_games import Endless, Gamble, Heap, Noughts

from game.engine import general
from game.engine.general import GeneralSearch
from game.rules.catalogue import find_game


def searched(game, position: str, nodes: int = 3000, seed: int = 1) -> GeneralSearch:
    search = GeneralSearch(game, position, seed)
    search.go_on(nodes)
    return search


@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_win_at_heap_is_proved_by_leaving_a_multiple_of_four(heap: int):
    best = searched(Heap(), f"{heap} 1").choices()[0]
    assert (best.move, best.value, best.decided) == (str(heap % 4), 1, True)


def test_lost_heap_is_proved_lost_with_every_move():
    search = searched(Heap(), "8 2")
    assert search.settled
    assert {(choice.value, choice.decided) for choice in search.choices()} == {(0, True)}
    assert sorted(choice.move for choice in search.choices()) == ["1", "2", "3"]


def test_settled_search_does_nothing_more():
    search = searched(Heap(), "3 1")
    nodes, choices = search.nodes, search.choices()
    search.go_on(1000)
    assert (search.nodes, search.choices()) == (nodes, choices)
    assert nodes < 1000


def test_win_in_one_is_taken():
    best = searched(Noughts(), "11.22....", nodes=50).choices()[0]
    assert (best.move, best.value, best.decided) == ("2", 1, True)


def test_line_of_the_other_is_stopped():
    best = searched(Noughts(), "11..2....", nodes=500).choices()[0]
    assert best.move == "2"


def test_drawn_game_is_proved_worth_half():
    search = searched(Noughts(), "1...2....")
    assert (search.choices()[0].value, search.choices()[0].decided) == (0.5, True)
    assert search.settled


def test_proved_draw_is_taken_before_a_loss():
    # Only the place between the two noughts keeps the draw.
    search = searched(Noughts(), "1.1.2....")
    assert (search.choices()[0].move, search.choices()[0].value) == ("1", 0.5)
    assert all(choice.value == 0 for choice in search.choices()[1:] if choice.decided)


def test_proved_draw_is_taken_before_what_promises_less():
    search = searched(Gamble(winner=2), "0", nodes=20)
    draw, gamble = search.choices()
    assert (draw.move, draw.value, draw.decided) == ("draw", 0.5, True)
    assert (gamble.value, gamble.decided) == (0, False)
    assert gamble.visits > draw.visits


def test_proved_draw_is_left_for_what_promises_more():
    gamble, draw = searched(Gamble(winner=1), "0", nodes=20).choices()
    assert (gamble.move, gamble.value, gamble.decided) == ("go", 1, False)
    assert (draw.move, draw.decided) == ("draw", True)


def test_three_players_take_what_wins_for_themselves():
    game = Heap(players=3)
    for heap in (1, 2, 3):
        best = searched(game, f"{heap} 3").choices()[0]
        assert (best.move, best.value, best.decided) == (str(heap), 1, True)


def test_result_for_three_is_not_sure_where_another_may_choose_who_wins():
    # Of five the mover always loses, but says which of the two others wins: that is never sure.
    search = searched(Heap(players=3), "5 1")
    assert {(choice.value, choice.decided) for choice in search.choices()} == {(0, True)}
    assert not search.settled
    above = {choice.move: choice for choice in searched(Heap(players=3), "6 1").choices()}
    assert [above[move].decided for move in "123"] == [False, True, True]
    assert 0 < above["1"].value < 1


def test_same_seed_finds_the_same_in_one_go_and_in_many():
    at_once, by_pieces = searched(Heap(), "25 1", 300), searched(Heap(), "25 1", 0)
    for _ in range(30):
        by_pieces.go_on(10)
    assert at_once.nodes == by_pieces.nodes == 300
    assert at_once.choices() == by_pieces.choices()
    assert searched(Heap(), "25 1", 300, seed=2).choices() != at_once.choices()


def test_before_any_node_there_is_a_legal_move():
    choice = searched(Heap(), "9 1", nodes=0).choices()[0]
    assert (choice.move in ("1", "2", "3"), choice.visits, choice.decided) == (True, 0, False)
    assert choice.line == (choice.move,)


def test_line_is_legal_play_that_begins_with_its_move():
    game = find_game("circle-of-life")
    position = game.initial()
    search = GeneralSearch(game, position, 5)
    search.go_on(400)
    best = search.choices()[0]
    assert best.line[0] == best.move
    for text in best.line:
        position = game.play(position, game.parse_move(position, text))


def test_game_without_end_counts_as_a_draw(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(general, "MOST_PLIES", 50)
    search = searched(Endless(), "1 1", nodes=20)
    assert {choice.value for choice in search.choices()} == {0.5}


def test_tree_stops_growing_and_the_search_goes_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(general, "MOST_KEPT", 10)
    search = searched(Heap(), "40 1", nodes=500)
    assert search.nodes == 500
    assert sum(choice.visits for choice in search.choices()) == 500
    assert len(search.choices()) == 3


def test_only_move_is_soon_settled():
    search = searched(Endless(), "1 1", nodes=0)
    assert not search.settled

    class Forced(Heap):
        def legal_moves(self, position: str):
            return type(super().legal_moves(position))(("1",) if position[0] != "0" else ())

    forced = searched(Forced(), "9 1", nodes=10_000)
    assert forced.settled
    assert forced.nodes <= general.ENOUGH
    assert [choice.move for choice in forced.choices()] == ["1"]
