"""What the table, people and other programs get from Adaptoid: touches, words, positions."""

import pytest

from game.common import words
from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import NEAREST, Position
from game.rules.base.errors import BadPosition, IllegalMove
from game.rules.base.message import Message
from game.rules.base.values import CHOICES, Role
from tests.helpers.games.adaptoid_positions import EVERYTHING, FULL, SCENE, after, at


def taps(position: Position, text: str) -> tuple[str, ...]:
    return GAME.taps(position, GAME.parse_move(position, text))


def english(message: Message) -> str:
    return words("en").text(message)


def test_taps_are_as_agreed():
    start = GAME.initial()
    assert taps(start, "W:d4 B:e4") == ("d4", "e4")
    choosing = after(start, "W:d4 B:e4")
    assert taps(choosing, "white") == ("d4",)
    assert taps(choosing, "black") == ("e4",)
    scene = at(SCENE)
    assert taps(scene, "/+d5") == ("d5",)
    assert taps(scene, "/c3L") == ("c3", "choice1")
    assert taps(scene, "/c3P") == ("c3", "choice2")
    assert taps(scene, "d4-d5/d5L") == ("d4", "d5", "d5", "choice1")
    assert taps(scene, "d4-d5/c3P") == ("d4", "d5", "c3", "choice2")
    assert taps(scene, "d4-d5/+d4") == ("d4", "d5", "d4")
    assert taps(scene, "d4xe4/e4P") == ("d4", "e4", "e4", "choice2")
    assert taps(at(FULL), "e2-d3/") == ("e2", "d3")
    assert taps(at(FULL), "/") == ("choice1",)


