"""The engine's figures are of what is in use, and say whether that is compiled."""

import pytest

from game.engine.circle import field
from tests.tools.bench.engine import EngineFigures, engine_lines, engine_speed


def test_figures_are_of_the_engine_in_use():
    figures = engine_speed(0.05)
    assert figures.compiled == field.__file__.endswith(".so")
    assert min(figures.games, figures.plain_games, figures.nodes, figures.plain_nodes) > 0


@pytest.mark.parametrize("compiled", [True, False])
def test_figures_say_whether_the_engine_is_compiled(compiled: bool):
    lines = engine_lines(EngineFigures(compiled, 300_000.0, 2_000.0, 80_000.0, 200_000.0))
    assert ("not compiled" in lines[0]) != compiled
    assert "150 times fewer" in lines[1]
    assert "200000 by plain UCT" in lines[2]
