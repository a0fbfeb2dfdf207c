"""CirKle Mind in writing and in words: set-ups, positions, moves, squares, keys and refusals."""

from random import Random
from typing import Any

import pytest

from game.common import words
from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.message import Message
from game.rules.base.values import Signal
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.faces import FACES
from game.rules.cirkle_mind.presentation import FACE_WORDS
from game.rules.cirkle_mind.squares import ZONES
from tests.helpers.games.cirkle_games import after, arranged, played_on, standing
from tests.oracles.set_up_guesser import guess

FIRST = dict(zip(ZONES[0], FACES, strict=False))
REST = {cell: face for cell, face in FIRST.items() if cell != "A1"}


def written(layout: dict[str, str], more: str = "") -> str:
    return " ".join(["setup", *(f"{cell}={face}" for cell, face in layout.items())]) + more


def test_a_set_up_is_written_in_the_boards_order_whatever_order_it_came_in():
    start = GAME.initial()
    move = written(FIRST)
    assert move.startswith("setup A1=yT B1=gT ")
    assert GAME.move_text(start, move) == move
    text = written(dict(reversed(FIRST.items()))).replace(" ", "  ") + " "
    assert GAME.parse_move(start, text) == move
    assert GAME.play(start, text) == GAME.play(start, move)


@pytest.mark.parametrize(
    "text",
    [
        written(REST),
        "setup",
        written(FIRST | {"A1": "gT"}),
        written(FIRST, " A1=yT"),
        written(FIRST | {"A1": "kX"}),
        written(REST, " A12=yT"),
        written(REST, " A5=yT"),
        written(REST, " yT"),
        "B4-B5",
        pytest.param("setup " + "x" * 999, id="long"),
    ],
)
def test_a_wrong_set_up_is_refused(text):
    start = GAME.initial()
    for refuse in (GAME.parse_move, GAME.play):
        with pytest.raises(IllegalMove, match="bad_set_up"):
            refuse(start, text)
    assert text not in GAME.legal_moves(start)


def test_the_legal_set_ups_are_known_without_listing_them():
    view = GAME.legal_moves(GAME.initial())
    assert written(FIRST) in view
    with pytest.raises(OverflowError):
        len(view)


@pytest.mark.parametrize("player", [1, 2])
def test_random_arrangements_are_legal_and_their_squares_tell_no_more_than_chance(player):
    start, rng = GAME.initial(), Random(1)
    draws = [GAME.arranged_at_random(start, player, rng) for _ in range(3_000)]
    for pieces in draws[:20]:
        text = GAME.arrangement(start, player, pieces)
        assert GAME.laid(start, player, text) == pieces
        assert player == 2 or GAME.parse_move(start, text) == text
    guessed = guess(draws, ("GgX", "MmX")[player - 1])
    assert guessed.as_good_as_chance, guessed


def test_arranging_is_over_for_each_player_who_has_set_up():
    half, whole = GAME.play(GAME.initial(), written(FIRST)), arranged()
    assert GAME.arranging(half, 2) is not None
    for position, player in ((half, 1), (whole, 1), (whole, 2)):
        assert GAME.arranging(position, player) is None
        with pytest.raises(IllegalMove, match="nothing_to_arrange"):
            GAME.arrangement(position, player, {})
        with pytest.raises(IllegalMove, match="nothing_to_arrange"):
            GAME.arranged_at_random(position, player, Random(1))


def test_a_set_up_is_covered_in_texts_and_words():
    start, text = GAME.initial(), written(FIRST)
    assert GAME.covered_text(text) == "setup"
    assert GAME.covered_text("B4-B5*C5") == "B4-B5*C5"
    assert GAME.covered_summary(start, text) == GAME.result(start, text).summary
    assert "yT" not in str(GAME.result(start, text).summary)


def lost(*there: str) -> str:
    """Return what an army has lost if these pieces are left."""
    return "".join(face for face in FACES if face not in there)


def test_texts_are_as_documented():
    assert GAME.text(GAME.initial()) == "- easy setup 1 1 0-0 -/-"
    assert GAME.text(GAME.initial({"level": "super", "first": "2"})) == "- super setup 1 2 0-0 -/-"
    shown = {"pieces": {"D5": "GyC", "D7": "MbT"}, "shown": ["D7"], "score": [2, 3], "to_move": 2}
    text = GAME.text(GAME.from_json(shown, {"level": "medium"}))
    assert text == f"D5=GyC,D7=MbT+ medium play 2 - 2-3 {lost('yC')}/{lost('bT')}"


