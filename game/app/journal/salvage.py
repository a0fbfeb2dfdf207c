"""What can still be read of a file of games that is damaged, too new, or cannot be opened in place.

Owns the reading of such files, always on a copy. A game is read up to its first bad line, since
nothing after a gap can be played again. Changes nothing of the file.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from game.app.journal.carve import carve
from game.app.journal.disk import copied
from game.app.journal.games_file import checksum, errors_told, pause_s
from game.app.journal.store import BOARD, Kept, Line
from game.table.entries import Entry, Kind


@dataclass(frozen=True, slots=True)
class Salvaged:
    """One game as it could be read; `whole` is false when something told that lines are missing."""

    kept: Kept
    lines: tuple[Line, ...]
    whole: bool


def salvage(file: Path) -> list[Salvaged]:
    """Read what can be read of a file of games, the newest last; none if it is no such file.

    Raises StoreError where there is no file or no room for a copy. Nothing of this process may
    have the file open.
    """
    with (
        errors_told(file, "opened"),
        copied(file) as copy,
        closing(sqlite3.connect(copy, isolation_level=None)) as db,
    ):
        found = {each.kept.number: each for each in _found(db)}
        log = Path(f"{copy}-wal")
        carved = carve(copy.read_bytes(), log.read_bytes() if log.exists() else b"")
    # What SQLite cannot find its way to may stand in pages that are whole.
    for number in found.keys() | carved.proven:
        known, lines = found.get(number), carved.from_start(number)
        if number in carved.proven and len(lines) > (len(known.lines) if known else 0):
            kept = known.kept if known else Kept(number, "", BOARD, "", None, None, None, 0, 0.0)
            # How many there were, nobody knows.
            found[number] = known = Salvaged(_with(kept, lines), tuple(lines), whole=False)
        if known is not None and not known.kept.game:
            source = carved.sources.get(number, BOARD)
            kept = replace(known.kept, game=carved.games.get(number, ""), source=source)
            found[number] = replace(known, kept=kept)
    return [found[number] for number in sorted(found) if found[number].lines]


def _with(kept: Kept, lines: Sequence[Line]) -> Kept:
    """Tell of a game what its lines tell."""
    if not lines:
        return kept
    return replace(kept, started=lines[0].at, lines=len(lines), played_s=lines[-1].played_s)


def _found(db: sqlite3.Connection) -> Iterator[Salvaged]:
    try:
        columns = {
            table: {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
            for table in ("games", "entries")
        }
    except sqlite3.Error:
        return
    if not {"game_id", "seq", "kind", "text", "at"} <= columns["entries"]:
        return
    heads = dict(_heads(db, columns["games"]))
    for number in sorted(heads.keys() | _numbers(db)):
        lines, whole = _lines(db, columns["entries"], number)
        # Of a game without its row, the lines still tell all but its name.
        game, source, ended, winner, reason = heads.get(number, ("", BOARD, None, None, None))
        kept = _with(Kept(number, game, source, "", ended, winner, reason, 0, 0.0), lines)
        yield Salvaged(kept, tuple(lines), whole and number in heads)


_Head = tuple[str, str, str | None, int | None, str | None]


def _heads(db: sqlite3.Connection, columns: set[str]) -> Iterator[tuple[int, _Head]]:
    """Read the games' rows from both ends, so that one bad page hides only its own."""
    source = "source" if "source" in columns else f"'{BOARD}'"
    for direction in ("ASC", "DESC"):
        try:
            for number, game, *rest in db.execute(
                f"SELECT id, game, {source}, ended, winner, reason FROM games"
                f" ORDER BY id {direction}"
            ):
                if isinstance(game, str):
                    yield number, (game, *rest)
        except sqlite3.Error:
            continue


def _numbers(db: sqlite3.Connection) -> set[int]:
    """Collect the games' numbers that lines tell, from both ends."""
    numbers = set()
    for direction in ("ASC", "DESC"):
        try:
            for (number,) in db.execute(
                f"SELECT DISTINCT game_id FROM entries ORDER BY game_id {direction}"
            ):
                numbers.add(number)
        except sqlite3.Error:
            continue
    return {number for number in numbers if isinstance(number, int)}


def _lines(db: sqlite3.Connection, columns: set[str], number: int) -> tuple[list[Line], bool]:
    """Read a game's lines up to the first that is bad or missing; tell whether there was none."""
    extra = "played_s, crc" if {"played_s", "crc"} <= columns else "NULL, NULL"
    lines: list[Line] = []
    try:
        for seq, kind, text, at, played_s, crc in db.execute(
            f"SELECT seq, kind, text, at, {extra} FROM entries WHERE game_id = ? ORDER BY seq",
            (number,),
        ):
            if played_s is None:
                played_s = round(
                    lines[-1].played_s + pause_s(lines[-1].at, at) if lines else 0.0, 3
                )
            elif crc != checksum(number, seq, kind, text, at, played_s):
                return lines, False
            if seq != len(lines):
                return lines, False
            lines.append(Line(Entry(Kind(kind), text), at, played_s))
    except (sqlite3.Error, ValueError, TypeError):
        return lines, False
    return lines, True
