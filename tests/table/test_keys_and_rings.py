"""Keys of a game, rings that turn, exchanges, rounds and agreed ends: where touches are felt."""

from random import Random

import pytest

from game.rules.base.errors import RulesError
from game.rules.base.values import Edit, EditKind
from game.rules.boards.disc import disc
from game.table.edits import edits_between
from game.table.entries import Entry, EntryKind
from game.table.inputs import Command, Lifted, Touched
from game.table.records import Phase
from game.table.reducer import apply_entry
from game.table.rings import RING_TURN_S
from game.table.table import Table
from game.table.touching import SETTLE_S
from tests.helpers.games.toy_disc import BigDisc, ToyDisc, ToyTrio
from tests.helpers.games.toy_limbs import ToyLimbs
from tests.table.random_game import LEVELS

BOARD = disc(2, 4)
BACK, DRAW, RESIGN, CONFIRM = Command.TAKE_BACK, Command.DRAW, Command.RESIGN, Command.CONFIRM


def moves(sitting):
    return [played.text for played in sitting.table.state.history]


def keys(sitting):
    return {key: lamp.cue.value for key, lamp in sitting.table.scene().keys.items()}


def said(sitting, key):
    return next(m for m in sitting.table.scene().prompt if m.key == key)


# Edits.


def test_a_ring_whose_differences_are_a_turn_is_one_edit_where_it_can_be_turned():
    stand = {"a1": "1", "b1": "2", "c2": "1"}
    goes = {"b1": "1", "c1": "2", "c2": "1"}
    assert edits_between(stand, goes, BOARD, BOARD.rings) == (Edit(EditKind.TURN, "ring1", "", 1),)
    assert edits_between(goes, stand, BOARD, BOARD.rings) == (Edit(EditKind.TURN, "ring1", "", -1),)
    assert len(edits_between(stand, goes, BOARD)) == 3


def test_of_two_ways_round_the_shorter_one_is_told_and_forward_where_both_are_as_long():
    ring = disc(1, 8).rings["ring1"]
    for steps, told in ((1, 1), (3, 3), (4, 4), (5, -3), (7, -1)):
        edits = edits_between({ring[0]: "1"}, {ring[steps]: "1"}, disc(1, 8), disc(1, 8).rings)
        assert edits == (Edit(EditKind.TURN, "ring1", "", told),)


# Keys.


def test_keys_that_go_on_are_lit_and_said(sit):
    sitting = sit(ToyDisc())
    assert keys(sitting) == {"ring1": "legal", "ring2": "legal", "choice1": "legal"}
    assert sitting.prompts == ["table.begins", "table.or_turn", "table.or_press"]
    sitting.tap("choice1")
    assert keys(sitting) == {"ring1": "legal", "ring2": "legal", "choice1": "chosen"}
    assert sitting.prompts == ["table.go_on_by_key"]


@pytest.mark.parametrize("lifts", [False, True])
@pytest.mark.parametrize("presence", [False, True])
def test_a_key_that_bounces_turns_its_ring_once(sit, presence, lifts):
    sitting = sit(ToyDisc(), presence=presence)
    sitting.give(Touched("ring1"))
    for _ in range(3):
        if lifts:
            sitting.give(Lifted("ring1"))
        sitting.give(Touched("ring1"))
    assert moves(sitting) == ["T1"]
    assert sitting.notice == ""


@pytest.mark.parametrize("key", ["choice2", "ring7", "z9"])
def test_a_key_that_the_game_does_not_have_is_refused_in_words(sit, key):
    sitting = sit(ToyDisc())
    before = sitting.table.state.position
    sitting.tap(key)
    assert sitting.notice == "table.no_key"
    assert sitting.table.state.position is before


def test_a_key_waits_until_the_board_is_right(sit):
    sitting = sit(ToyDisc())
    sitting.tap("a1", "b2")
    sitting.ask(BACK)
    sitting.tap("ring1")
    assert sitting.notice == "table.first_put_right"
    assert keys(sitting) == {"ring1": "wrong"}


def test_hints_and_wishes_that_are_keys_are_lit(sit):
    sitting = sit(ToyDisc())
    sitting.ask(Command.HINT)
    sitting.think("T1", "TT2", "a1")
    assert keys(sitting) == {"ring1": "hint", "choice1": "hint", "ring2": "legal"}
    sitting.tap("choice1")
    assert keys(sitting) == {"choice1": "chosen", "ring2": "hint", "ring1": "legal"}


