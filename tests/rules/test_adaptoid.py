"""Adaptoid: agreement with the naive rules, touches, words, and positions in writing."""

from functools import partial
from random import Random
from typing import Any

import pytest

from game.common import words
from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import Position
from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.message import Message
from game.rules.base.values import Role
from tests.oracles.agreement import agree
from tests.oracles.agreement import read as read_naive
from tests.oracles.naive_adaptoid import LIKES, NaiveAdaptoid, random_move, read

# All bodies, legs and pincers of White stand on the board, none of them hungry.
EVERYTHING = dict.fromkeys(("a1", "a4", "b1", "b5", "c1", "c6", "d1", "d7"), "W0L0P")
EVERYTHING |= dict.fromkeys(("e2", "e5", "c3", "f3"), "W3L3P")
SCENE = {
    "d4": "W2L1P",
    "c3": "W0L0P",
    "e1": "W1L0P",
    "d6": "B0L2P",
    "e4": "B1L0P",
    "e2": "B0L1P",
    "b4": "W3L3P",
}
START = {"d4": "W0L0P", "e4": "B0L0P"}


def at(pieces: dict[str, str], **more: Any) -> Position:
    """Read a position; player 1 is White."""
    return GAME.from_json({"pieces": pieces, **more}, {})


def after(position: Position, *texts: str) -> Position:
    for text in texts:
        position = GAME.play(position, GAME.parse_move(position, text))
    return position


def english(message: Message | None) -> str:
    assert message is not None
    return words("en").text(message)


WHITES = ["a1", "a2", "a3", "a4", "b1", "b5", "c1", "c6", "d1", "d7", "b3"]
CROWDED = {
    # 12 white bodies with all legs and pincers but one of each on the board.
    **dict.fromkeys(WHITES, "W1L1P"),
    **{"c3": "W0L0P", "g2": "B2L1P", "f2": "B1L0P", "g4": "B0L2P", "e4": "B3L0P"},
}
SKIRMISH = {"d4": "W2L2P", "c4": "W1L1P", "b2": "W1L3P"}
SKIRMISH |= {"d6": "B2L2P", "e5": "B1L1P", "f3": "B2L2P"}


def start_of(rng: Random) -> NaiveAdaptoid:
    """Draw where a game begins: mostly at its start, sometimes in a position full of pieces."""
    drawn = rng.random()
    if drawn < 0.5:
        return NaiveAdaptoid(to_move=rng.choice((1, 2)))
    codes = CROWDED if drawn < 0.6 else CROWDED | {"c3": "W1L1P"} if drawn < 0.7 else SKIRMISH
    colours, score = rng.choice((("B", "W"), ("W", "B"))), rng.choice(((0, 0), (4, 4)))
    return read(codes, to_move=rng.choice((1, 2)), colours=colours, score=score)


def test_random_games_agree_at_every_ply():
    seen = set[str]()
    for seed in range(32):
        rng = Random(seed)
        start = start_of(rng)
        choose = partial(random_move, (rng.choice(LIKES), rng.choice(LIKES)))
        for now in agree(GAME, start, read_naive(GAME, start), rng, choose):
            left = now.supply("W").items() | now.supply("B").items()
            seen |= now.happened | {f"no {part} left" for part, count in left if not count}
        seen |= {now.outcome[1], "both five" if min(now.score) >= 5 else ""}
    assert seen >= {
        *("won", "lost", "both", "starved 1", "starved 2", "nothing grew"),
        *("no bodies left", "no legs left", "no pincers left"),
        *("five captured", "no adaptoid left", "both five"),
    }


FULL = {**EVERYTHING, "g4": "B2L1P", "e4": "B0L1P"}


def test_taps_are_as_agreed():
    choosing, scene, full = after(GAME.initial(), "W:d4 B:e4"), at(SCENE), at(FULL)
    for position, text, taps in (
        (GAME.initial(), "W:d4 B:e4", ("d4", "e4")),
        (choosing, "white", ("d4",)),
        (choosing, "black", ("e4",)),
        (scene, "/+d5", ("d5",)),
        (scene, "/c3L", ("c3", "choice1")),
        (scene, "d4-d5/c3P", ("d4", "d5", "c3", "choice2")),
        (scene, "d4-d5/+d4", ("d4", "d5", "d4")),
        (scene, "d4xe4/e4P", ("d4", "e4", "e4", "choice2")),
        (full, "e2-d3/", ("e2", "d3")),
        (full, "/", ("choice1",)),
    ):
        assert GAME.taps(position, GAME.parse_move(position, text)) == taps


