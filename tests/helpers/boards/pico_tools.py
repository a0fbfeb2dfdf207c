"""The makers' tools at a board on an emulated Pico, with a person who does what they ask."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from game.maker.display import ToolScreen
from game.maker.learn import blank, named
from hal.backends.coprocessor.platform import search_chips
from hal.drivers.i2c_search import BusSearch
from hal.learning.learner import Learner
from hal.profile import Profile, load
from hal.profile.memory import BoardMemory
from hal.profile.writer import save
from hal.sim.body import Body
from tests.helpers.boards.learn_user import teach
from tests.helpers.boards.tool_rig import Clock, Rig
from tests.helpers.pico import EmulatedPico
from tests.helpers.pico.backend import EmulatedCoprocessor, LockstepPort, MakePico

SEARCH_S = 6.0


class TimedPico(EmulatedCoprocessor):
    """A Pico for which waiting moves the test's clock."""

    def __init__(
        self,
        profile: Profile,
        truth: Profile,
        clock: Clock,
        flash: Path,
        memory: BoardMemory | None = None,
        make: MakePico = EmulatedPico,
    ) -> None:
        self.timed = clock
        more: dict[str, Any] = {"flash": flash, "memory": memory, "truth": truth, "make": make}
        super().__init__(profile, clock=clock, pass_time=clock.pass_time, **more)

    def wait(self, timeout_s: float | None) -> None:
        times = [each for each in (timeout_s, self.step_s) if each is not None]
        self.timed.now += min(times)


def obey(rig: Rig, screen: ToolScreen) -> str | None:
    """Do what is asked, with one finger."""
    if "go" in [action.name for action in screen.actions]:
        return "go"
    rig.touch(next((s for s, note in screen.cells.items() if note.state == "asked"), ""))
    return None


def measured(
    hand: Callable[[Rig, ToolScreen], str | None],
    profile: Profile,
    truth: Profile,
    folder: Path,
    make: MakePico = EmulatedPico,
) -> Rig:
    """Give a measured board on a Pico."""

    def opened(clock: Clock, settings: BoardMemory) -> TimedPico:
        return TimedPico(profile, truth, clock, folder / "flash", settings, make)

    memory = BoardMemory(folder / "board.json")
    return Rig(hand, memory=memory, profile=profile, opened=opened)


def searched(truth: Profile, bare: Profile, flash: Path, make: MakePico) -> BusSearch:
    """Let the Pico under a board search its buses, as `learn` does before it knows any chip."""
    clock = Clock()
    pico = make(truth, Body(truth, clock(), seed=0), clock, flash=flash)
    try:
        while not pico.plugged:
            clock.pass_time(0.01)
            pico.settle()
        port = LockstepPort(pico, clock.pass_time)
        return search_chips(port, bare, clock, SEARCH_S)
    finally:
        pico.close()


def learned(
    template: Profile, truth: Profile, folder: Path, make: MakePico = EmulatedPico
) -> Profile:
    """Find the chips, learn the board with emulated fingers, and read what was written."""
    flash = folder / "flash"
    chips = named(searched(truth, blank(template, (), template.pixel_count), flash, make))
    learner = Learner(template, chips)
    clock = Clock()
    bare = blank(template, chips, template.pixel_count)
    with closing(TimedPico(bare, truth, clock, flash, make=make)) as board:
        screens = teach(learner, template, truth, board, clock).screens
    assert not any("already" in screen.message for screen in screens), "a touch came late"
    save(learner.profile(), folder / "board.toml")
    return load(folder / "board.toml")
