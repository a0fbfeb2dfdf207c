"""A game session that goes on until it is killed, on a virtual clock, and a person.

Owns what is told through a pipe: each stone before it moves, each entry before the journal
has it, and whatever is shown, as soon as it is.
"""

import json
import os
import threading
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from game.play import light_theme
from game.play.session import Session, Snapshot
from game.rules.circle_of_life import GAME
from game.store import Journal, Store
from game.table.state import State
from game.table.table import Table
from hal.backends.device import Device
from hal.lights.frame import Frame, Layer
from hal.profile import built_in
from hal.sim import SimBackend
from tests.helpers.kills.person import Person

DISK_S = 30.0
"""A disk that has not answered by then never will."""
MOST_HASTE = 12
"""How often hands go on before their last action is on disk."""
CUES = {style.rhythm: cue.value for cue, style in light_theme.CELL_STYLES.items()}


class Board:
    """A simulated board with a clock that is moved by hand; made once, and then forked."""

    def __init__(self, *, presence: bool) -> None:
        self.now = 0.0
        profile = built_in()
        mode = "presence" if presence else "touch"
        self.profile = replace(profile, sensing=replace(profile.sensing, mode=mode))
        self.backend = SimBackend(self.profile, clock=lambda: self.now)
        self.device = Device(self.profile, self.backend, lively=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """How one session goes. `haste` is the chance of going on before the disk is done."""

    folder: Path
    seed: int
    presence: bool
    haste: float = 0.3
    gated: bool = False
    deeds: int | None = None
    journal: type[Journal] = Journal


class Gate:
    """A disk that stops, while the gate is shut, within its transactions and its tidying up."""

    def __init__(self, rng: Random) -> None:
        self._open = threading.Event()
        self._open.set()
        self._rng = rng

    @property
    def is_open(self) -> bool:
        return self._open.is_set()

    def shut(self) -> None:
        """Let the next transaction stop before or after its lines are written."""
        self._open.clear()

    def open(self) -> None:
        self._open.set()

    def install(self) -> None:
        insert = Store._insert

        def held(store: Store, *arguments: Any) -> None:
            late = self._rng.random() < 0.5
            if not late:
                self._open.wait(DISK_S)
            insert(store, *arguments)
            if late:
                self._open.wait(DISK_S)

        checkpoint = Store.checkpoint

        def tidied(store: Store) -> None:
            checkpoint(store)
            self._open.wait(DISK_S)

        Store._insert, Store.checkpoint = held, tidied  # type: ignore[method-assign]


class KillSession:
    """One session on a board, and the person who plays at it; `shown` is what was shown last."""

    def __init__(self, plan: Plan, board: Board, pipe: int) -> None:
        self._plan, self._pipe = plan, pipe
        self.board, self.presence = board, plan.presence
        self._rng = Random(plan.seed)
        self._woken = threading.Event()
        self._gate = Gate(Random(plan.seed))
        self._person = Person(self, self._rng)
        self._layers: Any = None
        self.shown: Snapshot | None = None
        self._gate.install()
        paint = board.device.paint

        def painted(layers: tuple[Layer, ...], now: float) -> bool:
            sent = paint(layers, now)
            if layers is not self._layers:
                self._layers = layers
                self._tell_lights(layers)
            return sent

        board.device.paint = painted  # type: ignore[method-assign, assignment]
        told = self

        class Told(plan.journal):  # type: ignore[misc, name-defined]
            def append(self, entries: Any, outcome: Any, now: float) -> None:
                told.tell("accept", [[each.kind.value, each.text] for each in entries])
                super().append(entries, outcome, now)

        self.journal: Journal = Told(plan.folder, GAME.name, wake=self._woken.set)
        self.table = Table(GAME, {}, Random(plan.seed), presence=plan.presence)
        self.session = Session(self.table, board.device, self.journal, self)

    def see(self, snapshot: Snapshot) -> None:
        """Tell what is shown from now on."""
        self.shown = snapshot
        self.tell("shown", facts(snapshot.state))

    def see_lights(self, colours: Frame) -> None:
        """Take the colours, which the layers tell in words."""

    def tell(self, *line: object) -> None:
        """Write a line at once."""
        left = json.dumps(line).encode() + b"\n"
        while left:
            left = left[os.write(self._pipe, left) :]

    def play(self) -> None:
        """Take up the game, and go on until the plan or the process ends."""
        self.session.begin(self.board.now)
        self.session.step(self.board.now)
        self.settle()
        self.run(0.5)
        self.tell("ready")
        done = hasty = 0
        while self._plan.deeds is None or done < self._plan.deeds:
            self._person.act()
            done += 1
            if self._plan.gated and self._gate.is_open and self._rng.random() < 0.3:
                self._gate.shut()
            elif not self._gate.is_open and self._rng.random() < 0.25:
                self._gate.open()
            hasty = 0 if self.journal.settled else hasty + 1
            patient = self._gate.is_open and self._rng.random() >= self._plan.haste
            if patient or hasty > MOST_HASTE:
                self.settle()
        self._gate.open()
        self.tell("closing")
        self.board.device.close()
        self.journal.close()
        self.tell("closed")

    def run(self, seconds: float) -> None:
        """Step as the loop does."""
        board = self.board
        end = board.now + seconds
        while board.now < end:
            self.session.step(board.now)
            due = min(self.session.due(board.now), end)
            if board.backend.step_s is not None:
                due = min(due, board.now + board.backend.step_s)
            board.now = max(due, board.now + 1e-4)
        self.session.step(board.now)

    def settle(self) -> None:
        """Wait for the disk while the clock stands still, and see what is shown then."""
        self._gate.open()
        while not self.journal.settled:
            if not self._woken.wait(DISK_S):
                raise AssertionError("the journal does not settle")
            self._woken.clear()
        self.session.step(self.board.now)

    def _tell_lights(self, layers: tuple[Layer, ...]) -> None:
        cues: dict[str, list[str]] = {}
        for cell, glow in (layers[0] if layers else {}).items():
            cues.setdefault(CUES[glow.rhythm], []).append(cell)
        cues.pop("legal", None)
        self.tell("lit", cues)


def facts(state: State) -> dict[str, Any]:
    """Give what is shown of a state, comparably."""
    outcome = state.outcome
    return {
        "position": GAME.text(state.position),
        "moves": [each.text for each in state.history],
        "options": dict(state.options),
        "names": list(state.names) if any(state.names) else [],
        "outcome": [outcome.winner, outcome.reason] if outcome else None,
        "pending": [edit.cell for edit in state.pending],
        "unsaved": state.notices.save_problem and state.notices.save_problem.key,
    }


def sit(plan: Plan, board: Board, stones: set[str], pipe: int) -> int:
    """Play in this process; give its exit status."""
    try:
        board.backend.place_stones(frozenset(stones))
        KillSession(plan, board, pipe).play()
    except Exception:
        os.write(pipe, json.dumps(["error", traceback.format_exc()]).encode() + b"\n")
        return 1
    return 0
