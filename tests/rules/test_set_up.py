"""Positions that are set up: what can stand, what cannot, and which cells say so."""

from hypothesis import given
from hypothesis import strategies as st

from game.rules.base.errors import BadPosition
from game.rules.circle_of_life import GAME, Position
from tests.helpers.effort import examples
from tests.oracles.naive_circle import CELLS, LARGEST, NaivePosition, critter_at

OPTIONS = {"first": "1", "target": "20"}
# Many stones on few cells, so that critters of five come about as often as not.
CORNER = [cell for cell in CELLS if cell[0] in "abc"]
PIECES = st.one_of(
    st.dictionaries(st.sampled_from(CELLS), st.sampled_from("12"), max_size=40),
    st.dictionaries(st.sampled_from(CORNER), st.sampled_from("12"), max_size=9),
)


def largest_critter(pieces: dict[str, str]) -> int:
    stones = {cell: int(piece) for cell, piece in pieces.items()}
    return max((len(critter_at(stones, cell)) for cell in stones), default=0)


def set_up(pieces: dict[str, str], score: tuple[int, ...] = (0, 0), to_move: int = 1) -> Position:
    return GAME.from_json({"pieces": pieces, "to_move": to_move, "score": list(score)}, OPTIONS)


def refusal(pieces: dict[str, str]) -> BadPosition | None:
    try:
        set_up(pieces)
    except BadPosition as error:
        return error
    return None


@examples(40, 300)
@given(PIECES)
def test_pieces_can_be_set_up_unless_a_critter_is_too_big(pieces: dict[str, str]) -> None:
    refused = refusal(pieces)
    assert (refused is None) == (largest_critter(pieces) <= LARGEST)
    if refused is None:
        assert GAME.pieces(GAME.parse(GAME.text(set_up(pieces)))) == pieces


@examples(40, 300)
@given(PIECES)
def test_a_refusal_names_one_whole_critter_of_one_player(pieces: dict[str, str]) -> None:
    refused = refusal(pieces)
    if refused is not None:
        stones = {cell: int(piece) for cell, piece in pieces.items()}
        assert refused.cells == critter_at(stones, next(iter(refused.cells)))
        assert refused.message.args["stones"] == len(refused.cells) > LARGEST


@examples(20, 100)
@given(PIECES, st.integers(1, 2), st.tuples(st.integers(0, 19), st.integers(0, 19)))
def test_a_set_up_position_has_the_moves_of_a_naive_one(
    pieces: dict[str, str], to_move: int, score: tuple[int, int]
) -> None:
    if refusal(pieces) is not None:
        return
    position = set_up(pieces, score, to_move)
    naive = NaivePosition({cell: int(piece) for cell, piece in pieces.items()}, to_move, score)
    assert sorted(GAME.legal_moves(position)) == naive.legal()
    outcome = GAME.outcome(position)
    assert (outcome.winner if outcome else None) == naive.winner()
    assert GAME.score(position) == score
    assert GAME.parse(GAME.text(position)) == position
