"""The doctor of a board on a Pico: silent when all is well, and the right line for each fault."""

import errno
import os
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware import messages
from firmware.messages import PROTOCOL, VERSION, pack_ident
from game.maker.doctor import Finding, Severity, diagnose
from hal.base.errors import LinkFault
from hal.profile import Profile, built_in
from hal.sim.body import Body
from tests.helpers.boards.clocked_board import FakeClock
from tests.helpers.boards.doctor_trees import HEALTHY, PC, Computer, Fault, Wired, build, wrong
from tests.helpers.boards.fake_pico import DEVICE, FakePico
from tests.helpers.pico import EmulatedPico, quick
from tests.helpers.pico.backend import LockstepPort, MakePico
from tests.helpers.rp2040.flashed import ready_pico

WARNING, FAILURE = Severity.WARNING, Severity.FAILURE
FLASH = "lifeboard flash"
BOARD = built_in("hexagon-61-pico")
SECOND_BUS = {f"chip {chip.name}" for chip in BOARD.chips if chip.bus == 1}
GROUPS = frozenset({"maker", "dialout", "video"})
MICROPYTHON, BOOTSEL = 0x0005, 0x0003
OPEN_BUS = "tests.helpers.pico.quick.QuickHardware.open_bus"


def on_port(port: str, board: Profile = BOARD) -> Profile:
    assert board.pico is not None
    return replace(board, pico=replace(board.pico, port=port))


def ready(computer: Computer) -> Computer:
    """Plug a Pico in, and let the user in the group of its port."""
    return computer.run_by(groups=GROUPS).plug(MICROPYTHON)


def raising(error: BaseException | type[BaseException]) -> Callable[..., None]:
    def do(*_: object) -> None:
        raise error

    return do


def refusing(number: int) -> Callable[[Computer], Computer]:
    """Let the system refuse to open the port."""
    fault = LinkFault("serial port auto cannot be opened: no")
    fault.__cause__ = OSError(number, os.strerror(number))
    return lambda it: replace(it, open_port=raising(fault))


def nothing_there(computer: Computer) -> Computer:
    gone = [path for path in computer.files if path.startswith(("sys/bus/usb", "dev/ttyACM"))]
    return replace(computer.remove(*gone), serial=())


def other_firmware(**changes: object) -> dict[str, object]:
    return {"firmware.board.m": SimpleNamespace(**{**vars(messages), **changes})}


@dataclass(frozen=True)
class Case(Fault):
    """A fault of the line.

    `missing` chips are detached; `runs` is what the Pico runs instead of the firmware; `patched`
    are changes of the firmware.
    """

    profile: Profile = BOARD
    missing: str = ""
    runs: str = ""
    patched: Mapping[str, object] = field(default_factory=dict)


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
        profile=on_port("/dev/ttyACM7"),
    ),
    Case(
        "two Picos", "port", FAILURE,
        "2 Picos are plugged in: /dev/ttyACM0 (e660000000000000), /dev/ttyACM1 (e660000000000001)",
        'port = "/dev/ttyACM0"', lambda it: it.plug(MICROPYTHON, 1),
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
        "another program at the port", "port", FAILURE, "another program has it open",
        "mpremote, Thonny", refusing(errno.EBUSY),
    ),
    Case(
        "a lifeboard that runs", "firmware", WARNING, "not asked, since",
        "sudo systemctl stop lifeboard", lambda it: replace(it, playing=True),
    ),
    Case(
        "MicroPython alone", "firmware", FAILURE, "has MicroPython, but not the firmware",
        FLASH, runs="prompt",
    ),
    Case(
        "no answer", "firmware", FAILURE, "no answer",
        "then run doctor again; if that does not help: " + FLASH,
        runs="nothing",
    ),
    Case(
        "a cable that is loose", "port", FAILURE, "the Pico went away while it was asked",
        "another USB cable", runs="gone",
    ),
    Case(
        "another protocol", "firmware", FAILURE,
        f"9.8.7 speaks protocol {PROTOCOL + 1}: allowed is {PROTOCOL}", FLASH,
        patched=other_firmware(PROTOCOL=PROTOCOL + 1, VERSION=(9, 8, 7)),
    ),
    Case(
        "another version", "firmware", WARNING, "9.8.7 is not the one of this lifeboard", FLASH,
        patched=other_firmware(VERSION=(9, 8, 7)),
    ),
    Case(
        "a watchdog that has bitten", "watchdog", WARNING,
        "the watchdog has restarted the Pico", "its supply",
        patched=other_firmware(pack_ident=lambda it: pack_ident(it._replace(watchdog=True))),
    ),
    Case(
        "a bus without chips", "bus 1", FAILURE, "no chip answers on it (SDA on GP6, SCL on",
        "GP numbers are not those of the Pico's edge",
        missing="DEF",
    ),
    Case(
        "a wiring that the Pico cannot follow", "wiring", FAILURE, "GP4 cannot be SDA",
        "correct the board's file", patched={OPEN_BUS: raising(ValueError("GP4 cannot be SDA"))},
    ),
    Case(
        "firmware that stands still meanwhile", "chips", FAILURE, "does not answer within",
        "unplug the Pico's USB cable and plug it in", patched={OPEN_BUS: raising(quick._Blocked)},
    ),
]  # fmt: skip