def test_the_computers_turn_by_two_is_asked_for_key_by_key(sit):
    sitting = sit(ToyDisc())
    sitting.oppose("1", "")
    sitting.think("TT2")
    assert keys(sitting) == {"choice1": "proposed"}
    assert sitting.prompts == ["table.wants_key"]
    sitting.tap("ring1")
    assert sitting.notice == "table.not_its_key"
    sitting.tap("choice1")
    assert keys(sitting)["ring2"] == "proposed"
    sitting.tap("ring2")
    assert moves(sitting) == ["TT2"]


# Rings that turn.


def test_a_turned_ring_runs_clockwise_in_the_colours_of_its_pieces_for_a_while(sit):
    sitting = sit(ToyDisc())
    sitting.tap("a1", "d1", "ring1")
    lamps = {cell: sitting.table.scene().cells[cell] for cell in BOARD.rings["ring1"]}
    assert {lamp.cue.value for lamp in lamps.values()} == {"turned"}
    assert [lamps[cell].phase for cell in BOARD.rings["ring1"]] == [0.0, 0.25, 0.5, 0.75]
    assert [lamps[cell].side for cell in BOARD.rings["ring1"]] == [2, 1, None, None]
    due = sitting.table.due()
    assert due == pytest.approx(sitting.now + RING_TURN_S, abs=0.2)
    sitting.wait(RING_TURN_S)
    assert sitting.cues("turned") == []
    assert sitting.table.state.ring_turn is None


def test_a_turn_that_is_taken_back_is_one_thing_to_do(sit):
    sitting = sit(ToyDisc())
    sitting.tap("a1", "d1", "ring1")
    sitting.ask(BACK)
    assert sitting.table.state.pending(ToyDisc()) == (Edit(EditKind.TURN, "ring1", "", -1),)
    assert sitting.prompts == ["table.turn_ring_back"]
    assert said(sitting, "table.turn_ring_back").args == {"ring": "1", "count": 1}
    phases = [sitting.table.scene().cells[cell].phase for cell in BOARD.rings["ring1"]]
    assert phases == [0.0, 0.75, 0.5, 0.25], "it runs the other way"
    assert keys(sitting) == {"ring1": "turned"}


def test_a_turn_that_no_hand_made_belongs_to_who_made_it_until_it_is_done(sit):
    sitting = sit(ToyDisc())
    sitting.tap("a1")
    sitting.table.resume([Entry(EntryKind.MOVE, "T1")], sitting.now)
    sitting.ask(CONFIRM)
    assert sitting.table.scene().turn == 2
    assert sitting.prompts == ["table.played", "table.turn_ring"]
    sitting.tap("ring1")
    assert sitting.table.scene().turn == 1


def test_an_entry_of_a_ring_that_the_board_does_not_have_is_refused(sit):
    state = sit(ToyDisc()).table.state
    with pytest.raises(RulesError, match="bad_entry"):
        apply_entry(ToyDisc(), state, Entry(EntryKind.EDIT, "ring3"))


# Exchanges and captures.


def test_another_piece_is_chosen_instead_but_no_other_move_is_begun(sit):
    sitting = sit(ToyLimbs())
    sitting.tap("a1", "a2", "a1")
    sitting.tap("c2", "b3", "c2")
    assert sitting.pieces == {"a1": "1a", "a2": "1a", "c2": "2a", "b3": "2a"}
    sitting.tap("a1", "a2")
    assert sitting.table.state.taps == ("a2",)
    sitting.tap("b1")
    assert sitting.table.state.taps == ("a2",), "a body could be set there, but one was chosen"
    assert len(moves(sitting)) == 2
    sitting.tap("b2", "a1")
    assert sitting.table.state.taps == ("a2", "b2", "a1")


# The end of a round.


def set_pieces(sitting, *cells):
    """Set pieces one after the other, and exchange what is to be exchanged."""
    for cell in cells:
        sitting.tap(cell)
        while sitting.table.state.phase is Phase.EDIT:
            sitting.tap(sitting.table.state.pending(sitting.table.game)[0].cell)


