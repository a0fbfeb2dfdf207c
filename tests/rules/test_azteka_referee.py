"""`lifeboard referee azteka` in conversation, against the naive implementation."""

import json
from random import Random
from typing import Any

import pytest

from game.cli.referee import referee
from game.rules.azteka import GAME
from game.rules.base.errors import BadOption, BadPosition
from tests.helpers.effort import effort
from tests.helpers.games.azteka_positions import VARIANTS, expected
from tests.helpers.programs.conversation import Umpire
from tests.oracles.naive_azteka import CELLS, STYLES, NaiveAzteka, naive_start, random_game

KEYS = [
    "ply",
    "move",
    "to_move",
    "pieces",
    "removed",
    "score",
    "legal",
    "moves",
    "outcome",
    "round",
    "roles",
    "birth",
    "first_round",
    "last_actions",
]
GAMES = effort(3, 12)
# Both ways to a variant: by the option, and by its own name.
CALLS = {
    "basic": (["azteka"], ["azteka", "--option=variant=basic"]),
    "aggressive": (["azteka", "--option=variant=aggressive"], ["azteka-aggressive"]),
    "three": (["azteka", "--option=variant=three"], ["azteka-three"]),
}


def answer(naive: NaiveAzteka, ply: int, move: str | None) -> dict[str, Any]:
    """Return what the referee must answer, in the order of its keys."""
    shown = {
        **expected(naive),
        "score": list(naive.score),
        "ply": ply,
        "move": move,
        "removed": list(naive.removed) if move else [],
    }
    return {key: shown[key] for key in KEYS}


def answers(*read: str, position: Any = None, **options: str) -> list[dict[str, Any]]:
    """Feed lines to the referee; give its answers."""
    shown = None if position is None else json.dumps(position)
    return [json.loads(each.text) for each in referee(GAME, options, shown, True, read)]


def wrong_line(rng: Random, position: NaiveAzteka) -> str:
    """Draw a line that is no legal move."""
    every = [*CELLS, "T1", "T4", "TT1", "TT3", "-", "T5", "z1", "pass", "a1 a2"]
    return rng.choice([each for each in every if each not in position.legal()])


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_in_conversation_agree_at_every_ply(variant: str) -> None:
    with Umpire() as umpire:
        for seed in range(GAMES):
            rng = Random(seed)
            first = 1 if variant == "three" else rng.choice((1, 2))
            call = [*CALLS[variant][seed % 2], f"--option=first={first}"]
            position = naive_start(variant, first)
            got = umpire.call(["referee", "--legal", *call])
            assert got == answer(position, 0, None)
            assert list(got) == KEYS
            ply = 0
            for _, move, after in random_game(rng, position, STYLES[seed % len(STYLES)]):
                if rng.random() < 0.2:
                    refused = umpire.say(wrong_line(rng, position))
                    assert refused.pop("error")
                    assert refused == got
                position, ply = after, ply + 1
                got = umpire.say(move)
                assert got == answer(position, ply, move)
            refused = umpire.say("c3")
            assert refused.pop("error") == "The game is over."
            assert umpire.end() == 1


@pytest.mark.parametrize(
    ("line", "position", "options", "words"),
    [
        ("z9", {}, {}, "“z9” is no cell of this board; cells are a1 to h4."),
        ("T5", {}, {}, "'T5' turns no ring of this board; rings are 1 to 4."),
        ("TT1", {}, {}, "'TT1' turns by two segments, which only the aggressive variant allows."),
        ("-", {}, {}, "There is no birth to decline now."),
        ("hello", {}, {}, "'hello' is no move; moves are written as c3, T2, TT2 or -."),
        ("a1", {"pieces": {"a1": "L"}}, {}, "a1 is taken. Tap an empty cell."),
        ("e1", {"pieces": {"a1": "L"}}, {}, "Not e1: place right beside one of your pieces"),
        (
            "TT1",
            {"pieces": {"a1": "L", "c1": "D"}},
            {"variant": "aggressive"},
            "Only a player with more pieces on ring 1 can turn it by two segments.",
        ),
    ],
)
def test_a_refusal_says_why(
    line: str, position: dict[str, Any], options: dict[str, str], words: str
) -> None:
    start, refused = answers(line, position=position, **options)
    assert refused.pop("error").startswith(words)
    assert refused == start


def test_a_wrong_call_is_refused_before_anything_is_answered() -> None:
    with pytest.raises(BadOption):
        answers(variant="three", first="2")
    with pytest.raises(BadOption):
        answers(variant="four")
    with pytest.raises(BadPosition):
        answers(position={"pieces": {"a1": "M"}})
