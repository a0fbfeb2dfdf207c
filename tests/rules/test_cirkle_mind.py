"""CirKle Mind's turns: where pieces go, what they may attack, what is left of it, and the end."""

import pytest

from game.rules.base.errors import IllegalMove
from game.rules.base.game import known_options
from game.rules.cirkle_mind import GAME
from tests.helpers.games.cirkle_games import LEVELS
from tests.helpers.games.cirkle_positions import standing

# The own targets, far from the action.


def moves(pieces: dict[str, str], to_move: int = 1, **shown: object) -> set[str]:
    return set(GAME.legal_moves(standing(pieces, to_move, **shown)))


def refused(pieces: dict[str, str], move: str, to_move: int = 1) -> str:
    """Return the key of the message with which a move is refused."""
    position = standing(pieces, to_move)
    with pytest.raises(IllegalMove) as parsed:
        GAME.parse_move(position, move)
    with pytest.raises(IllegalMove) as played:
        GAME.play(position, move)
    assert parsed.value.message == played.value.message
    assert move not in GAME.legal_moves(position)
    return parsed.value.message.key


def test_a_piece_moves_to_empty_squares_only() -> None:
    pieces = {"D6": "GyC", "D7": "GbC", "E6": "MbC"}
    assert not {move for move in moves(pieces) if move.startswith(("D6-D7", "D6-E6"))}
    assert refused(pieces, "D6-D7") == "mind.occupied"
    assert refused(pieces, "D6-E6") == "mind.occupied"


def test_only_the_own_army_moves() -> None:
    pieces = {"D6": "GyC", "D9": "MyC"}
    assert all(move.startswith("D6") for move in moves(pieces, 1))
    assert all(move.startswith("D9") for move in moves(pieces, 2))
    assert refused(pieces, "D9-D10") == "mind.not_yours"
    assert refused(pieces, "A1-A2") == "mind.not_yours"


@pytest.mark.parametrize("move", ["D6-D8", "D6-E7", "D6-D6", "D6-A6", "D6-C5"])
def test_a_piece_moves_exactly_one_square_and_never_diagonally(move: str) -> None:
    assert refused({"D6": "GyC"}, move) == "mind.too_far"


def test_an_attack_behind_is_refused() -> None:
    assert refused({"D6": "GyC", "C5": "MyC"}, "D6-C6*C5") == "mind.not_in_reach"


def test_an_attack_after_a_move_backward_is_refused() -> None:
    pieces = {"D6": "GyC", "C5": "MyC", "D4": "MbC"}
    assert refused(pieces, "D6-D5*C5") == "mind.backward"
    assert refused(pieces, "D6-D5*D4") == "mind.backward"


@pytest.mark.parametrize("target", ["C7", "D8", "E7"])
def test_an_attack_needs_an_enemy(target: str) -> None:
    pieces = {"D6": "GyC", "C7": "GbC"}
    assert refused(pieces, f"D6-D7*{target}") == "mind.no_enemy"


def test_a_player_without_a_move_passes_and_only_then() -> None:
    corner = {"A1": "GyC", "B1": "MyT", "A2": "MbT", "D9": "MgT"}
    assert moves(corner) == {"pass"}
    position = standing(corner)
    assert GAME.taps(position, "pass") == ("choice1",)
    done = GAME.play(position, "pass")
    assert GAME.pieces(done) == corner
    assert GAME.to_move(done) == 2
    assert "pass" not in GAME.legal_moves(done)
    assert refused(corner, "pass", 2) == "mind.no_pass"
    assert refused(corner, "A1-A2") == "mind.occupied"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "mind.bad_move"),
        ("D5", "mind.bad_move"),
        ("D5-D12", "rules.no_such_cell"),
        ("d5-d6", "rules.no_such_cell"),
        ("D5-D6*D6", "mind.no_enemy"),
    ],
)
def test_a_text_that_is_no_move_is_refused_with_its_reason(text: str, key: str) -> None:
    assert refused({"D5": "GyC"}, text) == key


def test_taps_end_with_the_key_only_where_an_attack_could_follow() -> None:
    position = standing({"D5": "GyC", "D7": "MbC", "E6": "MgC"})
    assert GAME.taps(position, "D5-D6") == ("D5", "D6", "choice1")
    assert GAME.taps(position, "D5-D6*D7") == ("D5", "D6", "D7")
    assert GAME.taps(position, "D5-D6*E6") == ("D5", "D6", "E6")
    assert GAME.taps(position, "D5-E5") == ("D5", "E5", "choice1")
    assert GAME.taps(position, "D5-D4") == ("D5", "D4")
    assert GAME.taps(position, "D5-C5") == ("D5", "C5")


def test_the_game_says_what_the_table_must_know() -> None:
    assert (GAME.name, GAME.title, GAME.hidden) == ("cirkle-mind", "CirKle Mind", True)
    assert GAME.keys == ("choice1",)
    assert GAME.palette == ()
    assert [GAME.presentation.token(side) for side in (1, 2)] == ["G", "M"]
    assert [GAME.presentation.side(code) for code in ("G", "MkT", "GgX", "", "x", "GkX")] == [
        1,
        2,
        1,
        None,
        None,
        None,
    ]
    assert len(GAME.presentation.hues) == 2
    assert known_options(GAME)["level"].choices == LEVELS
    assert known_options(GAME)["level"].default == "easy"
