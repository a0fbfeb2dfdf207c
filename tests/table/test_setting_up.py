"""Setting up a position: by touch, by stones, on the page, and by all of them together."""

from random import Random

import pytest

from game.rules.base.registry import find_game
from game.rules.circle_of_life import GAME
from game.table import Phase, Table
from game.table.entries import BadEntry
from game.table.inputs import Command, SelectPiece, SetNames, SetPiece, SetScore, StartGame
from tests.helpers.games.toy_game import Toy

FIVE_IN_A_ROW = ("e1", "e2", "e3", "e4", "e5")
SET_UP, BEGIN = Command.SET_UP, Command.NEW_GAME
LEAVE, NEXT_PIECE = Command.TAKE_BACK, Command.RESIGN
SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])


@SENSING
def test_hands_set_the_brushs_piece_and_the_game_begins_from_it(sit, presence):
    session = sit(presence=presence, target="7").do(SetNames(("Ada", "Bea")), SET_UP)
    assert session.phase is Phase.SET_UP
    session.do("e5", "e6", NEXT_PIECE, "a1")
    assert session.cues("stands") == ["a1", "e5", "e6"]
    session.ask(BEGIN)
    assert session.kinds()[-3:] == ["START", "NAMES", "SET_UP"]
    assert session.pieces == {"a1": "2", "e5": "1", "e6": "1"}
    assert (session.phase, session.state.draft, session.moves) == (Phase.TAP, None, [])
    assert session.table.scene().turn == 2
    assert (session.state.options["target"], session.state.names) == ("7", ("Ada", "Bea"))
    # A game is set up only once.
    again = [entry for entry in session.saved if entry.kind.name in ("START", "SET_UP")][-2:]
    with pytest.raises(BadEntry, match="set_up"):
        Table(GAME, {}, Random(0)).resume([*again, again[1]], 0.0)


@SENSING
def test_a_critter_of_five_is_flagged_and_does_not_begin(sit, presence):
    session = sit(presence=presence).do(SET_UP, *FIVE_IN_A_ROW)
    assert session.cues("wrong") == list(FIVE_IN_A_ROW)
    assert "circle_of_life.impossible" in session.prompts
    saved = list(session.saved)
    session.ask(BEGIN)
    assert (session.saved, session.notice) == (saved, "circle_of_life.impossible")
    assert session.do("e3").state.draft.flaw is None
    assert session.do(10.0, BEGIN).phase is Phase.TAP


def test_what_does_not_begin_leaves_game_and_defaults_as_they_were(sit, monkeypatch):
    session = sit(target="7").do("e5", "a1")
    before = session.state
    session.do(StartGame(options={"target": "25"}, names=("Ada",)))
    assert session.notice == "table.bad_entry"
    twin = session.twin()
    twin.ask(BEGIN, BEGIN)
    assert twin.state.options["target"] == "7"
    # A text of a position that no game would read.
    session.do(SET_UP)
    monkeypatch.setattr(type(GAME), "text", lambda game, position: "nonsense")
    session.ask(BEGIN)
    assert (session.phase, session.state.history) == (Phase.SET_UP, before.history)


@SENSING
def test_leaving_goes_back_to_the_game_and_asks_for_its_board(sit, presence):
    session = sit(presence=presence).do("e5", "a1")
    before, saved = session.state, list(session.saved)
    # Set up again, a draft is cleared.
    cleared = session.twin().do(SET_UP, SET_UP)
    assert (cleared.state.draft.pieces, cleared.cues("remove")) == ({}, ["a1", "e5"])
    assert cleared.do(10.0, "a1", "e5").state.standing == {}
    assert (cleared.do(BEGIN).pieces, cleared.phase) == ({}, Phase.TAP)
    session.do(SET_UP, "e5", "i5")
    again = session.restarted()
    session.ask(LEAVE)
    assert session.saved == saved
    assert session.state.position is before.position
    if presence:
        assert session.phase is Phase.EDIT
        assert (session.cues("put"), session.cues("remove")) == (["e5"], ["i5"])
        session.do(10.0, "i5", "e5")
    else:
        assert (session.phase, session.cues("stands")) == (Phase.CONFIRM, ["a1", "e5"])
        session.do(Command.CONFIRM)
    assert session.phase is Phase.TAP
    assert session.state.standing == before.standing
    # A restart forgets the draft.
    assert (again.state.draft, again.state.position) == (None, before.position)


