"""What the kernel says of the service's rights on a booted machine."""

from pathlib import Path

import pytest

from game.opponent.engine_process import NICE
from game.service.paths import NAME, PROGRAM, UNIT
from tests.helpers.machines.served import PATHS, Served, until
from tests.service.test_unit import GROUPS

pytestmark = pytest.mark.timeout(600)

I2C = "/dev/i2c-9"


def numbers(served: Served, database: str) -> dict[str, int]:
    """Read which user or group has which number on the machine."""
    lines = served.machine.inside(f"/etc/{database}").read_text().splitlines()
    return {line.split(":")[0]: int(line.split(":")[2]) for line in lines}


def test_service_has_its_own_user_and_the_groups_of_devices_and_writes_its_own_files_alone(
    running: Served,
):
    served = running
    served.machine.until(UNIT, lambda unit: unit["ActiveState"] == "active")
    status = dict(
        line.split(":\t", 1)
        for line in (served.process / "status").read_text().splitlines()
        if ":\t" in line
    )
    users, groups = numbers(served, "passwd"), numbers(served, "group")
    user, group = users[NAME], groups[NAME]
    assert user != 0
    # Real, effective, saved, and that of the file system.
    assert status["Uid"].split() == [str(user)] * 4
    assert status["Gid"].split() == [str(group)] * 4
    assert {int(each) for each in status["Groups"].split()} == {
        *(groups[each] for each in GROUPS),
        group,
    }
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    capabilities = {key: int(status[key], 16) for key in status if key.startswith("Cap")}
    assert capabilities == dict.fromkeys(["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"], 0)
    mounts = {}
    for line in (served.process / "mountinfo").read_text().splitlines():
        place, options = line.split()[4:6]
        mounts[place] = options.split(",")
    for place in ("/", "/home", "/root"):
        assert "ro" in mounts[place]
    for place in ("/usr", "/opt", "/etc", "/var", "/var/lib", "/boot"):
        assert place not in mounts, f"{place} could be another than the root's"
    for place in (PATHS.data, Path("/run/lifeboard")):
        assert {"rw", "noexec", "nosuid"} <= set(mounts[str(place)])
    for place in ("/tmp", "/var/tmp", "/dev/shm"):
        assert "noexec" in mounts[place]
    state = served.machine.inside(str(PATHS.data))
    for path in (state, *state.rglob("*")):
        found = path.stat()
        assert found.st_uid == user, path
        assert found.st_mode & 0o077 == 0, f"{path} has mode {found.st_mode:o}"


def nice_of(process: Path) -> int:
    # proc(5): the 19th field is the nice value; the second may hold blanks.
    return int((process / "stat").read_text().rpartition(")")[2].split()[16])


def test_computer_player_thinks_in_the_sandbox_and_a_device_opens_by_its_group(running: Served):
    served = running
    served.set('[game]\nopponent = "1,1"\n')
    served.command("restart")
    with served.page() as talk:
        until(talk, lambda: talk.state["proposed"])
        (cell,) = talk.state["proposed"]["cells"]
        talk.tap(cell)
        until(talk, lambda: talk.state["ply"] == 1 and talk.state["proposed"])
    (engine,) = (
        int(each)
        for task in (served.process / "task").iterdir()
        for each in (task / "children").read_text().split()
    )
    assert nice_of(Path(f"/proc/{engine}")) - nice_of(served.process) >= NICE
    # A device like /dev/null stands in for a bus: only its rights are tested.
    served.machine.call("mknod", "--mode=0660", I2C, "c", "1", "3")
    served.drop_in(f"Restart=no\nExecStartPre=/bin/sh -c ': <>{I2C}'")
    for group, status in (("i2c", 0), ("root", 1)):
        served.machine.call("chgrp", group, I2C)
        served.machine.call("systemctl", "restart", UNIT, status=status)
    served.drop_in("")
    served.set("")
    served.machine.call("systemctl", "reset-failed", UNIT)
    served.machine.call("systemctl", "restart", UNIT)


@pytest.mark.parametrize(
    ("user", "group", "answer"),
    [
        # The helper has started with root, and says what this machine is.
        (NAME, NAME, "a computer without a device tree: allowed is a Raspberry Pi"),
        ("nobody", "nogroup", "needs root: put sudo before the command"),
    ],
)
def test_helper_of_strips_answers_the_service_alone(
    running: Served, user: str, group: str, answer: str
):
    program = (
        "from hal.drivers.ws281x import open_ws281x; from hal.profile import Strip;"
        " open_ws281x(Strip('pwm', 18, 3, 'GRB'))"
    )
    account = (f"--reuid={user}", f"--regid={group}", "--clear-groups")
    python = str(PROGRAM / "bin/python3")
    said = running.machine.call("setpriv", *account, python, "-I", "-c", program, status=1)
    assert answer in said
