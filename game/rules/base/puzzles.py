"""A game's puzzles: positions with one right move, from `puzzles.toml` in its folder."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from math import gcd
from typing import Any
from zlib import crc32

from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.message import say
from game.rules.base.tutorial import LANGUAGES

FILE = "puzzles.toml"
BANDS = (1250, 1450, 1650)  # Least ratings of the grades from 2 on; a puzzle below is of grade 1


class Kind(Enum):
    """The task of a puzzle for two players; to win is to win the game, or the whole match."""

    WIN = "win"
    """Win with at most `count` own moves, whatever the opponent answers, even to the last one."""
    SAVE = "save"  # Keep the opponent from winning with the next move, which all other moves allow
    MOST = "most"  # Raise your own score by `count`, the most that one move can
    SAFE = "safe"  # Let the opponent score at most `count` by this move and the next


class Theme(Enum):
    """What must be seen to solve a puzzle; `make puzzles` finds it."""

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


@cache
def puzzles(game: AnyGame) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game, the easiest first; none without a file. Raises BadPuzzle."""
    return read(game, game.presentation.file_text(FILE))


def read(game: AnyGame, text: str) -> tuple[Puzzle, ...]:
    """Read puzzles; none if they belong to another variant; raises BadPuzzle.

    A line is rating and themes, as in `790:bait,turn`, kind, count, moves split by `,`, position.
    """
    data = tomllib.loads(text)
    if data.get("game") != game.name:
        return ()
    found: list[Puzzle] = []
    for number, line in enumerate(data["puzzles"].strip().splitlines(), start=1):
        try:
            found.append(_puzzle(game, data.get("ask", {}), line))
        except (RulesError, ValueError, KeyError) as error:
            allowed = "rating:themes kind count moves position"
            where = f"puzzle {number} of {game.name} is {line!r}"
            raise BadPuzzle(f"{where}: {error}; allowed: {allowed}") from error
    return tuple(found)


def _puzzle(game: AnyGame, asks: Mapping[str, Mapping[str, str]], line: str) -> Puzzle:
    head, kind, count, moves, position = line.split(" ", 4)
    rating, _, themes = head.partition(":")
    right = tuple(moves.split(","))
    return Puzzle(
        f"{crc32(line[len(head) :].encode()):08x}",
        int(rating),
        tuple(Theme[name.upper()] for name in themes.split(",")),
        Kind(kind),
        int(count),
        right,
        game.parse(position),
        tuple(_asked(asks, kind, int(count) - n // 2) for n in range(0, len(right), 2)),
    )


def _asked(asks: Mapping[str, Mapping[str, str]], kind: str, count: int) -> dict[str, str]:
    texts = asks.get(f"{kind}{count}") or asks.get(kind, {})
    if missing := [each for each in LANGUAGES if each not in texts]:
        raise ValueError(f"nothing asks for {kind} {count} in {missing[0]!r}")
    return {each: texts[each].format(count=count) for each in LANGUAGES}


def daily(count: int, day: int) -> int:
    """Return the number, from 0, of a day's puzzle; each comes once before any comes again."""
    step = next(step for step in range(count * 5 // 8 + 1, count * 2 + 2) if gcd(step, count) == 1)
    return day * step % count


def winner(game: AnyGame, position: Any) -> int | None:
    """Return who has won the game or the match, 0 for a draw, None while it goes on."""
    outcome = game.outcome(position)
    return None if outcome is None else outcome.winner or 0


def forced(game: AnyGame, position: Any, player: int, moves: int) -> bool:
    """Return whether a player can force a win with so many own moves."""
    won = winner(game, position)
    if won is not None:
        return won == player
    own = game.to_move(position) == player
    if own and moves == 0:
        return False
    after = (game.play(position, move) for move in game.legal_moves(position))
    results = (forced(game, each, player, moves - own) for each in after)
    return any(results) if own else all(results)


def refuted(
    game: AnyGame, puzzle: Puzzle, played: int, position: Any, move: Any
) -> tuple[str, ...]:
    """Return a wrong move and the answer that shows why it is wrong, as texts.

    The position is that after `played` moves of the puzzle's line. Answers that win come first,
    then those that raise the opponent's score most. There is no answer if the move ends the game,
    or if the puzzle asks for the highest gain by one move.
    """
    player, then = game.to_move(position) or 0, game.play(position, move)
    kind, other, left = puzzle.kind, 3 - player, puzzle.count - played // 2
    text = game.move_text(position, move)
    if kind is Kind.MOST or winner(game, then) is not None or game.to_move(then) != other:
        return (text,)

    after = {answer: game.play(then, answer) for answer in game.legal_moves(then)}

    def strength(answer: Any) -> tuple[bool, int]:
        return winner(game, after[answer]) == other, game.score(after[answer])[other - 1]

    for answer in sorted(after, key=strength, reverse=True):
        still_wins = kind is Kind.WIN and forced(game, after[answer], player, left - 1)
        if not still_wins and (kind is not Kind.SAVE or winner(game, after[answer]) == other):
            return text, game.move_text(then, answer)
    return (text,)
