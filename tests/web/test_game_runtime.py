"""What a game is opened with: where its chance comes from."""

from pathlib import Path
from random import Random, SystemRandom

import pytest

from game.rules.cirkle_mind import GAME
from game.table.table import Table
from game.web import game_runtime
from hal import profile as profiles


def test_set_ups_do_not_follow_from_earlier_ones_unless_a_seed_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    given: list[Random] = []

    def table(game: object, options: object, rng: Random, **more: object) -> Table:
        given.append(rng)
        return Table(game, options, rng, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(game_runtime, "Table", table)
    board = profiles.built_in("rectangle-88")
    for name, seed in (("any", None), ("same", 1)):
        plan = game_runtime.GameConfig(GAME, board, "sim", tmp_path / name, lambda: 1.0, seed=seed)
        with game_runtime.open_game(plan):
            pass
    assert [isinstance(rng, SystemRandom) for rng in given] == [True, False]