@pytest.mark.parametrize(
    ("pieces", "more", "touched", "key"),
    [
        (SCENE, {}, ("choice1",), "must_grow"),
        (SCENE, {}, ("zz",), "no_such_cell"),
        (SCENE, {}, ("e4",), "not_yours"),
        (SCENE, {}, ("g4",), "not_adjacent"),
        (SCENE, {}, ("c3", "c4"), "too_far"),
        (SCENE, {}, ("c3", "c3"), "occupied"),
        (SCENE, {}, ("d4", "c3"), "occupied"),
        (SCENE, {}, ("e1", "e2"), "no_pincer"),
        (SCENE, {}, ("b4", "choice1"), "no_socket"),
        (SCENE, {}, ("d4", "d5", "d5", "d6"), "press_key"),
        (FULL, {}, ("a1",), "none_left"),
        (SCENE, {"score": [5, 0]}, ("d4",), "game_over"),
        ({}, {}, ("choice1",), "no_key"),
        ({}, {}, ("d4", "d4"), "same_cell"),
        ({"d4": "W0L0P", "e4": "B0L0P"}, {"phase": "choose"}, ("a1",), "touch_colour"),
    ],
)
def test_a_touch_that_enters_nothing_says_why(pieces, more, touched, key):
    position = at(pieces, **more)
    assert GAME.presentation.refusal(position, touched).key.partition(".")[2] == key


def test_keys_say_what_they_do_now():
    for pieces, taps, key, word in (
        (SCENE, ("c3",), "choice1", "leg"),
        (SCENE, ("c3",), "choice2", "pincer"),
        (FULL, (), "choice1", "end the turn"),
    ):
        assert english(GAME.presentation.key_word(at(pieces), taps, key)) == word


NO_LEGS = at({"d4": "W6L0P", "e2": "W6L0P", "c3": "W0L0P", "g4": "B0L0P"})
NO_PINCERS = at({"d4": "W0L6P", "e2": "W0L6P", "c3": "W0L0P", "g4": "B0L0P"})
NO_BODIES = at({**dict.fromkeys(EVERYTHING, "W0L0P"), "g4": "B0L0P"})
LAST = at({"d4": "W1L1P", "d5": "B0L0P"})
CHOOSING = after(GAME.initial(), "W:d4 B:e4")


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (GAME.initial(), "W:d8 B:d1"),
        (GAME.initial(), "W:d4  B:e4"),
        (GAME.initial(), "W:d4 B:d4"),
        (CHOOSING, "White"),
        (at(SCENE), "white"),
        (at(SCENE), "d4xd5/d5L"),
        (at(SCENE), "d4-e4/e4L"),
        (at(SCENE), "d4-d5/"),
        (at(SCENE), "/+d4"),
        (at(SCENE), "/d5"),
        (at(SCENE), "/+d5L"),
        (NO_LEGS, "/c3L"),
        (NO_PINCERS, "/c3P"),
        (NO_BODIES, "/+c4"),
        (LAST, "d4xd5/d5L"),
        (after(LAST, "d4xd5/"), "/d5L"),
    ],
)
def test_an_illegal_text_is_refused(position, text):
    with pytest.raises(IllegalMove, match="not_legal"):
        GAME.parse_move(position, text)


def test_sides_are_colours_and_players_have_the_one_they_chose():
    shown = GAME.presentation
    for position, sides, names, tokens in (
        (GAME.initial(), [1, 2], ["First player", "Second player"], ["", ""]),
        (at(SCENE), [1, 2], ["White", "Black"], ["W2L2P", "B2L2P"]),
        (at(SCENE, colours=["B", "W"]), [2, 1], ["Black", "White"], ["B2L2P", "W2L2P"]),
    ):
        assert [shown.side_of(position, player) for player in (1, 2)] == sides
        assert [english(shown.called(position, player)) for player in (1, 2)] == names
        assert [shown.token_of(position, player) for player in (1, 2)] == tokens


def test_a_piece_has_a_side_and_is_named_with_its_limbs():
    for piece, side, word in (
        ("W0L0P", 1, "bare white adaptoid"),
        ("B1L0P", 2, "black adaptoid with 1 leg"),
        ("B0L2P", 2, "black adaptoid with 2 pincers"),
        ("W2L1P", 1, "white adaptoid with 2 legs and 1 pincer"),
        ("", None, "adaptoid"),
    ):
        assert GAME.presentation.side(piece) == side
        assert english(GAME.presentation.piece_word(piece)) == word


