"""How a game is opened: where its randomness comes from."""

from pathlib import Path
from random import Random, SystemRandom

import pytest

from game.rules import circle_of_life
from game.rules.cirkle_mind import GAME
from game.table import Phase
from game.table.players import DRAW_S
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


@pytest.mark.parametrize(("real", "phase"), [(True, Phase.MENU), (False, Phase.TAP)])
def test_a_real_board_offers_on_its_cells_what_the_page_does(
    real: bool, phase: Phase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    if real:
        # Nothing has virtual hands.
        monkeypatch.setattr(game_runtime, "Hands", ())
    board, clock = profiles.built_in(), {"clock": lambda: 0.0}
    game, folder = circle_of_life.GAME, tmp_path
    plan = game_runtime.GameConfig(game, board, "mock", folder, lambda: 1.0, **clock)
    with game_runtime.open_game(plan) as running:
        running.session.step(DRAW_S)
        assert running.session.table.state.phase is phase
