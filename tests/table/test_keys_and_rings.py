"""Keys of a game, rings that turn, moves of several taps, rounds and agreed ends."""

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest

from game.rules.adaptoid import GAME as ADAPTOID
from game.rules.azteka import GAME as AZTEKA
from game.rules.base.edits import Edit, EditKind, differences, edits_between
from game.rules.base.errors import RulesError
from game.rules.base.game import Game
from game.rules.boards.disc import disc
from game.table import Phase, Table, apply_entries
from game.table.entries import Entry, EntryKind, options_text
from game.table.hands import RING_TURN_S
from game.table.inputs import Command, Lifted, SetOpponents, StonesChanged, Touched
from game.table.touches import SETTLE_S
from tests.helpers.games.toy_disc import BigDisc, PlainDisc, ToyDisc, ToyTrio
from tests.table.random_game import LEVELS, TableSession

BOARD = disc(2, 4)
RING = BOARD.rings["ring1"]
BACK, DRAW, RESIGN, CONFIRM = Command.TAKE_BACK, Command.DRAW, Command.RESIGN, Command.CONFIRM
SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])


def keys(session):
    return {key: lamp.cue.value for key, lamp in session.table.scene().keys.items()}


def is_right(session):
    return session.phase is Phase.TAP and dict(session.state.standing) == session.pieces


def stand(session, *cells):
    """Let just these stones stand, from one moment to the next."""
    session.stones = set(cells)
    session.give(StonesChanged(frozenset(cells)))
    return session


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


@pytest.mark.parametrize(
    ("game", "entry"),
    [(ToyDisc(), Entry(EntryKind.EDIT, "ring3")), (ToyTrio(), Entry(EntryKind.DRAW))],
    ids=["a ring that is not there", "a draw that cannot be agreed on"],
)
def test_entries_that_this_game_cannot_have_are_refused(sit, game, entry):
    with pytest.raises(RulesError, match="bad_entry"):
        apply_entries(sit(game).state, entry)


# Keys.


def test_keys_that_go_on_are_lit_and_said(sit):
    session = sit(ToyDisc())
    assert keys(session) == {"ring1": "legal", "ring2": "legal", "choice1": "legal"}
    assert session.prompts == ["table.begins", "table.or_turn", "table.or_press"]
    session.tap("choice1")
    assert keys(session) == {"ring1": "legal", "ring2": "legal", "choice1": "chosen"}
    assert session.prompts == ["table.go_on_by_key"]
    # Hints that are keys.
    session = sit(ToyDisc()).do(Command.HINT)
    session.think("T1", "TT2", "a1")
    assert keys(session) == {"ring1": "hint", "choice1": "hint", "ring2": "legal"}
    session.tap("choice1")
    assert keys(session) == {"choice1": "chosen", "ring2": "hint", "ring1": "legal"}


@pytest.mark.parametrize("lifts", [(), (Lifted("ring1"),)])
@SENSING
def test_a_key_that_bounces_turns_its_ring_once(sit, presence, lifts):
    again = (*lifts, Touched("ring1"))
    session = sit(ToyDisc(), presence=presence).do(Touched("ring1"), *again, *again, *again)
    assert (session.moves, session.notice) == (["T1"], "")


def test_a_key_that_the_game_does_not_have_or_that_comes_too_early_is_refused(sit):
    session = sit(ToyDisc())
    before = session.state.position
    for key in ("choice2", "ring7", "z9"):
        assert session.do(key).notice == "table.no_key"
        assert session.state.position is before
    session = sit(ToyDisc()).do("a1", "b2", BACK, "ring1")
    assert (session.notice, keys(session)) == ("table.first_put_right", {"ring1": "wrong"})


def test_the_computers_turn_by_two_is_asked_for_key_by_key(sit):
    session = sit(ToyDisc())
    session.oppose("1", "")
    session.think("TT2")
    assert (keys(session), session.prompts) == ({"choice1": "proposed"}, ["table.wants_key"])
    assert session.do("ring1").notice == "table.not_its_key"
    session.tap("choice1")
    assert (keys(session)["ring2"], session.do("ring2").moves) == ("proposed", ["TT2"])


# Rings that turn, where touches are sensed.


