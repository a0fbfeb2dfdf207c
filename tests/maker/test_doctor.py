"""The doctor on a Pi: silent on a healthy one; for each fault its line and its remedy."""

import json
import platform
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from game.maker import run_doctor
from game.maker.doctor import Finding, Severity, System, diagnose, diagnosis, report
from game.maker.doctor.pi import parse
from game.maker.doctor.system import run_command
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
STEADY = "core_freq=500\ncore_freq_min=500\n"


def driven(pi: Computer) -> Computer:
    """Return a Pi without SPI, on which the service drives a strip on GPIO18."""
    pi = pi.remove("dev/spidev0.0", "dev/spidev0.1").swap(CONFIG, "audio=on", "audio=off")
    pi = pi.write("run/lifeboard-pixels.socket", "").write("dev/leds0", "")
    return pi.run_by(groups=pi.process.groups | {"lifeboard"}, ws281x=True)


def fresh(pi: Computer) -> Computer:
    """As it is installed: no bus, no SPI, no line of the guide."""
    pi = pi.remove("dev/i2c-1", "dev/i2c-3", "dev/spidev0.0", "dev/spidev0.1")
    pi = pi.remove("sys/bus/i2c/devices/i2c-1/of_node/clock-frequency")
    return pi.write(CONFIG, "#dtparam=i2c_arm=on\n#dtparam=spi=on\ndtparam=audio=on\n[all]\n")


@dataclass(frozen=True)
class Case(Fault):
    """A fault, and the Pis that can have it."""

    pis: tuple[str, ...] = ("3", "5")
    profile: Profile = HEXAGON
    wiring: Callable[[Wired], None] = lambda _: None


