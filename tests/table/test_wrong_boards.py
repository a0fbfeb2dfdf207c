"""Boards as people leave them: the cue of each cell, the words, and how play goes on by itself."""

from itertools import permutations
from random import Random

import pytest

from game.rules.circle_of_life import GAME
from game.table.entries import Kind
from game.table.inputs import Command, Masked, Stood, Touched
from game.table.state import Phase
from game.table.table import DRAW_S, Table
from tests.helpers.games.toy_game import Toy
from tests.table.sitting import TWO_MEALS

EIGHT = ("e1", "a1", "e2", "a3", "e3", "a5", "e4", "i1")


@pytest.fixture
def play(sit):
    """Play some moves where stones are felt, and let the words of the last one fade."""

    def _play(*cells, **options):
        sitting = sit(presence=True, **options)
        sitting.set_in_turn(*cells)
        sitting.wait(10.0)
        return sitting

    return _play


def moves(sitting):
    return [each.text for each in sitting.table.state.history]


def told(sitting):
    """Give the words of the standing message with the cells and pieces they name."""
    said = {}
    for message in sitting.table.scene().prompt:
        cells = message.args.get("cells") or message.args.get("pieces") or ()
        said[message.key] = [str(each) for each in cells]
    return said


def piece_at(colour, cell):
    return f"table.piece_at(piece=piece.{colour}, cell={cell})"


def test_a_missing_stone_is_shown_in_its_colour_and_named(play):
    sitting = play(*EIGHT)
    sitting.take("e2", "a3")
    cells = sitting.table.scene().cells
    assert (cells["e2"].cue.value, cells["e2"].side) == ("put", 1)
    assert (cells["a3"].cue.value, cells["a3"].side) == ("put", 2)
    assert told(sitting) == {"table.lay": [piece_at("blue", "a3"), piece_at("orange", "e2")]}
    sitting.put("a3")
    assert told(sitting) == {"table.lay": [piece_at("orange", "e2")]}
    sitting.put("e2")
    assert sitting.table.state.phase is Phase.TAP


def test_stones_missing_and_too_many_are_told_together(play):
    sitting = play(*EIGHT)
    sitting.take("e2")
    sitting.put("g3")
    sitting.wait(10.0)
    assert (sitting.cues("put"), sitting.cues("remove")) == (["e2"], ["g3"])
    assert told(sitting) == {"table.lift": ["g3"], "table.lay": [piece_at("orange", "e2")]}


@pytest.mark.parametrize("order", [*permutations(("e2", "g3", "a3"))], ids=" ".join)
def test_a_wrong_board_is_put_right_in_any_order_of_hands(play, order):
    sitting = play(*EIGHT)
    kept = list(sitting.kept)
    sitting.take("e2", "a3")
    sitting.put("g3")
    for cell in order:
        assert sitting.table.state.phase is Phase.EDIT
        sitting.take(cell) if cell in sitting.stones else sitting.put(cell)
    assert sitting.table.state.phase is Phase.TAP
    assert (sitting.kept, sitting.notice) == (kept, "")
    sitting.put("i5")
    assert moves(sitting)[-1] == "i5"


@pytest.mark.parametrize("seed", range(2))
def test_a_knocked_over_board_is_laid_out_again_in_any_order(play, seed):
    sitting, rng = play(*EIGHT), Random(seed)
    kept = list(sitting.kept)
    fallen = rng.sample(EIGHT, 7)
    sitting.take(*fallen)
    strewn = rng.sample(sorted(set(GAME.board.cells) - set(EIGHT)), 6)
    sitting.put(*strewn)
    assert sitting.notice == "table.hand_rests"
    sitting.wait(10.0)
    assert set(sitting.cues("put")) == set(fallen)
    assert set(sitting.cues("remove")) == set(strewn)
    tidying = [*fallen, *strewn]
    rng.shuffle(tidying)
    for cell in tidying:
        assert sitting.table.state.phase is Phase.EDIT
        sitting.take(cell) if cell in sitting.stones else sitting.put(cell)
    assert (sitting.table.state.phase, sitting.kept) == (Phase.TAP, kept)


def test_of_many_stones_the_words_give_the_number_and_the_lights_the_cells(play):
    sitting = play(*EIGHT)
    sitting.take(*EIGHT[:7])
    (message,) = sitting.table.scene().prompt
    assert (message.key, message.args) == ("table.lay_many", {"count": 7})
    assert set(sitting.cues("put")) == set(EIGHT[:7])


