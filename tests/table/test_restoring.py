"""Where stones are sensed: boards as people leave them, and positions that hands bring back."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules.azteka import GAME as AZTEKA
from game.rules.circle_of_life import GAME
from game.table import Phase, spoken_news
from game.table.inputs import Command
from game.table.stones import HANDFUL, SECOND_THOUGHT_S, UNDO_S
from tests.helpers.effort import examples
from tests.table.random_game import TWO_MEALS, TableSession

EIGHT = ("e1", "a1", "e2", "a3", "e3", "a5", "e4", "i1")
BACK, RESIGN = Command.TAKE_BACK, Command.RESIGN
THOUGHT = SECOND_THOUGHT_S


def after(*cells):
    position = GAME.initial({"first": "1"})
    for cell in cells:
        position = GAME.play(position, cell)
    return position


# Positions that are brought back.


@pytest.mark.parametrize(
    ("steps", "moves"),
    [
        # The last stone lifted and set elsewhere is another move instead; of its owner only if
        # that is at once, else of the other player, who may eat it.
        (("e5", "a1", "i5", "i5", "i4"), ["e5", "a1", "i4"]),
        (("e5", "e4", "e4", "a1"), ["e5", "a1"]),
        (("e5", "e4", THOUGHT / 2, "e4", "e6"), ["e5", "e6"]),
        (("e5", "e4", THOUGHT, "e4", "e6"), ["e5", "e4", "e6x"]),
        # A stone that ate the last one is adjusted; lifting it restores the position before that.
        (("e5", "e4", "e6", "e4", 5.0, "e6", "e6"), ["e5", "e4", "e6x"]),
        # Taken back by key, the board stands as after three moves; hands bring it to the first.
        (("e5", "a1", "i5", BACK, BACK, "e5", {"a1", "i5"}, "e5"), ["e5"]),
        # Moves that are undone at once count again, in any order, for a while.
        *(
            (("e5", "a1", "i5", "c1", {"a1", "c1", "i5"}, *order), ["e5", "a1", "i5", "c1"])
            for order in permutations(["a1", "c1", "i5"])
        ),
        (("e5", "a1", "i5", "c1", {"a1", "c1", "i5"}, UNDO_S, "c1"), ["e5", "c1"]),
        # The eater of a meal is lifted: before, between and after its prey.
        ((*TWO_MEALS, "e6"), [*TWO_MEALS[:-1]]),
        *(((*TWO_MEALS, cell, "e6", cell), [*TWO_MEALS[:-1]]) for cell in ("d4", "f5")),
    ],
)
def test_moves_after_hands_have_restored_a_position(sit, steps, moves):
    session = sit(presence=True).do(*steps)
    assert (session.moves, session.phase) == (moves, Phase.TAP)
    assert session.state.standing == session.pieces
    assert session.restarted().state.position == session.state.position


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
    assert (session.state.position, session.phase) == (goal, Phase.TAP)
    assert len(session.moves) == len(TWO_MEALS) - count


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
        session.do(THOUGHT, *hands)
        assert (session.state.position, session.state.pending) == (position, ())


def test_a_cell_whose_stone_changed_colour_asks_for_the_right_one(sit):
    # Blue's e4 was eaten, and orange has set a stone there since.
    session = sit(presence=True).do("e5", "e4", "e6", "e4", "a1", "e4", BACK, BACK, BACK)
    assert session.pieces == {"e4": "2", "e5": "1"}
    assert (session.cues("remove"), session.cues("swap")) == (["a1", "e6"], ["e4"])
    assert session.prompts == ["table.lift", "table.exchange_felt"]
    session.do({"a1", "e6"})
    assert session.cues("swap") == ["e4"], "an orange stone is not a blue one"
    assert session.do("e4", "e4").phase is Phase.TAP
    assert session.state.standing == session.pieces


# Boards on which nothing is taken back.


@pytest.mark.parametrize("target", ["20", "2"], ids=["resigned", "won"])
def test_after_the_end_nothing_is_taken_back_by_hands(sit, target):
    session = sit(presence=True, target=target).do(*TWO_MEALS, RESIGN, RESIGN, "e6")
    assert session.phase is Phase.OVER
    assert "TAKE_BACK" not in session.kinds()
    assert session.do("e6", "a4").notice == "rules.game_over"


def test_while_cells_are_not_sensed_nothing_is_taken_back_nor_afterwards(sit):
    session = sit(presence=True).do("e5", "a1")
    session.disturb("h1")
    session.do("a1")
    session.mend()
    assert (session.moves, session.cues("put")) == (["e5", "a1"], ["a1"])
    # A cell that is only sensed again.
    session = sit(presence=True).do("e5", "a1")
    session.mask("a1")
    session.stones.remove("a1")
    session.mask().do(set())
    assert (session.moves, session.cues("put")) == (["e5", "a1"], ["a1"])
    # Lifting the last stone is not sensed; lifting the one before may be an adjustment.
    session = sit(presence=True)
    session.mask("i5")
    session.do("e5", "a1", "i5", "c1", "c1", "a1")
    assert (session.moves, session.cues("put")) == (["e5", "a1", "i5"], ["a1"])
    assert session.do("a1").phase is Phase.TAP


@pytest.mark.parametrize(
    ("moves", "gone", "restored"),
    [
        # The first few moves may be taken back to the empty board.
        (HANDFUL, HANDFUL, True),
        (HANDFUL + 1, HANDFUL + 1, False),
        # More stones than a handful that are gone at once have fallen.
        (8, HANDFUL, True),
        (8, HANDFUL + 1, False),
        (8, 8, False),
    ],
)
def test_stones_that_are_gone_at_once_take_back_no_more_moves_than_a_handful(
    sit, moves, gone, restored
):
    cells = EIGHT[:moves]
    session = sit(presence=True).do(*cells)
    before = session.state
    session.do({*cells[-gone:]})
    assert session.moves == [*(cells[:-gone] if restored else cells)]
    assert set(session.cues("put")) == (set() if restored else set(cells[-gone:]))
    if restored:
        # A voice says the number, and not each move: of a dozen it would leave some out.
        notice = session.table.scene().notice
        assert (notice.key, notice.args) == ("table.restored", {"count": gone})
        assert spoken_news(before, session.state) == (notice,)
        assert session.phase is Phase.TAP
    else:
        assert session.do(*sorted(cells[-gone:])).phase is Phase.TAP
        # Nor are stones that are put away one by one an earlier position.
        session.do(*cells)
        assert (session.moves, {*session.cues("put")}) == ([*cells], {*cells})


def test_a_stone_lifted_in_the_second_round_takes_nothing_back_of_the_first(sit):
    session = sit(AZTEKA, presence=True)
    while session.state.position.round == 1:
        legal = [str(each) for each in AZTEKA.legal_moves(session.state.position)]
        session.do(max(set(legal) & set(AZTEKA.board.cells)))
        session.do(*(edit.cell for edit in session.state.pending), 10.0)
    first, moves = session.moves[0], len(session.moves)
    session.do("a1", 10.0, first, 10.0)
    assert first != "a1"
    # Now only the first stone of the game stands, where it stood then.
    session.do("a1")
    assert (len(session.moves), session.cue("a1")) == (moves + 2, "put")


@pytest.mark.parametrize("laid", [1, 5])
def test_laying_out_a_knocked_over_board_takes_nothing_back(sit, laid):
    # The first cells that are laid wrongly are those of the game's first moves.
    cells = ("e5", "a1", "i5", "c1", "a5", "e9", "i1", "g7", "c7", "e1")
    session = sit(presence=True).do(*cells, 5.0, {*cells}, {*cells[:laid]})
    assert session.moves == [*cells]
    # Few are missing now; lifting one more leaves an earlier position, and takes none back.
    session.do({*cells[laid:-1]}, cells[-2])
    assert (session.moves, session.do({*cells[-2:]}).phase) == ([*cells], Phase.TAP)
    assert session.do(cells[-1]).moves == [*cells[:-1]]


# Wrong boards.


@pytest.mark.parametrize("seed", range(2))
def test_a_knocked_over_board_is_laid_out_again_in_any_order(sit, seed):
    session, rng = sit(presence=True).do(*EIGHT, 10.0), Random(seed)
    saved = list(session.saved)
    fallen = rng.sample(EIGHT, 7)
    strewn = rng.sample(sorted(set(GAME.board.cells) - set(EIGHT)), 6)
    assert session.do({*fallen}, {*strewn}).notice == "table.hand_rests"
    session.wait(10.0)
    assert set(session.cues("put")) == set(fallen)
    assert set(session.cues("remove")) == set(strewn)
    tidying = [*fallen, *strewn]
    rng.shuffle(tidying)
    for cell in tidying:
        assert session.phase is Phase.EDIT
        session.do(cell)
    assert (session.phase, session.saved) == (Phase.TAP, saved)


@pytest.mark.parametrize("cell", ["e2", "i1"])
def test_a_slid_stone_is_to_be_lifted_and_put_back(sit, cell):
    session = sit(presence=True).do(*EIGHT, 10.0, {cell, "g3"})
    assert (session.cues("put"), session.cues("wrong")) == ([cell], ["g3"])
    assert (session.notice, session.do(10.0).cues("remove")) == ("table.first_put", ["g3"])
    again = session.twin().do("g3")
    assert (again.phase, again.cues("put")) == (Phase.EDIT, [cell]), "it had to go anyhow"
    assert again.do(cell).phase is Phase.TAP
    session.do({"g3", cell})
    assert (session.phase, session.moves) == (Phase.TAP, [*EIGHT])
    # One set while the last eaten stone is taken is to be set again.
    session = sit(presence=True).do(*TWO_MEALS, "d4", {"f5", "g4"})
    assert (session.cue("g4"), session.notice) == ("wrong", "table.set_again")
    assert session.do("g4", "g4").moves[-1] == "g4"
