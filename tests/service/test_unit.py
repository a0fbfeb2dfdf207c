"""The unit files: systemd understands them, they match the code, and they leave little open."""

import json
import os
import re
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

from game.service import wifi, wifi_helper
from game.service.paths import (
    COMMAND,
    EXIT_CONFIG,
    EXIT_POWER_OFF,
    NAME,
    PROGRAM,
    UNIT,
    ServicePaths,
)
from game.service.signed_package import REQUEST
from game.service.updates import RUNNING, STICK, STICK_DEVICE
from hal.drivers import ws281x_helper as helper
from hal.drivers.ws281x import SOCKET

GROUPS = ("audio", "dialout", "gpio", "i2c", "spi")
"""The groups that open a board's devices and its loudspeaker."""
FOLDER = Path(__file__).parent.parent.parent / "systemd"
KINDS = (".automount", ".mount", ".path", ".service", ".socket")
UNITS = sorted(path.name for path in FOLDER.iterdir() if path.suffix in KINDS)
WIFI_UNIT, WIFI_SOCKET = "lifeboard-wifi.service", "lifeboard-wifi.socket"
STRIP_UNIT, STRIP_SOCKET = "lifeboard-pixels@.service", "lifeboard-pixels.socket"
UPGRADE, UPDATE = "lifeboard-upgrade@.service", "lifeboard-update.path"
PATHS = ServicePaths()
WORST = {UNIT: 1.7, UPGRADE: 1.5, STRIP_UNIT: 1.2, WIFI_UNIT: 1.1}
"""The most that `systemd-analyze security` may say of each unit."""