@pytest.mark.parametrize(
    ("pieces", "more", "touched", "key"),
    [
        (SCENE, {}, ("choice1",), "must_grow"),
        (SCENE, {}, ("zz",), "no_such_cell"),
        (SCENE, {}, ("e4",), "not_yours"),
        (SCENE, {}, ("g4",), "not_adjacent"),
        (SCENE, {}, ("c3", "c4"), "too_far"),
        (SCENE, {}, ("c3", "c3"), "stays"),
        (SCENE, {}, ("d4", "c3"), "occupied"),
        (SCENE, {}, ("e1", "e2"), "no_pincer"),
        (SCENE, {}, ("b4", "choice1"), "no_socket"),
        (SCENE, {}, ("d4", "d5", "d5", "d6"), "press_key"),
        (FULL, {}, ("a1",), "nothing_grows"),
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
    assert GAME.keys == CHOICES
    scene = at(SCENE)
    assert english(GAME.presentation.key_word(scene, ("c3",), "choice1")) == "leg"
    assert english(GAME.presentation.key_word(scene, ("c3",), "choice2")) == "pincer"
    assert english(GAME.presentation.key_word(at(FULL), (), "choice1")) == "end the turn"


SCENE_NOW = at(SCENE)
FULL_NOW = at({**EVERYTHING, "g4": "B0L0P"})
OVER = after(at({"d4": "W1L1P", "d5": "B0L0P"}), "d4xd5/")
CHOOSING = after(GAME.initial(), "W:d4 B:e4")


@pytest.mark.parametrize(
    ("position", "text", "key"),
    [
        (GAME.initial(), "W:d4 B:d4", "same_cell"),
        (GAME.initial(), "W:d8 B:d1", "no_such_cell"),
        (GAME.initial(), "W:d4  B:e4", "bad_placing"),
        (CHOOSING, "White", "bad_choice"),
        (SCENE_NOW, "white", "bad_turn"),
        (SCENE_NOW, "e4-e5/c3L", "not_yours"),
        (SCENE_NOW, "d4-d4/d4L", "stays"),
        (SCENE_NOW, "d4-c3/c3L", "occupied"),
        (SCENE_NOW, "c3-c4/c4L", "too_far"),
        (SCENE_NOW, "e1xe2/c3L", "no_pincer"),
        (SCENE_NOW, "d4xd5/d5L", "no_enemy"),
        (SCENE_NOW, "d4-e4/e4L", "write_x"),
        (SCENE_NOW, "d4-d5/", "must_grow"),
        (SCENE_NOW, "/+d4", "occupied"),
        (SCENE_NOW, "/+g4", "not_adjacent"),
        (SCENE_NOW, "/b4L", "no_socket"),
        (FULL_NOW, "e2-d3/d3L", "nothing_grows"),
        (OVER, "/d5L", "game_over"),
    ],
)
def test_an_illegal_text_is_refused_and_says_why(position, text, key):
    with pytest.raises(IllegalMove) as caught:
        GAME.parse_move(position, text)
    assert caught.value.message.key.partition(".")[2] == key


def test_sides_are_colours_and_players_have_the_one_they_chose():
    shown = GAME.presentation
    assert [shown.side(piece) for piece in ("W2L1P", "B0L0P", "")] == [1, 2, None]
    swapped = at(SCENE, colours=["B", "W"])
    for position, sides, names, tokens in (
        (GAME.initial(), [1, 2], ["First player", "Second player"], ["", ""]),
        (at(SCENE), [1, 2], ["White", "Black"], ["W2L2P", "B2L2P"]),
        (swapped, [2, 1], ["Black", "White"], ["B2L2P", "W2L2P"]),
    ):
        assert [shown.side_of(position, player) for player in (1, 2)] == sides
        assert [english(shown.called(position, player)) for player in (1, 2)] == names
        assert [shown.token_of(position, player) for player in (1, 2)] == tokens


@pytest.mark.parametrize(
    ("piece", "word"),
    [
        ("W0L0P", "bare white adaptoid"),
        ("B1L0P", "black adaptoid with 1 leg"),
        ("B0L2P", "black adaptoid with 2 pincers"),
        ("W2L1P", "white adaptoid with 2 legs and 1 pincer"),
        ("odd", "adaptoid"),
    ],
)
def test_a_piece_is_named_with_its_limbs(piece, word):
    assert english(GAME.presentation.piece_word(piece)) == word


@pytest.mark.parametrize(
    ("position", "text", "reported"),
    [
        (SCENE_NOW, "/+d5", "White: new adaptoid on d5."),
        (SCENE_NOW, "d4-d5/c3L", "White: d4 moved to d5, leg for c3."),
        (SCENE_NOW, "d4xe4/e4P", "White: d4 captured e4, pincer for e4."),
        (SCENE_NOW, "d4xd6/c3L", "White: d4 attacked d6 and was captured, leg for c3."),
        (SCENE_NOW, "d4xe2/c3P", "White: d4 attacked e2: both were captured, pincer for c3."),
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


def shown(position: Position, cell: str, role: Role) -> list[str]:
    inspection = GAME.presentation.inspect(position, cell)
    return [near for near, its in inspection.cells.items() if its is role]


def test_nearest_cells_go_clockwise_from_the_upper_right_ring_by_ring():
    assert NEAREST["d4"][:6] == ("e4", "d5", "c4", "c3", "d3", "e3")
    assert NEAREST["d4"][6:9] == ("f4", "e5", "d6")
    assert NEAREST["a1"][:3] == ("b2", "a2", "b1")
    assert all(len(set(cells)) == 36 for cells in NEAREST.values())


def test_inspecting_shows_the_enemies_it_could_capture_and_counts_elsewhere():
    scene = at(SCENE)
    assert set(shown(scene, "d4", Role.VICTIM)) == {"e4", "e2"}
    assert shown(scene, "d4", Role.MARK) == ["d5", "c4"]
    assert shown(scene, "d4", Role.OTHER_MARK) == ["c3"]
    assert shown(scene, "e4", Role.VICTIM) == []


def test_inspecting_tells_limbs_and_room():
    inspection = GAME.presentation.inspect(at(SCENE), "d4")
    reported = english(inspection.message)
    assert reported == "white adaptoid: 2 legs, 1 pincer, 4 empty cells around it."
    corner = GAME.presentation.inspect(at({"a1": "B3L1P", "d4": "W0L0P"}), "a1")
    assert english(corner.message).startswith(
        "black adaptoid: 3 legs, 1 pincer, 3 empty cells around it. It needs room"
    )


def test_legs_and_pincers_are_explained_where_a_piece_is_chosen():
    asks = GAME.presentation.asks
    for taps, key in (
        ((), "adaptoid.ask_turn"),
        (("d4",), "adaptoid.ask_way"),
        (("d4", "d5"), "adaptoid.ask_growth"),
        (("d4", "d5", "d5"), "adaptoid.ask_limb"),
    ):
        asked = asks(at(SCENE), taps)
        assert asked.key == key
    bare = after(after(GAME.initial(), "W:d4 B:e4"), "white")
    asked = asks(bare, ("d4",))
    assert asked is not None
    assert "a leg takes it one cell farther, a pincer lets it fight" in english(asked)
    # Six limbs are the most: nothing more grows on it.
    assert asks(at(SCENE), ("b4",)) is None
    assert asks(at(FULL), ()) is None


START = {"d4": "W0L0P", "e4": "B0L0P"}
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
