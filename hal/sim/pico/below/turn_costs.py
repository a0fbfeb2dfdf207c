"""What a firmware's turns cost: measured in this MicroPython, and charged as on a Pico.

Owns how measuring becomes what a Pico takes. Runs in MicroPython. Must not know what a turn does,
but for what tells it from others.
"""

import gc
import struct

from turn_hardware import NEVER

# Beside this file lies another `time`.
from utime import time_ns

FEW = 5
"""So few turns of a kind are too few to know what it costs."""
_CLOCK_NS = 1000
"""How fine the clock is here."""


class _Record:
    def __init__(self, number, other, data):
        self.number = number
        self.other = other
        self.data = data
        self.parts = []

    def turn(self, line):
        values = struct.unpack("<HBB", line[2:6])
        self.parts.append(line[6 : 6 + (values[0] & 15)])
        if len(self.parts) > 8:
            self.parts = self.parts[1:]
        self.number = (self.number + values[1]) % 255 + 1
        return self.same(values)

    def same(self, values):
        return values[0] == self.other or self.data in self.parts


def calibrate():
    """Do what firmwares do: calls, attributes, slices, structures, lists, small loops."""
    record = _Record(1, 300, b"none")
    line = bytes(range(64))
    found = 0
    for number in range(10):
        if record.turn(line):
            found += 1
        for place, each in enumerate(line[:8]):
            found += each << 1 & place
        packed = struct.pack("<IBH", number, found & 255, record.number)
        line = packed + line[len(packed) :]
    return found


class _Cost:
    """What a turn costs: ns, those until its frame for the strip is sent, and bytes to collect."""

    def __init__(self):
        self.ns = self.sent_ns = NEVER
        self.left = 0
        self.count = 0
        self._sums = [0, 0, 0]

    def add(self, took, sent, left):
        """Count a turn, unless this machine has done something else meanwhile."""
        self.count += 1
        self.left = left
        self.ns = min(self.ns, took)
        if took > self.ns * 5 // 4 + _CLOCK_NS:
            return
        sums = self._sums
        if sums[0] and sums[1] // sums[0] > self.ns * 5 // 4 + _CLOCK_NS:
            sums[:] = (0, 0, 0)
        sums[0] += 1
        sums[1] += took
        sums[2] += sent

    def settle(self, most_ns):
        """Take the mean, at most so much."""
        count, took, sent = self._sums
        self.ns = min(took // count, most_ns)
        self.sent_ns = min(sent // count, self.ns)

    def scale(self, slower):
        """Let it be that of a machine that is slower."""
        self.ns = int(self.ns * slower)
        self.sent_ns = int(self.sent_ns * slower)


_GUESS = _Cost()
_GUESS.ns = _GUESS.sent_ns = 2_000_000


class Costs:
    """How long turns take, by what was done in them.

    First turns are measured, and then charged as such turns took when nothing disturbed them. What
    was rare is charged no more than what was not. This machine is quicker the more often it does
    the same, and a Pico is not. So two things tell how many times longer a Pico takes: `calibrate`
    in a row for the turns in which nothing happens, and one at a time for all others.
    """

    def __init__(self, calibration_ns):
        self.settled = False
        self.slower = 0.0
        self._calibration_ns = calibration_ns
        self._known = {}
        self._dearest = _Cost()
        held = gc.mem_alloc()
        time_ns() - time_ns()
        # What measuring itself takes.
        self._own_bytes = gc.mem_alloc() - held
        self._calibration = _Cost()

    def calibrate(self):
        """Measure what is known of a Pico, between turns as they are."""
        began = time_ns()
        calibrate()
        self._calibration.add(time_ns() - began, 0, 0)

    def measure(self, world, turn):
        """Have a turn, and give its cost: a guess until they are settled."""
        if self.settled:
            turn()
            return self._known.get(_key(world), self._dearest)
        held = gc.mem_alloc()
        began = time_ns()
        turn()
        took = time_ns() - began
        left = gc.mem_alloc() - held - self._own_bytes
        key = _key(world)
        if key not in self._known:
            self._known[key] = _Cost()
        self._known[key].add(took, world.sent_ns - began if world.sent else 0, max(0, left))
        return _GUESS

    def settle(self):
        """Measure no more."""
        known = self._known
        self._calibration.settle(NEVER)
        self.slower = self._calibration_ns / self._calibration.ns
        in_a_row = _Cost()
        for _ in range(50):
            began = time_ns()
            calibrate()
            in_a_row.add(time_ns() - began, 0, 0)
        in_a_row.settle(NEVER)
        often = [key for key in known if known[key].count >= FEW]
        for key in often:
            known[key].settle(NEVER)
        # Collecting takes as long as it takes.
        dearest = max([known[key].ns for key in often if not key[2]])
        for key in known:
            if known[key].count < FEW:
                known[key].settle(NEVER if key[2] else dearest)
            known[key].scale(self.slower if any(key) else self._calibration_ns / in_a_row.ns)
        self._dearest.ns = self._dearest.sent_ns = dearest
        self._dearest.scale(self.slower)
        self.settled = True


def _key(world):
    return (world.transfers_us, world.sent, world.tidied) + tuple(world.work)  # noqa: RUF005
