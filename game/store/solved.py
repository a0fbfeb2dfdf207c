"""Which puzzles are solved, and for how many days in a row the daily one was: a file on disk.

Days are numbers, as `date.toordinal` counts them. Reads no clock.
"""

import logging
from pathlib import Path

from game.common import read_json, write_json
from hal.base.schema import Struct, convert, to_builtins

log = logging.getLogger(__name__)

VERSION = 1


class _Game(Struct):
    """A game's solved puzzles, the day of its last daily one, and the streak on that day."""

    solved: list[str]
    day: int = 0
    streak: int = 0


class Solved:
    """The solved puzzles in a data folder; failures to read or write are logged."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "puzzles.json"
        self._games = self._read()

    def keys(self, game: str) -> frozenset[str]:
        """Return the keys of a game's puzzles that are solved."""
        return frozenset(self._games[game].solved if game in self._games else ())

    def streak(self, game: str, day: int) -> int:
        """Return for how many days in a row, up to `day` or the day before, it was solved."""
        found = self._games.get(game)
        return found.streak if found is not None and day - 1 <= found.day <= day else 0

    def add(self, game: str, key: str, day: int | None = None) -> None:
        """Save that a puzzle is solved, and on which day if it was the daily one."""
        found = self._games.setdefault(game, _Game([]))
        found.solved = sorted({*found.solved, key})
        if day is not None and found.day != day:
            found.streak, found.day = self.streak(game, day) + 1, day
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_json(self._file, VERSION, {"games": to_builtins(self._games)}, 0o600)
        except OSError as error:
            log.warning("what was solved is not known after the next start: %s", error)

    def _read(self) -> dict[str, _Game]:
        try:
            return convert(read_json(self._file, VERSION).get("games"), dict[str, _Game])
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            log.warning("which puzzles are solved cannot be read: %s", error)
        return {}
