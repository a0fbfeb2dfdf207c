"""A simulated board on a clock of its own, and a display that remembers, for the maker's tools."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from game.maker.board import MeasuredBoard, electrodes_by_spot
from game.maker.display import ToolScreen
from hal.profile import BoardMemory, Profile
from hal.sim import SimBackend
from tests.helpers.boards.clocked_board import FakeClock
from tests.helpers.boards.true_board import small


class TimedBoard(SimBackend):
    """A simulated board whose waits end at once and advance the clock."""

    def __init__(self, profile: Profile, clock: FakeClock, **more: Any) -> None:
        super().__init__(profile, clock=clock, **more)
        self._time = clock

    def wait(self, timeout_s: float | None) -> None:
        assert timeout_s is not None
        self._time.now += timeout_s


class FakeDisplay:
    """Remember what is shown and said, and let `hand` act after each screen.

    `hand` gets the screen, and returns the name of an action or None.
    """

    def __init__(self, hand: Callable[[ToolScreen], str | None]) -> None:
        self.hand = hand
        self.screens: list[ToolScreen] = []
        self.said: list[str] = []
        self._asked: str | None = None

    def show(self, screen: ToolScreen) -> None:
        self.screens.append(screen)
        action = self.hand(screen)
        assert action is None or action in [each.name for each in screen.actions]
        self._asked = action

    def asked(self) -> str | None:
        asked, self._asked = self._asked, None
        return asked

    def say(self, text: str) -> None:
        self.said.extend(text.splitlines())

    @property
    def messages(self) -> list[str]:
        """List the messages in order, without repetitions."""
        shown: list[str] = []
        for screen in self.screens:
            if shown[-1:] != [screen.message]:
                shown.append(screen.message)
        return shown


class Rig:
    """Hold a measured board that is simulated, and everything around it.

    `opened` opens another board than the simulated one, with a clock and settings.
    """

    def __init__(
        self,
        hand: Callable[["Rig", ToolScreen], str | None],
        *,
        automatic: bool = False,
        memory: BoardMemory | None = None,
        profile: Profile | None = None,
        opened: Callable[[FakeClock, BoardMemory], Any] | None = None,
    ) -> None:
        self.clock = FakeClock(100.0)
        board = small()
        measuring = replace(board.measuring, automatic=automatic)
        self.profile = profile or replace(board, measuring=measuring)
        self.memory = BoardMemory() if memory is None else memory
        settings = BoardMemory()
        settings.tune(self.memory.tunings)
        settings.remember(self.memory.baselines)
        self.board = (
            opened(self.clock, settings)
            if opened
            else TimedBoard(self.profile, self.clock, memory=settings)
        )
        self.display = FakeDisplay(lambda screen: hand(self, screen))
        self.stop = False
        self._finger = ""
        self.spots = electrodes_by_spot(self.profile)
        self.measured = MeasuredBoard(
            profile=self.profile,
            spots=self.spots,
            memory=self.memory,
            settings=settings,
            backend=self.board,
            display=self.display,  # type: ignore[arg-type]
            clock=self.clock,
            stopped=lambda: self.stop,
        )

    def touch(self, spot: str) -> None:
        """Let the finger rest on a cell or key, "" for nowhere."""
        if spot != self._finger:
            self.board.lift_all("finger")
            if spot:
                self.board.press("finger", spot)
        self._finger = spot


def obey(rig: Rig, screen: ToolScreen) -> str | None:
    """Do what the tool asks, with one finger."""
    if "go" in [action.name for action in screen.actions]:
        return "go"
    rig.touch(next((s for s, note in screen.cells.items() if note.state == "asked"), ""))
    return None