def round_over(sit, game=None):
    """Play a round to its end: the outer ring, and of the inner one as much as that takes."""
    sitting = sit(game or ToyDisc())
    order = sorted(sitting.table.game.board.cells, key=lambda cell: (-int(cell[1]), cell))
    set_pieces(sitting, *order[: sitting.table.game.full])
    sitting.wait(SETTLE_S)
    return sitting


def test_the_end_of_a_round_asks_to_clear_the_board_and_goes_on_by_one_touch(sit):
    sitting = round_over(sit)
    assert sitting.table.state.phase is Phase.CONFIRM
    assert sitting.prompts == ["table.played", "table.clear_all"]
    assert len(sitting.cues("remove")) == 6
    sitting.tap("d1")
    assert sitting.table.state.phase is Phase.TAP
    assert dict(sitting.table.state.standing) == {}
    assert sitting.kept[-1].kind is EntryKind.EDIT


@pytest.mark.parametrize("told", [0, 2])
def test_a_power_cut_before_the_board_is_cleared_finds_the_same_state(sit, told):
    sitting = round_over(sit)
    sitting.tap(*sitting.cues("remove")[:told])
    again = Table(ToyDisc(), {}, Random(0), levels=LEVELS)
    again.resume(sitting.kept, 0.0)
    state = sitting.table.state
    assert (again.state.phase, again.state.rebuilding) == (Phase.CONFIRM, True)
    assert again.state.standing == state.standing
    assert again.scene().prompt == sitting.table.scene().prompt
    assert len(again.handle(Touched("d1"), 1.0)) == 6 - told
    assert again.state.phase is Phase.TAP


def test_the_end_of_a_round_is_taken_back_before_and_after_the_board_is_cleared(sit):
    sitting = round_over(sit)
    sitting.ask(BACK)
    assert sitting.table.state.phase is Phase.EDIT
    assert sitting.cues("remove") == ["b1"]
    big = round_over(sit, BigDisc())
    big.ask(CONFIRM, BACK)
    assert big.table.state.phase is Phase.CONFIRM
    assert big.prompts == ["table.lay_out"]
    assert len(big.cues("put")) == 9
    kept = len(big.kept)
    free = next(cell for cell in big.table.game.board.cells if cell not in big.pieces)
    big.tap(free)
    assert big.table.state.phase is Phase.TAP
    assert dict(big.table.state.standing) == big.pieces
    assert {entry.kind for entry in big.kept[kept:]} == {EntryKind.EDIT}


# Ends that players make.


def test_among_three_a_resignation_ends_the_game_without_a_winner(sit):
    sitting = sit(ToyTrio())
    sitting.tap("a1")
    sitting.ask(RESIGN, RESIGN)
    assert sitting.kept[-1] == Entry(EntryKind.RESIGN, "2")
    outcome = sitting.table.state.outcome
    assert (outcome.winner, outcome.reason) == (None, "resigned")
    assert sitting.table.scene().turn is None
    assert sitting.cues("win") == []
    sitting.ask(BACK)
    assert sitting.table.state.phase is Phase.TAP


@pytest.mark.parametrize(
    ("game", "prepare", "words"),
    [
        (ToyTrio(), [], "table.no_agreed_draws"),
        (ToyDisc(), [RESIGN, RESIGN], "table.nothing_to_draw"),
        (ToyDisc(), [Command.SET_UP], "table.setting_up_first"),
        (ToyDisc(), [Command.NEW_GAME], "table.nothing_to_draw"),
    ],
)
def test_a_draw_is_refused_in_words(sit, game, prepare, words):
    sitting = sit(game)
    sitting.ask(*prepare, DRAW)
    assert sitting.notice == words
    assert Entry(EntryKind.DRAW) not in sitting.kept


def test_a_computer_agrees_to_no_draw(sit):
    sitting = sit(ToyDisc())
    sitting.oppose("", "3")
    sitting.ask(DRAW, DRAW)
    assert sitting.notice == "table.no_draw_with_computer"
    assert sitting.table.state.outcome is None


def test_a_journal_of_a_game_without_agreed_draws_cannot_hold_one(sit):
    state = sit(ToyTrio()).table.state
    with pytest.raises(RulesError, match="bad_entry"):
        apply_entry(ToyTrio(), state, Entry(EntryKind.DRAW))
