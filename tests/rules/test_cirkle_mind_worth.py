"""Drawing faces that are not seen in CirKle Mind, and the guess of who stands better."""

from random import Random

import pytest

from game.rules.base.hidden import hiding
from game.rules.cirkle_mind import GAME
from tests.helpers.games.cirkle_games import LEVELS, arranged, played_on
from tests.helpers.games.cirkle_positions import standing


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("remembers", [False, True])
@pytest.mark.parametrize("viewer", [1, 2, None])
def test_supposed_world_looks_as_what_was_seen(level: str, viewer: int | None, remembers: bool):
    rng = Random(5)
    for seed in range(6):
        position = played_on(arranged(level, seed), 15 * seed, seed)
        if GAME.outcome(position) is not None:
            continue
        seen = hiding(GAME).seen_by(position, viewer, remembers)
        world = hiding(GAME).supposed(seen, rng)
        assert hiding(GAME).seen_by(world, viewer, remembers) == seen
        pieces = list(GAME.pieces(world).values())
        assert len(set(pieces)) == len(pieces)
        assert {"GgX", "MmX"} <= set(pieces)
        assert not {"G", "M"} & set(pieces)
        # Who reads it finds nothing that cannot be.
        assert GAME.parse(GAME.text(world)) == world
        assert sorted(pieces) == sorted(GAME.pieces(position).values())


def test_every_face_can_be_anywhere():
    position = arranged("easy", 2)
    seen, rng = hiding(GAME).seen_by(position, 1), Random(1)
    faces: dict[str, set[str]] = {}
    for _ in range(1500):
        for cell, piece in GAME.pieces(hiding(GAME).supposed(seen, rng)).items():
            faces.setdefault(cell, set()).add(piece)
    for cell, piece in GAME.pieces(position).items():
        assert len(faces[cell]) == (1 if piece.startswith("G") else 24)


def test_nothing_is_supposed_before_both_have_set_up():
    start = GAME.initial()
    half = GAME.play(start, GAME.legal_moves(start).pick(Random(1)))
    for position in (start, half):
        for viewer in (1, 2):
            seen = hiding(GAME).seen_by(position, viewer)
            assert hiding(GAME).supposed(seen, Random(1)) is seen
            assert GAME.evaluate(seen) is None


@pytest.mark.parametrize("level", LEVELS)
def test_worth_is_a_share_of_one_point_for_each(level: str):
    for seed in range(5):
        position = played_on(arranged(level, seed), 10 * seed, seed)
        told = GAME.evaluate(position)
        assert (told is None) == (GAME.outcome(position) is not None)
        if told is not None:
            assert sum(told) == pytest.approx(1)
            assert all(0 < each < 1 for each in told)


def value(pieces: dict[str, str], player: int = 1, to_move: int = 1, **told: object) -> float:
    shares = GAME.evaluate(standing(pieces, to_move, **told))
    assert shares is not None
    return shares[player - 1]


def mirrored(pieces: dict[str, str]) -> dict[str, str]:
    """Exchange the sides: rows, backs, and the colours of the own targets."""
    swap = str.maketrans("GM", "MG")
    faces = {"gX": "mX", "mX": "gX"}
    return {
        f"{cell[0]}{12 - int(cell[1:])}": piece[0].translate(swap) + faces.get(piece[1:], piece[1:])
        for cell, piece in pieces.items()
    }


CALM = {"A1": "GgX", "C3": "GyC", "E4": "GkT", "A11": "MmX", "C9": "MyS", "E8": "MkO"}


def test_worth_is_the_same_for_both_sides():
    lively = {**CALM, "D6": "GbS", "D8": "MbC"}
    for pieces in (CALM, lively):
        for to_move in (1, 2):
            there = value(mirrored(pieces), 2, 3 - to_move)
            assert value(pieces, 1, to_move) == pytest.approx(there)


def test_pieces_count_and_black_ones_more():
    more = value({**CALM, "G2": "GbO"})
    assert more > value(CALM)
    assert value({**CALM, "G2": "GkO"}) > more
    assert value({**CALM, "G10": "MbO"}) < value(CALM)


def test_own_target_that_is_known_and_can_be_taken_is_a_win():
    pieces = {**CALM, "D6": "GyT", "D8": "MmX", "A11": "MgS"}
    known = value(pieces, shown=["D8"])
    assert known > 0.9
    assert value(pieces) < known
    # It is the other one's turn: it can flee.
    assert value(pieces, to_move=2, shown=["D8"]) < known


def test_who_leads_wants_to_be_near():
    ahead = {"A1": "GgX", "C4": "GyC", "E4": "GkT", "F4": "GkS", "A11": "MmX"}
    near = {cell.replace("4", "7"): piece for cell, piece in ahead.items()}
    assert value(near) > value(ahead)
