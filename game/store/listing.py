"""The list of stored games.

Owns the summary of a journal without the rules, which is fast and works for games that are not
installed, and the table and the JSON of the command `history`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from pathlib import Path

from game.common.errors import AppError, RecordError
from game.common.translation import words
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame, settle
from game.rules.base.message import say
from game.rules.base.registry import all_games, find_game
from game.rules.base.values import Json
from game.store.record import DECIDING, known, printable, sentence
from game.store.record_json import levels
from game.store.record_text import duration
from game.store.store import JournalLine, Store, StoredGame
from game.table.entries import EntryKind, computers_in, names_in, options_in
from game.table.hands import level_word

_COLUMNS = ("n", "when", "game", "who", "options", "plies", "result", "duration")
_LONGEST_NAME = 16  # the list cuts longer names; `show` has them whole
_RIGHT_ALIGNED = {"n", "plies", "duration"}

_Games = Mapping[str, AnyGame]


@dataclass(frozen=True, slots=True)
class Summary:
    """Who played with which options, and how far; values as in a `Record`."""

    options: Mapping[str, str]
    names: tuple[str, ...]
    computers: tuple[str, ...]
    set_up: bool
    plies: int


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game in the list of past ones; its `line` is None if it is damaged.

    One that `resumes` goes on when its game is chosen.
    """

    stored: StoredGame
    line: Summary | None
    resumes: bool


def past_games(folder: Path, before: int, most: int) -> list[PastGame]:
    """List games with a move below a number, the newest first, while one may be played.

    Raises StoreError.
    """
    with Store(folder, read_only=True) as store:
        going_on = store.unfinished().values()
        return [
            PastGame(stored, _summary(store, stored), stored.number in going_on)
            for stored in store.played(before, most)
        ]


def unfinished_games(folder: Path) -> frozenset[str]:
    """Name the games that go on when they are chosen; raises StoreError."""
    with Store(folder, read_only=True) as store:
        return frozenset(store.unfinished())


def history(folder: Path, name: str | None, *, as_json: bool) -> str:
    """List the games of a folder, the newest last; raises StoreError, or RulesError for a name."""
    games = all_games()
    if name is not None and name not in games:
        find_game(name)
    with Store(folder, read_only=True) as store:
        rows = [(stored, _summary(store, stored)) for stored in store.games(name)]
    if as_json:
        return json.dumps([_as_json(stored, line) for stored, line in rows], ensure_ascii=False)
    if not rows:
        return f"No games are stored in {folder}."
    return _table([_row(stored, line, games) for stored, line in rows])


def summary(lines: Iterable[JournalLine], *, over: bool) -> Summary:
    """Summarise a journal; raises RecordError.

    In a game that is `over`, computers chosen after its end play the next game.
    """
    options: dict[str, str] = {}
    names: tuple[str, ...] = ()
    computers: tuple[str, ...] = ()
    at_end: tuple[str, ...] = ()
    set_up = ended = False
    plies = 0
    try:
        for line in lines:
            kind, text = line.entry.kind, line.entry.text
            if kind is EntryKind.START:
                options, set_up, plies, ended = options_in(text), False, 0, False
            elif kind is EntryKind.NAMES:
                names = known(names_in(text))
            elif kind is EntryKind.COMPUTERS:
                computers = known(computers_in(text))
            elif kind is EntryKind.TAKE_BACK:
                # It takes back a resignation or an agreed draw before a move.
                plies, ended = plies if ended else max(0, plies - 1), False
            if kind in (EntryKind.MOVE, EntryKind.SET_UP, *DECIDING):
                plies += kind is EntryKind.MOVE
                set_up |= kind is EntryKind.SET_UP
                ended = kind in DECIDING
                at_end = computers
    except (RulesError, RecursionError) as error:
        raise RecordError(sentence(error)) from error
    return Summary(options, names, at_end if over else computers, set_up, plies)


def _summary(store: Store, stored: StoredGame) -> Summary | None:
    try:
        return summary(store.lines(stored.number), over=stored.reason is not None)
    except AppError:
        return None


def _as_json(stored: StoredGame, line: Summary | None) -> Json:
    return {
        "number": stored.number,
        "started": stored.started,
        "ended": stored.ended,
        "game": stored.game,
        "source": stored.source,
        "names": list(line.names) if line else None,
        "computers": levels(line.computers) if line else None,
        "options": dict(line.options) if line else None,
        "set_up": line.set_up if line else None,
        "plies": line.plies if line else None,
        "winner": stored.winner,
        "reason": stored.reason,
        "played_s": stored.played_s,
    }


def _row(stored: StoredGame, line: Summary | None, games: _Games) -> tuple[str, ...]:
    game = games.get(stored.game)
    who = _players(game, line)
    return (
        str(stored.number),
        _local_time(stored.started),
        stored.game,
        " - ".join(_with_levels(who, line.computers if line else ())),
        _options(game, line) if line else "",
        str(line.plies) if line else "?",
        _result(stored, who) if line else "damaged",
        duration(int(stored.played_s)),
    )


def _players(game: AnyGame | None, line: Summary | None) -> list[str]:
    """Return the players' names, or their colours."""
    colours = [words("en").text(player) for player in game.players] if game else []
    names = line.names if line else ()
    return [
        printable(name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…")
        or colour
        or f"player {number}"
        for number, (name, colour) in enumerate(zip_longest(names, colours, fillvalue=""), start=1)
    ]


def _with_levels(who: Sequence[str], computers: Sequence[str]) -> list[str]:
    """Add the levels of the players that computers played."""
    speak = words("en")
    return [
        printable(f"{name} ({speak.text(say('page.computer', level=level_word(level)))})")
        if level
        else name
        for name, level in zip_longest(who, computers, fillvalue="")
    ]


def _options(game: AnyGame | None, line: Summary) -> str:
    """List the options that are not the usual ones, and whether the game was set up."""
    usual = settle(game, {}) if game else {}
    chosen = [f"{key}={value}" for key, value in line.options.items() if usual.get(key) != value]
    return printable(" ".join(chosen + (["set up"] if line.set_up else [])))


def _result(stored: StoredGame, who: Sequence[str]) -> str:
    if stored.reason is None:
        return "unfinished"
    if stored.winner is None:
        return f"draw ({stored.reason})"
    winner = who[stored.winner - 1] if 0 < stored.winner <= len(who) else f"player {stored.winner}"
    return f"{winner} won ({printable(stored.reason)})"


def _local_time(at: str) -> str:
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return printable(at)


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    columns = [
        [text.rjust(width) if name in _RIGHT_ALIGNED else text.ljust(width) for text in column]
        for name, column in zip(_COLUMNS, zip(_COLUMNS, *rows, strict=True), strict=True)
        for width in [max(map(len, column))]
    ]
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))
