"""What is said where no MicroPython can be had for the tests."""

import pytest

from hal.sim.pico.micropython import VARIABLE
from tests.helpers.boards import real_micropython
from tests.helpers.boards.real_micropython import Unavailable, fetched, main


@pytest.fixture(autouse=True)
def nothing_here(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)


def test_missing_tools_are_named():
    with pytest.raises(Unavailable, match="not installed: apt-get, dpkg, dpkg-deb"):
        fetched()


def test_missing_keys_are_named(monkeypatch, tmp_path):
    monkeypatch.setattr(real_micropython, "KEYRING", tmp_path / "no.gpg")
    with pytest.raises(Unavailable, match=r"no keys at .*no\.gpg"):
        fetched()


def test_unknown_architecture_is_named():
    with pytest.raises(Unavailable, match="no loader is known for riscv64"):
        fetched("riscv64")


def test_script_fails_with_what_mends_it(capsys):
    assert main() == 1
    said = capsys.readouterr().err
    assert "sudo apt install micropython" in said
    assert "not installed: apt-get" in said


def test_script_is_content_with_one_that_is_named(monkeypatch, capsys):
    monkeypatch.setenv(VARIABLE, "/usr/bin/micropython")
    assert main() == 0
    assert capsys.readouterr().out == ""
