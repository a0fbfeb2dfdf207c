"""Pieces that players lay out unseen, and faces that attacks show, with both kinds of sensing."""

import pytest

from game.rules.base.message import say
from game.table import DRAW_S, BoardSetup, Cue, Phase, requests_to_undo, spoken_news
from game.table.entries import BadEntry, Entry, EntryKind, seal_text
from game.table.inputs import Asked, Command, Lifted, StartGame, StonesChanged, SubmitSetup, Touched
from game.table.touches import SETTLE_S
from tests.helpers.games.toy_hidden import FACES, GREEN, MAUVE, ROWS, ToyHidden
from tests.table.random_game import TableSession

SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
CONFIRM, BACK, SET_UP = Command.CONFIRM, Command.TAKE_BACK, Command.SET_UP


def lamps(session: TableSession) -> dict[str, str]:
    return {cell: lamp.cue.value for cell, lamp in session.table.scene().cells.items()}


# Laying out.


@SENSING
def test_what_is_sealed_moves_when_all_have_sealed_in_the_order_of_moves(hidden, presence):
    session = hidden(presence=presence)
    since = len(session.saved)
    session.give(SubmitSetup(2, MAUVE))
    assert session.phase is Phase.ARRANGE
    assert session.prompts == ["table.has_arranged", "table.to_arrange"]
    assert session.state.position == ToyHidden().initial()
    session.give(SubmitSetup(1, GREEN))
    assert session.kinds(since) == ["SEAL", "SEAL", "MOVE", "MOVE"]
    assert [played.player for played in session.state.history] == [1, 2]
    assert (session.pieces, dict(session.state.setups.submitted)) == (GREEN | MAUVE, {})


def test_the_board_is_laid_out_by_fingers_or_stones_once_both_have_set_up(hidden):
    both = SubmitSetup(1, GREEN), SubmitSetup(2, MAUVE)
    session = hidden().do(*both)
    assert (session.phase, session.prompts) == (Phase.CONFIRM, ["table.lay_out"])
    assert lamps(session) == dict.fromkeys(GREEN | MAUVE, "put")
    assert (session.do("A1").phase, session.do("B2").phase) == (Phase.CONFIRM, Phase.TAP)
    assert dict(session.state.standing) == GREEN | MAUVE
    session = hidden(presence=True).do({"B2", "A1"})
    assert lamps(session) == {}
    session.do(*both)
    assert (session.phase, session.cues("remove")) == (Phase.EDIT, ["B2"])
    assert session.cues("put") == ["B1", "C1", "A3", "C3", "D3"]
    words = str(session.table.scene().prompt)
    assert not any(face in words for side in FACES for face in side)
    assert session.do("B2", {"B1", "C1", "A3", "C3", "D3"}).phase is Phase.TAP
    # Hands that clear the board take no set-up back.
    since = len(session.saved)
    session.do(*GREEN, *MAUVE)
    assert (session.kinds(since), len(session.moves)) == ([], 2)


@pytest.mark.parametrize(
    "wish",
    [
        SubmitSetup(1, {}),
        SubmitSetup(1, {**GREEN, "D1": "Ga"}),
        SubmitSetup(1, {"A1": "Ga", "B1": "Ga", "C1": "Gb"}),
        SubmitSetup(1, {"A1": "Gb", "B2": "Gc", "C1": "Ga"}),
        SubmitSetup(1, MAUVE),
    ],
    ids=["nothing", "too many", "twice the same", "off the row", "the other side's"],
)
def test_what_cannot_stand_is_refused_without_a_word_of_what_it_is(hidden, wish):
    session = hidden()
    before, since = session.state, len(session.saved)
    session.give(wish)
    after = session.state
    assert session.notice == "table.cannot_stand_so"
    assert set(after.notices.current.message.args) == {"player"}
    assert (after.setups.submitted, after.position) == ({}, before.position)
    assert (session.phase, session.kinds(since)) == (Phase.ARRANGE, [])


def test_a_side_may_be_laid_out_anew_until_the_other_is_too(hidden):
    session = hidden().do(SubmitSetup(1, GREEN), SubmitSetup(1, None))
    assert dict(session.state.setups.submitted) == {}
    # A new game asks only where something would be lost.
    assert session.twin().do(Command.NEW_GAME).phase is Phase.DRAW
    for step in (SubmitSetup(1, GREEN), SET_UP):
        assert session.twin().do(step, Command.NEW_GAME).notice == "table.confirm_new"
    session.give(SubmitSetup(1, GREEN))
    other = {"A1": "Ga", "B1": "Gb", "D1": "Gc"}
    session.do(SubmitSetup(1, other), SubmitSetup(2, MAUVE))
    assert session.pieces == other | MAUVE
    since = len(session.saved)
    for player, pieces in ((1, None), (1, GREEN), (3, GREEN), (0, None)):
        session.give(SubmitSetup(player, pieces))
        assert (session.notice, session.kinds(since)) == ("table.nothing_to_arrange", [])


