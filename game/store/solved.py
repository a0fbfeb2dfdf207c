"""Which puzzles people solved, and the streak of daily ones; days are as in `date.toordinal`."""

import logging
from pathlib import Path

from game.common import read_json, write_json
from hal.base.schema import Struct, convert, field, to_builtins

log = logging.getLogger(__name__)

VERSION = 1


class _Game(Struct):
    """A game's solved puzzles, the day of its last daily one, and the streak on that day.

    `tried` are the puzzles that count for the rating, which is 0 before the first.
    """

    solved: list[str]
    day: int = 0
    streak: int = 0
    tried: list[str] = field(default_factory=list)
    rating: float = 0.0
    deviation: float = 0.0


class _File(Struct):
    """Games of people without a name, of named `people`, and the name of the current `solver`."""

    games: dict[str, _Game] = field(default_factory=dict)
    people: dict[str, dict[str, _Game]] = field(default_factory=dict)
    solver: str = ""


class Solved:
    """The solved puzzles in a data folder; failures to read or write are logged."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "puzzles.json"
        self._file = self._read()

    @property
    def solver(self) -> str:
        """The name of the person who solves now, whom all other methods are about."""
        return self._file.solver

    def name_solver(self, name: str) -> None:
        """Save who solves from now on."""
        self._file.solver = name
        self._write()

    def of(self, game: str) -> _Game:
        """Return what the solver has done in a game."""
        people, who = self._file.people, self.solver.strip().casefold()
        return (people.setdefault(who, {}) if who else self._file.games).setdefault(game, _Game([]))

    def streak(self, game: str, day: int) -> int:
        """Count the days in a row, up to `day` or the day before, with a solved daily puzzle."""
        found = self.of(game)
        return found.streak if day - 1 <= found.day <= day else 0

    def add(self, game: str, key: str, day: int | None = None) -> None:
        """Save that a puzzle is solved, and on which day if it was the daily one."""
        found = self.of(game)
        found.solved = sorted({*found.solved, key})
        if day is not None and found.day != day:
            found.streak, found.day = self.streak(game, day) + 1, day
        self._write()

    def rate(self, game: str, key: str, rating: float, deviation: float) -> None:
        """Save the rating after the first try of a puzzle."""
        found = self.of(game)
        found.tried.append(key)
        found.rating, found.deviation = rating, deviation
        self._write()

    def _write(self) -> None:
        try:
            write_json(self._path, VERSION, to_builtins(self._file), 0o600)
        except OSError as error:
            log.warning("what was solved is not known after the next start: %s", error)

    def _read(self) -> _File:
        try:
            return convert(read_json(self._path, VERSION), _File)
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            log.warning("which puzzles are solved cannot be read: %s", error)
        return _File()
