"""What a board keeps of its rooms on disk: the record of each, and the room chosen on the page.

A record is a file with one line of JSON for each entry or ask. What `save` was given is on disk
when it returns. A last line torn by a power cut was never sent, and is dropped. A service returns
to the chosen room at its next start; its broker and password are kept when the room is left, in a
file for its owner alone.
"""

import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import SystemRandom
from typing import Any, Self

from game.common import AppError, Lock, read_json, write_json
from game.remote.address import NEW, Address, check_game, read_address
from game.remote.chain import ChainEntry, Keys, follows
from game.remote.shared_game import Ask, Asks, SharedGame
from game.rules.base.game import AnyGame
from game.rules.base.names import player_name
from hal.base import schema
from hal.base.files import read_whole, write_whole

log = logging.getLogger(__name__)

MOST_BYTES = 1 << 24
"""Largest file: the longest record has 20,000 entries of some 250 bytes."""
VERSION = 1


class RecordFile:
    """The record of one room, which one process has open; `asks` are those since the last entry."""

    def __init__(self, folder: Path, keys: Keys, side: int | None) -> None:
        """Open it, or begin it as `side` (2 if None); raises AppError or OSError."""
        self.file = _file(folder, keys)
        self._lock = Lock(
            self.file.with_suffix(".lock"), f"room record {self.file}", "end that one first"
        )
        self._saved = 0
        self.asks: Asks = {}
        try:
            self.side, self.chain = self._read(keys, side)
            self._open = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        except BaseException:
            self._lock.close()
            raise

    def save(self, game: SharedGame) -> None:
        """Write what is new in a game; raises OSError, and leaves no half line behind."""
        new = schema.to_builtins(game.chain[self._saved :])
        lines: list[object] = [*new]
        if dict(game.asks) != ({} if new else self.asks):
            lines.append({ask.value: count for ask, count in game.asks.items()})
        if lines:
            size = os.fstat(self._open).st_size
            content = b"".join(_line(each) for each in lines)
            try:
                written = os.write(self._open, content)
                if written != len(content):
                    raise OSError(28, "no room for all of it", str(self.file))
                os.fsync(self._open)
            except OSError:
                os.ftruncate(self._open, size)
                raise
        self._saved, self.asks = len(game.chain), dict(game.asks)

    def close(self) -> None:
        """Close the file and its lock."""
        os.close(self._open)
        self._lock.close()

    def _read(self, keys: Keys, side: int | None) -> tuple[int, tuple[ChainEntry, ...]]:
        content = read_whole(self.file, MOST_BYTES) if self.file.exists() else b""
        *lines, torn = content.split(b"\n")
        if not lines:
            # Nothing was sent before the first line was on disk.
            side = side or 2
            write_whole(self.file, _line({"version": VERSION, "side": side}), 0o600)
            return side, ()
        if torn:
            os.truncate(self.file, len(content) - len(torn))
        chain: list[ChainEntry] = []
        try:
            first = json.loads(lines[0])
            if first.get("version") != VERSION or first.get("side") not in (1, 2):
                raise ValueError("its first line is of another version")
            for number, line in enumerate(lines[1:], start=2):
                fields = json.loads(line)
                if isinstance(fields, dict):
                    self.asks = {Ask(key): int(count) for key, count in fields.items()}
                    continue
                entry = schema.convert(fields, ChainEntry)
                if not follows(keys, chain, entry):
                    raise ValueError(f"line {number} does not follow the one before")
                chain.append(entry)
                self.asks = {}
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise AppError(
                f"room record {self.file} cannot be read: {error}; move it away, and the record"
                " comes back from the other board"
            ) from error
        if side is not None and side != first["side"]:
            raise AppError(f"this board is side {first['side']} in room record {self.file}")
        self._saved = len(chain)
        return first["side"], tuple(chain)


def recorded_side(folder: Path, code: str) -> int | None:
    """Return the side that this board has in a room; None where it was never in it."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        content = _file(folder, Keys.of(code)).read_bytes()
        return int(json.loads(content.partition(b"\n")[0])["side"])
    return None


def _file(folder: Path, keys: Keys) -> Path:
    return folder / "rooms" / f"{keys.name}.jsonl"


def _line(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"


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
            match read_json(_chosen_file(folder), VERSION):
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
            write_json(_chosen_file(folder), VERSION, content, 0o600)
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


def _chosen_file(folder: Path) -> Path:
    return folder / "rooms" / "chosen.json"
