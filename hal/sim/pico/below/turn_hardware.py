"""The hardware that the firmware finds in `turns.py`: buses, pins, strip and USB in virtual time.

Owns that time, what happens in it by itself, and how long the wires take. A double stands for
`firmware.pico`. Runs in MicroPython. Must not know what computing costs.
"""

import gc
import random
import struct
import sys

# Beside this file lies another `time`.
from utime import time_ns

from firmware.hardware import Hardware, I2CBus, Input, PixelStrip
from firmware.wire import MOST_LINE

LEVELS = 336
KHZ = 400
PACKET_BYTES = 64
STRIP_US = LEVELS * 3200 // 305
LATCH_US = 300
LINE_PIN = 8
MODE = 0x8F
NEVER = 1 << 60
_MEASURED = struct.pack("<12H", *([0x110] * 12))
# Address, register, address again, and the bytes, 9 bits each; two starts and a stop.
_TRANSFER_US = [((3 + count) * 9 + 3) * 1000 // KHZ for count in range(65)]


class World:
    """Time in whole us, and all that happens at a time."""

    def __init__(self):
        self.us = 0
        # What the buses took in this turn, and in all of them.
        self.transfers_us = 0
        self.i2c_us = 0
        self.buses = []
        self.low = False
        self.touch_us = NEVER
        self.seen_us = NEVER
        self.seen_i2c_us = 0
        # What the host has sent: when it begins to arrive, when it is there, and the bytes.
        self.lines = []
        self.came_us = NEVER
        self.written = []
        self.sent = False
        self.tidied = False
        self.sent_ns = 0
        self.latched_us = 0
        # Lines, their lengths, what was written: so long a turn takes.
        self.work = [0] * 3

    def look(self):
        """Let the finger land or lift, if it is time."""
        if self.us >= self.touch_us:
            self.touch_us = NEVER
            self.low = True
            self.seen_us, self.seen_i2c_us = self.us, self.i2c_us
            self.buses[random.getrandbits(1)].touch(random.getrandbits(2))


class _Bus(I2CBus):
    def __init__(self, world):
        self.world = world
        self.bits = [0] * 4

    def touch(self, chip):
        self.bits[chip] ^= 1 << random.getrandbits(3)

    def read(self, address, register, buffer):
        world = self.world
        world.transfers_us += _TRANSFER_US[len(buffer)]
        if register == 0:
            world.low = False
            buffer[0] = self.bits[address - 0x5A]
        elif register == 4:
            buffer[:] = _MEASURED
        else:
            buffer[0] = 0x24 if register == 0x5D else MODE

    def write(self, address, register, data):
        pass

    def recover(self):
        pass

    def close(self):
        pass


class _Line(Input):
    def __init__(self, world):
        self.world = world

    def low(self):
        return self.world.low

    def close(self):
        pass


class _Key(Input):
    def __init__(self):
        self.value = 1

    def low(self):
        return not self.value

    def close(self):
        pass


class _Strip(PixelStrip):
    def __init__(self, world):
        self.world = world

    def busy(self):
        return self.world.us < self.world.latched_us

    def send(self, levels):
        world = self.world
        world.sent = True
        world.sent_ns = time_ns()

    def close(self):
        pass


class Double(Hardware):
    """Stands for firmware.pico, and computes about as much."""

    identity = b"12345678"

    def __init__(self, world):
        self.world = world

    def now(self):
        return self.world.us // 1000

    def pause(self, time_ms):
        self.world.us += 1000 * time_ms

    def wait(self, timeout_ms):
        world = self.world
        first = world.lines[0][0] if world.lines else NEVER
        if first > world.us:
            world.us = min(world.us + 1000 * timeout_ms, first)
            if world.us >= world.touch_us:
                world.look()
            if first > world.us:
                return False
        if world.us < world.came_us:
            world.came_us = world.us
        return True

    def read_line(self):
        world = self.world
        _, last, data, size = world.lines[0]
        world.us = max(world.us, last)
        line = data.readline(MOST_LINE)
        world.work[0] += 1
        world.work[1] += len(line) // 16
        if data.tell() == size:
            world.lines.pop(0)
        return line

    def write(self, data):
        view = memoryview(data)
        for at in range(0, len(data), PACKET_BYTES):
            self.world.written.append(bytes(view[at : at + PACKET_BYTES]))
        self.world.work[2] += len(data) // 16

    def tidy(self):
        gc.collect()
        self.world.tidied = True

    def feed(self):
        pass

    def led(self, on):
        pass

    def recall(self):
        return None

    def remember(self, data):
        pass

    def complain(self, error):
        sys.print_exception(error)

    def open_bus(self, number, data, clock, clock_khz):
        bus = _Bus(self.world)
        self.world.buses.append(bus)
        return bus

    def open_input(self, pin):
        return _Line(self.world) if pin == LINE_PIN else _Key()

    def open_strip(self, pin, levels):
        return _Strip(self.world)
