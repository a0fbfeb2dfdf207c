"""CirKle Mind: moves that are refused, taps, agreement with the naive rules, and drawn faces."""

import json
from collections import Counter
from itertools import product
from random import Random

import pytest

from game.cli.referee import referee
from game.rules.base.errors import IllegalMove
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.faces import FACES, NUMBER, Result, bare, shielded
from game.rules.cirkle_mind.squares import shield
from tests.helpers.effort import effort
from tests.helpers.games.cirkle_games import LEVELS, arranged, played_on, standing
from tests.oracles.naive_cirkle_mind import (
    PRINTED,
    NaiveMind,
    hemmed_in,
    lines_of_game,
    some_left,
    verdict,
)

CORNER = {"A1": "GyC", "B1": "MyT", "A2": "MbT", "D9": "MgT"}


@pytest.mark.parametrize(
    ("pieces", "to_move", "text", "key"),
    [
        ({"D6": "GyC", "D7": "GbC"}, 1, "D6-D7", "mind.occupied"),
        ({"D6": "GyC", "E6": "MbC"}, 1, "D6-E6", "mind.occupied"),
        ({"D6": "GyC", "D9": "MyC"}, 1, "D9-D10", "mind.not_yours"),
        ({"D6": "GyC"}, 1, "A1-A2", "mind.not_yours"),
        ({"D6": "GyC"}, 1, "D6-D8", "mind.too_far"),
        ({"D6": "GyC"}, 1, "D6-E7", "mind.too_far"),
        ({"D6": "GyC"}, 1, "D6-D6", "mind.too_far"),
        ({"D6": "GyC", "C5": "MyC"}, 1, "D6-C6*C5", "mind.not_in_reach"),
        ({"D6": "GyC", "C5": "MyC"}, 1, "D6-D5*C5", "mind.backward"),
        ({"D6": "GyC", "D8": "MyC"}, 2, "D8-D9*C9", "mind.no_enemy"),
        ({"D6": "GyC", "C7": "GbC"}, 1, "D6-D7*C7", "mind.no_enemy"),
        ({"D6": "GyC"}, 1, "D6-D7*D7", "mind.no_enemy"),
        (CORNER, 2, "pass", "mind.no_pass"),
        (CORNER, 1, "A1-A2", "mind.occupied"),
        ({"D5": "GyC"}, 1, "", "mind.bad_move"),
        ({"D5": "GyC"}, 1, "D5", "mind.bad_move"),
        ({"D5": "GyC"}, 1, "D5-D12", "rules.no_such_cell"),
        ({"D5": "GyC"}, 1, "d5-d6", "rules.no_such_cell"),
    ],
)
def test_what_is_no_move_is_refused_with_its_reason(pieces, to_move, text, key):
    position = standing(pieces, to_move)
    assert text not in GAME.legal_moves(position)
    for refuse in (GAME.parse_move, GAME.play):
        with pytest.raises(IllegalMove) as caught:
            refuse(position, text)
        assert caught.value.message.key == key


def test_taps_end_with_the_key_only_where_an_attack_could_follow():
    position = standing({"D5": "GyC", "D7": "MbC", "E6": "MgC"})
    assert GAME.taps(position, "D5-D6") == ("D5", "D6", "choice1")
    assert GAME.taps(position, "D5-D6*D7") == ("D5", "D6", "D7")
    assert GAME.taps(position, "D5-D6*E6") == ("D5", "D6", "E6")
    assert GAME.taps(position, "D5-E5") == ("D5", "E5", "choice1")
    assert GAME.taps(position, "D5-D4") == ("D5", "D4")
    assert GAME.taps(position, "D5-C5") == ("D5", "C5")


