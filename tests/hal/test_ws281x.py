"""Strips on PWM and PCM pins: the unmodified C library of `rpi_ws281x` above an emulated Pi."""

import os
import subprocess
import sys
from dataclasses import replace
from select import select

import pytest

from hal.base.errors import LightsFault
from hal.drivers import ws281x_helper as helper
from hal.drivers.ws281x import SOCKET, open_ws281x
from hal.lights import DARK, WHITE, Colour
from hal.profile import MOST_PIXELS, SPI_DRIVER, Strip
from hal.profile.profile import STRIP_PINS
from tests.helpers.boards.fake_soc import PI_3, PI_4, PI_5, ZERO_2, FakePi, Soc

STRIP = Strip("pwm", 18, 3, "GRB")
FRAME = (Colour(1, 2, 3), Colour(255, 128, 0), Colour(9, 9, 9))
SHOWN = ((1, 2, 3), (255, 128, 0), (9, 9, 9))
OFF = ((0, 0, 0),) * 3
INSTEAD = 'connect the strip to GPIO10 and write driver = "spi"'


@pytest.fixture
def pi(tmp_path, monkeypatch):
    """Return a Pi 3; a test that needs another calls it with its own."""
    return FakePi(tmp_path, monkeypatch, STRIP)


@pytest.mark.parametrize(
    ("soc", "strip", "divider", "functions"),
    [
        # Three bits a pin: function 5 is 2, function 0 is 4 (BCM2835 ARM Peripherals, p. 92).
        (PI_3, STRIP, 7, (2 << 24, 0)),
        (ZERO_2, replace(STRIP, pin=12, order="BRG"), 7, (4 << 6, 0)),
        (PI_4, replace(STRIP, pin=12, order="WRGB"), 20, (4 << 6, 0)),
        (PI_4, Strip("pcm", 21, 3, "GRB"), 20, (0, 4 << 3)),
    ],
)
def test_frames_are_within_three_data_sheets(tmp_path, monkeypatch, soc, strip, divider, functions):
    pi = FakePi(tmp_path, monkeypatch, strip, soc)
    pixels = pi.open()
    pixels.show((WHITE, DARK, WHITE))
    pixels.show(FRAME)
    assert pi.latched == SHOWN
    pixels.close()
    assert pi.latched == OFF
    for line in pi.lines:
        assert int(line[2]) == divider
        assert (int(line[3], 16), int(line[4], 16)) == functions


UNKNOWN = Soc("Raspberry Pi 4 Model B Rev 9.9", 0xC03999)
REFUSALS = {
    "a model that the library does not know": (UNKNOWN, STRIP, [], ["code -3", INSTEAD]),
    "no mailbox": (PI_3, STRIP, ["mailbox"], ["code -9", INSTEAD]),
    "a pin of none": (PI_3, replace(STRIP, pin=13), [], ["GPIO13: allowed are GPIO12, GPIO18"]),
    "no Pi": (Soc("OrangePi Zero2", 0), STRIP, [], ["this is OrangePi Zero2: allowed is a Rasp"]),
    "a Pi 5": (
        *(PI_5, STRIP, []),
        ["/dev/leds0", "`dtoverlay=ws2812-pio,gpio=18,num_leds=3` in /boot/firmware", INSTEAD],
    ),
    "a Pi 5, four colours": (PI_5, replace(STRIP, order="GRBW"), [], ["num_leds=3,rgbw`"]),
}


@pytest.mark.parametrize(("soc", "strip", "missing", "words"), REFUSALS.values(), ids=REFUSALS)
def test_refusal_says_what_to_do(tmp_path, monkeypatch, soc, strip, missing, words):
    pi = FakePi(tmp_path, monkeypatch, strip, soc)
    for each in missing:
        getattr(pi, each).unlink()
    with pytest.raises(LightsFault) as refused:
        pi.open()
    for word in words:
        assert word in str(refused.value)
    assert pi.lines == []


def test_library_that_is_missing_and_a_helper_of_another_version_are_told(pi, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(helper, "VERSION", 2)
        with pytest.raises(LightsFault, match=r"version 1, and got .*pixels 2 .*make service"):
            pi.open()
    pi.write("hidden/rpi_ws281x.py", "raise ImportError('No module named rpi_ws281x')")
    monkeypatch.setenv("PYTHONPATH", str(pi.root / "hidden"))
    with pytest.raises(LightsFault, match=r"needs the package rpi-ws281x .*: install it with"):
        pi.open()


def test_second_strip_is_refused_until_the_first_is_closed(pi):
    first = pi.open()
    with pytest.raises(LightsFault, match=r"another program drives a strip .* one at a time"):
        pi.open(replace(STRIP, driver="pcm", pin=21))
    first.show(FRAME)
    assert pi.latched == SHOWN
    first.close()
    pi.open().close()


def test_without_root_and_service_the_user_is_asked_for_sudo(pi, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(LightsFault) as refused:
        pi.open()
    assert 'strip driver "pwm" needs root: put sudo before the command' in str(refused.value)
    assert "no.socket: No such file" in str(refused.value)


def test_helper_ends_when_the_library_waits_forever(pi):
    pixels = pi.open()
    pi.write("stuck", "")
    pixels.show(FRAME)
    with pytest.raises(LightsFault, match="the strip's helper has ended"):
        pixels.show(FRAME)
    (pi.root / "stuck").unlink()
    pixels.close()
    pi.open().close()
    assert pi.latched == OFF


def test_pi_5_is_driven_by_the_kernel_if_its_overlay_has_as_many_pixels(tmp_path, monkeypatch):
    pi = FakePi(tmp_path, monkeypatch, replace(STRIP, order="RGBW"), PI_5)
    leds = pi.write("dev/leds0", "")
    pixels = pi.open()
    assert leds.read_bytes() == b"\0"
    pixels.show(FRAME)
    # The kernel sends the second byte of a pixel first, then the first.
    shown = leds.read_bytes()
    assert [shown[at : at + 4] for at in (0, 4, 8)] == [b"\1\0\2\1", b"\x80\xff\0\0", b"\0\0\0\t"]
    pixels.close()
    assert leds.read_bytes() == bytes(12)
    leds.unlink()
    leds.symlink_to("/dev/full")
    with pytest.raises(LightsFault, match=r"leds0 takes no 3 pixels \(No space .*num_leds=3,rgbw`"):
        pi.open()


def test_systemd_starts_a_helper_for_each_connection(pi):
    path = pi.root / "pixels.socket"
    listening = ["systemd-socket-activate", "--accept", "--inetd", "--seqpacket"]
    passed = [f"--setenv={name}" for name in ("LD_PRELOAD", "FAKE_PI", "FAKE_BASE", "PYTHONPATH")]
    command = [*listening, f"--listen={path}", *passed, sys.executable, "-m", helper.__name__]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": "."}
    ) as systemd:
        try:
            assert select([systemd.stderr], [], [], 60)[0]  # it listens
            for _ in range(2):
                pixels = open_ws281x(STRIP, path)
                pixels.show(FRAME)
                assert pi.latched == SHOWN
                pixels.close()
                assert pi.latched == OFF
        finally:
            systemd.kill()
    assert len(pi.helpers) == 2


def test_helper_agrees_with_profiles_about_pins_and_pixels():
    pins = [pin for driver, pins in STRIP_PINS.items() if driver != SPI_DRIVER for pin in pins]
    assert sorted(pins) == sorted(helper.PINS)
    assert helper.MOST_PIXELS == MOST_PIXELS
    assert SOCKET.name == "lifeboard-pixels.socket"
