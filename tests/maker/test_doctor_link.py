"""The doctor of a board on a Pico: silent when all is well, and the right line for each fault."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware import messages
from firmware.messages import PROTOCOL
from game.maker.doctor import diagnose
from game.maker.system import Finding, Severity
from hal.base.errors import LinkFault
from hal.profile import Profile, built_in
from hal.sim.body import Body
from tests.helpers.boards.clocked_board import FakeClock
from tests.helpers.boards.doctor_trees import HEALTHY, PC, Computer, Fault, build, wrong
from tests.helpers.pico import EmulatedPico, quick
from tests.helpers.pico.backend import LockstepPort, MakePico
from tests.helpers.rp2040.flashed import ready_pico

WARNING, FAILURE = Severity.WARNING, Severity.FAILURE
FLASH = "lifeboard flash"
BOARD = built_in("hexagon-61-pico")
SECOND_BUS = {f"chip {chip.name}" for chip in BOARD.chips if chip.bus == 1}
OPEN_BUS = "tests.helpers.pico.quick.QuickHardware.open_bus"


def on_port(port: str, board: Profile = BOARD) -> Profile:
    assert board.pico is not None
    return replace(board, pico=replace(board.pico, port=port))


def raising(error: BaseException | type[BaseException]) -> Callable[..., None]:
    def do(*_: object) -> None:
        raise error

    return do


def other_firmware(**changes: object) -> dict[str, object]:
    return {"firmware.board.m": SimpleNamespace(**{**vars(messages), **changes})}


@dataclass(frozen=True)
class Case(Fault):
    """A fault of the line; `missing` chips are detached, `patched` are changes of the firmware."""

    missing: str = ""
    patched: Mapping[str, object] = field(default_factory=dict)


CASES = [
    Case(
        "a port that cannot be opened", "pico", FAILURE, "this user may not", "anew",
        lambda it: replace(it, open_port=raising(LinkFault("this user may not"))),
    ),
    Case(
        "a lifeboard that runs", "pico", WARNING, "not asked, since",
        "sudo systemctl stop lifeboard", lambda it: replace(it, playing=True),
    ),
    Case(
        "another protocol", "pico", FAILURE,
        f"9.8.7 with protocol {PROTOCOL + 1}", FLASH,
        patched=other_firmware(PROTOCOL=PROTOCOL + 1, VERSION=(9, 8, 7)),
    ),
    Case(
        "a bus without chips", "bus 1", WARNING, "no chip answers on it",
        "SDA goes to GP6 and SCL to GP7", missing="DEF",
    ),
    Case(
        "a wiring that the Pico cannot follow", "pico", FAILURE, "GP4 cannot be SDA",
        FLASH, patched={OPEN_BUS: raising(ValueError("GP4 cannot be SDA"))},
    ),
    Case(
        "firmware that stands still meanwhile", "pico", FAILURE, "does not answer within",
        "plug its USB cable in anew", patched={OPEN_BUS: raising(quick._Blocked)},
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


@pytest.mark.parametrize("pi", ["Zero 2 W", "5", "PC"])
def test_doctor_finds_nothing_wrong_with_a_healthy_pico(pi, tmp_path):
    findings, _ = examined(HEALTHY.get(pi, PC), tmp_path)
    assert wrong(findings) == []
    said = {finding.name: finding.text for finding in findings}
    assert "simulates" not in said["computer"]
    assert said["pico"] == "its firmware answers at auto"
    assert said["chip F"] == f"answers at {BOARD.chips[-1].place}"
    assert ("supply" in said) == (pi != "PC")
    # None of what a board on the Pi itself needs.
    assert not {"lgpio", "strip", "core clock"} & set(said)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_doctor_finds_what_is_wrong_with_the_line(case, tmp_path, monkeypatch):
    for name, value in case.patched.items():
        monkeypatch.setattr(name, value)
    findings, _ = examined(case.change(HEALTHY["4"]), tmp_path, missing=case.missing)
    case.assert_told(findings)
    # One cause, one failure; only chips on a bus that never answers may fail as well.
    failed = {each.name for each in wrong(findings) if each.level is FAILURE} - {case.finding}
    assert failed <= (SECOND_BUS if "bus" in case.what else set())


def test_doctor_opens_the_port_that_the_board_names(tmp_path):
    port = "socket://pico.local:3333"
    findings, opened = examined(HEALTHY["4"], tmp_path, on_port(port))
    assert (wrong(findings), set(opened)) == ([], {port})


def test_doctor_examines_the_firmware_in_real_micropython(tmp_path):
    findings, _ = examined(HEALTHY["4"], tmp_path, missing="C", make=ready_pico())
    (found,) = wrong(findings)
    assert (found.name, found.level) == ("chip C", FAILURE)
