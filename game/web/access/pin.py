"""The PIN of the page: its file, and the tokens of the devices that have entered it.

Owns the file, which the service and `lifeboard pin` share, and the content of a token. Must not
know pages, nor how often the PIN may be tried.
"""

import hmac
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from itsdangerous import BadSignature, Signer

from game.common.data_folder import data_folder
from game.common.errors import AppError
from game.common.json_file import read_json, write_json

NAME = "page-pin.json"
PIN_COMMAND = "sudo lifeboard pin"
"""Shows the PIN of the service."""
VERSION = 1
TOKEN_S = 90 * 24 * 3600
"""How long a device keeps control, in seconds."""

_DIGITS = 6
_KEY_BYTES = 32
_MODE = 0o600

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Secret:
    """The PIN, and the key in hexadecimal digits that signs tokens."""

    pin: str
    key: str

    @classmethod
    def make(cls) -> "_Secret":
        pin = "".join(secrets.choice("0123456789") for _ in range(_DIGITS))
        return cls(pin, secrets.token_hex(_KEY_BYTES))

    @classmethod
    def read(cls, path: Path) -> "_Secret":
        """Read a PIN file; raises OSError or ValueError."""
        content = read_json(path, VERSION)
        pin, key = str(content.get("pin")), str(content.get("key"))
        if not (pin.isascii() and pin.isdecimal() and len(pin) == _DIGITS):
            raise ValueError(f"pin is not {_DIGITS} digits")
        if len(bytes.fromhex(key)) != _KEY_BYTES:
            raise ValueError(f"key is not {_KEY_BYTES} bytes in hexadecimal")
        return cls(pin, key)

    def write(self, path: Path) -> None:
        """Write a PIN file for its folder's owner, also when root does it for the service."""
        owner = None
        if os.geteuid() == 0 and path.parent.exists():
            folder = path.parent.stat()
            owner = folder.st_uid, folder.st_gid
        write_json(path, VERSION, asdict(self), _MODE, owner)

    @property
    def signer(self) -> Signer:
        # Signs with the PIN too, so that tokens also end when the file is edited by hand.
        return Signer(self.key + self.pin, salt=b"lifeboard.page", digest_method=sha256)


class Pins:
    """Keeps the PIN in a folder, and signs and checks tokens; thread-safe.

    The PIN is made when it is first needed, and one that another process writes is valid at once. A
    damaged file is replaced. Where the file cannot be read or written, a PIN is valid until the
    program ends, and the log says which. `clock` returns the time of day, since tokens outlive a
    restart.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = folder / NAME
        self._clock = clock
        self._lock = threading.Lock()
        self._held: _Secret | None = None
        self._unsaved = False

    @property
    def pin(self) -> str:
        """The valid PIN."""
        return self._secret().pin

    def is_pin(self, given: str) -> bool:
        """Tell whether this is the PIN, in constant time."""
        # As bytes, since only ASCII texts can be compared this way.
        return hmac.compare_digest(self._secret().pin.encode(), given.encode(errors="replace"))

    def token(self) -> str:
        """Make a token that is valid for TOKEN_S."""
        return self._secret().signer.sign(str(int(self._clock()) + TOKEN_S)).decode()

    def is_token(self, given: str) -> bool:
        """Tell whether a token is signed with this PIN, and not expired.

        A token contains its end, not its start: a Raspberry Pi has no battery-backed clock, and
        after a boot the time may be earlier than the start.
        """
        try:
            until = self._secret().signer.unsign(given.encode(errors="replace"))
        except BadSignature:
            return False
        return self._clock() < int(until)

    def _secret(self) -> _Secret:
        """Return the valid secret, read from the file."""
        with self._lock:
            try:
                self._held = _Secret.read(self.path)
            except FileNotFoundError:
                return self._held if self._held and self._unsaved else self._make()
            except OSError as error:
                # The file may be intact, so it is not replaced.
                if self._held is None:
                    self._held = _Secret.make()
                    self._warn("read", error)
            except ValueError as flaw:
                log.warning("PIN file %s cannot be used (%s) and is replaced", self.path, flaw)
                return self._make()
            return self._held

    def _make(self) -> _Secret:
        """Make another PIN and write it, if possible."""
        self._held, self._unsaved = _Secret.make(), False
        try:
            self._held.write(self.path)
        except OSError as error:
            self._unsaved = True
            self._warn("written", error)
        return self._held

    def _warn(self, what: str, error: OSError) -> None:
        # Nothing else can show this PIN; only administrators read the log.
        log.warning(
            "PIN file %s cannot be %s: %s; the PIN is %s until the next start and changes then",
            self.path,
            what,
            error.strerror,
            self._held and self._held.pin,
        )


def shown(data: Path | None, service: Path, new: bool) -> str:
    """Return the PIN of a given folder, else of the service's, else of the user's own folder.

    It is made if missing, and replaced if `new`. Raises AppError where it cannot be saved.
    """
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
    path, doing = data / NAME, "read"
    try:
        if not new and path.exists():
            return _Secret.read(path).pin
        doing, secret = "written", _Secret.make()
        secret.write(path)
    except ValueError as error:
        raise AppError(
            f"PIN file {path} cannot be used ({error}); `lifeboard pin --new` makes a new one"
        ) from error
    except OSError as error:
        remedy = "; put sudo before it" if isinstance(error, PermissionError) else ""
        raise AppError(f"PIN file {path} cannot be {doing}: {error.strerror}{remedy}") from error
    return secret.pin
