"""Lists and exports stored games for people, and imports files of records.

The newest game of a kind that hides pieces is closed until it ends: its record would show what the
players still hide from each other.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path

from game.common import AppError, RecordError, StoreError, text_table, words
from game.rules.base.game import AnyGame, settle
from game.rules.base.message import say
from game.rules.base.registry import all_games, find_game
from game.rules.base.values import Json
from game.store.record import DEFAULT_GAME, Record, from_journal, lines_of
from game.store.record_json import levels, record_to_json, records_from_json
from game.store.record_text import duration, record_to_text, records_from_text
from game.store.store import BOARD, IMPORT, Store, StoredGame
from game.table import level_word
from hal.base.files import decoded

NEWEST = "last"
ALL = "all"
STDIN = "-"
LARGEST = 32 << 20  # most bytes of a file, far more than thousands of games
_GAMES_FILE = b"SQLite format 3\x00"
_COLUMNS = ("n", "when", "game", "who", "options", "plies", "result", "duration")
_RIGHT_ALIGNED = {"n", "plies", "duration"}
_LONGEST_NAME = 16  # the list cuts longer names; `export` has them whole


def past_games(folder: Path, before: int, most: int) -> list[StoredGame]:
    """List games with a move below a number, the newest first; raises StoreError."""
    with Store(folder, read_only=True) as store:
        return store.played(before, most)


def last_game(folder: Path, fits: Callable[[AnyGame], bool]) -> AnyGame:
    """Return the game that was played last here, if it fits the board; else the usual game."""
    games = all_games()
    try:
        played = past_games(folder, 2**63 - 1, 10)
    except StoreError:
        # Opening the games for play reports the reason.
        played = []
    here = next((games.get(each.game) for each in played if each.source == BOARD), None)
    return here if here is not None and fits(here) else games[DEFAULT_GAME]


def unfinished_games(folder: Path) -> frozenset[str]:
    """Name the games that go on when they are chosen; raises StoreError."""
    with Store(folder, read_only=True) as store:
        return store.unfinished()


def history(folder: Path, name: str | None, *, as_json: bool) -> str:
    """List the games of a folder, the newest last; raises StoreError, or RulesError for a name."""
    if name is not None:
        find_game(name)
    with Store(folder, read_only=True) as store:
        found = store.games(name)
    if as_json:
        return json.dumps(list(map(_as_json, found)), ensure_ascii=False)
    if not found:
        return f"No games are stored in {folder}."
    games = all_games()
    rows = (_row(each, games.get(each.game)) for each in found)
    return text_table([_COLUMNS, *rows], _RIGHT_ALIGNED)


def record_of(folder: Path, which: str) -> tuple[int, Record]:
    """Return the number and the record of a game, by its number or `last`; raises AppError."""
    with Store(folder, read_only=True) as store:
        stored = _chosen(store, which)
        return stored.number, _record(store, stored)


def export(
    folder: Path,
    which: Sequence[str],
    *,
    as_json: bool,
    skip: Callable[[str], None] = lambda why: None,
) -> str:
    """Write records as text or JSON, an object if there is one game; raises AppError.

    `all` leaves out closed games. `skip` gets why a game is damaged; if all are, that is an error.
    """
    with Store(folder, read_only=True) as store:
        if ALL in which:
            opened = [each for each in store.games() if not _is_closed(store, each)]
            chosen = opened or [_chosen(store, NEWEST)]
        else:
            chosen = [_chosen(store, each, ALL) for each in which]
        records, bad = [], []
        for each in chosen:
            try:
                records.append(_record(store, each))
            except (StoreError, RecordError) as error:
                bad.append(error)
    if not records:
        raise bad[0]
    for why in bad:
        skip(str(why))
    if not as_json:
        return "\n".join(map(record_to_text, records))
    objects = [record_to_json(record) for record in records]
    return json.dumps(objects[0] if len(objects) == 1 else objects, ensure_ascii=False, indent=1)


def import_files(folder: Path, files: Sequence[str]) -> Iterator[str]:
    """Store new records, and yield a line on each record; raises AppError before storing any."""
    found = [(_name(file), record) for file in files for record in read_records(file)]
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    with Store(folder) as store:
        games = store.games()
        closed = [each for each in games if _is_closed(store, each)]
        # Reporting that a record equals a closed game would reveal what the game hides.
        there = [each for each in games if each not in closed]
        records: dict[int, Record] = {}

        def stored_as(record: Record) -> int | None:
            for each in there:
                if each.game == record.game and record.started in ("", each.started):
                    with suppress(AppError):  # a damaged one
                        if each.number not in records:
                            records[each.number] = _record(store, each)
                        if record.same_game(records[each.number]):
                            return each.number
            return None

        for file, record in found:
            if (number := stored_as(record)) is not None:
                yield f"{file}: already stored as game {number}"
            elif record.result is None and any(
                (each.game, each.started) == (record.game, record.started) for each in closed
            ):
                yield f"{file}: its game of {record.game} is not over, and stays closed"
            else:
                number = store.begin(record.game, IMPORT, lines_of(record, now), record.result)
                there.append(store.game(number))
                count = len(record.moves)
                moves = f"{count} {'move' if count == 1 else 'moves'}"
                yield f"{file}: game {number}, {record.game}, {moves}"


def read_records(file: str) -> list[Record]:
    """Read one file, `-` for standard input; raises RecordError, naming file and place."""
    try:
        with nullcontext(sys.stdin.buffer) if file == STDIN else open(file, "rb") as opened:
            return records_in(opened.read(LARGEST + 1))
    except RecordError as error:
        raise RecordError(f"{_name(file)}: {error}") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise RecordError(f"{_name(file)} cannot be read: {why}") from error


def records_in(content: bytes) -> list[Record]:
    """Read text or JSON; raises RecordError."""
    if len(content) > LARGEST:
        raise RecordError(f"it is too large; allowed: {LARGEST >> 20} MiB")
    if content.startswith(_GAMES_FILE):
        raise RecordError("it is a games file; allowed: what `lifeboard export` writes of it")
    try:
        text = decoded(content)
    except UnicodeDecodeError as error:
        raise RecordError(f"it is not text: {error}; allowed: UTF-8") from error
    begins = "".join(text[:1000].split())[:2]
    as_json = begins.startswith("{") or begins in ("[{", "[]", "[[")
    return records_from_json(text) if as_json else records_from_text(text)


def _name(file: str) -> str:
    return "standard input" if file == STDIN else file


def _is_closed(store: Store, stored: StoredGame) -> bool:
    game = all_games().get(stored.game)
    if game is None or not game.hidden or stored.reason is not None or stored.source != BOARD:
        return False
    return store.newest(stored.game) == stored.number


def game_number(text: str) -> int | None:
    """Read the number of a game, of at most nine digits; None if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _chosen(store: Store, which: str, *more: str) -> StoredGame:
    """Find a game by its number or `last`; raises AppError, also for a closed one.

    The message also names `more` as allowed.
    """
    if (number := game_number(which)) is not None:
        chosen = store.game(number)
    else:
        games = store.games()
        if not games:
            raise AppError(f"no game is stored in {store.file.parent} yet")
        if which != NEWEST:
            allowed = " | ".join((f"{games[0].number} - {games[-1].number}", NEWEST, *more))
            raise AppError(f"game is {which!r}; allowed: {allowed}")
        # An imported game may have a higher number than the game that is being played.
        chosen = next((each for each in reversed(games) if each.source == BOARD), games[-1])
    if _is_closed(store, chosen):
        raise AppError(
            f"game {chosen.number} is {chosen.game} and not over: its record would show what the"
            " players hide, and is closed until it ends or a newer one is begun"
        )
    return chosen


