"""Azteka: agreement with the naive rules, variants, and positions in writing."""

from functools import partial
from random import Random
from typing import Any

import pytest

from game.rules.azteka import GAME
from game.rules.azteka.play import Position
from game.rules.base.errors import BadOption, BadPosition
from game.rules.base.game import AnyGame
from game.rules.base.registry import all_games, find_game
from tests.oracles.agreement import agree, read
from tests.oracles.naive_azteka import (
    CODES,
    PIECES,
    RINGS,
    SEGMENTS,
    STYLES,
    NaiveAzteka,
    choose,
    crowded,
    naive_start,
)

TWO_ROUNDS = {
    *("T", "spread", "reign", "all placed", "given away"),
    *("both rounds", "fewer pieces", "equal pieces"),
}
EVENTS = {
    "basic": TWO_ROUNDS
    | {"birth", "chain", "declined", "no birth", "disintegration", "several", "short"}
    | {"placed anew"},
    "aggressive": {*TWO_ROUNDS, "TT"},
    "three": {"T", "spread", "reign", "given away", "both goals", "filled", "board full"}
    | {f"{code} used up" for code in "LDM"},
}


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


def check_goals(position: Position, naive: NaiveAzteka) -> None:
    goals = [goal for goal in GAME.goals(position) if not goal.of_match]
    told = [(goal.player, goal.word.key, goal.reached, goal.wanted) for goal in goals]
    assert told == naive_goals(naive)


def set_up(game: AnyGame, shown: dict[str, Any]) -> Position | BadPosition:
    try:
        return game.from_json(shown, {})
    except BadPosition as error:
        return error


def check_set_up(position: Position, variant: str) -> bool:
    """Set the pieces up for each player; return whether that was refused, naming their cells."""
    game, pieces = GAME.variants.get(variant, GAME), GAME.pieces(position)
    counted = tuple(sum(piece == code for piece in pieces.values()) for code in game.palette)
    found = None
    for player in range(1, len(game.players) + 1):
        found = set_up(game, {"pieces": pieces, "to_move": player, "score": [99, 0, 0]})
        if isinstance(found, BadPosition):
            assert set() < found.cells <= set(pieces)
            continue
        assert (game.pieces(found), game.to_move(found)) == (pieces, player)
        assert (game.extras(found)["round"], game.extras(found)["birth"]) == (1, False)
        assert game.score(found) == counted
    return isinstance(found, BadPosition)


@pytest.mark.parametrize("variant", CODES)
def test_random_games_agree_at_every_ply_and_their_positions_can_be_set_up(variant):
    seen, refused, options = set[str](), set[bool](), {"variant": variant}
    for seed in range(100):
        rng = Random(seed)
        first = 1 if variant == "three" else rng.choice((1, 2))
        start = crowded(rng, variant) if seed % 2 else naive_start(variant, first)
        if seed % 2 == 0:
            assert GAME.initial({**options, "first": str(first)}) == read(GAME, start, options)
        style = partial(choose, rng.choice(STYLES))
        for now in agree(GAME, start, read(GAME, start, options), rng, style):
            used = [code for code in CODES[variant] if now.count(code) == PIECES[variant]]
            seen.update(now.happened, () if now.outcome else (f"{code} used up" for code in used))
            if rng.random() < 0.1 or now.outcome:
                position = read(GAME, now, options)
                check_goals(position, now)
                refused.add(check_set_up(position, variant))
    assert EVENTS[variant] - seen == set()
    assert refused == {True, False}


def test_variants_are_games_of_their_own():
    assert (GAME.name, *GAME.variants) == ("azteka", "aggressive", "three")
    for variant, game in GAME.variants.items():
        assert game.name == f"azteka-{variant}"
        assert all_games()[game.name] is find_game("azteka", {"variant": variant}) is game
        assert game.agreed_draws
        assert game.initial() == game.initial({"variant": variant})
        assert game.initial() == GAME.initial({"variant": variant})
        assert len(game.players) == len(game.score(game.initial()))
        with pytest.raises(BadOption):
            game.initial({"variant": "basic"})


NOTED = {"winner": 2, "pieces": 9}
SEGMENT = dict.fromkeys(("a1", "a2", "a3", "a4"), "L")
REIGN = dict.fromkeys(("a1", "a2", "a3", "a4"), "D")
ROWS = "/".join(["...."] * 8)


THREE = {"variant": "three"}
FULL = "LLMM/MDLL/DDMM/MLLM/MLDD/MDLD/LDDM/LDML three LDM"
"""A full board for three, with no goal reached."""
FULL_PIECES = GAME.pieces(GAME.parse(f"{FULL} L3 -"))
TWO_GOALS = {"pieces": REIGN | dict.fromkeys(("c1", "c2", "c3", "c4"), "M"), "to_move": None}
TWO_REIGN = f"DDDD/..../MMMM/{ROWS[15:]} three LDM"


@pytest.mark.parametrize(
    ("shown", "options", "text"),
    [
        ({}, {"first": "2"}, f"{ROWS} basic DL L -"),
        ({"first_round": NOTED}, {}, f"{ROWS} basic DL L 2:9"),
        ({"first_round": NOTED}, {"first": "2"}, f"{ROWS} basic LD L 2:9"),
        ({"roles": ["Death", "life"]}, {}, f"{ROWS} basic DL L -"),
        ({"roles": ["Life", "death", "M"]}, THREE, f"{ROWS} three LDM L -"),
        ({"pieces": FULL_PIECES}, THREE, f"{FULL} L3 -"),
        ({"pieces": FULL_PIECES, "last_actions": 1}, THREE, f"{FULL} L1 -"),
        ({"pieces": FULL_PIECES, "to_move": None}, THREE, f"{FULL} L0= -"),
        # In round 2 Death is the first player.
        (
            {"pieces": REIGN, "to_move": None, "first_round": NOTED},
            {},
            f"DDDD/{ROWS[5:]} basic DL D= 2:9",
        ),
        # Where two have a goal, the outcome says who has won.
        ({**TWO_GOALS, "outcome": {"winner": 2, "reason": "reign"}}, THREE, f"{TWO_REIGN} D= -"),
        ({**TWO_GOALS, "outcome": {"winner": 3, "reason": "reign"}}, THREE, f"{TWO_REIGN} M= -"),
    ],
)
def test_what_a_position_leaves_out_follows_from_the_rest(shown, options, text):
    assert GAME.text(GAME.from_json(shown, options)) == text


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
        ("basic", {"round": 0}, "rules.bad_key", "round"),
        ("basic", {"round": 2}, "rules.bad_key", "after a first_round"),
        ("basic", {"round": 1, "first_round": NOTED}, "rules.bad_key", "round"),
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
        GAME.from_json(shown, {"variant": variant})
    assert caught.value.message.key == key
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"{ROWS} three LD L -",
        f"{ROWS} basic LD M -",
        f"{ROWS} basic LD L 1:0",
        f"{ROWS} three LDM L 1:9",
        f"{ROWS}/.... basic LD L -",
        f"DDDD{ROWS[4:]} basic LD D= -",
    ],
)
def test_a_text_that_describes_no_position_is_refused(text):
    with pytest.raises(BadPosition):
        GAME.parse(text)
