"""The doctor on a Pi: silent on a healthy one; for each fault its line and its remedy."""

import json
import platform
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from game.maker import DoctorOptions, run_doctor
from game.maker.doctor import (
    Finding,
    Severity,
    System,
    as_json,
    diagnose,
    diagnosis,
    exit_status,
    report,
)
from hal.profile import Chip, Profile, Strip, built_in
from tests.helpers.boards.bad_wires import garble
from tests.helpers.boards.doctor_trees import (
    CONFIG,
    HEALTHY,
    ORANGE,
    PC,
    Computer,
    Wired,
    build,
    wrong,
)

ALL = tuple(HEALTHY)
WARNING, FAILURE = Severity.WARNING, Severity.FAILURE

HEXAGON = built_in()
BEHIND_MUX = replace(
    HEXAGON,
    chips=tuple(
        Chip(name, 1, 0x5A + number % 4, 0x71, number // 4) for number, name in enumerate("ABCDEF")
    ),
)


def on(strip: Strip) -> Profile:
    return replace(HEXAGON, strip=strip, pixel_count=strip.pixels)


SPI = Strip("spi", 10, 115, "GRB")
SPI1 = Strip("spi", 20, 115, "GRB")


def same(computer: Computer) -> Computer:
    return computer


def all_wired(_: Wired) -> None:
    pass


@dataclass(frozen=True)
class Case:
    """A fault, the Pis that can have it, and what the doctor must report."""

    what: str
    finding: str
    level: Severity
    text: str
    remedy: str
    change: Callable[[Computer], Computer] = same
    pis: tuple[str, ...] = ("3", "5")
    profile: Profile = HEXAGON
    wiring: Callable[[Wired], None] = all_wired


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
        "another bus of pins not made", "bus 5", FAILURE, "is not there",
        "`dtoverlay=i2c-gpio,bus=5,i2c_gpio_sda=SDA,i2c_gpio_scl=SCL`",
        profile=replace(HEXAGON, chips=(Chip("A", 5, 0x5A),)),
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
        wiring=lambda wired: wired.wires[3].hold(),
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
        "a lifeboard that runs", "chips", WARNING, "not looked for", "sudo systemctl stop",
        lambda pi: replace(pi, playing=True),
    ),
    Case(
        "pin 20 without its bus", "spi", FAILURE, "no SPI device drives GPIO20",
        "`dtoverlay=spi6-1cs`", pis=("4",), profile=on(SPI1),
    ),
    Case(
        "pin 20 on a bus with gaps", "spi", WARNING, "leaves gaps", "`dtoverlay=spi6-1cs`",
        lambda pi: pi.write("dev/spidev1.0", ""), ("4",), on(SPI1),
    ),
    Case(
        "a buffer too small", "spi buffer", FAILURE, "buffer has only 4096",
        "add spidev.bufsiz=16384 to the end of the one line of /boot/firmware/cmdline.txt",
        profile=on(replace(SPI, pixels=800)),
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
]  # fmt: skip


def examine(case: Case, pi: str, folder: Path) -> tuple[Finding, ...]:
    system = build(case.change(HEALTHY[pi]), folder)
    return diagnose(case.profile, system, Wired(case.profile, case.wiring))


def named(findings: tuple[Finding, ...], name: str) -> list[Finding]:
    return [finding for finding in findings if finding.name == name]


@pytest.mark.parametrize("pi", ALL)
def test_doctor_finds_nothing_wrong_with_a_healthy_pi(pi, tmp_path):
    findings = diagnose(HEXAGON, build(HEALTHY[pi], tmp_path), Wired(HEXAGON))
    assert wrong(findings) == []
    assert exit_status(findings) == 0
    said = {finding.name for finding in findings}
    assert said >= {
        "model", "system", "python", "lgpio", "groups", "bus 1", "bus 3",
        "bus 1 speed", "chip A", "chip F", "spi", "spi buffer", "supply", "disk",
        "disk speed", "service",
    }  # fmt: skip
    assert ("core clock" in said) == (pi != "5")
    assert len(report(findings).splitlines()) == len(findings) + 1


STEADY = "core_freq=500\ncore_freq_min=500\n"
FINE = {
    "a multiplexer": ("4", same, BEHIND_MUX),
    "clock": ("4", lambda pi: pi.swap(CONFIG, STEADY, "").configure("force_turbo=1"), HEXAGON),
    "service": ("5", lambda pi: pi.shown("systemctl is-enabled lifeboard", None), HEXAGON),
}


@pytest.mark.parametrize("what", FINE)
def test_doctor_finds_nothing_wrong_where_another_way_is_taken(what, tmp_path):
    pi, change, profile = FINE[what]
    findings = diagnose(profile, build(change(HEALTHY[pi]), tmp_path), Wired(profile))
    assert wrong(findings) == []


@pytest.mark.parametrize(
    ("case", "pi"),
    [pytest.param(case, pi, id=f"{case.what} on {pi}") for case in CASES for pi in case.pis],
)
def test_doctor_finds_each_fault_and_says_what_mends_it(case, pi, tmp_path):
    findings = examine(case, pi, tmp_path)
    (found,) = [each for each in named(findings, case.finding) if each.level is not Severity.OK]
    assert found.level is case.level
    assert case.text in found.text
    assert case.remedy in found.remedy
    assert exit_status(findings) == int(any(each.level is FAILURE for each in findings))


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
    assert exit_status(findings) == 0


def test_doctor_says_how_to_compile_a_search_in_plain_python(tmp_path):
    (found,) = wrong(diagnose(HEXAGON, build(PC.run_by(compiled=False), tmp_path), None))
    assert (found.name, found.level) == ("computer player", WARNING)
    assert "C compiler" in found.remedy


@pytest.mark.parametrize(
    ("kernel", "text"),
    [("io", "; its limits of memory do nothing on this kernel"), ("io memory", "")],
)
def test_doctor_says_whether_the_service_has_limits_of_memory(kernel, text, tmp_path):
    pi = HEALTHY["5"].write("sys/fs/cgroup/cgroup.controllers", f"{kernel}\n")
    (service,) = named(diagnose(HEXAGON, build(pi, tmp_path), Wired(HEXAGON)), "service")
    assert service.text == f"enabled, inactive{text}"


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
        Finding("model", Severity.OK, "Raspberry Pi 4"),
        Finding("disk", WARNING, "nearly full", "empty it"),
        Finding("bus 1", FAILURE, "gone", "bring it back"),
        Finding("bus 3", FAILURE, "gone", "bring it back too"),
    )
    assert report(findings).splitlines() == [
        "ok       model: Raspberry Pi 4",
        "WARNING  disk: nearly full",
        "         -> empty it",
        "FAILURE  bus 1: gone",
        "         -> bring it back",
        "FAILURE  bus 3: gone",
        "         -> bring it back too",
        "1 ok, 1 warning, 2 failures",
    ]
    assert exit_status(findings) == 1
    assert exit_status(findings[:2]) == 0
    shown = json.loads(as_json(findings))
    assert (shown["ok"], shown["warnings"], shown["failures"]) == (1, 1, 2)
    assert shown["findings"][1] == {
        "name": "disk", "level": "warning", "text": "nearly full", "remedy": "empty it",
    }  # fmt: skip


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
    options = DoctorOptions(board="hexagon-61", data=system.data, as_json=False)
    assert run_doctor(options) == status
    assert word in capsys.readouterr().out
    assert run_doctor(replace(options, as_json=True)) == status
    assert int(json.loads(capsys.readouterr().out)["failures"] > 0) == status
