"""The games that were kept: listed, shown, written out, and records of others read in.

Owns the texts that these commands print. Records, files and the store have modules of their own.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any

from game.app.errors import AppError, RecordError
from game.app.history import record_json, record_text
from game.app.history.board_text import draw, legend
from game.app.history.closed import is_closed, refuse_closed, stays_closed
from game.app.history.outline import Outline, outline
from game.app.history.record import (
    DECIDING,
    Record,
    before_all,
    from_journal,
    game_named,
    lines_of,
    outcome_of,
    printable,
)
from game.app.history.record_files import read_file
from game.app.journal.store import BOARD, IMPORT, Kept, Line, Store
from game.app.words import words
from game.rules.catalogue import all_games, find_game
from game.rules.game import Game, Json
from game.rules.message import say
from game.table.entries import Kind
from game.table.ledger import applied
from game.table.thinking import word
from hal.files import write_whole

NEWEST = "last"
ALL = "all"
_COLUMNS = ("n", "when", "game", "who", "options", "plies", "result", "duration")
_LONGEST_NAME = 16
"""A longer one is cut in the list; `show` has it whole."""
_TO_THE_RIGHT = {"n", "plies", "duration"}

_Games = Mapping[str, Game[Any, Any]]


def history(folder: Path, name: str | None, *, as_json: bool) -> str:
    """List the games of a folder, the newest last; raises StoreError, or RulesError for a name."""
    games = all_games()
    if name is not None and name not in games:
        find_game(name)
    with Store(folder, read_only=True) as store:
        told = [(kept, _outline(store, kept)) for kept in store.games(name)]
    if as_json:
        return json.dumps([_as_json(kept, line) for kept, line in told], ensure_ascii=False)
    if not told:
        return f"No games are kept in {folder}."
    return _table([_row(kept, line, games) for kept, line in told])


def show(folder: Path, which: str) -> str:
    """Tell one game: its tags, its moves, and the board at its end; raises AppError."""
    _, record = record_of(folder, which)
    game = game_named(record.game)
    state = before_all(game)
    for line in lines_of(record, record.started):
        state = applied(game, state, line.entry)
    pieces = game.pieces(state.position)
    last = state.history[-1].focus if state.history else ""
    below = [legend(game, pieces, last)] if pieces else []
    if state.outcome is not None:
        below.append(words("en").text(state.outcome.message))
    return "\n".join([record_text.write(record), draw(game, pieces, last), "", *below])


def record_of(folder: Path, which: str) -> tuple[int, Record]:
    """Return one game, by its number or `last`, with its number; raises AppError."""
    with Store(folder, read_only=True) as store:
        kept = _kept(store, which)
        refuse_closed(store, kept)
        return kept.number, _record(store, kept)


def export(folder: Path, which: Sequence[str], *, as_json: bool) -> str:
    """Write records of games as text or JSON, of one game an object; raises AppError.

    A game that is closed is left out of all, and refused where it is named.
    """
    with Store(folder, read_only=True) as store:
        if ALL in which:
            every = store.games()
            chosen = [kept for kept in every if not is_closed(store, kept)]
            if every and not chosen:
                refuse_closed(store, every[-1])
        else:
            chosen = [_kept(store, n, ALL) for n in which]
            for kept in chosen:
                refuse_closed(store, kept)
        records = [_record(store, kept) for kept in chosen]
    if not records:
        raise _none_kept(store)
    if not as_json:
        return "\n".join(record_text.write(record) for record in records)
    objects = [record_json.write(record) for record in records]
    return json.dumps(objects[0] if len(objects) == 1 else objects, ensure_ascii=False, indent=1)


def save(text: str, file: Path, *, force: bool) -> None:
    """Write a file; one that is there is only replaced by force. Raises AppError."""
    try:
        if force and (file.is_file() or not file.exists()):
            write_whole(file, text.encode())
            return
        with file.open("w" if force else "x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError as error:
        raise AppError(f"{file} is there already; allowed: another name, or --force") from error
    except OSError as error:
        raise AppError(f"{file} cannot be written: {error.strerror}") from error


def bring_in(folder: Path, files: Sequence[str]) -> Iterator[str]:
    """Store the games of files, and tell of each; raises AppError before anything is stored.

    Every file is read and checked first. A game that is there already is named and left.
    """
    found = [read_file(file) for file in files]
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    with Store(folder) as store:
        shelf = _Shelf(store)
        for each in found:
            for record in each.records:
                there = shelf.find(record)
                if there is not None:
                    yield f"{each.file}: already kept as game {there}"
                    continue
                if stays_closed(store, record, last=record in each.last):
                    yield f"{each.file}: its game of {record.game} is not over, and stays closed"
                    continue
                lines = lines_of(record, now)
                number = store.begin(
                    record.game, IMPORT, lines, outcome_of(record), _decided(lines)
                )
                shelf.add(number, replace(record, started=lines[0].at))
                plies = len(record.moves)
                yield f"{each.file}: game {number}, {record.game}, {plies} {_moves(plies)}"
            yield from each.notes


class _Shelf:
    """The games of a store as records, to find one that is there already.

    A closed game is none of them: whether a guess is the same would tell what it hides.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept = {kept.number: kept for kept in store.games() if not is_closed(store, kept)}
        self._records: dict[int, Record | None] = {}
        self._by_start: dict[str, list[int]] = {}
        for number, kept in self._kept.items():
            self._by_start.setdefault(kept.started, []).append(number)

    def add(self, number: int, record: Record) -> None:
        """Put one more game on the shelf."""
        self._records[number] = record
        self._by_start.setdefault(record.started, []).append(number)

    def find(self, record: Record) -> int | None:
        """Return the number of the game that is the same, or of which this is the beginning."""
        likely = self._by_start.get(record.started, []) if record.started else self._all()
        for number in likely:
            other = self._get(number, record.game)
            if other is not None and (record.same_game(other) or _begins(record, other)):
                return number
        return None

    def _all(self) -> list[int]:
        return sorted(self._kept.keys() | self._records.keys())

    def _get(self, number: int, game: str) -> Record | None:
        """Read a game, unless it is another one."""
        if number not in self._records:
            kept = self._kept[number]
            if kept.game != game:
                return None
            try:
                self._records[number] = _record(self._store, kept)
            except AppError:
                self._records[number] = None  # what cannot be told is no copy of anything
        return self._records[number]


