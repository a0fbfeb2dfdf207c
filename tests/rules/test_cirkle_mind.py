"""CirKle Mind's turns: where pieces go, what they may attack, what is left of it, and the end."""

import pytest

from game.rules.base.errors import IllegalMove
from game.rules.base.game import known_options
from game.rules.base.hidden import hiding
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.squares import BOARD, ZONES
from tests.helpers.games.cirkle_games import LEVELS, arranged, played_on
from tests.helpers.games.cirkle_positions import after, standing

LEVEL = pytest.mark.parametrize("level", LEVELS)
# The own targets, far from where something happens.
HOMES = {"H1": "GgX", "H11": "MmX"}


def moves(pieces: dict[str, str], to_move: int = 1, **told: object) -> set[str]:
    return set(GAME.legal_moves(standing(pieces, to_move, **told)))


def refused(pieces: dict[str, str], move: str, to_move: int = 1) -> str:
    """Give the key of the message with which a move is refused."""
    position = standing(pieces, to_move)
    with pytest.raises(IllegalMove) as parsed:
        GAME.parse_move(position, move)
    with pytest.raises(IllegalMove) as played:
        GAME.play(position, move)
    assert parsed.value.message == played.value.message
    assert move not in GAME.legal_moves(position)
    return parsed.value.message.key


@pytest.mark.parametrize(
    ("piece", "mover"), [("GyC", 1), ("MyC", 2), ("GkT", 1), ("GgX", 1), ("MyX", 2)]
)
def test_any_piece_moves_one_square_in_each_direction(piece: str, mover: int) -> None:
    assert moves({"D6": piece}, mover) == {"D6-D7", "D6-D5", "D6-C6", "D6-E6"}


@pytest.mark.parametrize(
    ("cell", "goals"),
    [("A1", "B1 A2"), ("H1", "G1 H2"), ("A11", "B11 A10"), ("H11", "G11 H10"), ("A6", "A7 A5 B6")],
)
def test_a_piece_stays_on_the_board(cell: str, goals: str) -> None:
    assert moves({cell: "GyC"}) == {f"{cell}-{goal}" for goal in goals.split()}


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


AROUND_GREEN = ("D7", "C6", "E6", "B5", "F5", "C4", "E4", "D3")
AROUND_MAUVE = ("D5", "C6", "E6", "B7", "F7", "C8", "E8", "D9")
ENEMIES = ("yT", "gT", "bT", "mT", "yS", "gS", "bS", "mS")


@pytest.mark.parametrize(
    ("player", "move", "attacked"),
    [
        (1, "D5-D6", "D7 C6 E6"),
        (1, "D5-C5", "C6 B5"),
        (1, "D5-E5", "E6 F5"),
        (1, "D5-D4", ""),
        (2, "D7-D6", "D5 C6 E6"),
        (2, "D7-C7", "C6 B7"),
        (2, "D7-E7", "E6 F7"),
        (2, "D7-D8", ""),
    ],
)
def test_an_army_attacks_in_front_and_beside_after_a_move_not_backward(
    player: int, move: str, attacked: str
) -> None:
    own, enemy, around = ("G", "M", AROUND_GREEN) if player == 1 else ("M", "G", AROUND_MAUVE)
    enemies = {cell: enemy + face for cell, face in zip(around, ENEMIES, strict=True)}
    legal = moves({move[:2]: f"{own}yC", **enemies}, player)
    begun = {each for each in legal if each.startswith(move)}
    assert begun == {move, *(f"{move}*{cell}" for cell in attacked.split())}


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


def test_an_attack_does_not_reach_round_the_edge() -> None:
    pieces = {"H5": "GyC", "A7": "MyC", "A6": "MbC", "G6": "MgC"}
    assert moves(pieces) == {"H5-H6", "H5-H6*G6", "H5-H4", "H5-G5", "H5-G5*G6"}
    pieces = {"A6": "GyC", "H6": "MyC", "H7": "MbC", "H5": "MgC"}
    assert moves(pieces) == {"A6-A7", "A6-A5", "A6-B6"}


def test_an_attack_is_not_compulsory() -> None:
    position = after({"D5": "GyC", "D7": "MyC"}, "D5-D6")
    assert GAME.pieces(position) == {"D6": "GyC", "D7": "MyC"}
    assert GAME.to_move(position) == 2
    assert position.shown == 0


def test_a_winning_attacker_removes_the_defender_and_takes_its_square() -> None:
    position = standing({"D5": "GyC", "D7": "MbC"})
    assert GAME.removed(position, "D5-D6*D7") == ("D7",)
    done = GAME.play(position, "D5-D6*D7")
    assert GAME.pieces(done) == {"D7": "GyC"}
    assert done.score == (1, 0)


def test_a_winning_defender_removes_the_attacker_and_takes_its_square() -> None:
    position = standing({"D5": "GyC", "D7": "MkT"})
    assert GAME.removed(position, "D5-D6*D7") == ("D6",)
    done = GAME.play(position, "D5-D6*D7")
    assert GAME.pieces(done) == {"D6": "MkT"}
    assert done.score == (0, 1)


def test_else_both_stay_where_they_are() -> None:
    position = standing({"D5": "GyC", "D7": "MbT"})
    assert GAME.removed(position, "D5-D6*D7") == ()
    done = GAME.play(position, "D5-D6*D7")
    assert GAME.pieces(done) == {"D6": "GyC", "D7": "MbT"}
    assert done.score == (0, 0)


