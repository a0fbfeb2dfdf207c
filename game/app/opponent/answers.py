"""What a UGI engine says about its search, read back.

Owns the reading of `info` and `bestmove` lines into ideas, each checked by the rules. Must not
know processes.
"""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from game.rules.errors import RulesError
from game.rules.game import Game
from game.rules.movetext import from_word
from game.table.inputs import Idea

UNKNOWN = 0.5
"""The worth of a move of which nothing was told."""
_EVEN_CP = 400
"""Centipawns for odds of ten to one."""


class Nonsense(Exception):
    """An answer that is none: a move that the rules forbid, or no move at all."""


class Notes:
    """What was told of one search until now."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[str, float, bool]] = {}

    def take(self, line: str) -> None:
        """Read an `info` line; one that cannot be read, or tells of no move, is left alone."""
        words = line.split()
        if words[:2] == ["info", "string"] or "pv" not in words:
            return
        at = words.index("pv")
        head, play = words[:at], words[at + 1 :]
        number = _number(head, "multipv", 1)
        # As many as anybody wants, so that no engine fills our memory.
        if play and 1 <= number <= 100:
            decided = _number(head, "decided", 0) == 1
            self._lines[number] = (play[0], _value(head), decided)

    def ideas(self, game: Game[Any, Any], position: Any, best: str, most: int) -> tuple[Idea, ...]:
        """Give the best move and the next ones, `most` at most, by their plain texts.

        Raises Nonsense if one of them is not legal.
        """
        told = {
            _plain(game, position, move): (value, decided)
            for _, (move, value, decided) in sorted(self._lines.items(), reverse=True)
        }
        first = _plain(game, position, best)
        value, decided = told.pop(first, (UNKNOWN, False))
        others = [Idea(move, *each) for move, each in reversed(told.items())]
        return (Idea(first, value, decided), *others)[:most]


def _plain(game: Game[Any, Any], position: Any, text: str) -> str:
    try:
        return game.plain_text(position, game.parse_move(position, from_word(text)))
    except RulesError as error:
        raise Nonsense(f"{text[:40]!r} is no move: {error}") from error


def _number(words: Sequence[str], name: str, otherwise: int) -> int:
    """Read the whole number after a word."""
    try:
        return int(words[words.index(name) + 1])
    except (ValueError, IndexError):
        return otherwise


def _value(words: Sequence[str]) -> float:
    """Read the score that may be expected, 0 to 1: of wins and draws, else of centipawns."""
    if "wdl" in words:
        at = words.index("wdl") + 1
        try:
            won, drawn, lost = (int(word) for word in words[at : at + 3])
            return min(1.0, max(0.0, (won + drawn / 2) / (won + drawn + lost)))
        except (ValueError, ZeroDivisionError):
            return UNKNOWN
    cp = max(-10_000, min(10_000, _number(words, "cp", 0)))
    value = 1 / (1 + 10 ** (-cp / _EVEN_CP))
    return value if isfinite(value) else UNKNOWN
