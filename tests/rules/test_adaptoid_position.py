"""Positions of Adaptoid from outside: as the referee's JSON, and on one line."""

from typing import Any

import pytest

from game.rules.adaptoid import GAME
from game.rules.base.errors import BadPosition

START = {"d4": "W0L0P", "e4": "B0L0P"}
TIE = {"d4": "W1L1P", "d5": "B1L1P", "a1": "W0L0P", "g4": "B0L0P"}


def test_texts_are_as_pinned() -> None:
    assert GAME.text(GAME.initial()) == "- place 1 -- 0-0"
    assert GAME.text(GAME.initial({"first": "2"})) == "- place 2 -- 0-0"
    tie = GAME.from_json({"pieces": TIE, "score": [4, 4]}, {})
    assert GAME.text(tie) == "a1=W0L0P,d4=W1L1P,d5=B1L1P,g4=B0L0P play 1 WB 4-4"
    over = GAME.play(tie, GAME.parse_move(tie, "d4xd5/"))
    assert GAME.text(over) == "a1=W0L0P,g4=B0L0P play #1 WB 5-5"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- place 1 --",
        "- place 1 -- 0-1",
        "- play 1 WB 0-0",
        "d4=W0L0P,e4=B0L0P play #1 WB 0-0",
        "d4=W0L0P,e4=B0L0P play 1 WB 0-5",
        "d4=W0L0P play 2 WB 0-0",
        "e4=B0L0P,d4=W0L0P play 1 WB 0-0",
        "d4=W0L0P,d4=B0L0P play 1 WB 0-0",
        "d4=W4L3P,e4=B0L0P play 1 WB 0-0",
        "d4=W0L0P,e4=B0L0P play 1 WB 0-\u0661",
        pytest.param(f"d4=W0L0P,e4=B0L0P play 1 WB 0-{'9' * 5000}", id="5000 digits"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(BadPosition):
        GAME.parse(text)


BARE_13 = dict.fromkeys([*GAME.board.cells[:13]], "W0L0P")


@pytest.mark.parametrize(
    ("shown", "key"),
    [
        ({"pieces": {**BARE_13, "g4": "B0L0P"}}, "adaptoid.too_many"),
        ({"pieces": {"d4": "W6L0P", "a1": "W6L0P", "g4": "W1L0P"}}, "adaptoid.too_many"),
        ({"pieces": START, "phase": "place"}, "adaptoid.bad_start"),
        ({"pieces": {"d4": "W0L0P"}, "phase": "choose"}, "adaptoid.bad_start"),
        ({"pieces": START, "colours": ["W", "W"]}, "rules.bad_key"),
        ({"pieces": START, "to_move": None}, "rules.not_over"),
        ({"pieces": START, "phase": "choose", "to_move": None}, "rules.not_over"),
        ({"pieces": START, "to_move": None, "score": [5, 5]}, "rules.no_winner"),
        ({"phase": "play", "to_move": None}, "rules.no_winner"),
        ({"pieces": START, "supply": {}}, "rules.bad_key"),
    ],
)
def test_a_position_that_cannot_be_is_refused(shown: dict[str, Any], key: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.from_json(shown, {})
    assert caught.value.message.key == key


def test_a_position_leaves_out_what_is_as_usual() -> None:
    shown = GAME.from_json({"pieces": START}, {})
    assert (GAME.extras(shown)["phase"], GAME.extras(shown)["colours"]) == ("play", ("W", "B"))
    choosing = {"pieces": START, "phase": "choose"}
    assert GAME.to_move(GAME.from_json(choosing, {})) == 2
    assert GAME.to_move(GAME.from_json(choosing, {"first": "2"})) == 1


@pytest.mark.parametrize(
    ("more", "ended"),
    [
        ({"score": [2, 5], "to_move": None}, (2, "five captured")),
        ({"pieces": {"d4": "W0L0P"}, "to_move": None}, (1, "no adaptoid left")),
        # Where both qualify, the outcome names the winner, else who moved last has won.
        ({"score": [5, 5], "to_move": None, "outcome": {"winner": 1}}, (1, "five captured")),
        ({"score": [5, 5], "to_move": None, "outcome": {"winner": 2}}, (2, "five captured")),
        ({"score": [5, 5], "to_move": 1}, (2, "five captured")),
        ({"score": [5, 5], "to_move": 2}, (1, "five captured")),
        ({"score": [5, 0], "to_move": 1}, (1, "five captured")),
    ],
)
def test_a_finished_position_has_a_winner(more: dict[str, Any], ended: tuple[int, str]) -> None:
    position = GAME.from_json({"pieces": START, **more}, {})
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ended
    assert not GAME.legal_moves(position)
