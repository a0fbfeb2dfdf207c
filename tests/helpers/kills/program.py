"""Kill sessions at random moments and start them again; a program with one thread, which forks.

Called with a JSON object: `what` ("play" or "start"), `folder`, `seed`, `presence`,
`kills`, and `flawed`: whether the journal is made wrong on purpose. Prints what was seen as a
JSON object; `wrong` in it is what was not as it should be, after which there are no more rounds.
"""

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from game.rules.circle_of_life import GAME
from game.store import Journal
from tests.helpers.kills.flaws import LyingJournal
from tests.helpers.kills.invariant_checker import Broken, InvariantChecker, Line
from tests.helpers.kills.rounds import Moment, Round
from tests.helpers.kills.session import Board, Plan, sit


class Program:
    """Sessions on one kind of board, one after the other."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.journal = LyingJournal if order["flawed"] else Journal
        self.presence = bool(order["presence"])
        self.folder = Path(order["folder"])
        self.wanted = int(order["kills"])
        self.rng = Random(order["seed"])
        self.board = Board(presence=self.presence)
        self.counts: Counter[str] = Counter()
        self.kills = 0
        self.number = 0
        if threading.active_count() != 1:
            raise Broken(f"threads at the fork: {threading.enumerate()}")

    def play(self) -> None:
        """Kill one long play, in one folder, again and again."""
        checker = InvariantChecker(self.folder)
        while self.kills < self.wanted:
            closes = self.rng.random() < 0.08
            when = _closing(self.rng) if closes else _moment(self.rng)
            lines = self._sit(checker, when, self.rng.randint(0, 6) if closes else None)
            self._move_stones(checker, lines)
        self.counts.update(checker.counts)
        self.counts["entries"] = len(checker.accepted)
        self.counts["games"] = sum(kind == "start" for kind, _ in checker.accepted)

    def start(self) -> None:
        """Kill first starts and the draws of first games; the next start must go well."""
        while self.kills < self.wanted:
            folder = self.folder / str(self.number)
            checker = InvariantChecker(folder)
            for _ in range(self.rng.randint(1, 3)):
                self._sit(checker, _early(self.rng), None)
            self._finish(checker)

    def _sit(self, checker: InvariantChecker, when: Moment, deeds: int | None) -> list[Line]:
        """Kill one session, and see that all is well."""
        self.number += 1
        session = Round(self._run(checker, deeds, gated=self.rng.random() < 0.25))
        session.until(when)
        killed, lines = session.kill()
        self.kills += killed
        self.counts[f"kills {when.name}"] += killed
        for line in lines:
            checker.hear(line)
        checker.killed()
        return lines

    def _finish(self, checker: InvariantChecker) -> None:
        """Let one session come to its own end."""
        self.number += 1
        _, lines = Round(self._run(checker, 1, gated=False)).end()
        for line in lines:
            checker.hear(line)
        if lines[-1] != ["closed"]:
            raise Broken(f"the last words are {lines[-1]}")
        checker.killed()
        self.counts.update(checker.counts)

    def _run(
        self, checker: InvariantChecker, deeds: int | None, *, gated: bool
    ) -> Callable[[int], int]:
        plan = Plan(
            checker.folder,
            seed=self.rng.getrandbits(32),
            presence=self.presence,
            haste=self.rng.choice((0.0, 0.3, 1.0)),
            gated=gated,
            deeds=deeds,
            journal=self.journal,
        )
        return lambda pipe: sit(plan, self.board, checker.stones, pipe)

    def _move_stones(self, checker: InvariantChecker, lines: list[Line]) -> None:
        """Let hands finish, or not, what they were about when the power went; or do more."""
        if lines and lines[-1][:2] in (["do", "put"], ["do", "take"]) and self.rng.random() < 0.5:
            checker.stones ^= {lines[-1][2]}
        if self.presence and self.rng.random() < 0.15:
            for cell in self.rng.sample(GAME.board.cells, 2):
                checker.stones ^= {cell}
                self.counts["stones moved without power"] += 1


def _moment(rng: Random) -> Moment:
    """Draw a moment in play."""
    dice = rng.random()
    if dice < 0.08:
        return Moment("while it starts", (), 0, rng.uniform(0.0, 0.06))
    if dice < 0.38:
        return Moment("at any line", (), rng.randint(1, 40), rng.uniform(0.0, 0.003))
    if dice < 0.75:
        return Moment("as it is written", ("accept",), rng.randint(1, 9), rng.uniform(0.0, 0.008))
    number = rng.randint(2, 14)
    return Moment("when it is shown", ("shown", "lit"), number, rng.choice((0.0, 0.0005)))


def _closing(rng: Random) -> Moment:
    return Moment("while it closes", ("closing",), 1, rng.uniform(0.0, 0.012))


def _early(rng: Random) -> Moment:
    """Draw a moment before the first move."""
    if rng.random() < 0.6:
        return Moment("at a first start", (), 0, rng.uniform(0.0, 0.06))
    return Moment("in a first draw", (), rng.randint(1, 6), rng.uniform(0.0, 0.003))


def main(order: dict[str, Any]) -> dict[str, Any]:
    """Do as ordered."""
    program, wrong = Program(order), ""
    try:
        {"play": program.play, "start": program.start}[order["what"]]()
    except AssertionError as error:
        wrong = f"session {program.number} of seed {order['seed']}: {type(error).__name__}: {error}"
    return {"kills": program.kills, "wrong": wrong, "counts": dict(program.counts)}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
