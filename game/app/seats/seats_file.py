"""The file of seats: who holds the seat of which player, as digests that open nothing.

Owns the file in the data folder, and what is done about one that makes no sense. Must not know
what a key is, nor of pages.
"""

import json
import logging
import os
import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from hal.files import write_whole

NAME = "seats.json"
VERSION = 1

_MODE = 0o600
_DIGEST = re.compile(r"[0-9a-f]{64}")
_Told = dict[str, dict[int, str]]

log = logging.getLogger(__name__)


class SeatsFile:
    """Keep the seats of one game in a folder, beside those of other games.

    Where the file cannot be read or written, the log says so, and seats hold until the end of the
    program. `clock` gives the time of day in seconds.
    """

    def __init__(self, folder: Path, game: str, clock: Callable[[], float] = time.time) -> None:
        self.path = folder / NAME
        self._game = game
        self._clock = clock
        self._others: _Told = {}
        self._warned = False

    def read(self) -> dict[int, str]:
        """Return the digest of each player's key; a file that makes no sense is put aside."""
        try:
            told = _read(self.path)
        except FileNotFoundError:
            told = {}
        except OSError as error:
            self._warn("read", error)
            told = {}
        except ValueError as error:
            self._put_aside(error)
            told = {}
        seats = told.pop(self._game, {})
        self._others = told
        return seats

    def write(self, seats: Mapping[int, str]) -> None:
        """Write the digest of each player's key."""
        games = self._others | ({self._game: dict(seats)} if seats else {})
        text = json.dumps({"version": VERSION, "games": games}, sort_keys=True) + "\n"
        try:
            write_whole(self.path, text.encode(), _MODE)
        except OSError as error:
            self._warn("written", error)
        else:
            self._warned = False

    def _put_aside(self, flaw: ValueError) -> None:
        at = datetime.fromtimestamp(self._clock(), UTC).strftime("%Y%m%d-%H%M%S")
        aside = self.path.with_name(f"{NAME}.damaged-{at}")
        try:
            os.replace(self.path, aside)
        except OSError as error:
            self._warn("put aside", error)
            return
        log.warning(
            "seats file %s cannot be used (%s); kept as %s, and all seats are free",
            self.path,
            flaw,
            aside.name,
        )

    def _warn(self, what: str, error: OSError) -> None:
        """Log a trouble once, until it is over."""
        if not self._warned:
            self._warned = True
            log.warning(
                "seats file %s cannot be %s: %s; seats hold until the next start",
                self.path,
                what,
                error.strerror,
            )


def _read(path: Path) -> _Told:
    """Read the file; raises OSError, or ValueError for one that makes no sense."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError("it is no file of ours") from error
    except ValueError as error:
        # What a damaged file holds is for nobody's eyes.
        raise ValueError("it is not JSON") from error
    if not isinstance(told, dict) or told.get("version") != VERSION:
        raise ValueError(f"version is not {VERSION}")
    games = told.get("games")
    if not isinstance(games, dict):
        raise ValueError("games is no object")
    return {game: _seats(seats) for game, seats in games.items()}


def _seats(told: object) -> dict[int, str]:
    if not isinstance(told, dict):
        raise ValueError("the seats of a game are no object")
    seats: dict[int, str] = {}
    for player, digest in told.items():
        known = isinstance(digest, str) and _DIGEST.fullmatch(digest)
        if not (known and player.isascii() and player.isdecimal() and len(player) < 3):
            raise ValueError("a seat is not a player and a digest")
        seats[int(player)] = digest
    return seats
