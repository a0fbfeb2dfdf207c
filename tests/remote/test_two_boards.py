"""Two emulated boards in one game: touches on one, lights on the other, faults between."""

from contextlib import closing
from random import Random

import pytest

from game.rules.base.message import say
from game.rules.base.registry import all_games
from game.rules.circle_of_life import GAME as CIRCLE
from game.table.entries import OTHER_BOARD, TIME_UP
from game.table.inputs import JUDGE, Asked, Command, Phrase, Say, SetOpponents, StartGame
from game.table.phases import Phase
from game.table.scene import Cue
from hal.profile import built_in
from tests.helpers.boards.profiles import board_named
from tests.helpers.effort import effort
from tests.helpers.remote.pair import Network, Pair, RemoteBoard
from tests.tools import soak_rooms

MODES = ("touch", "presence")


@pytest.fixture(params=MODES)
def pair(request, tmp_path):
    with closing(Pair(tmp_path, CIRCLE, built_in(), mode=request.param)) as pair:
        pair.run(5)
        yield pair


def play(pair: Pair, moves: int, chance: Random) -> None:
    for _ in range(moves):
        assert any(pair.hand(side, chance) for side in (1, 2))
        pair.run(6)


def notices(pair: Pair, side: int) -> set[str]:
    """Return all notices of a board in the next seconds."""
    said = set()
    for _ in range(20):
        pair.run(0.5)
        current = pair.boards[side].board.table.state.notices.current
        if current is not None:
            said.add(current.message.key)
    return said


def test_moves_of_one_board_are_made_by_the_lights_of_the_other(pair):
    one, two = pair.boards[1], pair.boards[2]
    two.board.hands.switch(False)
    assert one.board.table.state.computers == ("", OTHER_BOARD)
    assert two.board.table.state.computers == (OTHER_BOARD, "")
    assert one.board.table.state.names == ("P1", "P2")
    pair.hand(1, Random(1))
    pair.run(3)
    (cell,) = (c for c in CIRCLE.board.cells if two.board.cue(c) is Cue.PROPOSED)
    assert one.moves == [cell]
    assert two.moves == []
    if not one.board.profile.sensing.stones:
        one.board.tap("e5")
        assert one.board.table.state.notices.current.message.key == "table.wait_for_board"
    two.board.hands.switch(True)
    pair.run(6)
    assert two.moves == one.moves


def test_alone_a_board_waits_and_nothing_can_be_moved(tmp_path):
    network = Network()
    board = RemoteBoard(network, 1, tmp_path, CIRCLE, built_in(), "touch")
    with closing(board):
        network.now = board.board.now + 1
        board.run(network.now)
        board.board.tap("e5")
        assert board.moves == []
        board.run(network.now + 60)
        assert board.board.table.scene().prompt == (say("remote.waiting"),)
        assert board.board.table.state.computers == (OTHER_BOARD, OTHER_BOARD)


def test_what_both_boards_agree_on_is_done_on_both_and_who_resigns_needs_no_other(pair):
    one, two, chance = pair.boards[1], pair.boards[2], Random(3)
    two.board.hands.switch(False)
    pair.hand(1, chance)
    pair.run(3)
    one.ask(Command.TAKE_BACK)
    assert "remote.asks_take_back" in notices(pair, 2)
    assert len(one.moves) == 1
    two.ask(Command.TAKE_BACK)
    pair.run(3)
    assert one.moves == two.moves == [], "though hands had not made the move yet"
    assert not [c for c in CIRCLE.board.cells if two.board.cue(c) is Cue.PROPOSED]
    two.board.hands.switch(True)
    play(pair, 3, chance)
    before = one.moves
    for board in (one, two):
        board.ask(Command.TAKE_BACK)
    pair.run(10)
    assert one.moves == two.moves == before[:-1]
    play(pair, 1, chance)
    one.ask(Command.RESIGN)
    pair.run(1)
    assert one.board.table.state.outcome is None, "a second press confirms"
    one.ask(Command.RESIGN)
    pair.run(3)
    for board in (one, two):
        assert board.board.table.state.outcome.winner == 2
        board.ask(Command.NEW_GAME)
    pair.run(10)
    for board in (one, two):
        assert board.board.table.state.outcome is None
        assert board.board.table.state.options["first"] == "2"


def test_what_one_board_cannot_do_alone_is_refused_or_asked_of_the_other(pair):
    play(pair, 1, Random(6))
    one, two = pair.boards[1].board, pair.boards[2].board
    before = [each.table.state.computers for each in (one, two)]
    refused = (Asked(Command.SET_UP), Asked(Command.MENU), Asked(Command.REDO))
    for wish in (*refused, SetOpponents(("", "3"))):
        one.session.give(wish)
        assert "remote.alone_only" in notices(pair, 1)
        assert [each.table.state.computers for each in (one, two)] == before
        assert one.table.state.phase is Phase.TAP
    one.session.give(StartGame(computers=("", "6")))
    assert "remote.asks_new_game" in notices(pair, 2)
    assert len(pair.boards[1].moves) == 1
    one.session.give(Say(Phrase.WELL_PLAYED))
    assert "remote.says" in notices(pair, 2)
    assert "remote.says" not in notices(pair, 2) | notices(pair, 1)


