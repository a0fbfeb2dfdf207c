"""What a games file holds, and what its entries mean, told without the code that wrote it.

Owns an account of its own of entries, and the reading of the bare file with SQL. Uses the rules of
the game, and nothing of table, journal or store.
"""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from game.rules.circle_of_life import GAME

FILE = "games.sqlite3"

MANY = 8
"""A move that changed more than so many cells is taken back by laying out the board anew."""

Pairs = list[list[str]]
"""Entries, each its kind and its text."""


class Lost(AssertionError):
    """What light had shown is not there, or is not as it was shown."""


class Invented(AssertionError):
    """Something is there that was not done, or that was never accepted."""


class Broken(AssertionError):
    """A session ended by itself, hung, or does not go on."""


@dataclass(slots=True)
class EntryReplay:
    """A game as its entries tell it."""

    position: Any = None
    options: dict[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    moves: list[str] = field(default_factory=list)
    befores: list[Any] = field(default_factory=list)
    removed: tuple[str, ...] = ()
    standing: dict[str, str] = field(default_factory=dict)
    outcome: tuple[int | None, str] | None = None
    is_laid_out: bool = False
    """Where stones are not felt: so much was taken back that the board is laid out anew."""

    @classmethod
    def of(cls, entries: Pairs) -> "EntryReplay":
        """Tell a game from its entries, the first of which begins it."""
        tale = cls()
        for kind, text in entries:
            tale.add(kind, text)
        return tale

    def add(self, kind: str, text: str) -> None:
        """Go on by one entry."""
        before = self.position
        self._add(kind, text)
        if kind == "take_back" and self.position is not before:
            here, there = GAME.pieces(before), GAME.pieces(self.position)
            changed = sum(here.get(cell) != there.get(cell) for cell in here | there)
            self.is_laid_out |= changed > MANY
            self.is_laid_out &= len(self.pending()) > MANY
        elif kind == "edit":
            self.is_laid_out &= bool(self.pending())
        elif kind in ("start", "set_up", "stands", "move"):
            self.is_laid_out = False

    def _add(self, kind: str, text: str) -> None:
        match kind:
            case "start":
                self.options = json.loads(text)
                self.position = GAME.initial(self.options)
            case "set_up":
                self.position = GAME.parse(text)
                self.standing = GAME.pieces(self.position)
                self.outcome = self._ruled()
            case "stands":
                self.standing = json.loads(text)
            case "names":
                self.names = tuple(json.loads(text))
            case "move":
                before, move = self.position, GAME.parse_move(self.position, text)
                self.befores.append(before)
                self.moves.append(text)
                self.standing = GAME.pieces(before)
                self.position = GAME.play(before, move)
                self.outcome = self._ruled()
            case "edit":
                self.standing.pop(text, None)
                if text in (pieces := GAME.pieces(self.position)):
                    self.standing[text] = pieces[text]
            case "take_back":
                if self.outcome is None or self._ruled() is not None:
                    self.position = self.befores.pop()
                    self.moves.pop()
                self.outcome = None
            case "resign":
                self.outcome = (3 - int(text), "resigned")

    def facts(self) -> dict[str, Any]:
        """Give what a lifeboard must show of this game, on any board."""
        return {
            "position": GAME.text(self.position),
            "moves": self.moves,
            "options": self.options,
            "names": list(self.names) if any(self.names) else [],
            "outcome": list(self.outcome) if self.outcome else None,
        }

    def pending(self, standing: dict[str, str] | None = None) -> list[list[str]]:
        """List the cells that hands must change, each with what is to stand there."""
        there = self.standing if standing is None else standing
        pieces = GAME.pieces(self.position)
        pairs = [(cell, pieces.get(cell, "")) for cell in GAME.board.cells]
        wrong = [[cell, piece] for cell, piece in pairs if piece != there.get(cell, "")]
        if self.outcome is not None and standing is not None:
            # Where stones are felt, they are put away after the end, and none is missing.
            wrong = [[cell, piece] for cell, piece in wrong if cell in there]
        return wrong

    def turn(self, pending: list[list[str]], felt: bool) -> int | None:
        """Say who must act, at the end the winner."""
        if self.outcome is not None:
            return self.outcome[0]
        cells = {cell for cell, _ in pending}
        if self.moves:
            before = self.befores[-1]
            eaten = set(GAME.removed(before, GAME.parse_move(before, self.moves[-1])))
            if cells & eaten and (felt or cells <= eaten):
                return GAME.to_move(before)
        return GAME.to_move(self.position)

    def _ruled(self) -> tuple[int | None, str] | None:
        outcome = GAME.outcome(self.position)
        return (outcome.winner, outcome.reason) if outcome else None


@contextmanager
def copied(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy of a folder's file, so that what the kill has left stays as it is."""
    with TemporaryDirectory() as aside:
        for each in (FILE, f"{FILE}-wal"):
            if (folder / each).exists():
                shutil.copyfile(folder / each, Path(aside) / each)
        with closing(sqlite3.connect(Path(aside) / FILE)) as db:
            yield db


def games_in(folder: Path) -> list[tuple[Pairs, tuple[int | None, str] | None]]:
    """Read the games of a folder and how they ended, with SQL alone."""
    with copied(folder) as db:
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return []
        games: list[tuple[Pairs, tuple[int | None, str] | None]] = []
        for number, winner, reason in db.execute(
            "SELECT id, winner, reason FROM games ORDER BY id"
        ).fetchall():
            rows = db.execute(
                "SELECT seq, kind, text FROM entries WHERE game_id = ? ORDER BY seq", (number,)
            ).fetchall()
            if [row[0] for row in rows] != list(range(len(rows))):
                raise Lost(f"game {number} has lines {[row[0] for row in rows]}")
            end = None if reason is None else (winner, reason)
            games.append(([list(row[1:]) for row in rows], end))
        return games