CASES = [
    Case(
        "joined a group since the log-in", "groups", FAILURE, "has joined gpio",
        "log out and in again", lambda pi: pi.run_by(groups=frozenset({"i2c", "spi"})),
    ),
    Case(
        "a service that runs", "chips", WARNING, "not looked for", "sudo systemctl stop",
        lambda pi: pi.shown("systemctl is-active lifeboard", "active"),
    ),
    Case(
        "a model that it is not made for", "model", WARNING, "Zero W", "Zero 2 W, 3, 4 or 5",
        lambda pi: pi.write("proc/device-tree/model", "Raspberry Pi Zero W Rev 1.1\0"), ("3",),
    ),
    Case(
        "a service that does not start", "service", WARNING, "does not start with the Pi",
        "sudo systemctl enable lifeboard",
        lambda pi: pi.shown("systemctl is-enabled lifeboard", "disabled"),
    ),
    Case(
        "no lgpio", "lgpio", FAILURE, "does not have it", "sudo apt install python3-lgpio",
        lambda pi: pi.run_by(lgpio=False),
    ),
    Case(
        "i2c-dev not loaded", "bus 1", FAILURE, "/dev/i2c-1 is not there", "sudo modprobe i2c-dev",
        lambda pi: pi.remove("dev/i2c-1"), wiring=lambda wired: wired.wires.pop(1) and None,
    ),
    Case(
        "a bus too fast for the chips", "bus 1 speed", WARNING, "1000 kHz: the chips take no more",
        "`dtparam=i2c_arm_baudrate=400000`",
        lambda pi: pi.write(
            "sys/bus/i2c/devices/i2c-1/of_node/clock-frequency", b"\x00\x0f\x42\x40"
        ).swap(CONFIG, "baudrate=400000", "baudrate=1000000"),
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
        "another chip in the place of one", "chip A", WARNING, "does not do so as an MPR121",
        "check which board has this address",
        wiring=lambda wired: garble(wired.wires[1], 0x5A, b"\xff"),
    ),
    Case(
        "a missing multiplexer", "multiplexer 0x71", FAILURE, "does not answer on bus 1",
        "A0 to 3.3 V, A1 to ground, A2 to ground",
        profile=BEHIND_MUX, wiring=lambda wired: wired.wires[1].detach(0x71) and None,
    ),
    Case(
        "a missing chip of a channel", "chip F", FAILURE,
        "does not answer at bus 1, multiplexer 0x71 channel 1, address 0x5B", "(SD1 and SC1)",
        profile=BEHIND_MUX,
        wiring=lambda wired: wired.muxes[1, 0x71].channels[1].detach(0x5B) and None,
    ),
    Case(
        "a chip that the profile does not name", "chips", WARNING,
        "one at bus 3, address 0x5D answers that the profile does not name", "[chips]",
        wiring=lambda wired: wired.wires[3].attach(0x5D, wired.wires[3].detach(0x5C)),
    ),
    Case(
        "pin 20 without its bus", "spi", FAILURE, "no SPI device drives GPIO20",
        "`dtoverlay=spi6-1cs`", pis=("4",), profile=SPI1,
    ),
    Case(
        "pin 20 on a bus with gaps", "spi", WARNING, "leaves gaps", "`dtoverlay=spi6-1cs`",
        lambda pi: pi.write("dev/spidev1.0", ""), ("4",), SPI1,
    ),
    Case(
        "a buffer too small", "spi buffer", FAILURE, "buffer has only 4096",
        "add spidev.bufsiz=16384 to the end of the one line of /boot/firmware/cmdline.txt",
        profile=on(Strip("spi", 10, 800, "GRB")),
    ),
    Case(
        "too low a voltage now", "supply", FAILURE, "too low now", "official supply",
        lambda pi: pi.shown("vcgencmd get_throttled", "throttled=0x50005"),
    ),
    Case(
        "nothing tells the voltage", "supply", WARNING, "nothing here tells", "raspi-utils",
        lambda pi: pi.shown("vcgencmd get_throttled", "VCHI initialization failed"),
    ),
    Case(
        "too low a voltage before", "supply", WARNING, "has been too low", "official supply",
        lambda pi: pi.shown("vcgencmd get_throttled", "throttled=0x10000"),
    ),
    Case(
        "a full disk", "disk", FAILURE, "only 49 MB", "larger card",
        lambda pi: replace(pi, free=49_000_000),
    ),
    Case(
        "a slow disk", "disk speed", WARNING, "101 ms", "class A1",
        lambda pi: replace(pi, sync_s=0.101),
    ),
    Case(
        "a service that failed", "service", FAILURE, "it has failed", "journalctl -u lifeboard",
        lambda pi: pi.shown("systemctl is-active lifeboard", "failed"),
    ),
    Case(
        "in no group", "groups", FAILURE, "maker is not in gpio, i2c, spi",
        "sudo usermod -aG gpio,i2c,spi maker, then log out and in again",
        lambda pi: pi.write("etc/group", "").run_by(groups=frozenset({"maker"})),
    ),
    Case(
        "no interface switched on", "bus 1", FAILURE, "/dev/i2c-1 is not there",
        "sudo raspi-config nonint do_i2c 0 (it writes `dtparam=i2c_arm=on` to", fresh,
        wiring=lambda wired: wired.wires.clear(),
    ),
    Case(
        "no second bus", "bus 3", FAILURE, "/dev/i2c-3 is not there",
        "add `dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=23,i2c_gpio_scl=24` to", fresh,
        wiring=lambda wired: wired.wires.clear(),
    ),
    Case(
        "a chip on a missing bus", "chip F", FAILURE, "does not answer at bus 3, address 0x5C",
        "repair bus 3 first, as said above", fresh, wiring=lambda wired: wired.wires.clear(),
    ),
    Case(
        "SPI not switched on", "spi", FAILURE, "no SPI device drives GPIO10",
        "sudo raspi-config nonint do_spi 0", fresh,
    ),
    Case(
        "a bus slower than it could be", "bus 1 speed", WARNING, "100 kHz: 400 reads faster",
        "add `dtparam=i2c_arm_baudrate=400000` to",
        lambda pi: pi.swap(CONFIG, ",i2c_arm_baudrate=400000", "").remove(
            "sys/bus/i2c/devices/i2c-1/of_node/clock-frequency"),
    ),
    Case(
        "a core clock that moves", "core clock", WARNING,
        "between 250 and 400 MHz, and SPI's with it, so colours may be wrong; bus 1 then runs at up"
        " to 640 kHz: the chips take no more than 400", "add `core_freq=250` to",
        lambda pi: pi.swap(CONFIG, "core_freq=250\n", ""), ("3",),
    ),
    Case(
        "the settings of a Pi 400", "core clock", WARNING, "between 200 and 500 MHz",
        "add `core_freq=500` and `core_freq_min=500` to",
        lambda pi: pi.swap(CONFIG, f"[all]\n{STEADY}", f"[pi400]\n{STEADY}[all]\n"), ("4",),
    ),
    Case(
        "a pin that is taken", "pins", WARNING,
        "dtoverlay=w1-gpio takes GPIO4, which is the interrupt line",
        "give it a free pin with `gpiopin=`, then", lambda pi: pi.configure("dtoverlay=w1-gpio"),
    ),
    Case(
        "a key's pin that is taken", "pins", WARNING, "takes GPIO6, which is key shutdown",
        "`gpio_pin=`", lambda pi: pi.configure("dtoverlay=gpio-shutdown,gpio_pin=6"),
    ),
    Case(
        "audio on PWM", "audio", FAILURE, "it is switched on, and uses the PWM",
        "write `dtparam=audio=off` instead of `dtparam=audio=on` in /boot/firmware/config.txt",
        lambda pi: driven(pi).swap(CONFIG, "audio=off", "audio=on"), ("3",), PWM,
    ),
    Case(
        "no library for PWM", "rpi-ws281x", FAILURE, "not installed: driver pwm needs it",
        "sudo apt install gcc python3-dev, then `make clean` and `make play`",
        lambda pi: driven(pi).run_by(ws281x=False), ("4",), PWM,
    ),
    Case(
        "no root for PCM", "root", FAILURE, "driver pcm needs it, and this is maker",
        f"put sudo before the command, or let the service play (make service); {INSTEAD}",
        lambda pi: driven(pi).run_by(groups=HEALTHY["3"].process.groups), ("Zero 2 W",), PCM,
    ),
    Case(
        "a Pi 5 without its overlay", "leds", FAILURE, "nothing drives GPIO18: on a Raspberry Pi 5",
        "add `dtoverlay=ws2812-pio,gpio=18,num_leds=117,rgbw` to /boot/firmware/config.txt",
        lambda pi: driven(pi).remove("dev/leds0"), ("5",), on(Strip("pwm", 18, 117, "GRBW")),
    ),
]  # fmt: skip


