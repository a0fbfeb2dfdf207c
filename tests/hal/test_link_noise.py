"""Host and firmware over a line that flips 1% of all bits and loses 5% of all frames."""

from random import Random

import pytest

from firmware.messages import (
    MOST_CHIPS,
    SET_UP,
    WATCHED,
    WIRING,
    Bus,
    State,
    Wiring,
    pack_set_up,
    pack_wiring,
    unpack_done,
    unpack_found,
)
from hal.backends.coprocessor.client import Client
from hal.backends.coprocessor.pixels import RemotePixels
from hal.drivers.ws2812 import levels
from hal.lights.colour import Colour
from hal.profile.pin_map import Strip
from tests.helpers.boards.fake_line import Noise
from tests.helpers.boards.noisy_pico import Hand, NoisyPort, WaitingPico
from tests.helpers.boards.pico_double import ChipDouble

NOISE = Noise(lost=0.05, flipped=0.01)
MODE = 0x8C
LINE = 8
STRIP = Strip("pio", 2, 112, "GRB")
PLACES = [(bus, address) for bus in (0, 1) for address in range(0x5A, 0x5E)]
WIRED = Wiring(
    buses=[Bus(0, 4, 5, 400), Bus(1, 6, 7, 400)],
    chips=PLACES,
    interrupt=LINE,
    keys=[9, 10],
    strip=2,
    levels=336,
    colours=3,
    glow=40,
    poll_ms=50,
    low=8,
    high=800,
)
# As long as those that the host writes.
BLOCKS = [(0x5E, b"\0"), (0x2B, bytes(range(22))), (0x41, bytes(range(26))), (0x5E, b"\x8c")]
PATIENCE_S = 60.0


class Bench:
    """Eight chips and a strip at a Pico, and a host that speaks to it through noise."""

    def __init__(self, noise: Noise, seed: int) -> None:
        self.pico = WaitingPico()
        self.pico.chips = {place: ChipDouble() for place in PLACES}
        self.port = NoisyPort(self.pico, noise, seed)
        self.hand = Hand(self.pico, list(self.pico.chips.values()), LINE)
        self.states: list[State] = []
        self.client = Client(
            "noisy", self.port.now, lambda url, on_input: self.port, Random(seed), lambda: None
        )
        self.pixels = RemotePixels(self.client, STRIP)

    def begin(self) -> None:
        """Greet, say what hangs where, and set up all chips."""
        self.client.open(PATIENCE_S)
        found = self.client.call(WIRING, pack_wiring(WIRED), PATIENCE_S)
        assert unpack_found(found.payload)[1] == PLACES
        for chip in range(MOST_CHIPS):
            done = self.client.call(SET_UP, pack_set_up(chip, MODE, BLOCKS), PATIENCE_S)
            assert unpack_done(done.payload)[1] == 0

    def run(self, until_ms: int) -> None:
        """Do as a host does until a time."""
        while self.pico.time_ms < until_ms:
            self.client.attend()
            if self.client.fault is None:
                self.pixels.attend()
            self.states += [told.state for told in self.client.states()]
            limit_s = until_ms / 1000 - self.port.now()
            self.port.wait(min(limit_s, max(0.0, self.client.due() - self.port.now())))

    @property
    def touches(self) -> list[tuple[int, int]]:
        """Give what began to be touched, as the states tell it."""
        began, before = [], [0] * MOST_CHIPS
        for state in self.states:
            for chip, (old, told) in enumerate(zip(before, state.chips, strict=True)):
                fresh = told.touched & ~old
                began += [(chip, bit) for bit in range(12) if fresh >> bit & 1]
            before = [chip.touched for chip in state.chips]
        return began


def frame(number: int, chance: Random) -> tuple[Colour, ...]:
    """Give a picture that differs from the one before in some pixels or in all."""
    return tuple(
        Colour(chance.randrange(256), number, index)
        if chance.random() < 0.2 or number % 5 == 0
        else Colour(0, 0, 0)
        for index in range(STRIP.pixels)
    )


@pytest.mark.parametrize("seed", range(2))
def test_every_touch_is_reported_once_and_the_last_frame_is_shown(seed):
    bench, chance = Bench(NOISE, seed), Random(seed)
    bench.begin()
    start = at = bench.pico.time_ms
    for _ in range(25):
        at += chance.randint(200, 1500)
        for_ms = chance.randint(120, 200)
        bench.hand.touch(chance.randrange(MOST_CHIPS), chance.randrange(12), at, for_ms)
        at += for_ms
    for number in range(30):
        bench.run(start + number * (at - start) // 30)
        last = frame(number, chance)
        bench.pixels.show(last)
    bench.run(at + 60_000)
    assert bench.touches == bench.hand.touches
    assert bench.states[-1].merged == 0
    assert bench.pico.strip.frames[-1][1] == levels(last, STRIP.order)
    assert all(chip.health == WATCHED for chip in bench.states[-1].chips)
    assert (bench.client.sessions, bench.client.waiting) == (1, 0)
    assert bench.port.loop.errors == 0
    assert bench.client._link._receiver.refused > 20, "the line is as bad as it should be"


def test_idle_line_carries_less_than_50_bytes_a_second():
    bench = Bench(Noise(), 0)
    bench.begin()
    bench.run(bench.pico.time_ms + 5000)
    carried = bench.port.down.carried + bench.port.up.carried
    bench.run(bench.pico.time_ms + 60_000)
    assert 0 < bench.port.down.carried + bench.port.up.carried - carried < 60 * 50
