"""The PIN of the page: its file, and the tokens of the devices that have entered it.

Owns the file, which the service and `lifeboard pin` share, and the content of a token. The devices
are stored by `game.web.access.devices`. Must not know pages, nor how often the PIN may be tried.
"""

import hmac
import logging
import os
import re
import secrets
import shutil
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from itsdangerous import BadSignature, Signer

from game.common import read_json, write_json
from game.web.access.devices import DEVICES_FOLDER, Devices

PIN_FILE = "page-pin.json"
PIN_COMMAND = "sudo lifeboard pin"
"""Shows the PIN of the service."""
VERSION = 1

_KEY_BYTES = 32
_MODE = 0o600

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PinSecret:
    """The PIN, and the key in hexadecimal digits that signs tokens."""

    pin: str
    key: str

    @classmethod
    def make(cls) -> "PinSecret":
        pin = "".join(secrets.choice("0123456789") for _ in range(6))
        return cls(pin, secrets.token_hex(_KEY_BYTES))

    @classmethod
    def read(cls, path: Path) -> "PinSecret":
        """Read a PIN file; raises OSError or ValueError."""
        content = read_json(path, VERSION)
        pin, key = str(content.get("pin")), str(content.get("key"))
        if not re.fullmatch("[0-9]{6}", pin) or len(bytes.fromhex(key)) != _KEY_BYTES:
            raise ValueError(f"pin is not 6 digits, or key not {_KEY_BYTES} bytes in hexadecimal")
        return cls(pin, key)

    def write(self, path: Path) -> None:
        """Write a PIN file for its folder's owner, also when root does it for the service."""
        owner = None
        if os.geteuid() == 0 and path.parent.exists():
            folder = path.parent.stat()
            owner = folder.st_uid, folder.st_gid
        write_json(path, VERSION, asdict(self), _MODE, owner)
        # The tokens of the earlier PIN's devices are void.
        shutil.rmtree(path.with_name(DEVICES_FOLDER), ignore_errors=True)

    def signer(self, what: str = "device") -> Signer:
        """Return the signer of tokens; its key includes the PIN, so an edited PIN voids them."""
        salt = f"lifeboard.{what}".encode()
        return Signer(self.key + self.pin, salt=salt, digest_method=sha256)


class Pins:
    """Keeps the PIN in a folder, and signs and checks the tokens of `devices`; thread-safe.

    The PIN is made when it is first needed, and one that another process writes is valid at once. A
    damaged file is replaced. Where the file cannot be read or written, a PIN is valid until the
    program ends, and the log says which. `clocks` return the time of day and monotonic seconds.
    """

    def __init__(self, folder: Path, *clocks: Callable[[], float]) -> None:
        self.path = folder / PIN_FILE
        self.devices = Devices(folder, *clocks)
        self._lock = threading.Lock()
        self._held: PinSecret | None = None
        self._unsaved = False

    @property
    def pin(self) -> str:
        return self._secret().pin

    @property
    def watch_token(self) -> str:
        """The token of links for watching only."""
        return self._secret().signer("watch").get_signature("watch").decode()

    def is_pin(self, given: str) -> bool:
        """Return whether this is the PIN, in constant time."""
        return same(self._secret().pin, given)

    def is_watch_token(self, given: str) -> bool:
        """Return whether this is the token of links for watching only."""
        return same(self.watch_token, given)

    def token(self, agent: str = "") -> str:
        """Make a token for a new device with this User-Agent."""
        return self._secret().signer().sign(self.devices.add(agent)).decode()

    def is_token(self, given: str) -> bool:
        """Return whether a token is signed with this PIN, for a device not expired or removed."""
        device = self.device(given)
        return bool(device) and self.devices.see(device)

    def device(self, given: str) -> str:
        """Return the name of a token's device, "" unless it is signed with this PIN."""
        try:
            return self._secret().signer().unsign(given.encode(errors="replace")).decode()
        except BadSignature:
            return ""

    def _secret(self) -> PinSecret:
        """Return the valid secret, read from the file."""
        with self._lock:
            try:
                self._held, self._unsaved = PinSecret.read(self.path), False
                return self._held
            except ValueError as flaw:
                log.warning("PIN file %s cannot be used (%s) and is replaced", self.path, flaw)
            except FileNotFoundError:
                if self._held and self._unsaved:
                    return self._held
            except OSError as error:
                # The file may be intact, so it is not replaced.
                return self._held or self._keep(PinSecret.make(), error)
            self._held = PinSecret.make()
            try:
                self._held.write(self.path)
            except OSError as error:
                self._keep(self._held, error)
            return self._held

    def _keep(self, secret: PinSecret, error: OSError) -> PinSecret:
        """Hold a secret without a file until the program ends."""
        self._held, self._unsaved = secret, True
        # Nothing else can show this PIN; only administrators read the log.
        text = "PIN file %s: %s; the PIN is %s until the next start and changes then"
        log.warning(text, self.path, error.strerror, secret.pin)
        return secret


def same(ours: str, given: str) -> bool:
    """Compare in constant time; as bytes, since only ASCII texts can be compared this way."""
    return hmac.compare_digest(ours.encode(), given.encode(errors="replace"))
