"""Judge what the coach says in games of the engine against itself.

`python -m tests.tools.coach 1000 4 [GAME ...]` prints, by game and idea, how many were said and how
many were wrong, of so many positions of each game with the seed 4, and each wrong one.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from game.engine.search import new_search
from game.rules.base.advice import ideas
from game.rules.base.game import AnyGame
from game.rules.base.registry import find_game
from game.rules.base.values import Advice
from tests.oracles.coach_judge import STARTS, Judge

OPENING = 4
"""Random moves at the beginning, so that no two games are the same."""
NODES = (0, 20, 60, 200)
"""Nodes by which the engine plays, game by game; 0 plays at random."""


def judged(name: str, count: int, seed: int) -> Iterator[tuple[Any, Advice, bool]]:
    """Yield the ideas in every third position of games, and whether each holds."""
    game, rng = find_game(name), Random(seed)
    while count > 0:
        nodes = NODES[seed % len(NODES)]
        past, line, moves = [game.initial({"first": "1"})], [STARTS[name]()], list[str]()
        while game.outcome(position := past[-1]) is None and count > 0:
            if len(moves) >= OPENING and (len(moves) + seed) % 3 == 0:
                judge, count = Judge(line, moves), count - 1
                seen = [game.seen_by(each, None) for each in past[-3:]]
                for idea in ideas(game, seen[-1], seen[:-1]):
                    yield position, idea, judge.holds(idea)
            move = _chosen(game, position, rng, nodes if len(moves) >= OPENING else 0)
            moves.append(game.plain_text(position, move))
            past.append(game.play(position, move))
            line.append(line[-1].play(moves[-1]))
        seed += 1


def _chosen(game: AnyGame, position: Any, rng: Random, nodes: int) -> Any:
    if not nodes or game.hidden:
        return game.legal_moves(position).pick(rng)
    search = new_search(game, position, rng.randrange(1 << 30))
    search.go_on(nodes)
    return game.parse_move(position, search.choices()[0].move)


def main() -> None:
    for name in sys.argv[3:] or STARTS:
        said, wrong = Counter[str](), Counter[str]()
        for position, idea, true in judged(name, int(sys.argv[1]), int(sys.argv[2])):
            said[idea.message.key] += 1
            if not true:
                wrong[idea.message.key] += 1
                print(f"{name}: {idea.message} in {find_game(name).text(position)}", flush=True)
        for key in sorted(said):
            print(f"{name} {key}: {said[key]} said, {wrong[key]} wrong", flush=True)


if __name__ == "__main__":
    main()
