"""The boards of a club, as they tell of themselves, and the results of their games.

Owns what is believed of what arrives, what is kept on disk, and which results count in a
tournament. Must not know brokers and pages. Whatever arrives is checked and bounded; a board says
only what belongs to its own topic.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from game.common.errors import AppError
from game.common.json_file import read_json, write_json
from game.house import published
from game.house.pairings import Scores, Tournament
from game.rules.base.errors import RulesError
from game.rules.base.registry import find_game

Told: TypeAlias = dict[str, Any]
FILE = "club.json"
ALONE = Tournament()
MOST_BOARDS = 64
MOST_RESULTS = 4000
"""Results that are kept, the newest: a file of less than 1 MB."""
_LONGEST, _MOST_ITEMS, _MOST_NUMBER = 120, 200, 10**9


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= _MOST_NUMBER  # type: ignore[operator]


def _or_none(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


def _list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list) and len(value) <= _MOST_ITEMS and all(map(check, value))
    )


def _is_pieces(value: object) -> bool:
    return (
        isinstance(value, dict)
        and len(value) <= _MOST_ITEMS
        and all(
            _is_text(cell) and type(side) is int and 0 <= side <= _MOST_ITEMS
            for cell, side in value.items()
        )
    )


def _is_clock(value: object) -> bool:
    return isinstance(value, dict) and _list_of(_is_number)(value.get("left"))


_STATE: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("game", "title", "status"), _is_text),
    **dict.fromkeys(("last_move", "winner", "outcome"), _or_none(_is_text)),
    "players": _list_of(_is_text),
    "sides": _list_of(_is_number),
    "to_move": _or_none(_is_number),
    "moves": _is_number,
    "pieces": _is_pieces,
    "scores": _or_none(_list_of(_is_number)),
    "clock": _or_none(_is_clock),
}
_RESULT: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("started", "game"), _is_text),
    **dict.fromkeys(("ended", "reason"), _or_none(_is_text)),
    "players": _list_of(_is_text),
    "winner": _or_none(_is_number),
    "moves": _is_number,
}


def _checked(told: object, fields: Mapping[str, Callable[[Any], bool]]) -> Told | None:
    """Return the fields of an object, None if one is missing or wrong."""
    if not isinstance(told, dict):
        return None
    if not all(name in told and accepts(told[name]) for name, accepts in fields.items()):
        return None
    return {name: told[name] for name in fields}


@dataclass(slots=True)
class ClubBoard:
    """A board: whether it is online, and its newest state; `at` is when that came, in seconds."""

    online: bool = False
    state: Told = field(default_factory=dict)
    at: float = 0.0


class Club:
    """All boards below one topic. Belongs to one thread at a time."""

    def __init__(self, folder: Path, tournament: Tournament = ALONE, now: str = "") -> None:
        """Go on with the results on disk. A tournament begins `now`.

        Raises AppError for a file that cannot be read, or players who cannot be.
        """
        players, wanted = tournament.players, "--swiss" if tournament.swiss else "--round-robin"
        if players and (len(players) < 2 or len(set(players)) < len(players) or "" in players):
            raise AppError(f"{wanted} is {','.join(players)!r}; allowed: two names or more")
        self.boards = defaultdict[str, ClubBoard](ClubBoard)
        self._file = folder / FILE
        self._tournament = tournament
        self._key = "swiss " * tournament.swiss + ",".join(sorted(players))
        try:
            kept = read_json(self._file, published.VERSION)
        except FileNotFoundError:
            kept = {}
        except (OSError, ValueError) as error:
            raise AppError(f"club file {self._file} cannot be read: {error}") from error
        self._results: dict[str, Told] = kept.get("results", {})
        self._begun: dict[str, str] = kept.get("begun", {})
        if players and self._key not in self._begun:
            self._begun[self._key] = now
            self._save()

    @property
    def results(self) -> list[Told]:
        """All results, the oldest first."""
        return sorted(self._results.values(), key=lambda each: str(each["ended"]))

    def hear(self, board: str, topic: str, payload: bytes, now: float) -> bool:
        """Take a message of a board at a time in seconds; return whether it tells anything new.

        Raises OSError if a result cannot be written; it is then taken with the next message.
        """
        if board not in self.boards and len(self.boards) >= MOST_BOARDS:
            return False
        if topic == published.AVAILABILITY:
            self.boards[board].online = payload == published.ONLINE.encode()
            return True
        try:
            told = json.loads(payload)
        except (ValueError, RecursionError):
            return False
        if not isinstance(told, dict) or told.get("version") != published.VERSION:
            return False
        if topic == published.RESULTS and isinstance(told.get("results"), list):
            return self._take_results(board, told["results"])
        if topic == published.STATE and (state := _checked(told, _STATE)) is not None:
            self.boards[board].state, self.boards[board].at = state, now
            return True
        return False

    def rounds(self) -> list[list[tuple[str, str, Told | None]]]:
        """Return the pairs of each round, the bye as "", with the result that counts.

        That is the first one that ended since the tournament began.
        """
        counts, rounds = self._counting(), self._tournament.rounds(self._scores())
        return [[(*pair, counts.get(frozenset(pair))) for pair in pairs] for pairs in rounds]

    def points(self) -> dict[str, float]:
        """Return the points of each player of the tournament, the best first."""
        return self._tournament.points(self._scores())

    def _scores(self) -> Scores:
        return {
            pair: {
                player: 0.5 if not result["winner"] else float(result["winner"] == number)
                for number, player in enumerate(result["players"], start=1)
            }
            for pair, result in self._counting().items()
        }

    def _counting(self) -> dict[frozenset[str], Told]:
        """Return the result that counts of each pair of players that has one."""
        since, counts = self._begun.get(self._key, ""), dict[frozenset[str], Told]()
        players = set(self._tournament.players)
        for each in self.results:
            pair = frozenset(each["players"])
            if len(pair) == 2 and pair <= players and str(each["ended"]) >= since:
                counts.setdefault(pair, each)
        return counts

    def _take_results(self, board: str, told: list[object]) -> bool:
        changed = dict(self._results)
        for each in told[-_MOST_ITEMS:]:
            result = _checked(each, _RESULT)
            if result is None or (result["winner"] or 0) not in range(len(result["players"]) + 1):
                continue
            key = f"{board} {result['started']}"
            if result["reason"] is None:
                # It goes on, or its end was taken back.
                changed.pop(key, None)
            else:
                changed[key] = {**result, "board": board}
        if changed == self._results:
            return False
        newest = sorted(changed, key=lambda key: str(changed[key]["ended"]))[-MOST_RESULTS:]
        before, self._results = self._results, {key: changed[key] for key in newest}
        try:
            self._save()
        except OSError:
            self._results = before
            raise
        return True

    def _save(self) -> None:
        content = {"results": self._results, "begun": self._begun}
        write_json(self._file, published.VERSION, content, 0o600)


def drawing(game: str) -> Told:
    """Return the cells and colours of a game's board; nothing for a game that is unknown here."""
    try:
        known = find_game(game)
    except RulesError:
        return {"cells": {}, "hues": []}
    centres = known.board.centres
    return {
        "cells": {cell: [round(at, 3) for at in centres[cell]] for cell in known.board.cells},
        "hues": known.presentation.hues,
    }
