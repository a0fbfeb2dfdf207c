"""Adaptoid's rules, sentence by sentence, with the pictured examples."""

import pytest

from game.rules.adaptoid import GAME
from game.rules.adaptoid.field import Position
from game.rules.base.errors import IllegalMove
from tests.helpers.games.adaptoid_positions import EVERYTHING, after, at


def legal(position: Position) -> set[str]:
    return {GAME.move_text(position, move) for move in GAME.legal_moves(position)}


def moves(position: Position) -> set[str]:
    """The moves with which a turn can begin, without what grows."""
    return {text.partition("/")[0] for text in legal(position)}


def growths(position: Position, move: str = "") -> set[str]:
    """What can grow after a move."""
    return {text.partition("/")[2] for text in legal(position) if text.partition("/")[0] == move}


def removed(position: Position, text: str) -> tuple[str, ...]:
    return GAME.removed(position, GAME.parse_move(position, text))


def ending(position: Position) -> tuple[int | None, str] | None:
    outcome = GAME.outcome(position)
    return outcome and (outcome.winner, outcome.reason)


def supply(position: Position, colour: str) -> dict[str, int]:
    told = GAME.extras(position)["supply"]
    assert isinstance(told, dict)
    counts = told[colour]
    assert isinstance(counts, dict)
    return counts


# Board and pieces


def test_the_board_is_a_hexagon_of_37_cells_in_rows_a_to_g() -> None:
    rows = {row: [cell for cell in GAME.board.cells if cell[0] == row] for row in "abcdefg"}
    assert [len(cells) for cells in rows.values()] == [4, 5, 6, 7, 6, 5, 4]
    assert rows["d"] == [f"d{k}" for k in range(1, 8)]
    assert len(GAME.board.cells) == 37
    assert set(GAME.board.neighbours["d4"]) == {"d3", "d5", "c3", "c4", "e3", "e4"}


def test_each_colour_has_12_bodies_12_legs_and_12_pincers() -> None:
    full = {"bodies": 12, "legs": 12, "pincers": 12}
    assert GAME.extras(GAME.initial())["supply"] == {"W": full, "B": full}


def test_the_supply_is_what_is_not_on_the_board_start_bodies_included() -> None:
    start = after(GAME.initial(), "W:d4 B:e4")
    assert supply(start, "W") == supply(start, "B") == {"bodies": 11, "legs": 12, "pincers": 12}
    grown = after(start, "white", "/d4L", "/e4P", "/d4P", "/+f4")
    assert supply(grown, "W") == {"bodies": 11, "legs": 11, "pincers": 11}
    assert supply(grown, "B") == {"bodies": 10, "legs": 12, "pincers": 11}


# Start


def test_the_first_player_puts_one_body_of_each_colour_on_any_two_cells() -> None:
    texts = legal(GAME.initial())
    cells = GAME.board.cells
    assert texts == {f"W:{one} B:{two}" for one in cells for two in cells if one != two}
    position = after(GAME.initial(), "W:a1 B:g4")
    assert GAME.pieces(position) == {"a1": "W0L0P", "g4": "B0L0P"}
    assert GAME.extras(position)["phase"] == "choose"
    assert GAME.extras(position)["colours"] is None


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("colour", ["white", "black"])
def test_the_second_player_chooses_a_colour_and_white_moves_first(first: int, colour: str) -> None:
    start = GAME.initial({"first": str(first)})
    assert GAME.to_move(start) == first
    choosing = after(start, "W:d4 B:e4")
    chooser = 3 - first
    assert GAME.to_move(choosing) == chooser
    assert legal(choosing) == {"white", "black"}
    chosen = after(choosing, colour)
    white = chooser if colour == "white" else first
    assert GAME.to_move(chosen) == white
    colours = ["B", "B"]
    colours[white - 1] = "W"
    assert GAME.extras(chosen)["colours"] == tuple(colours)
    assert GAME.extras(chosen)["phase"] == "play"
    assert GAME.pieces(chosen) == {"d4": "W0L0P", "e4": "B0L0P"}


