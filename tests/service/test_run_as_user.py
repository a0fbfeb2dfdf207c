"""Programs that run as the service's user: their rights, their exit, and the service's restart."""

import os
import signal
from pathlib import Path

import pytest

from game.common import AppError
from game.service import board_commands
from game.service.board_commands import end_orderly, run_as_user, service_stopped
from game.service.paths import ServicePaths
from tests.helpers.programs.fake_programs import FakeSystemd


@pytest.fixture(autouse=True)
def handlers():
    """Put back what handles signals."""
    ends = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [(each, signal.getsignal(each)) for each in ends]
    yield
    for each in before:
        signal.signal(*each)


@pytest.fixture(autouse=True)
def setpriv(tmp_path, monkeypatch):
    """Stand in for setpriv(1): note the options, and become the program without other rights."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = f'#!/bin/sh\nwhile [ "$1" != -- ]; do echo "$1" >>{tmp_path}/rights; shift; done\n'
    (folder / "setpriv").write_text(f'{script}shift\nexec "$@"\n')
    (folder / "setpriv").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return tmp_path / "rights"


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    return FakeSystemd(tmp_path / "programs", monkeypatch)


def test_program_has_the_users_rights_and_no_variables_of_roots(setpriv, monkeypatch):
    monkeypatch.setenv("SECRET", "1")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    status, text = run_as_user(["env"], "/var/lib/lifeboard", capture=True)
    found = dict(line.split("=", 1) for line in text.splitlines())
    assert status == 0
    assert (found["HOME"], found["USER"], found["LC_ALL"]) == (
        *("/var/lib/lifeboard", "lifeboard", "C.UTF-8"),
    )
    assert "SECRET" not in found
    shown = setpriv.read_text().split()
    assert shown == [
        *("--reuid", "lifeboard", "--regid", "lifeboard"),
        *("--init-groups", "--pdeathsig", "TERM"),
    ]


def test_interrupt_is_for_the_program_alone():
    end_orderly()
    signal.raise_signal(signal.SIGINT)
    assert run_as_user(["sh", "-c", "kill -INT $$"], "/")[0] == 128 + signal.SIGINT


@pytest.mark.parametrize(("needed", "state"), [(False, "active"), (True, "inactive")])
def test_service_that_is_not_in_the_way_is_left_alone(systemd, needed, state):
    systemd.set(ActiveState=state)
    with service_stopped(needed):
        pass
    assert systemd.ran == []


def test_service_that_does_not_stop_or_start_is_named(systemd):
    systemd.say("refuse-stop", "no")
    with pytest.raises(AppError, match="cannot be stopped"), service_stopped(True):
        pytest.fail("it was not stopped")
    (systemd.folder / "refuse-stop").unlink()
    systemd.say("refuse-start", "no")
    with pytest.raises(AppError, match="does not start again"), service_stopped(True):
        pass


def test_export_is_written_by_the_caller_and_import_is_read_by_it(monkeypatch, tmp_path):
    command = tmp_path / "lifeboard"
    command.write_text(
        '#!/bin/sh\nfor last; do :; done\necho "$@"\n[ "$1" = export ] || cat "$last"\n'
    )
    command.chmod(0o755)
    monkeypatch.setattr(board_commands.os, "geteuid", lambda: 0)
    monkeypatch.setattr(board_commands, "COMMAND", command)
    changed: list[str] = []
    monkeypatch.setattr(
        board_commands.shutil, "chown", lambda path, *_: changed.append(Path(path).name)
    )
    paths = ServicePaths(tmp_path / "lifeboard.toml", tmp_path)
    out = tmp_path / "game.txt"
    assert board_commands.run_command("export", ("last", f"--out={out}"), paths) == 0
    assert out.read_text() == f"export --data {tmp_path} last\n"
    assert board_commands.run_command("import", (str(out),), paths) == 0
    assert changed[:-1] == ["0", "game.txt"]
    with pytest.raises(AppError, match="not followed by the name of a file"):
        board_commands.run_command("export", ("last", "--out"), paths)
