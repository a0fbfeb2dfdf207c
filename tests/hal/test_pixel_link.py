"""Pixels that a service of the system drives: both ends of the link, over real sockets."""

import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.colour import DARK, WHITE, Colour
from hal.drivers import pixel_wire as wire
from hal.drivers.pixel_link import PixelLink, open_link
from hal.drivers.pixel_server import PixelServer
from hal.errors import LightError, LightsFault
from hal.pi import RaspberryPi
from hal.profile import MOST_PIXELS, Strip
from hal.strip import Lights
from tests.helpers.boards.pixel_service import PixelService, Strips, listen

STRIP = Strip("pwm", 18, 3, "GRB")
FRAME = (Colour(10, 20, 30), WHITE, Colour(0, 128, 255))
SHOWN = ((10, 20, 30), (255, 255, 255), (0, 128, 255))
OUT = ((0, 0, 0),) * 3


@pytest.fixture
def strips():
    return Strips()


@pytest.fixture
def service(tmp_path, strips):
    service = PixelService(tmp_path / "pixels.sock", strips.open)
    yield service
    service.stop()


def connect(service) -> socket.socket:
    """Come as a stranger who speaks bytes."""
    stranger = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    stranger.settimeout(30)
    stranger.connect(str(service.path))
    return stranger


@pytest.fixture
def stranger(service):
    with connect(service) as stranger:
        yield stranger


def heard(stranger: socket.socket) -> bytes:
    try:
        return stranger.recv(wire.MOST_ANSWER_BYTES)
    except ConnectionResetError:
        return stranger.recv(wire.MOST_ANSWER_BYTES)


def serves(service, strips) -> bool:
    """Tell whether the next board has its frame shown."""
    link = open_link(STRIP, service.path)
    link.show(FRAME)
    shown = strips.shown
    link.close()
    return shown == SHOWN


@pytest.mark.parametrize("strip", [STRIP, Strip("pcm", 21, MOST_PIXELS, "GRBW")])
def test_link_opens_the_strip_that_is_asked_for(service, strips, strip):
    open_link(strip, service.path).close()
    assert strips.opened == [strip]


def test_link_that_vanishes_leaves_the_lights_out(service, strips, stranger):
    stranger.send(wire.encode_hello(STRIP))
    assert heard(stranger) == wire.DONE
    stranger.send(wire.encode_frame(FRAME))
    assert heard(stranger) == wire.DONE
    first = strips.made[-1]
    assert first.latched == SHOWN
    stranger.close()
    assert serves(service, strips)
    assert first.latched == OUT


def test_link_refuses_a_frame_of_another_length(service):
    link = open_link(STRIP, service.path)
    with pytest.raises(LightError, match="has 1 colours: allowed is 3"):
        link.show((DARK,))
    link.show(FRAME)
    link.close()


def test_link_tells_what_the_library_says_and_heals(service, strips):
    now = 0.0
    lights = Lights(lambda: open_link(STRIP, service.path), 3, now)
    lights.show(FRAME, now)
    strips.made[-1].failing = 1
    lights.show((WHITE,) * 3, now)
    assert "rpi_ws281x takes no frames: ws2811_render failed" in str(lights.fault)
    lights.attend(lights.due())
    assert lights.fault is None
    assert strips.shown == ((255, 255, 255),) * 3
    lights.close()


def test_lights_come_back_after_the_service_was_away(tmp_path, strips):
    path = tmp_path / "pixels.sock"
    service = PixelService(path, strips.open)
    lights = Lights(lambda: open_link(STRIP, path), 3, 0.0)
    lights.show(FRAME, 0.0)
    service.stop()
    assert strips.shown == OUT
    lights.attend(lights.due())
    assert "the service of the strip has gone" in str(lights.fault)
    lights.attend(lights.due())
    assert f"cannot be reached at {path}" in str(lights.fault)
    service = PixelService(path, strips.open)
    lights.attend(lights.due())
    assert lights.fault is None
    assert strips.shown == SHOWN
    lights.close()
    service.stop()


def test_server_refuses_a_second_board_and_keeps_the_first(service, strips):
    link = open_link(STRIP, service.path)
    with pytest.raises(LightsFault, match=r"in use by process \d+: allowed is one at a time"):
        open_link(STRIP, service.path)
    link.show(FRAME)
    assert strips.shown == SHOWN
    link.close()
    assert serves(service, strips)


def hello(version: object = wire.VERSION, rest: str = "pwm 18 3 GRB") -> bytes:
    return f"Hlifeboard-pixels {version} {rest}".encode()


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (b"x", r"first message 'x': allowed is hello"),
        (b"\xff" * 10_000, r"first message '\\xff.*: allowed is hello"),
        (wire.encode_frame(FRAME), "allowed is hello"),
        (b"Hlifeboard-pixels 2", "speaks version 1, and the board version 2: restart"),
        (hello(rest="pwm 18 -3 GRB"), "allowed is a driver, pin, number and order"),
        (hello(rest="spi 10 3 GRB"), 'driver "spi": allowed are pwm, pcm'),
        (hello(rest="pwm 10 3 GRB"), "pin 10: allowed with pwm are 12, 13, 18, 19"),
        (hello(rest="pwm 18 2001 GRB"), "strip of 2001 pixels: allowed is 1 to 2000"),
        (hello(rest="pwm 18 3 GGB"), 'order "GGB": allowed are R, G and B, and W, each once'),
    ],
)
def test_server_refuses_what_is_no_hello(service, strips, stranger, message, why):
    stranger.send(message)
    with pytest.raises(LightsFault, match=why):
        wire.check_answer(heard(stranger))
    assert heard(stranger) == b""
    assert strips.opened == []
    assert serves(service, strips)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (wire.encode_frame(FRAME[:2]), "frame of 6 bytes: allowed is 9, for 3 pixels"),
        (b"F" * 100_000, "frame of 6001? bytes: allowed is 9"),
        (hello(), "after hello: allowed are frames and bye"),
    ],
)
def test_server_refuses_what_is_no_frame_and_puts_the_lights_out(
    service, strips, stranger, message, why
):
    stranger.send(hello())
    assert heard(stranger) == wire.DONE
    stranger.send(message)
    with pytest.raises(LightsFault, match=why):
        wire.check_answer(heard(stranger))
    assert heard(stranger) == b""
    assert strips.shown == OUT
    assert serves(service, strips)


