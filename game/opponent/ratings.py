"""Ratings of people by name, from the saved games, and the level or the help that suits them.

Owns the ratings of the levels, what help is worth, and the arithmetic: Glicko (M. E. Glickman,
1995), a rating with its deviation, so that few games suffice. Nothing is stored but the games
themselves.

It uses no library: `glicko2` on PyPI, whose last release is of January 2024, installs a package
`tests` beside ours, and uses the rating in place of the deviation to compute the volatility.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from game.common import AppError
from game.engine import LEVEL_NAMES
from game.rules.base.errors import RulesError
from game.rules.base.grades import BEST_LIT, COACHED, FREE, LOOKS, WARNED, Help, help_in
from game.store import Store, StoredGame
from game.table import State
from game.table.entries import EVEN, HELP_LEVELS

LEVEL_RATINGS: Mapping[str, float] = dict(
    zip(LEVEL_NAMES, (540, 785, 990, 1160, 1360, 1550, 1740, 1985, 2240, 2500), strict=True)
)
"""From the differences in Circle of Life, in docs/strength.md; other games have few matches."""
BEGINNER = LEVEL_RATINGS["1"]
NEWEST = 200
"""How many games count; older ones say little, and would take time to read."""
_Q = math.log(10) / 400


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength and its standard deviation; the defaults are a beginner's."""

    value: float = BEGINNER
    deviation: float = 350.0


_CEILING = 2030.0
"""The rating of a player who always makes the move that is shown as the best."""
_SHARES: Mapping[Help, float] = {
    Help(): 0.0,
    Help(WARNED): 0.22,
    Help(COACHED): 0.27,
    **{
        Help(LOOKS, looks): share
        for looks, share in enumerate((0.22, 0.42, 0.47, 0.55, 0.63, 0.72), 1)
    },
    Help(FREE, None): 0.95,
    Help(BEST_LIT, None): 1.0,
}
"""How far each help lifts a player from their rating to the ceiling: from docs/strength.md, between
3 and 6 looks by interpolation."""
LEVEL_DEVIATION = 80.0
"""Standard deviation of the rating of a level, or of a puzzle, against people."""
LEAST_DEVIATION = 200.0
"""Lower bound of a person's deviation, as people learn and levels lie far apart. With it, simulated
people reach their level or one beside it in 20 even matches; with 60 one in six does not."""


def rated(own: Rating, other: Rating, score: float) -> Rating:
    """Return a rating after one game against another; a score is 1 for a win and 0.5 for a draw."""
    weight = 1 / math.sqrt(1 + 3 * (_Q * other.deviation / math.pi) ** 2)
    expected = 1 / (1 + 10 ** (-weight * (own.value - other.value) / 400))
    known = 1 / own.deviation**2 + (_Q * weight) ** 2 * expected * (1 - expected)
    value = own.value + _Q / known * weight * (score - expected)
    return Rating(value, 1 / math.sqrt(known))


def suiting(rating: Rating) -> str:
    """Return the level with the nearest rating."""
    return min(LEVEL_RATINGS, key=lambda level: abs(LEVEL_RATINGS[level] - rating.value))


def helped(rating: float, help_: Help) -> float:
    """Return the rating at which a player of this rating plays with help."""
    return rating + _SHARES[help_] * max(0.0, _CEILING - rating)


def even_help(rating: float, other: float) -> Help:
    """Return the help that evens a player's chances against a stronger one without help."""
    return min(_SHARES, key=lambda help_: abs(helped(rating, help_) - other))


def even_helps(found: Mapping[str, Rating], names: tuple[str, ...]) -> tuple[Help, Help]:
    """Return the help that evens a game of two people: some for the weaker, none for the other."""
    first, second = (found.get(_key(names, number), Rating()).value for number in (1, 2))
    return even_help(first, second), even_help(second, first)


def ratings(games: Iterable[StoredGame]) -> dict[str, Rating]:
    """Rate people by name from ended games, oldest first; people without a name share a rating.

    Only games for two count, without players at another board or engines other than ours.
    """
    found: dict[str, Rating] = {}
    for game in games:
        computers = game.computers or ("",) * len(game.names)
        people = [n for n, level in enumerate(computers, start=1) if not level]
        keys = [_key(game.names, number) for number in people]
        known = set(computers) <= {"", EVEN, *LEVEL_NAMES}
        if game.is_set_up or len(computers) != 2 or not known or len(set(keys)) < len(keys):
            continue
        before = [_rating(game.names, computers, number, found) for number in (1, 2)]
        try:
            helps = help_in(game.options.get(HELP_LEVELS, ""), 2)
        except RulesError:
            helps = (Help(), Help())
        played = [
            Rating(helped(each.value, help_), each.deviation)
            for each, help_ in zip(before, helps, strict=True)
        ]
        for number in people:
            score = 0.5 if game.winner is None else float(game.winner == number)
            own, other = played[number - 1], played[2 - number]
            new = rated(own, other, score)
            # The more help, the less a result says of the player.
            learned = (1 - _SHARES[helps[number - 1]]) * (new.value - own.value)
            deviation = max(LEAST_DEVIATION, new.deviation)
            found[_key(game.names, number)] = Rating(before[number - 1].value + learned, deviation)
    return found


def _rating(
    names: tuple[str, ...], computers: tuple[str, ...], number: int, found: Mapping[str, Rating]
) -> Rating:
    level = computers[number - 1]
    if not level:
        return found.get(_key(names, number), Rating())
    if level == EVEN:
        level = suiting(found.get(_key(names, 3 - number), Rating()))
    return Rating(LEVEL_RATINGS[level], LEVEL_DEVIATION)


def _key(names: tuple[str, ...], number: int) -> str:
    return "".join(names[number - 1 : number]).strip().casefold()


class EvenMatch:
    """Find the level of EVEN for the current game; read the games again when another begins."""

    def __init__(self, folder: Path, game: str) -> None:
        self._folder = folder
        self._game = game
        self._read_for: object = None
        self._level = ""

    def level(self, state: State, number: int | None) -> str:
        """Return the level that suits the first person at the table.

        `number` is the number of the game on disk; within one game the level stays the same.
        """
        if self._read_for != (number, state.names):
            self._read_for = number, state.names
            people = [n for n, level in enumerate(state.computers, start=1) if not level]
            who = _key(state.names, people[0]) if people else ""
            self._level = suiting(self._ratings().get(who, Rating()))
        return self._level

    def helps(self, names: tuple[str, ...]) -> str:
        """Return the help of two people for an even match between them, as `help_in` reads it."""
        return ",".join(each.text for each in even_helps(self._ratings(), names))

    def _ratings(self) -> dict[str, Rating]:
        try:
            with Store(self._folder, read_only=True) as store:
                return ratings(reversed(store.ended(self._game, NEWEST)))
        except AppError:
            # The game can be played without ratings.
            return {}
