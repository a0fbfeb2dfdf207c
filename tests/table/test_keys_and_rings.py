"""Keys of a game, rings that turn, moves of several taps, rounds and agreed ends."""

from itertools import permutations
from random import Random

import pytest

from game.rules.adaptoid import GAME as ADAPTOID
from game.rules.azteka import GAME as AZTEKA
from game.rules.base.edits import Edit, EditKind, edits_between
from game.rules.base.errors import RulesError
from game.rules.boards.board import disc
from game.rules.circle_of_life import GAME as CIRCLE
from game.table import Phase, Table, apply_entries
from game.table.entries import Entry, EntryKind
from game.table.hands import RING_TURN_S
from game.table.inputs import Command, Lifted, SetOpponents, StonesChanged, Touched
from game.table.touches import SETTLE_S
from tests.table.random_game import LEVELS

THREE, WIDE = AZTEKA.variants["three"], AZTEKA.variants["aggressive"]
BOARD = AZTEKA.board
RING = BOARD.rings["ring1"]
BACK, DRAW, RESIGN, CONFIRM = Command.TAKE_BACK, Command.DRAW, Command.RESIGN, Command.CONFIRM
SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
ROUND = "LL../DDD./LL../LL../.L../.L../..../.... basic LD D -"
"""A round that Death wins by a fourth piece on b4."""
LEGS = "a1=W1L0P,b2=W1L0P,g4=B1L0P play 1 WB 0-0"


def ring(*segments: str, mover: str = "L") -> str:
    """Write a position of the aggressive Azteka by the pieces of its segments from a on."""
    rest = ["...."] * (8 - len(segments))
    return f"{'/'.join((*segments, *rest))} aggressive LD {mover} -"


@pytest.fixture
def at(sit):
    """Start at a position that was set up, and after some moves; the board is right."""

    def _at(game, set_up, *moves, presence=False):
        session = sit(game, presence=presence)
        entries = [Entry(EntryKind.SET_UP, set_up)] if set_up else []
        entries += [Entry(EntryKind.MOVE, move) for move in moves]
        session.saved += [*entries, *session.table.resume(entries, session.now)]
        session.do({*session.pieces} if presence else CONFIRM, 30.0)
        assert (session.phase, session.moves) == (Phase.TAP, [*moves])
        return session

    return _at


def keys(session):
    return {key: lamp.cue.value for key, lamp in session.table.scene().keys.items()}


def is_right(session):
    return session.phase is Phase.TAP and dict(session.state.standing) == session.pieces


def stand(session, *cells):
    """Let just these stones stand, from one moment to the next."""
    session.stones = set(cells)
    session.give(StonesChanged(frozenset(cells)))
    return session


def test_differences_that_are_a_turn_of_a_ring_are_one_edit_the_shorter_way_round():
    stand = {"a1": "1", "b1": "2", "c2": "1"}
    goes = {"b1": "1", "c1": "2", "c2": "1"}
    assert edits_between(stand, goes, BOARD, BOARD.rings) == (Edit(EditKind.TURN, "ring1", "", 1),)
    assert len(edits_between(stand, goes, BOARD)) == 3
    # Forward where both ways are as long.
    alone = disc(1, 8)
    cells = alone.rings["ring1"]
    for steps, shown in ((1, 1), (3, 3), (4, 4), (5, -3), (7, -1)):
        edits = edits_between({cells[0]: "1"}, {cells[steps]: "1"}, alone, alone.rings)
        assert edits == (Edit(EditKind.TURN, "ring1", "", shown),)


@pytest.mark.parametrize(
    ("game", "entry"),
    [(AZTEKA, Entry(EntryKind.EDIT, "ring5")), (CIRCLE, Entry(EntryKind.DRAW))],
    ids=["a ring that is not there", "a draw that cannot be agreed on"],
)
def test_entries_that_this_game_cannot_have_are_refused(sit, game, entry):
    with pytest.raises(RulesError, match="bad_entry"):
        apply_entries(sit(game).state, entry)


# Keys.


