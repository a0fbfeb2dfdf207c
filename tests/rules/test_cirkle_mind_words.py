"""Texts about CirKle Mind: moves with and without faces, pieces, squares, keys and refusals."""

import pytest

from game.common import LANGUAGES, words
from game.rules.base.message import Message
from game.rules.base.values import Signal
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.faces import FACES
from game.rules.cirkle_mind.presentation import FACE_WORDS
from tests.helpers.games.cirkle_games import after, arranged, played_on, standing

LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


def said(message: Message | None, language: str = "en") -> str:
    assert message is not None
    return words(language).text(message)


def shown(pieces: dict[str, str], move: str, to_move: int = 1, level: str = "easy") -> str:
    position = standing(pieces, to_move, level=level)
    return said(GAME.result(position, move).summary)


@pytest.mark.parametrize(
    ("enemy", "sentence", "covered"),
    [
        (
            "MbC",
            "Green\u2019s yellow cross attacks Mauve\u2019s blue cross on C5 and wins.",
            "Green attacks Mauve on C5 from B5, and the attack wins.",
        ),
        (
            "MkT",
            "Green\u2019s yellow cross attacks Mauve\u2019s black triangle on C5 and loses.",
            "Green attacks Mauve on C5 from B5, and the attack loses.",
        ),
        (
            "MbT",
            "Green\u2019s yellow cross attacks Mauve\u2019s blue triangle on C5; both stay.",
            "Green attacks Mauve on C5 from B5; both stay.",
        ),
    ],
)
def test_a_summary_names_both_faces_and_the_covered_one_none(
    enemy: str, sentence: str, covered: str
) -> None:
    position = standing({"B4": "GyC", "C5": enemy})
    assert said(GAME.result(position, "B4-B5*C5").summary) == f"B4 to B5. {sentence}"
    assert said(GAME.covered_summary(position, "B4-B5*C5")) == f"B4 to B5. {covered}"


def test_a_summary_names_who_leads_the_army_by_its_colour() -> None:
    pieces = {"B6": "MbC", "C5": "GyC"}
    for level, mover in (("easy", 2), ("super-easy", 1)):
        sentence = shown(pieces, "B6-B5*C5", mover, level)
        assert sentence.endswith(
            "Mauve\u2019s blue cross attacks Green\u2019s yellow cross on C5 and wins."
        )


def test_a_summary_with_shields_tells_them() -> None:
    pieces = {"B4": "GyC", "C5": "MbC"}
    assert shown(pieces, "B4-B5*C5", level="medium").endswith("wins. Shields: 0 against 0.")
    square = GAME.presentation.printed["A8"]
    other = next(face for face in FACES if face[1] == square[1] and face[0] not in (square[0], "k"))
    mine = "kO" if other[1] != "O" else "kT"
    sentence = shown({"A6": "G" + mine, "A8": "M" + other}, "A6-A7*A8", level="medium")
    assert sentence.endswith("wins. Shields: 0 against 1.")


def test_the_end_is_told() -> None:
    over = after({"B4": "GyC", "C5": "MmX"}, "B4-B5*C5")
    outcome = GAME.outcome(over)
    assert (
        said(outcome.message) == "Green wins: Mauve lost the target of the army\u2019s own colour."
    )
    over = after({"B6": "MyC", "C5": "GgX"}, "B6-B5*C5", to_move=1, level="super")
    outcome = GAME.outcome(over)
    assert outcome.winner == 1
    assert (
        said(outcome.message) == "Mauve wins: Green lost the target of the army\u2019s own colour."
    )


@LANGUAGE
def test_covered_words_of_a_whole_game_name_no_face(language: str) -> None:
    faces = {said(word, language) for word in FACE_WORDS.values()}
    attacks = 0
    for seed in range(3):
        position = arranged("medium", seed)
        for plies in range(50):
            seen, moves = GAME.seen_by(position, None), list(GAME.legal_moves(position))
            covered = [GAME.covered_summary(each, m) for each in (position, seen) for m in moves]
            covered += [GAME.result(seen, move).summary for move in moves]
            text = " ".join(said(each, language) for each in covered)
            assert not [face for face in faces if face in text]
            attacks += sum("*" in move for move in moves)
            position = played_on(position, 1, plies)
    assert attacks > 20


def test_a_light_flashes_by_shape_in_the_colour_of_the_face_and_white_for_black() -> None:
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
def test_inspecting_tells_what_is_printed_and_what_is_known_of_the_piece(
    cell: str, level: str, sentence: str | None
) -> None:
    pieces = {"B6": "GyC", "C6": "MyT", "B1": "GkO", "C1": "GgX", "A11": "MgC"}
    seen = GAME.seen_by(standing(pieces, level=level), 1)
    found = GAME.presentation.inspect(seen, cell)
    if sentence is None:
        assert found is None
        return
    assert found is not None
    assert said(found.message) == sentence
    assert set(found.cells) == {cell}
    assert set(found.cells.values()) <= set(GAME.presentation.roles)


def test_the_key_ends_the_turn_without_an_attack_or_passes() -> None:
    position = standing({"B4": "GyC", "C5": "MbC"})
    assert said(GAME.presentation.key_word(position, ("B4", "B5"), "choice1")) == "no attack"
    assert "attack" in said(GAME.presentation.asks(position, ("B4", "B5")))
    assert GAME.presentation.asks(position, ()) is GAME.presentation.asks(position, ("B4",)) is None
    corner = standing({"A1": "GyC", "B1": "MyT", "A2": "MbT"})
    assert said(GAME.presentation.key_word(corner, (), "choice1")) == "pass"
    assert "Pass" in said(GAME.presentation.asks(corner, ()))


@pytest.mark.parametrize(
    ("taps", "key"),
    [
        (("choice1",), "mind.no_key"),
        (("Z1",), "rules.no_such_cell"),
        (("A1",), "mind.not_yours"),
        (("H1",), "mind.hemmed_in"),
        (("D5", "D8"), "mind.too_far"),
        (("E5", "D5"), "mind.occupied"),
        (("D5", "D6", "A1"), "mind.no_enemy"),
        (("D5", "D6", "H2"), "mind.not_in_reach"),
    ],
)
def test_touches_that_go_on_to_no_move_are_refused_with_a_reason(
    taps: tuple[str, ...], key: str
) -> None:
    pieces = {"D5": "GyC", "D7": "MbC", "E5": "GbC", "H1": "GgX", "H2": "MyC", "G1": "GkO"}
    position = standing(pieces)
    assert GAME.presentation.refusal(position, taps).key == key


def test_touches_are_refused_where_only_passing_is_left_or_the_game_is_over() -> None:
    corner = standing({"A1": "GyC", "B1": "MyT", "A2": "MbT"})
    assert GAME.presentation.refusal(corner, ("A1",)).key == "mind.ask_pass"
    over = after({"B4": "GyC", "C5": "MmX"}, "B4-B5*C5")
    assert GAME.presentation.refusal(over, ("A1",)).key == "rules.game_over"
    assert GAME.presentation.asks(over, ()) is None
