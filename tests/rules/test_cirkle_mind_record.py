"""Positions of CirKle Mind in writing, in text and as JSON, and the referee's conversation."""

import json
from random import Random
from typing import Any

import pytest

from game.cli.referee import referee
from game.rules.base.errors import BadOption, BadPosition
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.faces import FACES
from game.rules.cirkle_mind.position import Position
from game.rules.cirkle_mind.squares import ZONES
from tests.helpers.games.cirkle_games import LEVELS

FIRST = "setup " + " ".join(f"{c}={f}" for c, f in zip(ZONES[0], FACES, strict=False))
SECOND = "setup " + " ".join(f"{c}={f}" for c, f in zip(ZONES[1], FACES, strict=False))
KEYS = ["ply", "move", "to_move", "pieces", "removed", "score", "legal", "moves", "outcome"]


def answers(*read: str, position: Any = None, **options: str) -> list[dict[str, Any]]:
    """Feed lines to the referee; give its answers."""
    shown = None if position is None else json.dumps(position)
    return [json.loads(each.text) for each in referee(GAME, options, shown, True, read)]


def as_json(position: Position) -> dict[str, Any]:
    """Write a position in the referee's keys, as an answer does."""
    outcome = GAME.outcome(position)
    return {
        "pieces": GAME.pieces(position),
        "to_move": GAME.to_move(position),
        "score": list(GAME.score(position)),
        "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason},
        **GAME.extras(position),
    }


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("first", ["1", "2"])
def test_positions_before_play_survive_text_and_json(level: str, first: str) -> None:
    options = {"level": level, "first": first}
    start = GAME.initial(options)
    half = GAME.play(start, GAME.legal_moves(start).pick(Random(1)))
    for position in (start, half):
        assert GAME.parse(GAME.text(position)) == position
        assert GAME.from_json(json.loads(json.dumps(as_json(position))), options) == position
    for viewer in (None, 1, 2):
        seen = GAME.seen_by(half, viewer)
        assert GAME.parse(GAME.text(seen)) == seen


def test_texts_are_as_documented() -> None:
    assert GAME.text(GAME.initial()) == "- easy setup 1 1 0-0 -/-"
    assert GAME.text(GAME.initial({"level": "super", "first": "2"})) == "- super setup 1 2 0-0 -/-"
    shown = {"pieces": {"D5": "GyC", "D7": "MbT"}, "shown": ["D7"], "score": [2, 3], "to_move": 2}
    text = GAME.text(GAME.from_json(shown, {"level": "medium"}))
    lost = ["".join(f for f in FACES if f != there) for there in ("yC", "bT")]
    assert text == f"D5=GyC,D7=MbT+ medium play 2 - 2-3 {lost[0]}/{lost[1]}"


def test_a_text_of_a_game_that_is_over_names_the_winner() -> None:
    position = GAME.from_json({"pieces": {"D5": "GyC", "D7": "MmX", "A1": "GgX"}}, {})
    over = GAME.play(position, "D5-D6*D7")
    assert " easy play #1 - 1-0 " in GAME.text(over)
    assert GAME.parse(GAME.text(over)) == over


def lost(*there: str) -> str:
    """Return what an army has lost if these pieces are left."""
    return "".join(face for face in FACES if face not in there)


