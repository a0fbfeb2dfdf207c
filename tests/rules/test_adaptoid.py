"""Adaptoid's rules: pictured examples, the view of moves, and agreement with the naive rules."""

import json
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from game.cli.referee import referee
from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import PLACES, Position
from game.rules.adaptoid.turns import Choice, Part, Placing, Turn, played
from game.rules.base.errors import IllegalMove
from tests.helpers.effort import effort
from tests.helpers.games.adaptoid_positions import EVERYTHING, SCENE, after, at
from tests.oracles.naive_adaptoid import LIKES, NaiveAdaptoid, random_answers, read


def legal(position: Position) -> set[str]:
    return {GAME.move_text(position, move) for move in GAME.legal_moves(position)}


def moves(position: Position) -> set[str]:
    """The moves with which a turn can begin, without what grows."""
    return {text.partition("/")[0] for text in legal(position)}


def growths(position: Position, move: str = "") -> set[str]:
    """What can grow after a move."""
    return {text.partition("/")[2] for text in legal(position) if text.partition("/")[0] == move}


def test_pictured_example_1_three_legs_without_pincers_may_not_end_on_an_enemy():
    pieces = {"d3": "W3L0P", "d5": "B0L0P"}
    goals = {move[3:] for move in moves(at(pieces))} - {""}
    assert "d5" not in goals
    assert {"d4", "c4", "e4", "d2", "f2", "b3"} <= goals
    with pytest.raises(IllegalMove) as caught:
        after(at(pieces), "d3xd5/d3L")
    assert caught.value.message.key == "adaptoid.no_pincer"


def test_pictured_example_2_two_legs_reach_an_enemy_but_not_round_an_occupied_cell():
    pieces = {"d4": "B2L1P", "d2": "W0L0P", "d5": "W1L0P"}
    two = moves(at(pieces, to_move=2))
    assert {"d4xd2", "d4xd5"} <= two
    assert "d4-d6" not in two
    three = moves(at({**pieces, "d4": "B3L1P"}, to_move=2))
    assert "d4-d6" in three


@pytest.mark.parametrize(
    ("pieces", "missing", "key"),
    [
        ({"d4": "W6L0P", "e2": "W6L0P", "c3": "W0L0P"}, "c3L", "adaptoid.no_legs"),
        ({"d4": "W0L6P", "e2": "W0L6P", "c3": "W0L0P"}, "c3P", "adaptoid.no_pincers"),
        ({**dict.fromkeys(EVERYTHING, "W0L0P")}, "+c4", "adaptoid.no_bodies"),
    ],
)
def test_growing_is_limited_by_the_supply(pieces, missing, key):
    position = at({**pieces, "g4": "B0L0P"})
    kinds = {"+" if growth[0] == "+" else growth[2] for growth in growths(position)}
    assert kinds == {"+", "L", "P"} - {missing[0], missing[-1]}
    with pytest.raises(IllegalMove) as caught:
        after(position, f"/{missing}")
    assert caught.value.message.key == key


def test_pictured_example_3_a_new_body_leaves_too_few_empty_cells():
    position = at({"d3": "W0L0P", "d5": "B2L2P", "d6": "W0L0P", "c5": "B0L0P"})
    done = after(position, "/+d4")
    assert GAME.pieces(done) == {"d3": "W0L0P", "d4": "W0L0P", "d6": "W0L0P", "c5": "B0L0P"}
    assert GAME.result(position, GAME.parse_move(position, "/+d4")).removed == ("d5",)
    assert GAME.score(done) == (1, 0)


def test_a_growth_after_a_move_that_ends_the_game_is_refused():
    position = at({"d4": "W1L1P", "d5": "B0L0P", "g4": "B0L0P"}, score=[4, 0])
    with pytest.raises(IllegalMove) as caught:
        after(position, "d4xd5/d5L")
    assert caught.value.message.key == "adaptoid.ended"


def test_the_first_bodies_are_placed_on_any_two_cells():
    start, pairs = GAME.initial(), product(range(PLACES), repeat=2)
    placed = [move for pair in pairs if played(start, move := Placing(*pair)) is not None]
    assert placed == list(GAME.legal_moves(start))


@pytest.mark.parametrize("move", [Turn(7, 15, Part.LEG, 15), Placing(3, 4), Choice(0)])
def test_a_move_of_another_position_is_refused(move):
    for position in (at(SCENE), at(SCENE, score=[0, 5])):
        assert move not in GAME.legal_moves(position)
        with pytest.raises(IllegalMove):
            GAME.play(position, move)


GAMES = effort(24, 80)

WHITES = ["a1", "a2", "a3", "a4", "b1", "b5", "c1", "c6", "d1", "d7", "b3"]
CROWDED = {
    # 12 white bodies with all legs and pincers but one of each on the board.
    **dict.fromkeys(WHITES, "W1L1P"),
    **{"c3": "W0L0P", "g2": "B2L1P", "f2": "B1L0P", "g4": "B0L2P", "e4": "B3L0P"},
}
FULL = {**CROWDED, "c3": "W1L1P"}
SKIRMISH = {"d4": "W2L1P", "c4": "W1L0P", "b2": "W1L3P"}
SKIRMISH |= {"d6": "B2L2P", "e5": "B1L1P", "f3": "B2L0P"}
LATE = {"score": (4, 4)}


def start_of(rng: Random) -> NaiveAdaptoid:
    """Draw where a game begins: mostly at its start, sometimes in a position full of pieces."""
    drawn = rng.random()
    if drawn < 0.7:
        return NaiveAdaptoid(to_move=rng.choice((1, 2)))
    codes = CROWDED if drawn < 0.78 else FULL if drawn < 0.84 else SKIRMISH
    more: dict[str, Any] = {"to_move": rng.choice((1, 2))}
    if rng.random() < 0.5:
        more["colours"] = ("B", "W")
    if rng.random() < 0.5:
        more |= LATE
    return read(codes, **more)


def compare(start: NaiveAdaptoid, answers: list[dict[str, object]]) -> None:
    """Let the referee play a naive game, and compare every answer of it."""
    shown = None
    if start.phase == "play":
        shown = json.dumps(answers[0])
    options = {"first": str(start.to_move)} if start.phase == "place" else {}
    record = [str(answer["move"]) for answer in answers[1:]]
    got = [json.loads(json.dumps(each)) for each in referee(GAME, options, shown, True, record)]
    assert got == answers


def test_random_games_agree_at_every_ply():
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        rng = Random(seed)
        start = start_of(rng)
        compare(start, random_answers(rng, start, (rng.choice(LIKES), rng.choice(LIKES)), seen))
    wanted = {
        "won": 100,
        "lost": 20,
        "both": 30,
        "starved 1": 500,
        "starved 2": 50,
        "no bodies left": 500,
        "no legs left": 5,
        "no pincers left": 5,
        "nothing grew": 3,
        "five captured": 150,
        "no adaptoid left": 30,
        "both five": 2,
    }
    rare = {event for event, least in wanted.items() if seen[event] < least * GAMES // 600}
    assert rare == set()
