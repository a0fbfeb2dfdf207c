"""The course of a game: values, losses, turning points, by a scripted search and the real one."""

from collections.abc import Mapping
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from game.engine import Point, analysed, can_be_judged, final_value, positions_of, turning_points
from game.engine.course import BLUNDER, INACCURACY, MISTAKE, MOST_TURNING, Grading
from game.engine.search import SearchedMove, new_search
from game.rules.base.game import Game
from game.rules.base.grades import Grade
from game.rules.base.registry import find_game
from game.rules.circle_of_life import GAME, CircleOfLife
from tests.helpers.effort import effort
from tests.helpers.games.small_games import Noughts, telling

START = GAME.initial({})


def choice(move: str, value: float, decided: bool = False, *line: str) -> SearchedMove:
    return SearchedMove(move, value, 10, (move, *line), decided)


def cells(*names: str) -> frozenset[str]:
    return frozenset(names)


def judged(
    found: Mapping[frozenset[str], tuple[SearchedMove, ...]], *moves: str, game: CircleOfLife = GAME
) -> list[Point]:
    """Judge a game by searches that find, for the stones on the board, what is given."""

    def search(game: Game[Any, Any], position: Any, seed: int) -> Any:
        choices = found[frozenset(game.pieces(position))]
        return SimpleNamespace(go_on=lambda nodes: None, choices=lambda: choices)

    positions, plain = positions_of(game, START, moves)
    with patch("game.engine.course.new_search", search):
        return list(analysed(game, positions, plain, 50, 7))


def values(move: str, *those: float) -> tuple[SearchedMove, ...]:
    """Return choices with equal visits; the first is the best."""
    return tuple(choice(move if n == 0 else f"e{n}", value) for n, value in enumerate(those))


def test_positions_have_one_value_each_and_a_move_loses_what_it_falls_by():
    found = {
        cells(): (choice("e5", 0.7, False, "a1"), choice("e4", 0.5)),
        # The other player may expect 0.8 after the move, and 0.3 after the next.
        cells("a5"): values("i1", 0.9, 0.7),
        cells("a5", "i1"): values("a1", 0.7),
        cells("e5"): values("a1", 0.4),
    }
    first, second = judged(found, "a5", "i1")
    # The mean of all choices: the best move alone would be too optimistic.
    assert first.value == pytest.approx(0.6)
    assert first.after == second.value == pytest.approx(0.2)
    assert (first.best_value, first.move_value) == pytest.approx((0.6, 0.2))
    assert first.loss == pytest.approx(0.4)
    assert (first.best, first.line, first.decided) == ("e5", ("e5", "a1"), False)
    assert (second.best_value, second.move_value) == pytest.approx((0.8, 0.3))
    # The search's own choice is never marked as a mistake, whatever the result.
    assert (second.best, second.loss, second.mark) == ("i1", 0.0, "")
    # What is proved needs no search after the best move.
    found = {cells(): (choice("e5", 1.0, True),), cells("a5"): (choice("i1", 1.0, True),)}
    (proved,) = judged(found, "a5")
    assert (proved.value, proved.loss, proved.decided) == (1.0, 1.0, True)


def test_a_fault_is_one_only_if_the_best_move_would_have_been_better():
    found = {
        cells(): values("e5", 0.7),
        cells("a5"): values("i1", 0.8),
        cells("a5", "e5"): values("i1", 0.3),
        cells("a5", "i1"): values("e5", 0.27),
        # Every move of player 1 loses, and player 2 had nothing better.
        cells("e5"): values("a1", 0.78),
    }
    first, second = judged(found, "a5", "e5")
    assert first.value == pytest.approx(0.22)
    assert first.mark == ""
    # Player 2 was too optimistic as well; the point before shows that too.
    assert first.after == second.value == pytest.approx(0.27)
    assert second.mark == ""


@pytest.mark.parametrize(
    ("loss", "mark"),
    [
        (0.01, ""), (INACCURACY - 0.01, ""), (INACCURACY + 0.01, "?!"),
        (MISTAKE + 0.01, "?"), (BLUNDER + 0.01, "??"),
    ],
)  # fmt: skip
def test_faults_are_marked_from_a_threshold_on(loss, mark):
    assert point(0, 1, 0.6, 0.6 - loss).mark == mark
    assert point(0, 2, 0.6, 0.6 - loss).mark == mark


class Narrow(CircleOfLife):
    """Circle of Life in which the second player has one move only: the lowest free cell."""

    def legal_moves(self, position: Any) -> Any:
        moves = super().legal_moves(position)
        return tuple(moves)[:1] if self.to_move(position) == 2 else moves


def test_a_position_with_one_move_is_worth_what_comes_of_it():
    found = {
        cells(): (choice("e5", 0.6),),
        cells("e5", "a1"): (
            SearchedMove("i1", 0.8, 30, ("i1",)),
            SearchedMove("i2", 0.4, 10, ("i2",)),
        ),
    }
    points = judged(found, "e5", "a1", game=Narrow())
    mean = (30 * 0.8 + 10 * 0.4) / 40
    assert points[0].after == points[1].value == pytest.approx(mean)
    assert (points[1].best, points[1].loss) == ("a1", 0.0)
    assert points[1].line == ("a1", "i1")


def test_only_games_for_two_that_hide_nothing_can_be_judged():
    names = ("circle-of-life", "azteka-three", "cirkle-mind")
    assert [can_be_judged(find_game(name)) for name in names] == [True, False, False]


