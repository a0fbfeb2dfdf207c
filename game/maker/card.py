"""`lifeboard card`: writes what the first start installs onto a card with Raspberry Pi OS."""

import re
import shutil
from importlib.resources import as_file
from importlib.resources import files as resources
from pathlib import Path

from game.common import AppError
from game.maker.doctor.system import parse
from game.web.access import PIN_FILE as PIN_FILE
from game.web.access import PinSecret
from hal.profile import built_in_names

ARCHITECTURE = "arm64"
FOLDER = "lifeboard"
"""All that is ours on the card, but for `vendor-data`, which cloud-init looks for above it."""
LOG = "log.txt"
"""Written by the first start."""
IMAGER = "Write it with Raspberry Pi Imager 2: Raspberry Pi OS Lite (64-bit)"

_PACKAGE = r"lifeboard_(.+)_(\w+)\.deb"
_SPARE_BYTES = 1_000_000
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
        raise AppError(f"{package} is no package of lifeboard; `make card` builds one")
    if named[2] != ARCHITECTURE:
        raise AppError(
            f"{package} is for processors of the kind {named[2]}: allowed is {ARCHITECTURE}, which"
            " `make card` builds"
        )
    if board not in (None, *built_in_names()):
        raise AppError(f'board "{board}": allowed are {", ".join(built_in_names())}')
    if not files:
        check(boot, package.stat().st_size)
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


def check(boot: Path, size: int) -> None:
    """Raise AppError unless this is a new card with the right system and room for `size` bytes."""
    config, issue, ours = boot / "config.txt", boot / "issue.txt", boot / FOLDER
    text = config.read_text("utf-8", "replace") if config.is_file() else ""
    system = issue.read_text("utf-8", "replace") if issue.is_file() else "no issue.txt"
    system = " ".join(system.split())
    free = shutil.disk_usage(boot).free + sum(file.stat().st_size for file in ours.glob("*"))
    if not config.is_file():
        why = "is no boot partition of a Raspberry Pi: it has no config.txt. Name the drive"
        why += " of the card that is called bootfs"
    elif "pi-gen" not in system:
        why = f"is not Raspberry Pi OS: it has {system}. {IMAGER}"
    elif parse(text, "all").get("arm_64bit") != "1":
        why = f"has a system of 32 bits ({system}): its config.txt lacks arm_64bit=1. {IMAGER}"
    elif not (boot / "meta-data").is_file() or not (boot / "user-data").is_file():
        why = f"has a system older than Trixie ({system}): it has no meta-data and user-data,"
        why += f" which its first start would read. {IMAGER}"
    elif (boot / "firstrun.sh").exists():
        why = "was written by an Imager before version 2 (it has firstrun.sh), so that its"
        why += f" account and Wi-Fi would not be set. {IMAGER}"
    elif (ours / LOG).exists():
        why = f"has been started with lifeboard already: {ours / LOG} tells how that went."
        why += f" {IMAGER}, or update the board by `sudo apt install`"
    elif free < size + _SPARE_BYTES:
        why = f"is full: lifeboard needs {(size + _SPARE_BYTES) / 1e6:.0f} MB, and"
        why += f" {free / 1e6:.1f} MB are free"
    else:
        return
    raise AppError(f"{boot} {why}")


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
    built = folder.glob(f"lifeboard_*_{ARCHITECTURE}.deb")
    if newest := max(built, key=lambda file: file.stat().st_mtime, default=None):
        return newest
    why = f"no package for {ARCHITECTURE} is in {folder}: `make card` builds one, and --package"
    raise AppError(f"{why} names another")
