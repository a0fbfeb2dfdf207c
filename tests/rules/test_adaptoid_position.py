"""Positions of Adaptoid from outside: as the referee's JSON, and on one line."""

import json
from typing import Any

import pytest

from game.cli.referee import referee
from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import Position
from game.rules.base.errors import BadPosition

START = {"d4": "W0L0P", "e4": "B0L0P"}
TIE = {"d4": "W1L1P", "d5": "B1L1P", "a1": "W0L0P", "g4": "B0L0P"}


def answer(position: Position) -> dict[str, Any]:
    """What the referee says of a position."""
    outcome = GAME.outcome(position)
    return {
        "pieces": GAME.pieces(position),
        "to_move": GAME.to_move(position),
        "score": list(GAME.score(position)),
        "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason},
        **json.loads(json.dumps(GAME.extras(position))),
    }


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
        "nonsense",
        "- place 1 --",
        "- place 1 WB 0-0",
        "- place 3 -- 0-0",
        "- place 1 -- 0-1",
        "- place 1 -- 0-0 ",
        "- play 1 WB 0-0",
        "d4=W0L0P choose 2 -- 0-0",
        "d4=W0L0P,e4=B0L0P play 1 -- 0-0",
        "d4=W0L0P,e4=B0L0P play #1 WB 0-0",
        "d4=W0L0P,e4=B0L0P play 1 WB 0-5",
        "d4=W0L0P play 2 WB 0-0",
        "e4=B0L0P,d4=W0L0P play 1 WB 0-0",
        "d4=W0L0P,d4=B0L0P play 1 WB 0-0",
        "d4=W0L0P,e4=B0L0P play 1 WB 00-0",
        "d4=W4L3P,e4=B0L0P play 1 WB 0-0",
        "d9=W0L0P,e4=B0L0P play 1 WB 0-0",
        "d4=W0L0P,e4=B0L0P play 1 WW 0-0",
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
        ({"pieces": ["d4"]}, "rules.bad_key"),
        ({"pieces": None}, "rules.bad_key"),
        ({"pieces": {"d8": "W0L0P"}}, "rules.no_such_cell"),
        ({"pieces": {"D4": "W0L0P"}}, "rules.no_such_cell"),
        ({"pieces": {"d4": "W"}}, "rules.bad_piece"),
        ({"pieces": {"d4": "G0L0P"}}, "rules.bad_piece"),
        ({"pieces": {**BARE_13, "g4": "B0L0P"}}, "adaptoid.too_many"),
        ({"pieces": {"d4": "W6L0P", "a1": "W6L0P", "g4": "W1L0P"}}, "adaptoid.too_many"),
        ({"pieces": START, "phase": "place"}, "adaptoid.bad_start"),
        ({"pieces": {"d4": "W0L0P"}, "phase": "choose"}, "adaptoid.bad_start"),
        ({"pieces": START, "phase": "start"}, "rules.bad_key"),
        ({"pieces": START, "phase": 1}, "rules.bad_key"),
        ({"pieces": START, "colours": ["W", "W"]}, "rules.bad_key"),
        ({"pieces": START, "colours": "WB"}, "rules.bad_key"),
        ({"pieces": START, "score": [0]}, "rules.bad_key"),
        ({"pieces": START, "score": [0, -1]}, "rules.bad_key"),
        ({"pieces": START, "to_move": 0}, "rules.bad_key"),
        ({"pieces": START, "to_move": 3}, "rules.bad_key"),
        ({"pieces": START, "to_move": None}, "rules.not_over"),
        ({"pieces": START, "phase": "choose", "to_move": None}, "rules.not_over"),
        ({"pieces": START, "to_move": None, "score": [5, 5]}, "rules.no_winner"),
        ({"phase": "play", "to_move": None}, "rules.no_winner"),
        ({"pieces": START, "supply": {}}, "rules.bad_key"),
        ({"pieces": START, "supply": [12]}, "rules.bad_key"),
    ],
)
def test_a_position_that_cannot_be_is_refused(shown: dict[str, Any], key: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.from_json(shown, {})
    assert caught.value.message.key == key


def test_a_position_leaves_out_what_is_as_usual() -> None:
    assert GAME.from_json({}, {}) == GAME.initial()
    assert GAME.from_json({}, {"first": "2"}) == GAME.initial({"first": "2"})
    shown = GAME.from_json({"pieces": START}, {})
    assert answer(shown)["phase"] == "play"
    assert answer(shown)["colours"] == ["W", "B"]
    assert (answer(shown)["to_move"], answer(shown)["score"]) == (1, [0, 0])
    choosing = GAME.from_json({"pieces": START, "phase": "choose"}, {})
    assert GAME.to_move(choosing) == 2
    assert GAME.to_move(GAME.from_json({"pieces": START, "phase": "choose"}, {"first": "2"})) == 1


def test_a_position_may_tell_who_is_white_and_the_right_supply() -> None:
    shown = {"pieces": START, "colours": ["B", "W"], "to_move": 2}
    position = GAME.from_json(shown, {})
    assert answer(position)["colours"] == ["B", "W"]
    assert GAME.from_json({**shown, "supply": answer(position)["supply"]}, {}) == position


def test_a_finished_position_tells_its_winner() -> None:
    five = GAME.from_json({"pieces": START, "score": [2, 5], "to_move": None}, {})
    assert answer(five)["outcome"] == {"winner": 2, "reason": "five captured"}
    alone = GAME.from_json({"pieces": {"d4": "W0L0P"}, "to_move": None}, {})
    assert answer(alone)["outcome"] == {"winner": 1, "reason": "no adaptoid left"}


@pytest.mark.parametrize("winner", [1, 2])
def test_where_both_meet_a_condition_the_outcome_tells_the_winner(winner: int) -> None:
    shown = {"pieces": START, "score": [5, 5], "to_move": None, "outcome": {"winner": winner}}
    position = GAME.from_json(shown, {})
    assert answer(position)["outcome"]["winner"] == winner
    assert GAME.to_move(position) is None


@pytest.mark.parametrize("to_move", [1, 2])
def test_where_both_meet_a_condition_else_who_moved_last_has_won(to_move: int) -> None:
    position = GAME.from_json({"pieces": START, "score": [5, 5], "to_move": to_move}, {})
    assert answer(position)["outcome"]["winner"] == 3 - to_move
    assert GAME.to_move(position) is None


def test_a_won_position_is_over_for_either_player_to_move() -> None:
    for to_move in (1, 2):
        position = GAME.from_json({"pieces": START, "score": [5, 0], "to_move": to_move}, {})
        assert answer(position)["outcome"]["winner"] == 1
        assert len(GAME.legal_moves(position)) == 0


def test_a_conversation_from_the_start_tells_phases_colours_and_supply() -> None:
    lines = ["# a game", "", "W:d4 B:d5", " white ", "/d4L", "d4xd5/", "/d5P", "d4-d6/d6L"]
    got = [json.loads(each.text) for each in referee(GAME, {}, None, False, lines)]
    assert list(got[0]) == [
        "ply",
        "move",
        "to_move",
        "pieces",
        "removed",
        "score",
        "legal",
        "outcome",
        "phase",
        "colours",
        "supply",
    ]
    assert [each["phase"] for each in got] == ["place", "choose", *["play"] * 5]
    assert [each["to_move"] for each in got] == [1, 2, 2, 1, 1, 2, 2]
    assert [each["colours"] for each in got] == [None, None, *[["B", "W"]] * 5]
    assert [each["move"] for each in got] == [
        None,
        "W:d4 B:d5",
        "white",
        "/d4L",
        "/d4L",
        "/d5P",
        "/d5P",
    ]
    assert [each.get("error") for each in got] == [
        None,
        None,
        None,
        None,
        "d4 has no adaptoid of yours.",
        None,
        "d4 has 1 leg and cannot reach d6 over empty cells.",
    ]
    assert got[5]["supply"]["B"] == {"bodies": 11, "legs": 12, "pincers": 11}
    assert got[5]["legal"] == len(GAME.legal_moves(GAME.from_json(got[5], {})))
