"""Lights on a strip that may be unplugged, and emulated pixels that show what they were sent."""

from math import inf

from hal.base.errors import LightsFault
from hal.lights import DARK, WHITE, Colour, Lights
from hal.lights.strip import FIRST_RETRY_S, LAST_RETRY_S, REFRESH_S

RED = Colour(255, 0, 0)


class Shelf:
    """A platform whose strip can be plugged in and out; counts the calls to it."""

    def __init__(self):
        self.there = True
        self.failing = False
        self.tried = 0
        self.shown = []
        self.closed = 0

    def open(self):
        self.tried += 1
        if not self.there:
            raise LightsFault("device is missing")
        return self

    def show(self, frame):
        if self.failing or not self.there:
            raise OSError(5, "no answer")
        self.shown.append(frame)

    def close(self):
        self.closed += 1
        if not self.there:
            raise OSError(19, "no device")


def test_lights_send_the_frame_again_for_pixels_that_lost_power():
    shelf = Shelf()
    lights = Lights(shelf.open, 1, 10.0)
    lights.show((RED,), 10.0)
    assert lights.due() == 10.0 + REFRESH_S
    lights.attend(10.0 + REFRESH_S / 2)
    assert len(shelf.shown) == 2
    lights.attend(10.0 + REFRESH_S)
    assert shelf.shown == [(DARK,), (RED,), (RED,)]
    assert lights.due() == 10.0 + 2 * REFRESH_S


def test_lights_that_fail_are_dark_until_they_show_the_newest_frame():
    shelf = Shelf()
    lights = Lights(shelf.open, 1, 10.0)
    lights.show((RED,), 10.0)
    shelf.failing = True
    lights.show((WHITE,), 10.1)
    assert isinstance(lights.fault, LightsFault)
    assert "takes no frames: [Errno 5] no answer" in str(lights.fault)
    assert lights.lit() == (DARK,)
    assert shelf.closed == 1
    shelf.failing = False
    lights.show((RED,), 10.2)
    lights.show((WHITE,), 10.3)
    assert shelf.shown[-1] == (RED,)
    lights.attend(10.1 + FIRST_RETRY_S)
    assert shelf.shown[-1] == lights.lit() == (WHITE,)


def test_lights_try_again_less_and_less_often():
    shelf = Shelf()
    shelf.there = False
    lights = Lights(shelf.open, 1, 0.0)
    waits, now = [], 0.0
    for _ in range(7):
        waits.append(lights.due() - now)
        now = lights.due()
        lights.attend(now - 1e-6)
        lights.attend(now)
    assert str(lights.fault) == "device is missing"
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, LAST_RETRY_S, LAST_RETRY_S]
    assert shelf.tried == 8


def test_lights_close_once_and_then_do_nothing():
    shelf = Shelf()
    lights = Lights(shelf.open, 1, 0.0)
    lights.show((RED,), 0.0)
    lights.close()
    lights.close()
    assert shelf.closed == 1
    assert lights.lit() == (DARK,)
    assert lights.due() == inf
    lights.attend(100.0)
    lights.show((WHITE,), 100.0)
    assert shelf.shown[-1] == (RED,)
