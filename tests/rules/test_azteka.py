"""Azteka: agreement with the naive rules, texts that are no move, and positions in writing."""

from collections import Counter
from random import Random
from typing import Any, NoReturn

import pytest

from game.rules.azteka import GAME
from game.rules.azteka.play import Position
from game.rules.base import registry
from game.rules.base.errors import BadOption, BadPosition, IllegalMove
from game.rules.base.game import Game
from game.rules.base.registry import all_games, find_game
from tests.helpers.effort import effort
from tests.helpers.games.azteka_positions import (
    VARIANTS,
    as_position,
    expected,
    shown,
    some_positions,
)
from tests.oracles.naive_azteka import (
    CODES,
    PIECES,
    STYLES,
    NaiveAzteka,
    crowded,
    naive_start,
    random_game,
)

EMPTY = "/".join(["...."] * 8)
BIRTH = f"LLLL{EMPTY[4:]} basic LD L+ -"


@pytest.mark.parametrize(
    ("position", "text", "key"),
    [
        ("", "", "azteka.no_such_move"),
        ("", "c", "azteka.no_such_move"),
        ("", "t1", "rules.no_such_cell"),
        ("", "C3", "rules.no_such_cell"),
        ("", "T5", "azteka.no_such_ring"),
        ("", "TT1", "azteka.not_wide"),
        ("", "-", "azteka.nothing_to_decline"),
        (BIRTH, "T1", "azteka.birth_first"),
        (BIRTH, "a1", "azteka.occupied"),
        (f"LD..{EMPTY[4:]} aggressive LD L -", "TT2", "azteka.not_more"),
        ("DDDD/L.../..../..../..../..../..../.... basic DL D= 1:9", "c3", "rules.game_over"),
    ],
)
def test_what_is_no_move_is_refused_with_a_reason(position, text, key):
    for refuse in (GAME.parse_move, GAME.play):
        with pytest.raises(IllegalMove) as caught:
            refuse(GAME.parse(position) if position else GAME.initial(), text)
        assert caught.value.message.key == key


def test_variants_are_games_of_their_own():
    games = all_games()
    assert [game.name for game in (GAME, *GAME.variants.values())] == [
        "azteka",
        "azteka-aggressive",
        "azteka-three",
    ]
    for variant, game in GAME.variants.items():
        assert games[game.name] is game
        assert find_game("azteka", {"variant": variant}) is game
        assert game.agreed_draws
        assert game.initial() == GAME.initial({"variant": variant})
        assert game.initial({"variant": variant}) == game.initial()
        assert len(game.players) == len(game.score(game.initial()))
        with pytest.raises(BadOption):
            game.initial({"variant": "basic"})


@pytest.mark.parametrize("variant", ["basic", "aggressive", "three"])
def test_every_game_of_azteka_goes_by_the_variant_of_a_position(variant):
    own = GAME.initial({"variant": variant})
    for game in (GAME, *GAME.variants.values()):
        assert set(game.legal_moves(own)) == set(GAME.legal_moves(own))
        assert game.to_move(game.play(own, "a1")) == 2
        assert len(game.score(own)) == (3 if variant == "three" else 2)


def test_game_is_found_by_its_folder_without_importing_the_others(monkeypatch):
    def fail() -> NoReturn:
        raise AssertionError("all games are imported")

    monkeypatch.setattr(registry, "_found", fail)
    assert [find_game(name).name for name in ("azteka", "cirkle-mind")] == ["azteka", "cirkle-mind"]


GAMES = effort(60, 100)
CROWDED = effort(40, 80)
TWO_ROUNDS = {"spread", "reign", "all placed", "given away", "both rounds", "fewer pieces"}
EVENTS = {
    "basic": {
        *TWO_ROUNDS,
        "equal pieces",
        "T",
        "birth",
        "chain",
        "declined",
        "no birth",
        "disintegration",
        "placed anew",
    },
    "aggressive": {*TWO_ROUNDS, "equal pieces", "T", "TT"},
    "three": {"T", "spread", "reign", "given away", "both goals", "filled", "board full"},
}
EVENTS_CROWDED = {
    "basic": {"disintegration", "several", "short", "birth", "no birth"},
    "aggressive": {"TT", "given away"},
    "three": {"filled", "board full"} | {f"{code} used up" for code in "LDM"},
}


