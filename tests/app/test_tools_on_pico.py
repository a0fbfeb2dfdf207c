"""The makers' tools through the link: the real firmware in MicroPython on an emulated Pico."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from room import Room
from teacher import Teacher
from tool_rig import Clock, FakeWorkshop

from game.app.workshop.calibrate import Calibration
from game.app.workshop.instrument import Instrument, spots_of
from game.app.workshop.learn import blank, named
from game.app.workshop.lesson import Lesson
from game.app.workshop.monitor import Monitor
from game.app.workshop.workshop import Sheet
from hal import built_in
from hal.coprocessor.machine import search_chips
from hal.coprocessor.port import open_port
from hal.learning.learner import Learner
from hal.memory import BoardMemory
from hal.probe import Search
from hal.profile import Profile, load
from hal.profile_writer import save
from hal.sim.body import Body
from hal.sim.pico import EmulatedPico, fill_flash
from hal.sim.pico.backend import EmulatedCoprocessor, LockstepPort
from hal.sim.scramble import scrambled

TEMPLATE = built_in("hexagon-61-pico")


class TimedPico(EmulatedCoprocessor):
    """A Pico for which waiting moves the test's clock."""

    def __init__(self, profile: Profile, truth: Profile, clock: Clock, flash: Path, **more) -> None:
        self.timed = clock
        super().__init__(
            profile, clock=clock, pass_time=self.pass_time, flash=flash, truth=truth, **more
        )

    def pass_time(self, seconds: float) -> None:
        self.timed.now += seconds

    def wait(self, timeout_s: float | None) -> None:
        times = [each for each in (timeout_s, self.step_s) if each is not None]
        self.timed.now += min(times)


def searched(truth: Profile, bare: Profile, flash: Path) -> Search:
    """Let the Pico under a board search its buses, as `learn` does before it knows any chip."""
    clock = Clock()

    def pass_time(seconds: float) -> None:
        clock.now += seconds

    fill_flash(flash)
    pico = EmulatedPico(truth, Body(truth, clock(), seed=0), clock, flash=flash)
    try:
        port = LockstepPort(open_port(pico.path), pico, pass_time)
        return search_chips(port, bare, clock, 6.0)
    finally:
        pico.close()


def test_it(tmp_path):
    import time
    truth = scrambled(TEMPLATE, Random(5))
    t = time.time()
    chips = named(searched(truth, blank(TEMPLATE, (), TEMPLATE.pixel_count), tmp_path / "flash"))
    print("search", time.time() - t, chips)
    learner = Learner(TEMPLATE, chips)
    clock = Clock()
    t = time.time()
    with closing(TimedPico(blank(TEMPLATE, chips, TEMPLATE.pixel_count), truth, clock, tmp_path / "flash")) as board:
        person = Teacher(board, clock)
        person.look(truth)
        def over():
            return clock.now > 450
        t=time.time()
        Lesson(learner, board, person, TEMPLATE, lambda draft: None).run(clock, over)
        for s in person.sheets[-10:]: print(s.message, s.progress, [a.name for a in s.actions])
    print("learn", time.time() - t, clock.now)
    file = tmp_path / "board.toml"
    save(learner.profile(), file)
    profile = load(file)
    assert profile.pixels == truth.pixels
    clock = Clock()
    t = time.time()
    memory = BoardMemory(tmp_path / "mem.json")
    settings = BoardMemory()
    with closing(TimedPico(profile, truth, clock, tmp_path / "flash", memory=settings)) as board:
        finger = [""]
        def hand(sheet: Sheet):
            if "go" in [a.name for a in sheet.actions]:
                return "go"
            spot = next((c for c, n in sheet.cells.items() if n.state == "asked"), "")
            if spot != finger[0]:
                board.lift_all("finger")
                if spot:
                    board.press("finger", spot)
                finger[0] = spot
            return None
        shop = FakeWorkshop(hand)
        inst = Instrument(profile, spots_of(profile), memory, settings, board, shop, clock, lambda: False)
        print(Calibration(inst, quick=False).run())
    print("calibrate", time.time() - t, clock.now)
    print(shop.said[:3], shop.sheets[-1].message)
