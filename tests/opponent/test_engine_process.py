"""The engine's process from outside: whatever it does, the board's loop goes on, informed."""

import os
from math import inf
from pathlib import Path

import pytest

from game.engine import find_level
from game.opponent.engine_process import (
    ANSWER_S,
    GRACE_S,
    IDLE_S,
    PAUSES_S,
    START_S,
    EngineAnswer,
    EngineProcess,
    EngineTask,
)
from game.rules.base.message import Message, say
from game.rules.base.registry import find_game
from game.table.inputs import ScoredMove
from tests.helpers.programs.odd_rig import ClockedRig, wait_for_end, wait_until

GAME = find_game("circle-of-life")
START = GAME.initial()
LATER = GAME.play(START, "e5")
MOVE = EngineTask(START, "1")
LEVEL_S = find_level("1").seconds


class EngineRig(ClockedRig):
    """An engine process that is polled as the board's loop polls it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, monkeypatch)
        self.engines: list[EngineProcess] = []

    def engine(self, *behaviours: str) -> EngineProcess:
        engine = EngineProcess(GAME, wake=self.bell.set, command=self.command(*behaviours))
        self.engines.append(engine)
        return engine

    def asked(self, engine: EngineProcess, task: EngineTask = MOVE) -> EngineAnswer | Message:
        """Ask, and wait until the engine reports an answer or an error."""
        engine.ask(task)
        return self.until(engine.poll)

    def thinking(self, engine: EngineProcess, task: EngineTask = MOVE) -> None:
        """Ask, and wait until the engine was told to go."""
        engine.ask(task)
        self.until_due(LEVEL_S + GRACE_S)
        assert engine.poll() is None


@pytest.fixture
def rig(tmp_path, monkeypatch):
    made = EngineRig(tmp_path, monkeypatch)
    yield made
    for engine in made.engines:
        engine.close()
    for pid in made.pids:
        wait_for_end(pid)


def test_one_process_answers_again_and_again_however_much_it_talks(rig):
    engine = rig.engine("talks much")
    moves = [rig.asked(engine)[0].move for _ in range(4)]
    assert moves == ["a1", "b2", "c3", "d4"]
    assert len(rig.pids) == 1
    assert engine.poll() is None


def test_engine_that_speaks_another_protocol_is_reported_with_its_last_line(rig, caplog):
    engine = rig.engine("speaks UCI")
    line = f"uciok {'x' * 74}... (106 characters)"
    engine.ask(MOVE)
    for seconds in (ANSWER_S, START_S - ANSWER_S):
        rig.wait_out(seconds)
        assert rig.until(engine.poll) == say("opponent.not_understood", line=line)
        assert engine.poll() is None
    assert caplog.messages[0] == f"the computer player is not understood: {line}"


def test_ideas_are_read_from_the_last_that_was_told_best_move_first(rig):
    assert rig.asked(rig.engine("hints"), EngineTask(START, "6", ideas=3)) == (
        ScoredMove("c3", 0.7),
        ScoredMove("b2", 0.4, decided=True),
        ScoredMove("d4", pytest.approx(1 / 11)),
    )


def test_engine_is_told_position_and_time_and_what_it_has_options_for(rig):
    engine, plain = rig.engine("fine"), rig.engine("without options")
    rig.asked(engine, EngineTask(LATER, "4"))
    rig.asked(engine, EngineTask(START, "6", ideas=3, seconds=1.5))
    rig.asked(plain)
    assert [line for line in rig.heard if line not in ("ugi", "isready")] == [
        f"position fen {GAME.text(LATER)}",
        "setoption name Level value 4",
        "setoption name MultiPV value 1",
        "go",
        f"position fen {GAME.text(START)}",
        "setoption name Level value 6",
        "setoption name MultiPV value 3",
        "go movetime 1500",
        f"position fen {GAME.text(START)}",
        f"go movetime {LEVEL_S:.0f}000",
    ]


@pytest.mark.parametrize(
    ("behaviour", "key"),
    [
        ("dies", "opponent.died"),
        ("floods", "opponent.nonsense"),
        ("plays off the board", "opponent.nonsense"),
        ("moves unasked", "opponent.nonsense"),
    ],
)
def test_bad_engine_is_told_of_ended_and_started_anew(rig, behaviour, key):
    engine = rig.engine(behaviour, "fine", "fine")
    assert rig.asked(engine) == engine.trouble == say(key)
    for pid in rig.pids:
        wait_for_end(pid)
    rig.wait_out(PAUSES_S[0])
    assert isinstance(rig.until(engine.poll), tuple)
    assert engine.trouble is None


@pytest.mark.parametrize(
    ("behaviour", "seconds"),
    [
        ("hangs", LEVEL_S + GRACE_S),
        # Its child holds its output.
        ("leaves a child", LEVEL_S + GRACE_S),
        ("deaf", START_S),
    ],
)
def test_silent_engine_is_killed(rig, behaviour, seconds):
    engine = rig.engine(behaviour, "fine")
    engine.ask(MOVE)
    wait_until(lambda: rig.pids)
    rig.wait_out(seconds)
    assert rig.until(engine.poll) == say("opponent.silent")
    for pid in rig.pids:
        wait_for_end(pid)
    rig.wait_out(PAUSES_S[0])
    assert isinstance(rig.until(engine.poll), tuple)


def test_pauses_grow_until_there_is_an_answer(rig):
    engine = rig.engine(*["dies"] * 6, "fine", "dies")
    engine.ask(MOVE)
    for pause_s in (*PAUSES_S, PAUSES_S[-1]):
        assert isinstance(rig.until(engine.poll), Message)
        rig.wait_out(pause_s)
    assert isinstance(rig.until(engine.poll), tuple)
    assert len(rig.pids) == 7
    # The engine that has answered goes unused until it idles out; the next one dies again.
    rig.wait_out(IDLE_S)
    wait_for_end(rig.pids[-1])
    assert isinstance(rig.asked(engine), Message)
    rig.until_due(PAUSES_S[0])


def test_answer_for_an_older_position_is_dropped(rig):
    engine = rig.engine("waits for stop")
    rig.thinking(engine)
    assert rig.asked(engine, EngineTask(LATER, "1"))[0].move == "b2"
    assert rig.heard.count("stop") == len(rig.pids) == 1


def test_answer_that_nobody_wanted_any_more_is_not_that_of_the_next_search(rig):
    engine = rig.engine("fine")
    engine.ask(MOVE)
    rig.until_due(IDLE_S)
    engine.stop()
    assert rig.asked(engine)[0].move == "b2"


@pytest.mark.parametrize("idle", [True, False])
def test_engine_that_dies_unasked_is_no_trouble(rig, idle):
    engine = rig.engine("waits for stop", "fine")
    rig.thinking(engine)
    engine.stop()
    if idle:
        rig.until_due(IDLE_S)
    os.kill(rig.pids[0], 9)
    rig.until_due(inf)
    assert engine.poll() is None
    assert isinstance(rig.asked(engine), tuple)


def test_fault_of_our_own_is_raised_in_the_boards_loop(rig, monkeypatch):
    engine = rig.engine("fine")
    monkeypatch.setattr(type(GAME), "text", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        rig.asked(engine)


def test_close_ends_a_hung_engine_and_wakes_nothing_after(rig):
    engine = rig.engine("hangs")
    rig.thinking(engine)
    (pid,) = rig.pids
    # It is in a group of its own within our session.
    assert (os.getpgid(pid), os.getsid(pid)) == (pid, os.getsid(0))
    rig.bell.clear()
    engine.close()
    wait_for_end(pid)
    assert not rig.bell.is_set()
    engine.ask(MOVE)
    assert engine.poll() is None
    assert len(rig.pids) == 1


def test_engine_is_not_told_what_systemd_tells_the_service(rig, monkeypatch):
    monkeypatch.setenv("NOTIFY_SOCKET", "/run/nothing")
    assert rig.asked(rig.engine("tells its environment"))[0].move == "b2"