# On the board itself, under a cover.


def zone(player: int) -> dict[str, str]:
    return dict.fromkeys(ROWS[player - 1], "legal")


@SENSING
def test_pieces_are_set_under_a_cover_in_the_order_of_their_list(hidden, presence):
    session = hidden(presence=presence).do(SET_UP)
    for n, cell in enumerate(("C1", "B1", "A1")):
        assert lamps(session) == zone(1), "the lights are the same whatever is set"
        which = session.table.scene().prompt[0].args["piece"]
        assert which == say("piece.code", code=FACES[0][n])
        session.do(1.0, cell)
    assert (session.prompts, lamps(session)) == (["table.covering_done"], zone(1))
    session.ask(CONFIRM)
    assert session.prompts == ["table.has_arranged", "table.to_arrange"]
    session.ask(SET_UP)
    assert lamps(session) == zone(2)
    for cell in ("D3", "C3", "A3"):
        session.do(1.0, cell)
    session.ask(CONFIRM)
    assert session.pieces == GREEN | MAUVE


@pytest.mark.parametrize(
    ("presence", "steps", "notice", "on_board"),
    [
        # The key chooses the next player, before the first piece only.
        (False, (SET_UP, SET_UP), "", BoardSetup(2)),
        (False, (SET_UP, SET_UP, SET_UP), "", BoardSetup(1)),
        (False, (SET_UP, "A1", SET_UP), "covering_first", BoardSetup(1, ("A1",))),
        # Taking back undoes one piece, then the beginning.
        (False, (SET_UP, "A1", "C1", BACK), "", BoardSetup(1, ("A1",))),
        (False, (SET_UP, "A1", BACK, BACK), "", None),
        (False, (SET_UP, BACK, BACK), "nothing_to_take_back", None),
        # Cells that are taken, neutral, or the other side's.
        *(
            (False, (SET_UP, "A1", cell), "covering_refused", BoardSetup(1, ("A1",)))
            for cell in ("A1", "B2", "A3")
        ),
        # A finger that bounces or slides sets one piece; it may try again.
        (False, (SET_UP, "A1", Touched("A1")), "", BoardSetup(1, ("A1",))),
        (False, (SET_UP, Touched("A1"), Touched("B1")), "covering_refused", BoardSetup(1, ("A1",))),
        (False, (SET_UP, "A1", "B1", BACK, Touched("B1")), "", BoardSetup(1, ("A1", "B1"))),
        # Only all pieces are confirmed, and no more are set.
        (False, (CONFIRM,), "nothing_to_confirm", None),
        (False, (SET_UP, "A1", "B1", CONFIRM), "covering_unfinished", BoardSetup(1, ("A1", "B1"))),
        (False, (SET_UP, "A1", "B1", "C1", "D1"), "covering_full", BoardSetup(1, tuple(GREEN))),
        (False, ("A1",), "board_is_free", None),
        (False, ("choice1",), "board_is_free", None),
        # A lifted stone is taken back with all after it; stones that come at once do not count.
        (True, (SET_UP, "A1", "B1", "C1", "B1"), "", BoardSetup(1, ("A1",))),
        (True, (SET_UP, "A1", "B1", "C1", "B1", "B1"), "", BoardSetup(1, ("A1", "B1"))),
        (True, (SET_UP, {"A1", "B1"}), "covering_one", BoardSetup(1)),
        (True, (SET_UP, {"A1", "B1"}, "B2"), "covering_refused", BoardSetup(1)),
    ],
)
def test_hands_under_the_cover(hidden, presence, steps, notice, on_board):
    session = hidden(presence=presence).do(*steps)
    assert session.notice.removeprefix("table.") == notice
    assert session.state.setups.on_board == on_board
    shown = session.state.notices.current
    assert shown is None or shown.message.args == {}
    assert lamps(session) == (zone(on_board.player) if on_board else {})


def test_a_set_up_on_the_board_ends_with_a_submission_or_restart_and_follows_stones(hidden):
    session = hidden(presence=True).do(SET_UP, "A1", "B1").disturb("D3").do("A1").mend()
    session.give(StonesChanged(frozenset(session.stones)))
    assert session.state.setups.on_board == BoardSetup(1), "A1 went while nothing was sensed"
    session = hidden().do(SubmitSetup(1, GREEN), SET_UP, "A3", "B3")
    again = session.restarted().state
    assert (again.setups.on_board, again.phase) == (None, Phase.ARRANGE)
    assert dict(again.setups.submitted) == dict(session.state.setups.submitted)
    session = hidden().do(SET_UP, "A1", SubmitSetup(2, MAUVE))
    assert session.state.setups.on_board == BoardSetup(1, ("A1",))
    session.give(SubmitSetup(1, GREEN))
    assert (session.state.setups.on_board, session.pieces) == (None, GREEN | MAUVE)