@pytest.mark.parametrize(
    ("position", "text", "reported"),
    [
        (at(SCENE), "/+d5", "White: new adaptoid on d5."),
        (at(SCENE), "d4-d5/c3L", "White: d4 moved to d5, leg for c3."),
        (at(SCENE), "d4xe4/e4P", "White: d4 captured e4, pincer for e4."),
        (at(SCENE), "d4xd6/c3L", "White: d4 attacked d6 and was captured, leg for c3."),
        (at(SCENE), "d4xe2/c3P", "White: d4 attacked e2: both were captured, pincer for c3."),
        (
            at({"a1": "B3L0P", "a2": "B4L0P", "d4": "W0L0P", "g4": "B0L0P"}),
            "/d4L",
            "White: leg for d4, 2 enemies starved (a1, a2).",
        ),
        (at(FULL), "/", "White: nothing could grow."),
        (GAME.initial(), "W:d4 B:a1", "First player placed white on d4 and black on a1."),
        (after(GAME.initial(), "W:d4 B:a1"), "black", "Second player plays Black."),
    ],
)
def test_a_summary_tells_what_a_turn_did(position, text, reported):
    assert english(GAME.result(position, GAME.parse_move(position, text)).summary) == reported


def test_inspecting_shows_limbs_and_the_enemies_it_could_capture():
    shown = GAME.presentation.inspect(at(SCENE), "d4")
    assert shown.cells == {
        "d4": Role.INSPECTED,
        **dict.fromkeys(("e4", "e2"), Role.VICTIM),
        **dict.fromkeys(("d5", "c4"), Role.MARK),
        "c3": Role.OTHER_MARK,
    }
    assert english(shown.message) == "white adaptoid: 2 legs, 1 pincer, 4 empty cells around it."
    weaker = GAME.presentation.inspect(at(SCENE), "e4")
    assert Role.VICTIM not in weaker.cells.values()
    corner = GAME.presentation.inspect(at({"a1": "B3L1P", "d4": "W0L0P"}), "a1")
    # Limbs go clockwise from the upper right, ring by ring.
    marks = {**dict.fromkeys(("b2", "a2", "b1"), Role.MARK), "c3": Role.OTHER_MARK}
    assert corner.cells == {"a1": Role.INSPECTED, "d4": Role.VICTIM, **marks}
    assert "3 empty cells around it. It needs room" in english(corner.message)


def test_legs_and_pincers_are_explained_where_a_piece_is_chosen():
    bare = after(GAME.initial(), "W:d4 B:e4", "white")
    for position, taps, key in (
        (at(SCENE), (), "adaptoid.ask_turn"),
        (at(SCENE), ("d4",), "adaptoid.ask_way"),
        (at(SCENE), ("d4", "d5"), "adaptoid.ask_growth"),
        (at(SCENE), ("d4", "d5", "d5"), "adaptoid.ask_limb"),
        (bare, ("d4",), "adaptoid.ask_limb"),
    ):
        assert GAME.presentation.asks(position, taps).key == key
    # Six limbs are the most: nothing more grows on it.
    assert GAME.presentation.asks(at(SCENE), ("b4",)) is None
    assert GAME.presentation.asks(at(FULL), ()) is None


TIE = {"d4": "W1L1P", "d5": "B1L1P", "a1": "W0L0P", "g4": "B0L0P"}


def test_texts_are_as_pinned():
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
        "- play 1 WB 0-0",
        "d4=W0L0P,e4=B0L0P play 1 WB 0-5",
        "e4=B0L0P,d4=W0L0P play 1 WB 0-0",
        "d4=W4L3P,e4=B0L0P play 1 WB 0-0",
        "d4=W0L0P,e4=B0L0P play 1 WB 0-\u0661",
        pytest.param(f"d4=W0L0P,e4=B0L0P play 1 WB 0-{'9' * 5000}", id="5000 digits"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text):
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
def test_a_position_that_cannot_be_is_refused(shown, key):
    with pytest.raises(BadPosition) as caught:
        GAME.from_json(shown, {})
    assert caught.value.message.key == key


def test_a_position_leaves_out_what_is_as_usual():
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
def test_a_finished_position_has_a_winner(more, ended):
    position = GAME.from_json({"pieces": START, **more}, {})
    outcome = GAME.outcome(position)
    assert (outcome.winner, outcome.reason) == ended
    assert not GAME.legal_moves(position)
