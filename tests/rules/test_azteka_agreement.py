"""Azteka agrees with the naive implementation at every ply of random games, and in perft."""

from collections import Counter
from random import Random

import pytest

from game.rules.azteka import GAME
from tests.helpers.effort import effort
from tests.helpers.games.azteka_positions import VARIANTS, as_naive, as_position, expected, shown
from tests.helpers.games.playing_out import perft
from tests.oracles.naive_azteka import (
    CODES,
    PIECES,
    STYLES,
    NaiveAzteka,
    crowded,
    naive_start,
    random_game,
)

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


# Pieces stand near a birth, a disintegration, a turn by two, the end of a round, a full board.
PERFT = {
    "L.../..../..../..../..../..../..../.... basic LD D -": (35, 242, 2552),
    "LLL./.DL./..D./..../.DDD/DLDL/.D.D/.... basic LD L -": (10, 142, 3971),
    "L.L./.D../D.DL/.DL./LLLL/L.L./LDLD/.D.. basic DL L+ 1:9": (12, 160, 1998),
    "L.../..../.D.D/DLDL/DDDL/.L../..../.... basic LD D 2:7": (10, 108, 1063),
    "LL../DDL./..D./L..D/.LDL/D.../L.../.D.. aggressive LD L -": (23, 506, 10969),
    "LL../DDL./..D./L..D/.LDL/D.../L.../.D.. aggressive DL D 1:10": (23, 508, 10983),
    "MMLL/.LML/DDD./MMMD/LLDL/DDMD/LMDD/MLLM three LDM L -": (6, 28, 119),
    "LL.M/MDLL/D.MM/MLLM/MLDD/MDLD/LDDM/LDML three LDM D -": (6, 28, 102),
    "DMDL/MMLM/MMDL/LDLL/LLDM/DDDM/MLML/DLDD three LDM D3 -": (4, 8, 12),
    "LLLD/DDMM/DLMD/MDMD/MDLD/MLLM/LLMD/LMLD three LDM M2 -": (4, 16, 0),
}


@pytest.mark.parametrize(
    ("variant", "counts"),
    [
        ("basic", (36, 1264, 13_344)),
        ("aggressive", (36, 1264, 44_160)),
        ("three", (36, 1264, 43_264)),
    ],
)
def test_perft_from_the_start(variant: str, counts: tuple[int, ...]) -> None:
    start = GAME.initial({"variant": variant})
    assert tuple(perft(GAME, start, depth) for depth in (1, 2, 3)) == counts
    naive = naive_start(variant)
    assert tuple(naive.perft(depth) for depth in (1, 2, 3)) == counts


@pytest.mark.parametrize("text", PERFT)
def test_perft_from_a_middle_game(text: str) -> None:
    position = GAME.parse(text)
    assert tuple(perft(GAME, position, depth) for depth in (1, 2, 3)) == PERFT[text]
    naive = as_naive(position)
    assert tuple(naive.perft(depth) for depth in (1, 2, 3)) == PERFT[text]
