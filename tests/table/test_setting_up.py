"""Setting up a position: by touch, by stones, on the page, and by all of them together."""

from random import Random

import pytest

from game.rules.base.registry import find_game
from game.rules.circle_of_life import GAME
from game.table.entries import BadEntry, EntryKind
from game.table.inputs import Command, SelectPiece, SetNames, SetPiece, SetScore
from game.table.records import Phase
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


def draft(sitting):
    return sitting.table.state.draft


def hand(sitting, *cells):
    """Set or take a stone on each cell: by a touch, or by the stone where it is felt."""
    for cell in cells:
        if sitting.table.state.hands.felt is None or cell in sitting.table.state.faults.masked:
            sitting.tap(cell)
        elif cell in sitting.stones:
            sitting.take(cell)
        else:
            sitting.put(cell)


@SENSING
def test_hands_set_the_brushs_piece_and_the_game_begins_from_it(sit, presence):
    sitting = sit(presence=presence)
    sitting.ask(SET_UP)
    assert sitting.table.state.phase is Phase.SET_UP
    hand(sitting, "e5", "e6")
    sitting.ask(NEXT_PIECE)
    hand(sitting, "a1")
    assert sitting.cues("stands") == ["a1", "e5", "e6"]
    sitting.ask(BEGIN)
    assert [entry.kind for entry in sitting.kept[-2:]] == [EntryKind.START, EntryKind.SET_UP]
    assert sitting.pieces == {"a1": "2", "e5": "1", "e6": "1"}
    assert (sitting.table.state.phase, draft(sitting)) == (Phase.TAP, None)
    assert sitting.table.scene().turn == 2
    assert sitting.table.state.history == ()


@SENSING
def test_a_critter_of_five_is_flagged_and_does_not_begin(sit, presence):
    sitting = sit(presence=presence)
    sitting.ask(SET_UP)
    hand(sitting, *FIVE_IN_A_ROW)
    assert sitting.cues("wrong") == list(FIVE_IN_A_ROW)
    assert "circle_of_life.impossible" in sitting.prompts
    kept = list(sitting.kept)
    sitting.ask(BEGIN)
    assert (sitting.kept, sitting.notice) == (kept, "circle_of_life.impossible")
    hand(sitting, "e3")
    assert draft(sitting).flaw is None
    sitting.wait(10.0)
    sitting.ask(BEGIN)
    assert sitting.table.state.phase is Phase.TAP


@SENSING
def test_leaving_goes_back_to_the_game_and_asks_for_its_board(sit, presence):
    sitting = sit(presence=presence)
    hand(sitting, "e5", "a1")
    before, kept = sitting.table.state, list(sitting.kept)
    sitting.ask(SET_UP)
    hand(sitting, "e5", "i5")
    sitting.ask(LEAVE)
    assert [each for each in sitting.kept if each.kind is not EntryKind.STANDS] == kept
    assert sitting.table.state.position is before.position
    assert sitting.table.state.phase is Phase.EDIT
    assert (sitting.cues("put"), sitting.cues("remove")) == (["e5"], ["i5"])
    sitting.wait(10.0)
    hand(sitting, "i5", "e5")
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.table.state.standing == before.standing


@SENSING
def test_set_up_again_clears_the_draft_and_asks_for_the_stones(sit, presence):
    sitting = sit(presence=presence)
    hand(sitting, "e5", "a1")
    sitting.ask(SET_UP, SET_UP)
    assert draft(sitting).pieces == {}
    assert sitting.cues("remove") == ["a1", "e5"]
    sitting.wait(10.0)
    hand(sitting, "a1", "e5")
    assert sitting.table.state.standing == {}
    sitting.ask(BEGIN)
    assert (sitting.pieces, sitting.table.state.phase) == ({}, Phase.TAP)


@SENSING
def test_the_page_lays_pieces_and_hands_bring_them(sit, presence):
    sitting = sit(presence=presence)
    hand(sitting, "e5")
    sitting.ask(SET_UP)
    for wish in (SetPiece("i5", "1"), SetPiece("i4", "2"), SetPiece("e5", "")):
        sitting.give(wish)
    assert sitting.cues("put") == ["i4", "i5"]
    assert sitting.cues("remove") == ["e5"]
    sitting.wait(10.0)
    hand(sitting, "i4", "e5", "i5")
    assert draft(sitting).pieces == {"i5": "1", "i4": "2"}
    assert sitting.cues("put") == sitting.cues("remove") == []


