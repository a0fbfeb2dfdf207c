"""Kill sessions at random moments and start them again; a program with one thread, which forks.

Called with a JSON object: `what` ("play" or "start"), `folder`, `seed`, `kills`, and `flawed`:
whether the journal is made wrong on purpose. Prints what was seen as a JSON object; `wrong` in it
is what was not as it should be, after which there are no more sessions.
"""

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from game.rules.circle_of_life import GAME
from tests.helpers.kills.session import Board, play
from tests.oracles.entry_replay import EntryReplay, Pairs, games_in

ROOT = Path(__file__).parents[3]
PROGRAM_S = 110.0
ANSWER_S = 60.0
"""A session that sends nothing for this long hangs."""
Line = list[Any]
"""A line of a session: its first item names its kind, the others are details."""


class Lost(AssertionError):
    """What was shown is not there, or is not as it was shown."""


class Invented(AssertionError):
    """Something is there that was never accepted."""


class Broken(AssertionError):
    """A session ended by itself, hung, or does not go on."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill: this long after line number N of those with this beginning."""

    name: str
    begins: tuple[str, ...]
    number: int
    after_s: float


class Checker:
    """Follows the sessions of one folder, each until it is killed.

    Compares what was accepted, what was shown and the bare file, and uses nothing of table,
    journal or store.
    """

    def __init__(self, folder: Path, counts: Counter[str]) -> None:
        self.folder, self.counts = folder, counts
        self.accepted: Pairs = []  # all entries of all games, in order
        self._confirmed = 0

    def check(self, lines: list[Line]) -> None:
        """Compare the file with what a session wrote; from now on the file is the truth."""
        waiting = False
        for line in lines:
            match line:
                case ["accept", entries]:
                    self.accepted += entries
                    waiting = True
                case ["shown", facts, is_saved]:
                    starts = [n for n, (kind, _) in enumerate(self.accepted) if kind == "start"]
                    expected = EntryReplay.of(GAME, self.accepted[starts[-1] :]).facts()
                    if facts != expected:
                        raise Lost(f"{facts} is shown, and was {expected}")
                    if is_saved:
                        self._confirmed, waiting = len(self.accepted), False
                case ["error", text]:
                    raise Broken(text)
                case [what, *_]:
                    self.counts[what] += 1
        games = games_in(self.folder)
        saved = [entry for entries, _ in games for entry in entries]
        if saved != self.accepted[: len(saved)]:
            raise Invented(f"{saved} is saved, but {self.accepted} was accepted")
        if len(saved) < self._confirmed:
            raise Lost(f"{self.accepted[len(saved) : self._confirmed]} had been shown")
        for entries, end in games:
            if EntryReplay.of(GAME, entries).outcome != end:
                raise Lost(f"{entries} is said to have ended so: {end}")
        self.counts["kills with a move on its way"] += waiting
        unfinished = games and games[-1][1] is None and len(games[-1][0]) > 2
        self.counts["kills within an unfinished game"] += bool(unfinished)
        self.accepted, self._confirmed = saved, len(saved)


