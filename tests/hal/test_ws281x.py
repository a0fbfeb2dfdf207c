"""Pixels on PWM and PCM, through the library's interface."""

import atexit
import sys
from types import SimpleNamespace

import pytest

from hal.colour import DARK, WHITE, Colour
from hal.drivers.ws281x import open_ws281x, strip_type
from hal.errors import LightsFault
from hal.profile import Strip
from hal.sim import EmulatedPixelStrip
from hal.sim.pixels import PixelChain

STRIP = Strip("pwm", 18, 2, "GRB")
FRAME = (Colour(10, 20, 30), WHITE)
SHOWN = ((10, 20, 30), (255, 255, 255))


class Library:
    """The package `rpi_ws281x`, whose strips are emulated and can fail."""

    def __init__(self):
        self.made = []
        self.error = None
        outer = self

        class Failing(EmulatedPixelStrip):
            def __init__(self, *args, **settings):
                super().__init__(*args, **settings)
                self.asked = (args, settings)
                outer.made.append(self)
                atexit.register(self._cleanup)

            def begin(self):
                outer.check("init")
                super().begin()

            def show(self):
                outer.check("render")
                super().show()

        self.PixelStrip = Failing

    def check(self, what):
        if self.error == what:
            raise RuntimeError(f"ws2811_{what} failed with code -10 (DMA error)")


@pytest.fixture
def library(monkeypatch):
    library = Library()
    monkeypatch.setitem(sys.modules, "rpi_ws281x", SimpleNamespace(PixelStrip=library.PixelStrip))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return library


@pytest.fixture
def let_go(monkeypatch):
    """Collect what is taken back from what the library does at exit."""
    taken = []
    monkeypatch.setattr(atexit, "unregister", taken.append)
    return taken


@pytest.mark.parametrize("order", ["RGB", "GRB", "GRBW", "WGBR"])
def test_ws281x_shows_frames_in_every_order(library, tmp_path, order):
    pixels = open_ws281x(Strip("pcm", 21, 2, order), tmp_path)
    library.made[0].chain = PixelChain(2, order)
    pixels.show(FRAME)
    assert library.made[0].latched == SHOWN


@pytest.mark.parametrize(
    ("order", "published"),
    [
        ("RGB", 0x00100800),
        ("GRB", 0x00081000),
        ("GBRW", 0x18080010),
    ],
)
def test_strip_type_is_the_published_one(order, published):
    assert strip_type(order) == published


@pytest.mark.parametrize("order", ["WRGB", "RWBG"])
def test_strip_type_that_the_library_cannot_send_is_refused(order):
    with pytest.raises(LightsFault, match=f'"{order}": allowed with W are orders that end in W'):
        strip_type(order)


@pytest.mark.parametrize(("pin", "channel"), [(12, 0), (13, 1), (18, 0), (19, 1), (21, 0)])
def test_ws281x_is_set_up_for_the_pin(library, tmp_path, pin, channel):
    open_ws281x(Strip("pwm", pin, 2, "GRB"), tmp_path)
    args, settings = library.made[0].asked
    assert args == (2, pin)
    assert settings == {
        "freq_hz": 800_000,
        "dma": 10,
        "invert": False,
        "brightness": 255,
        "channel": channel,
        "strip_type": 0x00081000,
    }


def test_ws281x_sends_the_newest_frame_after_one_that_was_not_sent(library, tmp_path):
    pixels = open_ws281x(STRIP, tmp_path)
    library.error = "render"
    with pytest.raises(LightsFault, match=r"takes no frames: .*DMA error"):
        pixels.show((WHITE, DARK))
    library.error = None
    pixels.show((DARK, WHITE))
    assert library.made[0].latched == ((0, 0, 0), (255, 255, 255))


def test_ws281x_that_cannot_start_is_a_fault_and_is_not_stopped_at_exit(library, tmp_path, let_go):
    library.error = "init"
    with pytest.raises(LightsFault, match=r"cannot start: .*code -10"):
        open_ws281x(STRIP, tmp_path)
    assert let_go == [library.made[0]._cleanup]


def test_ws281x_is_dark_and_stopped_in_the_end(library, tmp_path, let_go):
    pixels = open_ws281x(STRIP, tmp_path)
    pixels.show(FRAME)
    pixels.close()
    assert library.made[0].latched == ((0, 0, 0),) * 2
    with pytest.raises(RuntimeError, match="has not begun"):
        library.made[0].show()
    assert let_go == [library.made[0]._cleanup]


def test_ws281x_without_its_package_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "rpi_ws281x", None)
    with pytest.raises(LightsFault, match=r'"pwm" needs the package .*pip install rpi-ws281x'):
        open_ws281x(STRIP, tmp_path)


def test_ws281x_without_root_says_so(library, monkeypatch, tmp_path):
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(LightsFault, match=r'"pwm" needs root: .* lifeboard-pixels\.socket`, or'):
        open_ws281x(STRIP, tmp_path)
    assert library.made == []


@pytest.mark.parametrize(
    ("model", "refused"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0\0", True),
        ("Raspberry Pi Compute Module 5 Rev 1.0\0", True),
        ("Raspberry Pi 4 Model B Rev 1.5\0", False),
    ],
)
def test_ws281x_on_a_pi_5_says_to_take_spi(library, tmp_path, model, refused):
    file = tmp_path / "proc/device-tree/model"
    file.parent.mkdir(parents=True)
    file.write_text(model)
    if refused:
        with pytest.raises(LightsFault, match=r'Pi 5: .*driver = "spi", pin = 10'):
            open_ws281x(STRIP, tmp_path)
    else:
        open_ws281x(STRIP, tmp_path)
    assert bool(library.made) is not refused
