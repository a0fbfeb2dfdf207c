"""The computer player in the board's loop: requests in, results and errors out, each once."""

import sys
from contextlib import closing
from math import inf
from typing import Any

import pytest

from game.common import words
from game.engine import LEVEL_NAMES
from game.engine.levels import LEVELS
from game.opponent import Computer
from game.opponent.computer import GRACE_S, HINT_S, JUDGE_S, PAUSES_S
from game.play import default_board
from game.rules.base.message import say
from game.rules.base.registry import find_game
from game.table.entries import EntryKind
from game.table.hands import SearchRequest
from game.table.inputs import (
    JUDGE,
    EngineUnavailable,
    Input,
    ScoredMove,
    SearchResult,
    SetOpponents,
)
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.programs.odd_rig import ClockedRig, Rig, wait_for_end, wait_until

GAME = find_game("circle-of-life")
START = GAME.initial()
LATER = GAME.play(START, "e5")
MOVE = SearchRequest(START, "1", 1)
FOUND = SearchResult(START, "1", (ScoredMove("a1", 0.5),))
HINT = SearchRequest(START, "", 3)


class Seat(ClockedRig):
    """A computer player that is polled as the board's loop polls it."""

    computer: Computer

    def sit(self, *behaviours: str, **more: Any) -> None:
        self.computer = Computer(GAME, self.bell.set, command=self.command(*behaviours), **more)

    def follow(self, wanted: SearchRequest | None) -> tuple[Input, ...]:
        return self.computer.follow(wanted)

    def heard_of(self, wanted: SearchRequest) -> tuple[Input, ...]:
        """Poll with a request until something is reported."""
        return self.until(lambda: self.follow(wanted))


@pytest.fixture
def seat(tmp_path, monkeypatch):
    made = Seat(tmp_path, monkeypatch)
    yield made
    made.computer.close()
    for pid in made.pids:
        wait_for_end(pid)


def test_thought_comes_once_for_a_wish_and_again_after_none(seat):
    seat.sit("fine")
    assert seat.heard_of(MOVE) == (FOUND,)
    assert [seat.follow(MOVE) for _ in range(3)] == [()] * 3
    assert sum(line.startswith("go") for line in seat.heard) == 1
    assert seat.follow(None) == ()
    assert seat.heard_of(MOVE) == (SearchResult(START, "1", (ScoredMove("b2", 0.5),)),)


@pytest.mark.parametrize(("level", "count", "time_s"), [("", 3, HINT_S), (JUDGE, 1, JUDGE_S)])
def test_hint_and_judgement_are_searched_by_the_best_level_for_a_short_time(
    seat, level, count, time_s
):
    seat.sit("hints")
    (thought,) = seat.heard_of(SearchRequest(START, level, count))
    moves = ["c3", "b2", "d4"][:count]
    assert (thought.level, [idea.move for idea in thought.moves]) == (level, moves)
    assert seat.heard[-3:] == [
        f"setoption name Level value {LEVELS[-1].name}",
        f"setoption name MultiPV value {count}",
        f"go movetime {1000 * time_s:.0f}",
    ]


def test_nothing_wanted_any_more_stops_the_search(seat):
    seat.sit("waits for stop")
    assert seat.follow(MOVE) == ()
    seat.until_due(LEVELS[1].seconds + GRACE_S)
    assert seat.follow(None) == ()
    seat.until_due(inf)
    assert seat.heard[-1] == "stop"


def test_trouble_is_told_once_and_its_end_with_the_next_thought(seat):
    seat.sit("dies", "dies", "plays off the board", "fine")
    assert seat.heard_of(MOVE) == (EngineUnavailable(say("opponent.stopped")),)
    # A repeated failure is not reported again.
    for pause_s in PAUSES_S[:2]:
        seat.wait_out(pause_s)
        assert seat.follow(MOVE) == ()
    seat.wait_out(PAUSES_S[2])
    assert seat.heard_of(MOVE) == (EngineUnavailable(None), FOUND)


def test_trouble_is_told_again_for_another_wish_while_the_engine_is_let_alone(seat):
    seat.sit("dies", "fine")
    (engine_failed,) = seat.heard_of(MOVE)
    assert seat.follow(None) == ()
    # A player who asks for a hint must be told of the error.
    assert [seat.follow(HINT), seat.follow(HINT), seat.follow(None)] == [(engine_failed,), (), ()]
    assert seat.follow(MOVE) == (engine_failed,)
    seat.wait_out(PAUSES_S[0])
    assert seat.heard_of(MOVE) == (EngineUnavailable(None), FOUND)


def test_hint_is_searched_again_after_the_pause_of_an_engine_that_failed(seat):
    seat.sit("dies", "fine")
    (engine_failed,) = seat.heard_of(HINT)
    assert seat.follow(None) == ()
    assert (seat.follow(HINT), seat.follow(None)) == ((engine_failed,), ())
    seat.wait_out(PAUSES_S[0])
    wait_until(lambda: seat.computer._own.trouble is None)
    assert seat.heard_of(HINT) == (EngineUnavailable(None),)
    assert isinstance(seat.heard_of(HINT)[0], SearchResult)


def test_level_that_is_not_there_is_a_trouble_of_its_own(seat):
    seat.sit("fine")
    strange = SearchRequest(START, "13", 1)
    (engine_failed,) = seat.follow(strange)
    assert "13" in words("en").text(engine_failed.trouble)
    assert seat.follow(strange) == ()
    assert seat.pids == []
    assert seat.follow(MOVE) == (EngineUnavailable(None),)
    assert seat.heard_of(MOVE) == (FOUND,)


def test_other_engine_plays_at_its_own_strength_and_has_its_own_troubles(seat):
    missing = [str(seat.folder / "missing")]
    seat.sit("fine", engines={"ugi:gone": missing, "ugi:fine": seat.command("fine")})
    broken, other = SearchRequest(LATER, "ugi:gone", 1), SearchRequest(START, "ugi:fine", 1)
    (engine_failed,) = seat.heard_of(broken)
    assert engine_failed == EngineUnavailable(say("opponent.stopped"))
    assert seat.follow(other) == (EngineUnavailable(None),)
    assert seat.heard_of(other) == (SearchResult(START, "ugi:fine", (ScoredMove("a1", 0.5),)),)
    assert not any("Level" in line for line in seat.heard)
    assert seat.heard[-1] == f"go movetime {1000 * LEVELS[-1].seconds:.0f}"
    # Where its turn comes again, the broken one still pauses.
    assert seat.follow(broken) == (engine_failed,)


def test_two_programs_play_on_the_board(tmp_path):
    game, rig = find_game("adaptoid"), Rig(tmp_path)
    engine = (sys.executable, "-m", "game.cli", "engine", "--game", game.name, "--seed", "1")
    engines = {f"ugi:{each}": (*engine, "--level", each) for each in ("random", "1")}
    with closing(Computer(game, rig.bell.set, engines=engines)) as computer:
        room = EmulatedGame(
            default_board("sim", game),
            tmp_path,
            computer=computer,
            levels=(*LEVEL_NAMES, *engines),
            game=game,
            automatic=True,
        )
        with closing(room):
            room.session.give(SetOpponents(tuple(engines)))

            def has_both_set_up_and_played() -> bool:
                room.run(5.0)
                assert room.table.state.engine.unavailable is None
                return len(room.table.state.history) > 10

            rig.until(has_both_set_up_and_played)
            played = [each.text for each in room.table.state.history]
            assert [e.text for e in room.saved if e.kind is EntryKind.MOVE] == played
