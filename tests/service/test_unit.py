"""The unit files: systemd understands them, and they leave little open.

What they do is tested on a machine, in `tests/machine`.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from game.service.paths import (
    COMMAND,
    PROGRAM,
    UNIT,
)

GROUPS = ("audio", "dialout", "gpio", "i2c", "spi")
"""The groups that open a board's devices and its loudspeaker."""
FOLDER = Path(__file__).parent.parent.parent / "systemd"
KINDS = (".automount", ".mount", ".path", ".service", ".socket")
UNITS = sorted(path.name for path in FOLDER.iterdir() if path.suffix in KINDS)
WORST = {
    UNIT: 1.7,
    "lifeboard-upgrade@.service": 1.5,
    "lifeboard-pixels@.service": 1.2,
    "lifeboard-wifi.service": 1.1,
}
"""The most that `systemd-analyze security` may say of each unit."""


def analyze(*arguments: str, units: Path) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze on units of a folder; it finds the system's own too."""
    return subprocess.run(
        ["systemd-analyze", *arguments],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{units}:", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


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
    # The exit status does not report errors.
    done = analyze("verify", "--man=no", str(units / name), units=units)
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("name", WORST)
def test_unit_leaves_little_open_and_says_why(name):
    asked = ("security", "--offline=yes", "--no-pager")
    text = analyze(*asked, str(FOLDER / name), units=FOLDER).stdout
    (level,) = re.findall(r"Overall exposure level for \S+: ([0-9.]+)", text)
    assert float(level) <= WORST[name]
    done = analyze(*asked, "--json=short", str(FOLDER / name), units=FOLDER)
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    comments = "".join(line[1:] for line in lines if line.startswith("#"))
    stay = [entry["name"] for entry in json.loads(done.stdout) if entry["exposure"]]
    assert "RootDirectory=/RootImage=" in stay
    for each in stay:
        # Such as "RootDirectory=/RootImage=" and "RestrictAddressFamilies=~AF_(INET|INET6)".
        key = each.partition("=")[0]
        assert f"{key}=" in comments, f"{each} stays open without a reason"


def test_service_has_a_folder_for_the_pins_and_is_not_started_again_for_ever():
    lines = (FOLDER / UNIT).read_text().splitlines()
    unit = dict(line.split("=", 1) for line in lines if "=" in line and line[0] != "#")
    # lgpio writes where LG_WD says.
    assert f"Environment=LG_WD=/run/{unit['RuntimeDirectory']}" in lines
    # Starts in vain are limited even where each hangs.
    tries, within_s = int(unit["StartLimitBurst"]), int(unit["StartLimitIntervalSec"])
    one_s = sum(int(unit[key]) for key in ("TimeoutStartSec", "TimeoutStopSec", "RestartSec"))
    assert tries * one_s < within_s
