"""From a heap of wires to a whole game: a board wired at random is learned, and then played."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

from game.maker.learn import blank, named
from game.rules.circle_of_life import GAME
from game.table.phases import Phase
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
from tests.helpers.boards.profiles import board_named


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


def test_board_wired_at_random_is_learned_and_plays_a_whole_game(tmp_path: Path) -> None:
    template = board_named("hexagon-61-mux")
    truth = scrambled(template, Random(2))
    profile = learned(template, truth, tmp_path / "board.toml")
    # Chips are renamed by their places, so compare where each cell leads.
    places = {chip.name: chip.place for chip in profile.chips}
    true_places = {chip.name: chip.place for chip in truth.chips}
    for cell, pad in profile.cells.items():
        true = truth.cells[cell]
        assert (places[pad.chip], pad.electrode) == (true_places[true.chip], true.electrode)
    assert profile.pixels == truth.pixels
    rng = Random(2)
    with closing(EmulatedGame(profile, tmp_path, truth=truth)) as room:
        while room.table.state.phase is not Phase.OVER:
            position = room.table.state.position
            move = rng.choice(list(GAME.legal_moves(position)))
            plies = room.plies
            for cell in GAME.taps(position, move):
                room.tap(cell)
            assert room.plies == plies + 1
            for cell in room.table.state.history[-1].removed:
                room.tap(cell)
            assert room.table.state.phase is not Phase.EDIT
        assert room.table.state.outcome is not None
        assert room.plies > 20


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