def test_a_board_that_lost_its_games_gets_this_one_from_its_record(pair):
    play(pair, 3, Random(10))
    moves = pair.boards[1].moves
    pair.boards[1].board.pull_plug()
    for file in pair.boards[1].board.data.glob("games.sqlite3*"):
        file.unlink()
    pair.boards[1].record.close()
    pair.boards[1] = pair.boards[1].again()
    pair.network.now = pair.boards[1].board.now
    pair.run(30)
    assert pair.boards[1].moves == pair.boards[2].moves == moves


@pytest.mark.parametrize(
    ("name", "mishap", "seed", "direct"),
    [
        (soak_rooms.ONE_TOUCH, 0.5, 0, False),
        (soak_rooms.ONE_TOUCH, 0.5, 1, True),
        # With keys and moves of several touches.
        ("adaptoid", 0.2, 0, False),
        ("azteka", 0.2, 3, True),
        ("capture-go-7", 0.2, 4, False),
    ],
)
def test_the_same_game_stands_on_both_after_a_bad_line_and_power_cuts(
    name, mishap, seed, direct, monkeypatch
):
    monkeypatch.setattr(soak_rooms, "MISHAP", mishap)
    counts, why = soak_rooms.play(name, seed, direct, effort(40, 70))
    assert why == ""
    assert counts["mishap: plug"] + counts["mishap: both plugs"]
    assert counts["entry: move"] > (5 if mishap < 0.5 else 0)


def test_turned_rings_are_turned_back_on_boards_that_feel_stones(tmp_path):
    game = all_games()["azteka"]
    with closing(Pair(tmp_path, game, board_named("disc-32"), mode="presence")) as pair:
        pair.run(5)
        for move in ("a2", "c2", "T2"):
            (mover,) = (each.board for each in pair.boards.values() if each.is_to_move)
            before = mover.text
            for spot in game.taps(mover.table.state.position, move):
                mover.pi.press("hand", spot)
                mover.run(1.0)
                mover.pi.lift("hand")
                mover.run(0.5)
            pair.catch_up()
            pair.run(15)
        assert all(each.board.table.state.history[-1].turned for each in pair.boards.values())
        for each in pair.boards.values():
            each.ask(Command.TAKE_BACK)
        pair.run(30)
        pair.check_same()
        for each in pair.boards.values():
            assert each.board.text == before
            assert each.board.table.state.pending == ()
            assert each.board.table.state.hands.sensed == {"a2", "c2"}


CLOCK = {"clock": "fischer:60+3"}


def test_clocks_are_those_of_the_board_at_which_a_player_sits(tmp_path):
    chance = Random(11)
    with closing(Pair(tmp_path, CIRCLE, built_in(), options=CLOCK)) as pair:
        pair.run(5)
        play(pair, 3, chance)
        pair.run(7)
        pair.pull_plug(2)
        pair.run(20)
        one, two = (pair.boards[side].board.table.state.clocks for side in (1, 2))
        assert one.running == two.running == 2
        shared = pair.boards[1].link.game.state.clocks
        assert one.left[0] == two.left[0] == pytest.approx(shared.left[0], abs=0.001)
        assert one.left[0] < 60 + 2 * 3 - 1, "the first move is free, the second one is not"
        assert 20 < two.left_at(pair.network.now)[1] < 60
        assert one.left_at(pair.network.now)[1] == pytest.approx(
            two.left_at(pair.network.now)[1], abs=25
        )
        pair.run(90)
        pair.check_same()
        for each in pair.boards.values():
            outcome = each.board.table.state.outcome
            assert (outcome.winner, outcome.reason) == (1, TIME_UP)


def test_that_time_is_up_at_another_board_is_decided_there(tmp_path):
    with closing(Pair(tmp_path, CIRCLE, built_in(), options=CLOCK)) as pair:
        pair.run(5)
        play(pair, 1, Random(12))
        pair.network.set_cut(1, True)
        pair.run(100)
        one, two = (pair.boards[side].board.table.state for side in (1, 2))
        assert two.outcome is not None
        assert one.outcome is None
        assert one.clocks.left_at(pair.network.now)[1] == 0
        pair.network.set_cut(1, False)
        pair.run(10)
        pair.check_same()


def test_both_boards_show_who_stands_better_or_neither(tmp_path):
    with closing(Pair(tmp_path, CIRCLE, built_in(), options={"assistance": "chances"})) as pair:
        pair.run(5)
        play(pair, 1, Random(2))
        boards = [each.board for each in pair.boards.values()]
        assert {each.table.search_request().level for each in boards} == {JUDGE}
        assert {each.table.scene().chances for each in boards} == {0.5}
