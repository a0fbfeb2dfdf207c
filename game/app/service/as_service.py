"""The other commands, run as the service runs: its user, its folders, its board.

Owns which commands these are, what is added to their arguments, and what becomes of files that are
named: people name them from where they are, and the service's user may not look there. How a
process is run as that user stands in `game.app.service.errand`.
"""

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from game.app.boards import find
from game.app.carriers import is_wired
from game.app.errors import AppError
from game.app.service.errand import Errand, resting
from game.app.service.places import NAME, Places
from game.app.service.settings import Settings, read
from hal.errors import ProfileError
from hal.profile import Profile, load

BOARD_TOOLS = ("learn", "calibrate", "monitor", "doctor", "flash")
"""These need the board for themselves."""
READERS = ("history", "show", "export", "import")
"""These work while a game is on."""
_STDIN = "-"
_LOG = "-wal"


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
    out, wanted = _out_of(wanted)
    with Errand(places) as errand:
        wanted = _brought(wanted, errand)
        added = arguments_of(wanted, read(places.settings), places)
        line = [str(program), wanted.command, *added, *wanted.arguments]
        if out is None:
            with resting(wanted.command in BOARD_TOOLS):
                return errand.run(line)
        status, text = errand.listen(line)
        if status == 0:
            _save(text, out, force="--force" in wanted.arguments)
        return status


def arguments_of(wanted: AsService, settings: Settings, places: Places) -> list[str]:
    """Give the arguments that make a command work on the service's board and games."""
    if wanted.command == "flash":
        # It finds the Pico by itself, and wants neither games nor a profile.
        return []
    given = {each.partition("=")[0] for each in wanted.arguments}
    added: list[str] = []

    def add(name: str, value: str) -> None:
        if name not in given:
            added.extend([name, value])

    add("--data", str(places.state))
    if wanted.command not in BOARD_TOOLS:
        return added
    board = _given(wanted, "--board") or settings.board.profile
    backend = _given(wanted, "--backend") or settings.board.carrier(_profile(board, places))
    if wanted.command != "doctor":
        add("--backend", backend)
        if "--no-browser" not in given:
            added.append("--no-browser")
    real = is_wired(backend)
    if wanted.command == "learn":
        if real:
            add("--out", str(places.board))
    elif settings.board.profile is not None:
        add("--board", settings.board.profile)
    elif real and places.board.exists():
        add("--board", str(places.board))
    return added


def _given(wanted: AsService, option: str) -> str:
    """Give what the arguments say for an option; "" for nothing."""
    given = iter(wanted.arguments)
    for each in given:
        name, equals, value = each.partition("=")
        if name == option:
            return value if equals else next(given, "")
    return ""


def _profile(board: str | None, places: Places) -> Profile | None:
    """Load a board, or the service's own; None where there is none, or one that is damaged.

    What is wrong with that the command itself says best, and `learn` can mend it.
    """
    try:
        if board is not None:
            return find(board)
        return load(places.board) if places.board.exists() else None
    except ProfileError:
        return None


def _out_of(wanted: AsService) -> tuple[Path | None, AsService]:
    """Take the file that an export goes to out of its arguments; we write it, not the service."""
    if wanted.command != "export":
        return None, wanted
    out, rest, given = None, [], iter(wanted.arguments)
    for each in given:
        name, equals, value = each.partition("=")
        if name == "--out":
            value = value if equals else next(given, "")
            if not value:
                raise AppError("--out is not followed by the name of a file")
            out = Path(value)
        else:
            rest.append(each)
    return out, replace(wanted, arguments=tuple(rest))


def _brought(wanted: AsService, errand: Errand) -> AsService:
    """Bring files that are to be imported to where the service's user can read them."""
    if wanted.command != "import":
        return wanted
    brought = []
    for number, each in enumerate(wanted.arguments):
        if each.startswith(_STDIN) or not Path(each).is_file():
            # Whatever is no file, the command itself refuses best.
            brought.append(each)
            continue
        # One folder a file: two may have the same name.
        file = errand.folder / str(number) / Path(each).name
        file.parent.mkdir()
        # A games file may have a log beside it, without which it lacks the newest moves.
        for end in ("", _LOG):
            if Path(each + end).is_file():
                shutil.copyfile(each + end, f"{file}{end}")
        brought.append(str(file))
    errand.give_folder()
    return replace(wanted, arguments=tuple(brought))


def _save(text: str, out: Path, *, force: bool) -> None:
    """Write what was exported, for whoever called sudo."""
    from game.app.history.archive import save

    save(text, out, force=force)
    ids = [os.environ.get(name, "") for name in ("SUDO_UID", "SUDO_GID")]
    if all(each.isdigit() for each in ids):
        os.chown(out, int(ids[0]), int(ids[1]), follow_symlinks=False)
