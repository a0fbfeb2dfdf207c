"""Azteka as the table asks for it: touches, refusals and words."""

import pytest

from game.common import Words
from game.rules.azteka import GAME
from game.rules.azteka.play import Position
from game.rules.base.values import Role

EMPTY, FIVE = ("/".join(["...."] * rows) for rows in (8, 5))


def at(text: str) -> Position:
    return GAME.parse(text)


def test_touches_of_each_kind_of_move_use_the_keys_of_the_variant():
    for text, move, taps in (
        (f"{EMPTY} basic LD L -", "c3", ("c3",)),
        (f"{EMPTY} basic LD L -", "T2", ("ring2",)),
        (f".L..{EMPTY[4:]} aggressive LD L -", "TT2", ("choice1", "ring2")),
        (f"LLLL{EMPTY[4:]} basic LD L+ -", "-", ("choice1",)),
    ):
        assert GAME.taps(at(text), move) == taps
    rings = ("ring1", "ring2", "ring3", "ring4")
    assert GAME.keys == GAME.variants["aggressive"].keys == (*rings, "choice1")
    assert GAME.variants["three"].keys == rings


BIRTH = "LLLL/D.../..../..../..../..../..../.... basic LD L+ -"
PLAIN = "L.../D.../..../..../..../..../..../.... basic LD L -"
WIDE = "LL../D.../..../..D./..../..../..../.... aggressive LD L -"
EQUAL = "L.../D.../..../..../..../..../..../.... aggressive LD L -"
SPENT = "LL../LL../LL../LL../LL../LL../..../DM.. three LDM L -"
CLOSED = "LLMM/MDLL/DDMM/MLLM/MLDD/MDLD/LDDM/LDML three LDM L2 -"
OVER = "DDDD/L.../..../..../..../..../..../.... basic DL D= 1:9"


@pytest.mark.parametrize(
    ("text", "entered", "key"),
    [
        (OVER, ("c3",), "rules.game_over"),
        (PLAIN, ("z1",), "rules.no_such_cell"),
        (PLAIN, ("a1",), "azteka.occupied"),
        (PLAIN, ("c1",), "azteka.not_beside"),
        (PLAIN, ("choice1",), "azteka.nothing_to_decline"),
        (BIRTH, ("ring1",), "azteka.birth_first"),
        (WIDE, ("choice1", "ring1"), "azteka.not_more"),
        (WIDE, ("choice1", "c3"), "azteka.then_ring"),
        (EQUAL, ("choice1",), "azteka.no_wide_turn"),
        (SPENT, ("g1",), "azteka.none_left"),
        (CLOSED, ("h1",), "azteka.only_turns"),
    ],
)
def test_touches_that_enter_no_move_are_refused_with_a_reason(text, entered, key):
    assert GAME.presentation.refusal(at(text), entered).key == key


def test_sides_go_with_the_roles():
    shown = GAME.presentation
    for text, sides, last in (
        (f"{EMPTY} basic LD L -", [1, 2], "azteka.death"),
        (f"{EMPTY} basic DL L 1:9", [2, 1], "azteka.life"),
        (f"{EMPTY} three LDM M -", [1, 2, 3], "azteka.mummies"),
    ):
        assert [shown.side_of(at(text), n + 1) for n in range(len(sides))] == sides
        assert shown.called(at(text), len(sides)).key == last


def test_keys_say_what_they_do_now():
    for text, taps, key, words in (
        (BIRTH, (), "choice1", "decline the birth"),
        (PLAIN, (), "ring3", "turn ring 3"),
        (WIDE, (), "choice1", "two segments"),
        (WIDE, ("choice1",), "ring2", "turn ring 2 by two segments"),
    ):
        assert Words("en").text(GAME.presentation.key_word(at(text), taps, key)) == words


def test_inspecting_shows_the_line_of_a_piece_and_who_stands_beside_it():
    position = at("LD../L.../.D../L..D/..../..../..../DL.. basic LD L -")
    shown, death = (GAME.presentation.inspect(position, cell) for cell in ("a1", "a2"))
    line = dict.fromkeys(("a1", "b1", "d1"), Role.INSPECTED)
    assert shown.cells == line | dict.fromkeys(("a2", "h1"), Role.THREAT)
    assert Words("en").text(shown.message) == (
        "Life piece: 1 of 4 in segment a, 3 of 8 in ring 1."
        " Death stands on 2 of the 3 cells beside it."
    )
    line = dict.fromkeys(("a2", "c2"), Role.INSPECTED)
    assert death.cells == line | dict.fromkeys(("a1", "h2"), Role.VICTIM)
    assert GAME.presentation.inspect(position, "e1") is None


@pytest.mark.parametrize(
    ("text", "move", "words"),
    [
        (PLAIN, "a2", "Life placed a piece on a2."),
        (PLAIN, "T2", "Life turned ring 2 by one segment."),
        (WIDE, "TT2", "Life turned ring 2 by two segments."),
        (BIRTH, "-", "Life declined the birth."),
        (f"LLL./D.../{FIVE}/.... basic LD L -", "a4", "Life completed segment a on a4. A birth:"),
        (
            "LD../.D../..../L.../..../..../..../D... basic LD D -",
            "b1",
            "Death placed a piece on b1, which turns 1 Life piece to Death (a1).",
        ),
        (
            "DDD./L..D/..../..../..../..../..../...D basic DL L 1:9",
            "T4",
            "Life turned ring 4 by one segment. Death wins round 2 with 5 pieces (reign).",
        ),
        (
            "LL.M/MDLL/DDMM/MLLM/MLDD/MDLD/LDDM/LDML three LDM M -",
            "a3",
            "Mummies placed a piece on a3. The board is full:",
        ),
    ],
)
def test_a_move_is_told_in_words(text, move, words):
    assert move in GAME.legal_moves(at(text))
    assert Words("en").text(GAME.result(at(text), move).summary).startswith(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (OVER, "Death wins both rounds"),
        (OVER.replace("1:9", "2:9"), "One round each; Death wins with 4 pieces against 9."),
        (OVER.replace("1:9", "2:3"), "One round each; Life wins with 3 pieces against 4."),
        (OVER.replace("1:9", "2:4"), "A draw: one round each, both with 4 pieces."),
        (f"DDDD/L.../M.../{FIVE} three LDM D= -", "Death wins (reign)."),
        ("LLMM/MDLL/DDMM/MLLM/MLDD/MDLD/LDDM/LDML three LDM L0= -", "A draw: the board is full"),
    ],
)
def test_the_end_is_told_in_words(text, words):
    outcome = GAME.outcome(at(text))
    assert Words("en").text(outcome.message).startswith(words)
