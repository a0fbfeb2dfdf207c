"""Compare the grades of a first answer with those of a search of a hundred times its nodes.

`python -m tests.tools.grades [--positions N] [GAME ...]` plays games between the levels and grades
every cell that can be touched first, in positions drawn from them.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from game.engine import find_level
from game.engine.course import Grading
from game.engine.levels import pick
from game.engine.search import new_search
from game.rules.base.game import AnyGame
from game.rules.base.grades import Grade, Graded
from game.rules.base.registry import find_game

FIRST_NODES: dict[str, int] = {
    **{"circle-of-life": 3000, "cirkle-mind": 3000, "azteka": 6000, "adaptoid": 10_000},
    **{"eat-your-neighbor": 90, "": 14},
}
"""Nodes that a Raspberry Pi Zero 2 W searches in 250 ms, by game; see docs/tested.md."""

GAMES = ("circle-of-life", "eat-your-neighbor", "azteka", "adaptoid", "capture-go", "cirkle-mind")
TIMES = 100
LEVELS = ("1", "2", "3", "4")
EVERY = 7
"""A position of every seventh move, so that the games differ more than their positions."""


def positions(game: AnyGame, rng: Random) -> Iterator[Any]:
    """Yield positions of games between two levels, as a spectator sees them, without end."""
    while True:
        position = game.initial({"first": rng.choice("12")})
        levels = rng.sample(LEVELS, 2)
        for ply in range(rng.randrange(EVERY), 400):
            mover = game.to_move(position)
            if mover is None:
                break
            public = game.seen_by(position, None)
            arranging = game.arranging(position, mover) is not None
            if ply % EVERY == 0 and not arranging and len(game.legal_moves(public)) > 1:
                yield public
            level = find_level(levels[mover - 1])
            seen = game.seen_by(position, mover, remembers=True)
            search = new_search(game, seen, rng.getrandbits(30))
            search.go_on(level.nodes)
            choice = pick(level, search.choices(), rng)
            position = game.play(position, game.parse_move(position, choice.move))


def graded(game: AnyGame, position: Any, nodes: int, seed: int) -> Mapping[str, Graded]:
    search = new_search(game, position, seed)
    search.grade()
    search.go_on(nodes)
    grades = Grading(game, position).grades(search.choices())
    return {taps[0]: each for taps, each in grades.items() if len(taps) == 1}


def compare(game: AnyGame, count: int, seed: int) -> Counter[str]:
    """Count the cells whose two grades are the same, lie one apart, and so on."""
    rng, shown = Random(seed), Counter[str]()
    nodes = FIRST_NODES.get(game.name, FIRST_NODES[""])
    for _, position in zip(range(count), positions(game, rng), strict=False):
        first = graded(game, position, nodes, rng.getrandbits(30))
        sure = graded(game, position, TIMES * nodes, rng.getrandbits(30))
        for cell, right in sure.items():
            shown["cells"] += 1
            if cell not in first:
                shown["not yet graded"] += 1
                continue
            apart = abs(first[cell].grade - right.grade)
            shown[f"{apart} apart"] += 1
            if _loses_at_once(game, position, cell):
                shown["lose at once"] += 1
                shown["lose at once but shown as better"] += first[cell].grade < Grade.LOSING
        shown["positions"] += 1
    return shown


def _loses_at_once(game: AnyGame, position: Any, cell: str) -> bool:
    """Return whether every move that begins here loses, by the rules, to one answer."""
    player = game.to_move(position)
    moves = [move for taps, move in game.moves_by_taps(position).items() if taps[0] == cell]
    return not game.hidden and all(_loses(game, position, move, player) for move in moves)


def _loses(game: AnyGame, position: Any, move: Any, player: int | None) -> bool:
    after = game.play(position, move)
    outcome = game.outcome(after)
    if outcome is not None:
        return outcome.winner not in (player, None)
    if game.to_move(after) == player:
        return False
    results = (game.outcome(game.play(after, reply)) for reply in game.legal_moves(after))
    return any(each is not None and each.winner not in (player, None) for each in results)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--positions", type=int, default=167, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in options.games:
        shown = compare(find_game(name), options.positions, options.seed)
        close = shown["0 apart"] + shown["1 apart"]
        print(f"{name}: {close / max(1, shown['cells']):.1%} within one; {dict(shown)}", flush=True)


if __name__ == "__main__":
    main()
