"""The view of Adaptoid's moves: listing, counting, finding and drawing them."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import PLACE
from game.rules.adaptoid.turns import NOWHERE, Choice, Part, Placing, Turn
from game.rules.base.errors import IllegalMove
from tests.helpers.games.adaptoid_positions import FULL, SCENE, after, at


def unevenness(drawn: Counter[Any], chances: int) -> float:
    """Measure draws against equal chances: chi square for each degree of freedom, about 1."""
    fair = drawn.total() / chances
    counts = list(drawn.values()) + [0] * (chances - len(drawn))
    return sum((count - fair) ** 2 / fair for count in counts) / (chances - 1)


DENSE = dict.fromkeys(("a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4", "b5", "c1"), "W0L0P")
EVEN_SCENES = [
    pytest.param({"d4": "W0L0P", "g4": "B0L0P"}, {}, id="nothing moves"),
    pytest.param(SCENE, {}, id="all kinds of moves"),
    pytest.param(FULL, {}, id="growth after some moves only"),
    pytest.param(SCENE, {"score": [4, 4]}, id="moves that end the game"),
    pytest.param({"d4": "W3L1P", "d5": "B0L2P"}, {}, id="a single one"),
    pytest.param({**DENSE, "c2": "W1L0P", "g4": "B0L0P"}, {}, id="more sockets than empty cells"),
]


@pytest.mark.parametrize(("pieces", "more"), EVEN_SCENES)
def test_pick_gives_every_legal_move_the_same_chance(
    pieces: dict[str, str], more: dict[str, Any]
) -> None:
    moves, rng = GAME.legal_moves(at(pieces, **more)), Random(7)
    count = len(moves)
    drawn = Counter(moves.pick(rng) for _ in range(30 * count))
    assert set(drawn) <= set(moves)
    assert unevenness(drawn, count) < (2 if count < 30 else 1.35)


def test_pick_gives_every_placing_and_colour_the_same_chance() -> None:
    rng = Random(3)
    for position in (GAME.initial(), after(GAME.initial(), "W:a1 B:d4")):
        moves = GAME.legal_moves(position)
        drawn = Counter(moves.pick(rng) for _ in range(20 * len(moves)))
        assert set(drawn) <= set(moves)
        assert len(moves) == 2 or unevenness(drawn, len(moves)) < 1.35


@pytest.mark.parametrize(
    "move",
    [
        Turn(99, 3, Part.LEG, 3),
        Turn(0, 99, Part.LEG, 0),
        Turn(7, 15, Part.LEG, 15),
        Turn(PLACE["d4"], NOWHERE, Part.LEG, PLACE["d4"]),
        Turn(NOWHERE, PLACE["d5"], Part.LEG, PLACE["d4"]),
        Turn(-2, -2, Part.LEG, PLACE["d4"]),
        Turn(part=Part.BODY),
        Turn(part=Part.LEG, at=-2),
        Turn(part=Part.PINCER, at=200),
        Turn(at=PLACE["d4"]),
        Placing(PLACE["a1"], PLACE["a2"]),
        Choice(0),
    ],
)
def test_a_move_that_makes_no_sense_is_refused(move: Any) -> None:
    for position in (GAME.initial(), at(SCENE), at(SCENE, score=[0, 5])):
        if move not in GAME.legal_moves(position):
            with pytest.raises(IllegalMove):
                GAME.play(position, move)
    assert move not in GAME.legal_moves(at(SCENE))
