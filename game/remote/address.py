"""The address of a room, its board or broker and its code, and the room chosen on the page.

In one network it is `http://HOST:PORT/room#CODE`, the link of the board that offers it, or the
code alone, by which that board is found. At a broker it is
`mqtts://USER@HOST:PORT/CODE?side=1&password_file=FILE&ca_file=FILE`; all but host and code can be
left out. No password stands in an address, since every user of a computer can read its commands.

At its next start, a service returns to the room that was chosen on its page. When the room is left,
its broker and password stay in a file that only the owner can read.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from game.common import AppError, read_json, write_json
from game.remote.chain import CODE_LETTERS, DRAWN_CODE, LONGEST_CODE, SHORTEST_CODE
from game.remote.link import recorded_side
from game.rules.base.game import AnyGame
from game.rules.base.names import player_name

log = logging.getLogger(__name__)

PORTS = {"mqtt": 1883, "mqtts": 8883, "http": 80, "https": 443}
BROKERS = "mqtt", "mqtts"
NEW = "new"
"""In place of a code: a new code is drawn, and this board is side 1."""
_ALLOWED = (
    "new, CODE or http://HOST:PORT/room#CODE, or at a broker mqtt://HOST/new, mqtt://HOST/CODE or"
    " mqtts://USER@HOST/CODE?password_file=FILE"
)
_FILES = ("password_file", "ca_file")
CHOSEN_VERSION = 1


@dataclass(frozen=True, slots=True)
class Address:
    """Where a room is. `side` is None if the room's record has it, or to join as side 2.

    A `direct` room is at a board of this network, whose `host` may be unknown; others are at a
    broker. A `password` entered on the page replaces the password file.
    """

    host: str
    port: int
    tls: bool
    code: str
    direct: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    side: int | None = None
    password_file: Path | None = None
    ca_file: Path | None = None

    @property
    def broker(self) -> str:
        """The name of the broker or board, and its port if that is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = self.port == PORTS[self._scheme]
        return host if usual else f"{host}:{self.port}"

    @property
    def reach(self) -> tuple[str, int, bool, str]:
        """What a password is valid for: host, port, whether by TLS, and user."""
        return self.host, self.port, self.tls, self.user

    @property
    def link(self) -> str:
        """The address without what belongs to one board: user, password and side."""
        if not self.direct:
            return f"{self._scheme}://{self.broker}/{self.code}"
        return f"{self._scheme}://{self.broker}/room#{self.code}" if self.host else self.code

    @property
    def _scheme(self) -> str:
        return ("http" if self.direct else "mqtt") + "s" * self.tls

    def drawn(self, chance: Random) -> "Address":
        """Return the address; if its code is NEW, with a new code and this board as side 1."""
        if self.code != NEW:
            return self
        letters = SHORTEST_CODE if self.direct else DRAWN_CODE
        code = "".join(chance.choice(CODE_LETTERS) for _ in range(letters))
        return replace(self, code=code, side=1)


def check_game(game: AnyGame) -> None:
    """Raise AppError for a game that cannot be played in a room."""
    if game.hidden:
        raise AppError(
            f"{game.title} cannot be played with another board: each board would know what the"
            " other player hides"
        )
    if len(game.players) != 2:
        raise AppError(f"{game.title} has {len(game.players)} players, and a room has two boards")


def read_address(text: str) -> Address:
    """Read an address; raises AppError, which never quotes a password."""
    direct = "://" not in text or text.startswith("http")
    address, chosen = read_broker(text, "room", _ALLOWED, ("side",), direct)
    code = address.code.lower()
    drawn = code == NEW or (code.isalnum() and SHORTEST_CODE <= len(code) <= LONGEST_CODE)
    if not (drawn and code.isascii()):
        raise AppError(
            f"the code of the room is {code[:LONGEST_CODE]!r}; allowed: {SHORTEST_CODE} -"
            f" {LONGEST_CODE} letters and digits, or {NEW}"
        )
    side = chosen.get("side")
    if side not in (None, "1", "2"):
        raise AppError(f"the side in the room's address is {side!r}; allowed: 1 and 2")
    return replace(address, code=code, side=int(side) if side else None)


