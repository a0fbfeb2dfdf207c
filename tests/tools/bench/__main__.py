"""Measure this machine: `python -m tests.tools.bench`, or `make bench ARGS=...`.

Latency is taken on a virtual clock through the emulated chips and the published drivers: the time
of real buses is modelled, the time of our own code is measured, and both are reported apart.
"""

import argparse
import os
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import which
from statistics import mean, quantiles
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from game.common import AppError
from game.engine.fast.chance import Xorshift
from game.engine.food_web import board as food_webs
from game.engine.search import new_search
from game.play import Session
from game.rules.base.values import Outcome
from game.rules.circle_of_life import GAME
from game.store import Journal
from game.table import DRAW_S, Table
from game.table.entries import Entry
from game.table.inputs import Asked, Command
from game.web.broadcaster import Broadcaster
from hal import profile as profiles
from hal.backends.device import Device
from hal.backends.registry import open_backend
from hal.sim import SimBackend
from tests.helpers.games.playing_out import random_game
from tests.tools.architecture import ROOT
from tests.tools.bench.memory import memory_after, resident_mb
from tests.tools.bench.pico import first_lights

START_LIMIT_S = 60.0
REST_S = 0.3
"""Half of the time between two touches, so that none counts as a bounce of the last one."""
OURS = (f"{ROOT}/game/", f"{ROOT}/hal/")
QUICK = 0.2
"""The share of the effort that gives rough figures."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        "bench",
        description="Measure rules speed, touch-to-light latency, idle use, memory and start.",
    )
    parser.add_argument("--quick", action="store_true", help="take rough figures, in a few seconds")
    quick = parser.parse_args(arguments).quick
    for line in measured(QUICK if quick else 1.0, pico=bool(which("npm")) and not quick):
        print(line, flush=True)


def measured(share: float, *, pico: bool) -> Iterator[str]:
    """Yield all figures as lines; with the whole effort they take about a minute."""
    rng, plies = Random(1), list[int]()
    games = _a_second(
        lambda count: plies.extend(random_game(rng)[1] for _ in range(count)), 3.0 * share
    )
    each = f"({mean(plies):.1f} plies a game)"
    yield f"rules      {games:8.0f} random games a second on one core {each}"
    compiled = "not compiled" if food_webs.__file__.endswith(".py") else "compiled"
    games = _a_second(_engine_games, 2.0 * share)
    yield f"engine     {games:8.0f} random games a second on one core ({compiled})"
    nodes = _a_second(new_search(GAME, GAME.initial(), 1).go_on, 2.0 * share)
    yield f"           {nodes:8.0f} nodes a second searched"
    touches = list(_timed_touches(int(400 * share)))
    yield f"touch to light over {len(touches)} touches       p50 ms   p99 ms"
    for what in touches[0]:
        yield _spread(f"  {what}", [each[what] for each in touches])
    if pico:
        yield _spread("first light on a Pico, by its clock", first_lights(int(200 * share)))
    yield _step_calls()
    yield from _process(6.0 * share)
    games = int(100 * share)
    yield f"                {memory_after(games):6.2f} MB after {games} games"


def _engine_games(number: int) -> None:
    rng, start = Xorshift(1), food_webs.board_of(GAME.initial())
    board = start.fresh()
    for _ in range(number):
        board.copy_from(start)
        board.play_out(rng, False)


def _a_second(work: Callable[[int], object], seconds: float) -> float:
    """Do growing portions of work; return how much is done in a second of processor time."""
    done, portion, began = 0, 16, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        work(portion)
        done += portion
        # Portions grow until the clock is read seldom.
        portion = min(2 * portion, 1 + int(done / max(spent, 1e-3) / 10))
    return done / spent


def _spread(what: str, seconds: list[float]) -> str:
    """Write the median and the 99th percentile of many times, in milliseconds."""
    cuts = quantiles(seconds, n=100)
    return f"{what:<46}{cuts[49] * 1000:8.2f} {cuts[98] * 1000:8.2f}"


class _TimedJournal(Journal):
    """A journal without a thread that counts and times its writes."""

    times = 0
    spent_s = 0.0

    def append(self, entries: Sequence[Entry], outcome: Outcome | None, now: float) -> None:
        began = time.perf_counter()
        super().append(entries, outcome, now)
        self.spent_s += time.perf_counter() - began
        self.times += 1


class _VirtualBoard:
    """A session on the simulated board on a virtual clock, and random games on it.

    `calls` are those of our functions in the last step, by file, if they are counted.
    """

    def __init__(self, folder: str, rng: Random, *, counts: bool = False) -> None:
        self.now = self.emulated_s = 0.0
        self.rng, self.counts, self.calls = rng, counts, Counter[str]()
        profile = profiles.built_in()
        backend = open_backend("sim", profile, clock=lambda: self.now)
        assert isinstance(backend, SimBackend)
        self.backend = backend
        self.buses = [backend.platform.bus(number) for number in backend.platform.buses()]
        self.strip = backend.platform.strip
        entries = [(backend.body, "advance"), (self.strip, "writebytes")]
        for part, name in [*entries, *((bus, "_transfer") for bus in self.buses)]:
            setattr(part, name, self._timed(getattr(part, name)))
        self.journal = _TimedJournal(Path(folder), GAME.name, threaded=False)
        self.table, self.device = Table(GAME, {}, rng), Device(profile, backend)
        self.session = Session(self.table, self.device, self.journal, Broadcaster())
        self.session.begin(self.now)
        self.pass_until(DRAW_S + 1.0)

    def close(self) -> None:
        self.device.close()
        self.journal.close()

    def _timed(self, emulate: Callable[..., Any]) -> Callable[..., Any]:
        """Add the time of emulated parts to `emulated_s`."""

        def timed(*arguments: Any) -> Any:
            began = time.perf_counter()
            try:
                return emulate(*arguments)
            finally:
                self.emulated_s += time.perf_counter() - began

        return timed

    def _spent(self) -> tuple[float, float, float, float]:
        """Return seconds: emulating, those of real buses and of a real strip, and on the disk."""
        buses_s = sum(each.busy_s for each in self.buses)
        return self.emulated_s, buses_s, self.strip.busy_s, self.journal.spent_s

    def _count(self, frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(OURS):
            self.calls[file.removeprefix(f"{ROOT}/")] += 1

    def step(self) -> tuple[float, float, float, float]:
        """Make one step at the present time; return seconds: buses, our code, disk and strip."""
        before, self.calls = self._spent(), Counter()
        sys.setprofile(self._count if self.counts else None)
        began = time.perf_counter()
        self.session.step(self.now)
        spent = time.perf_counter() - began
        sys.setprofile(None)
        emulated, bus, strip, disk = (b - a for a, b in zip(before, self._spent(), strict=True))
        return bus, spent - emulated - disk, disk, strip

    def pass_until(self, then: float) -> None:
        """Let time pass, with a step whenever one is due."""
        while self.now < then:
            self.step()
            self._to_next(then)

    def touch(self, cell: str) -> tuple[dict[str, float], Counter[str]]:
        """Put a finger on a cell until its light changes, and lift it again.

        Return the parts of the time from its landing to the changed pixel, and the calls of the
        move's step. The first light is that of a touch that may yet be noise; the others are of the
        move. The disk is once in 32 times with the checkpoint of its log, for which play waits
        until it is idle. The light that says sensed does not wait for the disk; the one that says
        accepted comes after it and by a second frame.
        """
        landed, before = self.now, self.journal.times
        pixel = self.device.profile.pixels[cell]
        self.backend.press("finger", cell)
        first: float | None = None
        while True:
            lit = self.backend.lit()[pixel]
            bus, ours, disk, strip = self.step()
            sensing, sensed = self.now - landed, bus + ours + strip
            if self.journal.times > before:
                break
            assert sensing <= 1.0, f"a touch of {cell} was not felt within a second"
            if first is None and cell in self.device.contacts and self.backend.lit()[pixel] != lit:
                first = sensing + sensed
            # The time of a step passes while a press is being debounced.
            done = self.now + sensed
            self._to_next(landed + 2.0)
            self.now = max(self.now, done)
        sensed, calls = sensing + sensed, self.calls
        self.backend.lift("finger")
        self.pass_until(self.now + REST_S)
        parts = {
            "first light": sensed if first is None else first,
            "chip sampling and debouncing (virtual time)": sensing,
            "I2C buses (modelled)": bus,
            "our own code (measured)": ours,
            "durable record (measured)": disk,
            "pixel strip (modelled)": strip,
            "light that says sensed": sensed,
            "light that says accepted, on this disk": sensed + disk + strip,
        }
        return parts, calls

    def _to_next(self, latest: float) -> None:
        steps = [self.session.due(self.now), latest]
        if self.backend.step_s is not None:
            steps.append(self.now + self.backend.step_s)
        self.now = min(max(min(steps), self.now + 1e-4), latest)


def _timed_touches(touches: int) -> Iterator[dict[str, float]]:
    """Play random games by touch on the simulated board, on a virtual clock, and time each."""
    rng = Random(2)
    with TemporaryDirectory() as folder, closing(_VirtualBoard(folder, rng)) as board:
        while touches:
            state = board.table.state
            if state.outcome is not None:
                board.session.give(Asked(Command.NEW_GAME))
                board.pass_until(board.now + DRAW_S + 1.0)
                continue
            # Fingers do not land in step with the chips.
            board.pass_until(board.now + REST_S + rng.random() * 0.1)
            pending, moves = state.pending, GAME.legal_moves(state.position)
            yield board.touch(pending[0].cell if pending else moves.pick(rng))[0]
            touches -= 1


def _step_calls() -> str:
    """Count the calls of our functions in the step in which a touch becomes a move.

    The most of ten moves, and in how many files. A generator counts once for each value. Calls into
    the emulated chips are counted apart.
    """
    rng, found = Random(3), list[tuple[int, int, int]]()
    with TemporaryDirectory() as folder, closing(_VirtualBoard(folder, rng, counts=True)) as board:
        while len(found) < 10:
            state = board.table.state
            cell = GAME.legal_moves(state.position).pick(rng)
            for edit in state.pending:
                board.touch(edit.cell)
            _, calls = board.touch(cell)
            ours = [n for file, n in calls.items() if not file.startswith("hal/sim/")]
            found.append((sum(ours), len(ours), calls.total() - sum(ours)))
    calls_, files, emulation = max(found, key=lambda each: each[0])
    return f"a move's step   {calls_} calls in {files} files, and {emulation} of the emulation"


def _process(idle_s: float) -> Iterator[str]:
    """Measure a whole `lifeboard play` at rest."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "game.cli", "play", "--no-browser", "--port", "0"]
        began = time.perf_counter()
        child = subprocess.Popen([*command, "--data", folder], stdout=subprocess.PIPE)
        try:
            pipe: Any = child.stdout
            if not select.select([pipe], [], [], START_LIMIT_S)[0] or not pipe.readline():
                raise AppError(f"lifeboard play was not ready within {START_LIMIT_S:.0f} s")
            yield f"start to ready  {time.perf_counter() - began:6.2f} s"
            # The draw's lights do not count as rest.
            time.sleep(DRAW_S + 1.0)
            before = _cpu_s(child.pid)
            time.sleep(idle_s)
            idle = 100 * (_cpu_s(child.pid) - before) / idle_s
            yield f"idle processor  {idle:6.2f} % of one core"
            yield f"memory          {resident_mb(str(child.pid)):6.2f} MB"
        finally:
            child.send_signal(signal.SIGTERM)
            child.communicate()


def _cpu_s(pid: int) -> float:
    """Return the processor time of a process, in seconds (proc(5): utime and stime)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
