"""The other commands, run as the service runs: its user, its folders, its board.

Owns which commands these are and what is added to their arguments. The service rests while one of
them needs the board, and goes on afterwards.
"""

import grp
import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from game.app.errors import AppError
from game.app.service.places import GROUPS, NAME, UNIT, Places
from game.app.service.settings import AUTO, Settings, read

BOARD_TOOLS = ("learn", "calibrate", "monitor", "doctor")
"""These need the board for themselves."""
READERS = ("history", "show", "export", "import")
"""These work while a game is on."""


@dataclass(frozen=True, slots=True)
class AsService:
    """Say which command is to be run, with which arguments."""

    command: str
    arguments: tuple[str, ...]


def run_as_service(wanted: AsService, places: Places) -> int:
    """Run a command as the service would, and give its exit status; raises AppError."""
    if os.geteuid() != 0:
        raise AppError(
            f"`service {wanted.command}` runs as the service's user, and only root may do that:"
            " put sudo before it"
        )
    program = places.current / "bin" / NAME
    if not program.exists():
        raise AppError(f"the service is not installed ({program} is not there)")
    added = arguments_of(wanted, read(places.settings), places)
    line = [str(program), wanted.command, *added, *wanted.arguments]
    with _resting(wanted.command in BOARD_TOOLS):
        return _call(line, places)


def arguments_of(wanted: AsService, settings: Settings, places: Places) -> list[str]:
    """Give the arguments that make a command work on the service's board and games."""
    given = {each.partition("=")[0] for each in wanted.arguments}
    added: list[str] = []

    def add(name: str, value: str) -> None:
        if name not in given:
            added.extend([name, value])

    add("--data", str(places.state))
    if wanted.command not in BOARD_TOOLS:
        return added
    backend = "pi" if settings.board.backend == AUTO else settings.board.backend
    if wanted.command != "doctor":
        add("--backend", backend)
        if "--no-browser" not in given:
            added.append("--no-browser")
    real = backend == "pi"
    if wanted.command == "learn":
        if real:
            add("--out", str(places.board))
    elif settings.board.profile is not None:
        add("--board", settings.board.profile)
    elif real and places.board.exists():
        add("--board", str(places.board))
    return added


@contextmanager
def _resting(needed: bool) -> Iterator[None]:
    """Let the service rest, if it runs and has to, and go on afterwards whatever happens."""
    runs = needed and _systemctl("is-active", "--quiet") == 0
    if runs:
        print("lifeboard: the service rests meanwhile", file=sys.stderr, flush=True)
        if _systemctl("stop") != 0:
            raise AppError(f"{UNIT} cannot be stopped; `systemctl status {UNIT}` says why")
    try:
        yield
    finally:
        if runs:
            _systemctl("start")
            print("lifeboard: the service goes on", file=sys.stderr, flush=True)


def _call(line: Sequence[str], places: Places) -> int:
    """Run a program as the service's user, on our terminal."""
    try:
        user = pwd.getpwnam(NAME)
    except KeyError as error:
        raise AppError(
            f"user {NAME} is not there; `sudo lifeboard service install` makes it"
        ) from error
    groups = [each.gr_gid for name in GROUPS for each in _group(name)]
    home = str(places.state)
    # Signals of the terminal are for the command; we wait until it has tidied up.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = subprocess.Popen(
            line,
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=groups,
            umask=0o027,
            cwd=home,
            env={**os.environ, "HOME": home, "USER": NAME, "LOGNAME": NAME, "LG_WD": home},
            preexec_fn=_hear_interrupts,
        )
        return child.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def _hear_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _group(name: str) -> list[grp.struct_group]:
    with suppress(KeyError):
        return [grp.getgrnam(name)]
    return []


def _systemctl(verb: str, *options: str) -> int:
    try:
        return subprocess.run(["systemctl", verb, *options, UNIT], check=False).returncode
    except FileNotFoundError as error:
        raise AppError("systemctl is not there: the service needs systemd") from error