@SENSING
def test_the_page_lays_pieces_and_hands_bring_them_before_or_after_the_game_begins(sit, presence):
    session = sit(presence=presence).do("e5", SET_UP, SetPiece("i5", "1"), SetPiece("i4", "2"))
    session.give(SetPiece("e5", ""))
    assert (session.cues("put"), session.cues("remove")) == (["i4", "i5"], ["e5"])
    session.do(10.0, "i4", "e5")
    assert session.state.draft.pieces == {"i5": "1", "i4": "2"}
    assert session.cues("remove") == []
    session.do(BEGIN)
    assert session.phase is (Phase.EDIT if presence else Phase.CONFIRM)
    assert session.do("i5").phase is Phase.TAP


@SENSING
def test_hands_page_and_keys_set_up_one_position_together(sit, presence):
    session = sit(presence=presence)
    session.mask("i1")
    session.do(SET_UP, SelectPiece("2"), "e5", SetPiece("a1", "1"), "a1", Command.TOUCH_CELL)
    session.do(SetScore((7, 3), 1), BEGIN)
    assert session.pieces == {"a1": "1", "e5": "2", "i1": "2"}
    assert (session.table.scene().score, session.table.scene().turn) == ((7, 3), 1)
    assert session.phase is Phase.TAP
    # Of a stone that is sensed the page says the colour.
    session = sit(presence=True).do("e5", SET_UP, SetPiece("e5", "2"))
    assert (session.cues("put"), session.state.draft.pieces) == ([], {"e5": "2"})


@SENSING
def test_a_set_up_position_that_is_over_is_over(sit, presence):
    session = sit(presence=presence, target="5").do(SET_UP, SetScore((5, 6), 1), BEGIN)
    assert (session.notice, session.phase) == ("rules.both_won", Phase.SET_UP)
    session.do(SetScore((1, 5), 1), BEGIN)
    assert (session.phase, session.state.outcome.winner) == (Phase.OVER, 2)
    saved = list(session.saved)
    for command, why in ((LEAVE, "nothing_to_take_back"), (Command.RESIGN, "nothing_to_resign")):
        session.ask(command)
        assert (session.saved, session.notice) == (saved, f"table.{why}")
    assert session.restarted().state.outcome == session.state.outcome
    assert session.do(Command.NEW_GAME).phase is Phase.DRAW


@pytest.mark.parametrize(
    ("why", "wishes"),
    [
        (
            "cannot_tally",
            [
                *(SetScore(score, 1) for score in ((1,), (1, 2, 3), (-1, 0), (0, 10_000))),
                *(SetScore((0, 0), mover) for mover in (0, 3)),
            ],
        ),
        (
            "cannot_lay",
            [SetPiece("z9", "1"), SetPiece("e5", "?"), SetPiece("key:x", ""), SelectPiece("")],
        ),
    ],
)
def test_what_makes_no_sense_on_this_board_or_without_a_draft_is_refused(sit, why, wishes):
    for wish in wishes:
        session = sit().do(wish)
        assert (session.notice, session.pieces) == ("table.not_setting_up", {})
        before = session.do(SET_UP).state.draft
        session.give(wish)
        assert (session.state.draft, session.notice) == (before, f"table.{why}")
    session = sit(Toy()).do(SET_UP)
    assert (session.notice, session.state.draft) == ("rules.no_set_up", None)


@SENSING
def test_a_set_up_game_is_played_taken_back_and_resumed(sit, presence):
    session = sit(presence=presence).do(SET_UP)
    session.do("e5", "i5", SelectPiece("2"), "d4", "f5", SetScore((3, 0), 1), BEGIN)
    start = session.state.position
    session.do("e6")
    assert (session.table.scene().score, session.cues("remove")) == ((5, 0), ["d4", "f5"])
    session.saved = session.saved[session.kinds().index("SET_UP") - 1 :]
    again = session.restarted()
    assert again.state.position == session.state.position
    assert [edit.cell for edit in again.state.pending] == ["d4", "f5"]
    session.do(Command.TAKE_BACK, 1.0, "e6")
    assert (session.state.position, session.phase) == (start, Phase.TAP)
    session.ask(Command.TAKE_BACK)
    assert session.notice == "table.nothing_to_take_back"


@pytest.mark.parametrize(
    ("name", "first", "mover"), [("azteka", "1", 2), ("azteka", "2", 1), ("azteka-three", "1", 3)]
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