def random_game(seed: int, target: str) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    rng = Random(seed)
    position, moves = GAME.initial({"target": target}), []
    while GAME.to_move(position) is not None:
        moves.append(GAME.legal_moves(position).pick(rng))
        position = GAME.play(position, moves[-1])
    return positions_of(GAME, GAME.initial({"target": target}), moves)


@pytest.mark.parametrize("seed", range(1, 1 + effort(1, 2)))
def test_a_real_game_ends_in_its_result_and_the_same_search_finds_the_same(seed):
    positions, moves = random_game(seed, "3")
    nodes = effort(20, 60)
    points = list(analysed(GAME, positions, moves, nodes, 1))
    assert points == list(analysed(GAME, positions, moves, nodes, 1))
    assert [point.ply for point in points] == list(range(len(moves)))
    assert [point.move for point in points] == list(moves)
    final = final_value(GAME, positions[-1])
    last = points[-1]
    # The last mover won, had already lost, or gave the game away.
    assert final in (0.0, 1.0)
    if (final == 1.0) == (last.player == 1):
        assert (last.value, last.decided, last.loss) == (final, True, 0.0)
    for point in points:
        assert 0 <= point.value <= 1
        assert 0 <= point.loss <= 1
        assert point.best == point.line[0]
        assert point.best in GAME.legal_moves(positions[point.ply])


def point(ply: int, player: int, best_value: float, move_value: float) -> Point:
    value, after = (x if player == 1 else 1 - x for x in (best_value, move_value))
    return Point(ply, player, "a1", value, "e5", ("e5",), after)


@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize(
    ("before", "after", "turned"),
    [
        (0.9, 0.69, True),
        (0.9, 0.75, False),
        (0.55, 0.44, True),
        (0.52, 0.48, False),
        (0.45, 0.35, False),
        (0.45, 0.24, True),
    ],
)
def test_a_move_turns_a_game_by_much_or_by_changing_sides(player, before, after, turned):
    assert turning_points([point(3, player, before, after)]) == ((3,) if turned else ())


def test_turning_points_are_the_greatest_losses_in_order():
    points = [point(ply, 1, 0.9, 0.7 - 0.05 * ply) for ply in range(9)]
    assert turning_points(points) == tuple(range(9 - MOST_TURNING, 9))


def test_a_draw_is_half_a_win():
    drawn = SimpleNamespace(outcome=lambda position: SimpleNamespace(winner=None))
    assert (final_value(drawn, START), final_value(GAME, START)) == (0.5, None)


def graded(game: Any, position: Any, nodes: int) -> dict[Any, Any]:
    """Return the grades of a position's taps after a search."""
    search = new_search(game, position, 1)
    search.grade()
    search.go_on(nodes)
    found = Grading(game, position).grades(search.choices())
    return {taps: each.grade for taps, each in found.items()}


def test_one_node_a_move_shows_what_loses_at_once():
    game, position = telling(Noughts()), "1.1.2...."
    grades = graded(game, position, len(game.legal_moves(position)))
    assert grades.pop(("1",)) < Grade.LOSING
    assert set(grades.values()) == {Grade.LOSING}


def test_every_cell_is_graded_beside_a_growth_that_wins_at_once():
    game = find_game("adaptoid")
    position = game.parse(
        "a3=B0L0P,a4=B0L1P,b1=W0L0P,b2=B0L0P,b3=B0L0P,b4=B0L0P,c1=W0L0P,c2=W0L0P,c4=W0L0P,d1=W0L0P,"
        "d2=W0L0P,d4=B0L0P,d5=B0L1P,e1=W0L0P,e2=W0L0P,e3=B1L1P,e4=B0L0P,e6=B0L0P,f2=W0L1P,f5=B0L0P,"
        "g1=W0L0P play 1 WB 4-4"
    )
    grades = graded(game, position, 1000)
    assert {taps[0] for taps in grades} == {taps[0] for taps in game.moves_by_taps(position)}
    assert grades[("d3",)] is Grade.GOOD


def test_an_answer_that_loses_the_game_does_not_make_the_move_before_it_lose_at_once():
    # Player 2 may answer b, which ends the game for player 1, or c, which wins later.
    game = SimpleNamespace(
        name="traps",
        hidden=False,
        moves_by_taps=lambda position: {("a",): "a"},
        plain_text=lambda position, move: move,
        parse_move=lambda position, text: text,
        play=lambda position, move: position + move,
        to_move=lambda position: 1 + len(position) % 2,
        legal_moves=lambda position: ("b", "c"),
        outcome=lambda position: SimpleNamespace(winner=1) if position == "ab" else None,
    )
    lost = SearchedMove("a", 0.0, 9, ("a", "c"), decided=True)
    assert Grading(game, "").grades([lost])[("a",)].grade is Grade.GOOD


def test_a_move_that_is_proved_to_lose_later_gives_away_the_chances_there_were():
    game, text = find_game("capture-go-7"), "...1... 2 0-0 1"
    position = game.parse(text)
    best, *others = (game.plain_text(position, move) for move in game.legal_moves(position))
    for value, grade in ((0.08, Grade.INACCURACY), (0.3, Grade.BLUNDER)):
        choices = [SearchedMove(best, value, 1000, (best,))]
        choices += [SearchedMove(move, 0.0, 9, (move, best), decided=True) for move in others]
        found = Grading(game, position).grades(choices)
        assert {each.grade for each in found.values()} == {Grade.GOOD, grade}


@pytest.mark.parametrize(("text", "grade"), [("...1... 2 0-0 1", 1), ("21.1... 2 0-0 1", 5)])
def test_where_every_move_loses_those_that_lose_at_once_are_losing(text, grade):
    game = find_game("capture-go-7")
    assert set(graded(game, game.parse(text), 2000).values()) == {grade}
