"""The commands that `lifeboard service` runs as the service's user, on its board and games.

Owns the arguments that are added, and copies of the files that people name, since the service's
user may have no access to these.
"""

import argparse
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from game.common import AppError
from game.play import find_board
from game.service.paths import COMMAND, NAME, ServicePaths
from game.service.run_as_user import orderly_end, run_as_user, service_stopped
from game.service.settings import Settings, read
from game.service.unit import check_root
from hal.backends.registry import capabilities
from hal.base.errors import ProfileError
from hal.profile import Profile, load

BOARD_TOOLS = ("learn", "calibrate", "monitor", "doctor", "flash")
"""These need the board for themselves."""
_STDIN = "-"


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
    with orderly_end(), tempfile.TemporaryDirectory(prefix=f"{NAME}-") as folder:
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
