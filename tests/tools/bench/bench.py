"""Measure lifeboard on this machine.

Owns the benchmark and its report. Latency is taken on a virtual clock through the emulated chips
and the published drivers: the time of real buses is modelled, the time of our own code is measured,
and both are reported apart.
"""

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from shutil import which
from statistics import quantiles
from types import FrameType
from typing import Any

from game.common import AppError
from game.engine.fast.chance import Xorshift
from game.engine.food_web import field
from game.engine.food_web.tables import tables_of
from game.engine.search import new_search
from game.play import Session
from game.rules.base.values import Outcome
from game.rules.circle_of_life import GAME
from game.rules.circle_of_life.critters import WEB
from game.store import Journal
from game.table.entries import Entry
from game.table.inputs import Asked, Command
from game.table.table import DRAW_S, Table
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


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to measure: times in seconds, `games` for the memory."""

    rules_s: float = 3.0
    engine_s: float = 2.0
    touches: int = 400
    pico_touches: int = 200
    games: int = 100
    idle_s: float = 6.0


QUICK = Effort(rules_s=0.5, engine_s=0.3, touches=120, pico_touches=0, games=10, idle_s=2.0)
"""Enough for rough figures."""


LATENCY = {
    "light": "first light",
    "sensing": "chip sampling and debouncing (virtual time)",
    "i2c": "I2C buses (modelled)",
    "ours": "our own code (measured)",
    "disk": "durable record (measured)",
    "pixels": "pixel strip (modelled)",
    "sensed": "light that says sensed",
    "accepted": "light that says accepted, on this disk",
}
"""The parts of the time from a finger's landing to the changed pixel.

