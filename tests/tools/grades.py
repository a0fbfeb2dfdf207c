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
from game.engine.levels import pick
from game.engine.search import Choice, new_search
from game.rules.base.game import AnyGame
from game.rules.base.grades import Grade
from game.rules.base.registry import find_game

FIRST_NODES: dict[str, int] = {
    **{"circle-of-life": 3000, "cirkle-mind": 3000, "azteka": 6000, "adaptoid": 10_000},
    **{"eat-your-neighbor": 4900, "capture-go": 2000},
}
"""Nodes that a Raspberry Pi Zero 2 W searches in 250 ms, by game; see docs/tested.md."""

GAMES = ("circle-of-life", "eat-your-neighbor", "azteka", "adaptoid", "capture-go", "cirkle-mind")
ANSWERS, SECONDS_3 = ("first", "after 3 s"), 12
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


def searched(game: AnyGame, position: Any, steps: Iterable[int], seed: int) -> Iterator[Any]:
    """Yield the choices of one search after each of these numbers of nodes."""
    search = new_search(game, position, seed)
    search.grade()
    for nodes in steps:
        search.go_on(nodes - search.nodes)
        yield search.choices()


def judged(game: AnyGame, position: Any, choices: Sequence[Choice]) -> dict[str, int]:
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


def compare(game: AnyGame, count: int, seed: int) -> Iterator[dict[str, Counter[str]]]:
    """Count in each position the cells whose two grades are the same, lie one apart, and so on."""
    rng, nodes = Random(f"{seed}.{game.name}"), FIRST_NODES[game.name]
    for position in islice(positions(game, rng), count):
        answers = searched(game, position, (nodes, SECONDS_3 * nodes), rng.getrandbits(30))
        (sure,) = searched(game, position, (TIMES * nodes,), rng.getrandbits(30))
        right = judged(game, position, sure)
        lose = {cell for cell in right if _loses_at_once(game, position, cell)}
        grading, shown = Grading(game, position), dict[str, Counter[str]]()
        for when, choices in zip(ANSWERS, answers, strict=True):
            grades = grading.grades(choices)
            counts = shown[when] = Counter(cells=len(right))
            for cell in right:
                grade = grades[(cell,)].grade if (cell,) in grades else None
                apart = None if grade is None else abs(grade - right[cell])
                counts["not yet graded" if apart is None else f"{apart} apart"] += 1
                if cell in lose:
                    counts["lose at once"] += 1
                    counts["lose at once but shown as good"] += grade == Grade.GOOD
                    counts["lose at once but not as losing"] += grade not in (None, Grade.LOSING)
        yield shown


def close(shown: Iterable[Counter[str]]) -> float:
    """Return the share of the cells that are at most one grade apart."""
    added = sum(shown, Counter[str]())
    return (added["0 apart"] + added["1 apart"]) / max(1, added["cells"])


def interval(shown: Sequence[Counter[str]]) -> tuple[float, float]:
    """Return the 95 % interval of `close`, by drawing whole positions again."""
    rng = Random(0)
    drawn = sorted(close(rng.choices(shown, k=len(shown))) for _ in range(1000))
    return drawn[25], drawn[-26]


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
        shown = list[dict[str, Counter[str]]]()
        with suppress(KeyboardInterrupt):
            shown += compare(find_game(name), options.positions, options.seed)
        for when in ANSWERS:
            of_time = [each[when] for each in shown]
            low, high = interval(of_time)
            counts = dict(sum(of_time, Counter[str]()))
            found = f"{close(of_time):.1%} ({low:.1%} to {high:.1%})"
            print(f"{name}, {when}: {len(shown)} positions, {found} {counts}", flush=True)


if __name__ == "__main__":
    main()
