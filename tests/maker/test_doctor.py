"""The doctor on a Pi: silent on a healthy one; for each fault its line and its remedy."""

import platform
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from game.maker import doctor, run_doctor
from game.maker.doctor import diagnose, report
from game.maker.system import Family, Finding, Severity, family_of, parse, run_command
from hal.profile import Chip, Profile, Strip, built_in
from tests.helpers.boards.bad_wires import garble
from tests.helpers.boards.doctor_trees import (
    CONFIG,
    HEALTHY,
    ORANGE,
    PC,
    Computer,
    Fault,
    Wired,
    build,
    wrong,
)

WARNING, FAILURE = Severity.WARNING, Severity.FAILURE

HEXAGON = built_in()
BEHIND_MUX = replace(
    HEXAGON,
    chips=tuple(
        Chip(name, 1, 0x5A + number % 4, 0x71, number // 4) for number, name in enumerate("ABCDEF")
    ),
)


def on(strip: Strip) -> Profile:
    return replace(HEXAGON, strip=strip)


SPI1 = on(Strip("spi", 20, 115, "GRB"))
PWM = on(Strip("pwm", 18, 117, "GRB"))
PCM = on(Strip("pcm", 21, 117, "GRB"))
INSTEAD = 'or connect the strip to GPIO10 and write driver = "spi", pin = 10 in the profile'


def driven(pi: Computer) -> Computer:
    """Return a Pi without SPI, on which the service drives a strip on GPIO18."""
    pi = pi.remove("dev/spidev0.0").swap(CONFIG, "audio=on", "audio=off")
    pi = pi.write("run/lifeboard-pixels.socket", "").write("dev/leds0", "")
    return pi.run_by(groups=pi.process.groups | {"lifeboard"}, ws281x=True)


@dataclass(frozen=True)
class Case(Fault):
    """A fault, and the Pis that can have it."""

    pis: tuple[str, ...] = ("3", "5")
    profile: Profile = HEXAGON
    wiring: Callable[[Wired], None] = lambda _: None


CASES = [
    Case(
        "a service that runs", "chips", WARNING, "not looked for", "sudo systemctl stop",
        lambda pi: pi.shown("systemctl is-active lifeboard", "active"),
    ),
    Case(
        "a lifeboard that runs", "chips", WARNING, "not looked for", "end it",
        lambda pi: replace(pi, playing=True),
    ),
    Case(
        "a model that it is not made for", "computer", WARNING, "Zero W", "Zero 2 W, 3, 4 or 5",
        lambda pi: pi.write("proc/device-tree/model", "Raspberry Pi Zero W Rev 1.1\0"), ("3",),
    ),
    Case(
        "no lgpio", "lgpio", FAILURE, "does not have it", "sudo apt install python3-lgpio",
        lambda pi: pi.run_by(lgpio=False),
    ),
    Case(
        "a missing chip", "chip C", FAILURE, "does not answer at bus 1, address 0x5C",
        "its ADDR goes to SDA, which makes 0x5C",
        wiring=lambda wired: wired.wires[1].detach(0x5C) and None,
    ),
    Case(
        "a bus that hangs", "bus 3", FAILURE, "SDA or SCL is held low", "one by one",
        wiring=lambda wired: setattr(wired.wires[3], "stuck", True),
    ),
    Case(
        "no bus", "bus 1", FAILURE, "/dev/i2c-1 is not there", "raspi-config nonint do_i2c 0",
        lambda pi: pi.remove("dev/i2c-1"),
    ),
    Case(
        "no second bus", "bus 3", FAILURE, "/dev/i2c-3 is not there",
        "add `dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=23,i2c_gpio_scl=24` to",
        lambda pi: pi.remove("dev/i2c-3"),
    ),
    Case(
        "another chip in the place of one", "chip A", FAILURE, "does not answer at bus 1",
        "ADDR goes to ground",
        wiring=lambda wired: garble(wired.wires[1], 0x5A, b"\xff"),
    ),
    Case(
        "a missing multiplexer", "multiplexer 0x71", FAILURE, "does not answer on bus 1",
        "RST goes to 3.3 V",
        profile=BEHIND_MUX, wiring=lambda wired: wired.wires[1].detach(0x71) and None,
    ),
    Case(
        "a missing chip of a channel", "chip F", FAILURE,
        "does not answer at bus 1, multiplexer 0x71 channel 1, address 0x5B", "check its power",
        profile=BEHIND_MUX,
        wiring=lambda wired: wired.muxes[1, 0x71].channels[1].detach(0x5B) and None,
    ),
    Case(
        "a chip that the profile does not name", "chips", WARNING,
        "one at bus 3, address 0x5D answers that the profile does not name", "[chips]",
        wiring=lambda wired: wired.wires[3].attach(0x5D, wired.wires[3].detach(0x5C)),
    ),
    Case(
        "pin 20 without its bus", "strip", FAILURE, "no SPI device drives GPIO20", "GPIO10",
        pis=("4",), profile=SPI1,
    ),
    Case(
        "SPI not switched on", "strip", FAILURE, "no SPI device drives GPIO10",
        "sudo raspi-config nonint do_spi 0", lambda pi: pi.remove("dev/spidev0.0"),
    ),
    Case(
        "a buffer too small", "strip", FAILURE, "buffer has only 4096",
        "add spidev.bufsiz=16384 to the end of the one line of /boot/firmware/cmdline.txt",
        profile=on(Strip("spi", 10, 800, "GRB")),
    ),
    Case(
        "too low a voltage", "supply", WARNING, "has been too low", "official supply",
        lambda pi: pi.shown("vcgencmd get_throttled", "throttled=0x10000"),
    ),
    Case(
        "a full disk", "disk", WARNING, "only 49 MB", "larger card",
        lambda pi: replace(pi, free=49_000_000),
    ),
    Case(
        "a service that failed", "service", FAILURE, "it has failed", "journalctl -u lifeboard",
        lambda pi: pi.shown("systemctl is-active lifeboard", "failed"),
    ),
    Case(
        "in no group", "groups", FAILURE, "maker is not in gpio, i2c, spi",
        "sudo usermod -aG gpio,i2c,spi maker, then log out and in again",
        lambda pi: pi.run_by(groups=frozenset({"maker"})),
    ),
    Case(
        "a core clock that moves", "core clock", WARNING, "it moves", "add `core_freq=250` to",
        lambda pi: pi.swap(CONFIG, "core_freq=250\n", ""), ("3", "Zero 2 W"),
    ),
    Case(
        "a core clock that moves", "core clock", WARNING, "it moves",
        "add `core_freq=500` and `core_freq_min=500` to",
        lambda pi: pi.swap(CONFIG, "core_freq_min=500\n", ""), ("4",),
    ),
    Case(
        "audio on PWM", "strip", FAILURE, "audio is switched on, and uses the PWM",
        "write `dtparam=audio=off` instead of `dtparam=audio=on` in /boot/firmware/config.txt",
        lambda pi: driven(pi).swap(CONFIG, "audio=off", "audio=on"), ("3",), PWM,
    ),
    Case(
        "no library for PWM", "strip", FAILURE, "driver pwm needs rpi-ws281x",
        "sudo apt install gcc python3-dev, then `make clean` and `make play`",
        lambda pi: driven(pi).run_by(ws281x=False), ("4",), PWM,
    ),
    Case(
        "no root for PCM", "strip", FAILURE, "driver pcm needs root, and this is maker",
        f"put sudo before the command, or let the service play (make service); {INSTEAD}",
        lambda pi: driven(pi).run_by(groups=HEALTHY["3"].process.groups), ("Zero 2 W",), PCM,
    ),
    Case(
        "a Pi 5 without its overlay", "strip", FAILURE, "nothing drives GPIO18",
        "add `dtoverlay=ws2812-pio,gpio=18,num_leds=117,rgbw` to /boot/firmware/config.txt",
        lambda pi: driven(pi).remove("dev/leds0"), ("5",), on(Strip("pwm", 18, 117, "GRBW")),
    ),
]  # fmt: skip


AS_ROOT = {"uid": 0, "user": "root", "groups": frozenset()}
FINE = {
    **{f"healthy {name}": (name, lambda pi: pi, HEXAGON) for name in HEALTHY},
    "a multiplexer": ("4", lambda pi: pi, BEHIND_MUX),
    "hot": ("4", lambda pi: pi.shown("vcgencmd get_throttled", "throttled=0xe000e"), HEXAGON),
    "no vcgencmd": ("4", lambda pi: pi.shown("vcgencmd get_throttled", ""), HEXAGON),
    "PWM": ("4", driven, PWM),
    "PWM beside audio on a Pi 5": (
        "5",
        lambda pi: driven(pi).swap(CONFIG, "audio=off", "audio=on"),
        PWM,
    ),
    "PCM beside audio, as root": (
        "3",
        lambda pi: driven(pi).swap(CONFIG, "audio=off", "audio=on").run_by(**AS_ROOT),
        PCM,
    ),
}


@pytest.mark.parametrize("what", FINE)
def test_doctor_finds_nothing_wrong_with_a_pi_as_it_may_be(what, tmp_path):
    pi, change, profile = FINE[what]
    findings = diagnose(profile, build(change(HEALTHY[pi]), tmp_path), Wired(profile))
    assert wrong(findings) == []
    said = {finding.name for finding in findings}
    assert said >= {"computer", "lgpio", "groups", "chip A", "chip F", "strip", "disk", "service"}
    if profile is HEXAGON:
        assert ("core clock" in said) == (pi != "5")


@pytest.mark.parametrize(
    ("case", "pi"),
    [pytest.param(case, pi, id=f"{case.what} on {pi}") for case in CASES for pi in case.pis],
)
def test_doctor_finds_each_fault_and_says_what_mends_it(case, pi, tmp_path):
    system = build(case.change(HEALTHY[pi]), tmp_path)
    findings = diagnose(case.profile, system, Wired(case.profile, case.wiring))
    case.assert_told(findings)


@pytest.mark.parametrize(
    ("computer", "name"), [(PC, platform.machine()), (ORANGE, "OrangePi Zero2")]
)
def test_doctor_of_another_computer_says_that_the_board_is_simulated_there(
    computer, name, tmp_path
):
    findings = diagnose(HEXAGON, build(computer, tmp_path), None)
    assert wrong(findings) == []
    assert findings[0].text.startswith(name)
    assert "no Raspberry Pi: `lifeboard play` simulates the board" in findings[0].text
    assert [finding.name for finding in findings] == ["computer", "disk"]


def test_doctor_searches_no_bus_of_a_display_or_camera(tmp_path):
    def with_displays(wired: Wired) -> None:
        for number in (0, 20, 21):
            wired.wires[number] = wired.wires[1]

    wired = Wired(HEXAGON, with_displays)
    diagnose(HEXAGON, build(HEALTHY["4"], tmp_path), wired)
    assert wired.opened == [1, 3]


def test_report_is_a_line_each_with_the_remedy_under_it_and_a_count():
    findings = (
        Finding(Severity.OK, "model", "Raspberry Pi 4"),
        Finding(WARNING, "disk", "nearly full", "empty it"),
        *2 * (Finding(FAILURE, "bus 1", "gone", "bring it back"),),
    )
    assert report(findings).splitlines() == [
        "ok       model: Raspberry Pi 4",
        "WARNING  disk: nearly full",
        "         -> empty it",
        *2 * ("FAILURE  bus 1: gone", "         -> bring it back"),
        "ok: 1, warning: 1, failure: 2",
    ]


@pytest.mark.parametrize(
    ("computer", "status", "word"),
    [
        (PC, 0, "no Raspberry Pi: `lifeboard play` simulates the board"),
        (HEALTHY["4"].run_by(lgpio=False), 1, "FAILURE  lgpio"),
    ],
)
def test_doctor_command_prints_and_gives_the_status(
    computer, status, word, tmp_path, monkeypatch, capsys
):
    system = build(computer, tmp_path)
    monkeypatch.setattr(doctor, "System", lambda data: replace(system, data=data))
    assert run_doctor("hexagon-61", system.data) == status
    assert word in capsys.readouterr().out


def test_command_gives_what_it_prints_whatever_its_status():
    assert run_command(["sh", "-c", "echo inactive; exit 3"]) == "inactive"
    assert run_command(["no-such-command-anywhere"]) == ""


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", Family.ZERO_2),
        ("Raspberry Pi 400 Rev 1.0", Family.FOUR),
        ("Raspberry Pi Compute Module 4 Rev 1.1", Family.FOUR),
        ("Raspberry Pi Compute Module 0 Rev 1.0", Family.ZERO_2),
        ("Raspberry Pi 2 Model B Rev 1.1", Family.OTHER),
        ("OrangePi Zero2", None),
    ],
)
def test_family_of_a_pi_is_known_by_its_name(name, family):
    assert family_of(name) is family


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("  core_freq = 500 ", "500"),
        ("#core_freq=500", None),
        ("[pi3]\ncore_freq=250\n[pi4]\ncore_freq=500", "500"),
        ("[pi3]\ncore_freq=250\n[all]\ncore_freq=500", "500"),
        ("[none]\ncore_freq=500", None),
        ("dtparam=spi=on,core_freq=on", "on"),
    ],
)
def test_config_holds_the_last_value_that_holds_for_this_model(text, value):
    assert parse(text, "pi4").get("core_freq") == value