PAIR = f"D5=GyC,D7=MbT easy play 1 - 0-0 {lost('yC')}/{lost('bT')}"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "mind.bad_text"),
        ("nonsense", "mind.bad_text"),
        (PAIR + " ", "mind.bad_text"),
        (PAIR.replace("D5=GyC", "D5=GyC,D5=GyC"), "rules.cell_twice"),
        (PAIR.replace("D5=GyC", "D12=GyC"), "rules.no_such_cell"),
        (PAIR.replace("D5=GyC", "D12=GyC+"), "rules.no_such_cell"),
        (PAIR.replace("GyC", "yC"), "rules.bad_piece"),
        (PAIR.replace("GyC", "GkX"), "rules.bad_piece"),
        (PAIR.replace("GyC", ""), "rules.bad_piece"),
        (PAIR.replace("D7=MbT", "D7=MbT,E7=MbT"), "mind.piece_twice"),
        (PAIR.replace("D7=MbT", "D7=MyT"), "mind.bad_lost"),
        (PAIR.replace("/yT", "/"), "mind.bad_lost"),
        (PAIR.replace("play 1 -", "play 1 2"), "mind.bad_begins"),
        (PAIR.replace("play 1 -", "play #1 1"), "mind.bad_begins"),
        (PAIR.replace("/yTgTmT", "/yTgT").replace("D7=MbT", "D7=MbT,E7=M"), ""),
        (
            PAIR.replace("play 1", "play #1").replace("mX", "").replace("MbT", "MbT,E7=MmX"),
            "mind.bad_lost",
        ),
        ("- easy setup 1 - 0-0 -/-", "mind.bad_start"),
        ("- easy setup #1 1 0-0 -/-", "mind.bad_start"),
        ("- easy setup 1 1 1-0 -/-", "mind.bad_start"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, key: str) -> None:
    if not key:
        assert GAME.text(GAME.parse(text)) == text
        return
    with pytest.raises(BadPosition) as caught:
        GAME.parse(text)
    assert caught.value.message.key == key


def test_a_text_without_a_lost_target_is_not_over() -> None:
    green = ",".join(f"{cell}=G{face}" for cell, face in zip(ZONES[0], FACES, strict=False))
    mauve = ",".join(f"{cell}=M{face}" for cell, face in zip(ZONES[1], FACES, strict=False))
    with pytest.raises(BadPosition, match="not_over"):
        GAME.parse(f"{green},{mauve} easy play #1 - 0-0 -/-")
    over = mauve.replace(",H10=MmX", "")
    assert over != mauve
    assert GAME.outcome(GAME.parse(f"{green},{over} easy play #1 - 1-0 -/mX")).winner == 1
    with pytest.raises(BadPosition, match="not_over"):
        GAME.parse(f"{green},{over} easy play #2 - 1-0 -/mX")
    assert GAME.outcome(GAME.parse(f"{green},{over} super play #2 - 1-0 -/mX")).winner == 2


