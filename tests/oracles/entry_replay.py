"""What a games file holds, and what its entries mean, computed without the code that wrote it.

Owns its own interpretation of entries, and reads the bare file with SQL. Uses the rules of the
game, and nothing of table, journal or store.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from game.rules.base.game import Game

FILE = "games.sqlite3"
AGREED = ("clock", "assistance", "help")
"""Options that players agree on, which no game knows."""

Pairs = list[list[str]]
"""Entries, each a pair of its kind and its text."""


@dataclass(slots=True)
class EntryReplay:
    """A game as its entries tell it; `played` and `taken_back` count moves and take-backs."""

    game: Game[Any, Any]
    position: Any = None
    options: dict[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    moves: list[str] = field(default_factory=list)
    befores: list[Any] = field(default_factory=list)
    outcome: tuple[int | None, str] | None = None
    played: int = 0
    taken_back: int = 0

    @classmethod
    def of(cls, game: Game[Any, Any], entries: Pairs) -> "EntryReplay":
        """Replay a game from its entries, the first of which begins it; raises RulesError."""
        tale = cls(game)
        for kind, text in entries:
            tale.add(kind, text)
        return tale

    def add(self, kind: str, text: str) -> None:
        match kind:
            case "start":
                self.options = json.loads(text)
                self.position = self.game.initial(self.own_options)
                self.names, self.moves, self.befores, self.outcome = (), [], [], None
            case "set_up":
                self.position = self.game.parse(text)
                self.outcome = self._ruled()
            case "names":
                self.names = tuple(json.loads(text))
            case "move":
                before, move = self.position, self.game.parse_move(self.position, text)
                self.befores.append(before)
                self.moves.append(text)
                self.position = self.game.play(before, move)
                self.outcome = self._ruled()
                self.played += 1
            case "take_back":
                if self.outcome is None or self._ruled() is not None:
                    self.position = self.befores.pop()
                    self.moves.pop()
                self.outcome = None
                self.taken_back += 1
            case "resign":
                two = len(self.game.players) == 2
                self.outcome = (3 - int(text) if two else None, "resigned")
            case "draw":
                self.outcome = (None, "agreed")

    @property
    def own_options(self) -> dict[str, str]:
        return {key: each for key, each in self.options.items() if key not in AGREED}

    def facts(self) -> dict[str, Any]:
        return {
            "position": self.game.text(self.position),
            "moves": self.moves,
            "options": self.options,
            "names": list(self.names) if any(self.names) else [],
            "outcome": list(self.outcome) if self.outcome else None,
        }

    def _ruled(self) -> tuple[int | None, str] | None:
        outcome = self.game.outcome(self.position)
        return (outcome.winner, outcome.reason) if outcome else None


def games_in(folder: Path) -> list[tuple[Pairs, tuple[int | None, str] | None]]:
    """Read the games of a folder and how they ended, with SQL alone.

    It reads a copy, so that the remains of a kill stay unchanged.
    """
    with TemporaryDirectory() as aside:
        for each in (FILE, f"{FILE}-wal"):
            if (folder / each).exists():
                shutil.copyfile(folder / each, Path(aside) / each)
        with closing(sqlite3.connect(Path(aside) / FILE)) as db:
            if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                return []
            ended = db.execute("SELECT id, winner, reason FROM games ORDER BY id").fetchall()
            entries = "SELECT seq, kind, text FROM entries WHERE game_id = ? ORDER BY seq"
            games: list[tuple[Pairs, tuple[int | None, str] | None]] = []
            for number, winner, reason in ended:
                rows = db.execute(entries, (number,)).fetchall()
                if [row[0] for row in rows] != list(range(len(rows))):
                    raise AssertionError(f"game {number} has lines {[row[0] for row in rows]}")
                end = None if reason is None else (winner, reason)
                games.append(([list(row[1:]) for row in rows], end))
            return games
