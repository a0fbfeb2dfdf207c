"""Which puzzles are solved, and for how many days in a row the daily one was: a file on disk.

Days are numbers, as `date.toordinal` counts them. Reads no clock.
"""

import logging
from pathlib import Path
from typing import Any

from game.common.json_file import read_json, write_json

log = logging.getLogger(__name__)

VERSION = 1


class Solved:
    """What is solved, in a data folder; what cannot be read or written is in the log."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "puzzles.json"
        self._games: dict[str, dict[str, Any]] = self._read()

    def keys(self, game: str) -> frozenset[str]:
        """Return the keys of a game's puzzles that are solved."""
        return frozenset(self._games.get(game, {}).get("solved", ()))

    def streak(self, game: str, day: int) -> int:
        """Return on how many days in a row, up to this one or the one before, it was solved."""
        found = self._games.get(game, {})
        return found.get("streak", 0) if day - 1 <= found.get("day", 0) <= day else 0

    def add(self, game: str, key: str, day: int | None = None) -> None:
        """Save that a puzzle is solved, and on which day if it was the daily one."""
        found = self._games.setdefault(game, {})
        found["solved"] = sorted({*self.keys(game), key})
        if day is not None and found.get("day") != day:
            found["streak"] = self.streak(game, day) + 1
            found["day"] = day
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_json(self._file, VERSION, {"games": self._games}, 0o600)
        except OSError as error:
            log.warning("what was solved is not known after the next start: %s", error)

    def _read(self) -> dict[str, dict[str, Any]]:
        games: dict[str, dict[str, Any]] = {}
        try:
            for game, found in read_json(self._file, VERSION)["games"].items():
                keys, day, streak = found["solved"], found.get("day", 0), found.get("streak", 0)
                games[game] = {
                    "solved": [str(key) for key in keys],
                    "day": int(day),
                    "streak": int(streak),
                }
        except FileNotFoundError:
            pass
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            log.warning("which puzzles are solved cannot be read: %s", error)
        return games
