"""What Circle of Life tells the table: taps, edits, words and inspections."""

import pytest

from game.rules.base.message import Message
from game.rules.base.values import Role
from game.rules.circle_of_life import GAME
from game.rules.circle_of_life.critters import CIRCLE
from tests.helpers.games.circle_positions import at


def test_summary_tells_what_a_placement_makes() -> None:
    shown = GAME.result(at("e5", "e7"), "e4").summary
    assert shown.key == "circle_of_life.placed"
    pair = CIRCLE[1].word
    assert shown.args == {"player": GAME.players[0], "cell": "e4", "species": pair}


def test_summary_tells_what_a_placement_eats() -> None:
    shown = GAME.result(at("e5", "e3 d5 f6"), "e4").summary
    assert shown.key == "circle_of_life.ate"
    assert shown.args == {
        "player": GAME.players[0],
        "cell": "e4",
        "species": CIRCLE[1].word,
        "count": 2,
        "prey": Message("species.singleton", {"count": 2}),
    }


def test_refusal_says_how_big_the_critter_would_be() -> None:
    shown = GAME.presentation.refusal(at("e3 e4 e6 e7"), ("e5",))
    assert shown == Message("circle_of_life.too_big", {"cell": "e5", "stones": 5, "most": 4})


def test_pieces_have_owners_and_words() -> None:
    assert [GAME.presentation.side(code) for code in ("1", "2", "")] == [1, 2, None]
    assert GAME.presentation.piece_word("1") != GAME.presentation.piece_word("2")


@pytest.mark.parametrize("cell", ["e4", "i9", ""])
def test_inspecting_where_no_stone_is_tells_nothing(cell: str) -> None:
    assert GAME.presentation.inspect(at("e5"), cell) is None


def test_inspecting_shows_the_critter_its_prey_and_its_predators_on_the_board() -> None:
    # A pair, with its prey near and far, a bend that would eat it, and bystanders.
    position = at("e4 e5 i5", "e6 a1 h1 h2 g3 c1 c2")
    shown = GAME.presentation.inspect(position, "e5")
    assert shown is not None
    assert shown.cells == {
        "e4": Role.INSPECTED,
        "e5": Role.INSPECTED,
        "e6": Role.VICTIM,
        "a1": Role.VICTIM,
        "h1": Role.THREAT,
        "h2": Role.THREAT,
        "g3": Role.THREAT,
    }
    assert shown.legend == {1: Role.INSPECTED, 0: Role.VICTIM, 2: Role.THREAT}
    assert shown.message.key == "circle_of_life.inspected"
    assert shown.message.args["species"] == CIRCLE[1].word


def test_inspecting_wraps_round_the_circle() -> None:
    shown = GAME.presentation.inspect(at("a1", "e4 e5 e6 e7 i1 i2"), "a1")
    assert shown is not None
    assert shown.legend == {0: Role.INSPECTED, 11: Role.VICTIM, 1: Role.THREAT}
    assert shown.cells["e4"] == Role.VICTIM
    assert shown.cells["i1"] == Role.THREAT
    four = GAME.presentation.inspect(at("a1", "e4 e5 e6 e7"), "e7")
    assert four is not None
    assert four.legend == {11: Role.INSPECTED, 10: Role.VICTIM, 0: Role.THREAT}
    assert four.cells["a1"] == Role.THREAT
