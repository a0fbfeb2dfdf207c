"""Azteka as the table asks for it: touches, what hands change, refusals, goals and words."""

import pytest

from game.common import Words
from game.rules.azteka import GAME
from game.rules.azteka.play import Position
from game.rules.base.values import Role
from tests.helpers.games.azteka_positions import VARIANTS, as_naive, some_positions
from tests.oracles.naive_azteka import PIECES, RINGS, SEGMENTS, NaiveAzteka

GAMES = {variant: GAME.variants.get(variant, GAME) for variant in VARIANTS}
EMPTY, FIVE = ("/".join(["...."] * rows) for rows in (8, 5))


def at(text: str) -> Position:
    return GAME.parse(text)


@pytest.mark.parametrize(
    ("text", "move", "taps"),
    [
        (f"{EMPTY} basic LD L -", "c3", ("c3",)),
        (f"{EMPTY} basic LD L -", "T2", ("ring2",)),
        (f".L..{EMPTY[4:]} aggressive LD L -", "TT2", ("choice1", "ring2")),
        (f"LLLL{EMPTY[4:]} basic LD L+ -", "-", ("choice1",)),
        (f"LLLL{EMPTY[4:]} basic LD L+ -", "b3", ("b3",)),
    ],
)
def test_touches_of_each_kind_of_move(text, move, taps):
    assert move in GAME.legal_moves(at(text))
    assert GAME.taps(at(text), move) == taps


def test_keys_are_those_that_the_variant_touches():
    rings = ("ring1", "ring2", "ring3", "ring4")
    assert GAMES["basic"].keys == GAMES["aggressive"].keys == (*rings, "choice1")
    assert GAMES["three"].keys == rings


BIRTH = "LLLL/D.../..../..../..../..../..../.... basic LD L+ -"
PLAIN = "L.../D.../..../..../..../..../..../.... basic LD L -"
WIDE = "LL../D.../..../..D./..../..../..../.... aggressive LD L -"
EQUAL = "L.../D.../..../..../..../..../..../.... aggressive LD L -"
SPENT = "LL../LL../LL../LL../LL../LL../..../DM.. three LDM L -"
CLOSED = "LLMM/MDLL/DDMM/MLLM/MLDD/MDLD/LDDM/LDML three LDM L2 -"
OVER = "DDDD/L.../..../..../..../..../..../.... basic DL D= 1:9"


@pytest.mark.parametrize(
    ("text", "taps", "key"),
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
def test_a_touch_that_enters_no_move_is_refused_with_a_reason(text, taps, key):
    position = at(text)
    entered = [GAME.taps(position, move)[: len(taps)] for move in GAME.legal_moves(position)]
    assert taps not in entered
    assert GAME.presentation.refusal(position, taps).key == key


def test_sides_go_with_the_roles():
    one, two = at(f"{EMPTY} basic LD L -"), at(f"{EMPTY} basic DL L 1:9")
    assert [GAME.presentation.side_of(one, player) for player in (1, 2)] == [1, 2]
    assert [GAME.presentation.side_of(two, player) for player in (1, 2)] == [2, 1]
    assert [GAME.presentation.called(two, player).key for player in (1, 2)] == [
        "azteka.death",
        "azteka.life",
    ]
    three = at(f"{EMPTY} three LDM M -")
    assert [GAME.presentation.side_of(three, player) for player in (1, 2, 3)] == [1, 2, 3]
    assert GAME.presentation.called(three, 3).key == "azteka.mummies"


def test_keys_say_what_they_do_now():
    english = Words("en")
    reported = {
        (BIRTH, (), "choice1"): "decline the birth",
        (PLAIN, (), "ring3"): "turn ring 3",
        (WIDE, (), "choice1"): "two segments",
        (WIDE, ("choice1",), "ring2"): "turn ring 2 by two segments",
        (WIDE, (), "ring2"): "turn ring 2",
    }
    for (text, taps, key), words in reported.items():
        assert english.text(GAME.presentation.key_word(at(text), taps, key)) == words


def naive_goals(naive: NaiveAzteka) -> list[tuple[int, str, int, int]]:
    """Return, by counting, how near each player is to each goal."""
    goals = []
    for player, code in enumerate(naive.roles, 1):
        own = [cell for cell, piece in naive.board.items() if piece == code]
        met = len({cell[0] for cell in own} | {cell[1] for cell in own})
        shares = [(sum(cell[0] == segment for cell in own), 4) for segment in SEGMENTS]
        shares += [(sum(cell[1] == ring for cell in own), 8) for ring in RINGS]
        nearest = max(shares, key=lambda share: share[0] / share[1])
        if code == "L" or naive.variant == "three":
            goals.append((player, "azteka.spread", met, 12))
        if code == "D" or naive.variant == "three":
            goals.append((player, "azteka.reign", *nearest))
        if naive.variant != "three":
            goals.append((player, "azteka.all_placed", len(own), PIECES[naive.variant]))
    return goals


@pytest.mark.parametrize("variant", VARIANTS)
def test_goals_say_how_near_each_player_is(variant):
    for position in some_positions(variant):
        goals = GAME.goals(position)
        reported = [
            (goal.player, goal.word.key, goal.reached, goal.wanted)
            for goal in goals
            if not goal.of_match
        ]
        assert reported == naive_goals(as_naive(position)), GAME.text(position)


def test_inspecting_shows_the_line_of_a_piece_and_who_stands_beside_it():
    position = at("LD../L.../.D../L..D/..../..../..../DL.. basic LD L -")
    shown, death = (GAME.presentation.inspect(position, cell) for cell in ("a1", "a2"))
    assert shown is not None
    assert death is not None
    line = dict.fromkeys(("a1", "b1", "d1"), Role.INSPECTED)
    assert shown.cells == line | dict.fromkeys(("a2", "h1"), Role.THREAT)
    assert Words("en").text(shown.message) == (
        "Life piece: 1 of 4 in segment a, 3 of 8 in ring 1."
        " Death stands on 2 of the 3 cells beside it."
    )
    line = dict.fromkeys(("a2", "c2"), Role.INSPECTED)
    assert death.cells == line | dict.fromkeys(("a1", "h2"), Role.VICTIM)
    assert GAME.presentation.inspect(position, "e1") is None
    assert GAME.presentation.inspect(position, "z9") is None


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
