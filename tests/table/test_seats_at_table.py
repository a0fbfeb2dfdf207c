"""Sides that devices hold, and whatever would reveal what such a side or another one hides."""

import pytest

from game.rules.base.message import say
from game.table import DRAW_S, BoardSetup, Phase
from game.table.inputs import Asked, Command, SeatsChanged, SetOpponents, StartGame, SubmitSetup
from tests.helpers.games.toy_hidden import GREEN, MAUVE
from tests.table.random_game import TableSession

SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
SET_UP, MENU = Command.SET_UP, Command.MENU


def sit_down(session: TableSession, *players: int) -> list[str]:
    """Tell the table of seats, and return the entries to save."""
    since = len(session.saved)
    session.give(SeatsChanged(frozenset(players)))
    assert session.state.setups.seated == frozenset(players)
    return [entry.kind.name for entry in session.saved[since:]]


@SENSING
def test_a_side_that_a_device_holds_is_not_laid_out_on_the_board(hidden, presence):
    session = hidden(1, presence=presence)
    assert session.prompts == ["table.to_arrange", "table.to_arrange_seated"]
    for _ in range(2):
        assert session.do(SET_UP).state.setups.on_board == BoardSetup(2)
    session.ask(Command.TAKE_BACK)
    sit_down(session, 1, 2)
    assert session.prompts == ["table.to_arrange_seated"]
    assert session.do(SET_UP).state.setups.on_board is None
    assert session.notice == "table.covering_seated"
    assert session.state.notices.current.message.args["count"] == 2
    sit_down(session, 2)
    assert session.do(SET_UP).state.setups.on_board == BoardSetup(1)


@SENSING
def test_who_sits_down_sees_nothing_that_is_being_laid_out_or_was_submitted(hidden, presence):
    session = hidden(presence=presence).do(SET_UP, "A1")
    assert sit_down(session, 2) == []
    assert session.state.setups.on_board == BoardSetup(1, ("A1",))
    assert (sit_down(session, 1, 2), session.state.setups.on_board) == ([], None)
    notice = session.state.notices.current.message
    assert (notice.key, set(notice.args)) == ("table.seat_was_taken", {"count", "players"})
    session = hidden().do(SubmitSetup(1, GREEN))
    assert (sit_down(session, 2), sit_down(session, 1, 2)) == ([], ["SEAL"])
    assert (dict(session.state.setups.submitted), session.notice) == ({}, "table.seat_was_taken")
    assert dict(session.restarted().state.setups.submitted) == {}
    session = hidden().do(Command.NEW_GAME, SubmitSetup(1, GREEN))
    assert (sit_down(session, 1), session.phase) == (["SEAL"], Phase.DRAW)


def test_a_device_that_laid_out_its_side_keeps_it_and_its_seat_from_game_to_game(hidden, sit):
    session = hidden(1).do(SubmitSetup(1, GREEN))
    assert (sit_down(session, 1, 2), [*session.state.setups.submitted]) == ([], [1])
    again = session.restarted()
    assert again.handle(SeatsChanged(frozenset({1})), 1.0) == ()
    assert [*again.state.setups.submitted] == [1], "after a restart the table first learns of it"
    notice = again.state.notices.current
    assert notice is None or notice.message.key != "table.seat_was_taken"
    assert session.do(Command.NEW_GAME).state.setups.seated == {1, 2}
    # Seats mean nothing where no pieces are hidden.
    other = sit()
    sit_down(other, 1, 2)
    assert other.do(SetOpponents(("3", ""))).state.computers == ("3", "")


@SENSING
def test_there_is_no_menu_while_it_could_reveal_pieces(hidden, started, presence):
    for step in (SET_UP, SubmitSetup(2, MAUVE)):
        session = hidden(presence=presence).do(step, MENU)
        assert (session.notice, session.phase) == ("table.no_menu_where_hidden", Phase.ARRANGE)
    session = started(presence=presence).do(MENU)
    assert (session.notice, session.phase) == ("table.no_menu_where_hidden", Phase.TAP)
    assert session.do(Command.RESIGN, Command.RESIGN, MENU).phase is Phase.MENU
    # A computer that has laid out leaves the menu open.
    session = hidden(presence=presence).do(SetOpponents(("", "3")))
    assert ([*session.state.setups.submitted], session.do(MENU).phase) == ([2], Phase.MENU)
    menu = session.table.scene().menu
    session.do(next(cell for cell in session.table.game.board.cells if cell not in menu))
    notices = session.state.notices
    assert notices.current.message == say("table.not_in_menu_there"), "it names no cell"
    assert notices.rejected is None


@pytest.mark.parametrize("chosen", [SetOpponents, lambda who: StartGame(computers=who)])
def test_a_computer_takes_no_side_that_a_device_holds_or_that_is_in_play(hidden, started, chosen):
    session = hidden(2).do(chosen(("", "3")))
    assert (session.notice, session.state.computers) == ("table.no_computer_seated", ())
    assert session.do(chosen(("3", ""))).state.computers == ("3", "")
    session.wait(DRAW_S)
    sit_down(session)
    assert session.do(chosen(("3", "3"))).state.computers == ("3", "3")
    session = hidden().do(SetOpponents(("3", "")))
    sit_down(session, 1)
    assert [*session.state.setups.submitted] == [1], "only a computer has laid out"
    assert session.do(StartGame(computers=("3", ""))).notice == "table.no_computer_seated"
    assert session.do(StartGame(computers=("", ""))).state.computers == ()
    # Nor does it take over a side that is submitted or in play.
    for session, who in (
        (hidden().do(SubmitSetup(2, MAUVE)), ("", "3")),
        *((started(), who) for who in (("3", ""), ("", "3"), ("1", "1"))),
    ):
        session.oppose(*who)
        assert (session.notice, session.state.computers) == ("table.no_computer_where_hidden", ())
        assert session.table.search_request() is None
    session.do(Command.RESIGN, Command.RESIGN, SetOpponents(("", "3")))
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
    assert session.do(Asked(Command.RESIGN, mover)).state.outcome is None
    assert session.do(Asked(Command.RESIGN, mover)).state.outcome.winner == other
