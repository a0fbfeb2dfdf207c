"""The port that reads on a thread, on real pseudo-terminals."""

import os
import pty
import tty
from contextlib import closing
from types import SimpleNamespace

import pytest

from hal.backends.coprocessor import port as ports
from hal.backends.coprocessor.port import SerialPort, find_ports, open_port
from hal.base.errors import LinkFault

LONG_S = 20.0


@pytest.fixture
def cable():
    """A pseudo-terminal: the Pico's end is a file, the host's has a path."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    path = os.ttyname(slave)
    os.close(slave)
    with os.fdopen(master, "r+b", buffering=0) as end:
        yield SimpleNamespace(end=end, path=path, heard=[])


@pytest.fixture
def port(cable):
    with closing(open_port(cable.path, lambda: cable.heard.append(True))) as port:
        yield port


def read_until(port: SerialPort, count: int) -> bytes:
    data = b""
    while len(data) < count:
        port.wait(LONG_S)
        more = port.read()
        assert more, f"{data!r} was all that came"
        data += more
    return data


def test_port_carries_bytes_as_they_are_and_says_when_some_came_and_that_it_is_gone(port, cable):
    port.write(bytes(range(256)))
    data = b""
    while len(data) < 256:
        data += cable.end.read(300)
    cable.end.write(data)
    assert read_until(port, 256) == bytes(range(256))
    assert cable.heard
    assert port.read() == b""
    cable.end.write(b"last")
    assert read_until(port, 4) == b"last"
    cable.end.close()
    port.wait(LONG_S)
    for _ in range(2):
        with pytest.raises(LinkFault, match="is gone"):
            port.read()


def test_port_that_is_not_there_is_named_with_what_mends_it(tmp_path):
    with pytest.raises(LinkFault, match=r"nothing-here.*plug the Pico's USB cable in"):
        open_port(str(tmp_path / "nothing-here"))


def test_port_that_another_program_has_is_refused(port, cable):
    with pytest.raises(LinkFault, match="another program has it"):
        open_port(cable.path)


PICO, OTHER = (0x2E8A, 0x0005), (0x2341, 0x0043)


def plug(monkeypatch, tmp_path, *plugged):
    """Let devices of these makers be found, by path."""
    monkeypatch.setattr(ports, "NAME", tmp_path / "lifeboard")
    found = [
        SimpleNamespace(device=device, vid=vid, pid=pid, serial_number="E6605")
        for device, (vid, pid) in plugged
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: found)


def test_port_auto_is_the_only_pico_or_the_one_named_by_the_services_rules(
    monkeypatch, tmp_path, cable
):
    plug(monkeypatch, tmp_path, ("/dev/ttyACM7", OTHER), (cable.path, PICO))
    assert [each.device for each in find_ports()] == [cable.path]
    open_port("auto").close()
    plug(monkeypatch, tmp_path, ("/dev/a", PICO), ("/dev/b", PICO))
    (tmp_path / "lifeboard").symlink_to(cable.path)
    open_port("auto").close()


@pytest.mark.parametrize(
    ("plugged", "said"),
    [
        ([OTHER], r"no Pico is plugged in.*lifeboard flash"),
        ([PICO, PICO], r"2 Picos.*/dev/0 \(E6605\), /dev/1 \(E6605\)"),
    ],
)
def test_port_auto_without_just_one_pico_says_what_to_do(monkeypatch, tmp_path, plugged, said):
    plug(monkeypatch, tmp_path, *((f"/dev/{n}", each) for n, each in enumerate(plugged)))
    with pytest.raises(LinkFault, match=said):
        open_port("auto")


def test_port_that_vanishes_while_picos_are_looked_for_is_a_fault(monkeypatch, tmp_path):
    def vanish():
        raise TypeError("int() can't convert non-string with explicit base")

    plug(monkeypatch, tmp_path)
    monkeypatch.setattr("serial.tools.list_ports.comports", vanish)
    with pytest.raises(LinkFault, match="cannot be opened"):
        open_port("auto")
