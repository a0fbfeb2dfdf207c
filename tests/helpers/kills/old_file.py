"""Files of games as the first version of lifeboard wrote them, made without any of today's code."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from game.rules.circle_of_life import GAME
from tests.helpers.kills.tale import FILE, Tale, copied

SCHEMA_1 = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, started TEXT NOT NULL,
    ended TEXT, winner INTEGER, reason TEXT
);
CREATE TABLE entries (
    game_id INTEGER NOT NULL REFERENCES games(id), seq INTEGER NOT NULL,
    kind TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (game_id, seq)
) WITHOUT ROWID;
PRAGMA user_version = 1;
"""


def version_1(folder: Path, rng: Random, games: int) -> Path:
    """Write a folder with games of random moves, whose log is as a power cut leaves it."""
    folder.mkdir(parents=True)
    making = folder / "making"
    making.mkdir()
    with closing(sqlite3.connect(making / FILE, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(SCHEMA_1)
        for number in range(1, games + 1):
            tale = Tale()
            entries = [("start", f'{{"first": "{rng.randint(1, 2)}", "target": "20"}}')]
            tale.add(*entries[0])
            # The last one is not over.
            while tale.outcome is None and (number < games or len(tale.moves) < 9):
                move = GAME.legal_moves(tale.position).pick(rng)
                text = GAME.move_text(tale.position, move)
                gone = GAME.removed(tale.position, move)
                entries += [("move", text), *(("edit", cell) for cell in (move, *gone))]
                tale.add("move", text)
            times = [
                f"2026-03-{number % 28 + 1:02}T10:{n // 60:02}:{n % 60:02}.000+00:00"
                for n in range(len(entries))
            ]
            end = (times[-1], *tale.outcome) if tale.outcome else (None, None, None)
            db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", (number, GAME.name, times[0], *end)
            )
            rows = [
                (number, n, *entry, at)
                for n, (entry, at) in enumerate(zip(entries, times, strict=True))
            ]
            db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
        for each in (FILE, f"{FILE}-wal"):
            shutil.copyfile(making / each, folder / each)
    shutil.rmtree(making)
    return folder


def version_of(folder: Path) -> int:
    """Read the version of a folder's file, from a copy."""
    with copied(folder) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])
