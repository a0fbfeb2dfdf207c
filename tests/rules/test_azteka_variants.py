"""The aggressive Azteka and that for three: every case that the rules write down."""

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
    legal,
    placements,
    second_round,
    standing,
    turns,
    why_not,
)

# Two players, aggressive.


def test_aggressive_places_anywhere_free() -> None:
    position = at("a1", "c1", variant=AGGRESSIVE)
    assert placements(position) == set(GAME.board.cells) - {"a1", "c1"}


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


def test_aggressive_has_no_births() -> None:
    position = after(at("a1 a2 a3", "c1", variant=AGGRESSIVE), "a4")
    assert (extras(position)["birth"], GAME.to_move(position)) == (False, 2)


def test_aggressive_has_no_disintegration() -> None:
    position = at("a1 e1", "h1 a2 c1", variant=AGGRESSIVE, to_move=2)
    assert GAME.result(position, "b1").removed == ()
    assert GAME.pieces(after(position, "b1"))["a1"] == "L"


def test_aggressive_has_the_same_goals_and_rounds() -> None:
    told = {"variant": AGGRESSIVE}
    spread = after(at("a1 b2 c3 d4 e1 f1 g1", "a3", **told), "h1")
    assert extras(spread)["first_round"] == {"winner": 1, "pieces": 8}
    reign = after(at("a1", "c1 c2 c3 b4", to_move=2, **told), "T4")
    assert extras(reign)["first_round"] == {"winner": 2, "pieces": 4}
    thirteen = "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 a3 b3 c3"
    placed = after(at(thirteen, "h1 h2", **told), "g4")
    assert extras(placed)["first_round"] == {"winner": 1, "pieces": 14}
    assert ended(after(second_round(9, variant=AGGRESSIVE), "c4")) == (1, "both rounds")


# Three players.


def test_three_play_in_the_order_life_death_mummies() -> None:
    position = GAME.initial({"variant": THREE})
    movers, codes = [], []
    for cell in ("a1", "c3", "e2", "b4"):
        movers.append(GAME.to_move(position))
        position = after(position, cell)
        codes.append(GAME.pieces(position)[cell])
    assert (movers, codes) == ([1, 2, 3, 1], ["L", "D", "M", "L"])
    assert extras(position)["roles"] == ["L", "D", "M"]
    assert GAME.score(position) == (2, 1, 1)


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


FULL = "LL.M/MDLL/DDMM/MLLM/MLDD/MDLD/LDDM/LDML three LDM M -"


def test_three_a_full_board_gives_each_one_last_action() -> None:
    position = after(GAME.parse(FULL), "a3")
    movers, left = [], []
    while GAME.outcome(position) is None:
        assert legal(position) == {"T1", "T2", "T3", "T4"}
        movers.append(GAME.to_move(position))
        left.append(extras(position)["last_actions"])
        position = after(position, "T1")
    assert (movers, left) == ([1, 2, 3], [3, 2, 1])
    assert ended(position) == (None, "board full")
    assert extras(position)["last_actions"] == 0
    assert len(GAME.pieces(position)) == 32


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
