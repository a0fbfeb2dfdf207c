"""Sides that devices hold, and whatever would reveal what such a side or another one hides."""

import pytest

from game.table.inputs import (
    Asked,
    Command,
    SeatsChanged,
    SetOpponents,
    StartGame,
    StonesChanged,
    SubmitSetup,
)
from game.table.phases import Phase
from game.table.state import BoardSetup
from game.table.table import DRAW_S
from tests.helpers.games.toy_hidden import GREEN, MAUVE, ToyHidden
from tests.table.random_game import TableSession

SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
SET_UP, MENU = Command.SET_UP, Command.MENU


@pytest.fixture
def hidden(sit):
    """Start laying out with the toy of hidden pieces; the table has been told of seats."""

    def _hidden(*seated: int, presence: bool = False) -> TableSession:
        return sit(ToyHidden(), presence=presence).do(SeatsChanged(frozenset(seated)))

    return _hidden


@pytest.fixture
def started(hidden):
    """Start before the first move."""

    def _started(*seated: int, presence: bool = False) -> TableSession:
        session = hidden(*seated, presence=presence)
        session.do(SubmitSetup(1, GREEN), SubmitSetup(2, MAUVE))
        if presence:
            session.put(*(GREEN | MAUVE))
        else:
            session.ask(Command.CONFIRM)
        assert session.phase is Phase.TAP
        return session

    return _started


def sit_down(session: TableSession, *players: int) -> list[str]:
    """Tell the table of seats, and return the entries to save."""
    since = len(session.saved)
    session.give(SeatsChanged(frozenset(players)))
    assert session.state.setups.seated == frozenset(players)
    return [entry.kind.name for entry in session.saved[since:]]


# Laying out on the board.


@SENSING
def test_a_side_that_a_device_holds_is_not_laid_out_on_the_board(hidden, presence):
    session = hidden(1, presence=presence)
    assert session.prompts == ["table.to_arrange", "table.to_arrange_seated"]
    for _ in range(2):
        session.ask(SET_UP)
        assert session.state.setups.on_board == BoardSetup(2), (
            "Green's turn, but Green has a device"
        )
    session.ask(Command.TAKE_BACK)
    sit_down(session, 1, 2)
    assert session.prompts == ["table.to_arrange_seated"]
    session.ask(SET_UP)
    assert session.state.setups.on_board is None
    assert session.notice == "table.covering_seated"
    assert session.state.notices.current.message.args["count"] == 2
    sit_down(session, 2)
    session.ask(SET_UP)
    assert session.state.setups.on_board == BoardSetup(1)


@SENSING
def test_who_sits_down_sees_nothing_that_is_being_laid_out_under_the_cover(hidden, presence):
    session = hidden(presence=presence).do(SET_UP)
    session.do("A1")
    assert sit_down(session, 2) == []
    assert session.state.setups.on_board == BoardSetup(1, ("A1",))
    assert sit_down(session, 1, 2) == []
    assert session.state.setups.on_board is None
    notice = session.state.notices.current.message
    assert (notice.key, set(notice.args)) == ("table.seat_was_taken", {"count", "players"})


def test_who_sits_down_sees_nothing_that_was_sealed_on_that_side(hidden):
    session = hidden().do(SubmitSetup(1, GREEN))
    assert sit_down(session, 2) == []
    assert sit_down(session, 1, 2) == ["SEAL"]
    assert dict(session.state.setups.submitted) == {}
    assert session.notice == "table.seat_was_taken"
    assert dict(session.restarted().state.setups.submitted) == {}


def test_a_device_that_laid_out_its_side_keeps_it(hidden):
    session = hidden(1).do(SubmitSetup(1, GREEN))
    assert sit_down(session, 1, 2) == []
    assert [*session.state.setups.submitted] == [1]
    again = session.restarted()
    assert again.handle(SeatsChanged(frozenset({1})), 1.0) == ()
    assert [*again.state.setups.submitted] == [1], "it is only told of after the restart"
    assert (
        again.state.notices.current is None
        or again.state.notices.current.message.key != "table.seat_was_taken"
    )


def test_who_sits_down_while_the_beginner_is_drawn_finds_nothing_and_ends_no_draw(hidden):
    session = hidden().do(Command.NEW_GAME, SubmitSetup(1, GREEN))
    assert sit_down(session, 1) == ["SEAL"]
    assert session.phase is Phase.DRAW


