"""A booted machine: real systemd in a container of its own, without a network.

Owns booting, commands inside, what systemd and the journal say, and the end, which comes with the
end of this process at the latest. Must not know what lifeboard is.
"""

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Self

BOOT_S = 120.0
COMMAND_S = 120.0
OFF_S = 30.0
_LOOK_S = 0.3
"""Each look starts five programs, on the processors on which the machine starts."""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_CLONE_NEWNET = 0x40000000
# The mount ends with the processes that see it. When we die, nspawn is told to switch off.
_BOOT = """
for group in $CONTROL_GROUPS; do echo $$ >"$group/cgroup.procs" || exit; done
parts="lowerdir=$LAYERS,upperdir=$HERE/upper,workdir=$HERE/work" &&
mount -t overlay overlay -o "$parts" "$HERE/root" &&
exec "$@"
"""

_TELLING = ("ActiveState", "SubState", "Result", "StatusText", "NRestarts", "MainPID")


class Machine:
    """A machine whose disk is a folder; it may be switched off and on again.

    `layers` are what its disk shows where nothing else was written, the image last: the disks of
    machines that are off, too. Unless it is `careful`, dpkg waits for no disk at each file.
    """

    def __init__(self, layers: Sequence[Path], here: Path, *, careful: bool = False) -> None:
        self.layers, self.here = tuple(layers), here
        for name in ("upper/var/log/journal", "work", "root"):
            (here / name).mkdir(parents=True, exist_ok=True)
        dpkg = here / "upper/etc/dpkg/dpkg.cfg.d"
        dpkg.mkdir(parents=True, exist_ok=True)
        # An empty file hides that of a layer.
        (dpkg / "tests").write_text("" if careful else "force-unsafe-io\n")
        self._process: subprocess.Popen[bytes] | None = None
        self._leader = 0
        name = f"lifeboard-test-{os.getpid()}-{here.name}"
        self._groups = [root / name for root in _roots_of_groups()]

    @property
    def disk(self) -> Path:
        """Where what the machine wrote is seen from outside."""
        return self.here / "upper"

    @property
    def console(self) -> str:
        """What was written on the console."""
        return (self.here / "console").read_text(errors="replace")

    def boot(self) -> None:
        """Switch on, and return when systemd has started all that it should."""
        for group in self._groups:
            group.mkdir(exist_ok=True)
        with ExitStack() as opened:
            heard = opened.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            address = self.here / "notify"
            address.unlink(missing_ok=True)
            heard.bind(str(address))
            heard.settimeout(BOOT_S)
            console = opened.enter_context((self.here / "console").open("ab"))
            self._process = subprocess.Popen(
                [
                    *("setpriv", "--pdeathsig", "TERM"),
                    *("unshare", "--mount", "--propagation", "private"),
                    *("sh", "-c", _BOOT, "boot", *self._nspawn()),
                ],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                env={
                    "PATH": _PATH,
                    "CONTROL_GROUPS": " ".join(map(str, self._groups)),
                    "LAYERS": ":".join(map(str, self.layers)),
                    "HERE": str(self.here),
                    "NOTIFY_SOCKET": str(address),
                },
            )
            shown: dict[str, str] = {}
            while shown.get("READY") != "1":
                try:
                    message = heard.recv(4096).decode()
                except TimeoutError:
                    self.kill()
                    raise AssertionError(f"the machine does not boot:\n{self.console}") from None
                shown |= dict(line.split("=", 1) for line in message.splitlines() if "=" in line)
            self._leader = int(shown["X_NSPAWN_LEADER_PID"])

    def _nspawn(self) -> list[str]:
        """Build the call of the nspawn that the image brings, on the image's own libraries."""
        image = self.layers[-1]
        (loader,) = (found for found in image.glob("lib*/ld-linux*.so.*") if found.is_file())
        folders = [path.parent for path in image.glob("usr/lib/*/libc.so.6")]
        folders += [each / "systemd" for each in folders]
        return [
            *(str(loader), "--library-path", ":".join(map(str, folders))),
            str(image / "usr/bin/systemd-nspawn"),
            *("--quiet", "--boot", "--register=no", "--keep-unit", "--private-network"),
            *("--notify-ready=yes", "--console=pipe", "--directory", str(self.here / "root")),
        ]

    def call(self, *command: str, status: int | None = 0, timeout_s: float = COMMAND_S) -> str:
        """Run a command as root; return what it wrote on both outputs, errors last.

        Fails when its exit status is not `status`; with None any will do.
        """
        done = self.run(command, timeout_s)
        said = done.stdout + done.stderr
        assert status is None or done.returncode == status, (
            f"{' '.join(command)} ended with {done.returncode}:\n{said}"
        )
        return said

    def run(
        self, command: Sequence[str], timeout_s: float = COMMAND_S
    ) -> subprocess.CompletedProcess[str]:
        """Run a command as root."""
        with self.start(command) as process:
            try:
                out, error = process.communicate(timeout=timeout_s)
            except subprocess.TimeoutExpired:
                process.kill()
                out, error = process.communicate()
                raise AssertionError(
                    f"{' '.join(command)} does not end:\n{out}{error}\n{self.journal_text()}"
                ) from None
            return subprocess.CompletedProcess(command, process.returncode, out, error)

    def start(self, command: Sequence[str]) -> "subprocess.Popen[str]":
        """Start a command as root."""
        return subprocess.Popen(
            [
                *("nsenter", "--target", str(self._leader), "--all"),
                *("env", "-i", f"PATH={_PATH}", "LANG=C.UTF-8", "HOME=/root"),
                *("sh", "-c", 'cd /root; exec "$@"', "sh", *command),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def write(self, path: str, text: str) -> None:
        """Write a file, for everyone to read; its folder is there already."""
        file = self.inside(path)
        file.write_text(text)
        file.chmod(0o644)

    def inside(self, path: str) -> Path:
        """Name a file of the machine as processes outside find it; a link leads outside."""
        return Path(f"/proc/{self._leader}/root{path}")

    def unit(self, name: str) -> dict[str, str]:
        """Return what systemd says of a unit."""
        said = self.call("systemctl", "show", "--timestamp=us", name)
        return dict(line.split("=", 1) for line in said.splitlines() if "=" in line)

    def until(self, name: str, holds: Callable[[Mapping[str, str]], object]) -> dict[str, str]:
        """Wait until something is true of a unit, and return what systemd says of it then."""
        assert self._process is not None
        end = time.monotonic() + COMMAND_S
        while not holds(said := self.unit(name)):
            if time.monotonic() > end:
                now = {key: said.get(key) for key in _TELLING}
                raise AssertionError(f"{name}: {now}\n{self.journal_text()}")
            # A machine that shuts down meanwhile must not keep us waiting.
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_LOOK_S)
        return said

    def journal(self, *options: str) -> list[dict[str, Any]]:
        """Return entries of the journal, all fields of them."""
        self.call("journalctl", "--sync")
        said = self.call("journalctl", "--output=json", "--all", "--no-pager", *options)
        return [json.loads(line) for line in said.splitlines() if line.startswith("{")]

    def journal_text(self) -> str:
        """Return the end of the journal as people read it."""
        return self.call("journalctl", "--no-pager", "--lines=60", status=None)

    def pid(self, process: int) -> int:
        """Return which process outside it is that has a number inside."""
        for status in Path("/proc").glob("[0-9]*/status"):
            with suppress(OSError):
                numbers = next(
                    line.split()[1:]
                    for line in status.read_text().splitlines()
                    if line.startswith("NSpid:")
                )
                same = Path(status.parent / "ns/mnt").exists() and len(numbers) > 1
                if same and int(numbers[1]) == process and self._is_ours(status.parent):
                    return int(numbers[0])
        raise AssertionError(f"no process {process} in the machine")

    def _is_ours(self, process: Path) -> bool:
        """Return whether a process has this machine's numbers of processes."""
        return os.readlink(process / "ns/pid") == os.readlink(f"/proc/{self._leader}/ns/pid")

    def connect(self, port: int) -> socket.socket:
        """Connect to a port of the machine itself, as a process inside would."""

        def enter() -> socket.socket:
            libc = ctypes.CDLL(None, use_errno=True)
            with open(f"/proc/{self._leader}/ns/net") as network:
                if libc.setns(network.fileno(), _CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), "cannot enter the machine's network")
            return socket.create_connection(("127.0.0.1", port), 10.0)

        # The network is that of one thread, which ends.
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(enter).result()

    def power_off(self) -> None:
        """Switch off as its own `systemctl poweroff` would."""
        if self._process is not None and self._process.poll() is None:
            os.kill(self._leader, signal.SIGRTMIN + 4)
            self.wait_off()

    def wait_off(self) -> None:
        """Wait until the machine has switched itself off."""
        assert self._process is not None
        try:
            self._process.wait(OFF_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the machine does not switch off:\n{self.console}") from None
        self._forget()

    def kill(self) -> None:
        """End the machine at once."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.kill(self._leader, signal.SIGKILL) if self._leader else None
            self._process.kill()
            self._process.wait()
            self._forget()

    def throw_away(self) -> None:
        """End the machine, and remove its disk."""
        self.kill()
        shutil.rmtree(self.here)

    def _forget(self) -> None:
        self._process, self._leader = None, 0
        for top in self._groups:
            for group in (*sorted(top.rglob("*/"), reverse=True), top):
                with suppress(OSError):
                    group.rmdir()

    def __enter__(self) -> Self:
        self.boot()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.power_off()
        finally:
            self.kill()


def _roots_of_groups() -> list[Path]:
    """Return the roots of the control groups that systemd uses: two where version 1 is mounted.

    With only one of them left, all machines would share the groups nspawn makes in the other.
    """
    top = Path("/sys/fs/cgroup")
    return [each for each in (top / "unified", top / "systemd") if each.is_dir()] or [top]
