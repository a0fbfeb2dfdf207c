"""The service of strips that need root, as a process: its socket, signals, end, and its unit."""

import os
import signal
import socket
import stat
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from game.app.errors import AppError
from game.app.service.pixels import serve_pixels
from game.app.service.places import NAME
from hal.colour import DARK, WHITE
from hal.drivers.pixel_link import SOCKET, open_link
from hal.errors import LightsFault
from hal.profile import Strip
from hal.strip import Lights

UNITS = Path(__file__).parents[2] / "systemd"
STRIP = Strip("pwm", 18, 2, "GRB")

# A process as systemd starts it, whose strip tells what it shows.
PROCESS = """
import os, sys
from pathlib import Path
from game.app.service import pixels
from hal.drivers.ws281x import Ws281xPixels
from hal.sim.strip import EmulatedPixelStrip

class Told(Ws281xPixels):
    def show(self, frame):
        super().show(frame)
        print(*(each.hex for each in frame), flush=True)

handed, path = int(sys.argv[1]), sys.argv[2]
if handed >= 0:
    os.dup2(handed, 3)
    os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
try:
    sys.exit(pixels.serve_pixels(
        Path(path) if path else None,
        open_pixels=lambda strip: Told(EmulatedPixelStrip(strip.pixels, strip.pin), strip),
    ))
except pixels.SocketError as error:
    sys.exit(str(error))
"""


class Processes:
    """Starts services, and hears what they tell systemd."""

    def __init__(self, folder: Path) -> None:
        self._told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._told.settimeout(60)
        self._told.bind(str(folder / "notify.sock"))
        self._environment = os.environ | {"NOTIFY_SOCKET": str(folder / "notify.sock")}
        self._running: list[subprocess.Popen[str]] = []

    def start(self, handed: int = -1, path: object = "", **environment: str):
        process = subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(handed), str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self._environment | environment,
            pass_fds=[handed] if handed >= 0 else [],
        )
        self._running.append(process)
        return process

    def told(self) -> str:
        return self._told.recv(100).decode()

    def end(self) -> None:
        for process in self._running:
            process.kill()
            process.communicate()
        self._told.close()


@pytest.fixture
def processes(tmp_path):
    processes = Processes(tmp_path)
    yield processes
    processes.end()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pixels.sock"


@pytest.fixture
def listening(path):
    """What systemd listens on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(str(path))
        listening.listen(4)
        yield listening


def ended(process) -> tuple[int, list[str]]:
    out, err = process.communicate(timeout=60)
    assert err == ""
    return process.returncode, out.splitlines()


def test_service_serves_on_the_socket_of_systemd_and_ends_dark(processes, listening, path):
    process = processes.start(listening.fileno())
    assert processes.told() == "READY=1"
    link = open_link(STRIP, path)
    link.show((WHITE, DARK))
    process.send_signal(signal.SIGTERM)
    assert ended(process) == (0, ["#ffffff #000000", "#000000 #000000"])
    assert processes.told() == "STOPPING=1"
    # It belongs to systemd, who starts the next one by it.
    assert path.exists()
    with pytest.raises(LightsFault):
        link.close()


def test_service_that_is_killed_is_back_at_the_next_try(processes, listening, path):
    first = processes.start(listening.fileno())
    lights = Lights(lambda: open_link(STRIP, path), 2, 0.0)
    lights.show((WHITE, WHITE), 0.0)
    first.kill()
    first.wait()
    lights.attend(lights.due())
    assert lights.fault is not None
    second = processes.start(listening.fileno())
    lights.attend(lights.due())
    assert lights.fault is None
    lights.close()
    second.terminate()
    assert ended(second)[1] == ["#ffffff #ffffff", "#000000 #000000"]


def test_service_feeds_the_watchdog(processes, listening):
    processes.start(listening.fileno(), WATCHDOG_USEC="2000")
    assert [processes.told() for _ in range(3)] == ["READY=1", "WATCHDOG=1", "WATCHDOG=1"]


def test_service_makes_a_socket_for_its_group_only_and_takes_it_away(processes, path):
    process = processes.start(path=path)
    assert processes.told() == "READY=1"
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    open_link(STRIP, path).close()
    process.terminate()
    assert ended(process) == (0, ["#000000 #000000"])
    assert not path.exists()


def test_service_refuses_another_kind_of_socket(processes):
    with socket.socket() as other:
        process = processes.start(other.fileno())
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "systemd hands over another socket: allowed is ListenSequentialPacket=" in errors


def test_service_takes_the_place_of_an_old_socket_and_ends_when_nobody_comes(listening, path):
    before = signal.getsignal(signal.SIGTERM)
    assert serve_pixels(path, idle_s=0.0) == 0
    assert signal.getsignal(signal.SIGTERM) is before
    assert not path.exists()


def test_service_says_where_a_socket_cannot_be_and_leaves_a_file_alone(path):
    with pytest.raises(AppError, match="cannot be made: No such file or directory"):
        serve_pixels(path / "nowhere" / "pixels.sock")
    path.write_text("mine")
    with pytest.raises(AppError, match="is no socket: allowed is one, or nothing"):
        serve_pixels(path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("variables", "why"),
    [
        ({}, "was not started by systemd: start it by `sudo systemctl enable --now"),
        ({"LISTEN_PID": "1", "LISTEN_FDS": "1"}, "was not started by systemd"),
        ({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "2"}, "hands over 2 sockets"),
    ],
)
def test_service_without_the_socket_of_systemd_says_so(monkeypatch, variables, why):
    for name in ("LISTEN_PID", "LISTEN_FDS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(AppError, match=why):
        serve_pixels()


def unit(name: str) -> ConfigParser:
    """Read a unit, of whose keys that come twice the last one."""
    parser = ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(UNITS / name, encoding="utf-8")
    return parser


def test_units_say_what_the_program_says():
    listens = unit("lifeboard-pixels.socket")["Socket"]
    assert listens["ListenSequentialPacket"] == str(SOCKET)
    assert (listens["SocketUser"], listens["SocketGroup"]) == ("root", NAME)
    assert listens["SocketMode"] == "0660"
    service = unit("lifeboard-pixels.service")
    assert service["Service"]["ExecStart"].endswith("/lifeboard service pixels")
    assert service["Unit"]["PartOf"] == service["Unit"]["Before"] == f"{NAME}.service"
    # Only its socket starts it.
    assert not service.has_section("Install")
