"""The answers of a UGI engine: `info` and `bestmove` lines become moves, checked by the rules.

Must not know processes.
"""

from collections.abc import Sequence
from typing import Any

from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.moves import from_word
from game.table.inputs import ScoredMove

UNKNOWN_VALUE = 0.5  # the value of a move without a score
_TEN_TO_ONE_CP = 400  # centipawns of odds of ten to one


class ProtocolError(Exception):
    """An answer that breaks the protocol: an illegal move, or none."""


class SearchInfo:
    """The info lines of one search."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[str, float, bool]] = {}

    def take(self, line: str) -> None:
        """Read an `info` line; ignore one that is malformed or has no move."""
        words = line.split()
        if words[:2] == ["info", "string"] or "pv" not in words:
            return
        at = words.index("pv")
        head, play = words[:at], words[at + 1 :]
        number = _number(head, "multipv", 1)
        # The limit keeps an engine from filling our memory.
        if play and 1 <= number <= 100:
            decided = _number(head, "decided", 0) == 1
            self._lines[number] = (play[0], _value(head), decided)

    def ideas(self, game: AnyGame, position: Any, best: str, most: int) -> tuple[ScoredMove, ...]:
        """Return the best move and up to `most` - 1 others, by their plain texts.

        Raises ProtocolError if one is not legal.
        """
        scored = {
            _plain(game, position, move): (value, decided)
            for _, (move, value, decided) in sorted(self._lines.items(), reverse=True)
        }
        first = _plain(game, position, best)
        value, decided = scored.pop(first, (UNKNOWN_VALUE, False))
        others = [ScoredMove(move, *each) for move, each in reversed(scored.items())]
        return (ScoredMove(first, value, decided), *others)[:most]


def _plain(game: AnyGame, position: Any, text: str) -> str:
    try:
        return game.plain_text(position, game.parse_move(position, from_word(text)))
    except RulesError as error:
        raise ProtocolError(f"{text[:40]!r} is no move: {error}") from error


def _number(words: Sequence[str], name: str, otherwise: int) -> int:
    try:
        return int(words[words.index(name) + 1])
    except (ValueError, IndexError):
        return otherwise


def _value(words: Sequence[str]) -> float:
    """Return the expected score, 0 to 1, from wins and draws, else from centipawns."""
    if "wdl" in words:
        at = words.index("wdl") + 1
        try:
            won, drawn, lost = (int(word) for word in words[at : at + 3])
            return min(1.0, max(0.0, (won + drawn / 2) / (won + drawn + lost)))
        except (ValueError, ZeroDivisionError):
            return UNKNOWN_VALUE
    cp = max(-10_000, min(10_000, _number(words, "cp", 0)))
    return 1 / (1 + 10 ** (-cp / _TEN_TO_ONE_CP))