def read_broker(
    text: str, what: str, allowed: str, more: tuple[str, ...] = (), direct: bool = False
) -> tuple[Address, dict[str, str]]:
    """Read the address of something at a broker; the part after the host is the unchecked `code`.

    A `direct` address is the link of a board, or the code alone. Also return its query settings;
    `more` names those allowed besides files. Raises AppError, which names `what` is addressed and
    what is `allowed`, and never quotes a password.
    """
    try:
        url = urlsplit(text)
        # Raises UnicodeError for an empty or long label; turns each kind of blank into a space.
        host = (url.hostname or "").encode("idna")
        port = url.port or PORTS.get(url.scheme, 0)
        chosen = dict(parse_qsl(url.query, strict_parsing=True)) if url.query else {}
        at_board = direct and (url.path == "/room" or not url.hostname)
        at_broker = url.scheme in BROKERS and url.hostname and not url.fragment
        if not (at_board or at_broker) or b" " in host:
            raise ValueError("it names no broker or board")
    except ValueError as error:
        raise AppError(f"the address of the {what} is wrong: {error}; allowed: {allowed}") from None
    if url.password is not None:
        raise AppError(
            f"a password belongs into a file: name it in the address of the {what}, as in"
            " ?password_file=FILE"
        )
    ends = more if direct else (*more, *_FILES)
    if chosen.keys() - set(ends):
        raise AppError(f"the address of the {what} may end in these only: {', '.join(ends)}")
    files = [Path(value) if (value := chosen.pop(key, None)) else None for key in _FILES]
    code = url.fragment if direct and url.hostname else unquote(url.path.removeprefix("/"))
    tls, user = url.scheme in ("mqtts", "https"), unquote(url.username or "")
    return Address(url.hostname or "", port, tls, code, direct, user, "", None, *files), chosen


@dataclass(frozen=True, slots=True)
class ChosenRoom:
    """A room, its game with options, and the player's name; once left, only broker and name."""

    address: Address
    name: str = ""
    game: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def wanted(
        cls,
        folder: Path,
        given: Address | None,
        broker: str,
        tls: bool,
        user: str,
        password: str,
        code: str,
        name: str,
    ) -> Self:
        """Read what people entered on a page; raises AppError, or RulesError for the name.

        Without a broker the `code` may be a whole address. No file can be named there. Without a
        password the saved one is used, if broker, TLS and user are the same.
        """
        if set(broker) & set("?#/") or "?" in code:
            raise AppError(f"the broker is {broker[:80]!r}; allowed: HOST or HOST:PORT")
        address = read_address(_text(broker.strip(), tls, code.strip()))
        address, known = replace(address, user=user or address.user), cls.read(folder)
        if known is not None and not password and known.address.reach == address.reach:
            password = known.address.password
        if given is not None and not password and given.reach == address.reach:
            # Pages cannot name the files that the command line named.
            address = replace(given, code=address.code, side=address.side)
        address = replace(address, password=password or address.password)
        return cls(address.drawn(SystemRandom()), player_name(name))

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """Read the saved room; return None if there is none, or it cannot be read."""
        try:
            match read_json(_chosen_file(folder), CHOSEN_VERSION):
                case {"broker": str(broker), "tls": bool(tls), "user": str(user), **more}:
                    address = read_address(_text(broker, tls, more["code"] or NEW))
                    address = replace(address, user=user, password=str(more["password"]))
                    options = {str(key): str(each) for key, each in more["options"].items()}
                    return cls(address, str(more["name"]), str(more["game"]), options)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, LookupError, AttributeError, AppError) as error:
            log.warning("what was chosen as room cannot be read: %s", error)
        return None

    def write(self, folder: Path) -> None:
        """Save the room in a file that only its owner can read; log a failure."""
        address = self.address
        content: dict[str, Any] = {
            "broker": "" if address.direct else address.broker,
            "tls": address.tls,
            "user": address.user,
            "password": address.password,
            "code": "" if address.code == NEW else address.link if address.direct else address.code,
            "name": self.name,
            "game": self.game,
            "options": dict(self.options),
        }
        try:
            write_json(_chosen_file(folder), CHOSEN_VERSION, content, 0o600)
        except OSError as error:
            log.warning("the chosen room is not known after the next start: %s", error)

    def left(self) -> Self:
        """Return what is kept after the room is left: the broker and the player's name."""
        return replace(self, address=replace(self.address, code=NEW), game="", options={})


def room_for(text: str, folder: Path, game: AnyGame, options: Mapping[str, str]) -> Address:
    """Read the address of a room for a game; NEW draws a room, or resumes the one that it drew.

    Raises AppError where the game cannot be played there.
    """
    check_game(game)
    address, known = read_address(text), ChosenRoom.read(folder)
    if address.code != NEW:
        return address
    if known is not None and recorded_side(folder, known.address.code) == 1:
        old = replace(address, code=known.address.code)
        if (known.address.reach, known.game, known.options) == (old.reach, game.name, options):
            return old
    address = address.drawn(SystemRandom())
    ChosenRoom(address, known.name if known else "", game.name, options).write(folder)
    return address


def _text(broker: str, tls: bool, code: str) -> str:
    return f"mqtt{'s' * tls}://{broker}/{code}" if broker else code


def _chosen_file(folder: Path) -> Path:
    return folder / "rooms" / "chosen.json"