def test_a_turned_ring_runs_clockwise_in_the_colours_of_its_pieces_for_a_while(sit):
    session = sit(ToyDisc()).do("a1", "d1", "ring1")
    lamps = [session.table.scene().cells[cell] for cell in RING]
    assert {lamp.cue.value for lamp in lamps} == {"turned"}
    assert [lamp.phase for lamp in lamps] == [0.0, 0.25, 0.5, 0.75]
    assert [lamp.side for lamp in lamps] == [2, 1, None, None]
    assert session.table.due() == pytest.approx(session.now + RING_TURN_S, abs=0.2)
    session.wait(RING_TURN_S)
    assert (session.cues("turned"), session.state.ring_turn) == ([], None)


def test_a_turn_that_is_taken_back_is_one_thing_to_do(sit):
    session = sit(ToyDisc()).do("a1", "d1", "ring1", BACK)
    assert session.state.pending == (Edit(EditKind.TURN, "ring1", "", -1),)
    (prompt,) = session.table.scene().prompt
    assert (prompt.key, prompt.args) == ("table.turn_ring_back", {"ring": "1", "count": 1})
    phases = [session.table.scene().cells[cell].phase for cell in RING]
    assert phases == [0.0, 0.75, 0.5, 0.25], "it runs the other way"
    assert keys(session) == {"ring1": "turned"}


def test_a_turn_that_no_hand_made_belongs_to_who_made_it_until_it_is_done(sit):
    session = sit(ToyDisc()).do("a1")
    session.table.resume([Entry(EntryKind.MOVE, "T1")], session.now)
    assert session.do(CONFIRM).table.scene().turn == 2
    assert session.prompts == ["table.played", "table.turn_ring"]
    assert session.do("ring1").table.scene().turn == 1


def test_another_piece_is_chosen_instead_but_no_other_move_is_begun(sit):
    session = sit(ADAPTOID)
    start = Entry(EntryKind.SET_UP, "a1=W1L0P,b2=W1L0P,g4=B1L0P play 1 WB 0-0")
    session.table.resume([start], session.now)
    assert session.do(CONFIRM, "a1", "b2").state.taps == ("b2",)
    assert session.do("a2").state.taps == ("b2", "a2"), "a move, though a body could grow there"
    assert session.do(BACK, "b2", "f3").state.taps == ("b2",), "too far, and nothing can grow there"


# The end of a round.


def round_over(sit, game=None):
    """Play a round to its end: the outer ring, and of the inner one as much as that takes."""
    session = sit(game or ToyDisc())
    order = sorted(session.table.game.board.cells, key=lambda cell: (-int(cell[1]), cell))
    for cell in order[: session.table.game.full]:
        session.tap(cell)
        while session.phase is Phase.EDIT:
            session.tap(session.state.pending[0].cell)
    return session.do(SETTLE_S)


@pytest.mark.parametrize("shown", [0, 2])
def test_the_end_of_a_round_asks_to_clear_the_board_also_after_a_power_cut(sit, shown):
    session = round_over(sit)
    assert (session.phase, session.prompts) == (Phase.CONFIRM, ["table.played", "table.clear_all"])
    assert len(session.cues("remove")) == 6
    session.tap(*session.cues("remove")[:shown])
    again = Table(ToyDisc(), {}, Random(0), levels=LEVELS)
    again.resume(session.saved, 0.0)
    assert (again.state.phase, again.state.rebuilding) == (Phase.CONFIRM, True)
    assert again.state.standing == session.state.standing
    assert again.scene().prompt == session.table.scene().prompt
    entries = again.handle(Touched("d1"), 1.0)
    assert [entry.kind for entry in entries] == [EntryKind.EDIT] * (6 - shown)
    assert (again.state.phase, dict(again.state.standing)) == (Phase.TAP, {})


def test_the_end_of_a_round_is_taken_back_before_and_after_the_board_is_cleared(sit):
    session = round_over(sit).do(BACK)
    assert (session.phase, session.cues("remove")) == (Phase.EDIT, ["b1"])
    big = round_over(sit, BigDisc()).do(CONFIRM, BACK)
    assert (big.phase, big.prompts) == (Phase.CONFIRM, ["table.lay_out"])
    assert len(big.cues("put")) == 9
    saved = len(big.saved)
    big.tap(next(cell for cell in big.table.game.board.cells if cell not in big.pieces))
    assert is_right(big)
    assert set(big.kinds(saved)) == {"EDIT"}


# Ends that players make.


def test_among_three_a_resignation_ends_the_game_without_a_winner(sit):
    session = sit(ToyTrio()).do("a1", RESIGN, RESIGN)
    assert session.saved[-1] == Entry(EntryKind.RESIGN, "2")
    outcome, scene = session.state.outcome, session.table.scene()
    assert (outcome.winner, outcome.reason, scene.turn) == (None, "resigned", None)
    assert (session.cues("win"), session.do(BACK).phase) == ([], Phase.TAP)


