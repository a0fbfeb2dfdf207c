"""Setting up a position: by touch, by stones, on the page, and by all of them together."""

from random import Random

import pytest

from game.rules.base.registry import find_game
from game.rules.circle_of_life import GAME
from game.table.entries import BadEntry, EntryKind
from game.table.inputs import Command, SelectPiece, SetNames, SetPiece, SetScore
from game.table.phases import Phase
from game.table.table import Table
from tests.helpers.games.toy_game import Toy

FIVE_IN_A_ROW = ("e1", "e2", "e3", "e4", "e5")
SET_UP, BEGIN, LEAVE, NEXT_PIECE = (
    Command.SET_UP,
    Command.NEW_GAME,
    Command.TAKE_BACK,
    Command.RESIGN,
)
SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])


@SENSING
def test_hands_set_the_brushs_piece_and_the_game_begins_from_it(sit, presence):
    session = sit(presence=presence).do(SET_UP)
    assert session.phase is Phase.SET_UP
    session.do("e5", "e6", NEXT_PIECE, "a1")
    assert session.cues("stands") == ["a1", "e5", "e6"]
    session.ask(BEGIN)
    assert [entry.kind for entry in session.saved[-2:]] == [EntryKind.START, EntryKind.SET_UP]
    assert session.pieces == {"a1": "2", "e5": "1", "e6": "1"}
    assert (session.phase, session.state.draft) == (Phase.TAP, None)
    assert session.table.scene().turn == 2
    assert session.state.history == ()


@SENSING
def test_a_critter_of_five_is_flagged_and_does_not_begin(sit, presence):
    session = sit(presence=presence).do(SET_UP)
    session.do(*FIVE_IN_A_ROW)
    assert session.cues("wrong") == list(FIVE_IN_A_ROW)
    assert "circle_of_life.impossible" in session.prompts
    saved = list(session.saved)
    session.ask(BEGIN)
    assert (session.saved, session.notice) == (saved, "circle_of_life.impossible")
    session.do("e3")
    assert session.state.draft.flaw is None
    session.do(10.0, BEGIN)
    assert session.phase is Phase.TAP


@SENSING
def test_leaving_goes_back_to_the_game_and_asks_for_its_board(sit, presence):
    session = sit(presence=presence).do("e5", "a1")
    before, saved = session.state, list(session.saved)
    session.do(SET_UP, "e5", "i5", LEAVE)
    assert [each for each in session.saved if each.kind is not EntryKind.STANDS] == saved
    assert session.state.position is before.position
    assert session.phase is Phase.EDIT
    assert (session.cues("put"), session.cues("remove")) == (["e5"], ["i5"])
    session.do(10.0, "i5", "e5")
    assert session.phase is Phase.TAP
    assert session.state.standing == before.standing


@SENSING
def test_set_up_again_clears_the_draft_and_asks_for_the_stones(sit, presence):
    session = sit(presence=presence).do("e5", "a1", SET_UP, SET_UP)
    assert session.state.draft.pieces == {}
    assert session.cues("remove") == ["a1", "e5"]
    session.do(10.0, "a1", "e5")
    assert session.state.standing == {}
    session.ask(BEGIN)
    assert (session.pieces, session.phase) == ({}, Phase.TAP)


@SENSING
def test_the_page_lays_pieces_and_hands_bring_them(sit, presence):
    session = sit(presence=presence).do("e5", SET_UP)
    for wish in (SetPiece("i5", "1"), SetPiece("i4", "2"), SetPiece("e5", "")):
        session.give(wish)
    assert session.cues("put") == ["i4", "i5"]
    assert session.cues("remove") == ["e5"]
    session.do(10.0, "i4", "e5", "i5")
    assert session.state.draft.pieces == {"i5": "1", "i4": "2"}
    assert session.cues("put") == session.cues("remove") == []


