"""The host's client at the quick emulated Pico, in virtual time."""

from functools import partial
from random import Random
from types import SimpleNamespace

import pytest

from firmware import messages
from firmware.messages import BYE, READ, pack_read
from hal.backends.coprocessor.client import Client, ask_ident, greeting
from hal.backends.coprocessor.flash import HELLO_S
from hal.base.errors import LinkFault, WrongFirmware
from hal.sim.body import Body
from tests.helpers.boards.profile_text import SMALL_ON_PICO, load_text
from tests.helpers.pico.backend import LockstepPort
from tests.helpers.pico.quick import EmulatedPico

MICROPYTHON_KEEPS = 512
"""Size of the unread input buffer; once full, MicroPython sees no Ctrl-C behind it."""
BOARD = load_text(SMALL_ON_PICO)


@pytest.fixture
def pico(clock, tmp_path):
    return EmulatedPico(BOARD, Body(BOARD, clock(), seed=1), clock, flash=tmp_path)


@pytest.fixture
def host(clock, pico):
    """A client that has not greeted the Pico yet."""
    port = partial(LockstepPort, pico, clock.pass_time)
    return Client("a port", clock, lambda *_: port(), Random(1), lambda: None)


@pytest.fixture
def client(host):
    host.open(6.0)
    return host


def attend_for(client, clock, seconds):
    """Run the client for this many seconds."""
    end_s = clock() + seconds
    while clock() < end_s:
        client.attend()
        clock.pass_time(0.005)


def test_client_open_without_a_port_says_so_at_once(host, pico, clock):
    pico.unplug()
    before_s = clock()
    with pytest.raises(LinkFault, match="is not plugged in"):
        host.open(6.0)
    assert clock() == before_s


def test_client_open_of_a_silent_pico_gives_up_and_lets_the_port_go(host, pico, clock):
    pico.usb.deaf = True
    before_s = clock()
    with pytest.raises(LinkFault, match=r"no answer at serial port a port.*lifeboard flash"):
        host.open(2.0)
    assert clock() - before_s >= 2.0
    assert not pico.usb.opened


def test_client_of_older_firmware_is_refused_with_what_mends_it(host, pico, monkeypatch):
    older = {**vars(messages), "PROTOCOL": 1, "VERSION": (0, 1, 0)}
    monkeypatch.setattr("firmware.board.m", SimpleNamespace(**older))
    with pytest.raises(
        WrongFirmware, match=r"firmware 0.1.0 with protocol 1, .*`lifeboard flash`$"
    ):
        host.open(6.0)
    assert not pico.usb.opened


def test_client_unplugged_raises_faults_of_its_own_and_comes_back_by_itself(client, pico, clock):
    pico.unplug()
    client.attend()
    raised = []
    for _ in range(2):
        with pytest.raises(LinkFault, match="it was unplugged") as caught:
            client.post(READ, pack_read(0, 0, 2))
        raised.append(caught.value)
    # One that is raised again while another is handled becomes a cause of itself.
    assert raised[0] is not raised[1]
    attend_for(client, clock, 2.0)
    pico.plug()
    attend_for(client, clock, 1.0)
    assert (client.fault, client.sessions) == (None, 2)


def test_client_of_a_deaf_line_gives_up_and_comes_back_by_itself(client, pico, clock):
    pico.usb.deaf = True
    client.post(BYE, b"")
    before_s = clock()
    client.flush(0.5)
    assert 0.5 <= clock() - before_s < 0.6
    with pytest.raises(LinkFault, match="does not answer within 1"):
        client.call(READ, pack_read(0, 0, 2), 1.0)
    attend_for(client, clock, 4.0)
    assert client.fault is not None
    pico.usb.deaf = False
    attend_for(client, clock, 1.0)
    assert client.fault is None


def test_ask_ident_fills_no_other_program_s_memory_in_front_of_a_ctrl_c(pico, clock):
    pico.hang()
    with pytest.raises(LinkFault):
        ask_ident(LockstepPort(pico, clock.pass_time), clock, HELLO_S)
    assert 0 < len(pico.usb.to_pico) < MICROPYTHON_KEEPS


def test_greeting_holds_no_byte_that_would_interrupt_a_program():
    # 3 is Ctrl-C to a MicroPython that has not started the firmware yet.
    nonces = {greeting(Random(seed)).nonce for seed in range(300)}
    assert not any(3 in nonce.to_bytes(4, "little") for nonce in nonces)
    assert len(nonces) == 300
