"""The commands that `lifeboard service` runs as the service's user, on its board and games.

Owns the arguments that are added to a command, its rights and its signals. Files that people name
are copied first, since the service's user may not be able to read them. While a command needs the
board, the service is stopped.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from game.common import AppError
from game.play import find_board
from game.service.paths import COMMAND, NAME, UNIT, ServicePaths
from game.service.settings import Settings, read
from game.service.unit import check_root, properties, systemctl
from hal.backends.registry import capabilities
from hal.base.errors import ProfileError
from hal.profile import Profile, load

BOARD_TOOLS = ("learn", "calibrate", "monitor", "doctor", "flash")
"""These need the board for themselves."""
_STDIN = "-"
_KEPT = ("PATH", "TERM", "LANG", "LANGUAGE", "TZ")
"""Variables of root's environment that a command gets, besides LC_*."""


def run_command(command: str, arguments: tuple[str, ...], paths: ServicePaths) -> int:
    """Run a command as the service's user and return its exit status; raises AppError."""
    check_root(command, COMMAND)
    out: Path | None = None
    if command == "export":
        # Root writes the file.
        found, arguments = _options(arguments, "--out")
        if found.out == "":
            raise AppError("--out is not followed by the name of a file")
        out = None if found.out is None else Path(found.out)
    end_orderly()
    with tempfile.TemporaryDirectory(prefix=f"{NAME}-") as folder:
        if command == "import":
            arguments = _copied(arguments, Path(folder))
        added = added_arguments(command, arguments, read(paths.settings), paths)
        line = [str(COMMAND), command, *added, *arguments]
        with service_stopped(command in BOARD_TOOLS):
            status, text = run_as_user(line, str(paths.data), capture=out is not None)
        if out is not None and status == 0:
            _save(text, out, force="--force" in arguments)
    return status


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
        found, _ = _options(arguments, "--board", "--backend")
        board = found.board or settings.board.profile
        backend = found.backend or settings.board.carrier(_profile(board, paths))
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


def _options(arguments: tuple[str, ...], *names: str) -> tuple[argparse.Namespace, tuple[str, ...]]:
    """Take options out of arguments: None for one that is missing, "" for one without a value."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name in names:
        parser.add_argument(name, nargs="?", const="")
    found, others = parser.parse_known_args(arguments)
    return found, tuple(others)


def _profile(board: str | None, paths: ServicePaths) -> Profile | None:
    # The command reports what is wrong with a damaged one, and `learn` can replace it.
    with suppress(ProfileError):
        if board is not None:
            return find_board(board)
        return load(paths.board) if paths.board.exists() else None
    return None


def _copied(arguments: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Copy the files of an import to where the service's user can read them."""
    found = list(arguments)
    for number, each in enumerate(arguments):
        # The command itself refuses what is not a file.
        if not each.startswith(_STDIN) and Path(each).is_file():
            # Two files may have the same name.
            copy = folder / str(number) / Path(each).name
            copy.parent.mkdir()
            found[number] = shutil.copyfile(each, str(copy))
    # Change the folder's owner last: until then its user cannot put links into it.
    for path in (*folder.rglob("*"), folder):
        shutil.chown(path, NAME, NAME)
    return tuple(found)


def _save(text: str, out: Path, *, force: bool) -> None:
    """Write an export, for the user who called sudo."""
    from game.store import save

    save(text, out, force=force)
    ids = [os.environ.get(name, "") for name in ("SUDO_UID", "SUDO_GID")]
    if all(each.isdigit() for each in ids):
        os.chown(out, int(ids[0]), int(ids[1]), follow_symlinks=False)


def run_as_user(line: Sequence[str], home: str, *, capture: bool = False) -> tuple[int, str]:
    """Run a program as the service's user; return its exit status, and its output if captured.

    A signal that ends us ends the program first. Unless its output is captured, it uses our
    terminal.
    """
    environment = {
        key: value for key, value in os.environ.items() if key in _KEPT or key.startswith("LC_")
    }
    environment |= {"HOME": home, "LG_WD": home, "USER": NAME, "LOGNAME": NAME}
    rights = ("--reuid", NAME, "--regid", NAME, "--init-groups", "--pdeathsig", "TERM")
    with subprocess.Popen(
        ["setpriv", *rights, "--", *line],
        env=environment,
        umask=0o077,
        stdout=subprocess.PIPE if capture else None,
        encoding="utf-8",
        errors="replace",
    ) as child:
        try:
            text, _ = child.communicate()
        except SystemExit:
            child.terminate()
            child.wait()
            raise
    status = child.returncode
    return (status if status >= 0 else 128 - status), text or ""


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
    runs = needed and properties().get("ActiveState") in ("active", "activating", "reloading")
    try:
        if runs:
            _say("the service is stopped meanwhile")
            if systemctl("stop", UNIT).returncode:
                raise AppError(f"{UNIT} cannot be stopped; see `systemctl status {UNIT}`")
        yield
    finally:
        if runs:
            if systemctl("start", UNIT).returncode:
                raise AppError(f"{UNIT} does not start again; see `sudo journalctl -u lifeboard`")
            # systemd limits the number of starts; this one is not a crash.
            systemctl("reset-failed", UNIT)
            _say("the service runs again")


def _say(text: str) -> None:
    # The terminal may be gone.
    with suppress(OSError):
        print(f"lifeboard: {text}", file=sys.stderr, flush=True)