@SENSING
def test_what_hands_have_not_brought_is_asked_for_when_the_game_begins(sit, presence):
    session = sit(presence=presence).do(SET_UP)
    for wish in (SetPiece("i5", "1"), SetPiece("a1", "2")):
        session.give(wish)
    session.do("a1", BEGIN)
    assert session.phase is Phase.EDIT
    assert session.cues("put") == ["i5"]
    session.do("i5")
    assert session.phase is Phase.TAP


def test_of_a_stone_that_is_felt_the_page_says_the_colour(sit):
    session = sit(presence=True).do("e5", SET_UP, SetPiece("e5", "2"))
    assert (session.cues("put"), session.state.draft.pieces) == ([], {"e5": "2"})


@SENSING
def test_hands_page_and_keys_set_up_one_position_together(sit, presence):
    session = sit(presence=presence)
    session.mask("i1")
    session.do(SET_UP, SelectPiece("2"), "e5", SetPiece("a1", "1"), "a1", Command.TOUCH_CELL)
    session.do(SetScore((7, 3), 1), BEGIN)
    assert session.pieces == {"a1": "1", "e5": "2", "i1": "2"}
    assert (session.table.scene().score, session.table.scene().turn) == ((7, 3), 1)
    assert session.phase is Phase.TAP


@SENSING
def test_a_set_up_position_that_is_over_is_over(sit, presence):
    session = sit(presence=presence, target="5").do(SET_UP, SetScore((1, 5), 1), BEGIN)
    assert session.phase is Phase.OVER
    assert session.state.outcome.winner == 2
    saved = list(session.saved)
    session.ask(Command.TAKE_BACK)
    assert (session.saved, session.notice) == (saved, "table.nothing_to_take_back")
    session.ask(Command.RESIGN)
    assert (session.saved, session.notice) == (saved, "table.nothing_to_resign")
    assert session.restarted().state.outcome == session.state.outcome
    session.ask(Command.NEW_GAME)
    assert session.phase is Phase.DRAW


def test_a_score_that_both_have_won_is_refused_when_the_game_is_to_begin(sit):
    session = sit(target="5").do(SET_UP, SetScore((5, 6), 1), BEGIN)
    assert session.notice == "rules.both_won"
    assert session.phase is Phase.SET_UP


@pytest.mark.parametrize(
    ("score", "to_move"),
    [((1,), 1), ((1, 2, 3), 1), ((-1, 0), 1), ((0, 10_000), 1), ((0, 0), 0), ((0, 0), 3)],
)
def test_a_score_or_a_player_that_makes_no_sense_is_refused(sit, score, to_move):
    session = sit().do(SET_UP)
    before = session.state.draft
    session.give(SetScore(score, to_move))
    assert (session.state.draft, session.notice) == (before, "table.cannot_tally")


@pytest.mark.parametrize(
    "wish", [SetPiece("z9", "1"), SetPiece("e5", "?"), SetPiece("key:x", ""), SelectPiece("")]
)
def test_pieces_and_cells_that_do_not_exist_are_refused(sit, wish):
    session = sit().do(SET_UP)
    before = session.state.draft
    session.give(wish)
    assert (session.state.draft, session.notice) == (before, "table.cannot_lay")


@pytest.mark.parametrize("wish", [SetPiece("e5", "1"), SelectPiece("2"), SetScore((0, 0), 1)])
def test_what_the_page_says_of_no_draft_is_refused(sit, wish):
    session = sit().do(wish)
    assert (session.notice, session.pieces) == ("table.not_setting_up", {})


@SENSING
def test_options_and_names_are_those_of_the_game_before(sit, presence):
    session = sit(presence=presence, target="7").do(SetNames(("Ada", "Bea")), SET_UP)
    session.do("e5", BEGIN)
    assert session.state.options["target"] == "7"
    assert session.state.names == ("Ada", "Bea")
    kinds = [entry.kind for entry in session.saved[-3:]]
    assert kinds == [EntryKind.START, EntryKind.NAMES, EntryKind.SET_UP]


