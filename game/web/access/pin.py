"""The PIN of the page and the devices that entered it, in files that `lifeboard pin` shares."""

import hmac
import logging
import os
import secrets
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from itsdangerous import BadSignature, Signer

from game.common import PageError, read_json, write_json
from game.rules.base.message import Message, say
from hal.base import schema
from hal.base.files import write_whole

PIN_FILE = "page-pin.json"
PIN_COMMAND = "sudo lifeboard pin"
"""Shows the PIN of the service."""
VERSION = 1
DEVICES_FOLDER = "page-devices"
MAX_DEVICES = 64
"""More than a household has; one more replaces the device that was seen longest ago."""
SEEN_S = 3600
"""Precision of the time when a device was last seen, so that a memory card is rarely written."""
MAX_AGENT = 300
"""Most bytes of a User-Agent that are stored; browsers send less than 200."""

_KEY_BYTES = 32
_MODE = 0o600
# The first that occurs counts: browsers also name those that they resemble.
_BROWSERS = {"Edg": "Edge", "OPR/": "Opera", "SamsungBrowser/": "Samsung Internet"}
_BROWSERS |= {"Firefox/": "Firefox", "FxiOS/": "Firefox", "Chrome/": "Chrome", "CriOS/": "Chrome"}
_BROWSERS |= {"Safari/": "Safari"}
_SYSTEMS = ("Android", "iPhone", "iPad", "CrOS", "Windows", "Mac", "Linux")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """A device that has entered the PIN; `last_seen` is in seconds since 1970."""

    name: str
    agent: str
    last_seen: float

    @property
    def words(self) -> Message:
        """Its browser and system, such as "Chrome on Android"."""
        browser = next((word for part, word in _BROWSERS.items() if part in self.agent), None)
        system = next((word for word in _SYSTEMS if word in self.agent), None)
        if browser is None or system is None:
            return say("access.device_unknown")
        return say("access.device", browser=browser, system=system)


class Devices:
    """Keeps devices in a data folder; thread-safe. `clock` returns the time of day.

    Each has a small file, so that one process can remove a device while another one sees it. The
    file contains the User-Agent; its modification time is when the device was last seen.
    """

    def __init__(self, data: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = data / DEVICES_FOLDER
        self._clock = clock

    def listed(self) -> list[KnownDevice]:
        """List the devices in the order in which they were added."""
        found = []
        for file in sorted(self._folder.glob("*-*[0-9a-f]")):
            # Another process may remove it meanwhile.
            with suppress(OSError):
                agent = file.read_text(encoding="utf-8", errors="replace")
                found.append(KnownDevice(file.name, agent, file.stat().st_mtime))
        return found

    def add(self, agent: str) -> str:
        """Add a device and return its name; raises OSError."""
        with suppress(OSError):
            known = sorted(self._folder.glob("*-*"), key=os.path.getmtime)
            for file in known[: 1 - MAX_DEVICES]:
                file.unlink()
        name = f"{int(1000 * self._clock())}-{secrets.token_hex(8)}"
        self._folder.mkdir(0o700, parents=True, exist_ok=True)
        write_whole(self._folder / name, agent.encode(errors="replace")[:MAX_AGENT], _MODE)
        return name

    def see(self, name: str) -> bool:
        """Note that a device was seen; return False if it is unknown or removed."""
        now, file = self._clock(), self._folder / name
        try:
            # The clock may have been ahead.
            if abs(now - file.stat().st_mtime) >= SEEN_S:
                os.utime(file, (now, now))
        except OSError:
            return file.exists()
        return True

    def remove(self, name: str) -> None:
        """Remove a device at once, if it is there; the log says where it cannot be removed."""
        try:
            if name:
                (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            log.warning("device cannot be removed: %s", error)


class PinSecret(schema.Struct, frozen=True):
    """The PIN, and the key in hexadecimal digits that signs tokens."""

    pin: Annotated[schema.Secret, schema.Meta(pattern=r"^[0-9]{6}\Z", title="6 digits")]
    key: Annotated[schema.Secret, schema.Meta(pattern=r"^[0-9a-f]{64}\Z", title="32 bytes, in hex")]

    @classmethod
    def make(cls) -> "PinSecret":
        pin = "".join(secrets.choice("0123456789") for _ in range(6))
        return cls(pin, secrets.token_hex(_KEY_BYTES))

    @classmethod
    def read(cls, path: Path) -> "PinSecret":
        """Read a PIN file; raises OSError or ValueError."""
        return schema.convert(read_json(path, VERSION), cls)

    def write(self, path: Path) -> None:
        """Write a PIN file for its folder's owner, also when root does it for the service."""
        owner = None
        if os.geteuid() == 0 and path.parent.exists():
            folder = path.parent.stat()
            owner = folder.st_uid, folder.st_gid
        write_json(path, VERSION, schema.asdict(self), _MODE, owner)
        # The tokens of the earlier PIN's devices are void.
        shutil.rmtree(path.with_name(DEVICES_FOLDER), ignore_errors=True)

    def signer(self, what: str = "device") -> Signer:
        """Return the signer of tokens; its key includes the PIN, so an edited PIN voids them."""
        salt = f"lifeboard.{what}".encode()
        return Signer(self.key + self.pin, salt=salt, digest_method=sha256)


class Pins:
    """Keeps the PIN in a folder, and signs and checks the tokens of `devices`; thread-safe.

    The PIN is made when it is first needed, and one that another process writes is valid at once. A
    damaged file is replaced. All raise PageError where the file cannot be read or written.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = folder / PIN_FILE
        self.devices = Devices(folder, clock)
        self._lock = threading.Lock()

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
        return same(self.watch_token, given)

    def token(self, agent: str = "") -> str:
        """Make a token for a new device with this User-Agent."""
        return self._secret().signer().sign(self.devices.add(agent)).decode()

    def is_token(self, given: str) -> bool:
        """Return whether a token is signed with this PIN, for a device that is not removed."""
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
        try:
            with self._lock:
                try:
                    return PinSecret.read(self.path)
                except FileNotFoundError:
                    pass
                except ValueError as flaw:
                    log.warning("PIN file %s cannot be used (%s) and is replaced", self.path, flaw)
                made = PinSecret.make()
                made.write(self.path)
                return made
        except OSError as error:
            raise PageError(f"PIN file {self.path}: {error.strerror}") from error


def same(ours: str, given: str) -> bool:
    """Compare in constant time; as bytes, since only ASCII texts can be compared this way."""
    return hmac.compare_digest(ours.encode(), given.encode(errors="replace"))