PAIR = f"D5=GyC,D7=MbT easy play 1 - 0-0 {lost('yC')}/{lost('bT')}"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "mind.bad_text"),
        (PAIR + " ", "mind.bad_text"),
        (PAIR.replace("D5=GyC", "D5=GyC,D5=GyC"), "rules.cell_twice"),
        (PAIR.replace("D5=GyC", "D12=GyC+"), "rules.no_such_cell"),
        (PAIR.replace("GyC", "yC"), "rules.bad_piece"),
        (PAIR.replace("D7=MbT", "D7=MbT,E7=MbT"), "mind.piece_twice"),
        (PAIR.replace("D7=MbT", "D7=MyT"), "mind.bad_lost"),
        (PAIR.replace("/yT", "/"), "mind.bad_lost"),
        (PAIR.replace("play 1 -", "play 1 2"), "mind.bad_begins"),
        (PAIR.replace("/yTgTmT", "/yTgT").replace("D7=MbT", "D7=MbT,E7=M"), ""),
        (
            PAIR.replace("play 1", "play #1").replace("mX", "").replace("MbT", "MbT,E7=MmX"),
            "mind.bad_lost",
        ),
        ("- easy setup 1 - 0-0 -/-", "mind.bad_start"),
        ("- easy setup #1 1 0-0 -/-", "mind.bad_start"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text, key):
    if not key:
        assert GAME.text(GAME.parse(text)) == text
        return
    with pytest.raises(BadPosition) as caught:
        GAME.parse(text)
    assert caught.value.message.key == key


@pytest.mark.parametrize(
    ("shown", "key"),
    [
        ({"pieces": {"A1": "G"}}, "rules.bad_piece"),
        ({"pieces": {"A1": "GyC", "A2": "GyC"}}, "mind.piece_twice"),
        ({"pieces": {"A1": "GyC", "A9": "MyC"}, "to_move": None}, "rules.no_winner"),
        ({"pieces": {"A1": "GgX", "A9": "MmX"}, "to_move": None}, "rules.not_over"),
        ({"pieces": {"A1": "GyC"}, "shown": ["A2"]}, "rules.bad_key"),
        ({"pieces": {"A1": "GyC"}, "phase": "over"}, "rules.bad_key"),
        ({"pieces": {"A1": "GyC"}, "begun": 1}, "rules.bad_key"),
        ({"phase": "setup", "pieces": {"A1": "GyC"}}, "mind.bad_start"),
    ],
)
def test_a_position_that_cannot_be_is_refused(shown, key):
    with pytest.raises(BadPosition) as caught:
        GAME.from_json(shown, {})
    assert caught.value.message.key == key


def test_a_side_with_more_than_24_hidden_pieces_is_refused():
    cells = sorted({*ZONES[0]})[:25]
    pieces = ",".join(f"{cell}=G" for cell in ZONES[0] if cell in cells)
    with pytest.raises(BadPosition) as caught:
        GAME.parse(f"{pieces} easy play 1 - 0-0 -/{lost()}")
    assert caught.value.message.args == {"side": "G", "count": 25, "most": 24}


@pytest.mark.parametrize("level", ["easy", "super"])
def test_the_leader_of_the_other_army_wins_where_one_target_is_gone(level):
    shown: dict[str, Any] = {"pieces": {"A1": "GgX"}, "to_move": None}
    over = GAME.from_json(shown, {"level": level})
    winner = GAME.outcome(over).winner
    assert winner == (1 if level == "easy" else 2)
    with pytest.raises(BadPosition):
        GAME.from_json({**shown, "outcome": {"winner": 3 - winner}}, {"level": level})
    with pytest.raises(BadPosition, match="not_over"):
        GAME.parse(GAME.text(over).replace(f"#{winner}", f"#{3 - winner}"))
    both = {"pieces": {"A1": "GyC"}, "to_move": None, "outcome": {"winner": winner}}
    assert GAME.outcome(GAME.from_json(both, {"level": level})).winner == winner


def said(message: Message | None) -> str:
    assert message is not None
    return words("en").text(message)


@pytest.mark.parametrize(
    ("enemy", "named", "ends", "covered"),
    [
        ("MbC", "blue cross", " and wins", ", and the attack wins"),
        ("MkT", "black triangle", " and loses", ", and the attack loses"),
        ("MbT", "blue triangle", "; both stay", "; both stay"),
    ],
)
def test_a_summary_names_both_faces_and_the_covered_one_none(enemy, named, ends, covered):
    for level, mover in (("easy", 1), ("super-easy", 2)):
        # The name is that of the army by its colour, whoever leads it.
        position = standing({"B4": "GyC", "C5": enemy}, mover, level=level)
        sentence = f"Green\u2019s yellow cross attacks Mauve\u2019s {named} on C5{ends}."
        assert said(GAME.result(position, "B4-B5*C5").summary) == f"B4 to B5. {sentence}"
        sentence = f"Green attacks Mauve on C5 from B5{covered}."
        assert said(GAME.covered_summary(position, "B4-B5*C5")) == f"B4 to B5. {sentence}"