# Attacks.


@SENSING
@pytest.mark.parametrize(
    ("spots", "result", "edits"),
    [
        (("C1", "C2", "C3"), {"C3": "Ga"}, {"C2": "remove", "C3": "swap"}),
        (("A1", "A2", "A3"), {"A2": "Gc", "A3": "Mc"}, {}),
    ],
    ids=["won", "both stay"],
)
def test_an_attack_shows_both_faces_until_people_have_seen_them(
    started, presence, spots, result, edits
):
    session = started(presence=presence).do(*spots)
    state = session.state
    _, to, target = spots
    assert (state.phase, lamps(session)) == (Phase.SHOW, {to: "face", target: "face"})
    shown = session.table.scene().cells
    faces = dict(state.history[-1].faces)
    assert {cell: lamp.signal for cell, lamp in shown.items()} == {
        cell: ToyHidden().signal(piece) for cell, piece in faces.items()
    }
    assert session.prompts == ["table.played", "table.cover_felt" if presence else "table.cover"]
    session.do(SETTLE_S, CONFIRM)
    assert session.kinds()[-1] == "COVER"
    assert Cue.FACE.value not in lamps(session).values()
    if presence and edits:
        edits = {"C2": "remove", "C3": "put"}
    if presence and not edits:
        edits = {target: "put"}
    found = {edit.cell: edit.kind.value for edit in session.state.pending}
    assert found == edits
    assert {cell: piece for cell, piece in session.pieces.items() if cell in result} == result


def test_a_touch_or_stone_covers_the_faces_once_they_were_seen(started):
    session = started().do("A1", "A2", "A3", Touched("B2"))
    assert session.notice == "table.look_first"
    assert lamps(session) == {"A2": "face", "A3": "face"}
    session.do(Lifted("B2"), SETTLE_S, Touched("B2"))
    assert (session.phase, session.state.taps) == (Phase.TAP, ())
    # A finger that slides takes nothing away.
    session = started().do("C1", "C2", "C3", SETTLE_S, Touched("B2"), Lifted("B2"))
    assert session.do(Touched("C2"), Lifted("C2")).notice == "table.touch_again"
    assert (session.do(10.0).cues("remove"), session.do("C2").cues("remove")) == (["C2"], [])
    # A stone counts for itself.
    session = started(presence=True).do("A1", "A2", "A3", "A3")
    assert session.phase is Phase.SHOW, "too soon to have seen anything"
    session.do(SETTLE_S, "C3")
    assert (session.kinds()[-1], session.state.taps) == ("COVER", ("C3",))


@SENSING
def test_faces_are_shown_again_after_a_power_cut_until_they_are_covered(started, presence):
    session = started(presence=presence).do("A1", "A2", "A3")
    again = session.restarted()
    if not presence:
        again.handle(Asked(CONFIRM), 1.0)
    assert again.state.phase is Phase.SHOW
    assert {cell for cell, lamp in again.scene().cells.items() if lamp.signal} == {"A2", "A3"}
    # What was exchanged need not be exchanged again.
    session = started(presence=True).do("C1", "C2", "C3", SETTLE_S, CONFIRM, "C2", "C3")
    assert session.phase is session.restarted().state.phase is Phase.TAP


# Taking back, and giving up.


@SENSING
def test_set_ups_stay_until_a_new_game(started, presence):
    session = started(presence=presence)
    assert requests_to_undo(session.table.seen()) == (0, 0)
    assert (session.do(BACK).notice, session.phase) == ("table.nothing_to_take_back", Phase.TAP)


@SENSING
def test_commands_that_would_reveal_something_or_are_too_early_are_refused(
    hidden, started, presence
):
    session = hidden(presence=presence)
    assert session.do(Command.HINT).notice == "table.no_help_where_hidden"
    for command in (Command.RESIGN, Command.DRAW):
        assert session.do(command).notice == "table.not_begun"
    session = started(presence=presence).do(Command.RESIGN, Command.RESIGN, BACK)
    assert session.notice == "table.all_is_shown"
    assert session.state.outcome is not None
    assert requests_to_undo(session.state) == (0, 0)


# Computer players.


