"""What players may know of CirKle Mind is what its naive implementation says, at every ply."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from game.rules.cirkle_mind import GAME
from tests.oracles.naive_cirkle_mind import SHIELDED, NaiveMind
from tests.oracles.naive_cirkle_mind_hands import hemmed_in, lines_of_game, random_set_up, some_left

LEVELS = tuple(SHIELDED)
WHO = [(None, False), (None, True), (1, False), (1, True), (2, False), (2, True)]


def positions(level: str, games: int) -> Iterator[NaiveMind]:
    """Give the positions of some games until they are over, from the set-ups on."""
    for seed in range(games):
        rng = Random(seed)
        now = NaiveMind(level, first=rng.choice((1, 2)))
        if seed % 4 == 3:
            now = (some_left if seed % 8 == 3 else hemmed_in)(rng, level)
        yield now
        for line in list(lines_of_game(rng, now, 120, 0, Counter()))[1:]:
            if line.refused:
                continue
            now = now.play(str(line.answer["move"]))
            if now.outcome is None:
                yield now


def as_position(naive: NaiveMind) -> Any:
    told = naive.answer(0, None)
    return GAME.from_json(told, {"level": naive.level, "first": str(naive.first)})


def other_faces(rng: Random, naive: NaiveMind, player: int | None, remembers: bool) -> NaiveMind:
    """Exchange at random what a player does not know: faces, before play where they are, too."""
    pieces = dict(naive.pieces)
    if naive.phase == "setup":
        pieces = naive.seen(player, remembers)
        if len(pieces) < len(naive.pieces):
            pieces = {square: f"G{face}" for square, face in random_set_up(rng, "G").items()}
        return replace(naive, pieces=pieces)
    for army in "GM":
        seen = naive.seen(player, remembers)
        hidden = [square for square, code in seen.items() if code == army]
        codes = [pieces[square] for square in hidden]
        pieces |= zip(hidden, rng.sample(codes, len(codes)), strict=True)
    return replace(naive, pieces=pieces)


@pytest.mark.parametrize("level", LEVELS)
def test_players_see_what_the_naive_ones_see(level: str) -> None:
    for naive in positions(level, 24):
        position = as_position(naive)
        for player, remembers in WHO:
            seen = GAME.seen_by(position, player, remembers)
            assert GAME.pieces(seen) == naive.seen(player, remembers), (naive, player, remembers)


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_player_does_not_see_changes_nothing_that_he_sees(level: str) -> None:
    rng, changed = Random(1), 0
    for naive in positions(level, 24):
        position = as_position(naive)
        for player, remembers in WHO:
            other = other_faces(rng, naive, player, remembers)
            changed += other.pieces != naive.pieces
            one, two = (
                GAME.seen_by(each, player, remembers) for each in (position, as_position(other))
            )
            assert one == two
            assert GAME.text(one) == GAME.text(two)
            assert GAME.extras(one) == GAME.extras(two)
            if naive.phase == "play":
                texts = sorted(GAME.plain_text(one, move) for move in GAME.legal_moves(one))
                assert texts == naive.legal()
    assert changed > 1000