def keys(name: str) -> dict[str, list[str]]:
    """Read the keys of a unit, each with its values in their order."""
    found: dict[str, list[str]] = {}
    for line in (FOLDER / name).read_text().splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def analyze(*arguments: str, units: Path) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze on units of a folder; it finds the system's own too."""
    return subprocess.run(
        ["systemd-analyze", *arguments],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{units}:", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


def complaints(units: Path, name: str) -> str:
    """Return the errors in a unit, which the exit status does not report."""
    done = analyze("verify", "--man=no", str(units / name), units=units)
    return done.stdout + done.stderr


def exposure(units: Path, name: str) -> float:
    """Return how much a unit leaves open: 0 is the least, 10 the most."""
    done = analyze("security", "--offline=yes", "--no-pager", str(units / name), units=units)
    figure = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
    assert figure, done.stdout + done.stderr
    return float(figure[1])


@pytest.fixture
def units(tmp_path):
    """Copy the units to where they can be verified: their program is there."""
    for name in UNITS:
        text = (FOLDER / name).read_text()
        program = rf"{COMMAND}|{PROGRAM}/(upgrade|bin/python3)|/usr/(sbin/nft|bin/nmcli)"
        copy = re.sub(program, "/bin/true", text)
        (tmp_path / name).write_text(copy)
    return tmp_path


@pytest.mark.parametrize("name", UNITS)
def test_unit_file_is_understood_to_the_last_key(units, name):
    assert complaints(units, name) == ""


def test_checks_of_a_unit_file_can_fail(units):
    file = units / UNIT
    text = file.read_text()
    sandbox = r"(?m)^(Protect|Private|Restrict|System|Capability)\w+=.*\n"
    file.write_text(re.sub(sandbox, "", text))
    assert exposure(units, UNIT) > WORST[UNIT]
    file.write_text(text.replace("RestartSec=", "RestartSecs="))
    assert "Unknown key" in complaints(units, UNIT)


@pytest.mark.parametrize("name", WORST)
def test_unit_leaves_little_open_and_says_why(name):
    assert exposure(FOLDER, name) <= WORST[name]
    done = analyze("security", "--offline=yes", "--json=short", str(FOLDER / name), units=FOLDER)
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    comments = "".join(line[1:] for line in lines if line.startswith("#"))
    stay = [entry["name"] for entry in json.loads(done.stdout) if entry["exposure"]]
    assert "RootDirectory=/RootImage=" in stay
    for each in stay:
        # Such as "RootDirectory=/RootImage=" and "RestrictAddressFamilies=~AF_(INET|INET6)".
        key = each.partition("=")[0]
        assert f"{key}=" in comments, f"{each} stays open without a reason"


def test_service_agrees_with_the_code_about_places_and_statuses():
    unit = keys(UNIT)
    assert unit["ExecStart"] == [f"{COMMAND} service run"]
    assert unit["ExecReload"][0] == f"{COMMAND} service check"
    assert unit["User"] == unit["Group"] == [NAME]
    assert tuple(unit["SupplementaryGroups"][0].split()) == GROUPS
    folders = {
        "StateDirectory": ("/var/lib", PATHS.data),
        "RuntimeDirectory": ("/run", Path("/run") / NAME),
        "ConfigurationDirectory": ("/etc", PATHS.settings.parent),
    }
    for key, (above, place) in folders.items():
        assert [str(Path(above) / value) for value in unit[key]] == [str(place)]
    assert unit["WorkingDirectory"] == [f"/run/{NAME}"]
    assert unit["Environment"][0] == f"LG_WD=/run/{NAME}"
    assert unit["SuccessExitStatus"] == [str(EXIT_POWER_OFF)]
    never_again = {int(status) for status in unit["RestartPreventExitStatus"][0].split()}
    assert never_again == {EXIT_POWER_OFF, EXIT_CONFIG}
    assert f'"$$EXIT_STATUS" = {EXIT_POWER_OFF}' in unit["ExecStopPost"][0]
    assert unit["OnFailure"] == ["lifeboard-upgrade@failed.service"]
    # Starts in vain are limited even where each hangs.
    tries, within_s = int(unit["StartLimitBurst"][0]), int(unit["StartLimitIntervalSec"][0])
    one_s = sum(int(unit[key][0]) for key in ("TimeoutStartSec", "TimeoutStopSec", "RestartSec"))
    assert tries * one_s < within_s


def test_updates_agree_with_the_code_about_places():
    assert keys(UPGRADE)["ExecStart"] == [f"{PROGRAM}/upgrade %i"]
    assert fnmatch(keys(UPGRADE)["RuntimeDirectory"][0], RUNNING)
    assert keys(UPDATE)["PathExists"] == [str(PATHS.data / REQUEST)]
    assert keys(UPDATE)["Unit"] == ["lifeboard-upgrade@install.service"]
    stick = f"{str(STICK.relative_to('/')).replace('/', '-')}.automount"
    assert set(keys(UNIT)["Wants"][2].split()) == {UPDATE, stick}
    assert keys(stick)["Where"] == [str(STICK)]
    assert keys(stick.replace("auto", ""))["What"] == [str(STICK_DEVICE)]
    rules = (FOLDER / "60-lifeboard.rules").read_text()
    assert f'SYMLINK+="{STICK_DEVICE.name}"' in rules


@pytest.mark.parametrize(
    ("listens", "runs", "at", "program"),
    [
        (STRIP_SOCKET, STRIP_UNIT, SOCKET, helper),
        (WIFI_SOCKET, WIFI_UNIT, wifi.SOCKET, wifi_helper),
    ],
)
def test_helpers_agree_with_the_code_about_socket_and_program(listens, runs, at, program):
    assert keys(listens)["ListenSequentialPacket"] == [str(at)]
    assert keys(listens)["SocketGroup"] == [NAME]
    assert keys(runs)["ExecStart"] == [f"{PROGRAM}/bin/python3 -m {program.__name__}"]
    assert listens in keys(UNIT)["Wants"]


def test_hotspot_agrees_with_the_code_about_addresses():
    unit = keys(WIFI_UNIT)
    assert unit["ExecStopPost"][0].endswith(f" delete id {wifi_helper.PROFILE}")
    rules = (FOLDER / "lifeboard-wifi.nft").read_text()
    assert f"tcp dport 80 redirect to :{wifi.PORT}" in rules
    assert set(re.findall(r"daddr (\S+)", rules)) == {wifi_helper.ADDRESS}
    assert keys("lifeboard-wifi.dns")["address"] == [f"/#/{wifi_helper.ADDRESS}"]
    installed = " ".join(unit["ExecStartPre"])
    for name in ("lifeboard-wifi.nft", "lifeboard-wifi.dns", "lifeboard-wifi.portal"):
        assert f" /usr/share/{NAME}/{name}" in installed