@SENSING
@pytest.mark.parametrize("computer", [1, 2])
def test_a_computer_lays_out_its_pieces_by_itself(hidden, presence, computer):
    session = hidden(presence=presence)
    session.give(StartGame(computers=tuple("3" if each == computer else "" for each in (1, 2))))
    assert ([*session.state.setups.submitted], session.phase) == ([computer], Phase.DRAW)
    assert session.do(DRAW_S).phase is Phase.ARRANGE
    assert session.table.search_request() is None
    session.give(SubmitSetup(computer, (GREEN, MAUVE)[computer - 1]))
    assert session.notice == "table.nothing_to_arrange", "it is not done for a computer"
    assert session.do(SET_UP).state.setups.on_board.player == 3 - computer
    session.give(SubmitSetup(3 - computer, (GREEN, MAUVE)[2 - computer]))
    assert len(session.moves) == 2


def test_a_computer_is_told_what_its_side_knows_and_answers_for_it(sit):
    game = ToyHidden()
    game.arranged_at_random = lambda *_: GREEN
    session = sit(game).oppose("3", "")
    session.do(SubmitSetup(2, MAUVE), CONFIRM)
    wanted = session.table.search_request()
    assert ToyHidden().pieces(wanted.position) == GREEN | dict.fromkeys(MAUVE, "M")
    session.think("C1-C2*C3")
    assert session.table.search_request() is None
    assert session.table.scene().proposal.text == "C1-C2*C3"
    assert (session.prompts[1:], session.cues("proposed")) == (["table.wants_move"], ["C1"])
    for viewer in (None, 2):
        thought = session.table.seen(viewer).engine.result
        assert set(ToyHidden().pieces(thought.position).values()) & {*FACES[0]} == set()
    session.tap("C1", "C2", "C3")
    assert session.phase is Phase.SHOW


# What is seen.


def test_a_player_sees_only_the_set_up_of_their_own(started, hidden):
    session = hidden().do(SubmitSetup(1, GREEN))
    assert [dict(session.table.seen(each).setups.submitted) for each in (None, 1, 2)] == [
        {1: ""},
        {1: "setup C1=Ga B1=Gb A1=Gc"},
        {1: ""},
    ]
    session.do(SET_UP, "A3", "C3")
    cells = [session.table.seen(each).setups.on_board.cells for each in (None, 1, 2)]
    assert cells == [("", ""), ("", ""), ("A3", "C3")]
    pieces = [ToyHidden().pieces(started().table.seen(each).position) for each in (None, 1, 2)]
    backs = dict.fromkeys(GREEN, "G"), dict.fromkeys(MAUVE, "M")
    assert pieces == [backs[0] | backs[1], GREEN | backs[1], backs[0] | MAUVE]
    # What only looks right is still asked for.
    session = started().do("A1", "A2", "choice1", "D3", "D2", "B1", "A1", BACK, BACK, BACK)
    assert session.cue("A1") == "swap", "another green piece stands there"
    pending = [
        [(edit.cell, edit.kind) for edit in session.table.seen(viewer).pending]
        for viewer in (None, 1, 2)
    ]
    assert pending[0] == pending[1] == pending[2] != []
    assert "Gb" not in str(session.table.scene().prompt)
    # The end that shows all tells no move again.
    session = started()
    before = session.table.seen()
    session.ask(Command.RESIGN, Command.RESIGN)
    assert [each.key for each in spoken_news(before, session.table.seen())] == ["table.resigned"]


@pytest.mark.parametrize(
    "entry",
    [
        Entry(EntryKind.SEAL, "nonsense"),
        Entry(EntryKind.SEAL, '["1", "setup A1=Ga B1=Gb C1=Gc"]'),
        Entry(EntryKind.SEAL, seal_text(3, "setup A1=Ga B1=Gb C1=Gc")),
        Entry(EntryKind.SEAL, seal_text(1, "setup A1=Ma B1=Gb C1=Gc")),
        Entry(EntryKind.SEAL, seal_text(1, None)),
        Entry(EntryKind.MOVE, "setup A1=Ma B1=Gb C1=Gc"),
        Entry(EntryKind.MOVE, "setup A1=Ga B1=Gb C1=Gc"),
        Entry(EntryKind.COVER),
    ],
)
def test_entries_that_cannot_follow_are_refused_and_tell_nothing(hidden, started, entry):
    session = hidden()
    if "A1=Ga" in entry.text:
        # Another set-up was submitted.
        session.give(SubmitSetup(1, GREEN))
    with pytest.raises(BadEntry) as refused:
        session.table.record(entry)
    assert "Ma" not in str(refused.value)
    assert "setup" not in str(refused.value)
    if entry.kind is EntryKind.SEAL:
        with pytest.raises(BadEntry):
            started().table.record(entry)