def examined(
    computer: Computer,
    folder: Path,
    profile: Profile = BOARD,
    missing: str = "",
    make: MakePico = EmulatedPico,
) -> tuple[tuple[Finding, ...], list[str]]:
    """Let the doctor examine an emulated Pico; return also the ports that it has opened."""
    clock, opened = FakeClock(), list[str]()

    def pass_time(seconds: float) -> None:
        clock.pass_time(max(seconds, 0.0001))

    pico = make(BOARD, Body(BOARD, clock(), seed=7), clock, flash=folder / "flash")
    with closing(pico):
        for chip in BOARD.chips:
            if chip.name in missing:
                pico.platform.cable(chip).detach(chip.address)
        while not pico.plugged:
            pass_time(0.01)
            pico.settle()

        def open_port(url: str) -> LockstepPort:
            opened.append(url)
            return LockstepPort(pico, pass_time)

        system = build(computer, folder)
        at_port = computer.open_port or open_port
        findings = diagnose(profile, replace(system, clock=clock, open_port=at_port), None)
        assert not pico.usb.opened, "it lets go of the port"
    return findings, opened


def examined_without_firmware(case: Case, folder: Path) -> tuple[Finding, ...]:
    pico = FakePico(folder / "pico")
    pico.runs = case.runs
    if case.runs == "gone":
        pico.runs = "nothing"
        pico.restart_in(0.01, 1000.0)
    system = build(ready(HEALTHY["4"]), folder)
    system = replace(system, clock=pico.clock, open_port=lambda *_: pico.open(DEVICE))
    return diagnose(case.profile, system, None)


@pytest.mark.parametrize("pi", ["Zero 2 W", "5", "PC"])
def test_doctor_finds_nothing_wrong_with_a_healthy_pico(pi, tmp_path):
    findings, _ = examined(ready(HEALTHY.get(pi, PC)), tmp_path)
    assert wrong(findings) == []
    said = {finding.name: finding.text for finding in findings}
    assert ("need not be a Raspberry Pi" in said["machine"]) == (pi == "PC")
    assert said["port"] == "a Pico is at /dev/ttyACM0"
    assert said["firmware"] == f"{'.'.join(map(str, VERSION))}, on {quick.SYSTEM}"
    assert said["bus 1"] == "SDA on GP6, SCL on GP7"
    assert said["chip F"] == f"answers at {BOARD.chips[-1].place}"
    assert ("supply" in said) == (pi != "PC")
    # None of what a board on the Pi itself needs.
    assert not {"lgpio", "spi", "core clock"} & set(said)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_doctor_finds_what_is_wrong_with_the_line(case, tmp_path, monkeypatch):
    for name, value in case.patched.items():
        monkeypatch.setattr(name, value)
    if case.runs:
        findings = examined_without_firmware(case, tmp_path)
    else:
        computer = case.change(ready(HEALTHY["4"]))
        findings, _ = examined(computer, tmp_path, case.profile, case.missing)
    case.assert_told(findings)
    # One cause, one failure; only chips on a bus that never answers may fail as well.
    failed = {each.name for each in wrong(findings) if each.level is FAILURE} - {case.finding}
    assert failed <= (SECOND_BUS if "bus" in case.what else set())


def test_doctor_opens_the_port_that_the_board_names(tmp_path):
    port = "socket://pico.local:3333"
    findings, opened = examined(ready(HEALTHY["4"]), tmp_path, on_port(port))
    assert (wrong(findings), set(opened)) == ([], {port})


def test_doctor_of_a_board_on_the_pi_says_how_a_pico_is_examined(tmp_path):
    board = built_in()
    pi = HEALTHY["4"].plug(MICROPYTHON)
    findings = diagnose(board, build(pi, tmp_path / "pi"), Wired(board))
    assert wrong(findings) == []
    (hint,) = [each.text for each in findings if each.name == "pico"]
    assert "`lifeboard doctor --board hexagon-61-pico`" in hint
    on_pc = diagnose(board, build(PC.plug(MICROPYTHON), tmp_path / "pc"), None)
    assert hint in [each.text for each in on_pc]


def test_doctor_examines_the_firmware_in_real_micropython(tmp_path):
    findings, _ = examined(ready(HEALTHY["4"]), tmp_path, missing="C", make=ready_pico())
    (found,) = wrong(findings)
    assert (found.name, found.level) == ("chip C", FAILURE)