# Move


def test_no_adaptoid_moves_while_there_are_no_legs() -> None:
    assert moves(at({"d4": "W0L0P", "e4": "B0L0P"})) == {""}
    assert moves(at({"d4": "W0L6P", "e4": "B0L0P"})) == {""}


def test_one_leg_goes_one_cell() -> None:
    near = GAME.board.neighbours["d4"]
    assert moves(at({"d4": "W1L0P", "g4": "B0L0P"})) == {"", *(f"d4-{cell}" for cell in near)}


def test_an_adaptoid_goes_at_most_as_many_cells_as_it_has_legs() -> None:
    two = moves(at({"d1": "W2L0P", "g4": "B0L0P"}))
    assert {"d1-d2", "d1-d3", "d1-b1", "d1-f1"} <= two
    assert "d1-d4" not in two
    six = moves(at({"d1": "W6L0P", "g4": "B0L0P"}))
    assert len(six) == 1 + 35
    assert "d1-d7" in six


def test_only_one_adaptoid_of_the_own_colour_moves() -> None:
    assert {move[:2] for move in moves(at({"a1": "W1L0P", "b5": "W1L0P", "g4": "B1L0P"}))} == {
        "",
        "a1",
        "b5",
    }


def test_an_own_adaptoid_blocks_and_is_no_goal() -> None:
    position = at({"a1": "W2L1P", "a2": "W0L0P", "b1": "W0L0P", "b2": "W0L0P", "g4": "B0L0P"})
    assert moves(position) == {""}


def test_an_enemy_blocks_the_way_behind_it() -> None:
    position = at({"a1": "W5L1P", "a2": "B0L0P", "b1": "B0L0P", "b2": "B0L0P"})
    assert moves(position) == {"", "a1xa2", "a1xb1", "a1xb2"}


def test_pictured_example_1_three_legs_without_pincers_may_not_end_on_an_enemy() -> None:
    pieces = {"d3": "W3L0P", "d5": "B0L0P"}
    goals = {move[3:] for move in moves(at(pieces))} - {""}
    assert "d5" not in goals
    assert {"d4", "c4", "e4", "d2", "f2", "b3"} <= goals
    with pytest.raises(IllegalMove) as caught:
        after(at(pieces), "d3xd5/d3L")
    assert caught.value.message.key == "adaptoid.no_pincer"


def test_pictured_example_2_two_legs_reach_an_enemy_but_not_round_an_occupied_cell() -> None:
    pieces = {"d4": "B2L1P", "d2": "W0L0P", "d5": "W1L0P"}
    two = moves(at(pieces, to_move=2))
    assert {"d4xd2", "d4xd5"} <= two
    assert "d4-d6" not in two
    three = moves(at({**pieces, "d4": "B3L1P"}, to_move=2))
    assert "d4-d6" in three


def test_more_pincers_stay_and_the_other_is_captured() -> None:
    position = at({"d4": "W1L2P", "d5": "B3L1P", "g4": "B0L0P"})
    done = after(position, "d4xd5/d5P")
    assert GAME.pieces(done) == {"d5": "W1L3P", "g4": "B0L0P"}
    assert GAME.score(done) == (1, 0)
    assert removed(position, "d4xd5/d5P") == ("d5",)
    assert supply(done, "B") == {"bodies": 11, "legs": 12, "pincers": 12}


def test_fewer_pincers_lose_and_are_captured_by_the_other() -> None:
    position = at({"d4": "W1L1P", "b2": "W0L0P", "d5": "B0L2P", "g4": "B0L0P"})
    done = after(position, "d4xd5/b2L")
    assert GAME.pieces(done) == {"b2": "W1L0P", "d5": "B0L2P", "g4": "B0L0P"}
    assert GAME.score(done) == (0, 1)
    assert removed(position, "d4xd5/b2L") == ("d4",)
    assert supply(done, "W") == {"bodies": 11, "legs": 11, "pincers": 12}


