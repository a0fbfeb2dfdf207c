"""What the kernel says of the service's rights on a booted machine."""

from pathlib import Path

import pytest

from game.opponent.computer import NICE
from game.service.paths import NAME, PROGRAM, UNIT
from tests.helpers.machines.served import PATHS, until
from tests.service.test_unit import GROUPS

pytestmark = pytest.mark.timeout(600)

I2C = "/dev/i2c-9"


def test_service_has_its_own_user_no_rights_and_files_that_it_alone_reads(running):
    served = running
    served.machine.until(UNIT, lambda unit: unit["ActiveState"] == "active")
    lines = (served.process / "status").read_text().splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    ours = [served.machine.call("id", option, NAME).split() for option in ("-u", "-G")]
    # Real, effective, saved, and that of the file system.
    assert status["Uid"].split() == ours[0] * 4
    named = [served.machine.call("getent", "group", each).split(":")[2] for each in GROUPS]
    assert set(status["Groups"].split()) == {*ours[1], *named}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert {int(status[key], 16) for key in status if key.startswith("Cap")} == {0}
    state = served.machine.inside(str(PATHS.data))
    for path in (state, *state.rglob("*")):
        found = path.stat()
        assert str(found.st_uid) == ours[0][0] != "0", path
        assert found.st_mode & 0o077 == 0, f"{path} has mode {found.st_mode:o}"


def nice_of(process: Path) -> int:
    # proc(5): the 19th field is the nice value; the second may hold blanks.
    return int((process / "stat").read_text().rpartition(")")[2].split()[16])


def test_computer_player_thinks_in_the_sandbox_and_a_device_opens_by_its_group(running):
    served = running
    served.set('[game]\nopponent = "1,1"\n')
    served.restart()
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
        served.restart(status)
    served.drop_in("")
    served.set("")
    served.machine.call("systemctl", "reset-failed", UNIT)
    served.restart()


@pytest.mark.parametrize(
    ("user", "group", "answer"),
    [
        # The helper has started with root, and says what this machine is.
        (NAME, NAME, "a computer without a device tree: allowed is a Raspberry Pi"),
        ("nobody", "nogroup", "needs root: put sudo before the command"),
    ],
)
def test_helper_of_strips_answers_the_service_alone(running, user, group, answer):
    program = (
        "from hal.drivers.ws281x import open_ws281x; from hal.profile import Strip;"
        " open_ws281x(Strip('pwm', 18, 3, 'GRB'))"
    )
    account = (f"--reuid={user}", f"--regid={group}", "--clear-groups")
    python = str(PROGRAM / "bin/python3")
    said = running.machine.call("setpriv", *account, python, "-I", "-c", program, status=1)
    assert answer in said