GAMES = effort(24, 80)
RESULTS = {Result.ATTACKER: "win", Result.DEFENDER: "loss", Result.BOTH: "stay"}

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
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        start = start_of(seed, level)
        lines = list(lines_of_game(Random(seed), start, 5000, 0.1, seen))
        shown = None if start.phase == "setup" else json.dumps(lines[0].answer)
        options = {"level": start.level, "first": str(start.first)}
        read = [line.text for line in lines[1:]]
        for line, answer in zip(lines, referee(GAME, options, shown, True, read), strict=True):
            got = json.loads(json.dumps(answer))
            assert line.refused == bool(got.pop("error", ""))
            assert got == line.answer, line
    assert EVENTS - set(seen) == set()
    assert seen["played to the end"] == GAMES


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


WON, LOST, BOTH = Result.ATTACKER, Result.DEFENDER, Result.BOTH


@pytest.mark.parametrize(
    ("attacker", "on", "defender", "against", "result"),
    [
        pytest.param("yC", None, "bC", None, WON, id="example 1: the same shape"),
        pytest.param("yC", None, "yO", None, WON, id="example 2: the same colour"),
        pytest.param("yC", None, "bT", None, BOTH, id="example 3: nothing in common"),
        pytest.param("yC", None, "kT", None, LOST, id="example 4: black of another shape"),
        pytest.param("kC", None, "bT", None, WON, id="example 5: by black"),
        pytest.param("kC", None, "kT", None, WON, id="example 6: black by black"),
        pytest.param("yC", None, "yX", None, WON, id="example 7: target of the same colour"),
        pytest.param("yX", None, "bX", None, WON, id="example 8: target by target"),
        pytest.param("kO", None, "bX", None, WON, id="example 9: target by black"),
        pytest.param("gX", None, "bX", None, WON, id="example 10: target by the green target"),
        pytest.param("yC", None, "mX", None, WON, id="example 11: the mauve target"),
        pytest.param("yC", "", "bC", "gC", LOST, id="example 1: a shape protects"),
        pytest.param("kC", "", "kT", "gT", LOST, id="example 2: black is protected from black"),
        pytest.param("yC", "", "yT", "bT", LOST, id="example 3: a shape protects from a colour"),
        pytest.param("yC", "", "bT", "gT", BOTH, id="example 4: nothing in common"),
        pytest.param("yS", "bS", "yC", "gC", WON, id="example 5: equal shields"),
        pytest.param("kC", "", "bT", "gT", WON, id="example 6: black beats one shield"),
        pytest.param("kC", "yC", "kS", "gS", WON, id="example 7: black, both protected"),
        pytest.param("bC", "mC", "kC", "gC", LOST, id="example 8: black has the greater shield"),
        pytest.param("mC", "mC", "gO", "gO", WON, id="super protection against the same"),
        pytest.param("kC", "", "bT", "bT", BOTH, id="black fails at super protection"),
        pytest.param("yC", "", "kC", "gC", LOST, id="black of the same shape with its shield"),
        pytest.param("kC", "", "yX", "yO", WON, id="no shield saves a target from black"),
        pytest.param("yX", "yS", "yC", "yC", LOST, id="a target has never two"),
    ],
)
def test_attack_ends_as_the_rules_say(attacker, on, defender, against, result):
    numbers = NUMBER[attacker], NUMBER[defender]
    if on is None or against is None:
        assert bare(*numbers) is result
    else:
        assert shielded(*numbers, shield(attacker, on), shield(defender, against)) is result


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
    faces: dict[str, set[str]] = {}
    for _ in range(1500):
        for cell, piece in GAME.pieces(GAME.supposed(seen, rng)).items():
            faces.setdefault(cell, set()).add(piece)
    for cell, piece in GAME.pieces(position).items():
        assert len(faces[cell]) == (1 if piece.startswith("G") else 24)


def test_nothing_is_supposed_before_both_have_set_up():
    start = GAME.initial()
    half = GAME.play(start, GAME.legal_moves(start).pick(Random(1)))
    for position in (start, half):
        for viewer in (1, 2):
            seen = GAME.seen_by(position, viewer)
            assert GAME.supposed(seen, Random(1)) is seen
