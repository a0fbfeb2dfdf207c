"""Play even matches of people whose strength is known: `python -m tests.tools.even 1 3`.

A person is a level. Two of them play with the help that *even match* chooses from their games so
far; one alone plays against the level that it chooses. Nobody has played before. Prints the last
person's points in each series, in the games up to FOUND and in those after.
"""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing
from types import SimpleNamespace
from typing import Any

from game.engine import find_level
from game.opponent.ratings import Rating, even_helps, ratings, suiting
from game.rules.base.grades import Help
from game.rules.base.registry import find_game
from game.store import DEFAULT_GAME
from game.table.entries import EVEN, HELP_LEVELS
from tests.tools.match.engines import Player, make_player, read_spec
from tests.tools.match.games import Fixture, openings, play_game
from tests.tools.match.result import score_interval

SERIES, FOUND = 10, 20
"""Series of games, and games after which the strength of people counts as known."""
OPENING = 4
"""Random moves at the beginning; colours are exchanged after each game, openings after two."""


def points(people: Sequence[str], count: int, seed: int) -> Iterator[tuple[float, str]]:
    """Yield the last person's points in each game of a series, and what made it even."""
    game, played = find_game(DEFAULT_GAME), list[Any]()
    drawn = openings(game, game.initial({}), OPENING, seed)
    seats = [(f"Level {level}", level) for level in people] + [("", "")] * (2 - len(people))
    opening = tuple[str, ...]()
    for number in range(count):
        opening = opening if number % 2 else next(drawn)
        sides = seats[:: 1 - 2 * (number % 2)]
        names = tuple(name for name, _ in sides)
        found = ratings(played)
        helps, even = (Help(), Help()), ""
        if len(people) == 2:
            helps = even_helps(found, names)
            even = max(each.text for each in helps)
        else:
            even = suiting(found.get(names[number % 2].casefold(), Rating()))
        one, two = (
            _player(level or even, help_) for (_, level), help_ in zip(sides, helps, strict=True)
        )
        with closing(one), closing(two):
            what = Fixture(2 * number, opening)  # An even number: the first one is engine A.
            result = play_game(game, game.initial({}), what, one, two, seed)
        played.append(
            SimpleNamespace(
                names=names,
                computers=tuple("" if name else EVEN for name in names),
                winner=result.winner,
                options={HELP_LEVELS: ",".join(each.text for each in helps)},
                is_set_up=False,
            )
        )
        last = 1 + names.index(f"Level {people[-1]}")
        yield 0.5 if result.winner is None else float(result.winner == last), even


def _player(level: str, help_: Help) -> Player:
    text = "" if help_ == Help() else f"+{help_.text.replace(':', 'x')}"
    spec = read_spec(f"{level}{text}@{find_level(level).nodes}n")
    return make_player(find_game(DEFAULT_GAME), spec)


def main() -> None:
    parser = argparse.ArgumentParser("even", description=__doc__)
    parser.add_argument("people", nargs="+", metavar="LEVEL")
    people, first, later = parser.parse_args().people, list[float](), list[float]()
    for seed in range(1, SERIES + 1):
        found = list(points(people, 2 * FOUND, seed))
        scores = [score for score, _ in found]
        first.append(sum(scores[:FOUND]) / FOUND)
        later.append(sum(scores[FOUND:]) / FOUND)
        print(f"{seed}: {first[-1]:.1%}, then {later[-1]:.1%}, at last {found[-1][1]}", flush=True)
    print(f"{score_interval(first)} in the first {FOUND} games, {score_interval(later)} after")


if __name__ == "__main__":
    main()
