"""`lifeboard card`: writes onto a card with Raspberry Pi OS what its first start installs."""

import re
import shutil
from importlib.resources import as_file
from importlib.resources import files as resources
from pathlib import Path

from game.common import AppError
from game.web.access import PIN_FILE, PinSecret
from hal.profile import built_in_names

FOLDER = "lifeboard"
"""Has all our files on the card but `vendor-data`, which cloud-init expects beside it."""
LOG = "log.txt"
"""Written by the first start."""
IMAGER = "Write it with Raspberry Pi Imager 2: Raspberry Pi OS Lite (64-bit)"

_PACKAGE = r"lifeboard_(.+)_arm64\.deb"
_SETTINGS = """\
# Written by `lifeboard card`. All settings, with a word on each:
# /usr/share/lifeboard/lifeboard.toml
{board}[page]
network = true
hotspot = true
"""


def prepare(boot: Path, package: Path | None, board: str | None, files: bool) -> str:
    """Write the files of the first start, and return what to do then; raises AppError.

    `boot` is where the card's boot partition is mounted, or any folder if `files` are asked for.
    """
    package = package or _newest(Path("dist"))
    named = re.fullmatch(_PACKAGE, package.name)
    if named is None or not package.is_file():
        raise AppError(f"{package} is no package of lifeboard for arm64; `make card` builds one")
    if board not in (None, *built_in_names()):
        raise AppError(f'board "{board}": allowed are {", ".join(built_in_names())}')
    if not files:
        check(boot)
    pin = write(package, boot, board)
    if files:
        return f"Copy all that is in {boot} onto the card, the drive `bootfs`. PIN: {pin}"
    user_data = boot / "user-data"
    name = re.search(r"^hostname: *(\S+)", user_data.read_text("utf-8"), re.MULTILINE)
    return (
        f"{boot} has lifeboard {named[1]}. Eject it, put the card into the Raspberry Pi and"
        f" switch it on. Some minutes later the page is at"
        f" http://{name[1] if name else FOLDER}.local:8765/; its PIN is {pin}"
    )


def check(boot: Path) -> None:
    """Raise AppError unless this is a new card with the right system."""
    config, log = boot / "config.txt", boot / FOLDER / LOG
    if not config.is_file():
        raise AppError(
            f"{boot} is no boot partition of a Raspberry Pi: it has no config.txt. Name the drive"
            " of the card that is called bootfs"
        )
    lines = config.read_text("utf-8", "replace").splitlines()
    # Older Imagers write firstrun.sh, which would not set account and Wi-Fi here.
    new = (boot / "meta-data").is_file() and (boot / "user-data").is_file()
    if "arm_64bit=1" not in lines or not new or (boot / "firstrun.sh").exists():
        raise AppError(f"{boot} is no new card with the right system. {IMAGER}")
    if log.exists():
        raise AppError(
            f"{boot} has been started with lifeboard already: {log} tells how that went. {IMAGER},"
            " or update the board on its page"
        )


def write(package: Path, boot: Path, board: str | None) -> str:
    """Write all files, in place of earlier ones, and return the PIN that is among them."""
    ours = boot / FOLDER
    shutil.rmtree(ours, ignore_errors=True)
    ours.mkdir(parents=True)
    shutil.copyfile(package, ours / package.name)
    profile = "" if board is None else f'[board]\nprofile = "{board}"\n\n'
    (ours / "lifeboard.toml").write_text(_SETTINGS.format(board=profile), "utf-8")
    secret = PinSecret.make()
    secret.write(ours / PIN_FILE)
    with as_file(resources("game.maker") / "first_boot") as source:
        shutil.copyfile(source / "config.txt", ours / "config.txt")
        shutil.copyfile(source / "vendor-data", boot / "vendor-data")
    return secret.pin


def _newest(folder: Path) -> Path:
    built = folder.glob("lifeboard_*_arm64.deb")
    if newest := max(built, key=lambda file: file.stat().st_mtime, default=None):
        return newest
    raise AppError(f"no package for arm64 is in {folder}: `make card` builds one")
