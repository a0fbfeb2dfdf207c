"""The doctor of a board on a Pico: silent when all is well, and the right line for each fault."""

import errno
import fcntl
import json
import os
import pty
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from firmware.messages import BYE, PROTOCOL, VERSION, WIRING
from game.maker.doctor import Finding, Severity, as_json, diagnose, exit_status
from hal.backends.coprocessor import port as serial_ports
from hal.profile import Chip, Profile, built_in
from hal.sim.body import Body
from tests.helpers.boards.doctor_pico import (
    AtPort,
    Firmware,
    PassingTime,
    Ports,
    Prompt,
    Unplugged,
)
from tests.helpers.boards.doctor_trees import HEALTHY, PC, Computer, Wired, build, wrong
from tests.helpers.pico import EmulatedPico
from tests.helpers.pico.backend import LockstepPort, MakePico
from tests.helpers.rp2040.flashed import bare_pico, ready_pico

WARNING, FAILURE = Severity.WARNING, Severity.FAILURE
FLASH = "lifeboard flash"
BOARD = built_in("hexagon-61-pico")
PLACES = tuple((chip.bus, chip.address) for chip in BOARD.chips)
SECOND_BUS = {f"chip {chip.name}" for chip in BOARD.chips if chip.bus == 1}
GROUPS = frozenset({"maker", "dialout", "video"})
MICROPYTHON, BOOTSEL = 0x0005, 0x0003


def on_port(port: str, board: Profile = BOARD) -> Profile:
    assert board.pico is not None
    return replace(board, pico=replace(board.pico, port=port))


def ready(computer: Computer, **firmware: object) -> Computer:
    """A computer with a Pico at which our firmware answers, all chips on its buses."""
    clock = PassingTime()
    shown = {"chips": PLACES, **firmware}
    return replace(
        with_groups(computer).plug(MICROPYTHON),
        open_port=Ports(lambda: Firmware(clock, **shown)),
        clock=clock,
    )


def with_groups(computer: Computer) -> Computer:
    if "etc/group" in computer.files:
        text = computer.files["etc/group"]
        assert isinstance(text, str)
        computer = computer.write("etc/group", f"{text}dialout:x:20:maker\n")
    return computer.run_by(groups=GROUPS)


def meeting(at: Callable[[PassingTime], AtPort]) -> Callable[[Computer], Computer]:
    """Return a change that puts something else at the port."""

    def change(computer: Computer) -> Computer:
        return replace(computer, open_port=Ports(lambda: at(computer.clock)))

    return change


def refusing(number: int) -> Callable[[Computer], Computer]:
    return lambda it: replace(it, open_port=Ports(None, OSError(number, os.strerror(number))))


def firmware(**what: object) -> Callable[[Computer], Computer]:
    return meeting(lambda clock: Firmware(clock, **{"chips": PLACES, **what}))


def nothing_there(computer: Computer) -> Computer:
    gone = [path for path in computer.files if path.startswith(("sys/bus/usb", "dev/ttyACM"))]
    return replace(computer.remove(*gone), serial=(), open_port=Ports(None))


def closed(computer: Computer) -> Computer:
    return replace(computer, open_port=Ports(None))


@dataclass(frozen=True)
class Case:
    """A fault, and what the doctor must report."""

    what: str
    finding: str
    level: Severity
    text: str
    remedy: str
    change: Callable[[Computer], Computer]
    profile: Profile = BOARD