@pytest.mark.parametrize(
    ("game", "prepare", "words"),
    [
        (ToyTrio(), [], "table.no_agreed_draws"),
        (ToyDisc(), [RESIGN, RESIGN], "table.nothing_to_draw"),
        (ToyDisc(), [Command.SET_UP], "table.setting_up_first"),
        (ToyDisc(), [Command.NEW_GAME], "table.nothing_to_draw"),
        (ToyDisc(), [SetOpponents(("", "3")), DRAW], "table.no_draw_with_computer"),
    ],
)
def test_a_draw_is_refused_in_words(sit, game, prepare, words):
    session = sit(game).do(*prepare, DRAW)
    assert session.notice == words
    assert Entry(EntryKind.DRAW) not in session.saved


# Rings, exchanges and moves of several taps where standing stones are sensed.


@pytest.fixture(params=[ToyDisc(), PlainDisc()], ids=lambda game: game.name)
def wheel(sit, request):
    """A disc with a1 of side 1 and b1 of side 2 on its inner ring, and c2; side 2 to move."""
    return sit(request.param, presence=True).do("a1", "b1", "c2", 10.0)


@pytest.fixture
def limbs(sit):
    """An adaptoid with a leg on a1, of the player to move, and one on g4."""
    session = sit(ADAPTOID, presence=True)
    start = Entry(EntryKind.SET_UP, "a1=W1L0P,g4=B1L0P play 1 WB 0-0")
    session.table.resume([start], session.now)
    return session.do({"a1", "g4"})


def test_a_ring_whose_key_is_pressed_shows_on_its_way_until_it_has_been_turned(wheel):
    wheel.tap("ring1")
    assert (wheel.moves[-1], wheel.saved[-1]) == ("T1", Entry(EntryKind.EDIT, "ring1"))
    assert wheel.cues("turned") == sorted(RING)
    assert wheel.prompts == ["table.played", "table.turn_ring_felt"]
    assert wheel.table.scene().turn == 2, "the turn lasts until the ring is there"
    assert wheel.do(60.0).cues("turned") == sorted(RING), "it is not turned yet"
    assert is_right(stand(wheel, "b1", "c1", "c2"))
    assert wheel.pieces == {"b1": "1", "c1": "2", "c2": "1"}
    assert (wheel.cues("turned"), wheel.table.scene().turn) == ([], 1)
    # Taken back by key, it shows on its way back.
    assert wheel.do(10.0, BACK).cues("turned") == sorted(RING)
    assert wheel.prompts == ["table.turn_ring_back_felt"]
    assert is_right(stand(wheel, "a1", "b1", "c2"))
    assert wheel.pieces == {"a1": "1", "b1": "2", "c2": "1"}
    resumed = wheel.restarted().state
    assert (resumed.phase, resumed.standing) == (Phase.TAP, wheel.state.standing)


@pytest.mark.parametrize("order", [*permutations(("a1", "b1", "-b1", "c1"))])
def test_a_ring_that_is_turned_stone_by_stone_takes_nothing_back(wheel, order):
    wheel.tap("ring1")
    where = {"a1", "b1", "c2"}
    for change in order:
        where ^= {change.removeprefix("-")}
        assert stand(wheel, *where).moves == ["a1", "b1", "c2", "T1"]
    assert where == {"b1", "c1", "c2"} or not is_right(wheel)
    assert is_right(stand(wheel, "b1", "c1", "c2"))


def test_a_stone_that_fell_while_its_ring_was_turned_is_asked_for(wheel):
    wheel.tap("ring1")
    stand(wheel, "c1", "c2").wait(RING_TURN_S)
    assert (wheel.cues("put"), wheel.prompts) == (["b1"], ["table.played", "table.lay"])
    assert is_right(wheel.do("b1"))


def test_a_ring_may_be_turned_by_two_before_between_or_after_its_keys(wheel):
    for before in (0, 1, 2):
        spots = [cell for cell in RING if cell in wheel.pieces]
        goes = {RING[(RING.index(cell) + 2) % 4] for cell in spots} | {"c2"}
        keys = ["choice1", "ring1"]
        stand(wheel.do(*keys[:before]), *goes).do(*keys[before:])
        assert wheel.moves[-1] == "TT1"
        assert is_right(wheel)


