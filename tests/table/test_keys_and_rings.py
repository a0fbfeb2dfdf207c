"""Keys of a game, rings that turn, exchanges, rounds and agreed ends: where touches are felt."""

from random import Random

import pytest

from game.rules.disc import disc
from game.rules.errors import RulesError
from game.rules.game import Edit, EditKind
from game.table.edits import edits_between
from game.table.entries import Entry, Kind
from game.table.inputs import Command, Lifted, Touched
from game.table.ledger import applied
from game.table.state import Phase
from game.table.table import DRAW_S, Table
from game.table.touching import ECHO_S, SETTLE_S, TRAVEL_S
from tests.helpers.games.toy_disc import BigDisc, ToyDisc, ToyTrio
from tests.helpers.games.toy_limbs import ToyLimbs
from tests.table.sitting import LEVELS, Sitting

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


def test_a_ring_on_which_anything_else_is_different_is_told_cell_by_cell():
    edits = edits_between({"a1": "1", "b1": "2"}, {"b1": "1", "c1": "1"}, BOARD, BOARD.rings)
    assert {(edit.cell, edit.kind) for edit in edits} == {
        ("a1", EditKind.REMOVE),
        ("b1", EditKind.SWAP),
        ("c1", EditKind.PUT),
    }


# Keys.


def test_keys_that_go_on_are_lit_and_said(sit):
    sitting = sit(ToyDisc())
    assert keys(sitting) == {"ring1": "legal", "ring2": "legal", "choice1": "legal"}
    assert sitting.prompts == ["table.begins", "table.or_turn", "table.or_press"]
    sitting.tap("choice1")
    assert keys(sitting) == {"ring1": "legal", "ring2": "legal", "choice1": "chosen"}
    assert sitting.prompts == ["table.go_on_by_key"]


def test_a_ring_is_turned_by_its_key_and_by_two_with_another_key_before(sit):
    sitting = sit(ToyDisc())
    sitting.tap("a1", "ring1")
    assert sitting.pieces == {"b1": "1"} == dict(sitting.table.state.standing)
    assert sitting.kept[-2:] == [Entry(Kind.MOVE, "T1"), Entry(Kind.EDIT, "ring1")]
    sitting.tap("choice1", "ring1")
    assert sitting.pieces == {"d1": "1"} == dict(sitting.table.state.standing)
    assert moves(sitting) == ["a1", "T1", "TT1"]


def test_turning_an_empty_ring_leaves_nothing_to_be_done(sit):
    sitting = sit(ToyDisc())
    sitting.tap("ring2")
    assert sitting.kept[-1] == Entry(Kind.MOVE, "T2")
    assert sitting.table.state.phase is Phase.TAP


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


def test_a_key_that_bounces_when_it_is_let_go_late_turns_its_ring_once(sit):
    sitting = sit(ToyDisc())
    sitting.give(Touched("ring1"))
    sitting.wait(3.0)
    sitting.give(Lifted("ring1"))
    sitting.give(Touched("ring1"))
    assert moves(sitting) == ["T1"]


def test_the_next_player_turns_the_same_ring_on_purpose(sit):
    sitting = sit(ToyDisc())
    sitting.give(Touched("ring1"))
    sitting.give(Lifted("ring1"))
    sitting.wait(ECHO_S)
    sitting.give(Touched("ring1"))
    assert moves(sitting) == ["T1", "T1"]


def test_pressing_again_and_again_is_not_a_bounce_for_ever(sit):
    sitting = sit(ToyDisc())
    sitting.give(Touched("ring1"))
    for _ in range(10):
        sitting.give(Lifted("ring1"))
        sitting.give(Touched("ring1"))
    assert 2 <= len(moves(sitting)) <= 3


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


def test_a_second_decision_lists_the_key_that_declines_it(sit):
    sitting = sit(ToyDisc())
    sitting.tap("a1", "c2", "a2")
    assert sitting.table.scene().turn == 1
    assert keys(sitting) == {"choice1": "legal"}
    sitting.tap("ring1")
    assert sitting.notice == "rules.not_legal"
    sitting.tap("choice1")
    assert moves(sitting) == ["a1", "c2", "a2", "-"]


# Rings that turn.


def test_a_turned_ring_runs_clockwise_in_the_colours_of_its_pieces_for_a_while(sit):
    sitting = sit(ToyDisc())
    sitting.tap("a1", "d1", "ring1")
    lamps = {cell: sitting.table.scene().cells[cell] for cell in BOARD.rings["ring1"]}
    assert {lamp.cue.value for lamp in lamps.values()} == {"turned"}
    assert [lamps[cell].phase for cell in BOARD.rings["ring1"]] == [0.0, 0.25, 0.5, 0.75]
    assert [lamps[cell].side for cell in BOARD.rings["ring1"]] == [2, 1, None, None]
    due = sitting.table.due()
    assert due == pytest.approx(sitting.now + TRAVEL_S, abs=0.2)
    sitting.wait(TRAVEL_S)
    assert sitting.cues("turned") == []
    assert sitting.table.state.travel is None


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