def test_a_slid_stone_is_to_be_lifted_and_put_back(play):
    sitting = play(*EIGHT)
    sitting.stones.remove("e2")
    sitting.put("g3")
    assert (sitting.cues("put"), sitting.cues("wrong")) == (["e2"], ["g3"])
    assert sitting.notice == "table.first_put"
    sitting.wait(10.0)
    assert sitting.cues("remove") == ["g3"]
    sitting.stones.remove("g3")
    sitting.put("e2")
    assert (sitting.table.state.phase, moves(sitting)) == (Phase.TAP, list(EIGHT))


def test_a_resting_hand_is_asked_to_lift_and_leaves_all_as_it_was(play):
    sitting = play(*EIGHT)
    before = sitting.table.state
    hand = ("f4", "f5", "g3", "g4", "h2")
    sitting.put(*hand)
    assert sitting.notice == "table.hand_rests"
    assert not sitting.table.state.notice.good
    sitting.take(*hand)
    assert sitting.notice == ""
    assert sitting.table.state == before


def test_a_resting_hand_that_leaves_finger_by_finger_makes_no_move(play):
    sitting = play(*EIGHT)
    hand = ["f4", "f5", "g3", "g4", "h2"]
    sitting.put(*hand)
    for cell in hand:
        sitting.take(cell)
    assert (moves(sitting), sitting.table.state.phase) == (list(EIGHT), Phase.TAP)


def test_a_hand_whose_first_finger_was_taken_for_a_stone_takes_its_move_away_again(play):
    sitting = play(*EIGHT)
    sitting.put("g3")
    assert moves(sitting)[-1] == "g3"
    sitting.put("f4", "f5", "g4", "h2")
    sitting.take("f4", "f5", "g3", "g4", "h2")
    assert (moves(sitting), sitting.table.state.phase) == (list(EIGHT), Phase.TAP)
    assert sitting.notice == "table.restored"


@pytest.mark.parametrize("order", [*permutations(("d4", "f5", "g4"))], ids=" ".join)
def test_a_hurried_players_stone_and_the_eaten_ones_go_in_any_order(play, order):
    sitting = play(*TWO_MEALS)
    sitting.put("g4")
    for cell in order:
        assert moves(sitting)[-1] == "e6x"
        sitting.take(cell)
    assert sitting.table.state.phase is Phase.TAP
    sitting.put("g4")
    assert moves(sitting)[-1] == "g4"


def test_the_last_eaten_stone_taken_while_the_next_is_set_makes_no_move(play):
    sitting = play(*TWO_MEALS)
    sitting.take("d4")
    sitting.stones.remove("f5")
    sitting.put("g4")
    assert (sitting.cue("g4"), sitting.notice) == ("wrong", "table.set_again")
    sitting.take("g4")
    sitting.put("g4")
    assert moves(sitting)[-1] == "g4"


def test_a_wrong_stone_taken_for_an_eaten_one_is_asked_back(play):
    sitting = play(*TWO_MEALS)
    sitting.take("i5")
    assert (sitting.cues("put"), sitting.cues("remove")) == (["i5"], ["d4", "f5"])
    assert told(sitting) == {
        "circle_of_life.ate": [],
        "table.lift": ["d4", "f5"],
        "table.lay": [piece_at("blue", "i5")],
    }
    sitting.take("f5")
    sitting.put("i5")
    sitting.take("d4")
    assert sitting.table.state.phase is Phase.TAP


def test_people_may_take_back_or_resign_while_the_board_is_wrong(play):
    sitting = play(*EIGHT)
    sitting.take("e2")
    sitting.ask(Command.TAKE_BACK)
    assert (sitting.cues("put"), sitting.cues("remove")) == (["e2"], ["i1"])
    sitting.ask(Command.RESIGN, Command.RESIGN)
    assert sitting.kept[-1].kind is Kind.RESIGN
    assert sitting.cues("put") == []


def test_a_wrong_board_of_a_game_that_moves_pieces_goes_on_by_itself(sit):
    sitting = sit(Toy(), presence=True)
    sitting.take("a", "e")
    sitting.put("c")
    assert (sitting.cues("put"), sitting.table.state.taps) == (["a", "e"], ())
    sitting.take("c")
    sitting.put("e")
    sitting.put("a")
    assert sitting.table.state.phase is Phase.TAP
    sitting.take("a")
    sitting.put("b")
    assert moves(sitting) == ["a-b"]


def test_what_a_key_has_begun_before_the_board_first_tells_ends_with_that():
    table = Table(Toy(), {"first": "1"}, Random(0), presence=True)
    table.start(0.0)
    table.handle(Masked(frozenset({"a"})), DRAW_S)
    table.handle(Touched("a"), DRAW_S)
    assert table.state.taps == ("a",)
    table.handle(Stood(frozenset({"b", "e"})), DRAW_S + 0.3)
    assert (table.state.phase, table.state.taps) == (Phase.EDIT, ())