def test_equal_pincers_capture_both_one_for_each_player() -> None:
    position = at({"d4": "W1L1P", "b2": "W0L0P", "d5": "B0L1P", "g4": "B0L0P"})
    done = after(position, "d4xd5/b2L")
    assert GAME.pieces(done) == {"b2": "W1L0P", "g4": "B0L0P"}
    assert GAME.score(done) == (1, 1)
    assert removed(position, "d4xd5/b2L") == ("d4", "d5")


# Grow


def test_growing_is_compulsory_if_possible() -> None:
    position = at({"d4": "W1L0P", "g4": "B0L0P"})
    for text in ("/", "d4-d5/"):
        with pytest.raises(IllegalMove) as caught:
            after(position, text)
        assert caught.value.message.key == "adaptoid.must_grow"


def test_a_new_body_is_bare_and_goes_on_an_empty_cell_next_to_an_own_adaptoid() -> None:
    position = at({"d4": "W1L1P", "d5": "B1L0P", "e4": "W0L0P"})
    bodies = {growth for growth in growths(position) if growth[0] == "+"}
    assert bodies == {"+d3", "+c3", "+c4", "+e3", "+e5", "+f3", "+f4"}
    assert GAME.pieces(after(position, "/+c4"))["c4"] == "W0L0P"


def test_a_limb_goes_on_any_own_adaptoid() -> None:
    position = at({"d4": "W1L1P", "b2": "W0L0P", "g4": "B0L0P"})
    limbs = {growth for growth in growths(position) if growth[0] != "+"}
    assert limbs == {"d4L", "d4P", "b2L", "b2P"}
    assert GAME.pieces(after(position, "/d4L"))["d4"] == "W2L1P"
    assert GAME.pieces(after(position, "/d4P"))["d4"] == "W1L2P"


@pytest.mark.parametrize("code", ["W6L0P", "W0L6P", "W3L3P", "W1L5P"])
def test_six_sockets_hold_six_limbs(code: str) -> None:
    position = at({"d4": code, "g4": "B0L0P"})
    assert {growth for growth in growths(position) if growth[0] != "+"} == set()
    with pytest.raises(IllegalMove) as caught:
        after(position, "/d4L")
    assert caught.value.message.key == "adaptoid.no_socket"


@pytest.mark.parametrize(
    ("pieces", "missing", "key"),
    [
        ({"d4": "W6L0P", "e2": "W6L0P", "c3": "W0L0P"}, "c3L", "adaptoid.no_legs"),
        ({"d4": "W0L6P", "e2": "W0L6P", "c3": "W0L0P"}, "c3P", "adaptoid.no_pincers"),
        ({**dict.fromkeys(EVERYTHING, "W0L0P")}, "+c4", "adaptoid.no_bodies"),
    ],
)
def test_growing_is_limited_by_the_supply(pieces: dict[str, str], missing: str, key: str) -> None:
    position = at({**pieces, "g4": "B0L0P"})
    kinds = {"+" if growth[0] == "+" else growth[2] for growth in growths(position)}
    assert kinds == {"+", "L", "P"} - {missing[0], missing[-1]}
    with pytest.raises(IllegalMove) as caught:
        after(position, f"/{missing}")
    assert caught.value.message.key == key


def test_growing_is_judged_after_the_move_with_the_vacated_cell_and_the_moved_piece() -> None:
    position = at({"d4": "W2L0P", "d3": "W0L0P", "g4": "B0L0P"})
    found = growths(position, "d4-d6")
    assert {"+d4", "+d7", "+e6", "d6L", "d6P"} <= found
    assert not found & {"+d6", "d4L", "+d3"}
    assert GAME.pieces(after(position, "d4-d6/+d4")) == {
        "d3": "W0L0P",
        "d4": "W0L0P",
        "d6": "W2L0P",
        "g4": "B0L0P",
    }


