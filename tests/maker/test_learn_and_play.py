"""A board wired at random is learned, and then played."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

from game.maker.learn import blank, named
from hal.learning import Learner
from hal.profile import Profile, built_in, load
from hal.profile.writer import save
from hal.sim.backend import scrambled
from hal.sim.body import Body
from hal.sim.platform import EmulatedPlatform
from tests.helpers.boards.clocked_board import FakeClock
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.emulated_pi import EmulatedPi
from tests.helpers.boards.learn_user import teach


class TimedPi(EmulatedPi):
    """A Pi on which waiting moves the test's clock, and whose teacher knows the true wiring."""

    def __init__(self, profile: Profile, truth: Profile, clock: FakeClock) -> None:
        super().__init__(profile, clock=clock, truth=truth)
        self.timed = clock

    def wait(self, timeout_s: float | None) -> None:
        times = [each for each in (timeout_s, self.step_s) if each is not None]
        self.timed.now += min(times)


def learned(template: Profile, truth: Profile, file: Path) -> Profile:
    """Find the chips, learn the board with emulated fingers, and read what was written."""
    clock = FakeClock()
    machine = EmulatedPlatform(truth, Body(truth, clock(), seed=0))
    chips = named(machine.search())
    machine.close()
    learner = Learner(template, chips)
    with closing(TimedPi(blank(template, chips, template.pixel_count), truth, clock)) as board:
        teach(learner, template, truth, board, clock)
    save(learner.profile(), file)
    return load(file)


def test_board_that_senses_stones_is_learned_by_touch_and_plays_with_stones(tmp_path: Path) -> None:
    template = built_in("hexagon-61")
    template = replace(template, sensing=replace(template.sensing, mode="presence"))
    truth = scrambled(template, Random(4))
    touched = replace(truth, sensing=replace(truth.sensing, mode="touch"))
    profile = learned(template, touched, tmp_path / "board.toml")
    with closing(EmulatedGame(profile, tmp_path, truth=truth)) as room:
        room.run(2.0)
        for ply, cell in enumerate(("e5", "a1", "i5"), start=1):
            room.pi.body.put(cell)
            room.run(1.0)
            assert room.plies == ply
