"""Super Mind: armies are exchanged after the set-ups, and each side sees the other's once."""

from random import Random

import pytest

from game.rules.base.errors import IllegalMove
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.position import Position
from tests.helpers.games.cirkle_games import arranged, played_on
from tests.helpers.games.cirkle_positions import standing

SUPER = pytest.mark.parametrize("level", ["super", "super-easy"])


@SUPER
def test_each_player_sets_up_his_own_army_and_leads_the_other(level: str) -> None:
    start = GAME.initial({"level": level})
    assert [GAME.presentation.side_of(start, player) for player in (1, 2)] == [1, 2]
    assert GAME.arranging(start, 1).pieces[0][0] == "G"
    whole = arranged(level)
    assert [GAME.presentation.side_of(whole, player) for player in (1, 2)] == [2, 1]
    assert GAME.presentation.called(start, 1) == GAME.presentation.called(whole, 2)
    assert GAME.presentation.called(start, 2) == GAME.presentation.called(whole, 1)


def attacks(position: Position) -> list[str]:
    return [move for move in GAME.legal_moves(position) if "*" in move]


def codes(player: int | None, position: Position, remembers: bool = False) -> set[str]:
    """Return the sides whose faces a player sees, as `G` and `M`."""
    pieces = GAME.pieces(GAME.seen_by(position, player, remembers))
    assert len(pieces) == len(GAME.pieces(position))
    return {code[0] for code in pieces.values() if len(code) > 1}


@SUPER
@pytest.mark.parametrize("first", [1, 2])
def test_each_is_told_the_army_he_leads_until_the_first_move_and_then_no_more(
    level: str, first: int
) -> None:
    position = arranged(level, 6, first)
    assert (codes(1, position), codes(2, position), codes(None, position)) == ({"M"}, {"G"}, set())
    position = GAME.play(position, next(iter(GAME.legal_moves(position))))
    assert (codes(1, position), codes(2, position), codes(None, position)) == (set(), set(), set())


@SUPER
def test_passing_is_a_first_move_too(level: str) -> None:
    corner = {"A1": "MyC", "B1": "GyT", "A2": "GbT"}
    position = standing(corner, 1, level=level, begun=False)
    assert codes(1, position) == {"M"}
    assert codes(1, GAME.play(position, "pass")) == set()


@SUPER
def test_who_remembers_knows_both_armies(level: str) -> None:
    position = arranged(level, 6)
    for _ in range(2):
        for player in (1, 2):
            assert GAME.seen_by(position, player, remembers=True) == position
        position = played_on(position, 30, 3)


@SUPER
def test_a_player_does_not_see_the_other_set_up_before_the_exchange(level: str) -> None:
    start = GAME.initial({"level": level})
    half = GAME.play(start, GAME.legal_moves(start).pick(Random(1)))
    for remembers in (False, True):
        assert GAME.seen_by(half, 1, remembers) == half
        assert GAME.pieces(GAME.seen_by(half, 2, remembers)) == {}


@SUPER
def test_who_has_forgotten_cannot_have_an_attack_decided(level: str) -> None:
    games = (played_on(arranged(level, 1), plies, 1) for plies in range(1, 200))
    position = next(each for each in games if attacks(each))
    attack = attacks(position)[0]
    seen = GAME.seen_by(position, GAME.to_move(position))
    with pytest.raises(IllegalMove, match=r"mind\.hidden"):
        GAME.play(seen, attack)


@SUPER
def test_the_last_set_up_tells_that_the_board_is_turned(level: str) -> None:
    start = GAME.initial({"level": level})
    rng = Random(1)
    first = GAME.legal_moves(start).pick(rng)
    half = GAME.play(start, first)
    second = GAME.legal_moves(half).pick(rng)
    assert GAME.result(start, first).summary.key == "mind.set_up"
    assert GAME.result(half, second).summary.key == "mind.set_up_turned"
