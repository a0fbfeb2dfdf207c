"""Where stones are felt, moves are taken back by restoring the board of an earlier position."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.table.entries import EntryKind
from game.table.inputs import Command
from game.table.records import Phase
from game.table.restoring import HANDFUL, SECOND_THOUGHT_S, UNDO_S
from tests.helpers.effort import examples
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import TWO_MEALS, Sitting

EIGHT = ("e1", "a1", "e2", "a3", "e3", "a5", "e4", "i1")
BACK, RESIGN, NEW = Command.TAKE_BACK, Command.RESIGN, Command.NEW_GAME


def kinds(sitting, since=0):
    return [entry.kind for entry in sitting.kept[since:]]


def turn_over(sitting, *cells):
    """Take each stone, or set one where there is none."""
    for cell in cells:
        sitting.take(cell) if cell in sitting.stones else sitting.put(cell)


def after(*cells):
    position = GAME.initial({"first": "1"})
    for cell in cells:
        position = GAME.play(position, cell)
    return position


def test_a_stone_put_and_taken_back_within_a_second_was_no_move(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1")
    before = sitting.table.state
    sitting.put("i5")
    sitting.take("i5")
    state = sitting.table.state
    assert state.position == before.position
    assert (state.phase, state.standing) == (Phase.TAP, before.standing)
    assert kinds(sitting)[-3:] == [EntryKind.MOVE, EntryKind.EDIT, EntryKind.TAKE_BACK]
    assert (sitting.notice, state.notices.current.good) == ("table.restored", True)
    assert sitting.table.scene().turn == 1


@pytest.mark.parametrize("order", [*permutations(("d4", "f5", "e6"))], ids=" ".join)
def test_a_meal_is_taken_back_in_any_order_of_lifting_and_putting(sit, order):
    # An eaten stone that comes back first is for a moment the next player's move.
    sitting = sit(presence=True)
    sitting.set_in_turn(*TWO_MEALS)
    sitting.take("d4", "f5")
    turn_over(sitting, *order)
    assert sitting.table.state.position == after(*TWO_MEALS[:-1])
    assert sitting.table.state.history[-1].text == "i5"
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.table.scene().score == (0, 0)
    assert sitting.notice == "table.restored"
    assert sitting.restarted().state.position == sitting.table.state.position


@pytest.mark.parametrize("removed", [(), ("d4",), ("f5",)])
def test_a_meal_whose_stones_are_still_there_is_taken_back_by_lifting_the_eater(sit, removed):
    sitting = sit(presence=True)
    sitting.set_in_turn(*TWO_MEALS)
    if removed:
        sitting.take(*removed)
    sitting.take("e6")
    for cell in removed:
        sitting.put(cell)
    assert sitting.table.state.position == after(*TWO_MEALS[:-1])
    assert sitting.table.state.phase is Phase.TAP


@pytest.mark.parametrize("count", [1, 2, 3, 5])
@examples(5, 20)
@given(seed=st.integers(0, 10_000))
def test_moves_are_taken_back_in_any_order_of_hands(count, seed):
    sitting, rng = Sitting(GAME, {"first": "1"}, presence=True), Random(seed)
    sitting.set_in_turn(*TWO_MEALS)
    sitting.take("d4", "f5")
    goal = after(*TWO_MEALS[: len(TWO_MEALS) - count])
    changes = sorted(sitting.stones ^ set(GAME.pieces(goal)))
    rng.shuffle(changes)
    turn_over(sitting, *changes)
    assert sitting.table.state.position == goal
    assert sitting.table.state.phase is Phase.TAP
    assert len(sitting.table.state.history) == len(TWO_MEALS) - count


def test_moves_taken_back_all_at_once_are_counted_in_the_words(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn(*EIGHT)
    sitting.take("i1", "e4", "a5")
    notice = sitting.table.scene().notice
    assert (notice.key, notice.args) == ("table.restored", {"count": 3})
    assert sitting.table.state.position == after(*EIGHT[:5])


def test_the_last_stone_that_is_lifted_for_a_moment_is_played_again(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1", "i5")
    position = sitting.table.state.position
    sitting.take("i5")
    sitting.put("i5")
    assert sitting.table.state.position == position
    assert [each.text for each in sitting.table.state.history] == ["e5", "a1", "i5"]


def test_the_last_stone_slid_to_another_cell_is_to_go_back(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1", "i5")
    sitting.stones.remove("i5")
    sitting.put("i4")
    assert sitting.table.state.position == after("e5", "a1", "i5")
    assert (sitting.cues("put"), sitting.cues("wrong")) == (["i5"], ["i4"])
    assert sitting.notice == "table.first_put"


def test_the_last_stone_lifted_and_set_elsewhere_is_another_move_instead(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1", "i5")
    sitting.take("i5")
    sitting.put("i4")
    assert [each.text for each in sitting.table.state.history] == ["e5", "a1", "i4"]


def test_a_slid_last_stone_that_is_taken_off_takes_the_move_back(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1", "i5")
    sitting.stones.remove("i5")
    sitting.put("i4")
    sitting.take("i4")
    assert sitting.table.state.phase is Phase.EDIT, "that stone had to go anyhow"
    assert sitting.cues("put") == ["i5"]
    sitting.put("i5")
    assert sitting.table.state.phase is Phase.TAP


def test_hands_on_their_way_to_the_present_position_take_nothing_back(sit):
    # Taken back by key, the board stands as after e5 a1 i5; a stone falls and is put back again.
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1", "i5")
    sitting.ask(BACK, BACK)
    sitting.take("e5")
    sitting.take("a1", "i5")
    assert sitting.table.state.position == after("e5")
    assert sitting.cues("put") == ["e5"]
    sitting.put("e5")
    assert sitting.table.state.phase is Phase.TAP
    assert kinds(sitting).count(EntryKind.TAKE_BACK) == 2


@pytest.mark.parametrize("over", ["resigned", "won"])
def test_after_the_end_nothing_is_taken_back_by_hands(sit, over):
    sitting = sit(presence=True, target="2" if over == "won" else "20")
    sitting.set_in_turn(*TWO_MEALS)
    if over == "resigned":
        sitting.ask(RESIGN, RESIGN)
    sitting.take("e6")
    assert sitting.table.state.phase is Phase.OVER
    assert EntryKind.TAKE_BACK not in kinds(sitting)


def test_while_the_board_is_disturbed_nothing_is_taken_back_nor_afterwards(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1")
    sitting.disturb("h1")
    sitting.take("a1")
    sitting.mend()
    assert sitting.table.state.position == after("e5", "a1")
    assert sitting.cues("put") == ["a1"]


def test_hands_take_back_no_move_on_a_masked_cell(sit):
    # Lifting its stone is not sensed; the stone before it may only have been adjusted.
    sitting = sit(presence=True)
    sitting.mask("i5")
    sitting.set_in_turn("e5", "a1")
    sitting.tap("i5")
    sitting.put("c1")
    sitting.take("c1")
    assert sitting.table.state.position == after("e5", "a1", "i5")
    sitting.take("a1")
    assert sitting.table.state.position == after("e5", "a1", "i5")
    assert sitting.cues("put") == ["a1"]
    sitting.put("a1")
    assert sitting.table.state.phase is Phase.TAP


def test_a_cell_that_is_only_felt_again_takes_nothing_back(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1")
    sitting.mask("a1")
    sitting.stones.remove("a1")
    sitting.mask()
    sitting.put()
    assert sitting.table.state.position == after("e5", "a1")
    assert sitting.cues("put") == ["a1"]


@pytest.mark.parametrize("one_by_one", [False, True], ids=["knocked over", "put away"])
def test_a_cleared_board_is_no_earlier_position(sit, one_by_one):
    sitting = sit(presence=True)
    sitting.set_in_turn(*EIGHT)
    if one_by_one:
        for cell in EIGHT:
            sitting.take(cell)
    else:
        sitting.take(*EIGHT)
    assert sitting.table.state.position == after(*EIGHT)
    assert set(sitting.cues("put")) == set(EIGHT)
    for cell in sorted(EIGHT):
        sitting.put(cell)
    assert sitting.table.state.phase is Phase.TAP


@pytest.mark.parametrize("moves", [HANDFUL, HANDFUL + 1])
def test_of_the_first_few_moves_all_may_be_taken_back_to_the_empty_board(sit, moves):
    sitting = sit(presence=True)
    sitting.set_in_turn(*EIGHT[:moves])
    sitting.take(*EIGHT[:moves])
    restored = moves <= HANDFUL
    assert (sitting.table.state.position == after()) is restored


@pytest.mark.parametrize("fallen", [HANDFUL, HANDFUL + 1])
def test_more_stones_than_a_handful_that_are_gone_at_once_have_fallen(sit, fallen):
    sitting = sit(presence=True)
    sitting.set_in_turn(*EIGHT)
    sitting.take(*EIGHT[-fallen:])
    restored = fallen <= HANDFUL
    assert (sitting.table.state.position == after(*EIGHT[:-fallen])) is restored
    assert len(sitting.cues("put")) == (0 if restored else fallen)


def test_a_piece_that_moved_is_moved_back(sit):
    sitting = sit(Toy(), presence=True)
    sitting.take("a")
    sitting.put("b")
    sitting.take("b")
    sitting.put("a")
    assert sitting.table.state.history == ()
    assert sitting.table.state.standing == {"a": "1", "e": "2"}
    assert sitting.table.state.phase is Phase.TAP


def test_a_cell_whose_stone_changed_colour_asks_for_the_right_one(sit):
    # Blue's e4 was eaten, and orange has set a stone there since.
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "e4", "e6")
    sitting.take("e4")
    sitting.set_in_turn("a1", "e4")
    sitting.ask(*[Command.TAKE_BACK] * 3)
    assert sitting.pieces == {"e4": "2", "e5": "1"}
    assert sitting.cues("remove") == ["a1", "e6"]
    assert sitting.cues("swap") == ["e4"]
    assert sitting.prompts == ["table.lift", "table.exchange_felt"]
    sitting.take("a1", "e6")
    assert sitting.cues("swap") == ["e4"], "an orange stone is not a blue one"
    sitting.take("e4")
    sitting.put("e4")
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.table.state.standing == sitting.pieces


def test_prey_may_be_lifted_before_the_stone_is_set_that_eats_it(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "e4")
    sitting.wait(SECOND_THOUGHT_S)
    sitting.take("e4")
    assert sitting.notice == "table.restored", "for now it looks as if blue had changed its mind"
    sitting.put("e6")
    assert [played.text for played in sitting.table.state.history] == ["e5", "e4", "e6x"]
    assert sitting.pieces == {"e5": "1", "e6": "1"}
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.table.scene().turn == 2
    assert sitting.notice == "table.counts_as_eaten"
    assert sitting.restarted().state.position == sitting.table.state.position


def test_a_move_that_eats_nothing_of_what_was_lifted_is_the_other_players(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "e4")
    sitting.take("e4")
    sitting.put("a1")
    assert sitting.pieces == {"e5": "1", "a1": "2"}


@pytest.mark.parametrize("hands", list(permutations(["e6", "d4", "f5"])))
def test_a_meal_is_cleared_in_any_order_of_hands(sit, hands):
    sitting = sit(presence=True)
    before = TWO_MEALS[:-1]
    sitting.set_in_turn(*before)
    moves = len(sitting.table.state.history)
    for cell in hands:
        sitting.put(cell) if cell == "e6" else sitting.take(cell)
    state = sitting.table.state
    assert [played.text for played in state.history[moves:]] == ["e6x"]
    assert (state.phase, sitting.table.scene().score) == (Phase.TAP, (2, 0))


@examples(10, 60)
@given(st.integers(0, 2**32))
def test_ordinary_games_are_the_same_in_any_order_of_hands(seed):
    rng = Random(seed)
    sitting = Sitting(GAME, {"first": "1", "target": "8"}, presence=True)
    position = sitting.table.state.position
    while GAME.outcome(position) is None:
        moves = list(GAME.legal_moves(position))
        meals = [move for move in moves if GAME.removed(position, move)]
        move = rng.choice(meals or moves)
        hands = [move, *GAME.removed(position, move)]
        rng.shuffle(hands)
        position = GAME.play(position, move)
        sitting.wait(SECOND_THOUGHT_S)
        for cell in hands:
            sitting.put(cell) if cell == move else sitting.take(cell)
        assert sitting.table.state.position == position
        assert sitting.table.state.pending(GAME) == ()


def test_a_stone_that_ate_the_last_one_may_be_adjusted(sit):
    # Lifted, it leaves the board of two moves ago.
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "e4", "e6")
    sitting.take("e4")
    sitting.wait(5.0)
    before = sitting.table.state.position
    sitting.take("e6")
    sitting.put("e6")
    assert sitting.table.state.position == before
    assert [played.text for played in sitting.table.state.history] == ["e5", "e4", "e6x"]
    assert sitting.table.state.phase is Phase.TAP


def test_stones_of_several_moves_that_are_back_in_any_order_are_those_moves(sit):
    for order in permutations(["a1", "c1", "i5"]):
        sitting = sit(presence=True)
        sitting.set_in_turn("e5", "a1", "i5", "c1")
        sitting.take("a1", "c1", "i5")
        assert len(sitting.table.state.history) == 1
        for cell in order:
            sitting.put(cell)
        texts = [played.text for played in sitting.table.state.history]
        assert (texts, sitting.table.state.phase) == (["e5", "a1", "i5", "c1"], Phase.TAP)


def test_after_a_while_moves_that_were_taken_back_are_forgotten(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "a1", "i5", "c1")
    sitting.take("a1", "c1", "i5")
    sitting.wait(UNDO_S)
    sitting.put("c1")
    assert [played.text for played in sitting.table.state.history] == ["e5", "c1"]


def test_a_stone_lifted_at_once_and_set_elsewhere_is_its_owners_second_thought(sit):
    sitting = sit(presence=True)
    sitting.set_in_turn("e5", "e4")
    sitting.wait(SECOND_THOUGHT_S / 2)
    sitting.take("e4")
    sitting.put("e6")
    assert sitting.pieces == {"e5": "1", "e6": "2"}


@pytest.mark.parametrize("laid", [1, 5])
def test_laying_out_a_knocked_over_board_takes_nothing_back(sit, laid):
    # The first cells that are laid wrongly are those of the game's first moves.
    sitting = sit(presence=True)
    cells = ("e5", "a1", "i5", "c1", "a5", "e9", "i1", "g7", "c7", "e1")
    sitting.set_in_turn(*cells)
    sitting.wait(5.0)
    moves = len(sitting.table.state.history)
    sitting.take(*sitting.stones)
    sitting.put(*cells[:laid])
    assert len(sitting.table.state.history) == moves
    # Few are missing now; lifting one more leaves an earlier position, and takes none back.
    sitting.put(*cells[laid:-1])
    sitting.take(cells[-2])
    assert len(sitting.table.state.history) == moves
    sitting.put(*cells[-2:])
    assert sitting.table.state.phase is Phase.TAP
    sitting.take(cells[-1])
    assert len(sitting.table.state.history) == moves - 1
