"""Measure how fast the engine of Circle of Life computes here, compiled and in plain Python.

Owns these figures and their report. Both forms come from one source, and play the same games.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from game.common.errors import AppError
from game.engine.catalogue import new_search
from game.engine.circle import field
from game.rules.circle_of_life import GAME

SPEED_S = 2.0
"""Processor time to take each figure, so that other programs do not count."""


@dataclass(frozen=True, slots=True)
class EngineFigures:
    """What one core does in a second; `compiled` tells whether the engine in use is compiled.

    `games` are random ones by the engine in use, `plain_games` by the same source in plain Python.
    `nodes` are those of the strongest levels' search, `plain_nodes` those of plain UCT, both from
    the start of a game, where playing on takes longest.
    """

    compiled: bool
    games: float
    plain_games: float
    nodes: float
    plain_nodes: float


def engine_speed(seconds: float = SPEED_S) -> EngineFigures:
    """Take the engine's figures, each for some seconds of processor time."""
    source = Path(field.__file__).parent / "field.py"
    return EngineFigures(
        compiled=not field.__file__.endswith(".py"),
        games=_a_second(_games_of(field), seconds),
        plain_games=_a_second(_games_of(_loaded(source)), seconds),
        nodes=_a_second(_nodes(plain=False), seconds),
        plain_nodes=_a_second(_nodes(plain=True), seconds),
    )


def engine_lines(figures: EngineFigures) -> list[str]:
    """Write the engine's figures for reading."""
    form = "compiled" if figures.compiled else "plain Python: not compiled here"
    return [
        f"engine     {figures.games:8.0f} random games a second on one core ({form})",
        f"           {figures.plain_games:8.0f} in plain Python,"
        f" {figures.games / figures.plain_games:.0f} times fewer",
        f"           {figures.nodes:8.0f} nodes a second searched,"
        f" {figures.plain_nodes:.0f} by plain UCT",
    ]


def _games_of(module: ModuleType) -> Callable[[int], None]:
    def play(games: int) -> None:
        module.random_games(games, 1)

    return play


def _nodes(*, plain: bool) -> Callable[[int], None]:
    search = new_search(GAME, GAME.initial(), 1, plain=plain)
    return search.go_on


def _a_second(work: Callable[[int], None], seconds: float) -> float:
    """Do some work in growing portions, and return how much is done in a second."""
    done, portion, began = 0, 16, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        work(portion)
        done += portion
        # Portions grow until the clock is read seldom.
        portion = min(2 * portion, 1 + int(done / max(spent, 1e-3) / 10))
    return done / spent


def _loaded(source: Path) -> ModuleType:
    """Load a module from its source, even if a compiled form exists."""
    spec = spec_from_file_location("plain_field", source)
    if spec is None or spec.loader is None:
        raise AppError(f"{source} cannot be loaded")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
