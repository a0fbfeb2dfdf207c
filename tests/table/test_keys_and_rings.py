"""Keys of a game, rings that turn, exchanges, rounds and agreed ends: with touch sensing."""

from random import Random

import pytest

from game.rules.base.edits import Edit, EditKind, edits_between
from game.rules.base.errors import RulesError
from game.rules.base.registry import find_game
from game.rules.boards.disc import disc
from game.table.entries import Entry, EntryKind
from game.table.hands import RING_TURN_S
from game.table.inputs import Command, Lifted, Touched
from game.table.phases import Phase
from game.table.reducer import apply_entries
from game.table.table import Table
from game.table.touches import SETTLE_S
from tests.helpers.games.toy_disc import BigDisc, ToyDisc, ToyTrio
from tests.table.random_game import LEVELS

BOARD = disc(2, 4)
BACK, DRAW, RESIGN, CONFIRM = Command.TAKE_BACK, Command.DRAW, Command.RESIGN, Command.CONFIRM


def keys(session):
    return {key: lamp.cue.value for key, lamp in session.table.scene().keys.items()}


def said(session, key):
    return next(m for m in session.table.scene().prompt if m.key == key)


# Edits.


def test_a_ring_whose_differences_are_a_turn_is_one_edit_where_it_can_be_turned():
    stand = {"a1": "1", "b1": "2", "c2": "1"}
    goes = {"b1": "1", "c1": "2", "c2": "1"}
    assert edits_between(stand, goes, BOARD, BOARD.rings) == (Edit(EditKind.TURN, "ring1", "", 1),)
    assert edits_between(goes, stand, BOARD, BOARD.rings) == (Edit(EditKind.TURN, "ring1", "", -1),)
    assert len(edits_between(stand, goes, BOARD)) == 3


def test_of_two_ways_round_the_shorter_one_is_told_and_forward_where_both_are_as_long():
    ring = disc(1, 8).rings["ring1"]
    for steps, shown in ((1, 1), (3, 3), (4, 4), (5, -3), (7, -1)):
        edits = edits_between({ring[0]: "1"}, {ring[steps]: "1"}, disc(1, 8), disc(1, 8).rings)
        assert edits == (Edit(EditKind.TURN, "ring1", "", shown),)


# Keys.


def test_keys_that_go_on_are_lit_and_said(sit):
    session = sit(ToyDisc())
    assert keys(session) == {"ring1": "legal", "ring2": "legal", "choice1": "legal"}
    assert session.prompts == ["table.begins", "table.or_turn", "table.or_press"]
    session.tap("choice1")
    assert keys(session) == {"ring1": "legal", "ring2": "legal", "choice1": "chosen"}
    assert session.prompts == ["table.go_on_by_key"]


@pytest.mark.parametrize("lifts", [False, True])
@pytest.mark.parametrize("presence", [False, True])
def test_a_key_that_bounces_turns_its_ring_once(sit, presence, lifts):
    session = sit(ToyDisc(), presence=presence).do(Touched("ring1"))
    for _ in range(3):
        if lifts:
            session.give(Lifted("ring1"))
        session.give(Touched("ring1"))
    assert session.moves == ["T1"]
    assert session.notice == ""


@pytest.mark.parametrize("key", ["choice2", "ring7", "z9"])
def test_a_key_that_the_game_does_not_have_is_refused_in_words(sit, key):
    session = sit(ToyDisc())
    before = session.state.position
    session.tap(key)
    assert session.notice == "table.no_key"
    assert session.state.position is before


def test_a_key_waits_until_the_board_is_right(sit):
    session = sit(ToyDisc()).do("a1", "b2", BACK, "ring1")
    assert session.notice == "table.first_put_right"
    assert keys(session) == {"ring1": "wrong"}


def test_hints_and_wishes_that_are_keys_are_lit(sit):
    session = sit(ToyDisc()).do(Command.HINT)
    session.think("T1", "TT2", "a1")
    assert keys(session) == {"ring1": "hint", "choice1": "hint", "ring2": "legal"}
    session.tap("choice1")
    assert keys(session) == {"choice1": "chosen", "ring2": "hint", "ring1": "legal"}


def test_the_computers_turn_by_two_is_asked_for_key_by_key(sit):
    session = sit(ToyDisc())
    session.oppose("1", "")
    session.think("TT2")
    assert keys(session) == {"choice1": "proposed"}
    assert session.prompts == ["table.wants_key"]
    session.tap("ring1")
    assert session.notice == "table.not_its_key"
    session.tap("choice1")
    assert keys(session)["ring2"] == "proposed"
    session.tap("ring2")
    assert session.moves == ["TT2"]


# Rings that turn.


def test_a_turned_ring_runs_clockwise_in_the_colours_of_its_pieces_for_a_while(sit):
    session = sit(ToyDisc()).do("a1", "d1", "ring1")
    lamps = {cell: session.table.scene().cells[cell] for cell in BOARD.rings["ring1"]}
    assert {lamp.cue.value for lamp in lamps.values()} == {"turned"}
    assert [lamps[cell].phase for cell in BOARD.rings["ring1"]] == [0.0, 0.25, 0.5, 0.75]
    assert [lamps[cell].side for cell in BOARD.rings["ring1"]] == [2, 1, None, None]
    due = session.table.due()
    assert due == pytest.approx(session.now + RING_TURN_S, abs=0.2)
    session.wait(RING_TURN_S)
    assert session.cues("turned") == []
    assert session.state.ring_turn is None


