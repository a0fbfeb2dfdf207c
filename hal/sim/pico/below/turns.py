"""The firmware's turns in a virtual time in which computing counts: how late reports and pixels are.

Runs in MicroPython, as `micropython turns.py FOLDER EVENTS CALIBRATION`: the folder in which the
package firmware is, how many events of each kind, and the ns that `calibrate` takes on a Pico.
The firmware is real but for `firmware.pico`, in whose place a double stands: so buses, strip and
USB are modelled, and a turn's own computing is measured with nothing else in it. That is taken as
so many times longer as `calibrate` is slower on a Pico. A turn's report, and its frame for the
strip, count as ready when all of its computing is done, which errs high.

Prints a line an event: its kind, then in us the wait for the loop, I2C, computing, USB, the strip,
and all of them. Then `factor`, and of the heap what is held and what is free, in bytes. It must
not print while a turn is measured.
"""

import gc
import io
import random
import struct
import sys

# Beside this file lies another `time`.
from utime import time_ns

FOLDER, EVENTS, CALIBRATION_NS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
sys.path[:] = [FOLDER, ".frozen"]

# Only now they are found.
from firmware.channel import ACK  # noqa: E402
from firmware.hardware import Hardware, I2CBus, Input, PixelStrip  # noqa: E402
from firmware.messages import (  # noqa: E402
    HELLO,
    PIXELS,
    PROTOCOL,
    SET_UP,
    STATE,
    WIRING,
    Bus,
    Hello,
    Wiring,
    pack_hello,
    pack_pixels,
    pack_set_up,
    pack_wiring,
)
from firmware.run import Loop  # noqa: E402
from firmware.wire import MOST_LINE, Frame, Receiver, encode  # noqa: E402

LEVELS = 336
KHZ = 400
BIT_US = 1000 / KHZ
PACKET_BYTES = 64
PACKET_US = 1000 / 19
"""At full speed a frame of 1 ms has room for 19 bulk packets of 64 bytes (USB 2.0, table 5-9)."""
USB_FRAME_US = 1000
"""How long the host may take to ask a device for what it has to say: once a frame."""
STRIP_US = LEVELS * 32 / 3.05
LATCH_US = 300
HOST_US = 1500
"""How long the host takes to acknowledge: to be asked by USB, and to wake."""
LINE_PIN = 8
MODE = 0x8F
NEVER = 1 << 60
MOST_TIMES = 15


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
        return any([value == self.other for value in values]) or self.data in self.parts


def calibrate():
    """Do what firmwares do: calls, attributes, slices, structures, lists, small loops."""
    record = _Record(1, 300, b"none")
    line = bytes(range(64))
    found = 0
    for number in range(60):
        if record.turn(line):
            found += 1
        for place, each in enumerate(line[:8]):
            found += each << 1 & place
        packed = struct.pack("<IBH", number, found & 255, record.number)
        line = packed + line[len(packed) :]
    return found


def _calibrated():
    """Give how many times longer a Pico computes."""
    times = []
    for _ in range(40):
        gc.collect()
        began = time_ns()
        calibrate()
        times.append(time_ns() - began)
    print("calibration", min(times))
    return CALIBRATION_NS / min(times)


class _World:
    """Time in us, and all that happens at a time."""

    def __init__(self):
        self.us = 0.0
        self.i2c_us = 0.0
        self.buses = []
        self.low = False
        self.touch_us = NEVER
        self.seen_us = NEVER
        self.seen_i2c_us = 0.0
        # What the host has sent: when it begins to arrive, when it is there, and the bytes.
        self.lines = []
        self.came_us = NEVER
        self.written = []
        self.sent = False
        self.strip_free_us = 0.0
        # Bytes read from chips, lines and their lengths, bytes written: so long a turn takes.
        self.work = [0] * 4

    def look(self):
        """Let the finger land or lift, if it is time."""
        if self.us >= self.touch_us:
            self.touch_us = NEVER
            self.low = True
            self.buses[random.getrandbits(1)].touch(random.getrandbits(2))


