"""The two forms of the engine's hot part: plain Python, and what stands in for it when compiled."""

import importlib
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import game.engine as room
from game.rules.circle_of_life import GAME

FOLDER = Path(room.__file__).parent
NAMES = (
    *("fast.chance", "fast.board", "fast.tree"),
    *("food_web.tables", "food_web.board"),
    *("fast.azteka", "fast.adaptoid", "fast.cirkle_mind", "fast.capture_go"),
)
"""Modules in import order."""


def in_use() -> dict[str, ModuleType]:
    """Return the modules that lifeboard uses here, compiled if they could be."""
    return {name: importlib.import_module(f"{room.__name__}.{name}") for name in NAMES}


def plain() -> dict[str, ModuleType]:
    """Load the modules from source, even if compiled ones exist; nothing else sees them."""
    used, loaded = in_use(), {}
    try:
        for name in NAMES:
            full = f"{room.__name__}.{name}"
            spec = spec_from_file_location(full, FOLDER / f"{name.replace('.', '/')}.py")
            assert spec is not None
            assert spec.loader is not None
            loaded[name] = module_from_spec(spec)
            # Each module finds those loaded before it.
            _set(full, loaded[name])
            spec.loader.exec_module(loaded[name])
    finally:
        for name, module in used.items():
            _set(f"{room.__name__}.{name}", module)
    return loaded


def random_games(
    form: dict[str, ModuleType], games: int, seed: int, target: int = 20
) -> tuple[int, int]:
    """Play random games of Circle of Life; return how many player 0 won, and all their plies."""
    rng, won, plies = form["fast.chance"].Xorshift(seed), 0, 0
    start = form["food_web.board"].board_of(GAME.initial({"target": str(target)}))
    board = start.fresh()
    for _ in range(games):
        board.copy_from(start)
        board.play_out(rng, False)
        won += board.ended == 1
        plies += sum(stones.bit_count() for stones in board.words[:2]) + sum(board.words[2:4])
    return won, plies


def _set(full: str, module: ModuleType) -> None:
    sys.modules[full] = module
    package, _, name = full.rpartition(".")
    setattr(sys.modules[package], name, module)
