"""The firmware in real MicroPython, spoken with in frames: how it starts, and how it ends."""

import pytest

from firmware.framing import Frame, Receiver, encode
from firmware.messages import HELLO, IDENT, PROTOCOL, STOP, VERSION, Hello, pack_hello, unpack_ident
from hal import built_in
from tests.helpers.boards.pico_bench import Bench
from tests.helpers.pico import Cause, fill_flash
from tests.helpers.pico.process import IDENTITY

NONCE = 0xC0FFEE
GREETING = encode(Frame(HELLO, 0, 0, 0, pack_hello(Hello(NONCE, PROTOCOL))))
IMPORT_US = 20
"""A Pico compiles about 50 KB of source a second."""


@pytest.fixture
def bench(clock, tmp_path):
    bench = Bench(built_in("hexagon-61-pico"), clock, tmp_path)
    fill_flash(tmp_path)
    yield bench
    bench.close()


def ident(heard: bytes):
    """Give the first thing that the firmware says of itself."""
    return next(unpack_ident(each.payload) for each in Receiver().take(heard) if each.kind == IDENT)


def test_firmware_says_what_it_is(bench):
    bench.start()
    bench.hear(0.1)
    said = ident(bench.ask(GREETING, 0.1))
    assert (said.nonce, said.protocol, said.version) == (NONCE, PROTOCOL, VERSION)
    assert said.identity == IDENTITY
    assert not said.watchdog
    assert "1.25.0" in said.system


def test_firmware_is_not_interrupted_by_a_greeting_while_it_starts(bench):
    bench.start(import_us=IMPORT_US)
    # A host sees the port a while after power-up. The kind of a HELLO is the byte that ends a
    # program, elsewhere.
    for _ in range(40):
        bench.clock.now += 0.1
        bench.say(GREETING)
    assert ident(bench.hear(0.5)).nonce == NONCE


def test_firmware_ends_itself_for_the_prompt(bench):
    bench.start()
    bench.hear(0.1)
    bench.say(encode(Frame(STOP, 0, 0, 0, b"")))
    bench.clock.now += 1.0
    bench.pico.settle()
    bench.open()
    assert bench.pico.boots == [Cause.POWER_ON, Cause.PROGRAM]
    assert bench.ask(b"1+1\r") == b"1+1\r\n2\n>>> "