def test_a_turn_that_is_taken_back_is_one_thing_to_do(sit):
    session = sit(ToyDisc()).do("a1", "d1", "ring1", BACK)
    assert session.state.pending == (Edit(EditKind.TURN, "ring1", "", -1),)
    assert session.prompts == ["table.turn_ring_back"]
    assert said(session, "table.turn_ring_back").args == {"ring": "1", "count": 1}
    phases = [session.table.scene().cells[cell].phase for cell in BOARD.rings["ring1"]]
    assert phases == [0.0, 0.75, 0.5, 0.25], "it runs the other way"
    assert keys(session) == {"ring1": "turned"}


def test_a_turn_that_no_hand_made_belongs_to_who_made_it_until_it_is_done(sit):
    session = sit(ToyDisc()).do("a1")
    session.table.resume([Entry(EntryKind.MOVE, "T1")], session.now)
    session.ask(CONFIRM)
    assert session.table.scene().turn == 2
    assert session.prompts == ["table.played", "table.turn_ring"]
    session.tap("ring1")
    assert session.table.scene().turn == 1


def test_an_entry_of_a_ring_that_the_board_does_not_have_is_refused(sit):
    state = sit(ToyDisc()).table.state
    with pytest.raises(RulesError, match="bad_entry"):
        apply_entries(ToyDisc(), state, Entry(EntryKind.EDIT, "ring3"))


# Exchanges and captures.


def test_another_piece_is_chosen_instead_but_no_other_move_is_begun(sit):
    session = sit(find_game("adaptoid"))
    start = Entry(EntryKind.SET_UP, "a1=W1L0P,b2=W1L0P,g4=B1L0P play 1 WB 0-0")
    session.table.resume([start], session.now)
    session.do(CONFIRM, "a1", "b2")
    assert session.state.taps == ("b2",)
    session.tap("a2")
    assert session.state.taps == ("b2", "a2"), "a move, though a body could grow there"
    session.do(BACK, "b2", "f3")
    assert session.state.taps == ("b2",), "it is too far, and nothing can grow there"


# The end of a round.


def set_pieces(session, *cells):
    """Set pieces one after the other, and exchange what is to be exchanged."""
    for cell in cells:
        session.tap(cell)
        while session.phase is Phase.EDIT:
            session.tap(session.state.pending[0].cell)


def round_over(sit, game=None):
    """Play a round to its end: the outer ring, and of the inner one as much as that takes."""
    session = sit(game or ToyDisc())
    order = sorted(session.table.game.board.cells, key=lambda cell: (-int(cell[1]), cell))
    set_pieces(session, *order[: session.table.game.full])
    session.wait(SETTLE_S)
    return session


def test_the_end_of_a_round_asks_to_clear_the_board_and_goes_on_by_one_touch(sit):
    session = round_over(sit)
    assert session.phase is Phase.CONFIRM
    assert session.prompts == ["table.played", "table.clear_all"]
    assert len(session.cues("remove")) == 6
    session.tap("d1")
    assert session.phase is Phase.TAP
    assert dict(session.state.standing) == {}
    assert session.saved[-1].kind is EntryKind.EDIT


@pytest.mark.parametrize("shown", [0, 2])
def test_a_power_cut_before_the_board_is_cleared_finds_the_same_state(sit, shown):
    session = round_over(sit)
    session.tap(*session.cues("remove")[:shown])
    again = Table(ToyDisc(), {}, Random(0), levels=LEVELS)
    again.resume(session.saved, 0.0)
    state = session.state
    assert (again.state.phase, again.state.rebuilding) == (Phase.CONFIRM, True)
    assert again.state.standing == state.standing
    assert again.scene().prompt == session.table.scene().prompt
    assert len(again.handle(Touched("d1"), 1.0)) == 6 - shown
    assert again.state.phase is Phase.TAP


def test_the_end_of_a_round_is_taken_back_before_and_after_the_board_is_cleared(sit):
    session = round_over(sit)
    session.ask(BACK)
    assert session.phase is Phase.EDIT
    assert session.cues("remove") == ["b1"]
    big = round_over(sit, BigDisc())
    big.ask(CONFIRM, BACK)
    assert big.phase is Phase.CONFIRM
    assert big.prompts == ["table.lay_out"]
    assert len(big.cues("put")) == 9
    saved = len(big.saved)
    free = next(cell for cell in big.table.game.board.cells if cell not in big.pieces)
    big.tap(free)
    assert big.phase is Phase.TAP
    assert dict(big.state.standing) == big.pieces
    assert {entry.kind for entry in big.saved[saved:]} == {EntryKind.EDIT}


# Ends that players make.


def test_among_three_a_resignation_ends_the_game_without_a_winner(sit):
    session = sit(ToyTrio()).do("a1", RESIGN, RESIGN)
    assert session.saved[-1] == Entry(EntryKind.RESIGN, "2")
    outcome = session.state.outcome
    assert (outcome.winner, outcome.reason) == (None, "resigned")
    assert session.table.scene().turn is None
    assert session.cues("win") == []
    session.ask(BACK)
    assert session.phase is Phase.TAP


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
    session = sit(game).do(*prepare, DRAW)
    assert session.notice == words
    assert Entry(EntryKind.DRAW) not in session.saved


def test_a_computer_agrees_to_no_draw(sit):
    session = sit(ToyDisc())
    session.oppose("", "3")
    session.ask(DRAW, DRAW)
    assert session.notice == "table.no_draw_with_computer"
    assert session.state.outcome is None


def test_a_journal_of_a_game_without_agreed_draws_cannot_hold_one(sit):
    state = sit(ToyTrio()).table.state
    with pytest.raises(RulesError, match="bad_entry"):
        apply_entries(ToyTrio(), state, Entry(EntryKind.DRAW))