def test_a_ring_turned_before_its_key_is_pressed_waits_for_that_key_only(wheel):
    stand(wheel, "c2")
    assert stand(wheel, "b1", "c1", "c2").notice == "table.press_for_it"
    assert wheel.do("ring2").notice == "table.first_put_right"
    assert wheel.moves == ["a1", "b1", "c2"]
    assert is_right(stand(wheel.twin(), "a1", "b1", "c2"))
    assert wheel.do("ring1").moves[-1] == "T1"
    assert is_right(wheel)


def test_a_turn_goes_on_after_a_power_cut_as_far_as_it_had_come(wheel):
    wheel.tap("ring1")
    for stones in ({"a1", "b1", "c2"}, {"b1", "c1", "c2"}):
        wheel.stones = stones
        again = wheel.restarted()
        assert again.state.phase is (Phase.TAP if "c1" in stones else Phase.EDIT)
        again.handle(StonesChanged(frozenset({"b1", "c1", "c2"})), 1.0)
        assert dict(again.state.standing) == {"b1": "1", "c1": "2", "c2": "1"}


def test_an_exchange_is_lifted_and_put_and_found_again_after_a_power_cut(sit):
    session = sit(ToyDisc(), presence=True).do("b1", "a1", "d2", "c1")
    assert (session.cues("swap"), session.do("b1").cues("put")) == (["b1"], ["b1"])
    assert session.moves == ["b1", "a1", "d2", "c1"]
    assert is_right(session.do("b1"))
    assert session.saved[-1] == Entry(EntryKind.EDIT, "b1")
    again = session.restarted().state
    assert (again.phase, again.standing["b1"]) == (Phase.TAP, "2")


def test_another_piece_begins_again_when_the_first_is_back(limbs):
    assert limbs.do("a1", "a1", "a2").moves == ["/+a2"], "a1 had not moved"
    assert is_right(limbs)


@pytest.mark.parametrize("order", [*permutations(("b3", "a2", "a1"))])
def test_a_move_of_several_taps_is_taken_back_by_hands_in_any_order(limbs, order):
    assert limbs.do("a1", "a2", "b3").moves == ["a1-a2/+b3"]
    assert limbs.do(5.0, *order).moves == []
    assert is_right(limbs)


# Found by the soak, with as few inputs as possible.


def after(game: Game[Any, Any], moves: Sequence[str], presence: bool) -> TableSession:
    """A table at which these moves have been made, whose board is right."""
    session = TableSession(game, {"first": "1"}, presence)
    entries, position = [Entry(EntryKind.START, options_text({"first": "1"}))], game.initial()
    for move in moves:
        before = game.pieces(position)
        position = game.play(position, game.parse_move(position, move))
        edits = differences(before, game.pieces(position), game.board.cells)
        entries.append(Entry(EntryKind.MOVE, move))
        entries += [Entry(EntryKind.EDIT, edit.cell) for edit in edits]
    session.table.resume(entries, session.now)
    session.do({*game.pieces(position)} if presence else Command.CONFIRM)
    assert (session.phase, session.moves) == (Phase.TAP, [*moves])
    return session.do(30.0)


def test_a_body_lifted_after_others_have_grown_takes_no_moves_back():
    moves = ["W:d4 B:g4", "white", "/+d5", "/g4L", "/d4L"]
    session = after(ADAPTOID, moves, presence=True).do("d5")
    assert (session.moves, session.cue("d5")) == (moves, "put")
    session.do(3.0, "d5")
    assert (session.moves, session.phase) == (moves, Phase.TAP)


def test_a_new_body_where_another_has_just_left_is_not_that_one():
    moves = ["W:d4 B:g4", "white", "/d4L", "/+g3"]
    session = after(ADAPTOID, moves, presence=True).do("d4", 2.0, "e4", 2.0, "d4", 2.0)
    assert session.moves == [*moves, "d4-e4/+d4"]
    # Without e4 the stones stand as before that move, but one is another piece.
    session.do("e4")
    assert (session.moves[-1], session.cue("e4")) == ("d4-e4/+d4", "put")
    assert session.do(2.0, "e4").phase is Phase.TAP


def test_hands_that_go_on_when_a_round_ends_do_not_say_that_the_board_is_clear():
    moves = ("a1", "b1", "a2", "b2", "T4", "b3", "T4")
    session = after(AZTEKA, moves, presence=False).do(Touched("b4"), Lifted("b4"))
    assert session.phase is Phase.CONFIRM
    session.do(0.3, Touched("h3"), Lifted("h3"))
    assert (session.phase, "b1" in session.state.standing) == (Phase.CONFIRM, True)
    session.do(1.5, Touched("h3"))
    assert (session.phase, dict(session.state.standing)) == (Phase.TAP, {})