@pytest.mark.parametrize("spot", ["ring1", "a1", "c1"])
def test_a_ring_is_brought_right_by_its_key_or_by_any_cell_of_it(sit, spot):
    sitting = sit(ToyDisc())
    sitting.tap("a1", "d1", "ring1")
    sitting.ask(BACK)
    sitting.tap(spot)
    assert sitting.kept[-1] == Entry(Kind.EDIT, "ring1")
    assert sitting.table.state.phase is Phase.TAP
    assert dict(sitting.table.state.standing) == {"a1": "1", "d1": "2"}


def test_a_turn_that_no_hand_made_belongs_to_who_made_it_until_it_is_done(sit):
    sitting = sit(ToyDisc())
    sitting.tap("a1")
    sitting.table.resume([Entry(Kind.MOVE, "T1")], sitting.now)
    sitting.ask(CONFIRM)
    assert sitting.table.scene().turn == 2
    assert sitting.prompts == ["table.played", "table.turn_ring"]
    sitting.tap("ring1")
    assert sitting.table.scene().turn == 1


def test_an_entry_of_a_ring_that_the_board_does_not_have_is_refused(sit):
    state = sit(ToyDisc()).table.state
    with pytest.raises(RulesError, match="bad_entry"):
        applied(ToyDisc(), state, Entry(Kind.EDIT, "ring3"))


# Exchanges and captures.


def test_a_piece_that_is_exchanged_away_from_the_taps_waits_for_a_touch(sit):
    sitting = sit(ToyDisc())
    sitting.tap("b1", "a1", "d2", "c1")
    assert sitting.cues("swap") == ["b1"]
    laid = said(sitting, "table.exchange").args["pieces"]
    assert laid[0].key == "table.piece_for"
    assert set(laid[0].args) == {"piece", "cell", "other"}
    assert sitting.table.scene().turn == 2, "the turn lasts until it is exchanged"
    sitting.tap("b1")
    assert sitting.kept[-1] == Entry(Kind.EDIT, "b1")
    assert sitting.table.state.standing["b1"] == "2"


def test_an_exchange_that_is_taken_back_is_exchanged_again(sit):
    sitting = sit(ToyDisc())
    sitting.tap("b1", "a1", "d2", "c1", "b1")
    sitting.ask(BACK)
    assert (sitting.cues("swap"), sitting.cues("remove")) == (["b1"], ["c1"])
    sitting.tap("b1", "c1")
    assert dict(sitting.table.state.standing) == sitting.pieces


def test_a_piece_taken_on_a_tapped_cell_is_touched_once_more(sit):
    sitting = sit(ToyLimbs())
    # Orange arms a1, blue comes beside it, orange takes.
    sitting.tap("a1", "choice1")
    sitting.tap("c2", "b2", "c2")
    assert moves(sitting) == ["/a1!", "c2-b2/+c2"]
    sitting.tap("a1", "b2", "a1")
    assert moves(sitting)[-1] == "a1-b2/+a1"
    assert sitting.cues("swap") == ["b2"]
    assert sitting.table.scene().turn == 1
    sitting.tap("b2")
    assert dict(sitting.table.state.standing) == sitting.pieces
    assert sitting.table.scene().turn == 2


def test_many_taps_of_one_move_are_taken_back_at_once(sit):
    sitting = sit(ToyLimbs())
    sitting.tap("a1", "a2", "a1")
    sitting.ask(BACK)
    assert (sitting.cues("swap"), sitting.cues("remove")) == ([], ["a2"])
    sitting.tap("a2")
    assert dict(sitting.table.state.standing) == sitting.pieces == {"a1": "1a", "c2": "2a"}


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
    assert sitting.kept[-1].kind is Kind.EDIT


def test_who_takes_the_pieces_one_by_one_has_not_yet_said_that_all_are_gone(sit):
    sitting = round_over(sit)
    sitting.tap(*sitting.cues("remove")[:5])
    assert len(sitting.cues("remove")) == 1
    assert sitting.table.state.phase is Phase.CONFIRM
    sitting.tap(*sitting.cues("remove"))
    assert sitting.table.state.phase is Phase.TAP


