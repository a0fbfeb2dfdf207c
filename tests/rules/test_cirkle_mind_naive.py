"""CirKle Mind agrees with its naive implementation, in conversation and called directly."""

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from game.app.referee import referee
from game.rules.cirkle_mind import GAME
from game.rules.errors import RulesError
from tests.helpers.programs.conversation import Umpire
from tests.oracles.naive_cirkle_mind import SHIELDED, NaiveMind, Rules
from tests.oracles.naive_cirkle_mind_hands import Line, hemmed_in, lines_of_game, some_left

LEVELS = tuple(SHIELDED)
GAMES = 300
BLOCK = 60
RIGHT = Rules()
MOST_PLIES = 5000
WRONG_SHARE = 0.1

EASY_ROWS = {
    "black on black, easily win: win",
    "black on coloured, easily win: win",
    "black on target, easily win: win",
    "coloured on black, easily loss: loss",
    "coloured on black, easily win: win",
    "coloured on coloured, easily stay: stay",
    "coloured on coloured, easily win: win",
    "coloured on target, easily win: win",
    "target on black, easily loss: loss",
    "target on coloured, easily stay: stay",
    "target on coloured, easily win: win",
    "target on target, easily win: win",
}
SHIELD_ROWS = {
    "black on black, easily win: loss",
    "black on coloured, easily win: stay",
    "coloured on black, easily win: loss",
    "coloured on coloured, easily stay: win",
    "coloured on coloured, easily win: loss",
    "target on coloured, easily win: loss",
    "win 0:1: loss",
    "win 0:2: loss",
    "win 1:2: loss",
    "win 0:2: stay",
    "stay 2:2: win",
    "win 1:1: win",
    "win 2:1: win",
    "win 2:2: win",
    "stay 2:1: stay",
    "stay 1:2: stay",
}
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
REFUSED = {
    "a piece missing",
    "a piece twice",
    "a piece too many",
    "outside the zone",
    "a square twice",
    "no such face",
    "no such square",
    "a move before the set-ups",
    "a pass before the set-ups",
    "an empty set-up",
    "set-up in play",
    "nonsense",
    "needless pass",
    "enemy's piece",
    "two squares",
    "diagonal",
    "occupied",
    "nobody there",
    "attack after going back",
    "attack on nobody",
    "attack on one's own",
    "attack behind",
    "attack across a corner",
    "over",
}


def start_of(seed: int, level: str, rules: Rules = RIGHT) -> NaiveMind:
    """Draw where the game of a seed begins: mostly with the set-ups, else with few pieces."""
    rng = Random(seed)
    start = NaiveMind(level, first=rng.choice((1, 2)))
    if seed % 6 == 4:
        start = some_left(rng, level)
    if seed % 6 == 5:
        start = hemmed_in(rng, level)
    return replace(start, rules=rules)


def lines_of(seed: int, start: NaiveMind, seen: Counter[str]) -> list[Line]:
    return list(lines_of_game(Random(seed), start, MOST_PLIES, WRONG_SHARE, seen))


def options_of(start: NaiveMind) -> dict[str, str]:
    return {"level": start.level, "first": str(start.first)}


def compare(start: NaiveMind, lines: list[Line]) -> None:
    """Let the referee hear the lines of a naive game, and compare every answer."""
    told = None if start.phase == "setup" else json.dumps(lines[0].answer)
    heard = [line.text for line in lines[1:]]
    answers = referee(GAME, options_of(start), told, True, heard)
    for line, answer in zip(lines, answers, strict=True):
        check(line, json.loads(answer.text))
        assert answer.refused == bool(line.refused)


def check(line: Line, got: dict[str, Any]) -> None:
    """Compare one answer; a refused line is answered in words beside what was there."""
    if line.refused:
        assert got.pop("error", "") != "", line
    assert got == line.answer, line


@pytest.mark.parametrize("block", range(0, GAMES, BLOCK))
@pytest.mark.parametrize("level", LEVELS)
def test_random_games_agree_at_every_ply(level: str, block: int) -> None:
    for seed in range(block, block + BLOCK):
        start = start_of(seed, level)
        compare(start, lines_of(seed, start, Counter()))


@pytest.mark.parametrize("level", LEVELS)
def test_random_games_meet_everything(level: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        lines_of(seed, start_of(seed, level), seen)
    wanted = EASY_ROWS | EVENTS | {f"refused: {name}" for name in REFUSED}
    if SHIELDED[level]:
        wanted |= SHIELD_ROWS
    assert wanted - set(seen) == set()
    assert seen["played to the end"] == GAMES


@pytest.mark.parametrize("level", LEVELS)
def test_a_game_goes_on_from_any_answer(level: str) -> None:
    for seed in range(12):
        start = start_of(seed, level)
        lines = [line for line in lines_of(seed, start, Counter()) if not line.refused]
        middle = Random(seed).randrange(2 if start.phase == "setup" else 0, len(lines) - 1)
        told = lines[middle].answer
        heard = [line.text for line in lines[middle + 1 :]]
        got = [
            json.loads(answer.text)
            for answer in referee(GAME, {"level": level}, json.dumps(told), True, heard)
        ]
        assert got[0] == {**told, "move": None, "removed": []}
        assert got[1:] == [line.answer for line in lines[middle + 1 :]]


@pytest.mark.parametrize("level", LEVELS)
def test_random_games_agree_in_conversation(level: str) -> None:
    with Umpire() as umpire:
        for seed in (1000, 1002, 1004):
            start = start_of(seed, level)
            lines = lines_of(seed, start, Counter())
            call = ["referee", "cirkle-mind", "--legal"]
            call += [f"--option={key}={value}" for key, value in options_of(start).items()]
            if start.phase == "play":
                call.append(f"--position={json.dumps(lines[0].answer)}")
            assert umpire.call(call) == lines[0].answer
            for line in lines[1:]:
                check(line, umpire.say(f" {line.text} "))
            assert umpire.end() == 1


WRONG = {
    "backward_attacks": "attacks after going back",
    "rear_attacks": "attacks on what is behind",
    "no_side_attacks": "attacks in front only",
    "winner_stays": "a winning defender does not move",
    "black_beats_super": "black against the best shield",
    "tie_goes_to_defender": "equal shields defend",
    "target_shielded": "shields save targets",
    "neutral_helps": "neutral squares shield",
    "black_same_shape_holds": "black is never lost to a colour",
    "failed_attack_spares": "a target's own attack ends nothing",
    "armies_stay": "no exchange of armies",
    "score_of_army": "what is captured counts for who set the army up",
    "shown_stays_behind": "a known piece is unknown when it has moved",
    "pass_always": "passing at will",
}


def test_wrong_rules_are_all_named() -> None:
    assert set(WRONG) == set(Rules.__dataclass_fields__)


@pytest.mark.parametrize("wrong", WRONG, ids=WRONG.get)
def test_comparing_notices_a_wrong_rule(wrong: str) -> None:
    rules = Rules(**{wrong: True})

    def compare_some() -> None:
        for seed in range(200):
            start = start_of(seed, "super", rules)
            compare(start, lines_of(seed, start, Counter()))

    with pytest.raises((AssertionError, RulesError)):
        compare_some()
