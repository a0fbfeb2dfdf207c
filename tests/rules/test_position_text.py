"""Positions written and read back: as one line of text, and through the referee's own answers."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.cli.referee import referee
from game.rules.base.errors import BadPosition
from game.rules.circle_of_life import GAME, Position
from game.rules.circle_of_life.critters import INDEX
from tests.helpers.effort import examples

EMPTY = "...../....../......./......../........./......../......./....../....."

games = st.builds(
    lambda first, target, draws: ({"first": first, "target": str(target)}, draws),
    st.sampled_from(("1", "2")),
    st.sampled_from((1, 2, 5, 20, 999)),
    st.integers(0, 90).flatmap(
        lambda plies: st.lists(st.integers(0, 60), min_size=plies, max_size=plies)
    ),
)
"""Options, and numbers that choose a legal move each: so a game shrinks to a shorter one."""


def played(game: tuple[dict[str, str], list[int]]) -> list[tuple[Position, str]]:
    """Play a game; give each position with the move that led to it, "" for the start."""
    options, draws = game
    position = GAME.initial(options)
    line = [(position, "")]
    for draw in draws:
        moves = list(GAME.legal_moves(position))
        if not moves:
            break
        move = moves[draw % len(moves)]
        position = GAME.play(position, move)
        line.append((position, move))
    return line


def assert_same(one: Position, other: Position) -> None:
    """Compare positions with what is kept about them beside the stones."""
    assert one == other
    assert one.crowd == other.crowd
    for cell in GAME.pieces(one):
        assert one.critter_at[INDEX[cell]] is other.critter_at[INDEX[cell]]
    assert list(GAME.legal_moves(one)) == list(GAME.legal_moves(other))


def ask(options: dict[str, str], told: dict[str, object] | None, *moves: str) -> list[object]:
    """Let the referee answer, and read its answers."""
    position = None if told is None else json.dumps(told)
    return [json.loads(answer.text) for answer in referee(GAME, options, position, True, moves)]


@examples(12, 80)
@given(games)
def test_text_round_trips_over_random_games(game: tuple[dict[str, str], list[int]]) -> None:
    for position, _ in played(game):
        read = GAME.parse(GAME.text(position))
        assert_same(read, position)
        assert GAME.text(read) == GAME.text(position)
        assert GAME.outcome(read) == GAME.outcome(position)


@examples(8, 40)
@given(games)
def test_answers_of_the_referee_are_read_back_as_positions(
    game: tuple[dict[str, str], list[int]],
) -> None:
    options, _ = game
    line = played(game)
    answers = ask(options, None, *(move for _, move in line[1:]))
    for (position, _), answer in zip(line, answers, strict=True):
        assert isinstance(answer, dict)
        assert_same(GAME.from_json(answer, options), position)
        assert ask(options, answer) == [{**answer, "move": None, "removed": []}]


def test_a_game_goes_on_from_an_answer_as_it_would_have() -> None:
    line = ["e5", "e6", "e4x", "d6", "f3", "f2", "g3", "d5", "a1", "c5"]
    whole = ask({}, None, *line)
    for ply in range(len(line)):
        told = whole[ply]
        assert isinstance(told, dict)
        assert ask({}, told, *line[ply:])[1:] == whole[ply + 1 :]


@pytest.mark.parametrize("draws", [range(90), range(0, 900, 7), range(60, -30, -1)])
@pytest.mark.parametrize("target", ["1", "4", "999"])
def test_finished_positions_are_read_back(draws: range, target: str) -> None:
    options = {"target": target, "first": "2"}
    line = played((options, [draw % 61 for draw in draws]))
    last, _ = line[-1]
    told = ask(options, None, *(move for _, move in line[1:]))[-1]
    assert isinstance(told, dict)
    assert GAME.outcome(last) is not None
    assert told["to_move"] is None
    assert_same(GAME.from_json(told, options), last)
    assert_same(GAME.parse(GAME.text(last)), last)


@pytest.mark.parametrize("winner", [1, 2])
def test_a_finished_position_without_placements_is_read_back(winner: int) -> None:
    drawn = "2.12./2.1221/12.1121/12.....1/.11212221/222112../11.2.11/221.12/122.1"
    last = GAME.parse(f"{drawn} {winner} 8-8 999")
    [told] = ask({"target": "999"}, {"pieces": GAME.pieces(last), "to_move": winner})
    assert isinstance(told, dict)
    assert (told["to_move"], told["outcome"]["winner"]) == (None, winner)
    read = GAME.from_json({**told, "score": [8, 8]}, {"target": "999"})
    assert_same(read, last)


def test_text_draws_rows_from_the_top() -> None:
    told = {"pieces": {"i1": "1", "a5": "2", "e5": "1"}, "to_move": 2, "score": [3, 14]}
    position = GAME.from_json(told, {"target": "15"})
    drawn = "1..../....../......./......../....1..../......../......./....../....2"
    assert GAME.text(position) == f"{drawn} 2 3-14 15"
    assert GAME.text(GAME.initial()) == f"{EMPTY} 1 0-0 20"


@pytest.mark.parametrize(
    "text",
    [
        "",
        EMPTY,
        f"{EMPTY} 1 0-0",
        f"{EMPTY} 1 0 20",
        f"{EMPTY} 0 0-0 20",
        f"{EMPTY} 1 0-x 20",
        f"{EMPTY} 1 20-20 20",
        f"{EMPTY} 1 0-0 0",
        f"{EMPTY} 1 0-\u0661 20",
        f"{EMPTY[1:]} 1 0-0 20",
        f"{EMPTY.replace('/', '')} 1 0-0 20",
        f"3{EMPTY[1:]} 1 0-0 20",
        f"11111{EMPTY[5:]} 1 0-0 20",
        # Neither a minus nor a number too long to be one may pass for something else.
        pytest.param(f"{EMPTY} 1 0--5 20", id="negative"),
        pytest.param(f"{EMPTY} 1 -3-0 20", id="negative first"),
        pytest.param(f"{EMPTY} 1-0-0-20", id="dashes for spaces"),
        pytest.param(f"{EMPTY} 1 0-{'9' * 5000} 20", id="5000 digits"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(BadPosition):
        GAME.parse(text)
