"""`lifeboard pin`: the devices, listed and removed from the command line."""

import os
import time
from pathlib import Path

import pytest

from game.cli.main import main
from game.web.access import Pins

AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("LANGUAGE", "en")


def pin(folder: Path, *options: str) -> int:
    return main(["pin", "--data", str(folder), *options])


def test_pin_is_shown_and_devices_are_listed_and_removed_by_number(tmp_path, capsys):
    now = [time.time()]
    pins = Pins(tmp_path, lambda: now[0])
    first = pins.token(AGENT)
    now[0] += 1
    second = pins.token("telnet")
    assert pin(tmp_path) == 0
    assert capsys.readouterr().out == f"{pins.pin}\n"
    assert pin(tmp_path, "--devices") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [(line.split()[0], line[23:]) for line in lines] == [
        ("1", "Firefox on Linux"),
        ("2", "A device of unknown kind"),
    ]
    assert pin(tmp_path, "--remove", "1") == 0
    assert capsys.readouterr().out.splitlines()[0][3:] == lines[1][3:]
    assert (pins.is_token(first), pins.is_token(second)) == (False, True)
    assert pin(tmp_path, "--remove", "2") == 1
    assert capsys.readouterr().err == "lifeboard: --remove is 2; allowed: 1 to 1\n"
    pin(tmp_path, "--remove", "1")
    assert capsys.readouterr().out == "no device has entered the PIN\n"


def test_devices_that_may_not_be_read_are_not_called_none(tmp_path, monkeypatch, capsys):
    Pins(tmp_path).token()

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "listdir", refuse)
    assert pin(tmp_path, "--devices") == 1
    assert "page-devices: Permission denied" in capsys.readouterr().err
