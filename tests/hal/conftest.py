"""Boards on a fake clock."""

from contextlib import ExitStack, closing
from typing import Any

import pytest

from hal.backends.backend import Backend
from hal.backends.device import Device
from hal.backends.registry import open_backend
from hal.profile import Profile, built_in
from tests.helpers.boards.clocked_board import ClockedBoard, FakeClock
from tests.helpers.boards.emulated_pi import EmulatedPi
from tests.helpers.pico.backend import EmulatedCoprocessor


@pytest.fixture(scope="session")
def profile():
    return built_in()


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def open_rig(profile, clock, tmp_path_factory):
    boards = ExitStack()

    def open_one(name: str, profile: Profile = profile, **hardware: Any) -> ClockedBoard:
        if name == "pi":
            backend: Backend = EmulatedPi(profile, clock=clock, seed=7, **hardware)
        elif name == "coprocessor":
            flash = tmp_path_factory.mktemp("flash")
            backend = EmulatedCoprocessor(
                profile, clock=clock, pass_time=clock.pass_time, flash=flash, seed=7, **hardware
            )
        else:
            backend = open_backend(name, profile, clock=clock, seed=7)
        device = boards.enter_context(closing(Device(profile, backend)))
        return ClockedBoard(device, clock)

    with boards:
        yield open_one


@pytest.fixture
def rig(open_rig):
    return open_rig("sim")
