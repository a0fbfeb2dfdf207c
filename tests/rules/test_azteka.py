"""Azteka: agreement with the naive rules, texts that are no move, and its variants."""

from collections import Counter
from random import Random
from typing import NoReturn

import pytest

from game.rules.azteka import GAME
from game.rules.base import registry
from game.rules.base.errors import BadOption, IllegalMove
from game.rules.base.registry import all_games, find_game
from tests.helpers.effort import effort
from tests.helpers.games.azteka_positions import VARIANTS, as_position, expected, shown
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
def test_what_is_no_move_is_refused_with_a_reason(position: str, text: str, key: str) -> None:
    for refuse in (GAME.parse_move, GAME.play):
        with pytest.raises(IllegalMove) as caught:
            refuse(GAME.parse(position) if position else GAME.initial(), text)
        assert caught.value.message.key == key


def test_variants_are_games_of_their_own() -> None:
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
def test_every_game_of_azteka_goes_by_the_variant_of_a_position(variant: str) -> None:
    own = GAME.initial({"variant": variant})
    for game in (GAME, *GAME.variants.values()):
        assert set(game.legal_moves(own)) == set(GAME.legal_moves(own))
        assert game.to_move(game.play(own, "a1")) == 2
        assert len(game.score(own)) == (3 if variant == "three" else 2)


def test_game_is_found_by_its_folder_without_importing_the_others(monkeypatch: pytest.MonkeyPatch):
    def fail() -> NoReturn:
        raise AssertionError("all games are imported")

    monkeypatch.setattr(registry, "_found", fail)
    assert [find_game(name).name for name in ("azteka", "cirkle-mind")] == ["azteka", "cirkle-mind"]


GAMES = effort(60, 300)
CROWDED = effort(40, 300)
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
def test_random_games_agree_at_every_ply(variant: str) -> None:
    counts: Counter[str] = Counter()
    for seed in range(GAMES):
        rng = Random(seed)
        first = 1 if variant == "three" else rng.choice((1, 2))
        start = naive_start(variant, first)
        assert GAME.initial({"variant": variant, "first": str(first)}) == as_position(start)
        compare(rng, start, STYLES[seed % len(STYLES)], counts)
    assert EVENTS[variant] - set(counts) == set()


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_from_crowded_positions_agree_at_every_ply(variant: str) -> None:
    counts: Counter[str] = Counter()
    for seed in range(CROWDED):
        rng = Random(seed)
        compare(rng, crowded(rng, variant), STYLES[seed % len(STYLES)], counts)
    assert EVENTS_CROWDED[variant] - set(counts) == set()