def compare(rng: Random, start: NaiveAzteka, style: str, counts: Counter[str]) -> None:
    """Play one random game in both, and compare after every ply."""
    position = as_position(start)
    assert shown(position) == expected(start)
    for _, move, after in random_game(rng, start, style):
        removed = GAME.result(position, move).removed
        position = GAME.play(position, move)
        assert shown(position) == expected(after), move
        assert removed == after.removed, move
        counts.update(after.happened)
        counts.update(
            f"{code} used up"
            for code in CODES[start.variant]
            if after.count(code) == PIECES[start.variant] and after.outcome is None
        )


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_agree_at_every_ply(variant):
    counts: Counter[str] = Counter()
    for seed in range(GAMES):
        rng = Random(seed)
        first = 1 if variant == "three" else rng.choice((1, 2))
        start = naive_start(variant, first)
        assert GAME.initial({"variant": variant, "first": str(first)}) == as_position(start)
        compare(rng, start, STYLES[seed % len(STYLES)], counts)
    assert EVENTS[variant] - set(counts) == set()


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_from_crowded_positions_agree_at_every_ply(variant):
    counts: Counter[str] = Counter()
    for seed in range(CROWDED):
        rng = Random(seed)
        compare(rng, crowded(rng, variant), STYLES[seed % len(STYLES)], counts)
    assert EVENTS_CROWDED[variant] - set(counts) == set()


NOTED = {"winner": 2, "pieces": 9}
SEGMENT = dict.fromkeys(("a1", "a2", "a3", "a4"), "L")
REIGN = dict.fromkeys(("a1", "a2", "a3", "a4"), "D")
ROWS = "/".join(["...."] * 8)


def full() -> dict[str, str]:
    """Fill the board for three, with no goal reached."""
    rows = "LLMM/MDLL/DDMM/MLLM/MLDD/MDLD/LDDM/LDML"
    return GAME.pieces(GAME.parse(f"{rows} three LDM L3 -"))


def read(position: dict[str, Any], **options: str) -> Position:
    return GAME.from_json(position, options)


def test_first_says_who_has_which_role_where_the_roles_are_not_told():
    assert read({}, first="2") == GAME.initial({"first": "2"})
    second = read({"first_round": NOTED})
    assert (GAME.extras(second)["round"], GAME.extras(second)["roles"]) == (2, ["D", "L"])
    assert GAME.to_move(second) == 2
    assert GAME.extras(read({"first_round": NOTED}, first="2"))["roles"] == ["L", "D"]
    assert GAME.extras(read({"roles": ["D", "L"]}))["roles"] == ["D", "L"]


@pytest.mark.parametrize("roles", [["D", "L"], ["Death", "Life"], ["death", "life"]])
def test_roles_are_read_as_codes_or_words(roles):
    assert read({"roles": roles}) == GAME.initial({"first": "2"})
    names = ["Life", "death", "M"]
    assert read({"roles": names}, variant="three") == GAME.initial({"variant": "three"})


def test_a_full_board_has_its_last_actions_also_if_they_are_not_told():
    for last in ({}, {"last_actions": None}, {"last_actions": 3}):
        position = read({"pieces": full(), "to_move": 2, **last}, variant="three")
        assert GAME.extras(position)["last_actions"] == 3
    position = read({"pieces": full(), "to_move": 2, "last_actions": 1}, variant="three")
    assert GAME.extras(position)["last_actions"] == 1


def test_an_ended_position_needs_no_outcome_unless_two_have_a_goal():
    # In round 2 Death is the first player.
    ended = read({"pieces": REIGN, "to_move": None, "first_round": NOTED})
    drawn = read({"pieces": full(), "to_move": None}, variant="three")
    for position, winner, reason in ((ended, 1, "fewer pieces"), (drawn, None, "board full")):
        outcome = GAME.outcome(position)
        assert (outcome.winner, outcome.reason) == (winner, reason)