CASES = [
    Case(
        "no Pico", "port", FAILURE, "no Pico is plugged in", "one that carries data",
        nothing_there,
    ),
    Case(
        "a Pico without a system", "port", FAILURE,
        "waits for MicroPython, as the drive RPI-RP2", FLASH,
        lambda it: nothing_there(it).plug(BOOTSEL),
    ),
    Case(
        "a Pico 2 without a system", "port", FAILURE,
        "waits for MicroPython, as the drive RP2350", "download/RPI_PICO2/",
        lambda it: nothing_there(it).plug(0x000F),
    ),
    Case(
        "a Pico with a program", "port", FAILURE, "another device of Raspberry Pi (2e8a:000a)",
        "hold its BOOTSEL button", lambda it: nothing_there(it).plug(0x000A),
    ),
    Case(
        "a port by name that is another", "port", FAILURE,
        "/dev/ttyACM7 is not there, and there is a Pico at /dev/ttyACM0", 'write port = "auto"',
        closed, on_port("/dev/ttyACM7"),
    ),
    Case(
        "two Picos", "port", FAILURE,
        "2 Picos are plugged in: /dev/ttyACM0 (e660000000000000), /dev/ttyACM1 (e660000000000001)",
        'port = "/dev/ttyACM0"', lambda it: closed(it).plug(MICROPYTHON, 1),
    ),
    Case(
        "two Picos, one of them by its name", "port", WARNING, "/dev/lifeboard is one of them",
        'port = "/dev/lifeboard-e660000000000000"',
        lambda it: it.plug(MICROPYTHON, 1).write("dev/lifeboard", "").write(
            "dev/lifeboard-e660000000000000", ""),
    ),
    Case(
        "not in the group", "port", FAILURE, "cannot be opened",
        "sudo usermod -aG dialout maker, then log out", refusing(errno.EACCES),
    ),
    Case(
        "a lifeboard that runs", "firmware", WARNING, "not asked, since",
        "sudo systemctl stop lifeboard", lambda it: replace(closed(it), playing=True),
    ),
    Case(
        "MicroPython alone", "firmware", FAILURE, "has MicroPython, but not the firmware",
        FLASH, meeting(Prompt),
    ),
    Case(
        "no answer", "firmware", FAILURE, "no answer",
        "then run doctor again; if that does not help: " + FLASH,
        meeting(AtPort),
    ),
    Case(
        "a cable that is loose", "port", FAILURE, "the Pico went away while it was asked",
        "another USB cable", meeting(Unplugged),
    ),
    Case(
        "another protocol", "firmware", FAILURE,
        f"9.8.7 speaks protocol {PROTOCOL + 1}: allowed is {PROTOCOL}", FLASH,
        firmware(protocol=PROTOCOL + 1, version=(9, 8, 7)),
    ),
    Case(
        "another version", "firmware", WARNING, "9.8.7 is not the one of this lifeboard", FLASH,
        firmware(version=(9, 8, 7)),
    ),
    Case(
        "a watchdog that has bitten", "watchdog", WARNING,
        "the watchdog has restarted the Pico", "its supply",
        firmware(watchdog=True),
    ),
    Case(
        "a missing chip", "chip C", FAILURE, "does not answer at bus 0, address 0x5C",
        "its ADDR goes to SDA, which makes 0x5C",
        firmware(chips=tuple(each for each in PLACES if each != (0, 0x5C))),
    ),
    Case(
        "a bus without chips", "bus 1", FAILURE, "no chip answers on it (SDA on GP6, SCL on",
        "GP numbers are not those of the Pico's edge",
        firmware(chips=tuple(each for each in PLACES if each[0] == 0)),
    ),
    Case(
        "a chip that the profile does not name", "chips", WARNING,
        "one at bus 1, address 0x5D answers that the profile does not name", "[chips]",
        firmware(chips=(*PLACES, (1, 0x5D))),
    ),
    Case(
        "a wiring that the Pico cannot follow", "wiring", FAILURE, "GP4 cannot be SDA",
        "correct the board's file", firmware(flaw="GP4 cannot be SDA"),
    ),
    Case(
        "firmware that stands still meanwhile", "chips", FAILURE, "does not answer within",
        "unplug the Pico's USB cable and plug it in", firmware(flaw="silence"),
    ),
]  # fmt: skip


def examine(profile: Profile, computer: Computer, folder: Path) -> tuple[Finding, ...]:
    return diagnose(profile, build(computer, folder), None)