`light` is the first light, of a touch that may yet be noise. The others are of the move: `disk` is
once in 32 times with the checkpoint of its log, for which play waits until it is idle. `sensed`
does not wait for the disk; `accepted` comes after it and by a second frame.
"""


@dataclass(frozen=True, slots=True)
class _Parts:
    """One touch's times in seconds. `light` is the first light's; None if it is the sensed one."""

    sensing: float
    i2c: float
    ours: float
    disk: float
    pixels: float
    first: float | None = None

    @property
    def light(self) -> float:
        return self.sensed if self.first is None else self.first

    @property
    def sensed(self) -> float:
        return self.sensing + self.i2c + self.ours + self.pixels

    @property
    def accepted(self) -> float:
        """When the second frame is out."""
        return self.sensed + self.disk + self.pixels


class _TimedJournal(Journal):
    """A journal without a thread that counts and times its writes."""

    times = 0
    spent_s = 0.0

    def append(self, entries: Sequence[Entry], outcome: Outcome | None, now: float) -> None:
        began = time.perf_counter()
        super().append(entries, outcome, now)
        self.spent_s += time.perf_counter() - began
        self.times += 1


def _engine_games(number: int) -> None:
    rng, tables = Xorshift(1), tables_of(WEB)
    start, board = field.Field(tables, 20), field.Field(tables, 20)
    for _ in range(number):
        board.copy_from(start)
        board.playout(rng)


def measure(effort: Effort = Effort()) -> dict[str, Any]:
    """Take all measurements; about a minute, unless quickly.

    `latency` has the spreads of LATENCY and the number of `touches`; `pico_light` is None without
    Node and in a quick run.
    """
    games, plies = _rules_speed(effort.rules_s)
    pico_touches = effort.pico_touches if which("npm") else 0
    return {
        "random_games_per_s": games,
        "plies_per_game": plies,
        "engine_games_per_s": _a_second(_engine_games, effort.engine_s),
        "engine_nodes_per_s": _a_second(new_search(GAME, GAME.initial(), 1).go_on, effort.engine_s),
        "engine_compiled": not field.__file__.endswith(".py"),
        "latency": touch_latency(effort.touches),
        "pico_light": _spread(first_lights(pico_touches)) if pico_touches else None,
        "step": step_calls(),
        "process": _process(effort),
    }


def report(figures: dict[str, Any]) -> str:
    """Write the figures for reading."""
    latency, process, step = figures["latency"], figures["process"], figures["step"]
    lines = [
        f"rules      {figures['random_games_per_s']:8.0f} random games a second on one core"
        f" ({figures['plies_per_game']:.1f} plies a game)",
        f"engine     {figures['engine_games_per_s']:8.0f} random games a second on one core"
        f" ({'' if figures['engine_compiled'] else 'not '}compiled)",
        f"           {figures['engine_nodes_per_s']:8.0f} nodes a second searched",
        f"touch to light over {latency['touches']} touches       p50 ms   p99 ms",
    ]
    spreads = [(f"  {what:<44}", latency[name]) for name, what in LATENCY.items()]
    if figures["pico_light"]:
        spreads.append((f"{'first light on a Pico, by its clock':<46}", figures["pico_light"]))
    lines += [f"{what}{each['p50_ms']:8.2f} {each['p99_ms']:8.2f}" for what, each in spreads]
    lines += [
        f"a move's step   {step['calls']} calls in {step['files']} files,"
        f" and {step['emulation']} of the emulation",
        f"start to ready  {process['start_to_ready_s']:6.2f} s",
        f"idle processor  {process['idle_cpu_percent']:6.2f} % of one core",
        f"memory          {process['memory_mb']:6.2f} MB, after {process['games']} games"
        f" {process['memory_after_games_mb']:6.2f} MB",
    ]
    return "\n".join(lines)


def touch_latency(touches: int) -> dict[str, Any]:
    """Play random games by touch on the simulated board, on a virtual clock, and time each."""
    with tempfile.TemporaryDirectory() as folder:
        parts = list(_timed_touches(touches, Path(folder)))
    spreads = {name: _spread([getattr(part, name) for part in parts]) for name in LATENCY}
    return {"touches": len(parts), **spreads}


def step_calls() -> dict[str, int]:
    """Count the calls of our functions in the step in which a touch becomes a move.

    The most of ten moves, and in how many files. A generator counts once for each value. Calls into
    the emulated chips are counted apart.
    """
    rng, found = Random(3), list[dict[str, int]]()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        board = _VirtualBoard(Path(folder), opened, rng)
        board.pass_until(DRAW_S + 1.0)
        while len(found) < 10:
            state = board.table.state
            cell = GAME.legal_moves(state.position).pick(rng)
            for edit in state.pending:
                board.touch(edit.cell)
            board.count = counts = Counter[str]()
            board.touch(cell)
            board.count = None
            ours = [n for file, n in counts.items() if not file.startswith("hal/sim/")]
            emulation = counts.total() - sum(ours)
            found.append({"calls": sum(ours), "files": len(ours), "emulation": emulation})
    return max(found, key=lambda each: each["calls"])


def _rules_speed(seconds: float) -> tuple[float, float]:
    rng = Random(1)
    games = plies = 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        plies += random_game(rng)[1]
        games += 1
    return games / spent, plies / games


def _a_second(work: Callable[[int], object], seconds: float) -> float:
    """Do growing portions of work; return how much is done in a second of processor time."""
    done, portion, began = 0, 16, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        work(portion)
        done += portion
        # Portions grow until the clock is read seldom.
        portion = min(2 * portion, 1 + int(done / max(spent, 1e-3) / 10))
    return done / spent


class _VirtualBoard:
    """A session on the simulated board on a virtual clock."""

    def __init__(self, folder: Path, opened: ExitStack, rng: Random) -> None:
        self.now = 0.0
        self.count: Counter[str] | None = None
        profile = profiles.built_in()
        backend = open_backend("sim", profile, clock=lambda: self.now)
        if not isinstance(backend, SimBackend):
            raise AppError("the simulated board is replaced by another backend")
        self.backend = backend
        self.emulated_s = 0.0
        self.buses = [backend.platform.bus(number) for number in backend.platform.buses()]
        self.strip = backend.platform.strip
        entries = [(backend.body, "advance"), (self.strip, "writebytes")]
        for part, name in [*entries, *((bus, "_transfer") for bus in self.buses)]:
            setattr(part, name, self._timed(getattr(part, name)))
        self.journal = opened.enter_context(_TimedJournal(folder, GAME.name, threaded=False))
        device = opened.enter_context(closing(Device(profile, backend)))
        self.table = Table(GAME, {}, rng)
        self.session = Session(self.table, device, self.journal, Broadcaster())
        self.session.begin(self.now)

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

    def _counted_step(self, counts: Counter[str]) -> None:
        """Make one step, and count the calls of our functions by file, unless it saves nothing."""
        found, times = Counter[str](), self.journal.times

        def count(frame: FrameType, event: str, _: object) -> None:
            file = frame.f_code.co_filename
            if event == "call" and file.startswith((f"{ROOT}/game/", f"{ROOT}/hal/")):
                found[file.removeprefix(f"{ROOT}/")] += 1

        sys.setprofile(count)
        try:
            self.session.step(self.now)
        finally:
            sys.setprofile(None)
        if self.journal.times > times:
            counts.update(found)

    def step(self) -> _Parts:
        """Make one step at the present time; `sensing` is left at 0."""
        before = self._spent()
        began = time.perf_counter()
        if self.count is None:
            self.session.step(self.now)
        else:
            self._counted_step(self.count)
        spent = time.perf_counter() - began
        emulated, bus, strip, disk = (b - a for a, b in zip(before, self._spent(), strict=True))
        return _Parts(0.0, bus, spent - emulated - disk, disk, strip)

    def pass_until(self, then: float) -> None:
        """Let time pass, with a step whenever one is due."""
        while self.now < then:
            self.step()
            self._to_next(then)

    def touch(self, cell: str) -> _Parts:
        """Put a finger on a cell until its light changes, and lift it again."""
        landed, before = self.now, self.journal.times
        pixel = self.session.device.profile.pixels[cell]
        self.backend.press("finger", cell)
        first: float | None = None
        while True:
            lit = self.backend.lit()[pixel]
            parts = self.step()
            sensing = self.now - landed
            if self.journal.times > before:
                break
            if self.now > landed + 1.0:
                raise AppError(f"a touch of {cell} was not felt within a second")
            contact = cell in self.session.device.contacts
            if first is None and contact and self.backend.lit()[pixel] != lit:
                first = sensing + parts.sensed
            # The time of a step passes while a press is being debounced.
            done = self.now + parts.sensed
            self._to_next(landed + 2.0)
            self.now = max(self.now, done)
        sensed = replace(parts, sensing=sensing, first=first)
        self.backend.lift("finger")
        self.pass_until(self.now + REST_S)
        return sensed

    def _to_next(self, latest: float) -> None:
        steps = [self.session.due(self.now), latest]
        if self.backend.step_s is not None:
            steps.append(self.now + self.backend.step_s)
        self.now = min(max(min(steps), self.now + 1e-4), latest)


def _timed_touches(touches: int, folder: Path) -> Iterator[_Parts]:
    rng = Random(2)
    with ExitStack() as opened:
        board = _VirtualBoard(folder, opened, rng)
        board.pass_until(DRAW_S + 1.0)
        done = 0
        while done < touches:
            pending = board.table.state.pending
            moves = GAME.legal_moves(board.table.state.position)
            if board.table.state.outcome is not None:
                board.session.give(Asked(Command.NEW_GAME))
                board.pass_until(board.now + DRAW_S + 1.0)
                continue
            # Fingers do not land in step with the chips.
            board.pass_until(board.now + REST_S + rng.random() * 0.1)
            yield board.touch(pending[0].cell if pending else moves.pick(rng))
            done += 1


def _spread(seconds: list[float]) -> dict[str, float]:
    """Return the median and the 99th percentile of many times, in milliseconds."""
    cuts = quantiles(seconds, n=100)
    return {"p50_ms": round(cuts[49] * 1000, 3), "p99_ms": round(cuts[98] * 1000, 3)}


def _process(effort: Effort) -> dict[str, Any]:
    """Measure a whole `lifeboard play` at rest, and after games."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "game.cli", "play", "--no-browser", "--port", "0"]
        began = time.perf_counter()
        child = subprocess.Popen([*command, "--data", folder], stdout=subprocess.PIPE)
        try:
            pipe: Any = child.stdout
            if not select.select([pipe], [], [], START_LIMIT_S)[0] or not pipe.readline():
                raise AppError(f"lifeboard play was not ready within {START_LIMIT_S:.0f} s")
            ready = time.perf_counter() - began
            # The draw's lights do not count as rest.
            time.sleep(DRAW_S + 1.0)
            before = _cpu_s(child.pid)
            time.sleep(effort.idle_s)
            idle = round(100 * (_cpu_s(child.pid) - before) / effort.idle_s, 2)
            rest_mb = resident_mb(str(child.pid))
        finally:
            child.send_signal(signal.SIGTERM)
            child.communicate()
    return {
        "start_to_ready_s": round(ready, 3),
        "idle_cpu_percent": idle,
        "memory_mb": rest_mb,
        "games": effort.games,
        "memory_after_games_mb": memory_after(effort.games),
    }


def _cpu_s(pid: int) -> float:
    """Return the processor time of a process, in seconds (proc(5): utime and stime)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
