"""The makers' tools at a board on an emulated Pico, with a person who does what they ask."""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

from game.maker.board import check_board, electrodes_by_spot
from game.maker.calibrate import Calibration
from game.maker.display import ToolScreen
from game.maker.learn import blank, named
from hal.backends.coprocessor.platform import search_chips
from hal.learning import Learner
from hal.profile import BoardMemory, Electrode, Profile, built_in, load
from hal.profile.writer import save
from hal.sim.backend import scrambled
from hal.sim.body import Body
from tests.helpers.boards.clocked_board import FakeClock
from tests.helpers.boards.learn_user import teach
from tests.helpers.boards.tool_rig import Rig, obey
from tests.helpers.pico import EmulatedPico
from tests.helpers.pico.backend import EmulatedCoprocessor, LockstepPort, MakePico

SEARCH_S = 6.0
SOME_CELLS = ("a1", "a2", "b1", "c3", "e5", "g4", "i4", "i5")


def small(cells: Iterable[str]) -> Profile:
    """Return a board of some cells of hexagon-61-pico, a light, a pad and a button."""
    whole = built_in("hexagon-61-pico")
    pads = {cell: whole.cells[cell] for cell in cells}
    keys = {"new_game": whole.keys["new_game"], "take_back": Electrode("A", 11)}
    lit = [*pads, "turn1.0"]
    used = {"A", *(pad.chip for pad in pads.values())}
    return replace(
        whole,
        name="small",
        chips=tuple(chip for chip in whole.chips if chip.name in used),
        cells=MappingProxyType(pads),
        keys=MappingProxyType(keys),
        pixels=MappingProxyType({spot: pixel for pixel, spot in enumerate(lit)}),
        strip=replace(whole.strip, pixels=len(lit)),
        lights=MappingProxyType({"turn1": 1}),
    )


class TimedPico(EmulatedCoprocessor):
    """A Pico for which waiting moves the test's clock."""

    def __init__(
        self,
        profile: Profile,
        truth: Profile,
        clock: FakeClock,
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


def measured(
    hand: Callable[[Rig, ToolScreen], str | None],
    profile: Profile,
    truth: Profile,
    folder: Path,
    make: MakePico = EmulatedPico,
) -> Rig:
    """Return a measured board on a Pico."""

    def opened(clock: FakeClock, settings: BoardMemory) -> TimedPico:
        return TimedPico(profile, truth, clock, folder / "flash", settings, make)

    memory = BoardMemory(folder / "board.json")
    return Rig(hand, memory=memory, profile=profile, opened=opened)


def learn_and_calibrate(template: Profile, folder: Path, make: MakePico) -> None:
    """Find the chips of a randomly wired board, learn it, read what was written, and calibrate."""
    truth, flash, clock = scrambled(template, Random(5)), folder / "flash", FakeClock()
    bare = blank(template, ())
    with closing(make(truth, Body(truth, clock(), seed=0), clock, flash=flash)) as pico:
        while not pico.plugged:
            clock.pass_time(0.01)
            pico.settle()
        search = search_chips(LockstepPort(pico, clock.pass_time), bare, clock, SEARCH_S)
    learner, clock = Learner(template, named(search)), FakeClock()
    bare = replace(bare, chips=learner.chips)
    with closing(TimedPico(bare, truth, clock, flash, make=make)) as board:
        screens = teach(learner, template, truth, board, clock).screens
    assert not any("It answered for" in screen.message for screen in screens), "a touch came late"
    save(learner.profile(), folder / "board.toml")
    profile = load(folder / "board.toml")
    spots, true_spots = electrodes_by_spot(profile), electrodes_by_spot(truth)
    places = {chip.name: chip.place for chip in profile.chips}
    true_places = {chip.name: chip.place for chip in truth.chips}
    for spot, pad in true_spots.items():
        found = spots[spot]
        assert (places[found.chip], found.electrode) == (true_places[pad.chip], pad.electrode)
    assert (profile.pixels, profile.pico) == (truth.pixels, template.pico)
    assert check_board(str(folder / "board.toml")).startswith("ok: ")
    rig = measured(obey, profile, truth, folder, make)
    with closing(rig.board):
        assert Calibration(rig.measured, quick=False).run() == 0
    count = len(true_spots)
    assert rig.display.messages[-1].startswith(f"{count} of {count} are good. Kept in ")