@SENSING
def test_what_hands_have_not_brought_is_asked_for_when_the_game_begins(sit, presence):
    sitting = sit(presence=presence)
    sitting.ask(SET_UP)
    for wish in (SetPiece("i5", "1"), SetPiece("a1", "2")):
        sitting.give(wish)
    hand(sitting, "a1")
    sitting.ask(BEGIN)
    assert sitting.table.state.phase is Phase.EDIT
    assert sitting.cues("put") == ["i5"]
    hand(sitting, "i5")
    assert sitting.table.state.phase is Phase.TAP


def test_of_a_stone_that_is_felt_the_page_says_the_colour(sit):
    sitting = sit(presence=True)
    sitting.put("e5")
    sitting.ask(SET_UP)
    sitting.give(SetPiece("e5", "2"))
    assert (sitting.cues("put"), draft(sitting).pieces) == ([], {"e5": "2"})


@SENSING
def test_hands_page_and_keys_set_up_one_position_together(sit, presence):
    sitting = sit(presence=presence)
    sitting.mask("i1")
    sitting.ask(SET_UP)
    sitting.give(SelectPiece("2"))
    hand(sitting, "e5")
    sitting.give(SetPiece("a1", "1"))
    hand(sitting, "a1")
    sitting.ask(Command.TOUCH_CELL)
    sitting.give(SetScore((7, 3), 1))
    sitting.ask(BEGIN)
    assert sitting.pieces == {"a1": "1", "e5": "2", "i1": "2"}
    assert (sitting.table.scene().score, sitting.table.scene().turn) == ((7, 3), 1)
    assert sitting.table.state.phase is Phase.TAP


@SENSING
def test_a_set_up_position_that_is_over_is_over(sit, presence):
    sitting = sit(presence=presence, target="5")
    sitting.ask(SET_UP)
    sitting.give(SetScore((1, 5), 1))
    sitting.ask(BEGIN)
    assert sitting.table.state.phase is Phase.OVER
    assert sitting.table.state.outcome.winner == 2
    kept = list(sitting.kept)
    sitting.ask(Command.TAKE_BACK)
    assert (sitting.kept, sitting.notice) == (kept, "table.nothing_to_take_back")
    sitting.ask(Command.RESIGN)
    assert (sitting.kept, sitting.notice) == (kept, "table.nothing_to_resign")
    assert sitting.restarted().state.outcome == sitting.table.state.outcome
    sitting.ask(Command.NEW_GAME)
    assert sitting.table.state.phase is Phase.DRAW


def test_a_score_that_both_have_won_is_refused_when_the_game_is_to_begin(sit):
    sitting = sit(target="5")
    sitting.ask(SET_UP)
    sitting.give(SetScore((5, 6), 1))
    sitting.ask(BEGIN)
    assert sitting.notice == "circle_of_life.both_won"
    assert sitting.table.state.phase is Phase.SET_UP


@pytest.mark.parametrize(
    ("score", "to_move"),
    [((1,), 1), ((1, 2, 3), 1), ((-1, 0), 1), ((0, 10_000), 1), ((0, 0), 0), ((0, 0), 3)],
)
def test_a_score_or_a_player_that_makes_no_sense_is_refused(sit, score, to_move):
    sitting = sit()
    sitting.ask(SET_UP)
    before = draft(sitting)
    sitting.give(SetScore(score, to_move))
    assert (draft(sitting), sitting.notice) == (before, "table.cannot_tally")


@pytest.mark.parametrize(
    "wish", [SetPiece("z9", "1"), SetPiece("e5", "?"), SetPiece("key:x", ""), SelectPiece("")]
)
def test_pieces_and_cells_that_do_not_exist_are_refused(sit, wish):
    sitting = sit()
    sitting.ask(SET_UP)
    before = draft(sitting)
    sitting.give(wish)
    assert (draft(sitting), sitting.notice) == (before, "table.cannot_lay")


@pytest.mark.parametrize("wish", [SetPiece("e5", "1"), SelectPiece("2"), SetScore((0, 0), 1)])
def test_what_the_page_says_of_no_draft_is_refused(sit, wish):
    sitting = sit()
    sitting.give(wish)
    assert (sitting.notice, sitting.pieces) == ("table.not_setting_up", {})


