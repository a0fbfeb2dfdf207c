"""Texts about CirKle Mind: moves with and without faces, pieces, squares, keys and refusals."""

import pytest

from game.common import LANGUAGES, words
from game.rules.base.message import Message
from game.rules.base.values import Signal
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.faces import FACES
from game.rules.cirkle_mind.position import Position
from game.rules.cirkle_mind.presentation import FACE_WORDS
from tests.helpers.games.cirkle_games import arranged, played_on
from tests.helpers.games.cirkle_positions import after, standing

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


def everything_covered(position: Position, language: str) -> str:
    seen = GAME.seen_by(position, None)
    texts = [
        said(GAME.covered_summary(position, move), language) for move in GAME.legal_moves(position)
    ]
    texts += [
        said(GAME.covered_summary(seen, move), language) for move in GAME.legal_moves(position)
    ]
    texts += [
        said(GAME.result(seen, move).summary, language) for move in GAME.legal_moves(position)
    ]
    return "\n".join(texts)


@LANGUAGE
def test_covered_words_of_a_whole_game_name_no_face(language: str) -> None:
    faces = {said(word, language) for word in FACE_WORDS.values()}
    attacks = 0
    for seed in range(3):
        position = arranged("medium", seed)
        for plies in range(50):
            covered = everything_covered(position, language)
            assert not [face for face in faces if face in covered]
            attacks += sum("*" in move for move in GAME.legal_moves(position))
            position = played_on(position, 1, plies)
    assert attacks > 20


@LANGUAGE
def test_faces_have_a_word_each(language: str) -> None:
    texts = {
        said(GAME.presentation.piece_word(side + face), language) for side in "GM" for face in FACES
    }
    assert len(texts) == len(FACES)
    backs = {said(GAME.presentation.piece_word(side), language) for side in "GM"}
    assert len(backs) == 2
    assert not backs & texts


@pytest.mark.parametrize(("shape", "flashes"), [("T", 3), ("S", 4), ("C", 2), ("O", 1), ("X", 0)])
def test_a_light_flashes_by_shape(shape: str, flashes: int) -> None:
    for side in "GM":
        for colour in "ygbm" + "k" * (shape != "X"):
            assert GAME.signal(f"{side}{colour}{shape}").flashes == flashes


def test_a_light_has_the_colour_of_the_face_and_white_for_black() -> None:
    hues = {colour: GAME.signal(f"G{colour}T").hue for colour in "ygbmk"}
    assert len(set(hues.values())) == 5
    assert hues["k"] == "#ffffff"
    assert GAME.signal("MyT") == GAME.signal("GyT") == Signal(hues["y"], 3)


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
