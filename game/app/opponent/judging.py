"""The process that works out the course of one game, for whoever has started it.

Owns its input, one line of JSON (game, start, moves, nodes, seed, nice), and its output: a line a
move, and a last one that says that all is told. `game.app.opponent.analysing` starts and reads it.
"""

import json
import sys
from dataclasses import asdict
from typing import Any

from game.app.opponent.giving_way import end_with_parent, give_way
from game.engine.course import analysed, final_value, positions_of
from game.rules.catalogue import find_game


def main() -> None:
    """Judge the game that standard input names."""
    end_with_parent()
    wanted: Any = json.loads(sys.stdin.readline())
    give_way(int(wanted["nice"]))
    game = find_game(wanted["game"])
    positions, moves = positions_of(game, game.parse(wanted["start"]), wanted["moves"])
    for point in analysed(game, positions, moves, wanted["nodes"], wanted["seed"]):
        print(json.dumps(asdict(point)), flush=True)
    print(json.dumps({"final": final_value(game, positions[-1])}), flush=True)


if __name__ == "__main__":
    main()
