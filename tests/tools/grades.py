"""Compare grades, the first ones and those after 3 s, with a search of a hundred times the nodes.

`python -m tests.tools.grades [--positions N] [GAME ...]` plays games between the levels and grades
every cell that can be touched first, in positions drawn from them. What the long search says is
graded here, without the allowance for noise of a short one. Interrupted, it tells what it has.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any

from game.engine import find_level
from game.engine.course import Grading
from game.engine.search import SearchedMove, new_search
from game.rules.base.game import AnyGame
from game.rules.base.grades import Grade
from game.rules.base.registry import find_game
from tests.tools.puzzles import engine_move

FIRST_NODES = {
    **{"circle-of-life": 3000, "eat-your-neighbor": 4900, "azteka": 6000, "adaptoid": 10_000},
    **{"capture-go": 2000, "cirkle-mind": 3000},
}
"""Nodes that a Raspberry Pi Zero 2 W searches in 250 ms, by game; see docs/tested.md."""

SECONDS_3 = 12
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
            seen = game.seen_by(position, mover, remembers=True)
            move = engine_move(game, seen, find_level(levels[mover - 1]), rng)
            position = game.play(position, move)


def searched(game: AnyGame, position: Any, steps: Iterable[int], seed: int) -> Iterator[Any]:
    """Yield the choices of one search after each of these numbers of nodes."""
    search = new_search(game, position, seed)
    search.grade()
    for nodes in steps:
        search.go_on(nodes - search.nodes)
        yield search.choices()


def judged(game: AnyGame, position: Any, choices: Sequence[SearchedMove]) -> dict[str, int]:
    """Grade each cell by the best move that begins there, from 1 to 5."""
    taps = {
        game.plain_text(position, move): taps for taps, move in game.moves_by_taps(position).items()
    }
    grades = dict[str, int]()
    for choice in choices:
        loss, cell = choices[0].value - choice.value, taps[choice.move][0]
        grade = 1 + sum(loss >= least for least in (0.05, 0.1, 0.2, 0.4))
        grades[cell] = min(grade, grades.get(cell, 5))
    return {cell: 5 if _loses_at_once(game, position, cell) else grades[cell] for cell in grades}


def compare(game: AnyGame, count: int, seed: int) -> Iterator[tuple[Counter[str], Counter[str]]]:
    """Count in each position the cells whose two grades are the same, lie one apart, and so on."""
    rng, nodes = Random(f"{seed}.{game.name}"), FIRST_NODES[game.name]
    for position in islice(positions(game, rng), count):
        first, later = searched(game, position, (nodes, SECONDS_3 * nodes), rng.getrandbits(30))
        (sure,) = searched(game, position, (TIMES * nodes,), rng.getrandbits(30))
        right = judged(game, position, sure)
        yield counted(game, position, first, right), counted(game, position, later, right)


def counted(
    game: AnyGame, position: Any, choices: Sequence[SearchedMove], right: dict[str, int]
) -> Counter[str]:
    """Count how far grades are from the right ones, and what is said of moves that lose at once."""
    grades, counts = Grading(game, position).grades(choices), Counter(cells=len(right))
    for cell in right:
        grade = grades[(cell,)].grade if (cell,) in grades else None
        apart = "not yet graded" if grade is None else f"{abs(grade - right[cell])} apart"
        counts[apart] += 1
        if _loses_at_once(game, position, cell):
            counts["lose at once"] += 1
            counts["lose at once but shown as good"] += grade == Grade.GOOD
            counts["lose at once but not as losing"] += grade not in (None, Grade.LOSING)
    return counts


def close(shown: Iterable[Counter[str]]) -> float:
    """Return the share of the cells that are at most one grade apart."""
    added = sum(shown, Counter[str]())
    return (added["0 apart"] + added["1 apart"]) / max(1, added["cells"])


def _loses_at_once(game: AnyGame, position: Any, cell: str) -> bool:
    """Return whether every move that begins here loses, by the rules, to one answer."""
    player = game.to_move(position)
    moves = [move for taps, move in game.moves_by_taps(position).items() if taps[0] == cell]
    return not game.hidden and all(_loses(game, position, move, player) for move in moves)


def _loses(game: AnyGame, position: Any, move: Any, player: int | None) -> bool:
    after = game.play(position, move)
    ends = [game.outcome(after)]
    if ends == [None] and game.to_move(after) != player:
        ends = [game.outcome(game.play(after, reply)) for reply in game.legal_moves(after)]
    return any(each is not None and each.winner not in (player, None) for each in ends)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(FIRST_NODES))
    parser.add_argument("--positions", type=int, default=167, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in options.games:
        shown = list[tuple[Counter[str], Counter[str]]]()
        with suppress(KeyboardInterrupt):
            shown += compare(find_game(name), options.positions, options.seed)
        for when, counts in zip(("first", "after 3 s"), zip(*shown, strict=True), strict=True):
            rng = Random(0)
            # The 95 % interval, by drawing whole positions again.
            drawn = sorted(close(rng.choices(counts, k=len(counts))) for _ in range(1000))
            found = f"{close(counts):.1%} ({drawn[25]:.1%} to {drawn[-26]:.1%})"
            added = dict(sum(counts, Counter[str]()))
            print(f"{name}, {when}: {len(counts)} positions, {found} {added}", flush=True)


if __name__ == "__main__":
    main()