@pytest.mark.parametrize(
    ("shown", "key"),
    [
        ({"pieces": []}, "rules.bad_key"),
        ({"pieces": None}, "rules.bad_key"),
        ({"pieces": {"A12": "GyC"}}, "rules.no_such_cell"),
        ({"pieces": {"a1": "GyC"}}, "rules.no_such_cell"),
        ({"pieces": {"A1": "yC"}}, "rules.bad_piece"),
        ({"pieces": {"A1": "G"}}, "rules.bad_piece"),
        ({"pieces": {"A1": "GyC", "A2": "GyC"}}, "mind.piece_twice"),
        ({"pieces": {"A1": "GyC"}, "to_move": 0}, "rules.bad_key"),
        ({"pieces": {"A1": "GyC"}, "to_move": 3}, "rules.bad_key"),
        ({"pieces": {"A1": "GyC", "A9": "MyC"}, "to_move": None}, "rules.no_winner"),
        ({"pieces": {"A1": "GgX", "A9": "MmX"}, "to_move": None}, "rules.not_over"),
        ({"pieces": {"A1": "GyC"}, "score": [0]}, "rules.bad_key"),
        ({"pieces": {"A1": "GyC"}, "score": [0, -1]}, "rules.bad_key"),
        ({"pieces": {"A1": "GyC"}, "shown": ["A2"]}, "rules.bad_key"),
        ({"pieces": {"A1": "GyC"}, "shown": [1]}, "rules.bad_key"),
        ({"pieces": {"A1": "GyC"}, "phase": "over"}, "rules.bad_key"),
        ({"pieces": {"A1": "GyC"}, "begun": 1}, "rules.bad_key"),
        ({"phase": "setup", "pieces": {"A1": "GyC"}}, "mind.bad_start"),
        ({"phase": "setup", "pieces": {"A9": "MyC"}}, "mind.bad_start"),
    ],
)
def test_a_position_that_cannot_be_is_refused(shown: dict[str, Any], key: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.from_json(shown, {})
    assert caught.value.message.key == key


def test_a_message_about_a_wrong_position_names_thing_value_and_what_is_allowed() -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.from_json({"pieces": {"A1": "zz"}}, {})
    args = caught.value.message.args
    assert (args["cell"], args["value"]) == ("A1", "'zz'")
    assert "yC" in str(args["allowed"])


def test_a_side_with_more_than_24_hidden_pieces_is_refused() -> None:
    cells = sorted({*ZONES[0]})[:25]
    pieces = ",".join(f"{cell}=G" for cell in ZONES[0] if cell in cells)
    with pytest.raises(BadPosition) as caught:
        GAME.parse(f"{pieces} easy play 1 - 0-0 -/{lost()}")
    assert caught.value.message.args == {"side": "G", "count": 25, "most": 24}


@pytest.mark.parametrize("options", [{"level": "hard"}, {"first": "3"}, {"size": "9"}])
def test_bad_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(BadOption):
        GAME.initial(options)
    with pytest.raises(BadOption):
        GAME.from_json({}, options)


def test_a_position_leaves_out_what_is_as_at_the_start() -> None:
    assert GAME.from_json({}, {}) == GAME.initial()
    options = {"first": "2", "level": "super"}
    assert GAME.from_json({}, options) == GAME.initial(options)
    position = GAME.from_json({"pieces": {"A1": "GyC"}}, {"first": "2"})
    assert (GAME.to_move(position), GAME.extras(position)["begun"]) == (2, True)
    assert GAME.extras(position)["phase"] == "play"


def test_a_position_in_super_is_after_the_exchange() -> None:
    shown = {"pieces": {"D5": "GyC", "D9": "MyC"}, "to_move": 1}
    position = GAME.from_json(shown, {"level": "super"})
    assert all(move.startswith("D9") for move in GAME.legal_moves(position))


def test_both_own_targets_gone_takes_the_winner_that_is_told() -> None:
    for winner in (1, 2):
        shown = {"pieces": {"A1": "GyC"}, "to_move": None, "outcome": {"winner": winner}}
        assert GAME.outcome(GAME.from_json(shown, {})).winner == winner


@pytest.mark.parametrize("level", ["easy", "super"])
def test_one_own_target_gone_tells_the_winner(level: str) -> None:
    shown = {"pieces": {"A1": "GgX"}, "to_move": None}
    winner = GAME.outcome(GAME.from_json(shown, {"level": level})).winner
    assert winner == (1 if level == "easy" else 2)
    shown["outcome"] = {"winner": 3 - winner}
    with pytest.raises(BadPosition):
        GAME.from_json(shown, {"level": level})


def test_the_referee_tells_legal_null_until_both_have_set_up() -> None:
    got = answers(FIRST, SECOND)
    assert [each["legal"] for each in got[:2]] == [None, None]
    assert [each["moves"] for each in got[:2]] == [None, None]
    assert got[2]["legal"] == len(got[2]["moves"]) > 0
    assert got[2]["moves"] == sorted(got[2]["moves"])
    assert [each["to_move"] for each in got] == [1, 2, 1]
    assert [each["phase"] for each in got] == ["setup", "setup", "play"]
    assert [each["begun"] for each in got] == [False, False, False]
    assert list(got[2]) == [*KEYS, "phase", "begun", "shown"]
    assert got[1]["move"] == FIRST
    assert got[1]["pieces"]["A1"] == "GyT"


def test_the_referee_refuses_a_wrong_set_up_and_reads_on() -> None:
    got = answers("setup A1=yT", FIRST.replace("A1=yT", "A9=yT"), "A1-A2", FIRST, FIRST)
    assert got[1].pop("error").startswith("The set-up has 1 of 24 pieces; missing: gT ")
    assert got[1] == got[0]
    assert got[2]["error"] == "A9 is not in your own zone; use A1 to H4."
    assert got[3]["error"].startswith("'A1-A2' is no set-up;")
    assert (got[4]["ply"], got[4]["to_move"]) == (1, 2)
    assert got[5]["error"] == "A1 is not in your own zone; use A8 to H11."