def _begins(record: Record, other: Record) -> bool:
    """Tell whether a journal is the beginning of another's, as that of a file set aside in play."""
    size = len(record.journal)
    return 0 < size <= len(other.journal) and other.journal[:size] == record.journal


def _decided(lines: Sequence[Line]) -> str | None:
    """Return when the last thing happened that can end a game: stones are taken off after it."""
    deciding = (Kind.MOVE, *DECIDING, Kind.SET_UP)
    return next((line.at for line in reversed(lines) if line.entry.kind in deciding), None)


def _kept(store: Store, which: str, *more: str) -> Kept:
    """Find a game by its number or `last`; raises StoreError or AppError.

    `more` is what else was allowed.
    """
    games = store.games()
    if not games:
        raise _none_kept(store)
    if which == NEWEST:
        # An import is taken in later than the game that is being played.
        return next((each for each in reversed(games) if each.source == BOARD), games[-1])
    if which.isascii() and which.isdigit() and len(which) < 10:
        return store.kept(int(which))
    allowed = " | ".join((f"{games[0].number} - {games[-1].number}", NEWEST, *more))
    raise AppError(f"game is {printable(which)!r}; allowed: {allowed}")


def _none_kept(store: Store) -> AppError:
    return AppError(f"no game is kept in {store.file.parent} yet")


def _record(store: Store, kept: Kept) -> Record:
    try:
        return from_journal(kept.game, kept.source, store.lines(kept.number))
    except RecordError as error:
        raise RecordError(f"game {kept.number} of {store.file}: {error}") from error


def _outline(store: Store, kept: Kept) -> Outline | None:
    """Tell a game fast; None for one that cannot be told."""
    try:
        return outline(store.lines(kept.number), over=kept.reason is not None)
    except AppError:
        return None


def _as_json(kept: Kept, line: Outline | None) -> Json:
    return {
        "number": kept.number,
        "started": kept.started,
        "ended": kept.ended,
        "game": kept.game,
        "source": kept.source,
        "names": list(line.names) if line else None,
        "computers": record_json.levels(line.computers) if line else None,
        "options": dict(line.options) if line else None,
        "set_up": bool(line.position) if line else None,
        "plies": len(line.moves) if line else None,
        "winner": kept.winner,
        "reason": kept.reason,
        "played_s": kept.played_s,
    }


def _row(kept: Kept, line: Outline | None, games: _Games) -> tuple[str, ...]:
    game = games.get(kept.game)
    who = _who(game, line)
    return (
        str(kept.number),
        _local(kept.started),
        kept.game,
        " - ".join(_with_levels(who, line)),
        _options(game, line),
        str(len(line.moves)) if line else "?",
        _result(kept, who) if line else "damaged; see `lifeboard import`",
        record_text.duration(int(kept.played_s)),
    )


def _who(game: Game[Any, Any] | None, line: Outline | None) -> list[str]:
    """Name the players, by their colours where they have no names."""
    speak = words("en")
    colours = [speak.text(player) for player in game.players] if game else []
    names = list(line.names) if line else []
    size = max(len(names), len(colours))
    names += [""] * (size - len(names))
    colours += [f"player {n}" for n in range(len(colours) + 1, size + 1)]
    return [_short(name) or colour for name, colour in zip(names, colours, strict=True)]


def _with_levels(who: Sequence[str], line: Outline | None) -> list[str]:
    """Say of each player whether a computer played for him, and at which level."""
    if line is None or not line.computers:
        return list(who)
    speak = words("en")
    told = [
        f"{name} ({speak.text(say('page.computer', level=word(level)))})" if level else name
        for name, level in zip_longest(who, line.computers, fillvalue="")
    ]
    return [printable(each) for each in told]


def _short(name: str) -> str:
    cut = name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…"
    return printable(cut)


def _options(game: Game[Any, Any] | None, line: Outline | None) -> str:
    """List the options that are not as usual, and whether the game was set up."""
    if line is None:
        return ""
    usual = game.settle({}) if game else {}
    chosen = [f"{key}={value}" for key, value in line.options.items() if usual.get(key) != value]
    return printable(" ".join(chosen + (["set up"] if line.position else [])))


def _result(kept: Kept, who: Sequence[str]) -> str:
    if kept.reason is None:
        return "unfinished"
    if kept.winner is None:
        return f"draw ({kept.reason})"
    winner = who[kept.winner - 1] if 0 < kept.winner <= len(who) else f"player {kept.winner}"
    return f"{winner} won ({printable(kept.reason)})"


def _local(at: str) -> str:
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return printable(at)


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    all_rows = [_COLUMNS, *rows]
    widths = [max(len(row[n]) for row in all_rows) for n in range(len(_COLUMNS))]
    lines = []
    for row in all_rows:
        parts = [
            text.rjust(width) if name in _TO_THE_RIGHT else text.ljust(width)
            for name, text, width in zip(_COLUMNS, row, widths, strict=True)
        ]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def _moves(count: int) -> str:
    return "move" if count == 1 else "moves"