def test_keys_that_go_on_are_lit_and_said(at):
    session = at(WIDE, ring("L..."))
    legal = dict.fromkeys(("ring1", "ring2", "ring3", "ring4", "choice1"), "legal")
    assert keys(session) == legal
    assert session.prompts == ["table.begins", "table.or_turn", "table.or_press"]
    begun = session.twin().do("choice1")
    assert keys(begun) == {"ring1": "legal", "choice1": "chosen"}
    assert begun.prompts == ["table.go_on_by_key"]
    # Hints that are keys.
    session.do(Command.HINT).think("T2", "TT1", "b1")
    assert keys(session) == {**legal, "ring2": "hint", "choice1": "hint"}
    assert keys(session.do("choice1")) == {"choice1": "chosen", "ring1": "hint"}


@pytest.mark.parametrize("lifts", [(), (Lifted("ring1"),)])
@SENSING
def test_a_key_that_bounces_turns_its_ring_once(sit, presence, lifts):
    again = (*lifts, Touched("ring1"))
    session = sit(AZTEKA, presence=presence).do(Touched("ring1"), *again, *again, *again)
    assert (session.moves, session.notice) == (["T1"], "")


def test_a_key_that_the_game_does_not_have_or_that_comes_too_early_is_refused(sit):
    session = sit(AZTEKA)
    before = session.state.position
    for key in ("choice2", "ring7", "z9"):
        assert session.do(key).notice == "table.no_key"
        assert session.state.position is before
    session = sit(AZTEKA).do("a1", BACK, "ring1")
    assert (session.notice, keys(session)) == ("table.first_put_right", {"ring1": "wrong"})


def test_the_computers_turn_by_two_is_asked_for_key_by_key(at):
    session = at(WIDE, ring("L...")).oppose("1", "").think("TT1")
    assert (keys(session), session.prompts) == ({"choice1": "proposed"}, ["table.wants_key"])
    assert session.do("ring1").notice == "table.not_its_key"
    session.tap("choice1")
    assert (keys(session)["ring1"], session.do("ring1").moves) == ("proposed", ["TT1"])


# Rings that turn, where touches are sensed.


def test_a_turned_ring_runs_clockwise_in_the_colours_of_its_pieces_for_a_while(at):
    session = at(WIDE, ring("L...", "D...")).do("ring1")
    lamps = [session.table.scene().cells[cell] for cell in RING]
    assert {lamp.cue.value for lamp in lamps} == {"turned"}
    assert [lamp.phase for lamp in lamps] == [n / 8 for n in range(8)]
    assert [lamp.side for lamp in lamps] == [None, 1, 2, *[None] * 5]
    assert session.table.due() == pytest.approx(session.now + RING_TURN_S, abs=0.2)
    session.wait(RING_TURN_S)
    assert (session.cues("turned"), session.state.ring_turn) == ([], None)


def test_a_turn_that_is_taken_back_is_one_thing_to_do(at):
    session = at(WIDE, ring("L...", "D...")).do("ring1", BACK)
    assert session.state.pending == (Edit(EditKind.TURN, "ring1", "", -1),)
    (prompt,) = session.table.scene().prompt
    assert (prompt.key, prompt.args) == ("table.turn_ring_back", {"ring": "1", "count": 1})
    phases = [session.table.scene().cells[cell].phase for cell in RING]
    assert phases == [-n % 8 / 8 for n in range(8)], "it runs the other way"
    assert keys(session) == {"ring1": "turned"}


def test_a_turn_that_no_hand_made_belongs_to_who_made_it_until_it_is_done(at):
    session = at(WIDE, ring("L..."))
    session.table.resume([Entry(EntryKind.MOVE, "T1")], session.now)
    assert session.do(CONFIRM).table.scene().turn == 1
    assert session.prompts == ["azteka.turned", "table.turn_ring"]
    assert session.do("ring1").table.scene().turn == 2


def test_another_piece_is_chosen_instead_but_no_other_move_is_begun(at):
    session = at(ADAPTOID, LEGS).do("a1", "b2")
    assert session.state.taps == ("b2",)
    assert session.do("a2").state.taps == ("b2", "a2"), "a move, though a body could grow there"
    assert session.do(Touched("a2")).notice == "table.touch_again", "a second tap would count"
    session.do(Lifted("a2"), BACK, "b2", "f3")
    assert session.state.taps == ("b2",), "too far, and nothing can grow there"


# The end of a round.