class _Bus(I2CBus):
    def __init__(self, world):
        self.world = world
        self.bits = [0] * 4
        self.registers = bytearray(256)
        for at in range(4, 28, 2):
            self.registers[at], self.registers[at + 1] = 0x10, 1
        self.registers[0x5D], self.registers[0x5E] = 0x24, MODE

    def touch(self, chip):
        self.bits[chip] ^= 1 << random.getrandbits(3)

    def read(self, address, register, buffer):
        world = self.world
        count = len(buffer)
        world.work[0] += count
        if register == 0:
            world.low = False
            buffer[0] = self.bits[address - 0x5A]
            buffer[1] = 0
        else:
            buffer[:] = self.registers[register : register + count]
        # Address, register, address again, and the bytes; start, start and stop.
        took = ((3 + count) * 9 + 3) * BIT_US
        world.us += took
        world.i2c_us += took

    def write(self, address, register, data):
        self.world.work[0] += 1

    def recover(self):
        pass

    def close(self):
        pass


class _Line(Input):
    def __init__(self, world):
        self.world = world

    def low(self):
        world = self.world
        if world.us >= world.touch_us:
            world.look()
        if world.low and world.seen_us == NEVER:
            world.seen_us = world.us
            world.seen_i2c_us = world.i2c_us
        return world.low

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
        return self.world.us < self.world.strip_free_us

    def send(self, levels):
        world = self.world
        world.sent = True
        world.strip_free_us = world.us + STRIP_US + LATCH_US

    def close(self):
        pass


class _Double(Hardware):
    """Stands for firmware.pico, and computes about as much."""

    identity = b"12345678"

    def __init__(self, world):
        self.world = world

    def now(self):
        return int(self.world.us) // 1000

    def pause(self, time_ms):
        self.world.us += 1000 * time_ms

    def wait(self, timeout_ms):
        world = self.world
        first = world.lines[0][0] if world.lines else NEVER
        if first > world.us:
            world.us = min(world.us + 1000 * timeout_ms, first)
        if first > world.us:
            return False
        world.came_us = min(world.came_us, world.us)
        return True

    def read_line(self):
        world = self.world
        _, last, data, size = world.lines[0]
        world.us = max(world.us, last)
        line = data.readline(MOST_LINE)
        world.work[1] += 1
        world.work[2] += len(line) // 16
        if data.tell() == size:
            world.lines.pop(0)
        return line

    def write(self, data):
        view = memoryview(data)
        for at in range(0, len(data), PACKET_BYTES):
            self.world.written.append(bytes(view[at : at + PACKET_BYTES]))
        self.world.work[3] += len(data) // 16

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