def test_a_summary_with_shields_tells_them():
    # A mauve square is printed on A8.
    position = standing({"A6": "GkO", "A8": "MmT"}, level="medium")
    told = said(GAME.result(position, "A6-A7*A8").summary)
    assert told.endswith("mauve triangle on A8 and wins. Shields: 0 against 1.")


@pytest.mark.parametrize(
    ("pieces", "mover", "level", "winner", "sentence"),
    [
        ({"B4": "GyC", "C5": "MmX"}, 1, "easy", 1, "Green wins: Mauve lost"),
        ({"B6": "MyC", "C5": "GgX"}, 1, "super", 1, "Mauve wins: Green lost"),
    ],
)
def test_the_end_is_told(pieces, mover, level, winner, sentence):
    position = standing(pieces, mover, level=level)
    attack = next(move for move in GAME.legal_moves(position) if move.endswith("*C5"))
    outcome = GAME.outcome(GAME.play(position, attack))
    assert outcome.winner == winner
    told = f"{sentence} the target of the army\u2019s own colour."
    assert said(outcome.message) == told


def test_covered_words_of_a_whole_game_name_no_face():
    faces = {said(word) for word in FACE_WORDS.values()}
    attacks = 0
    for seed in range(3):
        position = arranged("medium", seed)
        for plies in range(50):
            seen, moves = GAME.seen_by(position, None), list(GAME.legal_moves(position))
            covered = [GAME.covered_summary(each, m) for each in (position, seen) for m in moves]
            covered += [GAME.result(seen, move).summary for move in moves]
            text = " ".join(said(each) for each in covered)
            assert not [face for face in faces if face in text]
            attacks += sum("*" in move for move in moves)
            position = played_on(position, 1, plies)
    assert attacks > 20


def test_a_light_flashes_by_shape_in_the_colour_of_the_face_and_white_for_black():
    flashes = {"T": 3, "S": 4, "C": 2, "O": 1, "X": 0}
    hues = {face[0]: GAME.signal("G" + face).hue for face in FACES}
    assert len(set(hues.values())) == 5
    assert hues["k"] == "#ffffff"
    for face in FACES:
        signal = Signal(hues[face[0]], flashes[face[1]])
        assert GAME.signal("G" + face) == GAME.signal("M" + face) == signal
    assert GAME.signal("G") is GAME.signal("M") is None


@pytest.mark.parametrize(
    ("cell", "level", "sentence"),
    [
        ("A1", "easy", "A1: green cross on the board."),
        ("A6", "easy", None),
        ("B6", "easy", "B6: yellow cross."),
        ("B1", "medium", "B1: black circle, shield 2; blue circle on the board."),
        ("C1", "medium", "C1: green target, shield 0; mauve triangle on the board."),
        ("A11", "medium", "A11: mauve piece; green cross on the board."),
    ],
)
def test_inspecting_tells_what_is_printed_and_what_is_known_of_the_piece(cell, level, sentence):
    pieces = {"B6": "GyC", "C6": "MyT", "B1": "GkO", "C1": "GgX", "A11": "MgC"}
    seen = GAME.seen_by(standing(pieces, level=level), 1)
    found = GAME.presentation.inspect(seen, cell)
    if sentence is None:
        assert found is None
        return
    assert said(found.message) == sentence
    assert set(found.cells) == {cell}
    assert set(found.cells.values()) <= set(GAME.presentation.roles)


def test_the_key_ends_the_turn_without_an_attack_or_passes():
    position = standing({"B4": "GyC", "C5": "MbC"})
    assert said(GAME.presentation.key_word(position, ("B4", "B5"), "choice1")) == "no attack"
    assert "attack" in said(GAME.presentation.asks(position, ("B4", "B5")))
    assert GAME.presentation.asks(position, ()) is GAME.presentation.asks(position, ("B4",)) is None
    corner = standing({"A1": "GyC", "B1": "MyT", "A2": "MbT"})
    assert said(GAME.presentation.key_word(corner, (), "choice1")) == "pass"
    assert "Pass" in said(GAME.presentation.asks(corner, ()))
    over = after({"B4": "GyC", "C5": "MmX"}, "B4-B5*C5")
    assert GAME.presentation.asks(over, ()) is None
