"""The firmware's turns in a virtual time in which computing counts, and how late all is in it.

Runs in MicroPython, as `micropython turns.py FOLDER EVENTS CALIBRATION`: the folder in which the
package firmware is, how many events of each kind, and the ns that `calibrate` takes on a Pico.
The firmware is real but for `firmware.pico`, in whose place a double stands: so buses, strip and
USB are modelled, and a turn's own computing is measured with nothing else in it. That is taken as
so many times longer as `calibrate` is slower on a Pico. A report counts as ready when all that its
turn computes is done.

Prints a line an event: its kind, what it is, then in us the wait for the loop, I2C, computing, USB,
the strip, and all of them. At the end, a name and a number each: how many times longer a Pico
computes, the bytes of the longest frame, how often MicroPython collected memory of its own accord
while something was due, and how long that takes.
"""

import gc
import random
import sys

# Beside this file lies another `time`.
from utime import time_ns

FOLDER, EVENTS, CALIBRATION_NS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
# What lies beside this file is found for these imports only: some has names of MicroPython's own.
sys.path[:] = [FOLDER, ".frozen", sys.path[0]]

from turn_costs import FEW, Costs  # noqa: E402
from turn_hardware import LATCH_US, LEVELS, NEVER, STRIP_US  # noqa: E402
from turn_host import Host  # noqa: E402

from firmware.messages import PIXELS, pack_pixels  # noqa: E402

sys.path.pop()

HEAP_BYTES = 2 * 233_000
"""That of a Pico, in objects of 64 bits."""


class _Touch:
    """A finger that lands, or lifts, at a time."""

    def __init__(self, host, us):
        self._host = host
        self._us = us
        host.reported_us = NEVER
        host.world.touch_us = us

    @property
    def done(self):
        return self._host.reported_us != NEVER

    def step(self):
        """Note when it was told."""
        if self.done:
            self._i2c_us = self._host.world.i2c_us - self._host.world.seen_i2c_us
            self._usb_us = self._host.reported_us - self._host.world.us

    def tell(self, kind):
        whole = self._host.reported_us - self._us
        wait = self._host.world.seen_us - self._us
        computing = whole - wait - self._i2c_us - self._usb_us
        print(kind, "touch", wait, self._i2c_us, computing, self._usb_us, 0, whole)


class _Pixels:
    """A frame that the host sends from a time on."""

    def __init__(self, host, us, runs):
        self._world = host.world
        self._us = us
        self._i2c_us = self._whole_us = 0
        self._world.came_us = NEVER
        self._arrived_us = host.post(PIXELS, pack_pixels(runs, True, False), us)

    @property
    def done(self):
        return self._whole_us > 0

    def step(self):
        """Note whether its levels have gone out in this turn."""
        world = self._world
        if world.us < self._us:
            self._i2c_us = world.i2c_us
        if world.sent and all(last != self._arrived_us for _, last, _, _ in world.lines):
            self._whole_us = world.latched_us - self._us
            self._i2c_us = world.i2c_us - self._i2c_us

    def tell(self, kind):
        usb = self._arrived_us - self._us
        strip = STRIP_US + LATCH_US
        # What comes while the loop computes waits until it is done.
        wait = min(max(0, self._world.came_us - self._arrived_us), self._whole_us - usb - strip)
        computing = self._whole_us - wait - self._i2c_us - usb - strip
        print(kind, "frame", wait, self._i2c_us, computing, usb, strip, self._whole_us)


def _noise(count):
    return bytes([random.getrandbits(8) for _ in range(count)])


def _whole():
    return [(0, _noise(255)), (255, _noise(LEVELS - 255))]


def _little():
    """Two cells of a board: what a game changes at a time."""
    return [(3 * random.getrandbits(5), _noise(3)), (150 + 3 * random.getrandbits(5), _noise(6))]


def _event(host, runs, touches):
    """Let a frame come, or a touch, or both at about the same time, at a random moment."""
    begins_us = host.world.us + 60_000 + random.getrandbits(16)
    host.run_until(begins_us - 20_000)
    gc.collect()
    events = []
    if runs:
        events.append(_Pixels(host, begins_us, runs()))
    if touches:
        events.append(_Touch(host, begins_us + (random.getrandbits(14) - 4000 if runs else 0)))
    open_events = events
    while open_events:
        host.turn()
        for event in open_events:
            event.step()
        open_events = [event for event in open_events if not event.done]
    return events


def _play(host, count, tells):
    """Let so many events of each kind happen."""
    for kind, runs, touches in (
        ("touch", None, True),
        ("frame", _whole, False),
        ("change", _little, False),
        ("both", _whole, True),
    ):
        for _ in range(count):
            for event in _event(host, runs, touches):
                if tells:
                    event.tell(kind)
            if not tells:
                host.costs.calibrate()


def _collection(host):
    """Measure how long it takes to collect a heap that is full, and how much goes into it."""
    gc.collect()
    host.room = HEAP_BYTES - gc.mem_alloc()
    times = []
    for _ in range(9):
        garbage = []
        while gc.mem_alloc() < HEAP_BYTES:
            garbage.extend([(number, number) for number in range(40)])
        garbage = []
        began = time_ns()
        gc.collect()
        times.append(time_ns() - began)
    host.collection_ns = min(times)


def main():
    """Measure, then play."""
    random.seed(1)
    host = Host(Costs(CALIBRATION_NS))
    host.begin()
    gc.disable()
    _collection(host)
    _play(host, EVENTS // 3 + FEW, False)
    host.costs.settle()
    host.collection_ns = int(host.collection_ns * host.costs.slower)
    host.collections = 0
    _play(host, EVENTS, True)
    print("factor", host.costs.slower)
    print("frame_bytes", host.longest)
    print("collections", host.collections)
    print("collection_us", host.collection_ns // 1000)


main()
