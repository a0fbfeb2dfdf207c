"""What `lifeboard pin` shows and changes in a data folder, also while the service runs."""

import os
import time
from pathlib import Path

from game.common import AppError, data_folder, system_language, words
from game.web.access import (
    CERTIFICATE_FILE,
    DEVICES_FOLDER,
    PIN_FILE,
    Devices,
    PinSecret,
    fingerprint,
)


def shown(folder: Path, new: bool) -> str:
    """Return the PIN, made if missing, and replaced if `new`; raises AppError if it cannot be."""
    path, doing = folder / PIN_FILE, "read"
    try:
        if not new and path.exists():
            return PinSecret.read(path).pin
        doing, secret = "written", PinSecret.make()
        secret.write(path)
    except ValueError as error:
        raise AppError(
            f"PIN file {path} cannot be used ({error}); `lifeboard pin --new` makes a new one"
        ) from error
    except OSError as error:
        remedy = "; put sudo before it" if isinstance(error, PermissionError) else ""
        raise AppError(f"PIN file {path} cannot be {doing}: {error.strerror}{remedy}") from error
    return secret.pin


def own_fingerprint(folder: Path) -> str:
    """Return the fingerprint of the folder's certificate; raises OSError or ValueError."""
    return fingerprint((folder / CERTIFICATE_FILE).read_text(encoding="ascii"))


def devices(folder: Path, remove: int | None = None) -> list[str]:
    """Describe each device in a numbered line, after removing the one with the number `remove`.

    Raises OSError where they cannot be read, and AppError if there is none with this number.
    """
    if (folder / DEVICES_FOLDER).exists():
        os.listdir(folder / DEVICES_FOLDER)  # raises OSError, unlike `listed`
    known, lines, speak = Devices(folder, time.time), [], words(system_language())
    if remove is not None:
        listed = known.listed()
        if not 1 <= remove <= len(listed):
            raise AppError(f"--remove is {remove}; allowed: 1 to {len(listed)}")
        known.remove(listed[remove - 1].name)
    for number, each in enumerate(known.listed(), start=1):
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.last_seen))
        lines.append(f"{number:>3}  {day}  {speak.text(each.words)}")
    return lines or ["no device has entered the PIN"]


def pin_folder(data: Path | None, service: Path) -> Path:
    """Return a given folder, else the service's, else the user's own; raises AppError for none."""
    if data is None:
        mine = data_folder()
        data = service if service.is_dir() else mine
        if not data.is_dir():
            raise AppError(
                f"there is no PIN yet: neither the service's data folder {service} nor yours,"
                f" {mine}, is there; `lifeboard play --network` shows the PIN that it makes"
            )
    if not data.is_dir():
        raise AppError(f"data folder {data} is not there; start lifeboard once, it makes it")
    return data