@SENSING
def test_options_and_names_are_those_of_the_game_before(sit, presence):
    sitting = sit(presence=presence, target="7")
    sitting.give(SetNames(("Ada", "Bea")))
    sitting.ask(SET_UP)
    hand(sitting, "e5")
    sitting.ask(BEGIN)
    assert sitting.table.state.options["target"] == "7"
    assert sitting.table.state.names == ("Ada", "Bea")
    kinds = [entry.kind for entry in sitting.kept[-3:]]
    assert kinds == [EntryKind.START, EntryKind.NAMES, EntryKind.SET_UP]


@SENSING
def test_a_set_up_game_is_played_taken_back_and_resumed(sit, presence):
    sitting = sit(presence=presence)
    sitting.ask(SET_UP)
    hand(sitting, "e5", "i5")
    sitting.give(SelectPiece("2"))
    hand(sitting, "d4", "f5")
    sitting.give(SetScore((3, 0), 1))
    sitting.ask(BEGIN)
    start = sitting.table.state.position
    hand(sitting, "e6")
    assert sitting.table.scene().score == (5, 0)
    assert sitting.cues("remove") == ["d4", "f5"]
    entries = sitting.kept[[entry.kind for entry in sitting.kept].index(EntryKind.SET_UP) - 1 :]
    sitting.kept = entries
    again = sitting.restarted()
    assert again.state.position == sitting.table.state.position
    assert [edit.cell for edit in again.state.pending(GAME)] == ["d4", "f5"]
    sitting.ask(Command.TAKE_BACK)
    sitting.wait(1.0)
    hand(sitting, "e6")
    assert (sitting.table.state.position, sitting.table.state.phase) == (start, Phase.TAP)
    sitting.ask(Command.TAKE_BACK)
    assert sitting.notice == "table.nothing_to_take_back"


def test_a_draft_is_gone_after_a_restart_and_the_game_is_back(sit):
    sitting = sit()
    sitting.tap("e5", "a1")
    sitting.ask(SET_UP)
    sitting.tap("i5")
    again = sitting.restarted()
    assert (again.state.draft, again.state.phase) == (None, Phase.CONFIRM)
    assert GAME.pieces(again.state.position) == {"e5": "1", "a1": "2"}


def test_a_game_whose_pieces_cannot_be_set_up_says_so(sit):
    sitting = sit(Toy())
    sitting.ask(SET_UP)
    assert (sitting.notice, draft(sitting)) == ("rules.no_set_up", None)


def test_stones_set_in_a_pause_are_in_the_draft_after_it(sit):
    sitting = sit(presence=True)
    sitting.ask(SET_UP)
    sitting.disturb()
    sitting.put("e5")
    assert sitting.notice == "table.paused"
    assert draft(sitting).pieces == {}
    sitting.mend()
    assert draft(sitting).pieces == {"e5": "1"}


@pytest.mark.parametrize("end", [BEGIN, LEAVE])
def test_what_is_still_to_be_laid_after_a_set_up_is_asked_for_after_a_restart(sit, end):
    sitting = sit()
    hand(sitting, "e5", "a1")
    sitting.ask(SET_UP)
    hand(sitting, "a1")
    sitting.give(SetPiece("c3", "2"))
    sitting.give(SetPiece("e5", ""))
    sitting.ask(end)
    pending = sitting.table.state.pending(GAME)
    assert [edit.cell for edit in pending] == (["c3", "e5"] if end is BEGIN else ["a1"])
    starts = [n for n, entry in enumerate(sitting.kept) if entry.kind is EntryKind.START]
    again = Table(GAME, {}, Random(0))
    again.resume(sitting.kept[starts[-1] :], 0.0)
    assert again.state.pending(GAME) == pending
    assert again.state.standing == sitting.table.state.standing


def test_a_game_is_set_up_only_once(sit):
    sitting = sit()
    sitting.ask(SET_UP)
    hand(sitting, "e5")
    sitting.ask(BEGIN)
    again = [entry for entry in sitting.kept if entry.kind in (EntryKind.START, EntryKind.SET_UP)][
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
    sitting = sit(game, first=first)
    position = sitting.table.state.position
    before = [game.presentation.called(position, n + 1) for n in range(len(game.players))]
    sitting.ask(Command.SET_UP)
    sitting.give(SetPiece("a1", "L"))
    sitting.give(SetPiece("c3", "D"))
    sitting.give(SetScore(sitting.table.state.draft.score, mover))
    sitting.ask(Command.NEW_GAME)
    assert sitting.table.state.draft is None, sitting.notice
    after = sitting.table.state.position
    assert game.to_move(after) == mover
    assert [game.presentation.called(after, n + 1) for n in range(len(game.players))] == before
    resumed = sitting.restarted()
    assert resumed.state.position == after
