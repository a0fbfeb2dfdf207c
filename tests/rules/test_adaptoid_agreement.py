"""Adaptoid agrees with its naive implementation."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from game.cli.referee import referee
from game.rules.adaptoid import GAME
from tests.helpers.effort import effort
from tests.helpers.games.playing_out import perft
from tests.oracles.naive_adaptoid import LIKES, NaiveAdaptoid, random_answers, read

GAMES = effort(24, 300)

CROWDED = {
    # 12 white bodies with all legs and pincers but one of each on the board.
    "a1": "W1L1P",
    "a2": "W1L1P",
    "a3": "W1L1P",
    "a4": "W1L1P",
    "b1": "W1L1P",
    "b5": "W1L1P",
    "c1": "W1L1P",
    "c6": "W1L1P",
    "d1": "W1L1P",
    "d7": "W1L1P",
    "b3": "W1L1P",
    "c3": "W0L0P",
    "g2": "B2L1P",
    "f2": "B1L0P",
    "g4": "B0L2P",
    "e4": "B3L0P",
}
FULL = {**CROWDED, "c3": "W1L1P"}
SKIRMISH = {
    "d4": "W2L1P",
    "c4": "W1L0P",
    "d6": "B2L2P",
    "e5": "B1L1P",
    "f3": "B2L0P",
    "b2": "W1L3P",
}
LATE = {"score": (4, 4)}


def start_of(rng: Random) -> NaiveAdaptoid:
    """Draw where a game begins: mostly at its start, sometimes in a position full of pieces."""
    drawn = rng.random()
    if drawn < 0.7:
        return NaiveAdaptoid(to_move=rng.choice((1, 2)))
    codes = CROWDED if drawn < 0.78 else FULL if drawn < 0.84 else SKIRMISH
    more: dict[str, Any] = {"to_move": rng.choice((1, 2))}
    if rng.random() < 0.5:
        more["colours"] = ("B", "W")
    if rng.random() < 0.5:
        more |= LATE
    return read(codes, **more)


def compare(start: NaiveAdaptoid, answers: list[dict[str, object]]) -> None:
    """Let the referee play a naive game, and compare every answer of it."""
    shown = None
    if start.phase == "play":
        shown = json.dumps(answers[0])
    options = {"first": str(start.to_move)} if start.phase == "place" else {}
    record = [str(answer["move"]) for answer in answers[1:]]
    got = [json.loads(each.text) for each in referee(GAME, options, shown, True, record)]
    assert got == answers


def tastes_of(rng: Random) -> tuple[str, str]:
    return rng.choice(LIKES), rng.choice(LIKES)


def test_random_games_agree_at_every_ply() -> None:
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        rng = Random(seed)
        start = start_of(rng)
        compare(start, random_answers(rng, start, tastes_of(rng), seen))
    wanted = {
        "won": 100,
        "lost": 20,
        "both": 30,
        "starved 1": 500,
        "starved 2": 50,
        "no bodies left": 500,
        "no legs left": 5,
        "no pincers left": 5,
        "nothing grew": 3,
        "five captured": 150,
        "no adaptoid left": 30,
        "both five": 2,
    }
    rare = {event for event, least in wanted.items() if seen[event] < least * GAMES // 600}
    assert rare == set()


COUNTS = {
    "start": (1332, 2664),
    "bare": (7, 47, 695),
    "skirmish": (485, 235_386),
    "crowded": (480, 273_552),
    "full": (25, 14_358, 0),
}
POSITIONS = {
    "start": NaiveAdaptoid(),
    "bare": read({"d4": "W0L0P", "e4": "B0L0P"}),
    "skirmish": read(SKIRMISH),
    "crowded": read(CROWDED),
    "full": read(FULL, **LATE),
}


@pytest.mark.parametrize("name", COUNTS)
def test_perft_is_as_pinned_and_naive_perft_agrees(name: str) -> None:
    naive = POSITIONS[name]
    position = GAME.initial()
    if naive.phase == "play":
        position = GAME.from_json(naive.answer(0, None), {})
    for depth, count in enumerate(COUNTS[name], 1):
        assert perft(GAME, position, depth) == count
        assert naive.perft(depth) == count
