"""Set-ups of CirKle Mind: what may stand where before play, and what is refused."""

from random import Random

import pytest

from game.rules.base.errors import IllegalMove
from game.rules.cirkle_mind import GAME
from game.rules.cirkle_mind.faces import FACES
from game.rules.cirkle_mind.position import Position
from game.rules.cirkle_mind.squares import ZONES
from tests.helpers.games.cirkle_games import LEVELS, arranged
from tests.oracles.set_up_guesser import guess

FIRST = dict(zip(ZONES[0], FACES, strict=False))
SECOND = dict(zip(ZONES[1], FACES, strict=False))


def written(layout: dict[str, str]) -> str:
    return " ".join(["setup", *(f"{cell}={face}" for cell, face in layout.items())])


def half_set_up(level: str = "easy") -> Position:
    start = GAME.initial({"level": level})
    return GAME.play(start, written(FIRST))


def without(cell: str) -> dict[str, str]:
    return {at: face for at, face in FIRST.items() if at != cell}


def test_a_set_up_is_written_in_the_boards_order_whatever_order_it_came_in() -> None:
    start = GAME.initial()
    shuffled = list(FIRST.items())
    Random(3).shuffle(shuffled)
    text = written(dict(shuffled))
    move = GAME.parse_move(start, text)
    assert move == written(FIRST)
    assert move.startswith("setup A1=yT B1=gT ")
    assert GAME.move_text(start, move) == move
    assert GAME.play(start, text) == GAME.play(start, move)
    assert GAME.parse_move(start, text.replace(" ", "  ") + " ") == move


@pytest.mark.parametrize("cell", ["A5", "H7", "A8", "H11"])
def test_green_sets_up_in_rows_1_to_4_only(cell: str) -> None:
    layout = {cell if at == "A1" else at: face for at, face in FIRST.items()}
    with pytest.raises(IllegalMove) as caught:
        GAME.parse_move(GAME.initial(), written(layout))
    assert caught.value.message.key == "mind.not_your_zone"
    assert caught.value.message.args == {"cell": cell, "least": "A1", "most": "H4"}


@pytest.mark.parametrize(
    ("text", "key", "shown"),
    [
        (written(without("A1")), "mind.missing", {"count": 23, "all": 24, "pieces": "yT"}),
        ("setup", "mind.missing", {"count": 0, "all": 24, "pieces": " ".join(FACES)}),
        (written({**FIRST, "A1": "gT"}), "mind.piece_twice", {"cell": "B1", "piece": "gT"}),
        (written(FIRST) + " H4=yT", "mind.piece_twice", {"cell": "H4", "piece": "yT"}),
        (written(FIRST) + " A1=yT", "rules.cell_twice", {"cell": "A1"}),
        (written(without("A1")) + " B1=yT", "rules.cell_twice", {"cell": "B1"}),
        (
            written({**FIRST, "A1": "kX"}),
            "rules.bad_piece",
            {"cell": "A1", "value": "'kX'", "allowed": " ".join(FACES)},
        ),
        (written({**FIRST, "A1": "GyT"}), "rules.bad_piece", None),
        (written(without("A1")) + " A12=yT", "rules.no_such_cell", None),
        (written(without("A1")) + " a1=yT", "rules.no_such_cell", None),
        (written(without("A1")) + " yT", "mind.bad_set_up", {"text": "yT"}),
        ("B4-B5", "mind.set_up_first", {"text": "B4-B5"}),
        ("pass", "mind.set_up_first", {"text": "pass"}),
    ],
)
def test_a_wrong_set_up_is_refused_and_the_message_names_what_is_wrong(
    text: str, key: str, shown: dict[str, object] | None
) -> None:
    start = GAME.initial()
    for refuse in (GAME.parse_move, GAME.play):
        with pytest.raises(IllegalMove) as caught:
            refuse(start, text)
        assert caught.value.message.key == key
        assert shown is None or caught.value.message.args == shown
    assert text not in GAME.legal_moves(start)