@pytest.mark.parametrize("shown", [0, 2])
def test_the_end_of_a_round_asks_to_clear_the_board_also_after_a_power_cut(at, shown):
    session = at(AZTEKA, ROUND).do("b4", SETTLE_S)
    assert session.phase is Phase.CONFIRM
    assert session.prompts == ["azteka.round_won", "table.clear_all"]
    assert len(session.cues("remove")) == 12
    session.tap(*session.cues("remove")[:shown])
    again = Table(AZTEKA, {}, Random(0), levels=LEVELS)
    again.resume(session.saved, 0.0)
    assert (again.state.phase, again.state.rebuilding) == (Phase.CONFIRM, True)
    assert again.state.standing == session.state.standing
    assert again.scene().prompt == session.table.scene().prompt
    entries = again.handle(Touched("h4"), 1.0)
    assert [entry.kind for entry in entries] == [EntryKind.EDIT] * (12 - shown)
    assert (again.state.phase, dict(again.state.standing)) == (Phase.TAP, {})


def test_the_end_of_a_round_is_taken_back_before_and_after_the_board_is_cleared(at):
    session = at(AZTEKA, ROUND).do("b4", SETTLE_S)
    before = session.twin().do(BACK)
    assert (before.phase, before.cues("remove")) == (Phase.EDIT, ["b4"])
    session.do(CONFIRM, BACK)
    assert (session.phase, session.prompts) == (Phase.CONFIRM, ["table.lay_out"])
    assert len(session.cues("put")) == 11
    saved = len(session.saved)
    assert is_right(session.do("h4"))
    assert set(session.kinds(saved)) == {"EDIT"}


def test_hands_that_go_on_when_a_round_ends_do_not_say_that_the_board_is_clear(at):
    session = at(AZTEKA, ROUND).do("b4", 0.3, Touched("h3"), Lifted("h3"))
    assert (session.phase, "b1" in session.state.standing) == (Phase.CONFIRM, True)
    session.do(1.5, Touched("h3"))
    assert (session.phase, dict(session.state.standing)) == (Phase.TAP, {})


# Ends that players make.


def test_among_three_a_resignation_ends_the_game_without_a_winner(sit):
    session = sit(THREE).do("a1", RESIGN, RESIGN)
    assert session.saved[-1] == Entry(EntryKind.RESIGN, "2")
    outcome, scene = session.state.outcome, session.table.scene()
    assert (outcome.winner, outcome.reason, scene.turn) == (None, "resigned", None)
    assert (session.cues("win"), session.do(BACK).phase) == ([], Phase.TAP)


@pytest.mark.parametrize(
    ("game", "prepare", "words"),
    [
        (CIRCLE, [], "table.no_agreed_draws"),
        (AZTEKA, [RESIGN, RESIGN], "table.nothing_to_draw"),
        (AZTEKA, [Command.SET_UP], "table.setting_up_first"),
        (AZTEKA, [Command.NEW_GAME], "table.nothing_to_draw"),
        (AZTEKA, [SetOpponents(("", "3")), DRAW], "table.no_draw_with_computer"),
    ],
)
def test_a_draw_is_refused_in_words(sit, game, prepare, words):
    session = sit(game).do(*prepare, DRAW)
    assert session.notice == words
    assert Entry(EntryKind.DRAW) not in session.saved


# Rings, exchanges and moves of several taps where standing stones are sensed.


@pytest.fixture
def wheel(at):
    """Return a disc with pieces on its inner ring, and one beside it; Death is to move."""
    return at(WIDE, ring("L...", "D...", ".L..", mover="D"), presence=True)


def test_a_ring_whose_key_is_pressed_shows_on_its_way_until_it_has_been_turned(wheel):
    wheel.tap("ring1")
    assert (wheel.moves[-1], wheel.saved[-1]) == ("T1", Entry(EntryKind.EDIT, "ring1"))
    assert wheel.cues("turned") == sorted(RING)
    assert wheel.prompts == ["azteka.turned", "table.turn_ring_felt"]
    assert wheel.table.scene().turn == 2, "the turn lasts until the ring is there"
    late = wheel.twin().do(RING_TURN_S)
    assert (late.cues("turned"), late.cues("put"), late.cues("remove")) == ([], ["c1"], ["a1"])
    assert is_right(late.do("a1", "c1"))
    assert is_right(stand(wheel, "b1", "c1", "c2"))
    assert wheel.pieces == {"b1": "L", "c1": "D", "c2": "L"}
    assert (wheel.do(RING_TURN_S).cues("turned"), wheel.table.scene().turn) == ([], 1)
    # Taken back by key, it shows on its way back.
    assert wheel.do(10.0, BACK).cues("turned") == sorted(RING)
    assert wheel.prompts == ["table.turn_ring_back_felt"]
    assert is_right(stand(wheel, "a1", "b1", "c2"))
    assert wheel.pieces == {"a1": "L", "b1": "D", "c2": "L"}


