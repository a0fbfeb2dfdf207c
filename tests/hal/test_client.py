"""The host's client against the firmware's own loop, on a double of the Pico, in virtual time."""

from random import Random

import pytest

from firmware import messages
from firmware.messages import (
    PROTOCOL,
    READ,
    WIRING,
    pack_read,
    pack_wiring,
    unpack_data,
    unpack_found,
)
from firmware.run import Loop
from hal.backends.coprocessor.client import Client, ask_ident, greeting
from hal.backends.coprocessor.pico_port import HELLO_S
from hal.base.errors import LinkFault, WrongFirmware
from tests.helpers.boards.doctor_pico import AtPort, PassingTime
from tests.helpers.boards.pico_double import PicoDouble, wiring

MICROPYTHON_KEEPS = 512
"""Unread bytes of input; with this many it does not see a Ctrl-C behind them."""


class Cable:
    """A port whose far end is a Pico's double; what is unplugged raises. Time passes in `wait`."""

    def __init__(self) -> None:
        self.pico = PicoDouble()
        self.loop = Loop(self.pico)
        self.now_ms = 0
        self.plugged = True
        self.deaf = False
        self.opened = 0
        self.closed = 0

    def clock(self) -> float:
        return self.now_ms / 1000

    def open(self, url, on_input):
        if not self.plugged:
            raise LinkFault("it is not there")
        self.opened += 1
        return self

    def read(self) -> bytes:
        self._check()
        said = bytes(self.pico.written)
        self.pico.written.clear()
        return b"" if self.deaf else said

    def write(self, data: bytes) -> None:
        self._check()
        if not self.deaf:
            self.pico.type(data)

    def wait(self, timeout_s: float) -> None:
        """Let a little time pass, on both sides."""
        passed_ms = max(1, min(5, int(timeout_s * 1000)))
        self.now_ms += passed_ms
        self.pico.run(self.loop, self.now_ms - self.pico.time_ms)

    def close(self) -> None:
        self.closed += 1

    def restart(self) -> None:
        """Take the Pico's power away and give it back."""
        chips, time_ms = self.pico.chips, self.pico.time_ms
        self.pico = PicoDouble()
        self.pico.chips, self.pico.time_ms = chips, time_ms
        self.loop = Loop(self.pico)

    def _check(self) -> None:
        if not self.plugged:
            raise LinkFault("it is gone")


@pytest.fixture
def cable():
    return Cable()


@pytest.fixture
def client(cable):
    client = Client("a port", cable.clock, cable.open, Random(1), lambda: None)
    client.open(6.0)
    return client


def attend_for(client, cable, seconds):
    """Let the client attend for so long; give what its fault was each time."""
    end_ms = cable.now_ms + seconds * 1000
    faults = []
    while cable.now_ms < end_ms:
        client.attend()
        faults.append(client.fault)
        cable.wait(0.005)
    return faults


def test_client_open_without_a_port_says_so_at_once(cable):
    cable.plugged = False
    client = Client("a port", cable.clock, cable.open, Random(1), lambda: None)
    with pytest.raises(LinkFault, match="it is not there"):
        client.open(6.0)
    assert cable.now_ms == 0


def test_client_open_of_a_silent_pico_gives_up_and_lets_the_port_go(cable):
    cable.deaf = True
    client = Client("a port", cable.clock, cable.open, Random(1), lambda: None)
    with pytest.raises(LinkFault, match=r"no answer at serial port a port.*lifeboard flash"):
        client.open(2.0)
    assert cable.clock() >= 2.0
    assert (cable.opened, cable.closed) == (1, 1)


@pytest.fixture
def older_firmware(monkeypatch):
    """A Pico that was flashed by an earlier version."""
    monkeypatch.setattr("firmware.board.PROTOCOL", 1)
    monkeypatch.setattr("firmware.board.VERSION", (0, 1, 0))


def test_client_of_older_firmware_is_refused_with_what_mends_it(older_firmware, cable):
    client = Client("a port", cable.clock, cable.open, Random(1), lambda: None)
    with pytest.raises(
        WrongFirmware, match=r"firmware 0.1.0 with protocol 1, .*`lifeboard flash`$"
    ):
        client.open(6.0)
    assert cable.closed == 1


def test_client_call_gives_the_answer(client, cable):
    answer = client.call(WIRING, pack_wiring(wiring()))
    assert unpack_found(answer.payload)[1] == []
    _, error, data = unpack_data(client.call(READ, pack_read(0, 0, 2)).payload)
    assert (error, data) == (5, b"")


def test_client_call_that_the_pico_cannot_follow_gives_its_words(client):
    with pytest.raises(ValueError, match="payload of another layout"):
        client.call(WIRING, pack_wiring(wiring(poll_ms=0)))


def test_client_that_is_down_raises_a_fault_of_its_own_each_time(client, cable):
    # One that is raised again while another is handled becomes a cause of itself.
    cable.plugged = False
    client.attend()
    raised = []
    for _ in range(2):
        with pytest.raises(LinkFault) as caught:
            client.post(READ, pack_read(0, 0, 2))
        raised.append(caught.value)
    assert raised[0] is not raised[1]


def test_client_unplugged_comes_back_by_itself(client, cable):
    cable.plugged = False
    client.attend()
    assert "it is gone" in str(client.fault)
    attend_for(client, cable, 2.0)
    cable.plugged = True
    attend_for(client, cable, 1.0)
    assert client.fault is None
    assert client.sessions == 2


def test_client_deaf_line_is_noticed_by_both_sides(client, cable):
    client.call(WIRING, pack_wiring(wiring()))
    cable.deaf = True
    attend_for(client, cable, 4.0)
    assert client.fault is not None
    # The Pico breathes: its strip shows levels that were not sent.
    assert any(any(frame) for _, frame in cable.pico.strip.frames)
    cable.deaf = False
    attend_for(client, cable, 1.0)
    assert client.fault is None


def test_client_flush_of_a_dead_line_ends_at_its_time_out(client, cable):
    cable.deaf = True
    client.post(messages.BYE, b"")
    before_s = cable.clock()
    client.flush(0.5)
    assert 0.5 <= cable.clock() - before_s < 0.6


def test_ask_ident_tells_who_is_there(cable):
    assert ask_ident(cable, cable.clock, 2.0).protocol == PROTOCOL


def test_ask_ident_tells_who_is_there_in_an_older_protocol(older_firmware, cable):
    assert ask_ident(cable, cable.clock, 2.0).protocol == 1


def test_ask_ident_fills_no_other_program_s_memory_in_front_of_a_ctrl_c():
    clock = PassingTime()
    port = AtPort(clock)
    with pytest.raises(LinkFault):
        ask_ident(port, clock, HELLO_S)
    assert 0 < len(port.written) < MICROPYTHON_KEEPS


class Draws(Random):
    """Chance that draws the numbers it was given."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(1)
        self.numbers = list(numbers)

    def getrandbits(self, k: int, /) -> int:
        return self.numbers.pop(0)


def test_greeting_that_would_interrupt_a_program_is_drawn_again():
    # 3 is Ctrl-C to a MicroPython that has not started the firmware yet. Counting on from such a
    # number would go through up to 2**24 others.
    chance = Draws(3 << 24, 0x11223344)
    assert greeting(chance).nonce == 0x11223344
    assert not chance.numbers
