"""The engine's process from outside: whatever it does, the board's loop goes on, informed."""

import os
import sys
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest

from game.engine import find_level
from game.opponent import line_process
from game.opponent.engine_process import (
    ANSWER_S,
    GRACE_S,
    IDLE_S,
    PAUSES_S,
    START_S,
    Answer,
    EngineProcess,
    Task,
)
from game.opponent.line_process import End, LineProcess
from game.rules.base.message import Message, say
from game.rules.base.registry import find_game
from game.table.inputs import ScoredMove
from tests.helpers.programs.odd_rig import PATIENCE_S, Rig, wait_for_end

GAME = find_game("circle-of-life")
START = GAME.initial()
LATER = GAME.play(START, "e5")
MOVE = Task(START, "1")
LEVEL_S = find_level("1").seconds


class ClockedBoard(Rig):
    """An engine process that is polled as the board's loop polls it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.engines: list[EngineProcess] = []

    def engine(self, *behaviours: str) -> EngineProcess:
        command = self.command(*behaviours) if behaviours else None
        engine = EngineProcess(GAME, wake=self.bell.set, command=command, seed=1)
        self.engines.append(engine)
        return engine

    def shown(self, engine: EngineProcess) -> Answer | Message:
        """Wait until the engine reports an answer or an error."""
        return self.until(lambda: engine.poll(self.now))

    def asked(self, engine: EngineProcess, task: Task = MOVE) -> Answer | Message:
        engine.ask(task, self.now)
        return self.shown(engine)

    def thinking(self, engine: EngineProcess, task: Task = MOVE) -> None:
        """Ask, and wait until the engine was told to go."""
        engine.ask(task, self.now)

        def gone() -> bool:
            assert engine.poll(self.now) is None
            return engine.due() == self.now + LEVEL_S + GRACE_S

        self.until(gone)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[ClockedBoard]:
    made = ClockedBoard(tmp_path)
    yield made
    for engine in made.engines:
        engine.close()
    for pid in made.pids:
        wait_for_end(pid)


@pytest.mark.parametrize("behaviour", ["fine", "talks much"])
def test_one_process_answers_again_and_again(rig: ClockedBoard, behaviour: str):
    engine = rig.engine(behaviour)
    moves = [rig.asked(engine)[0].move for _ in range(4)]
    assert moves == ["a1", "b2", "c3", "d4"]
    assert len(rig.pids) == 1
    assert engine.poll(rig.now) is None


def test_engine_that_speaks_another_protocol_is_reported_with_its_last_line(
    rig: ClockedBoard, caplog: pytest.LogCaptureFixture
):
    engine = rig.engine("speaks UCI")
    start, line = rig.now, f"uciok {'x' * 74}... (106 characters)"
    engine.ask(MOVE, rig.now)
    rig.until(lambda: engine.poll(start) or engine.due() == start + ANSWER_S)
    rig.now = start + ANSWER_S
    assert engine.poll(rig.now) == say("opponent.not_understood", line=line)
    assert caplog.messages == [f"the computer player is not understood: {line}"]
    assert (engine.poll(rig.now), engine.due()) == (None, start + START_S)
    rig.now = start + START_S
    assert engine.poll(rig.now) == say("opponent.not_understood", line=line)


def test_options_of_an_engine_are_not_taken_for_those_of_the_next(rig: ClockedBoard):
    engine = rig.engine("later dies", "without options")
    rig.asked(engine)
    assert isinstance(rig.asked(engine, Task(LATER, "1")), Message)
    rig.now += PAUSES_S[0]
    before = len(rig.heard)
    rig.asked(engine, Task(LATER, "1"))
    assert not any(line.startswith("setoption") for line in rig.heard[before:])
    assert rig.heard[-1] == f"go movetime {LEVEL_S:.0f}000"


def test_ideas_are_read_from_the_last_that_was_told_best_move_first(rig: ClockedBoard):
    assert rig.asked(rig.engine("hints"), Task(START, "6", ideas=3)) == (
        ScoredMove("c3", 0.7),
        ScoredMove("b2", 0.4, decided=True),
        ScoredMove("d4", pytest.approx(1 / 11)),
    )


def test_engine_is_told_level_ideas_position_and_time(rig: ClockedBoard):
    engine = rig.engine("fine")
    rig.asked(engine, Task(LATER, "4"))
    rig.asked(engine, Task(START, "6", ideas=3, seconds=1.5))
    assert [line for line in rig.heard if line not in ("ugi", "isready")] == [
        f"position fen {GAME.text(LATER)}",
        "setoption name Level value 4",
        "setoption name MultiPV value 1",
        "go",
        f"position fen {GAME.text(START)}",
        "setoption name Level value 6",
        "setoption name MultiPV value 3",
        "go movetime 1500",
    ]


@pytest.mark.parametrize(
    ("behaviour", "key"),
    [
        ("dies", "opponent.died"),
        ("dies at once", "opponent.died"),
        ("leaves a child", "opponent.died"),
        ("floods", "opponent.nonsense"),
        ("never ends its line", "opponent.nonsense"),
        ("plays off the board", "opponent.nonsense"),
        ("knows no move", "opponent.nonsense"),
        ("moves unasked", "opponent.nonsense"),
    ],
)
def test_bad_engine_is_told_of_ended_and_started_anew(rig: ClockedBoard, behaviour: str, key: str):
    engine = rig.engine(behaviour, "fine", "fine")
    assert rig.asked(engine) == say(key)
    for pid in rig.pids:
        wait_for_end(pid)
    assert engine.poll(rig.now) is None
    rig.now += PAUSES_S[0]
    assert isinstance(rig.shown(engine), tuple)


def test_system_without_threads_left_is_told_of_and_no_pipe_stays_open(
    rig: ClockedBoard, monkeypatch: pytest.MonkeyPatch
):
    def refuse(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(line_process.Thread, "start", refuse)
    before = len(os.listdir("/proc/self/fd"))
    engine = rig.engine("fine")
    engine.ask(MOVE, rig.now)
    assert engine.poll(rig.now) == say("opponent.unstarted")
    assert len(os.listdir("/proc/self/fd")) == before
    monkeypatch.undo()
    rig.now += PAUSES_S[0]
    assert isinstance(rig.shown(engine), tuple)


def test_engine_that_hangs_in_a_search_is_killed(rig: ClockedBoard):
    engine = rig.engine("hangs", "fine")
    rig.thinking(engine)
    rig.now = engine.due() - 0.001
    assert engine.poll(rig.now) is None
    rig.now += 0.001
    assert engine.poll(rig.now) == say("opponent.silent")
    wait_for_end(rig.pids[0])
    rig.now += PAUSES_S[0]
    assert isinstance(rig.shown(engine), tuple)


@pytest.mark.parametrize("behaviour", ["deaf", "echoes"])
def test_program_that_is_no_engine_is_given_up(rig: ClockedBoard, behaviour: str):
    engine = rig.engine(behaviour)
    engine.ask(MOVE, rig.now)
    assert engine.poll(rig.now) is None
    assert engine.due() == rig.now + START_S
    rig.now += START_S
    assert engine.poll(rig.now) == say("opponent.silent")


def test_answer_holds_though_nonsense_follows(rig: ClockedBoard):
    engine = rig.engine("says it twice", "fine")
    assert isinstance(rig.asked(engine), tuple)

    def given_up() -> bool:
        assert engine.poll(rig.now) is None
        return engine.due() == inf

    rig.until(given_up)
    wait_for_end(rig.pids[0])
    engine.ask(MOVE, rig.now)
    assert engine.poll(rig.now) is None
    rig.now += PAUSES_S[0]
    assert isinstance(rig.shown(engine), tuple)
    assert len(rig.pids) == 2


def test_pauses_grow_until_there_is_an_answer(rig: ClockedBoard):
    engine = rig.engine(*["dies"] * 6, "fine", "dies")
    engine.ask(MOVE, rig.now)
    pauses = []
    while isinstance(rig.shown(engine), Message):
        pauses.append(engine.due() - rig.now)
        rig.now = engine.due() - 0.001
        assert engine.poll(rig.now) is None
        rig.now = engine.due()
    assert pauses == pytest.approx([*PAUSES_S, PAUSES_S[-1]])
    assert len(rig.pids) == 7
    # The engine that has answered goes unused until it idles out; the next one dies again.
    assert engine.due() == rig.now + IDLE_S
    rig.now += IDLE_S
    assert engine.poll(rig.now) is None
    wait_for_end(rig.pids[-1])
    assert engine.due() == inf
    assert isinstance(rig.asked(engine), Message)
    assert engine.due() - rig.now == pytest.approx(PAUSES_S[0])


def test_answer_for_an_older_position_is_dropped(rig: ClockedBoard):
    engine = rig.engine("waits for stop")
    rig.thinking(engine)
    assert rig.asked(engine, Task(LATER, "1"))[0].move == "b2"
    assert rig.heard.count("stop") == 1
    assert len(rig.pids) == 1


def test_engine_that_dies_while_idle_is_no_trouble(rig: ClockedBoard):
    engine = rig.engine("waits for stop", "fine")
    rig.thinking(engine)
    engine.stop(rig.now)
    os.kill(rig.pids[0], 9)

    def gone() -> bool:
        assert engine.poll(rig.now) is None
        return engine.due() == inf

    rig.until(gone)
    assert isinstance(rig.asked(engine), tuple)


def test_close_ends_a_hung_engine_and_wakes_nothing_after(rig: ClockedBoard):
    engine = rig.engine("hangs")
    rig.thinking(engine)
    (pid,) = rig.pids
    # It is in a group of its own within our session.
    assert (os.getpgid(pid), os.getsid(pid)) == (pid, os.getsid(0))
    rig.bell.clear()
    engine.close()
    wait_for_end(pid)
    assert not rig.bell.is_set()
    assert engine.poll(rig.now) is None
    engine.ask(MOVE, rig.now)
    assert engine.poll(rig.now) is None
    assert len(rig.pids) == 1


def test_engine_is_not_told_what_systemd_tells_the_service(
    rig: ClockedBoard, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NOTIFY_SOCKET", "/run/nothing")
    assert rig.asked(rig.engine("tells its environment"))[0].move == "b2"


def test_program_that_reads_nothing_blocks_nothing(rig: ClockedBoard):
    # The program checks how much input waits, and reads none of it.
    script = (
        "import array, fcntl, signal, termios, time\n"
        "waits = array.array('i', [0])\n"
        "while waits[0] < 50_000:\n"
        "    time.sleep(0.001)\n"
        "    fcntl.ioctl(0, termios.FIONREAD, waits)\n"
        "print('full', flush=True)\n"
        "signal.pause()\n"
    )
    deaf = LineProcess([sys.executable, "-I", "-S", "-c", script], rig.bell.set)
    for _ in range(100):
        deaf.send("x" * 10_000)
    assert rig.until(deaf.lines) == ["full"]
    for _ in range(100):
        deaf.send("x" * 10_000)
        assert deaf.lines() == []
    assert deaf.ended is None
    deaf.kill()
    deaf.join(PATIENCE_S)
    assert deaf.ended is not None
    assert deaf.ended.how is End.KILLED
    deaf.send("anybody there?")
    deaf.kill()


def test_last_words_of_a_program_are_kept_for_the_log(rig: ClockedBoard):
    last = "import sys; sys.stderr.write('z' * 100_000 + '\\nValueError: no luck\\n\\n')"
    program = LineProcess([sys.executable, "-I", "-S", "-c", last], rig.bell.set)
    ended = rig.until(lambda: program.ended)
    assert (ended.how, ended.why) == (End.GONE, "ValueError: no luck")