class _Host:
    """The host's end, as far as it is wanted, and the loop of the firmware."""

    def __init__(self, factor):
        self.world = _World()
        self.loop = Loop(_Double(self.world))
        self.reported_us = NEVER
        self._factor = factor
        # How long turns took that did the same.
        self._took = {}
        self._charges = False
        self._session = self._number = self._ack = 0
        self._line_us = 0.0
        self._receiver = Receiver()

    def begin(self):
        """Greet the Pico, and let it watch eight chips."""
        hello = Hello(5, PROTOCOL)
        self._send(Frame(HELLO, 0, 0, 0, pack_hello(hello)), 0)
        self._session = hello.session
        buses = [Bus(0, 4, 5, KHZ), Bus(1, 6, 7, KHZ)]
        chips = [(bus, 0x5A + chip) for bus in range(2) for chip in range(4)]
        keys = [10, 11, 12, 13, 14]
        wiring = Wiring(buses, chips, LINE_PIN, keys, 2, LEVELS, 3, 20, 250, 5, 1000)
        self.turn()
        self.post(WIRING, pack_wiring(wiring), 0)
        for chip in range(8):
            self.turn()
            self.post(SET_UP, pack_set_up(chip, MODE, [(0x5E, bytes([MODE]))]), 0)
        self.run_until(self.world.us + 500_000)

    def charge(self):
        """From now on let each turn take as long as most of those that did the same."""
        for key in self._took:
            times = sorted(self._took[key])
            self._took[key] = times[len(times) // 2]
        self._charges = True

    def post(self, kind, payload, us):
        """Send a message at a time; give when it has arrived."""
        self._number = self._number % 255 + 1
        return self._send(Frame(kind, self._session, self._number, self._ack, payload), us)

    def run_until(self, us):
        while self.world.us < us:
            self.turn()

    def turn(self):
        """Let the firmware have a turn, and what it computes take its time."""
        world, loop = self.world, self.loop
        world.work[:] = (0, 0, 0, 0)
        world.sent = False
        held = gc.mem_alloc()
        began = time_ns()
        loop.turn()
        took = time_ns() - began
        key = tuple(world.work) + (gc.mem_alloc() < held,)
        if self._charges:
            took = self._took.get(key, took)
        else:
            times = self._took.setdefault(key, [])
            times.append(took)
            if len(times) > MOST_TIMES:
                times.pop(0)
        world.us += took * self._factor / 1000
        if world.sent:
            world.strip_free_us = world.us + STRIP_US + LATCH_US
        if world.written:
            self._hear()

    def _send(self, frame, us):
        data = encode(frame)
        first = max(us, self.world.us, self._line_us) + PACKET_US
        self._line_us = first + (len(data) - 1) // PACKET_BYTES * PACKET_US
        self.world.lines.append((first, self._line_us, io.BytesIO(data), len(data)))
        return self._line_us

    def _hear(self):
        data = b"".join(self.world.written)
        self.world.written.clear()
        heard = False
        for frame in self._receiver.take(data):
            if frame.number:
                self._ack = frame.number
                heard = True
            if frame.kind == STATE:
                self.reported_us = self.world.us + (len(data) + 63) // PACKET_BYTES * PACKET_US
        if heard:
            ack = Frame(ACK, self._session, 0, self._ack, b"")
            self._send(ack, self.world.us + HOST_US)


class _Frame:
    """A frame on its way."""

    def __init__(self, host, us, runs):
        world = host.world
        world.came_us = NEVER
        self.us = us
        self._lines = len(world.lines)
        self._world = world
        self._i2c_us = world.i2c_us
        self.arrived_us = host.post(PIXELS, pack_pixels(runs, True, False), us)
        self.latched_us = NEVER

    def step(self):
        """Note whether its levels have gone out in this turn."""
        world = self._world
        there = all([last != self.arrived_us for _, last, _, _ in world.lines])
        if there and world.sent and self.latched_us == NEVER:
            self.latched_us = world.us + STRIP_US + LATCH_US
            self.i2c_us = world.i2c_us - self._i2c_us

    def tell(self, kind):
        whole = self.latched_us - self.us
        usb = self.arrived_us - self.us
        strip = STRIP_US + LATCH_US
        waited = max(0.0, self._world.came_us - self.us - PACKET_US)
        _tell(kind, waited, 0.0, whole - waited - usb - strip, usb, strip, whole)


def _tell(kind, *times_us):
    if kind:
        print(kind, " ".join([str(int(each)) for each in times_us]))


def _noise(count):
    return bytes([random.getrandbits(8) for _ in range(count)])


def _whole():
    return [(0, _noise(255)), (255, _noise(LEVELS - 255))]


def _little():
    """Two pixels of some cells: what a game changes at a time."""
    return [(3 * random.getrandbits(5), _noise(3)), (150 + 3 * random.getrandbits(5), _noise(6))]


def _event(host, kind, runs, touches):
    """Let a frame come, or a touch, or both at about the same time, at a random moment."""
    world = host.world
    frame = None
    begins_us = world.us + 60_000 + random.random() * 60_000
    host.run_until(begins_us - 20_000)
    touch_us = begins_us
    if runs:
        frame = _Frame(host, begins_us, runs)
        touch_us += random.random() * 14_000 - 4000
    if touches:
        world.seen_us = host.reported_us = NEVER
        world.touch_us = touch_us
    while (touches and host.reported_us == NEVER) or (frame and frame.latched_us == NEVER):
        host.turn()
        if frame:
            frame.step()
        if touches and host.reported_us != NEVER and touches is not None:
            _tell_touch(host, kind, touch_us)
            touches = None
    if frame:
        frame.tell(kind and kind + ("-frame" if touches is None else ""))


def _tell_touch(host, kind, touch_us):
    world = host.world
    whole = host.reported_us - touch_us + USB_FRAME_US
    usb = host.reported_us - world.us + USB_FRAME_US
    waited = world.seen_us - touch_us
    i2c = world.i2c_us - world.seen_i2c_us
    _tell(kind, waited, i2c, whole - usb - waited - i2c, usb, 0.0, whole)


def _play(host, named):
    """Let events of each kind happen; only `named` ones are told."""
    for kind, runs, touches in (
        ("touch", None, True),
        ("frame", _whole, False),
        ("change", _little, False),
        ("both", _whole, True),
    ):
        for _ in range(EVENTS):
            _event(host, named and kind, runs and runs(), touches)


def main():
    random.seed(1)
    factor = _calibrated()
    host = _Host(factor)
    host.begin()
    _play(host, False)
    host.charge()
    _play(host, True)
    gc.collect()
    print("factor", factor)
    print("heap", gc.mem_alloc(), gc.mem_free())


main()
