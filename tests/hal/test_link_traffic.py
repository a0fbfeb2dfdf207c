"""What goes over the line to a Pico with 88 cells and 112 pixels, and what buses and strip take.

The firmware runs in MicroPython, in virtual time: buses, strip and the wait for its loop take time
in it, and nothing here depends on how fast this machine is. What the firmware's own computing takes
on a Pico, `lifeboard bench` models.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from firmware.channel import Channel
from firmware.messages import PIXELS
from firmware.wire import encode
from hal import Profile, built_in
from hal.colour import Colour
from hal.coprocessor.pixels import updates
from hal.light import Frame
from hal.sim.pico.backend import EmulatedCoprocessor
from tests.helpers.boards.desk import Desk

PIXEL_COUNT = 112
IDLE_S = 600
MOST_IDLE_BYTES_PER_S = 50
MOST_FRAME_BYTES = 400
LEAST_STATE_BYTES = 40
"""An acknowledgement is shorter."""
STRIP_S = (PIXEL_COUNT * 24 * 4) / 3.05e6 + 300e-6
LOOP_S = 0.002
"""How long the firmware waits in a turn at most while it watches chips."""
BUSES_S = 0.003
"""What buses take in a turn at most, and a bit: every chip is read twice, and one measured."""
STEP_S = 0.0002
LIMIT_S = 0.2


@pytest.fixture(scope="module")
def board() -> Profile:
    profile = built_in("rectangle-88-pico")
    assert len(profile.cells) == 88
    lights = {name: pixel for name, pixel in profile.lights.items() if pixel < PIXEL_COUNT}
    strip = replace(profile.strip, pixels=PIXEL_COUNT)
    pixels = {name: pixel for name, pixel in profile.pixels.items() if pixel < PIXEL_COUNT}
    return replace(profile, pixels=pixels, pixel_count=PIXEL_COUNT, strip=strip, lights=lights)


@pytest.fixture
def wired(open_desk: Callable[..., Desk], board: Profile) -> Desk:
    desk = open_desk("coprocessor", profile=board)
    desk.run(3.0)
    return desk


def emulated(desk: Desk) -> EmulatedCoprocessor:
    assert isinstance(desk.device.backend, EmulatedCoprocessor)
    return desk.device.backend


def noise(chance: Random) -> Frame:
    return tuple(Colour(*(chance.randrange(256) for _ in range(3))) for _ in range(PIXEL_COUNT))


def test_full_frame_is_at_most_400_bytes_on_the_wire():
    chance = Random(4)
    longest = 0
    for _ in range(2000):
        old, new = (bytes(chance.randrange(256) for _ in range(336)) for _ in range(2))
        channel = Channel(1 + chance.randrange(255), 0)
        for payload in updates(old, new, clear=bool(chance.randrange(2))):
            channel.send(PIXELS, payload)
        wire = b"".join(encode(frame) for frame in channel.frames(0))
        longest = max(longest, len(wire))
    # A frame that is not whole would be short.
    assert 336 < longest <= MOST_FRAME_BYTES


def test_idle_link_is_quiet(wired: Desk):
    pico = emulated(wired).pico
    before = pico.written, pico.received
    wired.run(IDLE_S)
    up, down = (after - b for after, b in zip((pico.written, pico.received), before, strict=True))
    print(f"idle link: {up / IDLE_S:.1f} bytes/s up, {down / IDLE_S:.1f} down")
    assert up > IDLE_S, "a live link says something each second"
    assert up + down < MOST_IDLE_BYTES_PER_S * IDLE_S
    assert not emulated(wired).faults()


def test_touch_is_told_as_soon_as_loop_and_buses_allow(wired: Desk, board: Profile):
    backend, chance = emulated(wired), Random(5)
    fallen: list[float] = []
    pin = backend.body.on_line

    def follow(low: bool) -> None:
        pin(low)
        if low:
            fallen.append(wired.clock.now)

    backend.body.on_line = follow
    late = []
    for cell in chance.sample(sorted(board.cells), 40):
        wired.run(0.2 + chance.random() * 0.3)
        fallen.clear()
        written = backend.pico.written
        backend.press("finger", cell)
        until(wired, lambda w=written: backend.pico.written - w >= LEAST_STATE_BYTES)
        late.append(wired.clock.now - fallen[0])
        backend.lift("finger")
    assert max(late) <= LOOP_S + BUSES_S + 2 * STEP_S


def test_whole_frame_is_shown_as_soon_as_loop_buses_and_strip_allow(wired: Desk):
    backend, chance = emulated(wired), Random(6)
    late = []
    for _ in range(20):
        wired.run(0.2 + chance.random() * 0.3)
        before, began_s = backend.machine.latched(), wired.clock.now
        frame = noise(chance)
        backend.light(frame)
        until(wired, lambda b=before: backend.machine.latched() != b)
        late.append(wired.clock.now - began_s)
        assert backend.machine.latched() == frame
    assert STRIP_S <= max(late) <= STRIP_S + BUSES_S + 2 * STEP_S


def until(desk: Desk, holds: Callable[[], bool]) -> None:
    """Let time pass until something holds, in small steps."""
    limit_s = desk.clock.now + LIMIT_S
    while not holds():
        assert desk.clock.now < limit_s
        desk.run(STEP_S)