def test_seats_are_kept_from_game_to_game_and_mean_nothing_elsewhere(hidden, sit):
    session = hidden(2).do(Command.NEW_GAME)
    assert session.state.setups.seated == {2}
    other = sit()
    sit_down(other, 1, 2)
    other.oppose("3", "")
    assert other.state.computers == ("3", "")


# The menu.


@SENSING
def test_there_is_no_menu_under_the_cover_nor_after_a_set_up(hidden, presence):
    for begin in (lambda each: each.ask(SET_UP), lambda each: each.give(SubmitSetup(2, MAUVE))):
        session = hidden(presence=presence)
        begin(session)
        session.ask(MENU)
        assert session.notice == "table.no_menu_where_hidden"
        assert session.phase is Phase.ARRANGE


@SENSING
def test_there_is_no_menu_while_pieces_are_hidden_but_after_the_end(started, presence):
    session = started(presence=presence).do(MENU)
    assert session.notice == "table.no_menu_where_hidden"
    assert session.phase is Phase.TAP
    session.ask(Command.RESIGN, Command.RESIGN, MENU)
    assert session.phase is Phase.MENU


def test_a_computer_that_has_laid_out_leaves_the_menu_open(hidden):
    session = hidden().do(SetOpponents(("", "3")))
    assert [*session.state.setups.submitted] == [2]
    session.ask(MENU)
    assert session.phase is Phase.MENU


@SENSING
def test_the_menu_names_no_cell_while_pieces_are_to_be_laid_out(hidden, presence):
    session = hidden(presence=presence).do(MENU)
    cells, menu = session.table.game.board.cells, session.table.scene().menu
    off = next(cell for cell in cells if cell not in menu)
    if presence:
        session.give(StonesChanged(frozenset({off})))
    else:
        session.tap(off)
    assert session.state.notices.current.message.key == "table.not_in_menu_there"
    assert session.state.notices.current.message.args == {}
    assert session.state.notices.rejected is None


# Computers.


@pytest.mark.parametrize("chosen", [SetOpponents, lambda who: StartGame(computers=who)])
def test_a_computer_takes_no_side_that_a_device_holds(hidden, chosen):
    session = hidden(2).do(chosen(("", "3")))
    assert session.notice == "table.no_computer_seated"
    assert session.state.computers == ()
    session.give(chosen(("3", "")))
    assert session.state.computers == ("3", "")
    session.wait(DRAW_S)
    sit_down(session)
    session.give(chosen(("3", "3")))
    assert session.state.computers == ("3", "3")


def test_a_computer_whose_seat_is_held_begins_no_other_game(hidden):
    session = hidden().do(SetOpponents(("3", "")))
    sit_down(session, 1)
    assert [*session.state.setups.submitted] == [1], "only a computer has laid out"
    session.give(StartGame(computers=("3", "")))
    assert session.notice == "table.no_computer_seated"
    session.give(StartGame(computers=("", "")))
    assert session.state.computers == ()


def test_a_computer_takes_over_no_side_that_is_sealed(hidden):
    session = hidden().do(SubmitSetup(2, MAUVE))
    session.oppose("", "3")
    assert session.notice == "table.no_computer_where_hidden"
    assert session.state.computers == ()
    session.give(StartGame(computers=("", "3")))
    assert session.state.computers == ("", "3")


@SENSING
def test_a_computer_takes_over_no_army_in_play_but_may_leave_or_change_its_level(started, presence):
    session = started(presence=presence)
    for who in (("3", ""), ("", "3"), ("1", "1")):
        session.oppose(*who)
        assert session.notice == "table.no_computer_where_hidden"
        assert session.state.computers == ()
        assert session.table.search_request() is None
    session.ask(Command.RESIGN, Command.RESIGN)
    session.oppose("", "3")
    assert session.state.computers == ("", "3"), "nothing is hidden any more"


def test_only_the_player_who_resigns_is_asked_to_confirm_it(started):
    session = started(1, 2)
    mover = session.state.turn
    other = 3 - mover

    def asked() -> list[bool]:
        scenes = [session.table.scene(viewer) for viewer in (None, mover, other)]
        return [each.notice is not None for each in scenes]

    session.ask(Command.RESIGN)
    assert asked() == [True, True, False]
    session.give(Asked(Command.RESIGN, other))
    assert asked() == [True, False, True]
    session.give(Asked(Command.RESIGN, mover))
    assert session.state.outcome is None
    session.give(Asked(Command.RESIGN, mover))
    assert session.state.outcome.winner == other
