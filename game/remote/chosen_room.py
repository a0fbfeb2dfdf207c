"""The room that was chosen on the page, on disk: a service returns to it at its next start.

The broker and its password are kept when the room is left, in a file for its owner alone.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import SystemRandom
from typing import Any, Self

from game.common import AppError, read_json, write_json
from game.remote.address import NEW, Address, check_game, read_address
from game.remote.record_file import recorded_side
from game.rules.base.game import AnyGame
from game.rules.base.names import player_name

log = logging.getLogger(__name__)

VERSION = 1


@dataclass(frozen=True, slots=True)
class ChosenRoom:
    """A room, the game in it with its options, and the player's name; once left, the broker."""

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
            match read_json(_file(folder), VERSION):
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
            write_json(_file(folder), VERSION, content, 0o600)
        except OSError as error:
            log.warning("the chosen room is not known after the next start: %s", error)

    def left(self) -> Self:
        """Return what is kept after the room is left: the broker and the player's name."""
        return replace(self, address=replace(self.address, code=NEW), game="", options={})


def room_for(text: str, folder: Path, game: AnyGame, options: Mapping[str, str]) -> Address:
    """Read the address of a room for a game; a new one goes on at the next start until it is left.

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


def _file(folder: Path) -> Path:
    return folder / "rooms" / "chosen.json"
