"""Drawing faces that are not seen in CirKle Mind."""

from random import Random

import pytest

from game.rules.cirkle_mind import GAME
from tests.helpers.games.cirkle_games import LEVELS, arranged, played_on


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("remembers", [False, True])
@pytest.mark.parametrize("viewer", [1, 2, None])
def test_supposed_world_looks_as_what_was_seen(level: str, viewer: int | None, remembers: bool):
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