@pytest.mark.parametrize("pi", ["Zero 2 W", "5", "PC"])
def test_doctor_finds_nothing_wrong_with_a_healthy_pico(pi: str, tmp_path: Path):
    computer = ready(HEALTHY.get(pi, PC))
    findings = examine(BOARD, computer, tmp_path)
    assert wrong(findings) == []
    said = {finding.name: finding.text for finding in findings}
    assert ("need not be a Raspberry Pi" in said["machine"]) == (pi == "PC")
    assert said["port"] == "a Pico is at /dev/ttyACM0"
    assert said["firmware"] == f"{'.'.join(map(str, VERSION))}, on MicroPython 1.25.0"
    assert said["bus 1"] == "SDA on GP6, SCL on GP7"
    assert said["chip F"] == f"answers at {BOARD.chips[-1].place}"
    assert ("supply" in said) == (pi != "PC")
    # None of what a board on the Pi itself needs.
    assert not {"lgpio", "spi", "core clock"} & set(said)
    opened = computer.open_port.opened
    assert [(url, pico.closed) for url, pico in opened] == [("auto", True)] * 2
    assert [pico.heard for _, pico in opened] == [[], [WIRING, BYE]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_doctor_finds_what_is_wrong_with_the_line(case: Case, tmp_path: Path):
    findings = examine(case.profile, case.change(ready(HEALTHY["4"])), tmp_path)
    found = [each for each in wrong(findings) if each.name == case.finding]
    assert len(found) == 1, wrong(findings)
    assert found[0].level is case.level
    assert case.text in found[0].text
    assert case.remedy in found[0].remedy
    assert exit_status(findings) == int(any(each.level is FAILURE for each in findings))
    # One cause, one failure; only chips on a bus that never answers may fail as well.
    others = [each for each in wrong(findings) if each.level is FAILURE and each not in found]
    assert {each.name for each in others} <= (SECOND_BUS if "bus" in case.what else set())
    json.loads(as_json(findings))


@pytest.mark.parametrize("at", [Prompt, AtPort, Unplugged, Firmware])
def test_doctor_lets_go_of_the_port_whatever_is_there(at, tmp_path: Path):
    computer = meeting(at)(ready(HEALTHY["4"]))
    examine(BOARD, computer, tmp_path)
    assert {pico.closed for _, pico in computer.open_port.opened} == {True}


def test_doctor_opens_the_port_that_the_board_names(tmp_path: Path):
    port, computer = "socket://pico.local:3333", ready(HEALTHY["4"])
    assert wrong(examine(on_port(port), computer, tmp_path)) == []
    assert {url for url, _ in computer.open_port.opened} == {port}


def test_doctor_of_a_board_on_the_pi_says_how_a_pico_is_examined(tmp_path: Path):
    board = built_in()
    pi = HEALTHY["4"].plug(MICROPYTHON)
    findings = diagnose(board, build(pi, tmp_path / "pi"), Wired(board))
    assert wrong(findings) == []
    (hint,) = [each.text for each in findings if each.name == "pico"]
    assert "`lifeboard doctor --board hexagon-61-pico`" in hint
    on_pc = diagnose(board, build(PC.plug(MICROPYTHON), tmp_path / "pc"), None)
    assert hint in [each.text for each in on_pc]


def test_doctor_takes_a_chip_of_the_profile_for_expected_on_its_own_bus_only(tmp_path: Path):
    board = replace(BOARD, chips=(Chip("A", 1, 0x5A),), cells={}, keys={})
    computer = firmware(chips=((0, 0x5A), (1, 0x5A)))(ready(HEALTHY["4"]))
    (stray,) = wrong(examine(board, computer, tmp_path))
    assert "bus 0, address 0x5A" in stray.text
    alone = firmware(chips=((1, 0x5A),))(ready(HEALTHY["4"]))
    assert wrong(examine(board, alone, tmp_path / "alone")) == []


def test_doctor_tells_a_port_that_another_process_has_locked(tmp_path: Path):
    master, slave = pty.openpty()
    try:
        fcntl.flock(slave, fcntl.LOCK_EX | fcntl.LOCK_NB)
        port = os.ttyname(slave)
        computer = ready(HEALTHY["4"]).write(port[1:], "")
        system = replace(build(computer, tmp_path), open_port=serial_ports.open_port)
        (found,) = wrong(diagnose(on_port(port), system, None))
    finally:
        os.close(master)
        os.close(slave)
    assert (found.name, found.level) == ("port", FAILURE)
    assert "another program has it open" in found.text


def examined(
    make: MakePico, folder: Path, missing: tuple[str, ...] = (), board: Profile = BOARD
) -> list[Finding]:
    """Let the doctor examine an emulated Pico whose cable comes out of a computer."""
    clock = PassingTime()
    with closing(make(board, Body(board, clock(), seed=7), clock, flash=folder / "flash")) as pico:
        for chip in board.chips:
            if chip.name in missing:
                pico.platform.cable(chip).detach(chip.address)
        while not pico.plugged:
            clock.pass_time(0.01)
            pico.settle()
        system = replace(
            build(ready(HEALTHY["4"]).write(pico.path[1:], ""), folder),
            clock=clock,
            open_port=lambda url, on_input: LockstepPort(pico, clock.pass_time),
        )
        return wrong(diagnose(on_port(pico.path, board), system, None))


@pytest.mark.parametrize("missing", [(), ("C", "F")], ids=str)
def test_doctor_examines_the_firmware(missing: tuple[str, ...], tmp_path: Path):
    found = examined(EmulatedPico, tmp_path, missing)
    assert [(each.name, each.level) for each in found] == [
        (f"chip {name}", FAILURE) for name in missing
    ]


@pytest.mark.parametrize("name", ["hexagon-61-pico", "disc-32-pico", "rectangle-88-pico"])
def test_doctor_examines_the_firmware_in_real_micropython(name: str, tmp_path: Path):
    (found,) = examined(ready_pico(), tmp_path, ("C",), built_in(name))
    assert (found.name, found.level) == ("chip C", FAILURE)


def test_doctor_knows_real_micropython_without_the_firmware(tmp_path: Path):
    (found,) = examined(bare_pico(), tmp_path)
    assert (found.name, found.level, found.remedy) == ("firmware", FAILURE, FLASH)
    assert found.text == "the Pico has MicroPython, but not the firmware"
