"""The firmware in real MicroPython, spoken with in frames and messages, and nothing between."""

import pytest

from firmware.channel import Channel
from firmware.messages import (
    DONE,
    FOUND,
    HELLO,
    IDENT,
    PIXELS,
    PROTOCOL,
    SET_UP,
    STATE,
    STOP,
    VERSION,
    WATCHED,
    WIRING,
    Hello,
    pack_hello,
    pack_pixels,
    pack_set_up,
    pack_wiring,
    unpack_done,
    unpack_found,
    unpack_ident,
    unpack_state,
)
from firmware.wire import Frame, Receiver, encode
from hal import DARK, Colour, built_in
from hal.coprocessor.machine import wiring_of
from hal.drivers.mpr121_registers import set_up_blocks
from hal.profile import Pin
from hal.sim.pico import Cause, fill_flash
from hal.sim.pico.process import IDENTITY
from tests.helpers.boards.pico_bench import Bench

STEP_S = 0.001
NONCE = 0xC0FFEE
IMPORT_US = 20
"""A Pico compiles about 50 KB of source a second."""


class Talk:
    """A session with the firmware on a bench."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.states = []
        self._receiver = Receiver()
        self._channel = None
        self._kept = []

    @property
    def now(self) -> int:
        return int(self.bench.clock.now * 1000)

    def greet(self):
        hello = Hello(NONCE, PROTOCOL)
        self.say(Frame(HELLO, 0, 0, 0, pack_hello(hello)))
        self._channel = Channel(hello.session, self.now)
        return unpack_ident(self.hear(IDENT))

    def say(self, frame: Frame) -> None:
        self.bench.say(encode(frame))

    def send(self, kind, payload) -> int:
        return self._channel.send(kind, payload)

    def step(self) -> None:
        """Let a millisecond pass."""
        for frame in self._channel.frames(self.now) if self._channel else ():
            self.say(frame)
        for frame in self._receiver.take(self.bench.hear(STEP_S)):
            if frame.session == 0:
                self._kept.append(frame)
            elif self._channel.take(frame, self.now):
                if frame.kind == STATE:
                    self.states.append((self.now, unpack_state(frame.payload)))
                else:
                    self._kept.append(frame)

    def hear(self, kind, within_ms=500) -> bytes:
        """Wait for a message of a kind."""
        for _ in range(within_ms):
            for frame in self._kept:
                if frame.kind == kind:
                    self._kept.remove(frame)
                    return frame.payload
            self.step()
        raise AssertionError(f"no message of kind {kind} in {within_ms} ms")

    def until(self, holds, within_ms=500) -> None:
        for _ in range(within_ms):
            if holds():
                return
            self.step()
        raise AssertionError(f"not in {within_ms} ms: {self.states[-3:]}")

    @property
    def state(self):
        return self.states[-1][1]


@pytest.fixture
def profile():
    return built_in("hexagon-61-pico")


@pytest.fixture
def talk(profile, clock, tmp_path):
    bench = Bench(profile, clock, tmp_path)
    fill_flash(tmp_path)
    try:
        bench.start()
        bench.hear(0.1)
        yield Talk(bench)
    finally:
        bench.close()


@pytest.fixture
def board(talk, profile):
    """A session in which all chips are watched."""
    talk.greet()
    talk.send(WIRING, pack_wiring(wiring_of(profile, profile.pico)))
    talk.hear(FOUND)
    for number in range(len(profile.chips)):
        set_up = set_up_blocks(profile.measuring, {}, {})
        asked = talk.send(SET_UP, pack_set_up(number, set_up.mode, list(set_up.blocks)))
        assert unpack_done(talk.hear(DONE)) == (asked, 0)
    talk.until(lambda: all(chip.health == WATCHED for chip in talk.state.chips))
    for _ in range(100):
        talk.step()
    return talk


def test_firmware_says_what_it_is(talk):
    ident = talk.greet()
    assert (ident.nonce, ident.protocol, ident.version) == (NONCE, PROTOCOL, VERSION)
    assert ident.identity == IDENTITY
    assert not ident.watchdog
    assert "1.25.0" in ident.system


def test_firmware_is_not_interrupted_by_a_greeting_while_it_starts(profile, clock, tmp_path):
    bench = Bench(profile, clock, tmp_path)
    fill_flash(tmp_path)
    try:
        bench.start(import_us=IMPORT_US)
        talk = Talk(bench)
        # A host sees the port a while after power-up. The kind of a HELLO is the byte that ends a
        # program, elsewhere.
        for _ in range(40):
            bench.clock.now += 0.1
            talk.say(Frame(HELLO, 0, 0, 0, pack_hello(Hello(NONCE, PROTOCOL))))
        assert unpack_ident(talk.hear(IDENT)).nonce == NONCE
    finally:
        bench.close()


def test_firmware_finds_the_chips_of_the_wiring(talk, profile):
    talk.greet()
    asked = talk.send(WIRING, pack_wiring(wiring_of(profile, profile.pico)))
    number, found = unpack_found(talk.hear(FOUND))
    assert number == asked
    assert set(found) == {(chip.bus, chip.address) for chip in profile.chips}


def test_firmware_tells_a_touch_at_once(board, profile):
    cell, pad = next(iter(profile.cells.items()))
    place = [chip.name for chip in profile.chips].index(pad.chip)
    chip = board.bench.body.chips[pad.chip]
    board.bench.body.lay(cell)
    board.until(lambda: chip.interrupt)
    began = board.now
    board.until(lambda: board.state.chips[place].touched == 1 << pad.electrode)
    # The line is looked at every 2 ms, and what is read is read twice.
    assert board.now - began <= 5
    board.bench.body.lift(cell)
    board.until(lambda: board.state.chips[place].touched == 0)


def test_firmware_tells_a_key(board, profile):
    pins = [name for name, key in profile.keys.items() if isinstance(key, Pin)]
    for bit, name in enumerate(pins):
        board.bench.body.lay(name)
        board.until(lambda bit=bit: board.state.keys == 1 << bit, within_ms=20)
        board.bench.body.lift(name)
        board.until(lambda: board.state.keys == 0, within_ms=20)


def test_firmware_shows_pixels_soon(board, profile):
    parts = board.bench.pico.machine
    assert parts.latched() == (DARK,) * profile.pixel_count
    levels = bytes([4, 5, 6]) * profile.pixel_count
    runs = [(at, levels[at : at + 255]) for at in range(0, len(levels), 255)]
    board.send(PIXELS, pack_pixels(runs, show=True, clear=False))
    order = profile.strip.order
    shown = Colour(*(b"\4\5\6"[order.index(each)] for each in "RGB"))
    board.until(lambda: parts.latched() == (shown,) * profile.pixel_count, within_ms=10)
    assert parts.strip.refused == 0


def test_firmware_ends_itself_for_the_prompt(board):
    board.say(Frame(STOP, 0, 0, 0, b""))
    board.bench.clock.now += 1.0
    board.bench.pico.settle()
    board.bench.open()
    assert board.bench.pico.boots == [Cause.POWER_ON, Cause.PROGRAM]
    assert board.bench.ask(b"1+1\r") == b"1+1\r\n2\r\n>>> ".replace(b"2\r\n", b"2\n")