def test_an_endless_wrong_text_is_quoted_in_part_only() -> None:
    for text in (
        "x" * 9999,
        "setup " + "x" * 9999,
        f"setup {'x' * 9999}=yC",
        f"setup A1={'x' * 999}",
    ):
        with pytest.raises(IllegalMove) as caught:
            GAME.parse_move(GAME.initial(), text)
        assert len(str(caught.value.message.args)) < 400


def test_the_legal_set_ups_are_a_view_that_answers_without_listing_them() -> None:
    start = GAME.initial()
    view = GAME.legal_moves(start)
    assert view
    assert written(FIRST) in view
    assert written(SECOND) not in view
    assert written(without("A1")) not in view
    assert 7 not in view
    with pytest.raises(OverflowError):
        len(view)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("player", [1, 2])
def test_random_arrangements_are_legal_and_differ(level: str, player: int) -> None:
    start = GAME.initial({"level": level})
    texts = set()
    for seed in range(50):
        pieces = GAME.arranged_at_random(start, player, Random(seed))
        assert pieces == GAME.arranged_at_random(start, player, Random(seed))
        text = GAME.arrangement(start, player, pieces)
        texts.add(text)
        assert GAME.laid(start, player, text) == pieces
    assert len(texts) == 50


DRAWS = 3_000


def target_of(player: int) -> str:
    return ("GgX", "MmX")[player - 1]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("player", [1, 2])
def test_squares_of_a_random_arrangement_tell_a_guesser_no_more_than_chance(
    level: str, player: int
) -> None:
    start, rng = GAME.initial({"level": level}), Random(1)
    draws = [GAME.arranged_at_random(start, player, rng) for _ in range(DRAWS)]
    guessed = guess(draws, target_of(player))
    assert guessed.as_good_as_chance, guessed


def test_arranging_tells_squares_and_pieces_in_an_order_known_to_all() -> None:
    start = GAME.initial()
    for player, side in ((1, "G"), (2, "M")):
        arranging = GAME.arranging(start, player)
        assert arranging.cells == ZONES[player - 1]
        assert arranging.pieces == tuple(side + face for face in FACES)


def test_arranging_is_over_for_each_player_as_he_has_set_up() -> None:
    half = half_set_up()
    assert GAME.arranging(half, 1) is None
    assert GAME.arranging(half, 2) is not None
    whole = arranged()
    assert GAME.arranging(whole, 1) is GAME.arranging(whole, 2) is None
    for position, player in ((half, 1), (whole, 1), (whole, 2)):
        with pytest.raises(IllegalMove, match="nothing_to_arrange"):
            GAME.arrangement(position, player, {})
        with pytest.raises(IllegalMove, match="nothing_to_arrange"):
            GAME.arranged_at_random(position, player, Random(1))


def test_an_arrangement_can_be_written_before_it_is_the_players_turn() -> None:
    start = GAME.initial()
    text = GAME.arrangement(start, 2, {cell: "M" + face for cell, face in SECOND.items()})
    assert text == written(SECOND)
    assert GAME.parse_move(half_set_up(), text) == text


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"A1": "yT"}, "rules.bad_piece"),
        ({"A1": "GgT"}, "mind.piece_twice"),
        ({"A5": "GyT"}, "mind.not_your_zone"),
        ({"Z9": "GyT"}, "rules.no_such_cell"),
    ],
)
def test_a_wrong_arrangement_is_refused(change: dict[str, str], key: str) -> None:
    pieces = {cell: "G" + face for cell, face in FIRST.items()} | change
    with pytest.raises(IllegalMove) as caught:
        GAME.arrangement(GAME.initial(), 1, pieces)
    assert caught.value.message.key == key


def test_a_set_up_is_covered_in_texts_and_words() -> None:
    text = written(FIRST)
    assert GAME.covered_text(text) == "setup"
    assert GAME.covered_text("B4-B5*C5") == "B4-B5*C5"
    assert GAME.covered_text("pass") == "pass"
    start = GAME.initial()
    assert GAME.covered_summary(start, text) == GAME.result(start, text).summary
    assert "yT" not in str(GAME.result(start, text).summary)
