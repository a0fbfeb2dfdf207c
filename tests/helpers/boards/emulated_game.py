"""A game on a Pi or a Pico that is emulated below its drivers."""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from game.opponent import Computer
from game.play import AutomaticHands, FittedMasks, Partner, Session, fitted_profile
from game.rules.base.game import Game
from game.rules.boards.fingers import DEBOUNCE_S
from game.rules.circle_of_life import GAME
from game.store import Journal, Store
from game.table import DRAW_S, Table
from game.table.entries import Entry
from game.table.scene import Cue
from hal.backends.device import Device
from hal.profile import BoardMemory, Profile
from hal.sim.body import Body
from hal.sim.platform import EmulatedPlatform
from tests.helpers.boards.emulated_pi import EmulatedPi
from tests.helpers.boards.shown_board import Watcher
from tests.helpers.boards.still_device import StillDevice
from tests.helpers.pico.backend import EmulatedCoprocessor, MakePico
from tests.helpers.pico.quick import EmulatedPico


def entries_on_disk(data: Path, game: str = GAME.name) -> list[Entry]:
    """Read the newest game from disk, without the journal that may be writing it."""
    with closing(Store(data, read_only=True)) as store:
        number = store.newest(game)
        return [] if number is None else [line.entry for line in store.lines(number)]


class EmulatedGame:
    """A game on a board that is emulated below its drivers, with a clock that the test moves.

    Hands touch the whole board, whose wiring is the `truth`; the game may use only a part of it.
    `make` makes the Pico under it, `platform` what is around the chips of a Pi. Steps follow
    changes of the chips' readings, else come every `coarse_s`.
    """

    def __init__(
        self,
        profile: Profile,
        data: Path,
        stones: tuple[str, ...] = (),
        truth: Profile | None = None,
        computer: Computer | None = None,
        levels: tuple[str, ...] = (),
        game: Game[Any, Any] = GAME,
        options: Mapping[str, str] | None = None,
        automatic: bool = False,
        make: MakePico = EmulatedPico,
        partner: Partner | None = None,
        now: float = 0.0,
        lively: bool = True,
        coarse_s: float = 0.0,
        platform: Callable[[Profile, Body], EmulatedPlatform] = EmulatedPlatform,
    ) -> None:
        self.now = now
        self.game = game
        board, self.profile = profile, fitted_profile(profile, game)
        profile = self.profile
        self.memory = BoardMemory(data / "board.json")
        hardware: dict[str, Any] = {
            "clock": lambda: self.now,
            "seed": 3,
            "memory": self.memory,
            "stones": stones,
            "truth": truth or board,
        }
        if profile.pico is None:
            self.pi = EmulatedPi(profile, coarse_s=coarse_s, make=platform, **hardware)
        else:
            self.pi = EmulatedCoprocessor(
                profile, pass_time=self.pass_time, flash=data / "flash", make=make, **hardware
            )
        self.device = (Device if lively else StillDevice)(profile, self.pi)
        self.data = data
        self.journal = Journal(data, game.name, threaded=False)
        self.watcher = Watcher()
        presence = profile.sensing.stones
        self.table = Table(
            game,
            {"first": "1", **(options or {})},
            Random(1),
            presence=presence,
            levels=levels,
            shared=partner is not None,
        )
        masks = FittedMasks(self.memory, board, profile)
        self.hands = AutomaticHands(self.pi, automatic)
        people = {"computer": computer, "hands": self.hands, "partner": partner}
        self.session = Session(self.table, self.device, self.journal, self.watcher, masks, **people)
        self.session.begin(self.now)
        self.run(DRAW_S + 0.1)

    def close(self) -> None:
        self.device.close()
        self.journal.close()

    def pull_plug(self) -> None:
        self.journal.close()
        if isinstance(self.pi, EmulatedCoprocessor):
            self.pi.drop()

    def pass_time(self, seconds: float) -> None:
        self.now += seconds

    def run(self, seconds: float) -> None:
        """Step as the loop does."""
        end = self.now + seconds
        while True:
            stepped = self.now
            self.session.step(stepped)
            if self.now >= end:
                return
            due = min(self.session.due(self.now), end)
            if self.pi.step_s is not None:
                due = min(due, self.now + self.pi.step_s)
            assert due > stepped, "the loop would spin"
            # Time may have passed while the board was read.
            self.now = max(due, self.now)

    def tap(self, spot: str, seconds: float = 0.15) -> None:
        self.pi.press("finger", spot)
        self.run(seconds)
        self.pi.lift("finger")
        self.run(0.1 + DEBOUNCE_S)

    @property
    def saved(self) -> list[Entry]:
        return entries_on_disk(self.data, self.game.name)

    @property
    def text(self) -> str:
        return self.game.text(self.table.state.position)

    @property
    def plies(self) -> int:
        return len(self.table.state.history)

    @property
    def has_faults(self) -> bool:
        return bool(self.table.state.faults.reasons)

    def cue(self, cell: str) -> Cue | None:
        lamp = self.table.scene().cells.get(cell)
        return lamp.cue if lamp else None

    def light(self, cell: str) -> tuple[int, int, int]:
        """What the emulated pixel of a cell shows."""
        colour = self.pi.latched()[self.profile.pixels[cell]]
        return colour.red, colour.green, colour.blue
