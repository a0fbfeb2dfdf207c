"""The list of stored games, as a table and as JSON; also of games that are not installed."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import zip_longest
from pathlib import Path

from game.common import StoreError, text_table, words
from game.rules.base.game import AnyGame, settle
from game.rules.base.message import say
from game.rules.base.registry import all_games, find_game
from game.rules.base.values import Json
from game.store.record import DEFAULT_GAME, printable
from game.store.record_json import levels
from game.store.record_text import duration
from game.store.store import BOARD, Store, StoredGame
from game.table import level_word

_COLUMNS = ("n", "when", "game", "who", "options", "plies", "result", "duration")
_LONGEST_NAME = 16  # the list cuts longer names; `show` has them whole
_RIGHT_ALIGNED = {"n", "plies", "duration"}

_Games = Mapping[str, AnyGame]


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
    games = all_games()
    if name is not None and name not in games:
        find_game(name)
    with Store(folder, read_only=True) as store:
        found = store.games(name)
    if as_json:
        return json.dumps(list(map(_as_json, found)), ensure_ascii=False)
    if not found:
        return f"No games are stored in {folder}."
    rows = (_row(each, games.get(each.game)) for each in found)
    return text_table([_COLUMNS, *rows], _RIGHT_ALIGNED)


def _as_json(stored: StoredGame) -> Json:
    shown = asdict(stored) | {"computers": levels(stored.computers)}
    shown["set_up"] = shown.pop("is_set_up")
    del shown["resumes"]
    return shown


def _row(stored: StoredGame, game: AnyGame | None) -> tuple[str, ...]:
    who = _players(game, stored.names)
    return (
        str(stored.number),
        _local_time(stored.started),
        stored.game,
        " - ".join(_with_levels(who, stored.computers)),
        _options(game, stored),
        str(stored.plies),
        _result(stored, who),
        duration(int(stored.played_s)),
    )


def _players(game: AnyGame | None, names: Sequence[str]) -> list[str]:
    colours = [words("en").text(player) for player in game.players] if game else []
    return [
        printable(name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…")
        or colour
        or f"player {number}"
        for number, (name, colour) in enumerate(zip_longest(names, colours, fillvalue=""), start=1)
    ]


def _with_levels(who: Sequence[str], computers: Sequence[str]) -> list[str]:
    speak = words("en")
    return [
        printable(f"{name} ({speak.text(say('page.computer', level=level_word(level)))})")
        if level
        else name
        for name, level in zip_longest(who, computers, fillvalue="")
    ]


def _options(game: AnyGame | None, stored: StoredGame) -> str:
    usual = settle(game, {}) if game else {}
    chosen = [f"{key}={value}" for key, value in stored.options.items() if usual.get(key) != value]
    return printable(" ".join(chosen + (["set up"] if stored.is_set_up else [])))


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
