"""The engine's process from outside: whatever it does, the board's loop goes on, informed."""

import os
from pathlib import Path
from threading import Event

import pytest

from game.engine import find_level
from game.opponent.computer import (
    GRACE_S,
    PAUSES_S,
    START_S,
    EngineAnswer,
    EngineProcess,
    EngineTask,
)
from game.rules.base.message import Message
from game.rules.base.registry import find_game
from game.table.inputs import ScoredMove
from tests.helpers.programs.odd_rig import PATIENCE_S, ClockedRig, wait_for_end, wait_until

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

    def asked(self, engine: EngineProcess, task: EngineTask = MOVE) -> EngineAnswer:
        """Ask, and wait until the engine answers."""
        engine.ask(task)
        return self.until(engine.poll)

    def failed(self, engine: EngineProcess) -> Message:
        """Wait until the engine has failed."""
        return self.until(lambda: engine.trouble)

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


@pytest.mark.parametrize("behaviour", ["dies", "plays off the board"])
def test_bad_engine_is_ended_and_started_again(rig, behaviour, caplog):
    engine = rig.engine(behaviour, "fine", "fine")
    engine.ask(MOVE)
    assert rig.failed(engine).key == "opponent.stopped"
    assert caplog.messages[0].startswith("the computer player has failed: ")
    for pid in rig.pids:
        wait_for_end(pid)
    rig.wait_out(PAUSES_S[0])
    assert isinstance(rig.until(engine.poll), tuple)
    assert engine.trouble is None


def test_task_that_is_stopped_at_once_is_never_begun(rig):
    engine = rig.engine("fine")
    rig.asked(engine)
    busy, *idle = (Event() for _ in range(3))
    engine._background.call(busy.wait)
    engine.ask(MOVE)
    engine.stop()
    busy.set()
    for each in idle:
        engine._background.call(each.set)
        assert each.wait(PATIENCE_S)
    assert engine.poll() is None
    assert rig.asked(engine)[0].move == "b2"


@pytest.mark.parametrize(
    ("behaviour", "seconds"),
    [
        ("hangs", LEVEL_S + GRACE_S),
        # Its child holds its output.
        ("leaves a child", LEVEL_S + GRACE_S),
        ("deaf", START_S),
        ("speaks UCI", START_S),
    ],
)
def test_silent_engine_is_killed(rig, behaviour, seconds):
    engine = rig.engine(behaviour, "fine")
    engine.ask(MOVE)
    wait_until(lambda: rig.pids)
    rig.wait_out(seconds)
    rig.failed(engine)
    for pid in rig.pids:
        wait_for_end(pid)
    rig.wait_out(PAUSES_S[0])
    assert isinstance(rig.until(engine.poll), tuple)


def test_pauses_grow_until_there_is_an_answer(rig):
    engine = rig.engine(*["dies"] * 6, "fine")
    engine.ask(MOVE)
    for number, pause_s in enumerate((*PAUSES_S, PAUSES_S[-1]), start=1):
        wait_until(lambda number=number: engine._failures == number)
        rig.wait_out(pause_s)
    assert isinstance(rig.until(engine.poll), tuple)
    assert (len(rig.pids), engine._failures) == (7, 0)


def test_answer_for_an_older_position_is_dropped(rig):
    engine = rig.engine("waits for stop")
    rig.thinking(engine)
    assert rig.asked(engine, EngineTask(LATER, "1"))[0].move == "b2"
    assert rig.heard.count("stop") == len(rig.pids) == 1


def test_answer_that_nobody_wanted_any_more_is_not_that_of_the_next_search(rig):
    engine = rig.engine("fine")
    engine.ask(MOVE)
    wait_until(lambda: engine._answers)
    engine.stop()
    assert rig.asked(engine)[0].move == "b2"


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