def test_parts_returned_by_the_own_captured_piece_can_grow_at_once() -> None:
    position = at({**EVERYTHING, "f3": "W3L2P", "e2": "W3L3P", "g4": "B0L6P", "e4": "B0L4P"})
    assert supply(position, "W") == {"bodies": 0, "legs": 0, "pincers": 1}
    assert "a1L" not in growths(position)
    assert {"a1L", "a1P", "+d4"} <= growths(position, "e2xe4")


def test_a_growth_is_empty_only_when_none_is_possible() -> None:
    position = at({**EVERYTHING, "g4": "B0L0P"})
    assert supply(position, "W") == {"bodies": 0, "legs": 0, "pincers": 0}
    assert growths(position) == {""}
    assert growths(position, "e2-d3") == {""}
    assert growths(position, "f3xg4") == {""}
    done = after(position, "e2-d3/")
    assert GAME.pieces(done)["d3"] == "W3L3P"
    assert GAME.to_move(done) == 2


# Starve


def test_pictured_example_3_a_new_body_leaves_too_few_empty_cells() -> None:
    position = at({"d3": "W0L0P", "d5": "B2L2P", "d6": "W0L0P", "c5": "B0L0P"})
    done = after(position, "/+d4")
    assert GAME.pieces(done) == {"d3": "W0L0P", "d4": "W0L0P", "d6": "W0L0P", "c5": "B0L0P"}
    assert removed(position, "/+d4") == ("d5",)
    assert GAME.score(done) == (1, 0)


def test_the_edge_of_the_board_makes_a_neighbour_not_empty() -> None:
    position = at({"a1": "B3L0P", "d4": "W0L0P"})
    assert removed(position, "/d4L") == ()
    assert removed(at({"a1": "B3L1P", "d4": "W0L0P", "g4": "B0L0P"}), "/d4L") == ("a1",)


def test_all_are_judged_on_the_same_position_then_removed_together() -> None:
    # Without the other each of the two would have just enough empty cells.
    position = at({"a1": "B3L0P", "a2": "B4L0P", "d4": "W0L0P", "g4": "B0L0P"})
    assert removed(position, "/d4L") == ("a1", "a2")
    assert GAME.score(after(position, "/d4L")) == (2, 0)


def test_an_adaptoid_that_was_set_free_by_the_move_does_not_starve() -> None:
    position = at({"a1": "B3L0P", "a2": "W2L0P", "g4": "B0L0P"})
    assert removed(position, "/a2L") == ("a1",)
    assert removed(position, "a2-a4/a4L") == ()


def test_fights_and_starving_of_one_turn_count_together() -> None:
    position = at({"a1": "B3L0P", "d5": "B0L0P", "d4": "W1L1P", "a2": "W0L0P", "g4": "B0L0P"})
    assert removed(position, "d4xd5/d5L") == ("a1", "d5")
    assert GAME.score(after(position, "d4xd5/d5L")) == (2, 0)


# End


def test_five_captured_win_by_the_move_alone() -> None:
    position = at({"d4": "W1L1P", "d5": "B0L0P", "g4": "B0L0P"}, score=[4, 0])
    assert growths(position, "d4xd5") == {""}
    done = after(position, "d4xd5/")
    assert ending(done) == (1, "five captured")
    assert GAME.to_move(done) is None
    assert GAME.extras(done)["phase"] == "play"
    assert GAME.score(done) == (5, 0)
    assert legal(done) == set()
    assert not GAME.legal_moves(done)


def test_nothing_starves_after_a_move_that_ends_the_game() -> None:
    position = at(
        {"d4": "W1L1P", "d5": "B0L0P", "a1": "B3L0P", "a2": "W0L0P", "g4": "B0L0P"}, score=[4, 0]
    )
    assert removed(position, "d4xd5/") == ("d5",)
    assert "a1" in GAME.pieces(after(position, "d4xd5/"))


