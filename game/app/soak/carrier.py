"""What carries the board of a sitting: a computer's own wires, or a Pico at the end of a cable.

Owns how each is opened, and the mishaps that only it has. Must not know people, table or journal.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from random import Random
from typing import Protocol

from game.app.errors import AppError
from game.app.soak.link_mishaps import LinkMishaps
from hal.memory import BoardMemory
from hal.profile import Profile
from hal.sim import SimBackend
from hal.sim.body import Body
from hal.sim.pico.backend import EmulatedCoprocessor
from hal.wired import WiredBackend


class CarrierError(AppError):
    """Report that what carries the board has not done as it was told."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Say what is opened where: the board, the clock, what stands on it, and a folder for files.

    `pass_time` moves the clock on by some seconds, with all that happens meanwhile; `tell` hears of
    mishaps, and `counts` counts them. `mishaps_s` is how far apart they are on average; infinity
    for none.
    """

    profile: Profile
    clock: Callable[[], float]
    pass_time: Callable[[float], None]
    seed: int
    memory: BoardMemory
    stones: tuple[str, ...]
    folder: Path
    tell: Callable[[str], None]
    counts: Counter[str]
    mishaps_s: float


class Carrier(Protocol):
    """Carry a board. `body` is what hands touch, `due` when `act` wants to be called."""

    @property
    def backend(self) -> WiredBackend:
        """Give what the board is played through."""
        ...

    @property
    def body(self) -> Body:
        """Give the board under the hands."""
        ...

    @property
    def due(self) -> float:
        """Give when the next mishap is; infinity for never."""
        ...

    def settle(self) -> None:
        """Let whatever lives beside the host come to the present, before hands move."""
        ...

    def act(self) -> None:
        """Let the mishaps happen that are due."""
        ...

    def calm(self) -> None:
        """Mend what is broken, and have no more mishaps."""
        ...

    def check(self) -> None:
        """Raise CarrierError for what is not as the host believes it to be."""
        ...


class OwnWires:
    """Carry a board on wires of the host's own."""

    due = inf

    def __init__(self, conditions: Conditions) -> None:
        self.backend = SimBackend(
            conditions.profile,
            clock=conditions.clock,
            seed=conditions.seed,
            memory=conditions.memory,
            stones=conditions.stones,
        )
        self.body = self.backend.body

    def settle(self) -> None:
        """Do nothing: the chips live with their body."""

    def act(self) -> None:
        """Do nothing."""

    def calm(self) -> None:
        """Do nothing."""

    def check(self) -> None:
        """Accept everything: there is one truth only."""


class PicoOnCable:
    """Carry a board on an emulated Pico that runs the firmware in real MicroPython.

    Raises BackendError where there is none, with what to install.
    """

    def __init__(self, conditions: Conditions) -> None:
        self.backend = EmulatedCoprocessor(
            conditions.profile,
            clock=conditions.clock,
            pass_time=conditions.pass_time,
            flash=conditions.folder / "flash",
            seed=conditions.seed,
            memory=conditions.memory,
            stones=conditions.stones,
        )
        self.body = self.backend.body
        self._mishaps = LinkMishaps(
            self.backend,
            Random(conditions.seed),
            conditions.mishaps_s,
            clock=conditions.clock,
            tell=conditions.tell,
            counts=conditions.counts,
        )

    @property
    def due(self) -> float:
        """Give when the next mishap is; infinity for never."""
        return self._mishaps.due

    def settle(self) -> None:
        """Let the Pico come to the present."""
        self.backend.pico.settle()

    def act(self) -> None:
        """Let the mishaps happen that are due."""
        self._mishaps.act()

    def calm(self) -> None:
        """Mend what is broken, and have no more mishaps."""
        self._mishaps.calm()

    def check(self) -> None:
        """Compare what the strip shows with what the host has sent."""
        shown, sent = self.backend.latched(), self.backend.lit()
        if shown != sent:
            wrong = [
                at for at, (is_, was) in enumerate(zip(shown, sent, strict=True)) if is_ != was
            ]
            raise CarrierError(f"pixels {', '.join(map(str, wrong))} show what was not sent")
        if self.backend.machine.strip.refused:
            raise CarrierError(f"the strip took no frame: {self.backend.machine.strip.refusal}")


CARRIERS: Mapping[str, Callable[[Conditions], Carrier]] = {
    "sim": OwnWires,
    "coprocessor": PicoOnCable,
}
"""What may carry a board, by the name of the backend."""
