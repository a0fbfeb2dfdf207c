"""The PIN of the page: its file, and the tokens of the devices that have given it.

Owns the file, which the service and `lifeboard pin` share, and what a token says. Must not know of
pages, nor of how often anyone may guess.
"""

import hmac
import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from game.app.data import data_folder
from game.app.errors import AppError
from hal.files import write_whole

NAME = "page-pin.json"
PIN_COMMAND = "sudo lifeboard pin"
"""What shows the PIN of the service."""
VERSION = 1
TOKEN_S = 90 * 24 * 3600
"""So long a device keeps control, in seconds."""

_DIGITS = 6
_KEY_BYTES = 32
_MODE = 0o640
_Stamp = tuple[int, int, int] | None

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Secret:
    """The PIN, and the key in hexadecimal digits with which tokens are signed."""

    pin: str
    key: str

    def __post_init__(self) -> None:
        if not (self.pin.isascii() and self.pin.isdecimal() and len(self.pin) == _DIGITS):
            raise ValueError(f"pin is not {_DIGITS} digits")
        if len(bytes.fromhex(self.key)) != _KEY_BYTES:
            raise ValueError(f"key is not {_KEY_BYTES} bytes in hexadecimal")


class Pins:
    """Keep the PIN in a folder, and sign and check tokens; any thread may call.

    The PIN is made when it is first needed. One that another process renews holds at once here.
    A file that makes no sense is kept aside, and a new PIN made. Where the file cannot be written
    or read, a PIN holds until the end of the program, and the log says which. `clock` gives the
    time of day in seconds, since tokens outlive a start.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = folder / NAME
        self._clock = clock
        self._lock = threading.Lock()
        self._held: _Secret | None = None
        self._seen: _Stamp = None

    @property
    def pin(self) -> str:
        """The PIN that holds now."""
        return self._secret().pin

    def renew(self) -> str:
        """Make another PIN, with which all tokens become void, and return it."""
        with self._lock:
            return self._begin().pin

    def is_pin(self, given: str) -> bool:
        """Tell whether this is the PIN, in a time that does not tell how much of it is right."""
        # As bytes, since texts beyond ASCII are not compared so.
        return hmac.compare_digest(
            self._secret().pin.encode(), given.encode("utf-8", errors="replace")
        )

    def token(self) -> str:
        """Make a token that is good for TOKEN_S."""
        until = str(int(self._clock()) + TOKEN_S)
        return f"{until}.{_signature(self._secret(), until)}"

    def is_token(self, given: str) -> bool:
        """Tell whether a token is ours, of this PIN, and not too old."""
        until, _, signature = given.partition(".")
        # Only what is ours is a number that is worth reading.
        signed = _signature(self._secret(), until).encode()
        if not hmac.compare_digest(signed, signature.encode("utf-8", errors="replace")):
            return False
        return self._clock() < int(until)

    def _secret(self) -> _Secret:
        """Return what holds now, read again when the file has changed."""
        with self._lock:
            try:
                stamp = _stamp(self.path)
            except OSError as error:
                # Whether there is a PIN cannot be told, so no other one takes its place.
                return self._hold(error)
            if self._held is not None and stamp == self._seen:
                return self._held
            if stamp is None:
                return self._begin()
            self._seen = stamp
            try:
                self._held = _read(self.path)
            except OSError as error:
                return self._hold(error)
            except ValueError as error:
                return self._begin_beside(error)
            return self._held

    def _begin(self) -> _Secret:
        """Make another PIN and write it, if that can be done."""
        self._held = _made()
        try:
            _write(self.path, self._held)
        except OSError as error:
            self._warn(self._held, "written", error)
        self._seen = None
        with suppress(OSError):
            self._seen = _stamp(self.path)
        return self._held

    def _begin_beside(self, flaw: ValueError) -> _Secret:
        """Make another PIN in place of a damaged file, which is kept."""
        at = datetime.fromtimestamp(self._clock(), UTC).strftime("%Y%m%d-%H%M%S")
        aside = self.path.with_name(f"{NAME}.damaged-{at}")
        try:
            os.replace(self.path, aside)
        except OSError as error:
            return self._hold(error)
        log.warning("PIN file %s cannot be used (%s); kept as %s", self.path, flaw, aside.name)
        return self._begin()

    def _hold(self, error: OSError) -> _Secret:
        """Go on with the PIN that held so far, or with one that no file has."""
        if self._held is None:
            self._held = _made()
            self._warn(self._held, "read", error)
        return self._held

    def _warn(self, secret: _Secret, what: str, error: OSError) -> None:
        # Nobody could learn it otherwise; the log is for those who may look after the board.
        log.warning(
            "PIN file %s cannot be %s: %s; the PIN is %s until the next start and changes then",
            self.path,
            what,
            error.strerror,
            secret.pin,
        )


def shown(data: Path | None, service: Path, new: bool) -> str:
    """Return the PIN that `show` finds in a folder that was named, else in the service's.

    On a computer without a service it is the one that `lifeboard play` keeps in the user's folder.
    """
    if data is not None:
        return show(data, new)
    if service.is_dir():
        return show(service, new)
    mine = data_folder()
    if not mine.is_dir():
        raise AppError(
            f"there is no PIN yet: neither the service's data folder {service} nor yours, {mine},"
            " is there; `lifeboard play --network` shows the PIN that it makes"
        )
    return show(mine, new)


def show(folder: Path, new: bool) -> str:
    """Return the PIN that a folder keeps, made if there is none, or renewed if `new`.

    Raises AppError when that cannot be done; unlike a service it never goes on without the file.
    """
    path = folder / NAME
    if not folder.is_dir():
        raise AppError(f"data folder {folder} is not there; start lifeboard once, it makes it")
    try:
        secret = None if new else _read(path)
    except FileNotFoundError:
        secret = None
    except OSError as error:
        raise _refused(path, "read", error) from error
    except ValueError as error:
        raise AppError(
            f"PIN file {path} cannot be used ({error}); `lifeboard pin --new` makes a new one"
        ) from error
    if secret is None:
        secret = _made()
        try:
            _write(path, secret)
        except OSError as error:
            raise _refused(path, "written", error) from error
    return secret.pin


def _refused(path: Path, what: str, error: OSError) -> AppError:
    way_out = "; put sudo before it" if isinstance(error, PermissionError) else ""
    return AppError(f"PIN file {path} cannot be {what}: {error.strerror}{way_out}")


def _made() -> _Secret:
    pin = "".join(secrets.choice("0123456789") for _ in range(_DIGITS))
    return _Secret(pin, secrets.token_hex(_KEY_BYTES))


def _signature(secret: _Secret, until: str) -> str:
    # With the PIN, so that tokens also end when people write another one into the file.
    signed = f"{until}.{secret.pin}".encode("utf-8", errors="replace")
    return hmac.new(bytes.fromhex(secret.key), signed, "sha256").hexdigest()


def _read(path: Path) -> _Secret:
    """Read the file; raises OSError, or ValueError for one that makes no sense."""
    try:
        what = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError("it is no file of ours") from error
    if not isinstance(what, dict) or what.get("version") != VERSION:
        raise ValueError(f"version is not {VERSION}")
    pin, key = what.get("pin"), what.get("key")
    if not isinstance(pin, str) or not isinstance(key, str):
        raise ValueError("pin or key is no text")
    return _Secret(pin, key)


def _write(path: Path, secret: _Secret) -> None:
    """Write the file for its folder's owner, also when root does it for the service."""
    folder = path.parent
    text = json.dumps({"version": VERSION, **asdict(secret)}) + "\n"
    owner = None
    if os.geteuid() == 0 and folder.exists():
        of = folder.stat()
        owner = of.st_uid, of.st_gid
    write_whole(path, text.encode(), _MODE, owner)


def _stamp(path: Path) -> _Stamp:
    """Return what changes with a file's content; None if there is no file. Raises OSError."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
