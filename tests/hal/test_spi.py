"""Pixels on SPI: the code of their bits, and PureIO over an emulated kernel and line."""

import errno
import os
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.base.errors import LightsFault
from hal.drivers.spi import decode, encode, open_spi
from hal.lights import DARK, WHITE, Colour, levels
from hal.profile import Strip
from hal.sim.platform import PixelChain
from tests.helpers.boards.pixel_receiver import SK6812, WS2812B_V5, PixelReceiver
from tests.helpers.boards.spi_line import EmulatedSpidev, SpiLine, clock_on

ORDERS = ["".join(each) for letters in ("RGB", "RGBW") for each in permutations(letters)]
COLOURS = st.builds(Colour, st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))


@settings(max_examples=100)
@given(st.lists(COLOURS, max_size=20), st.sampled_from(ORDERS))
def test_frames_are_shown_as_they_were_sent_though_another_was_cut_off_before(colours, order):
    frame = tuple(colours)
    receiver = PixelReceiver(SK6812 if "W" in order else WS2812B_V5, clock_on(250e6))
    heard = receiver.receive(b"\xf0" + encode(frame, order))
    assert b"".join(heard) == levels(frame, order) == decode(encode(frame, order))
    assert receiver.refused == 1
    chain = PixelChain(len(frame), order)
    chain.receive(levels(frame, order))
    assert chain.latched == tuple((each.red, each.green, each.blue) for each in frame)


@given(COLOURS)
def test_white_takes_what_the_colours_have_alike(colour):
    red, green, blue, white = levels((colour,), "RGBW")
    assert (red + white, green + white, blue + white) == (colour.red, colour.green, colour.blue)
    assert min(red, green, blue) == 0


STRIP = Strip("spi", 10, 3, "GRB")
FRAME = (Colour(1, 2, 3), Colour(255, 128, 0), DARK)
SHOWN = ((1, 2, 3), (255, 128, 0), (0, 0, 0))


class Pi:
    """A system tree with a spidev node, behind which the emulated kernel sits."""

    def __init__(self, root, monkeypatch):
        self.root = root
        self.handles = set()
        self.node = root / "dev/spidev0.0"
        self.node.parent.mkdir()
        self.node.touch()
        self._monkeypatch = monkeypatch
        self.plug()

    def plug(self, **settings):
        self.line = SpiLine(3)
        kernel = EmulatedSpidev(self.line, **settings)

        def ioctl(handle, *request):
            self.handles.add(handle)
            return kernel.ioctl(handle, *request)

        self._monkeypatch.setattr("Adafruit_PureIO.spi.ioctl", ioctl)


@pytest.fixture
def pi(tmp_path, monkeypatch):
    return Pi(tmp_path, monkeypatch)


def is_open(handle: int) -> bool:
    try:
        os.fstat(handle)
    except OSError:
        return False
    return True


@pytest.mark.parametrize("core_mhz", [200, 250, 400, 500])
def test_spi_is_understood_on_every_pi(pi, core_mhz):
    pi.plug(core_hz=core_mhz * 1e6)
    pixels = open_spi(STRIP, pi.root)
    pixels.show(FRAME)
    assert pi.line.latched == SHOWN
    pixels.close()
    assert pi.line.latched == ((0, 0, 0),) * 3
    assert not any(map(is_open, pi.handles))


def test_spi_with_too_small_a_buffer_says_what_to_set(pi):
    with pytest.raises(LightsFault) as refused:
        open_spi(Strip("spi", 10, 400, "GRB"), pi.root)
    assert str(refused.value) == (
        "400 pixels take 5030 bytes in one SPI transfer, and the kernel's buffer has 4096:"
        " add `spidev.bufsiz=8192` to the line in /boot/firmware/cmdline.txt and restart"
    )


@pytest.mark.parametrize(
    ("pin", "words"),
    [
        (10, ["/dev/spidev0.0 is not there", "raspi-config nonint do_spi 0"]),
        (20, ["/dev/spidev6.0 or /dev/spidev1.0 is not there", "dtoverlay=spi6-1cs"]),
    ],
)
def test_spi_that_is_missing_says_how_to_switch_it_on(tmp_path, pin, words):
    with pytest.raises(LightsFault) as refused:
        open_spi(Strip("spi", pin, 3, "GRB"), tmp_path)
    for word in words:
        assert word in str(refused.value)


def test_spi_that_the_user_may_not_use_says_which_group(pi, monkeypatch):
    really = os.open

    def refuse(path, *rest):
        if str(path) == str(pi.node):
            raise PermissionError(errno.EACCES, "Permission denied")
        return really(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(LightsFault, match=r"not be used by this user: .* group spi"):
        open_spi(STRIP, pi.root)


def test_spi_that_fails_says_so_and_is_closed(pi):
    pixels = open_spi(STRIP, pi.root)
    pi.line.failing = errno.EIO
    with pytest.raises(LightsFault, match=r"spidev0\.0 takes no frames: .*Input"):
        pixels.show((WHITE, WHITE, DARK))
    pi.line.failing = 0
    pi.line.levels = bytes([7] * 9)
    pixels.show((WHITE, WHITE, DARK))
    assert pi.line.latched == ((255, 255, 255), (255, 255, 255), (0, 0, 0))
    assert all(map(is_open, pi.handles))
    pi.line.failing = errno.ENODEV
    with pytest.raises(LightsFault, match="takes no frames"):
        pixels.close()
    assert not any(map(is_open, pi.handles))