def test_an_attack_shows_both_faces_and_the_mark_goes_with_the_pieces() -> None:
    pieces = {"D5": "GyC", "E6": "MbT", **HOMES}
    position = standing(pieces)
    assert hiding(GAME).faces(position, "D5-D6*E6") == {"D6": "GyC", "E6": "MbT"}
    position = GAME.play(position, "D5-D6*E6")
    assert GAME.extras(position)["shown"] == ["D6", "E6"]
    position = GAME.play(position, "E6-E7")
    assert GAME.extras(position)["shown"] == ["D6", "E7"]
    position = GAME.play(position, "H1-H2")
    assert GAME.extras(position)["shown"] == ["D6", "E7"]


@pytest.mark.parametrize(
    ("pieces", "move", "to_move", "winner"),
    [
        ({"D5": "GyC", "D7": "MmX"}, "D5-D6*D7", 1, 1),
        ({"D5": "GmX", "D7": "MmX"}, "D5-D6*D7", 1, 1),
        ({"D7": "MyC", "D5": "GgX"}, "D7-D6*D5", 2, 2),
        ({"D7": "MkC", "D5": "GgX"}, "D7-D6*D5", 2, 2),
        ({"D5": "GgX", "D7": "MkT"}, "D5-D6*D7", 1, 2),
        ({"D7": "MmX", "D5": "GkT"}, "D7-D6*D5", 2, 1),
    ],
)
def test_who_loses_his_own_colours_target_loses_also_by_his_own_attack(
    pieces: dict[str, str], move: str, to_move: int, winner: int
) -> None:
    position = after({**pieces, "A1": "GyT", "A11": "MyT"}, move, to_move=to_move)
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (winner, "target captured")
    assert GAME.to_move(position) is None
    assert not GAME.legal_moves(position)
    assert len(GAME.legal_moves(position)) == 0
    with pytest.raises(IllegalMove, match="game_over"):
        GAME.play(position, "A1-A2")
    with pytest.raises(IllegalMove, match="game_over"):
        GAME.parse_move(position, "pass")


@pytest.mark.parametrize(
    ("pieces", "move", "to_move"),
    [
        ({"D5": "GyC", "D7": "MgX"}, "D5-D6*D7", 1),
        ({"D5": "GyC", "D7": "MyX"}, "D5-D6*D7", 1),
        ({"D7": "MyC", "D5": "GmX"}, "D7-D6*D5", 2),
        ({"D5": "GmX", "D7": "MkT"}, "D5-D6*D7", 1),
        ({"D7": "MgX", "D5": "GkT"}, "D7-D6*D5", 2),
        ({"D5": "GgX", "D7": "MbT"}, "D5-D6*D7", 1),
    ],
)
def test_other_targets_do_not_end_the_game(pieces: dict[str, str], move: str, to_move: int) -> None:
    position = after({**pieces, "A1": "GyT", "A11": "MyT"}, move, to_move=to_move)
    assert GAME.outcome(position) is None
    assert GAME.to_move(position) == 3 - to_move


def test_a_target_lost_by_a_shield_ends_the_game() -> None:
    # At the medium level a yellow triangle on its own square holds off the green target.
    cell = next(
        cell for cell in ZONES[1] if GAME.presentation.printed[cell] == "gT" and cell[0] not in "AH"
    )
    column, row = cell[0], int(cell[1:])
    start, goal = f"{column}{row - 2}", f"{column}{row - 1}"
    pieces = {start: "GgX", cell: "MgT", "A1": "GyT"}
    assert GAME.presentation.printed.get(goal, "--")[0] != "g"
    position = after(pieces, f"{start}-{goal}*{cell}", level="medium")
    assert GAME.pieces(position)[goal] == "MgT"
    assert GAME.outcome(position).winner == 2


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
        ("D5-D12", "mind.no_such_cell"),
        ("d5-d6", "mind.no_such_cell"),
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


def test_edits_are_what_stands_differently() -> None:
    position = standing({"D5": "GyC", "D7": "MbC"})
    edits = {(e.kind.value, e.cell, e.piece) for e in GAME.edits(position, "D5-D6*D7")}
    assert edits == {("remove", "D5", ""), ("swap", "D7", "GyC")}
    position = standing({"D5": "GyC", "D7": "MkT"})
    edits = {(e.kind.value, e.cell, e.piece) for e in GAME.edits(position, "D5-D6*D7")}
    assert edits == {("remove", "D5", ""), ("remove", "D7", ""), ("put", "D6", "MkT")}


@LEVEL
def test_legal_moves_agree_with_membership_and_with_being_played(level: str) -> None:
    texts = [f"{a}-{b}" for a in BOARD.cells for b in BOARD.neighbours[a]]
    texts += [f"{way}*{c}" for way in texts for c in BOARD.neighbours[way.split("-")[1]]]
    for plies in (0, 40):
        position = played_on(arranged(level, 3), plies, 5)
        legal = set(GAME.legal_moves(position))
        assert legal <= set(texts)
        for text in texts:
            if text in legal:
                assert GAME.parse_move(position, text) == text
                GAME.play(position, text)
            else:
                with pytest.raises(IllegalMove):
                    GAME.play(position, text)


def test_the_game_says_what_the_table_must_know() -> None:
    assert (GAME.name, GAME.title, GAME.hidden) == ("cirkle-mind", "CirKle Mind", True)
    assert GAME.keys == ("choice1",)
    assert GAME.palette == ()
    assert not GAME.presentation.teaches
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