AS_ROOT = {"uid": 0, "user": "root", "groups": frozenset()}
FINE = {
    **{f"healthy {name}": (name, lambda pi: pi, HEXAGON) for name in HEALTHY},
    "a multiplexer": ("4", lambda pi: pi, BEHIND_MUX),
    "clock": ("4", lambda pi: pi.swap(CONFIG, STEADY, "").configure("force_turbo=1"), HEXAGON),
    "service": ("5", lambda pi: pi.shown("systemctl is-enabled lifeboard", None), HEXAGON),
    "hot": ("4", lambda pi: pi.shown("vcgencmd get_throttled", "throttled=0xe000e"), HEXAGON),
    "Compute Module 4": (
        "4",
        lambda pi: pi.write(
            "proc/device-tree/model", "Raspberry Pi Compute Module 4 Rev 1.1\0"
        ).swap(CONFIG, f"[all]\n{STEADY}", f"[cm4]\n{STEADY}[all]\n"),
        HEXAGON,
    ),
    "1-wire on another pin": (
        "5",
        lambda pi: pi.configure("dtoverlay=w1-gpio", "dtparam=gpiopin=26"),
        HEXAGON,
    ),
    "PWM": ("4", driven, PWM),
    "PWM on a Pi 5": ("5", driven, PWM),
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
    assert said >= {
        "model", "system", "python", "lgpio", "groups", "bus 1", "bus 1 speed", "chip A",
        "chip F", "supply", "disk", "disk speed", "service",
    }  # fmt: skip
    if profile is HEXAGON:
        assert said >= {"bus 3", "spi", "spi buffer"}
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
def test_doctor_checks_what_there_is_on_a_machine_that_is_no_pi(computer, name, tmp_path):
    findings = diagnose(HEXAGON, build(computer, tmp_path), None)
    assert f"{name}, no Raspberry Pi; `lifeboard play` simulates the board" in findings[0].text
    names = {finding.name for finding in findings}
    assert names == {"machine", "system", "python", "computer player", "disk", "disk speed"}
    end = report(findings).splitlines()[-1]
    assert end == "6 ok, 0 warnings, 0 failures: all that can be checked here is well"
    plain = build(computer.run_by(compiled=False), tmp_path / "plain")
    (found,) = wrong(diagnose(HEXAGON, plain, None))
    assert (found.name, found.level) == ("computer player", WARNING)
    assert "C compiler" in found.remedy


def test_doctor_searches_no_bus_of_a_display_or_camera(tmp_path):
    def with_displays(wired: Wired) -> None:
        for number in (0, 20, 21):
            wired.wires[number] = wired.wires[1]

    wired = Wired(HEXAGON, with_displays)
    diagnose(HEXAGON, build(HEALTHY["4"], tmp_path), wired)
    assert wired.opened == [1, 3]


@pytest.mark.parametrize(
    ("data", "remedy"), [("data", "sudo chown -R maker {}"), ("data/new", "install -d -o maker {}")]
)
def test_doctor_finds_a_data_folder_that_cannot_be_written(data, remedy, tmp_path, monkeypatch):
    system = replace(build(HEALTHY["4"], tmp_path), data=tmp_path / data)

    def refused(self: System) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(System, "sync_ms", refused)
    (found,) = wrong(diagnose(HEXAGON, system, Wired(HEXAGON)))
    assert (found.name, found.level) == ("disk speed", FAILURE)
    assert "Permission denied" in found.text
    assert remedy.format(tmp_path / data) in found.remedy


def test_report_is_a_line_each_with_the_remedy_under_it_and_a_count():
    findings = (
        Finding(Severity.OK, "Raspberry Pi 4", name="model"),
        Finding(WARNING, "nearly full", "empty it", "disk"),
        *2 * (Finding(FAILURE, "gone", "bring it back", "bus 1"),),
    )
    assert report(findings).splitlines() == [
        "ok       model: Raspberry Pi 4",
        "WARNING  disk: nearly full",
        "         -> empty it",
        *2 * ("FAILURE  bus 1: gone", "         -> bring it back"),
        "1 ok, 1 warning, 2 failures",
    ]


@pytest.mark.parametrize(
    ("computer", "status", "word"),
    [
        (PC, 0, "no Raspberry Pi; `lifeboard play` simulates the board"),
        (HEALTHY["4"].run_by(lgpio=False), 1, "FAILURE  lgpio"),
    ],
)
def test_doctor_command_prints_and_gives_the_status(
    computer, status, word, tmp_path, monkeypatch, capsys
):
    system = build(computer, tmp_path)
    monkeypatch.setattr(diagnosis, "System", lambda data: replace(system, data=data))
    assert run_doctor("hexagon-61", system.data, as_json=False) == status
    assert word in capsys.readouterr().out
    assert run_doctor("hexagon-61", system.data, as_json=True) == status
    shown = json.loads(capsys.readouterr().out)
    assert (shown["ok"] > 1, shown["warnings"], shown["failures"] > 0) == (True, 0, status > 0)
    assert shown["findings"][0].keys() == {"name", "level", "text", "remedy"}


def test_speed_is_not_that_of_the_first_or_of_one_slow_sync(tmp_path):
    # The first write makes the file, too; then come fifteen.
    lasting = [9.0, *[0.01] * 7, 0.02, *[0.03] * 6, 5.0]
    times = [time for each in lasting for time in (0.0, each)]
    assert System(tmp_path, clock=iter(times).__next__).sync_ms() == pytest.approx(20.0)
    assert list(tmp_path.iterdir()) == []


def test_command_gives_what_it_prints_whatever_its_status():
    assert run_command(["sh", "-c", "echo inactive; exit 3"]) == "inactive"
    assert run_command(["no-such-command-anywhere"]) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("  core_freq = 500 ", 500),
        ("#core_freq=500", None),
        ("[pi3]\ncore_freq=250\n[pi4]\ncore_freq=500", 500),
        ("[pi3]\ncore_freq=250\n[all]\ncore_freq=500", 500),
        ("[none]\ncore_freq=500", None),
        ("[gpio4=1]\n[pi4]\ncore_freq=500", None),
        ("[gpio4=1]\n[all]\n[pi4]\ncore_freq=500", 500),
        ("core_freq=fast", None),
        ("dtparam=i2c_arm", "on"),
        ("device_tree_param=spi=on,i2c_arm=on", "on"),
        ("dtoverlay=vc4-kms-v3d\ndtparam=i2c_arm=on\ndtparam=i2c_arm=off", "off"),
    ],
)
def test_config_holds_the_last_value_that_holds_for_this_model(text, value):
    config = parse(text, frozenset({"pi4"}))
    assert config.parameters.get("i2c_arm", config.number("core_freq")) == value
