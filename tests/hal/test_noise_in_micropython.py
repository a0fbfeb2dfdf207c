"""The real firmware in real MicroPython, over a line that flips 1% of all bits and loses frames."""

from random import Random

import pytest

from hal import Device, built_in
from hal.colour import Colour
from tests.helpers.boards.fake_line import Noise
from tests.helpers.boards.noisy_serial import NoisyCoprocessor

NOISE = Noise(lost=0.05, flipped=0.01)


@pytest.fixture
def board(clock, tmp_path):
    profile = built_in("hexagon-61-pico")
    board = NoisyCoprocessor(
        profile, clock=clock, pass_time=clock.pass_time, flash=tmp_path / "flash", seed=7
    )
    yield board
    board.line.noise = Noise()
    board.close()


def felt(states) -> list[tuple[int, int]]:
    """Give the electrodes that began to be touched, as states tell it."""
    began, before = [], {}
    for state in states:
        for number, chip in enumerate(state.chips):
            fresh = chip.touched & ~before.get(number, 0)
            began += [(number, bit) for bit in range(12) if fresh >> bit & 1]
            before[number] = chip.touched
    return began


def test_every_touch_is_told_once_and_the_last_frame_is_shown(board, clock, monkeypatch):
    told, states = [], board._client.states

    def listen():
        fresh = states()
        told.extend(each.state for each in fresh)
        return fresh

    monkeypatch.setattr(board._client, "states", listen)
    device, chance = Device(board.profile, board), Random(3)

    def run(seconds):
        end = clock.now + seconds
        while clock.now < end:
            device.poll(clock.now)
            clock.now = max(clock.now + 0.001, min(device.due(clock.now), end))

    run(1.0)
    board.line.noise = NOISE
    cells = [chance.choice(sorted(board.profile.cells)) for _ in range(12)]
    for number, cell in enumerate(cells):
        board.light([Colour(number, chance.randrange(256), 0)] * board.profile.strip.pixels)
        board.press("finger", cell)
        run(0.25)
        board.lift("finger")
        run(1.5)
    last = tuple([Colour(200, 100, 50)] * board.profile.strip.pixels)
    board.light(last)
    run(20.0)
    chips = [chip.name for chip in board.profile.chips]
    pads = [board.profile.cells[cell] for cell in cells]
    assert felt(told) == [(chips.index(pad.chip), pad.electrode) for pad in pads]
    assert board.latched() == last
    assert board._client.sessions == 1
    assert board._client.refused_frames > 100
