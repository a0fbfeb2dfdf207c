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
PACKET_BYTES = 64
PACKET_US = 1000 // 19
"""At full speed a frame of 1 ms has room for 19 bulk packets of 64 bytes (USB 2.0, table 5-9)."""
USB_FRAME_US = 1000
"""How long the host may take to ask a device for what it has to say: once a frame."""
STRIP_US = LEVELS * 3200 // 305
LATCH_US = 300
HOST_US = 1500
"""How long the host takes to acknowledge: to be asked by USB, and to wake."""
HEAP_BYTES = 2 * 233_000
"""That of a Pico, in objects of 64 bits."""
MEASURED = struct.pack("<12H", *([0x110] * 12))
# Address, register, address again, and the bytes, 9 bits each; two starts and a stop.
TRANSFER_US = [((3 + count) * 9 + 3) * 1000 // KHZ for count in range(65)]
LINE_PIN = 8
MODE = 0x8F
NEVER = 1 << 60
FEW = 5
"""So few turns of a kind are too few to know what it costs."""
CLOCK_NS = 1000
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


class _World:
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
        world.transfers_us += TRANSFER_US[len(buffer)]
        if register == 0:
            world.low = False
            buffer[0] = self.bits[address - 0x5A]
        elif register == 4:
            buffer[:] = MEASURED
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


class _Double(Hardware):
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
        if took > self.ns * 5 // 4 + CLOCK_NS:
            return
        sums = self._sums
        if sums[0] and sums[1] // sums[0] > self.ns * 5 // 4 + CLOCK_NS:
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


class _Costs:
    """How long turns take, by what was done in them.

    First turns are measured, and then charged as such turns took when nothing disturbed them. What
    was rare is charged no more than what was not. This machine is quicker the more often it does
    the same, and a Pico is not. So two things tell how many times longer a Pico takes: `calibrate`
    in a row for the turns in which nothing happens, and one at a time for all others.
    """

    def __init__(self):
        self.settled = False
        self.slower = 0.0
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
        return GUESS

    def settle(self):
        """Measure no more."""
        known = self._known
        self._calibration.settle(NEVER)
        self.slower = CALIBRATION_NS / self._calibration.ns
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
            known[key].scale(self.slower if any(key) else CALIBRATION_NS / in_a_row.ns)
        self._dearest.ns = self._dearest.sent_ns = dearest
        self._dearest.scale(self.slower)
        self.settled = True


GUESS = _Cost()
GUESS.ns = GUESS.sent_ns = 2_000_000


def _key(world):
    return (world.transfers_us, world.sent, world.tidied) + tuple(world.work)  # noqa: RUF005


class _Host:
    """The host's end, as far as it is wanted, and the loop of the firmware."""

    def __init__(self):
        self.world = _World()
        self.loop = Loop(_Double(self.world))
        self.costs = _Costs()
        self.reported_us = NEVER
        # So many bytes may be left to collect before MicroPython does, which takes so long.
        self.room, self.collection_ns = NEVER, 0
        self.collections = 0
        self.longest = 0
        self._garbage = 0
        self._session = self._number = self._ack = 0
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

    def post(self, kind, payload, us):
        """Send a message at a time; give when it has arrived."""
        self._number = self._number % 255 + 1
        return self._send(Frame(kind, self._session, self._number, self._ack, payload), us)

    def run_until(self, us):
        """Let time pass."""
        while self.world.us < us:
            self.turn()

    def turn(self):
        """Let the firmware have a turn, and what it computes take its time."""
        world = self.world
        world.work[:] = (0, 0, 0)
        world.transfers_us = 0
        world.sent = world.tidied = False
        world.look()
        cost = self.costs.measure(world, self.loop.turn)
        took = cost.ns
        # The collector itself is off: the heap is not the firmware's alone here.
        self._garbage = 0 if world.tidied else self._garbage + cost.left
        if self._garbage > self.room:
            self._garbage = 0
            took += self.collection_ns
            self.collections += 1
        # What the buses took is charged before the strip, too.
        world.us += world.transfers_us
        world.i2c_us += world.transfers_us
        if world.sent:
            sent = took - cost.ns + cost.sent_ns
            world.latched_us = world.us + sent // 1000 + STRIP_US + LATCH_US
        world.us += took // 1000
        if world.written:
            self._hear()

    def _send(self, frame, us):
        data = encode(frame)
        first = max(us, self.world.us) + PACKET_US
        last = first + (len(data) - 1) // PACKET_BYTES * PACKET_US
        self.longest = max(self.longest, len(data))
        lines = self.world.lines
        lines.append((first, last, io.BytesIO(data), len(data)))
        lines.sort(key=lambda line: line[0])
        return last

    def _hear(self):
        data = b"".join(self.world.written)
        self.world.written.clear()
        heard = False
        for frame in self._receiver.take(data):
            if frame.number:
                self._ack = frame.number
                heard = True
            if frame.kind == STATE:
                packets = (len(data) + PACKET_BYTES - 1) // PACKET_BYTES
                self.reported_us = self.world.us + packets * PACKET_US + USB_FRAME_US
        if heard:
            ack = Frame(ACK, self._session, 0, self._ack, b"")
            self._send(ack, self.world.us + HOST_US)


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
    host = _Host()
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