def test_the_finger_that_ended_the_round_does_not_go_on_by_bouncing(sit):
    sitting = sit(ToyDisc())
    set_pieces(sitting, "a2", "b2", "c2", "d2", "a1")
    sitting.wait(3.0)
    sitting.give(Touched("c1"))
    assert sitting.table.state.phase is Phase.CONFIRM
    for _ in range(2):
        sitting.give(Lifted("c1"))
        sitting.give(Touched("c1"))
    assert sitting.table.state.phase is Phase.CONFIRM
    sitting.give(Touched("b1"))
    assert sitting.table.state.phase is Phase.CONFIRM, "it slid to the next cell"


def test_a_hurried_touch_does_not_say_that_the_board_is_clear(sit):
    sitting = sit(ToyDisc())
    set_pieces(sitting, "a2", "b2", "c2", "d2", "a1", "c1")
    sitting.tap("d1")
    assert (sitting.notice, sitting.cue("d1")) == ("table.clear_all", "wrong")
    assert sitting.table.state.phase is Phase.CONFIRM
    sitting.tap("d1")
    assert sitting.table.state.phase is Phase.TAP


def test_sides_are_exchanged_with_the_round_and_so_are_the_colours(sit):
    sitting = round_over(sit)
    before = Sitting(ToyDisc(), {"first": "1"}, False).table.scene()
    sitting.ask(CONFIRM)
    scene = sitting.table.scene()
    assert (before.sides, scene.sides) == ((1, 2), (2, 1))
    assert scene.hues == ToyDisc.hues
    assert {goal.reached for goal in scene.goals} == {0}
    mover = sitting.table.state.turn(ToyDisc())
    legal = scene.cells["a1"]
    assert (legal.cue.value, legal.side) == ("legal", 3 - mover)


@pytest.mark.parametrize("told", [0, 2])
def test_a_power_cut_before_the_board_is_cleared_finds_the_same_state(sit, told):
    sitting = round_over(sit)
    sitting.tap(*sitting.cues("remove")[:told])
    again = Table(ToyDisc(), {}, Random(0), levels=LEVELS)
    again.resume(sitting.kept, 0.0)
    state = sitting.table.state
    assert (again.state.phase, again.state.relaying) == (Phase.CONFIRM, True)
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
    assert {entry.kind for entry in big.kept[kept:]} == {Kind.EDIT}


# Ends that players make.


def test_among_three_a_resignation_ends_the_game_without_a_winner(sit):
    sitting = sit(ToyTrio())
    sitting.tap("a1")
    sitting.ask(RESIGN, RESIGN)
    assert sitting.kept[-1] == Entry(Kind.RESIGN, "2")
    outcome = sitting.table.state.outcome
    assert (outcome.winner, outcome.reason) == (None, "resigned")
    assert sitting.table.scene().turn is None
    assert sitting.cues("win") == []
    sitting.ask(BACK)
    assert sitting.table.state.phase is Phase.TAP


def test_a_draw_is_agreed_on_by_asking_twice_and_can_be_taken_back(sit):
    sitting = sit(ToyDisc())
    sitting.tap("a1")
    sitting.ask(DRAW)
    assert (sitting.notice, sitting.table.state.outcome) == ("table.confirm_draw", None)
    sitting.ask(DRAW)
    assert sitting.kept[-1] == Entry(Kind.DRAW)
    outcome = sitting.table.state.outcome
    assert (outcome.winner, outcome.reason) == (None, "agreed")
    assert sitting.table.state.phase is Phase.OVER
    sitting.ask(BACK)
    assert sitting.table.state.outcome is None
    assert moves(sitting) == ["a1"]


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
    assert Entry(Kind.DRAW) not in sitting.kept


def test_a_computer_agrees_to_no_draw(sit):
    sitting = sit(ToyDisc())
    sitting.oppose("", "3")
    sitting.ask(DRAW, DRAW)
    assert sitting.notice == "table.no_draw_with_computer"
    assert sitting.table.state.outcome is None


def test_a_journal_of_a_game_without_agreed_draws_cannot_hold_one(sit):
    state = sit(ToyTrio()).table.state
    with pytest.raises(RulesError, match="bad_entry"):
        applied(ToyTrio(), state, Entry(Kind.DRAW))


def test_who_begins_is_drawn_only_among_those_who_may():
    for seed in range(8):
        table = Table(ToyTrio(), {}, Random(seed))
        table.start(0.0)
        table.tick(DRAW_S)
        assert table.state.options["first"] == "1"
    drawn = set()
    for seed in range(8):
        table = Table(ToyDisc(), {}, Random(seed))
        table.start(0.0)
        drawn.add(table.state.options["first"])
    assert drawn == {"1", "2"}
