"""What `lifeboard service` and `lifeboard pin` do: status, PIN, and commands as the service's user.

Owns the arguments that are added to a command, its rights and its signals. While a command needs
the board, the service is stopped.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from types import FrameType

from game.common import AppError, data_folder, own_addresses, url
from game.play import find_board
from game.service.paths import COMMAND, NAME, UNIT, ServicePaths
from game.service.settings import PageSettings, Settings, read
from game.web.access import PIN_FILE, PinSecret
from hal.backends.registry import capabilities
from hal.base.errors import ProfileError
from hal.profile import load

BOARD_TOOLS = ("learn", "calibrate", "monitor", "doctor", "flash")
"""These need the board for themselves."""
_AVAHI = Path("/run/avahi-daemon/socket")


def print_status() -> int:
    """Print what systemd says of the unit, and where its page is; return systemctl's status."""
    print(f"lifeboard {version('lifeboard')}", flush=True)
    status = systemctl("status", "--no-pager", UNIT, shown=True).returncode
    if status == 0:
        page = read(ServicePaths().settings).page
        print("Page:", *page_addresses(page))
        if page.network:
            print("Other devices need the PIN, which `sudo lifeboard pin` shows.")
    return status


def page_addresses(page: PageSettings) -> tuple[str, ...]:
    """Return the addresses of the page, that of this computer first."""
    hosts = ["localhost"]
    if page.network:
        if _AVAHI.exists():
            hosts.append(f"{socket.gethostname().partition('.')[0]}.local")
        hosts += page.names
        hosts += own_addresses()
    return tuple(url(host, page.port, secure=page.https) for host in dict.fromkeys(hosts))


def roll_back(script: Path) -> int:
    """Replace this process by the script that installs the package from before the upgrade."""
    check_root("rollback", script)
    os.execv(script, [str(script), "rollback"])


def check_root(command: str, program: Path) -> None:
    """Raise AppError unless this is root, and the program that a command needs is installed."""
    if os.geteuid() != 0:
        raise AppError(f"`service {command}` needs root; put sudo before it")
    if not program.exists():
        raise AppError(
            "lifeboard is not installed as a service; `make service` or"
            " `sudo apt install ./lifeboard_*.deb` installs it"
        )


def run_command(command: str, arguments: tuple[str, ...], paths: ServicePaths) -> int:
    """Run a command as the service's user and return its exit status; raises AppError."""
    check_root(command, COMMAND)
    end_orderly()
    added = added_arguments(command, arguments, read(paths.settings), paths)
    with service_stopped(command in BOARD_TOOLS):
        return run_as_user([str(COMMAND), command, *added, *arguments], str(paths.data))


def added_arguments(
    command: str, arguments: tuple[str, ...], settings: Settings, paths: ServicePaths
) -> list[str]:
    """Return the arguments that make a command work on the service's board and games."""
    if command == "flash":
        # It finds the Pico without a profile.
        return []
    given = {each.partition("=")[0] for each in arguments}
    wanted = {"--data": str(paths.data)}
    if command in BOARD_TOOLS:
        backend = _backend(arguments, settings, paths)
        if command != "doctor":
            wanted["--backend"] = backend
            wanted["--no-browser"] = ""
        if command == "learn":
            if capabilities(backend).real:
                wanted["--out"] = str(paths.board)
        elif settings.board.profile is not None:
            wanted["--board"] = settings.board.profile
        elif capabilities(backend).real and paths.board.exists():
            wanted["--board"] = str(paths.board)
    return [part for pair in wanted.items() if pair[0] not in given for part in pair if part]


def _backend(arguments: tuple[str, ...], settings: Settings, paths: ServicePaths) -> str:
    """Return the backend that the arguments name, or that of their board or the service's."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name in ("--board", "--backend"):
        parser.add_argument(name, nargs="?")
    found, _ = parser.parse_known_args(arguments)
    board, profile = found.board or settings.board.profile, None
    # The command reports what is wrong with a damaged profile, and `learn` can replace it.
    with suppress(ProfileError):
        if board is not None:
            profile = find_board(board)
        elif paths.board.exists():
            profile = load(paths.board)
    return found.backend or settings.board.carrier(profile)


def run_as_user(line: Sequence[str], home: str) -> int:
    """Run a program as the service's user; a signal that ends us ends the program first."""
    rights = ("--reuid", NAME, "--regid", NAME, "--init-groups", "--pdeathsig", "TERM")
    variables = f"LG_WD={home}", f"LANG={os.environ.get('LANG', '')}"
    command = ("setpriv", *rights, "--reset-env", "--", "env", *variables, *line)
    with subprocess.Popen(command, umask=0o077) as child:
        try:
            status = child.wait()
        except SystemExit:
            child.terminate()
            raise
    return status if status >= 0 else 128 - status


def end_orderly() -> None:
    """Let SIGTERM and SIGHUP raise SystemExit, once; leave Ctrl-C to the program that runs."""
    ends = (signal.SIGTERM, signal.SIGHUP)

    def end(number: int, _: FrameType | None) -> None:
        for each in ends:
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for each in ends:
        signal.signal(each, end)
    # A handler, unlike SIG_IGN, is not inherited.
    signal.signal(signal.SIGINT, lambda *_: None)


@contextmanager
def service_stopped(needed: bool) -> Iterator[None]:
    """Stop the service if it runs, and start it again; raise AppError if that fails."""
    # A service between two tries counts as running.
    states = "active", "activating", "reloading"
    runs = needed and systemctl("is-active", UNIT).stdout.strip() in states
    try:
        if runs:
            print("lifeboard: the service is stopped meanwhile", file=sys.stderr, flush=True)
            if systemctl("stop", UNIT).returncode:
                raise AppError(f"{UNIT} cannot be stopped; see `systemctl status {UNIT}`")
        yield
    finally:
        if runs:
            if systemctl("start", UNIT).returncode:
                raise AppError(f"{UNIT} does not start again; see `sudo journalctl -u lifeboard`")
            # systemd limits the number of starts; this one is not a crash.
            systemctl("reset-failed", UNIT)
            print("lifeboard: the service runs again", file=sys.stderr, flush=True)


def shown_pin(folder: Path, new: bool) -> str:
    """Return the PIN, made if missing, replaced if `new`; raises AppError for an unusable file."""
    path = folder / PIN_FILE
    try:
        if not new and path.exists():
            return PinSecret.read(path).pin
        secret = PinSecret.make()
        secret.write(path)
    except (OSError, ValueError) as error:
        raise AppError(
            f"PIN file {path} cannot be used: {error}; put sudo before it, or make a new one with"
            " `lifeboard pin --new`"
        ) from error
    return secret.pin


def pin_folder(data: Path | None, service: Path) -> Path:
    """Return a given folder, else the service's, else the user's own; raises AppError for none."""
    folder = data or (service if service.is_dir() else data_folder())
    if not folder.is_dir():
        raise AppError(
            f"there is no PIN yet: data folder {folder} is not there; `lifeboard play --network`"
            " makes it, and shows the PIN"
        )
    return folder


def systemctl(*arguments: str, shown: bool = False) -> subprocess.CompletedProcess[str]:
    """Run systemctl without a password, in a session of its own, which Ctrl-C does not reach."""
    command = ("systemctl", "--no-ask-password", *arguments)
    try:
        return subprocess.run(
            command, capture_output=not shown, text=True, check=False, start_new_session=True
        )
    except FileNotFoundError as error:
        raise AppError("systemctl is missing: the service needs systemd") from error