def test_server_does_not_wait_for_a_guest_who_says_nothing(tmp_path, strips):
    service = PixelService(tmp_path / "pixels.sock", strips.open, hello_s=0.0)
    with connect(service) as stranger, pytest.raises(LightsFault, match="no hello within"):
        wire.check_answer(heard(stranger))
    service.stop()


def test_server_gives_up_a_guest_who_never_listens(service, strips, stranger):
    stranger.send(hello())
    assert heard(stranger) == wire.DONE

    def flood():
        while True:
            stranger.send(wire.encode_frame(FRAME))

    with pytest.raises(ConnectionError):
        flood()
    assert serves(service, strips)


def test_server_ends_when_nobody_comes(tmp_path, strips):
    path = tmp_path / "pixels.sock"
    server = PixelServer(listen(path), strips.open)
    server.serve(idle_s=0.0)
    server.close()
    assert strips.opened == []


def test_server_serves_who_came_while_it_was_about_to_end(tmp_path, strips):
    path = tmp_path / "pixels.sock"
    listening = listen(path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as stranger:
        stranger.connect(str(path))
        stranger.send(hello())
        stranger.send(wire.BYE)
        server = PixelServer(listening, strips.open)
        server.serve(idle_s=0.0)
        server.close()
        assert [stranger.recv(9), stranger.recv(9), stranger.recv(9)] == [wire.DONE] * 2 + [b""]


def test_server_beats_while_it_waits(tmp_path, strips):
    server = PixelServer(listen(tmp_path / "pixels.sock"), strips.open)
    beats = []

    def beat():
        beats.append(1)
        if len(beats) == 3:
            server.stop()

    server.serve(beat=beat, beat_s=0.0)
    server.close()
    assert len(beats) == 3


messages = st.one_of(
    st.binary(max_size=200),
    st.builds(lambda head, tail: head + tail, st.sampled_from([b"F", b"H", b"B"]), st.binary()),
    st.builds(hello, st.integers(0, 3), st.text("pwmcsi 0123456789GRBW", max_size=20)),
    st.sampled_from([hello(), wire.encode_frame(FRAME), wire.BYE, b"F" * 100_000]),
)


@settings(max_examples=25)
@given(said=st.lists(messages, max_size=6), hears=st.booleans())
def test_server_outlives_whatever_it_is_told(tmp_path_factory, said, hears):
    strips = Strips()
    service = PixelService(tmp_path_factory.mktemp("link") / "pixels.sock", strips.open)
    with connect(service) as stranger:
        for message in said:
            try:
                stranger.send(message)
                answer = heard(stranger) if hears and message else wire.DONE
            except OSError:
                break
            if answer != wire.DONE:
                assert answer == b"" or answer.startswith(b"E")
                break
    assert serves(service, strips)
    service.stop()
    assert all(each.latched == ((0, 0, 0),) * each.size for each in strips.made)


@pytest.fixture
def ends():
    """Two ends of a link, the second one without a service."""
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    yield pair
    for each in pair:
        each.close()


def test_link_takes_no_nonsense_for_an_answer(ends):
    ends[1].send(b"what?")
    with pytest.raises(LightsFault, match="answers 'what\\?': allowed is D or E"):
        PixelLink(ends[0], STRIP)


def test_link_does_not_wait_for_ever(ends, monkeypatch):
    monkeypatch.setattr("hal.drivers.pixel_link._HELLO_S", 0.001)
    with pytest.raises(LightsFault, match=r"does not answer \(too late\)"):
        PixelLink(ends[0], STRIP)


def test_link_that_may_not_be_used_says_who_may(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "socket", type("Barred", (socket.socket,), {"connect": refuse}))
    with pytest.raises(LightsFault, match="may not be used by this user: allowed are root and the"):
        open_link(STRIP, tmp_path / "pixels.sock")


def test_pi_without_root_asks_the_service(service, strips, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    pixels = RaspberryPi(service.path).pixels(STRIP)
    pixels.show(FRAME)
    assert strips.shown == SHOWN
    pixels.close()


@pytest.mark.parametrize(("user", "there"), [(0, True), (1000, False)])
def test_pi_with_root_or_without_the_service_asks_the_library(tmp_path, monkeypatch, user, there):
    monkeypatch.setattr("os.geteuid", lambda: user)
    monkeypatch.setattr("hal.drivers.ws281x.open_ws281x", lambda strip: strip)
    path = tmp_path / "pixels.sock"
    if there:
        path.touch()
    assert RaspberryPi(path).pixels(STRIP) == STRIP