def test_a_growth_after_a_move_that_ends_the_game_is_refused() -> None:
    position = at({"d4": "W1L1P", "d5": "B0L0P", "g4": "B0L0P"}, score=[4, 0])
    with pytest.raises(IllegalMove) as caught:
        after(position, "d4xd5/d5L")
    assert caught.value.message.key == "adaptoid.ended"


def test_five_captured_win_by_starving_and_the_score_is_not_capped() -> None:
    position = at({"a1": "B3L0P", "a2": "B4L0P", "d4": "W0L0P", "g4": "B0L0P"}, score=[4, 0])
    done = after(position, "/d4L")
    assert ending(done) == (1, "five captured")
    assert GAME.score(done) == (6, 0)


def test_an_opponent_with_no_adaptoid_left_after_a_fight_loses() -> None:
    done = after(at({"d4": "W1L1P", "d5": "B0L0P"}), "d4xd5/")
    assert ending(done) == (1, "no adaptoid left")
    assert GAME.pieces(done) == {"d5": "W1L1P"}


def test_the_reason_is_five_captured_also_when_both_hold() -> None:
    position = at({"d4": "W1L1P", "d5": "B0L0P"}, score=[4, 0])
    assert ending(after(position, "d4xd5/")) == (1, "five captured")


def test_the_mover_wins_if_both_reach_five_in_the_same_step() -> None:
    pieces = {"d4": "W1L1P", "d5": "B1L1P", "a1": "W0L0P", "g4": "B0L0P"}
    white = after(at(pieces, score=[4, 4]), "d4xd5/")
    assert (ending(white), GAME.score(white)) == ((1, "five captured"), (5, 5))
    black = after(at(pieces, to_move=2, score=[4, 4]), "d5xd4/")
    assert (ending(black), GAME.score(black)) == ((2, "five captured"), (5, 5))


def test_the_mover_wins_if_the_last_of_both_are_captured() -> None:
    done = after(at({"d4": "W1L1P", "d5": "B1L1P"}), "d4xd5/")
    assert ending(done) == (1, "no adaptoid left")
    assert GAME.pieces(done) == {}
    assert GAME.extras(done)["phase"] == "play"


def test_the_mover_wins_if_each_meets_another_condition_in_the_same_step() -> None:
    pieces = {"d4": "W1L1P", "d5": "B1L1P", "a1": "W0L0P"}
    assert ending(after(at(pieces, score=[0, 4]), "d4xd5/")) == (1, "no adaptoid left")


def test_the_opponent_wins_by_the_fifth_capture_in_a_fight_that_the_mover_lost() -> None:
    pieces = {"d4": "W1L1P", "d5": "B0L2P", "a1": "W0L0P"}
    position = at(pieces, score=[0, 4])
    assert growths(position, "d4xd5") == {""}
    done = after(position, "d4xd5/")
    assert ending(done) == (2, "five captured")
    assert GAME.score(done) == (0, 5)


# Record


def test_a_new_body_may_stand_where_another_was_captured_in_the_same_turn() -> None:
    position = at({"d4": "W1L1P", "c4": "W0L0P", "d5": "B0L1P", "g4": "B0L0P"})
    done = after(position, "d4xd5/+d5")
    assert GAME.pieces(done) == {"c4": "W0L0P", "d5": "W0L0P", "g4": "B0L0P"}
    assert removed(position, "d4xd5/+d5") == ("d4", "d5")


def test_a_move_is_one_text_whatever_the_path() -> None:
    position = at({"d4": "W3L0P", "g4": "B0L0P"})
    texts = [GAME.move_text(position, move) for move in GAME.legal_moves(position)]
    assert len(texts) == len(set(texts)) == len(GAME.legal_moves(position))
    assert sum(text.startswith("d4-d5/") for text in texts) == len(growths(position, "d4-d5"))