class Program:
    """Sessions on one board, one after the other."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._folder, self._wanted = Path(order["folder"]), int(order["kills"])
        self._flawed = bool(order["flawed"])
        self._rng = Random(order["seed"])
        self._board = Board()
        self.counts: Counter[str] = Counter()
        self.kills = self.number = 0
        if threading.active_count() != 1:
            raise Broken(f"threads at the fork: {threading.enumerate()}")

    def play(self) -> None:
        checker = Checker(self._folder, self.counts)
        while self.kills < self._wanted:
            closes = self._rng.random() < 0.08
            when = _closing(self._rng) if closes else _moment(self._rng)
            self._session(checker, when, self._rng.randint(0, 6) if closes else None)
        self.counts["entries"] = len(checker.accepted)
        self.counts["games"] = sum(kind == "start" for kind, _ in checker.accepted)

    def start(self) -> None:
        """Kill first starts and the draws of first games; the next start must go well."""
        while self.kills < self._wanted:
            checker = Checker(self._folder / str(self.number), self.counts)
            for _ in range(self._rng.randint(1, 3)):
                self._session(checker, _early(self._rng), None)
            lines = self._session(checker, None, 1)
            if lines[-1] != ["closed"]:
                raise Broken(f"the last words are {lines[-1]}")

    def _session(self, checker: Checker, when: Moment | None, actions: int | None) -> list[Line]:
        """Fork a session, kill it at a moment, and see that all is well."""
        self.number += 1
        seed = self._rng.getrandbits(32)
        ours, theirs = os.pipe()
        if (pid := os.fork()) == 0:
            status = 1
            try:
                status = play(checker.folder, self._board, theirs, seed, actions, self._flawed)
            finally:
                os._exit(status)
        os.close(theirs)
        text = b""
        if when is not None:
            while _count(text, when) < when.number and (more := _read(ours, pid)):
                text += more
            end = time.perf_counter() + when.after_s
            while time.perf_counter() < end:
                pass
            os.kill(pid, signal.SIGKILL)
        while more := _read(ours, pid):
            text += more
        os.close(ours)
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status) and when is not None:
            self.kills += 1
            self.counts[f"kills {when.name}"] += 1
        lines = _lines(text)
        checker.check(lines)
        return lines


def _read(pipe: int, pid: int) -> bytes:
    readable, _, _ = select.select([pipe], [], [], ANSWER_S)
    if not readable:
        os.kill(pid, signal.SIGABRT)
        raise Broken("a session hangs")
    return os.read(pipe, 65536)


def _lines(text: bytes) -> list[Line]:
    """Read the whole lines; one that the kill has cut does not count."""
    return [json.loads(each) for each in text.split(b"\n")[:-1]]


def _count(text: bytes, when: Moment) -> int:
    return sum(not when.begins or line[0] in when.begins for line in _lines(text))


def _moment(rng: Random) -> Moment:
    dice = rng.random()
    if dice < 0.08:
        return Moment("while it starts", (), 0, rng.uniform(0.0, 0.06))
    if dice < 0.38:
        return Moment("at any line", (), rng.randint(1, 40), rng.uniform(0.0, 0.003))
    if dice < 0.75:
        return Moment("as it is written", ("accept",), rng.randint(1, 9), rng.uniform(0.0, 0.008))
    number = rng.randint(2, 14)
    return Moment("when it is shown", ("shown",), number, rng.choice((0.0, 0.0005)))


def _closing(rng: Random) -> Moment:
    return Moment("while it closes", ("closing",), 1, rng.uniform(0.0, 0.012))


def _early(rng: Random) -> Moment:
    """Draw a moment before the first move."""
    if rng.random() < 0.6:
        return Moment("at a first start", (), 0, rng.uniform(0.0, 0.06))
    return Moment("in a first draw", (), rng.randint(1, 6), rng.uniform(0.0, 0.003))


def kills(
    what: str, folder: Path, number: int, *, most_s: float = PROGRAM_S, **order: Any
) -> dict[str, Any]:
    """Run this program with an order, in a process without threads, and return what it saw.

    A traceback in its log is wrong too: the journal survives its own errors.
    """
    given = {"what": what, "folder": str(folder), "kills": number, "flawed": False, **order}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.helpers.kills.program", json.dumps(given)],
        capture_output=True,
        text=True,
        timeout=most_s,
        cwd=ROOT,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    seen = dict(json.loads(done.stdout))
    _, traceback, why = done.stderr.partition("Traceback")
    return seen | {"wrong": seen["wrong"] or traceback + why}


def main(order: dict[str, Any]) -> dict[str, Any]:
    program, wrong = Program(order), ""
    try:
        {"play": program.play, "start": program.start}[order["what"]]()
    except AssertionError as error:
        wrong = f"session {program.number} of seed {order['seed']}: {type(error).__name__}: {error}"
    return {"kills": program.kills, "wrong": wrong, "counts": dict(program.counts)}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