@pytest.mark.parametrize("order", [*permutations(("a1", "b1", "-b1", "c1"))])
def test_a_ring_that_is_turned_stone_by_stone_takes_nothing_back(wheel, order):
    wheel.tap("ring1")
    where = {"a1", "b1", "c2"}
    for change in order:
        where ^= {change.removeprefix("-")}
        assert stand(wheel, *where).moves == ["T1"]
    assert where == {"b1", "c1", "c2"} or not is_right(wheel)
    assert is_right(stand(wheel, "b1", "c1", "c2"))


@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_ring_may_be_turned_by_two_before_between_or_after_its_keys(at, before):
    wheel = at(WIDE, ring("L...", "L...", ".D.."), presence=True)
    pressed = ["choice1", "ring1"]
    stand(wheel.do(*pressed[:before]), "c1", "d1", "c2").do(*pressed[before:])
    assert wheel.moves == ["TT1"]
    assert is_right(wheel)


def test_a_ring_may_be_turned_before_its_key_is_pressed(wheel):
    stand(wheel, "c2")
    stand(wheel, "b1", "c1", "c2")
    assert (wheel.phase, wheel.moves) == (Phase.EDIT, [])
    assert is_right(stand(wheel.twin(), "a1", "b1", "c2"))
    assert wheel.do("ring1").moves == ["T1"]
    assert is_right(wheel)


def test_a_turn_goes_on_after_a_power_cut_as_far_as_it_had_come(wheel):
    wheel.tap("ring1")
    for stones in ({"a1", "b1", "c2"}, {"b1", "c1", "c2"}):
        wheel.stones = stones
        again = wheel.restarted()
        assert again.state.phase is (Phase.TAP if "c1" in stones else Phase.EDIT)
        again.handle(StonesChanged(frozenset({"b1", "c1", "c2"})), 1.0)
        assert dict(again.state.standing) == {"b1": "L", "c1": "D", "c2": "L"}


def test_an_exchange_is_lifted_and_put_and_found_again_after_a_power_cut(at):
    position = "LD../.D../..../L.../..../..../..../D... basic LD D -"
    session = at(AZTEKA, position, presence=True).do("b1")
    assert (session.cues("swap"), session.do("a1").cues("put")) == (["a1"], ["a1"])
    assert session.moves == ["b1"]
    assert is_right(session.do("a1"))
    assert session.saved[-1] == Entry(EntryKind.EDIT, "a1")
    again = session.restarted().state
    assert (again.phase, again.standing["a1"]) == (Phase.TAP, "D")


def test_a_move_of_several_taps_is_begun_again(at):
    legs = at(ADAPTOID, LEGS.replace("b2=W1L0P,", ""), presence=True)
    assert legs.do("a1", "a1", "a2").moves == ["/+a2"], "a1 had not moved"
    assert is_right(legs)


# Found by the soak, with as few inputs as possible.


def test_a_body_lifted_after_others_have_grown_takes_no_moves_back(at):
    moves = ["W:d4 B:g4", "white", "/+d5", "/g4L", "/d4L"]
    session = at(ADAPTOID, "", *moves, presence=True).do("d5")
    assert (session.moves, session.cue("d5")) == (moves, "put")
    session.do(3.0, "d5")
    assert (session.moves, session.phase) == (moves, Phase.TAP)


def test_a_new_body_where_another_has_just_left_is_not_that_one(at):
    moves = ["W:d4 B:g4", "white", "/d4L", "/+g3"]
    session = at(ADAPTOID, "", *moves, presence=True).do("d4", 2.0, "e4", 2.0, "d4", 2.0)
    assert session.moves == [*moves, "d4-e4/+d4"]
    # Without e4 the stones stand as before that move, but one is another piece.
    session.do("e4")
    assert (session.moves[-1], session.cue("e4")) == ("d4-e4/+d4", "put")
    assert session.do(2.0, "e4").phase is Phase.TAP
