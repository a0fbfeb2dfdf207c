"""What doctor says of a strip on a PWM or PCM pin, on made-up Pis."""

from dataclasses import replace

import pytest

from game.maker.doctor import Severity, diagnose
from hal.profile import built_in
from tests.helpers.boards.doctor_trees import CONFIG, HEALTHY, Computer, Wired, build, wrong

HEXAGON = built_in()
INSTEAD = 'or connect the strip to GPIO10 and write driver = "spi", pin = 10 in the profile'


def profile(driver: str = "pwm", pin: int = 18, order: str = "GRB"):
    return replace(HEXAGON, strip=replace(HEXAGON.strip, driver=driver, pin=pin, order=order))


def ready(model: str) -> Computer:
    """Return a Pi without SPI, on which the service drives a strip on GPIO18."""
    pi = HEALTHY[model].remove("dev/spidev0.0", "dev/spidev0.1")
    pi = pi.swap(CONFIG, "audio=on", "audio=off").swap(CONFIG, "spi=on", "spi=off")
    pi = pi.write("run/lifeboard-pixels.socket", "").write("dev/leds0", "")
    return pi.run_by(groups=pi.process.groups | {"lifeboard"}, ws281x=True)


def test_doctor_finds_nothing_wrong_where_a_strip_is_driven_by_pwm(tmp_path):
    for model in HEALTHY:
        system = build(ready(model), tmp_path / model)
        findings = diagnose(profile(), system, Wired(HEXAGON))
        assert wrong(findings) == []
        said = {finding.name for finding in findings}
        assert not said & {"spi", "spi buffer", "core clock"}
        assert ("leds" in said) == (model == "5")


def as_root(pi: Computer) -> Computer:
    return pi.run_by(uid=0, user="root", groups=frozenset()).remove("run/lifeboard-pixels.socket")


def test_doctor_finds_nothing_wrong_with_pcm_beside_audio_as_root(tmp_path):
    pi = as_root(ready("3").swap(CONFIG, "audio=off", "audio=on"))
    findings = diagnose(profile("pcm", 21), build(pi, tmp_path), Wired(HEXAGON))
    assert wrong(findings) == []


FAULTS = {
    "audio": (
        *("3", lambda pi: pi.swap(CONFIG, "audio=off", "audio=on"), profile()),
        "audio: it is switched on, and uses the PWM that drives the strip",
        "write `dtparam=audio=off` instead of `dtparam=audio=on` in /boot/firmware/config.txt",
    ),
    "no package": (
        *("4", lambda pi: pi.run_by(ws281x=False), profile()),
        "rpi-ws281x: not installed: driver pwm needs it",
        "sudo apt install gcc python3-dev, then `make clean` and `make play`",
    ),
    "no root": (
        *("Zero 2 W", lambda pi: pi.run_by(groups=HEALTHY["3"].process.groups), profile("pcm", 21)),
        "root: driver pcm needs it, and this is maker",
        f"put sudo before the command, or let the service play (make service); {INSTEAD}",
    ),
    "a Pi 5 without its overlay": (
        *("5", lambda pi: pi.remove("dev/leds0"), profile(order="GRBW")),
        "leds: nothing drives GPIO18: on a Raspberry Pi 5 rpi-ws281x does not, the kernel can",
        "add `dtoverlay=ws2812-pio,gpio=18,num_leds=117,rgbw` to /boot/firmware/config.txt",
    ),
}


@pytest.mark.parametrize(
    ("model", "change", "board", "said", "remedy"), FAULTS.values(), ids=FAULTS
)
def test_doctor_finds_each_fault_and_says_what_mends_it(
    model, change, board, said, remedy, tmp_path
):
    system = build(change(ready(model)), tmp_path)
    (found,) = wrong(diagnose(board, system, Wired(HEXAGON)))
    assert found.level is Severity.FAILURE
    assert f"{found.name}: {found.text}" == said
    assert remedy in found.remedy
