"""Where stones are sensed, restoring the board of an earlier position takes moves back."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.table.inputs import Command
from game.table.phases import Phase
from game.table.stones import HANDFUL, SECOND_THOUGHT_S, UNDO_S
from game.table.words import spoken_news
from tests.helpers.effort import examples
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import TWO_MEALS, TableSession

EIGHT = ("e1", "a1", "e2", "a3", "e3", "a5", "e4", "i1")
BACK, RESIGN, NEW = Command.TAKE_BACK, Command.RESIGN, Command.NEW_GAME


def after(*cells):
    position = GAME.initial({"first": "1"})
    for cell in cells:
        position = GAME.play(position, cell)
    return position


def test_a_stone_put_and_taken_back_within_a_second_was_no_move(sit):
    session = sit(presence=True).do("e5", "a1")
    before = session.state
    session.do("i5", "i5")
    state = session.state
    assert state.position == before.position
    assert (state.phase, state.standing) == (Phase.TAP, before.standing)
    assert session.kinds()[-3:] == ["MOVE", "EDIT", "TAKE_BACK"]
    assert (session.notice, state.notices.current.good) == ("table.restored", True)
    assert session.table.scene().turn == 1


@pytest.mark.parametrize("removed", [(), ("d4",), ("f5",)])
def test_a_meal_whose_stones_are_still_there_is_taken_back_by_lifting_the_eater(sit, removed):
    session = sit(presence=True).do(*TWO_MEALS)
    if removed:
        session.take(*removed)
    session.take("e6")
    for cell in removed:
        session.put(cell)
    assert session.state.position == after(*TWO_MEALS[:-1])
    assert session.phase is Phase.TAP


@pytest.mark.parametrize("count", [1, 2, 3, 5])
@examples(5, 20)
@given(seed=st.integers(0, 10_000))
def test_moves_are_taken_back_in_any_order_of_hands(count, seed):
    session, rng = TableSession(GAME, {"first": "1"}, presence=True), Random(seed)
    session.do(*TWO_MEALS, {"d4", "f5"})
    goal = after(*TWO_MEALS[: len(TWO_MEALS) - count])
    changes = sorted(session.stones ^ set(GAME.pieces(goal)))
    rng.shuffle(changes)
    session.do(*changes)
    assert session.state.position == goal
    assert session.phase is Phase.TAP
    assert len(session.moves) == len(TWO_MEALS) - count


def test_moves_taken_back_all_at_once_are_counted_in_the_words(sit):
    session = sit(presence=True).do(*EIGHT)
    before = session.state
    session.take("i1", "e4", "a5")
    notice = session.table.scene().notice
    assert (notice.key, notice.args) == ("table.restored", {"count": 3})
    # A voice says the number too, and not each move: of a dozen it would leave some out.
    assert spoken_news(GAME, before, session.state) == (notice,)
    assert session.state.position == after(*EIGHT[:5])


def test_the_last_stone_slid_to_another_cell_is_to_go_back(sit):
    session = sit(presence=True).do("e5", "a1", "i5")
    session.stones.remove("i5")
    session.put("i4")
    assert session.state.position == after("e5", "a1", "i5")
    assert (session.cues("put"), session.cues("wrong")) == (["i5"], ["i4"])
    assert session.notice == "table.first_put"


def test_the_last_stone_lifted_and_set_elsewhere_is_another_move_instead(sit):
    session = sit(presence=True).do("e5", "a1", "i5", "i5", "i4")
    assert session.moves == ["e5", "a1", "i4"]


def test_a_slid_last_stone_that_is_taken_off_takes_the_move_back(sit):
    session = sit(presence=True).do("e5", "a1", "i5")
    session.stones.remove("i5")
    session.do("i4", "i4")
    assert session.phase is Phase.EDIT, "that stone had to go anyhow"
    assert session.cues("put") == ["i5"]
    session.put("i5")
    assert session.phase is Phase.TAP


def test_hands_on_their_way_to_the_present_position_take_nothing_back(sit):
    # Taken back by key, the board stands as after e5 a1 i5; a stone falls and is put back again.
    session = sit(presence=True).do("e5", "a1", "i5", BACK, BACK, "e5", {"a1", "i5"})
    assert session.state.position == after("e5")
    assert session.cues("put") == ["e5"]
    session.put("e5")
    assert session.phase is Phase.TAP
    assert session.kinds().count("TAKE_BACK") == 2


@pytest.mark.parametrize("over", ["resigned", "won"])
def test_after_the_end_nothing_is_taken_back_by_hands(sit, over):
    session = sit(presence=True, target="2" if over == "won" else "20").do(*TWO_MEALS)
    if over == "resigned":
        session.ask(RESIGN, RESIGN)
    session.take("e6")
    assert session.phase is Phase.OVER
    assert "TAKE_BACK" not in session.kinds()


def test_while_the_board_is_disturbed_nothing_is_taken_back_nor_afterwards(sit):
    session = sit(presence=True).do("e5", "a1")
    session.disturb("h1")
    session.take("a1")
    session.mend()
    assert session.state.position == after("e5", "a1")
    assert session.cues("put") == ["a1"]


def test_hands_take_back_no_move_on_a_masked_cell(sit):
    # Lifting the last stone is not sensed; lifting the one before may be an adjustment.
    session = sit(presence=True)
    session.mask("i5")
    session.do("e5", "a1", "i5", "c1", "c1")
    assert session.state.position == after("e5", "a1", "i5")
    session.take("a1")
    assert session.state.position == after("e5", "a1", "i5")
    assert session.cues("put") == ["a1"]
    session.put("a1")
    assert session.phase is Phase.TAP


def test_a_cell_that_is_only_felt_again_takes_nothing_back(sit):
    session = sit(presence=True).do("e5", "a1")
    session.mask("a1")
    session.stones.remove("a1")
    session.mask()
    session.put()
    assert session.state.position == after("e5", "a1")
    assert session.cues("put") == ["a1"]


@pytest.mark.parametrize("one_by_one", [False, True], ids=["knocked over", "put away"])
def test_a_cleared_board_is_no_earlier_position(sit, one_by_one):
    session = sit(presence=True).do(*EIGHT)
    if one_by_one:
        for cell in EIGHT:
            session.take(cell)
    else:
        session.take(*EIGHT)
    assert session.state.position == after(*EIGHT)
    assert set(session.cues("put")) == set(EIGHT)
    for cell in sorted(EIGHT):
        session.put(cell)
    assert session.phase is Phase.TAP


@pytest.mark.parametrize("moves", [HANDFUL, HANDFUL + 1])
def test_of_the_first_few_moves_all_may_be_taken_back_to_the_empty_board(sit, moves):
    session = sit(presence=True).do(*EIGHT[:moves])
    session.take(*EIGHT[:moves])
    restored = moves <= HANDFUL
    assert (session.state.position == after()) is restored


@pytest.mark.parametrize("fallen", [HANDFUL, HANDFUL + 1])
def test_more_stones_than_a_handful_that_are_gone_at_once_have_fallen(sit, fallen):
    session = sit(presence=True).do(*EIGHT)
    session.take(*EIGHT[-fallen:])
    restored = fallen <= HANDFUL
    assert (session.state.position == after(*EIGHT[:-fallen])) is restored
    assert len(session.cues("put")) == (0 if restored else fallen)


def test_a_piece_that_moved_is_moved_back(sit):
    session = sit(Toy(), presence=True).do("a", "b", "b", "a")
    assert session.state.history == ()
    assert session.state.standing == {"a": "1", "e": "2"}
    assert session.phase is Phase.TAP


def test_a_cell_whose_stone_changed_colour_asks_for_the_right_one(sit):
    # Blue's e4 was eaten, and orange has set a stone there since.
    session = sit(presence=True).do("e5", "e4", "e6", "e4", "a1", "e4", *[Command.TAKE_BACK] * 3)
    assert session.pieces == {"e4": "2", "e5": "1"}
    assert session.cues("remove") == ["a1", "e6"]
    assert session.cues("swap") == ["e4"]
    assert session.prompts == ["table.lift", "table.exchange_felt"]
    session.take("a1", "e6")
    assert session.cues("swap") == ["e4"], "an orange stone is not a blue one"
    session.do("e4", "e4")
    assert session.phase is Phase.TAP
    assert session.state.standing == session.pieces


def test_prey_may_be_lifted_before_the_stone_is_set_that_eats_it(sit):
    session = sit(presence=True).do("e5", "e4", SECOND_THOUGHT_S, "e4")
    assert session.notice == "table.restored", "for now it looks as if blue had changed its mind"
    session.put("e6")
    assert session.moves == ["e5", "e4", "e6x"]
    assert session.pieces == {"e5": "1", "e6": "1"}
    assert session.phase is Phase.TAP
    assert session.table.scene().turn == 2
    assert session.notice == "table.counts_as_eaten"
    assert session.restarted().state.position == session.state.position


def test_a_move_that_eats_nothing_of_what_was_lifted_is_the_other_players(sit):
    session = sit(presence=True).do("e5", "e4", "e4", "a1")
    assert session.pieces == {"e5": "1", "a1": "2"}


@examples(10, 60)
@given(st.integers(0, 2**32))
def test_ordinary_games_are_the_same_in_any_order_of_hands(seed):
    rng = Random(seed)
    session = TableSession(GAME, {"first": "1", "target": "8"}, presence=True)
    position = session.state.position
    while GAME.outcome(position) is None:
        moves = list(GAME.legal_moves(position))
        meals = [move for move in moves if GAME.result(position, move).removed]
        move = rng.choice(meals or moves)
        hands = [move, *GAME.result(position, move).removed]
        rng.shuffle(hands)
        position = GAME.play(position, move)
        session.wait(SECOND_THOUGHT_S)
        for cell in hands:
            session.put(cell) if cell == move else session.take(cell)
        assert session.state.position == position
        assert session.state.pending == ()


def test_a_stone_that_ate_the_last_one_may_be_adjusted(sit):
    # Lifting it leaves the board as it was two moves ago.
    session = sit(presence=True).do("e5", "e4", "e6", "e4", 5.0)
    before = session.state.position
    session.do("e6", "e6")
    assert session.state.position == before
    assert session.moves == ["e5", "e4", "e6x"]
    assert session.phase is Phase.TAP


def test_stones_of_several_moves_that_are_back_in_any_order_are_those_moves(sit):
    for order in permutations(["a1", "c1", "i5"]):
        session = sit(presence=True).do("e5", "a1", "i5", "c1", {"a1", "c1", "i5"})
        assert len(session.moves) == 1
        for cell in order:
            session.put(cell)
        texts = session.moves
        assert (texts, session.phase) == (["e5", "a1", "i5", "c1"], Phase.TAP)


def test_after_a_while_moves_that_were_taken_back_are_forgotten(sit):
    session = sit(presence=True).do("e5", "a1", "i5", "c1", {"a1", "c1", "i5"}, UNDO_S, "c1")
    assert session.moves == ["e5", "c1"]


def test_a_stone_lifted_at_once_and_set_elsewhere_is_its_owners_second_thought(sit):
    session = sit(presence=True).do("e5", "e4", SECOND_THOUGHT_S / 2, "e4", "e6")
    assert session.pieces == {"e5": "1", "e6": "2"}


@pytest.mark.parametrize("laid", [1, 5])
def test_laying_out_a_knocked_over_board_takes_nothing_back(sit, laid):
    # The first cells that are laid wrongly are those of the game's first moves.
    session = sit(presence=True)
    cells = ("e5", "a1", "i5", "c1", "a5", "e9", "i1", "g7", "c7", "e1")
    session.do(*cells, 5.0)
    moves = len(session.moves)
    session.take(*session.stones)
    session.put(*cells[:laid])
    assert len(session.moves) == moves
    # Few are missing now; lifting one more leaves an earlier position, and takes none back.
    session.put(*cells[laid:-1])
    session.take(cells[-2])
    assert len(session.moves) == moves
    session.put(*cells[-2:])
    assert session.phase is Phase.TAP
    session.take(cells[-1])
    assert len(session.moves) == moves - 1