@pytest.mark.parametrize("winner", [2, 3])
def test_an_ended_position_with_two_goals_goes_by_the_winner_told(winner):
    pieces = {**REIGN, **dict.fromkeys(("c1", "c2", "c3", "c4"), "M")}
    outcome = {"winner": winner, "reason": "reign"}
    shown = {"pieces": pieces, "to_move": None, "outcome": outcome}
    ended = GAME.outcome(read(shown, variant="three"))
    assert (ended.winner, ended.reason) == (winner, "reign")


def many(count: int, code: str) -> dict[str, str]:
    """Return cells that neither spread nor reign: of segments `a` to `g`, not all of one."""
    cells = [cell for cell in GAME.board.cells if cell[1] != "4" and cell[0] != "h"]
    return dict.fromkeys(cells[:count], code)


@pytest.mark.parametrize(
    ("variant", "shown", "key", "named"),
    [
        ("basic", {"pieces": {"a1": "M"}}, "rules.bad_piece", "L | D"),
        ("basic", {"pieces": many(15, "L")}, "azteka.too_many", "15"),
        ("basic", {"pieces": many(14, "L")}, "azteka.reached_already", "all_placed"),
        ("basic", {"pieces": REIGN}, "azteka.reached_already", "reign"),
        ("basic", {"to_move": None}, "rules.not_over", "1 | 2"),
        ("basic", {"round": 0}, "rules.bad_key", "1 | 2"),
        ("basic", {"round": 2}, "azteka.bad_first_round", "None"),
        ("basic", {"round": 1, "first_round": NOTED}, "azteka.bad_first_round", "'winner'"),
        ("basic", {"birth": True, "pieces": {"a1": "L"}}, "azteka.no_birth", ""),
        ("three", {"pieces": many(13, "M")}, "azteka.too_many", "12"),
        ("three", {"to_move": None}, "rules.not_over", "1 | 2 | 3"),
        ("three", {"round": 2}, "rules.bad_key", "2"),
        ("three", {"first_round": NOTED}, "azteka.bad_first_round", "winner"),
        ("three", {"birth": True, "pieces": SEGMENT}, "azteka.no_birth", ""),
        ("three", {"last_actions": 1}, "azteka.not_full", "1"),
    ],
)
def test_a_position_that_cannot_be_is_refused(variant, shown, key, named):
    with pytest.raises(BadPosition) as caught:
        read(shown, variant=variant)
    assert caught.value.message.key == key
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"{ROWS} three LD L -",
        f"{ROWS} basic LD M -",
        f"{ROWS} basic LD L+ -",
        f"{ROWS} basic LD L= -",
        f"{ROWS} basic LD L 1:0",
        f"{ROWS} three LDM L 1:9",
        f"{ROWS}/.... basic LD L -",
        f"DDDD{ROWS[4:]} basic LD L -",
        f"DDDD{ROWS[4:]} basic LD D= -",
    ],
)
def test_a_text_that_describes_no_position_is_refused(text):
    with pytest.raises(BadPosition):
        GAME.parse(text)


# Set-ups.


def attempted(game: Game[Position, str], shown: dict[str, Any]) -> Position | BadPosition:
    try:
        return game.from_json(shown, {})
    except BadPosition as error:
        return error


@pytest.mark.parametrize("variant", VARIANTS)
def test_set_up_pieces_stand_in_round_1_or_are_refused_with_their_cells(variant):
    game = GAME.variants.get(variant, GAME)
    kinds = set()
    for position in some_positions(variant):
        pieces = GAME.pieces(position)
        for player in range(1, len(game.players) + 1):
            shown = {"pieces": pieces, "to_move": player, "score": [99, 0, 0]}
            set_up = attempted(game, shown)
            kinds.add(isinstance(set_up, Position))
            if isinstance(set_up, BadPosition):
                assert set_up.cells
                assert set_up.cells <= set(pieces)
                continue
            assert game.pieces(set_up) == pieces
            assert game.to_move(set_up) == player
            assert game.extras(set_up)["round"] == 1
            assert not game.extras(set_up)["birth"]
            assert game.score(set_up) == tuple(
                sum(piece == code for piece in pieces.values()) for code in game.palette
            )
    assert kinds == {True, False}
