"""The emulated body: flesh that rests and leaves, beside fingers and stones."""

from dataclasses import replace

import pytest

from hal.backends.device import Device
from hal.base.events import CellTouch, Moment, Standing
from hal.sim import SimBackend


@pytest.fixture
def felt(profile, clock):
    """A board that feels stones, with everything that it tells in the next second."""
    sensing = replace(profile.sensing, mode="presence")
    backend = SimBackend(replace(profile, sensing=sensing), clock=clock, seed=1)
    device = Device(backend.profile, backend)

    def run() -> list[object]:
        events, end = [], clock.now + 1.0
        while clock.now < end:
            events += device.poll(clock.now)
            clock.now += 0.01
        return events

    yield backend.body, run
    device.close()


def test_body_flesh_is_felt_as_long_as_it_rests(desk, sim):
    desk.run(0.5)
    sim.body.lay("e5")
    assert desk.run(0.3) == [CellTouch("e5", Moment.DOWN)]
    sim.body.lay("e5")
    sim.body.lift("e5")
    assert desk.run(0.3) == []
    sim.body.lift("e5")
    assert desk.run(0.3) == [CellTouch("e5", Moment.UP)]


def test_body_flesh_sets_no_stone_where_stones_are_felt(felt):
    body, run = felt
    assert run() == [Standing(frozenset())]
    body.lay("e5")
    assert run() == [Standing(frozenset({"e5"}))]
    assert body.stones == set()
    body.lift("e5")
    assert run() == [Standing(frozenset())]
