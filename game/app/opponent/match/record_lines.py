"""The lines of a match's record: its description, and its games, as JSON.

Owns this form, both ways, and what a line must say to be one of any match. Must not know files, nor
which games a match has.
"""

import json
from collections.abc import Callable, Mapping
from reprlib import repr as short
from typing import Any

from game.app.errors import AppError
from game.app.opponent.match.playing import Played, fixture
from game.rules.game import Json

FORM = 1
_MARK = "lifeboard_match"
_MOST = 10**18
"""No count and no time of a game comes to so much."""


class WrongLine(AppError):
    """Refuse a line that is whole, but says what a line of a match cannot say."""


def first_line(described: Json) -> bytes:
    """Write the description of a match."""
    return _line({_MARK: FORM, **described})


def description_in(line: bytes) -> Json:
    """Read the description of a match; raises ValueError for all else."""
    told = _loaded(line)
    if told.get(_MARK) != FORM or not all(map(_is_flat, told.values())):
        raise ValueError("no description of a match")
    for key, fits in _DECIDING.items():
        if not fits(told.get(key)):
            raise ValueError(f"{key} of a match is {short(told.get(key))}")
    return told


def game_line(played: Played) -> bytes:
    """Write a game."""
    what = played.fixture
    return _line(
        {
            "game": what.number,
            "a": what.a,
            "opening": list(what.opening),
            "moves": list(played.moves),
            "winner": played.winner,
            "reason": played.reason,
            "fault": played.fault,
            "plies": played.plies,
            "thoughts": list(played.thoughts),
            "seconds": list(played.seconds),
            "nodes": list(played.nodes),
            "cut": list(played.cut),
        }
    )


def game_in(line: bytes) -> Played:
    """Read a game.

    Raises ValueError for what is no whole line of a game, and WrongLine for one that no match has.
    """
    told = _loaded(line)
    missing = [key for key in _GAME if key not in told]
    if missing:
        raise ValueError(f"no {missing[0]}")
    for key, (fits, allowed) in _GAME.items():
        if not fits(told[key]):
            raise _wrong(told, key, allowed)
    what = fixture(told["game"], tuple(told["opening"]))
    if told["a"] != what.a:
        raise _wrong(told, "a", f"{what.a} in game {what.number}")
    played = Played(
        what,
        tuple(told["moves"]),
        told["winner"],
        told["reason"],
        told["fault"],
        _two(told["thoughts"]),
        _two(told["seconds"]),
        _two(told["nodes"]),
        _two(told["cut"]),
    )
    if any(cut > moves for cut, moves in zip(played.cut, played.thoughts, strict=True)):
        raise _wrong(told, "cut", f"no more than thoughts, {told['thoughts']}")
    return played


def _wrong(told: Json, key: str, allowed: str) -> WrongLine:
    return WrongLine(f"{key} is {short(told[key])}; allowed: {allowed}")


def _line(told: Json) -> bytes:
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"


def _loaded(line: bytes) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except RecursionError:
        raise WrongLine("it is nested too deeply; allowed: a game of a match") from None
    if not isinstance(told, dict):
        raise ValueError("no object")
    return told


def _is_flat(value: object) -> bool:
    """Tell whether a value holds no more than single values."""
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not any(isinstance(each, dict | list) for each in held)


def _is_whole(value: object) -> bool:
    return type(value) is int and 0 <= value < _MOST


def _is_player(value: object) -> bool:
    return type(value) is int and value in (1, 2)


def _is_seconds(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value < _MOST


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_options(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def _of_both(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and len(value) == 2 and all(map(fits, value))


def _two(numbers: list[Any]) -> tuple[Any, Any]:
    first, second = numbers
    return first, second


_WHOLE = "a whole number from 0 on"
_TEXTS = "a list of moves"
_COUNTS = (_of_both(_is_whole), "two whole numbers from 0 on")
_GAME: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "game": (_is_whole, _WHOLE),
    "a": (_is_player, "1 or 2"),
    "opening": (_are_texts, _TEXTS),
    "moves": (_are_texts, _TEXTS),
    "winner": (lambda value: value is None or _is_player(value), "1, 2 or null"),
    "reason": (_is_text, "a text"),
    "fault": (_is_text, "a text"),
    "plies": (_is_whole, _WHOLE),
    "thoughts": _COUNTS,
    "seconds": (_of_both(_is_seconds), "two numbers from 0 on"),
    "nodes": _COUNTS,
    "cut": _COUNTS,
}
_DECIDING: Mapping[str, Callable[[object], bool]] = {
    "game": _is_text,
    "options": _are_options,
    "a": _is_text,
    "b": _is_text,
    "seed": lambda value: type(value) is int,
    "opening": _is_whole,
}
"""What a match has that decides which games it has, and who plays them."""
