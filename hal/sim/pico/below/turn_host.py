"""The host at the other end of the line, as far as `turns.py` wants it, and the firmware's loop.

Owns how a turn is charged to the time, and what goes over USB. Runs in MicroPython. Must not know
what is to be found out.
"""

import io

from turn_hardware import (
    KHZ,
    LATCH_US,
    LEVELS,
    LINE_PIN,
    MODE,
    NEVER,
    PACKET_BYTES,
    STRIP_US,
    Double,
    World,
)

from firmware.channel import ACK
from firmware.messages import (
    HELLO,
    PROTOCOL,
    SET_UP,
    STATE,
    WIRING,
    Bus,
    Hello,
    Wiring,
    pack_hello,
    pack_set_up,
    pack_wiring,
)
from firmware.run import Loop
from firmware.wire import Frame, Receiver, encode

PACKET_US = 1000 // 19
"""At full speed a frame of 1 ms has room for 19 bulk packets of 64 bytes (USB 2.0, table 5-9)."""
USB_FRAME_US = 1000
"""How long the host may take to ask a device for what it has to say: once a frame."""
HOST_US = 1500
"""How long the host takes to acknowledge: to be asked by USB, and to wake."""


class Host:
    """The host's end, as far as it is wanted, and the loop of the firmware."""

    def __init__(self, costs):
        self.world = World()
        self.loop = Loop(Double(self.world))
        self.costs = costs
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
