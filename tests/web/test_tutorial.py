"""Tutorials on emulated boards with a clock of our own: what goes on, and what is shown."""

import signal
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import pytest

from game.common import AppError, words
from game.play import Snapshot, default_board, fitted_profile
from game.rules.base.game import Game
from game.rules.base.registry import all_games
from game.rules.base.tutorial import tutorial
from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command, Touched
from game.table.scene import Cue
from game.table.state import REJECTED_S
from game.web.lessons import SLOWER, Tutorial
from game.web.show import MOVE_S
from game.web.views import state_view
from hal.lights import DARK
from tests.helpers.boards.shown_board import ShownBoard
from tests.helpers.programs.running import Lifeboard, Talk

SHOWN_S = SLOWER * MOVE_S
SETTLED_S = 0.6
"""Time until a stone that was set, or taken off, is sensed."""
AZTEKA = all_games()["azteka"]
GAMES = [game for game in all_games().values() if tutorial(game)]


class Learning(ShownBoard):
    """A tutorial on a board."""

    step_s = 0.01

    def __init__(self, game: Game[Any, Any], backend: str, mode: str) -> None:
        super().__init__(fitted_profile(default_board("sim", game), game), backend, mode)
        self.runner = self.started(game)
        self.step = self.runner.step
        self.step(self.now)

    def started(self, game: Game[Any, Any]) -> Any:
        return Tutorial(game, self.device, self.watcher)

    def tap(self, spot: str) -> None:
        if spot not in self.profile.cells and spot not in self.profile.keys:
            self.give(Touched(spot))
        elif self.profile.sensing.mode == "presence" and spot in self.profile.cells:
            for _ in range(2):
                self.backend.press("finger", spot)
                self.run(SETTLED_S)
        else:
            super().tap(spot)

    def give(self, request: Asked | Touched) -> None:
        self.runner.give(request)
        self.step(self.now)

    @property
    def seen(self) -> Snapshot:
        return self.watcher.newest

    @property
    def at(self) -> int:
        return self.seen.lesson[0]

    @property
    def said(self) -> str:
        return words("en").texts(self.seen.scene.prompt)

    @property
    def cues(self) -> dict[str, Cue]:
        return {cell: lamp.cue for cell, lamp in self.seen.scene.cells.items()}


def learning(
    game: Game[Any, Any] = GAME, backend: str = "sim", mode: str = "touch"
) -> AbstractContextManager[Learning]:
    return closing(Learning(game, backend, mode))


@pytest.mark.parametrize("mode", ["touch", "presence"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_tutorial_is_played_on_the_board_from_start_to_end(game: Game[Any, Any], mode: str):
    with learning(game, "mock", mode) as shown:
        shown.run(SETTLED_S)
        for number, step in enumerate(tutorial(game), start=1):
            assert shown.seen.lesson == (number, len(tutorial(game)))
            assert shown.said.startswith(step.texts["en"])
            assert any(colour != DARK for colour in shown.watcher.frames[-1])
            entered = step.taps if step.move else (*step.taps, game.board.cells[0])[:1]
            for at, spot in enumerate(entered):
                lit = {cell for cell, cue in shown.cues.items() if cue is Cue.LEGAL}
                expected = step.expected(entered[:at])
                assert lit == expected & {*game.board.cells}
                assert expected - {*game.board.cells} <= shown.seen.scene.keys.keys()
                shown.tap(spot)
            shown.run(5 * SHOWN_S)
        assert shown.at == len(tutorial(game))


def test_eaten_stones_pulse_before_they_are_gone_and_the_next_step_follows():
    with learning() as shown:
        shown.tap("e5")
        assert shown.said == "Orange placed e5: singleton."
        shown.run(SHOWN_S)
        shown.tap("e4")
        assert (shown.cues["e6"], shown.seen.scene.score) == (Cue.REMOVE, (1, 0))
        shown.run(SHOWN_S / 2)
        assert "e6" not in shown.cues
        shown.run(SHOWN_S / 2)
        assert shown.said.startswith("Eaten!")
        assert shown.runner.due(shown.now) > shown.now


def test_other_touch_is_flagged_for_a_while_and_says_where_instead():
    with learning() as shown:
        shown.tap("a1")
        assert (shown.at, shown.cues["a1"], shown.cues["e5"]) == (1, Cue.WRONG, Cue.LEGAL)
        assert shown.seen.scene.notice is not None
        assert words("en").text(shown.seen.scene.notice) == "Not a1: tap the marked cell."
        shown.run(REJECTED_S)
        assert "a1" not in shown.cues
        assert shown.seen.scene.notice is None


def test_commands_go_back_do_the_step_and_begin_again():
    with learning() as shown:
        shown.give(Asked(Command.TAKE_BACK))
        assert shown.at == 1
        shown.give(Asked(Command.CONFIRM))
        assert shown.said == "Orange placed e5: singleton."
        shown.give(Asked(Command.CONFIRM))
        assert shown.at == 2
        shown.give(Asked(Command.TAKE_BACK))
        assert shown.at == 1
        for _ in range(40):
            shown.give(Asked(Command.CONFIRM))
        assert (shown.at, shown.runner.leads_to) == (len(tutorial(GAME)), "")
        shown.tap("a1")
        assert shown.runner.leads_to == "game"
        shown.give(Asked(Command.NEW_GAME))
        assert shown.at == 1


def test_hidden_faces_are_shown_to_the_learner_only_when_attacked():
    (game,) = (game for game in GAMES if game.hidden)
    with learning(game, "mock") as shown:
        seen = {cell: cell_["piece"] for cell, cell_ in view(shown)["cells"].items()}
        assert (seen["C4"], seen["C8"], seen["F9"]) == ("GyC", "M", "M")
        for _ in range(2):
            shown.give(Asked(Command.CONFIRM))
            shown.run(5 * SHOWN_S)
        assert view(shown)["lesson"] == {"step": 3, "of": len(tutorial(game))}
        shown.give(Asked(Command.CONFIRM))
        assert view(shown)["faces"]["cells"]["C7"]["piece"] == "MyO"
        shown.run(SHOWN_S)
        assert view(shown)["cells"]["C7"]["piece"] == "GyC"


def view(shown: Learning) -> dict[str, Any]:
    return state_view.state(shown.seen, words("en"))


def test_game_without_a_tutorial_says_so():
    with pytest.raises(AppError, match="Azteka for three has no tutorial"):
        Learning(all_games()["azteka-three"], "mock", "touch")


@pytest.mark.parametrize("game", ["azteka", "azteka-three"])
def test_command_serves_a_tutorial_until_it_is_stopped(tmp_path: Path, game: str):
    with Lifeboard(tmp_path, game, command="tutorial") as running, running.page() as socket:
        talk = Talk(socket)
        talk.until(lambda t: t.state.get("lesson") == {"step": 1, "of": len(tutorial(AZTEKA))})
        assert running.stop(signal.SIGINT) == (0, "")
    assert not list(tmp_path.glob("games*"))
