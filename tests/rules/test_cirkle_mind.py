"""CirKle Mind: agreement with the naive rules, taps, refusals, and drawn faces."""

from itertools import product
from random import Random

import pytest

from game.rules.base.errors import IllegalMove
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.faces import FACES, NUMBER, AttackResult, bare, shielded
from game.rules.cirkle_mind.squares import shield
from tests.helpers.effort import effort
from tests.helpers.games.cirkle_games import LEVELS, after, arranged, played_on, standing
from tests.oracles.agreement import agree, read
from tests.oracles.naive_cirkle_mind import (
    PRINTED,
    NaiveMind,
    choose,
    hemmed_in,
    some_left,
    verdict,
)

ALONE = standing({"D6": "GyC"})
MIDST = {"D5": "GyC", "D7": "MbC", "E5": "GbC", "H1": "GgX", "H2": "MyC", "G1": "GkO"}
CORNER = {"A1": "GyC", "B1": "MyT", "A2": "MbT", "D9": "MgT"}
OVER = after({"B4": "GyC", "C5": "MmX"}, "B4-B5*C5")


@pytest.mark.parametrize(
    ("position", "entered", "key"),
    [
        (ALONE, ("D6", "D6"), "mind.too_far"),
        (standing(MIDST), ("D5", "E5"), "mind.occupied"),
        (standing({"D6": "GyC", "C5": "MyC"}), ("D6", "C6", "C5"), "mind.not_in_reach"),
        (standing({"D6": "GyC", "C5": "MyC"}), ("D6", "D5", "C5"), "mind.backward"),
        (standing(MIDST), ("choice1",), "mind.no_key"),
        (standing(MIDST), ("Z1",), "rules.no_such_cell"),
        (standing(MIDST), ("A1",), "mind.not_yours"),
        (standing(MIDST), ("H1",), "mind.hemmed_in"),
        (standing(MIDST), ("D5", "D8"), "mind.too_far"),
        (standing(MIDST), ("D5", "D6", "A1"), "mind.no_enemy"),
        (standing(CORNER), ("A1",), "mind.ask_pass"),
        (OVER, ("A1",), "rules.game_over"),
    ],
)
def test_touches_that_are_no_move_are_refused_with_a_reason(position, entered, key):
    assert GAME.presentation.refusal(position, entered).key == key


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (ALONE, ""),
        (ALONE, "D6"),
        (ALONE, "D6-D12"),
        (ALONE, "A1-A2"),
        (ALONE, "D6-D7*D7"),
        (standing({"D6": "GyC", "C5": "MyC"}), "D6-D5*C5"),
        (standing({"D6": "GyC", "C7": "GbC"}), "D6-D7*C7"),
        (standing(CORNER, 2), "pass"),
        (OVER, "C5-C6"),
    ],
)
def test_a_text_that_is_no_move_is_refused(position, text):
    for refuse in (GAME.parse_move, GAME.play):
        with pytest.raises(IllegalMove, match="not_legal"):
            refuse(position, text)


def test_taps_end_with_the_key_only_where_an_attack_could_follow():
    position = standing({"D5": "GyC", "D7": "MbC", "E6": "MgC"})
    for move, taps in (
        ("D5-D6", ("D5", "D6", "choice1")),
        ("D5-D6*D7", ("D5", "D6", "D7")),
        ("D5-E5", ("D5", "E5", "choice1")),
        ("D5-D4", ("D5", "D4")),
        ("D5-C5", ("D5", "C5")),
    ):
        assert GAME.taps(position, move) == taps


EVENTS = {
    "target taken",
    "target lost by its own attack",
    "pass",
    "attack ahead in front",
    "attack ahead beside",
    "attack aside in front",
    "attack aside beside",
    "came back to an enemy",
    "seen attacker",
    "unseen attacker",
}


def start_of(seed: int, level: str) -> NaiveMind:
    """Draw where the game of a seed begins: mostly with the set-ups, else with few pieces."""
    rng = Random(seed)
    start = NaiveMind(level, first=rng.choice((1, 2)))
    if seed % 6 == 4:
        start = some_left(rng, level)
    if seed % 6 == 5:
        start = hemmed_in(rng, level)
    return start


@pytest.mark.parametrize("level", LEVELS)
def test_random_games_agree_at_every_ply(level):
    seen = set[str]()
    for seed in range(effort(24, 40)):
        start, rng = start_of(seed, level), Random(seed)
        position = GAME.initial({"level": level, "first": str(start.first)})
        if start.phase != "setup":
            position = read(GAME, start, {"level": level})
        for now in agree(GAME, start, position, rng, choose):
            seen.update(now.happened)
    assert EVENTS - seen == set()


RESULTS = {AttackResult.ATTACKER: "win", AttackResult.DEFENDER: "loss", AttackResult.BOTH: "stay"}


def test_every_attack_between_any_squares_ends_as_the_naive_one():
    # Squares that the layout never puts beside each other, too.
    prints = sorted(set(PRINTED.values()))
    for one, two in product(FACES, FACES):
        numbers = NUMBER[one], NUMBER[two]
        assert RESULTS[bare(*numbers)] == verdict(one, two, "", "", shielded=False)
        for at, against in product(prints, prints):
            got = shielded(*numbers, shield(one, at), shield(two, against))
            wanted = verdict(one, two, at, against, shielded=True)
            assert RESULTS[got] == wanted, (one, two, at, against)


def test_the_shipped_layout_is_that_of_the_rules():
    assert GAME.presentation.printed == {cell: code for cell, code in PRINTED.items() if code}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("remembers", [False, True])
@pytest.mark.parametrize("viewer", [1, 2, None])
def test_supposed_world_looks_as_what_was_seen(level, viewer, remembers):
    rng = Random(5)
    for seed in range(6):
        position = played_on(arranged(level, seed), 15 * seed, seed)
        if GAME.outcome(position) is not None:
            continue
        seen = GAME.seen_by(position, viewer, remembers)
        world = GAME.supposed(seen, rng)
        assert GAME.seen_by(world, viewer, remembers) == seen
        pieces = list(GAME.pieces(world).values())
        assert len(set(pieces)) == len(pieces)
        assert {"GgX", "MmX"} <= set(pieces)
        assert not {"G", "M"} & set(pieces)
        # The drawn position can be written and read, so it is a possible one.
        assert GAME.parse(GAME.text(world)) == world
        assert sorted(pieces) == sorted(GAME.pieces(position).values())


def test_every_face_can_be_anywhere():
    position = arranged("easy", 2)
    seen, rng = GAME.seen_by(position, 1), Random(1)
    worlds = [GAME.pieces(GAME.supposed(seen, rng)) for _ in range(1500)]
    for cell, piece in GAME.pieces(position).items():
        assert len({world[cell] for world in worlds}) == (1 if piece.startswith("G") else 24)