@SENSING
def test_a_set_up_game_is_played_taken_back_and_resumed(sit, presence):
    session = sit(presence=presence).do(SET_UP)
    session.do("e5", "i5", SelectPiece("2"), "d4", "f5", SetScore((3, 0), 1), BEGIN)
    start = session.state.position
    session.do("e6")
    assert session.table.scene().score == (5, 0)
    assert session.cues("remove") == ["d4", "f5"]
    entries = session.saved[[entry.kind for entry in session.saved].index(EntryKind.SET_UP) - 1 :]
    session.saved = entries
    again = session.restarted()
    assert again.state.position == session.state.position
    assert [edit.cell for edit in again.state.pending] == ["d4", "f5"]
    session.do(Command.TAKE_BACK, 1.0, "e6")
    assert (session.state.position, session.phase) == (start, Phase.TAP)
    session.ask(Command.TAKE_BACK)
    assert session.notice == "table.nothing_to_take_back"


def test_a_draft_is_gone_after_a_restart_and_the_game_is_back(sit):
    session = sit().do("e5", "a1", SET_UP, "i5")
    again = session.restarted()
    assert (again.state.draft, again.state.phase) == (None, Phase.CONFIRM)
    assert GAME.pieces(again.state.position) == {"e5": "1", "a1": "2"}


def test_a_game_whose_pieces_cannot_be_set_up_says_so(sit):
    session = sit(Toy()).do(SET_UP)
    assert (session.notice, session.state.draft) == ("rules.no_set_up", None)


def test_stones_set_in_a_pause_are_in_the_draft_after_it(sit):
    session = sit(presence=True).do(SET_UP)
    session.disturb()
    session.put("e5")
    assert session.notice == "table.paused"
    assert session.state.draft.pieces == {}
    session.mend()
    assert session.state.draft.pieces == {"e5": "1"}


@pytest.mark.parametrize("end", [BEGIN, LEAVE])
def test_what_is_still_to_be_laid_after_a_set_up_is_asked_for_after_a_restart(sit, end):
    session = sit().do("e5", "a1", SET_UP, "a1", SetPiece("c3", "2"), SetPiece("e5", ""), end)
    pending = session.state.pending
    assert [edit.cell for edit in pending] == (["c3", "e5"] if end is BEGIN else ["a1"])
    starts = [n for n, entry in enumerate(session.saved) if entry.kind is EntryKind.START]
    again = Table(GAME, {}, Random(0))
    again.resume(session.saved[starts[-1] :], 0.0)
    assert again.state.pending == pending
    assert again.state.standing == session.state.standing


def test_a_game_is_set_up_only_once(sit):
    session = sit().do(SET_UP)
    session.do("e5", BEGIN)
    again = [entry for entry in session.saved if entry.kind in (EntryKind.START, EntryKind.SET_UP)][
        -2:
    ]
    with pytest.raises(BadEntry, match="set_up"):
        Table(GAME, {}, Random(0)).resume([*again, again[1]], 0.0)


@pytest.mark.parametrize(
    ("name", "first", "mover"),
    [
        ("azteka", "1", 2),
        ("azteka", "2", 1),
        ("azteka-three", "1", 3),
    ],
)
def test_set_up_leaves_each_player_their_side_for_either_mover(sit, name, first, mover):
    game = find_game(name)
    session = sit(game, first=first)
    position = session.state.position
    before = [game.presentation.called(position, n + 1) for n in range(len(game.players))]
    session.do(Command.SET_UP, SetPiece("a1", "L"), SetPiece("c3", "D"))
    session.do(SetScore(session.state.draft.score, mover), Command.NEW_GAME)
    assert session.state.draft is None, session.notice
    after = session.state.position
    assert game.to_move(after) == mover
    assert [game.presentation.called(after, n + 1) for n in range(len(game.players))] == before
    resumed = session.restarted()
    assert resumed.state.position == after