def _record(store: Store, stored: StoredGame) -> Record:
    try:
        return from_journal(stored.game, stored.source, store.lines(stored.number))
    except RecordError as error:
        raise RecordError(f"game {stored.number} of {store.file}: {error}") from error


def _as_json(stored: StoredGame) -> Json:
    shown = asdict(stored) | {"computers": levels(stored.computers)}
    shown["set_up"] = shown.pop("is_set_up")
    del shown["resumes"]
    return shown


def _row(stored: StoredGame, game: AnyGame | None) -> tuple[str, ...]:
    players = list(_players(game, stored))
    return (
        str(stored.number),
        _local_time(stored.started),
        stored.game,
        " - ".join(f"{name}{level}" for name, level in players),
        _options(game, stored),
        str(stored.plies),
        _result(stored, [name for name, _ in players]),
        duration(int(stored.played_s)),
    )


def _players(game: AnyGame | None, stored: StoredGame) -> Iterator[tuple[str, str]]:
    """Yield each player's name, cut if it is long, and a suffix with a computer's level, or ""."""
    speak = words("en")
    colours = [speak.text(player) for player in game.players] if game else []
    players = zip_longest(stored.names, colours, stored.computers, fillvalue="")
    for number, (name, colour, level) in enumerate(players, start=1):
        shown = name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…"
        computer = level and f" ({speak.text(say('page.computer', level=level_word(level)))})"
        yield shown or colour or f"player {number}", computer


def _options(game: AnyGame | None, stored: StoredGame) -> str:
    usual = settle(game, {}) if game else {}
    chosen = [f"{key}={value}" for key, value in stored.options.items() if usual.get(key) != value]
    return " ".join(chosen + (["set up"] if stored.is_set_up else []))


def _result(stored: StoredGame, who: Sequence[str]) -> str:
    if stored.reason is None:
        return "unfinished"
    if stored.winner is None:
        return f"draw ({stored.reason})"
    winner = who[stored.winner - 1] if 0 < stored.winner <= len(who) else f"player {stored.winner}"
    return f"{winner} won ({stored.reason})"


def _local_time(at: str) -> str:
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return at
