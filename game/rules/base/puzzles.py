"""A game's puzzles: positions with one right move, from `puzzles.toml` in its folder."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from math import gcd
from typing import Any, TypeAlias
from zlib import crc32

from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.message import say
from game.rules.base.tutorial import LANGUAGES

FILE = "puzzles.toml"
BANDS = (700, 1100, 1600)
"""Least ratings of the grades from 2 on; a puzzle below is of grade 1."""


class Kind(Enum):
    """The task of a puzzle for two players; to win is to win the game, or the whole match."""

    WIN = "win"
    """Win with at most `count` own moves, whatever the opponent answers, even to the last one."""
    SAVE = "save"
    """Keep the opponent from winning with the next move, which all other moves allow."""
    MOST = "most"
    """Raise your own score by `count`, the most that one move can."""
    SAFE = "safe"
    """Let the opponent score at most `count` by this move and the next."""


class Theme(Enum):
    """What must be seen to solve a puzzle; `game.rules.base.themes` finds it."""

    CHAIN = say("theme.chain")
    BAIT = say("theme.bait")
    TEMPT = say("theme.tempt")
    LAST_CELL = say("theme.last_cell")
    FEWER = say("theme.fewer")
    DOUBLE = say("theme.double")
    GROUP = say("theme.group")
    FIGHT = say("theme.fight")
    TURN = say("theme.turn")
    BLOCK = say("theme.block")
    COUNTER = say("theme.counter")
    GROW = say("theme.grow")
    FINISH = say("theme.finish")
    DEEP = say("theme.deep")
    TAKE = say("theme.take")
    QUIET = say("theme.quiet")


class BadPuzzle(ValueError):
    """A puzzle that cannot be read; the text names its number."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle: its `rating`, what it asks, and the `line` of right moves with their answers.

    The rating is on the scale of the computer's levels, and of people. `key` identifies it
    independently of its number. `texts` ask for the first own move and each further one, by
    language.
    """

    key: str
    rating: int
    themes: tuple[Theme, ...]
    kind: Kind
    count: int
    line: tuple[str, ...]
    position: Any
    texts: tuple[Mapping[str, str], ...]

    @property
    def grade(self) -> int:
        """How hard it is, from 1."""
        return 1 + sum(self.rating >= least for least in BANDS)


_Asks: TypeAlias = Mapping[str, Mapping[str, str]]


@cache
def puzzles(game: AnyGame) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game, the easiest first; none without a file. Raises BadPuzzle."""
    folder = game.presentation.folder
    file = None if folder is None else folder / FILE
    return () if file is None or not file.is_file() else read(game, file.read_text("utf-8"))


def read(game: AnyGame, text: str) -> tuple[Puzzle, ...]:
    """Read puzzles; none if they belong to another variant; raises BadPuzzle.

    A line is rating and themes, as in `790:bait,turn`, kind, count, moves split by `,`, position.
    """
    data = tomllib.loads(text)
    if data.get("game") != game.name:
        return ()
    return tuple(
        _puzzle(game, data.get("ask", {}), number, line)
        for number, line in enumerate(data["puzzles"].strip().splitlines(), start=1)
    )


def _puzzle(game: AnyGame, asks: _Asks, number: int, line: str) -> Puzzle:
    where = f"puzzle {number} of {game.name}"
    try:
        head, kind, count, moves, position = line.split(" ", 4)
        rating, _, themes = head.partition(":")
        own = range(0, len(moves.split(",")), 2)
        return Puzzle(
            f"{crc32(line[len(head) :].encode()):08x}",
            int(rating),
            tuple(_theme(name) for name in themes.split(",")),
            Kind(kind),
            int(count),
            (*moves.split(","),),
            game.parse(position),
            tuple(_asked(asks, kind, int(count) - answers // 2) for answers in own),
        )
    except KeyError as error:
        raise BadPuzzle(f"{where}: nothing asks for {kind} {count} in {error}") from error
    except (RulesError, ValueError) as error:
        raise BadPuzzle(
            f"{where} is {line!r}: {error}; allowed: rating:themes kind count moves position"
        ) from error


def _theme(name: str) -> Theme:
    if name.upper() not in Theme.__members__:
        allowed = ", ".join(Theme.__members__).lower()
        raise ValueError(f"theme is {name!r}; allowed: {allowed}")
    return Theme[name.upper()]


def _asked(asks: _Asks, kind: str, count: int) -> dict[str, str]:
    texts = asks.get(f"{kind}{count}") or asks.get(kind, {})
    return {each: texts[each].format(count=count) for each in LANGUAGES}


def daily(count: int, day: int) -> int:
    """Return the number, from 0, of a day's puzzle; each comes once before any comes again."""
    step = next(step for step in range(count * 5 // 8 + 1, count * 2 + 2) if gcd(step, count) == 1)
    return day * step % count
