"""The service from outside: its status, programs that run as its user, and its restart."""

import os
import signal
import socket
from functools import partial
from importlib.metadata import version
from subprocess import Popen

import pytest

from game.common import AppError
from game.service import board_commands
from game.service.board_commands import (
    end_orderly,
    print_status,
    roll_back,
    run_as_user,
    service_stopped,
)
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


def test_program_has_the_users_rights_and_none_of_roots_variables(setpriv, monkeypatch, capfd):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert run_as_user(["env"], "/var/lib/lifeboard") == 0
    found = dict(line.split("=", 1) for line in capfd.readouterr().out.splitlines())
    assert (found["LG_WD"], found["LANG"]) == ("/var/lib/lifeboard", "de_DE.UTF-8")
    shown = setpriv.read_text().split()
    assert shown == [
        *("--reuid", "lifeboard", "--regid", "lifeboard"),
        *("--init-groups", "--pdeathsig", "TERM", "--reset-env"),
    ]


def test_interrupt_is_for_the_program_alone():
    end_orderly()
    signal.raise_signal(signal.SIGINT)
    assert run_as_user(["sh", "-c", "kill -INT $$"], "/") == 128 + signal.SIGINT


@pytest.mark.parametrize(("needed", "state"), [(False, "active"), (True, "inactive")])
def test_service_that_is_not_in_the_way_is_left_alone(systemd, needed, state):
    systemd.say("state", state)
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


def test_command_of_the_service_reads_what_its_caller_gives(monkeypatch, tmp_path, capfd):
    command = tmp_path / "lifeboard"
    command.write_text('#!/bin/sh\necho "$@"\ncat\n')
    command.chmod(0o755)
    monkeypatch.setattr(board_commands.os, "geteuid", lambda: 0)
    monkeypatch.setattr(board_commands, "COMMAND", command)
    paths = ServicePaths(tmp_path / "lifeboard.toml", tmp_path)
    with (tmp_path / "game.txt").open("w+") as games:
        games.write("1. e5\n")
        games.seek(0)
        monkeypatch.setattr(board_commands.subprocess, "Popen", partial(Popen, stdin=games))
        assert board_commands.run_command("import", ("-",), paths) == 0
    assert capfd.readouterr().out == f"import --data {tmp_path} -\n1. e5\n"


def test_status_is_that_of_systemd_with_the_addresses_of_the_page(
    systemd, monkeypatch, tmp_path, capfd
):
    paths = ServicePaths(tmp_path / "lifeboard.toml")
    monkeypatch.setattr(board_commands, "ServicePaths", lambda: paths)
    monkeypatch.setattr(board_commands, "own_addresses", tuple)
    monkeypatch.setattr(board_commands, "_AVAHI", tmp_path / "avahi")
    (tmp_path / "avahi").touch()
    assert print_status() == 0
    assert systemd.ran == ["systemctl status --no-pager lifeboard.service"]
    shown = capfd.readouterr().out.splitlines()
    assert shown == [f"lifeboard {version('lifeboard')}", "Page: http://localhost:8765/"]
    paths.settings.write_text('[page]\nnetwork = true\nport = 8080\nnames = ["b.home"]\n')
    print_status()
    name = socket.gethostname().partition(".")[0]
    shown = capfd.readouterr().out
    for part in ("localhost", f"{name}.local", "b.home"):
        assert f" http://{part}:8080/" in shown
    assert "lifeboard pin" in shown
    systemd.say("refuse-status", "not found")
    assert print_status() == 3


def test_rollback_says_what_it_lacks(tmp_path, monkeypatch):
    for user, said in ((0, "not installed"), (1000, "put sudo before it")):
        monkeypatch.setattr(board_commands.os, "geteuid", lambda user=user: user)
        with pytest.raises(AppError, match=said):
            roll_back(tmp_path / "upgrade")
