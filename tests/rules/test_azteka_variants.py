"""The aggressive Azteka and that for three: refusals, and ends that random games seldom reach."""

import pytest

from game.rules.azteka import GAME
from game.rules.azteka.play import Position
from game.rules.base.errors import BadOption
from game.rules.base.game import known_options
from tests.helpers.games.azteka_cases import (
    AGGRESSIVE,
    THREE,
    after,
    at,
    ended,
    extras,
    standing,
    turns,
    why_not,
)

# Two players, aggressive.


def test_aggressive_turns_by_two_where_the_mover_has_more_pieces() -> None:
    position = at("a1 b1 a2 a3", "c1 c2 d3 e3", variant=AGGRESSIVE)
    assert turns(position) == {"T1", "T2", "T3", "T4", "TT1"}
    assert why_not(position, "TT2") == "azteka.not_more"
    assert why_not(position, "TT3") == "azteka.not_more"
    assert why_not(position, "TT4") == "azteka.not_more"
    turned = after(position, "TT1")
    assert standing(turned, "L") == {"c1", "d1", "a2", "a3"}
    assert standing(turned, "D") == {"e1", "c2", "d3", "e3"}
    assert turns(turned) == {"T1", "T2", "T3", "T4", "TT3"}


# Three players.


def test_three_name_spread_before_reign() -> None:
    position = at("a1 a2 a3 b1 c1 d1 e1 f1 g1 h2", "b3", "c3", variant=THREE)
    assert ended(after(position, "a4")) == (1, "spread")


def both_at_once(mover: int) -> Position:
    """Stand before a turn of ring 4 that completes a segment of Death and one of Mummies."""
    return at("a1", "c1 c2 c3 b4", "e1 e2 e3 d4", variant=THREE, to_move=mover)


@pytest.mark.parametrize(("mover", "winner"), [(1, 2), (2, 2), (3, 3)])
def test_three_with_two_goals_at_once_the_mover_is_first_then_the_order(
    mover: int, winner: int
) -> None:
    assert ended(after(both_at_once(mover), "T4")) == (winner, "reign")


def test_three_goals_are_looked_at_after_each_last_action() -> None:
    before = GAME.parse("DMDL/MMLM/MMDL/LDLL/LLDM/DDDM/MLML/DLDD three LDM D3 -")
    ends = [GAME.outcome(after(before, move)) for move in ("T1", "T2", "T3", "T4")]
    told = [end and (end.winner, end.reason) for end in ends]
    assert told == [(2, "spread"), (1, "spread"), None, None]
    assert [extras(after(before, move))["last_actions"] for move in ("T1", "T3")] == [2, 2]


def test_three_first_other_than_1_is_refused() -> None:
    for game, options in (
        (GAME, {"variant": THREE, "first": "2"}),
        (GAME.variants[THREE], {"first": "2"}),
        (GAME.variants[THREE], {"first": "3"}),
    ):
        with pytest.raises(BadOption) as caught:
            game.initial(options)
        assert caught.value.message.args["key"] == "first"
        assert caught.value.message.args["allowed"] == "1"
    assert known_options(GAME.variants[THREE])["first"].choices == ("1",)
