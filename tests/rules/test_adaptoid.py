"""Adaptoid's rules, sentence by sentence, with the pictured examples."""

import pytest

from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import Position
from game.rules.base.errors import IllegalMove
from tests.helpers.games.adaptoid_positions import EVERYTHING, after, at


def legal(position: Position) -> set[str]:
    return {GAME.move_text(position, move) for move in GAME.legal_moves(position)}


def moves(position: Position) -> set[str]:
    """The moves with which a turn can begin, without what grows."""
    return {text.partition("/")[0] for text in legal(position)}


def growths(position: Position, move: str = "") -> set[str]:
    """What can grow after a move."""
    return {text.partition("/")[2] for text in legal(position) if text.partition("/")[0] == move}


def removed(position: Position, text: str) -> tuple[str, ...]:
    return GAME.result(position, GAME.parse_move(position, text)).removed


def ending(position: Position) -> tuple[int | None, str] | None:
    outcome = GAME.outcome(position)
    return outcome and (outcome.winner, outcome.reason)


def supply(position: Position, colour: str) -> dict[str, int]:
    shown = GAME.extras(position)["supply"]
    assert isinstance(shown, dict)
    counts = shown[colour]
    assert isinstance(counts, dict)
    return counts


def test_pictured_example_1_three_legs_without_pincers_may_not_end_on_an_enemy() -> None:
    pieces = {"d3": "W3L0P", "d5": "B0L0P"}
    goals = {move[3:] for move in moves(at(pieces))} - {""}
    assert "d5" not in goals
    assert {"d4", "c4", "e4", "d2", "f2", "b3"} <= goals
    with pytest.raises(IllegalMove) as caught:
        after(at(pieces), "d3xd5/d3L")
    assert caught.value.message.key == "adaptoid.no_pincer"


def test_pictured_example_2_two_legs_reach_an_enemy_but_not_round_an_occupied_cell() -> None:
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
def test_growing_is_limited_by_the_supply(pieces: dict[str, str], missing: str, key: str) -> None:
    position = at({**pieces, "g4": "B0L0P"})
    kinds = {"+" if growth[0] == "+" else growth[2] for growth in growths(position)}
    assert kinds == {"+", "L", "P"} - {missing[0], missing[-1]}
    with pytest.raises(IllegalMove) as caught:
        after(position, f"/{missing}")
    assert caught.value.message.key == key


def test_pictured_example_3_a_new_body_leaves_too_few_empty_cells() -> None:
    position = at({"d3": "W0L0P", "d5": "B2L2P", "d6": "W0L0P", "c5": "B0L0P"})
    done = after(position, "/+d4")
    assert GAME.pieces(done) == {"d3": "W0L0P", "d4": "W0L0P", "d6": "W0L0P", "c5": "B0L0P"}
    assert removed(position, "/+d4") == ("d5",)
    assert GAME.score(done) == (1, 0)


def test_nothing_starves_after_a_move_that_ends_the_game() -> None:
    position = at(
        {"d4": "W1L1P", "d5": "B0L0P", "a1": "B3L0P", "a2": "W0L0P", "g4": "B0L0P"}, score=[4, 0]
    )
    assert removed(position, "d4xd5/") == ("d5",)
    assert "a1" in GAME.pieces(after(position, "d4xd5/"))


def test_a_growth_after_a_move_that_ends_the_game_is_refused() -> None:
    position = at({"d4": "W1L1P", "d5": "B0L0P", "g4": "B0L0P"}, score=[4, 0])
    with pytest.raises(IllegalMove) as caught:
        after(position, "d4xd5/d5L")
    assert caught.value.message.key == "adaptoid.ended"


def test_the_reason_is_five_captured_also_when_both_hold() -> None:
    position = at({"d4": "W1L1P", "d5": "B0L0P"}, score=[4, 0])
    assert ending(after(position, "d4xd5/")) == (1, "five captured")


def test_the_mover_wins_if_both_reach_five_in_the_same_step() -> None:
    pieces = {"d4": "W1L1P", "d5": "B1L1P", "a1": "W0L0P", "g4": "B0L0P"}
    white = after(at(pieces, score=[4, 4]), "d4xd5/")
    assert (ending(white), GAME.score(white)) == ((1, "five captured"), (5, 5))
    black = after(at(pieces, to_move=2, score=[4, 4]), "d5xd4/")
    assert (ending(black), GAME.score(black)) == ((2, "five captured"), (5, 5))


def test_the_opponent_wins_by_the_fifth_capture_in_a_fight_that_the_mover_lost() -> None:
    pieces = {"d4": "W1L1P", "d5": "B0L2P", "a1": "W0L0P"}
    position = at(pieces, score=[0, 4])
    assert growths(position, "d4xd5") == {""}
    done = after(position, "d4xd5/")
    assert ending(done) == (2, "five captured")
    assert GAME.score(done) == (0, 5)
