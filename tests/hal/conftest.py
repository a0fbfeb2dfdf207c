"""A fake clock, and a desk at which a board is run on it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from emulated_pi import EmulatedPi
from hypothesis import settings

from hal import Backend, Device, Event, Hands, Profile, built_in, open_backend
from hal.sim import SimBackend
from hal.sim.pico.backend import EmulatedCoprocessor

# A busy machine is no failure: these tests are about what happens, not about how fast.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@dataclass
class FakeClock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now

    def pass_time(self, seconds: float) -> None:
        self.now += seconds


class Desk:
    """Run a device as a loop would: poll whenever something is due, on the fake clock."""

    def __init__(self, device: Device, clock: FakeClock) -> None:
        self.device = device
        self.clock = clock

    @property
    def hands(self) -> Hands:
        assert isinstance(self.device.backend, Hands)
        return self.device.backend

    def run(self, seconds: float) -> list[Event]:
        return [event for _, event in self.run_timed(seconds)]

    def run_timed(self, seconds: float) -> list[tuple[float, Event]]:
        """Give the events of the next seconds, each with how long after now it was told."""
        began, end = self.clock.now, self.clock.now + seconds
        told: list[tuple[float, Event]] = []
        while True:
            polled = self.clock.now
            for event in self.device.poll(polled):
                told.append((self.clock.now - began, event))
            if self.clock.now >= end:
                return told
            step = getattr(self.device.backend, "step_s", None)
            due = min(self.device.due(self.clock.now), end)
            if step is not None:
                due = min(due, self.clock.now + step)
            assert due > polled, "a loop would spin"
            # Time may have passed while the board was read.
            self.clock.now = max(due, self.clock.now)


@pytest.fixture(scope="session")
def profile() -> Profile:
    return built_in()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def open_desk(
    profile: Profile, clock: FakeClock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Desk]]:
    desks: list[Desk] = []

    def open_one(name: str, profile: Profile = profile, **hardware: Any) -> Desk:
        if name == "pi":
            backend: Backend = EmulatedPi(profile, clock=clock, seed=7, **hardware)
        elif name == "coprocessor":
            flash = tmp_path_factory.mktemp("flash")
            backend = EmulatedCoprocessor(
                profile, clock=clock, pass_time=clock.pass_time, flash=flash, seed=7, **hardware
            )
        else:
            backend = open_backend(name, profile, clock=clock, seed=7)
        desks.append(Desk(Device(profile, backend), clock))
        return desks[-1]

    yield open_one
    for desk in desks:
        desk.device.close()


@pytest.fixture
def desk(open_desk: Callable[[str], Desk]) -> Desk:
    return open_desk("sim")


@pytest.fixture
def sim(desk: Desk) -> SimBackend:
    backend = desk.device.backend
    assert isinstance(backend, SimBackend)
    return backend
