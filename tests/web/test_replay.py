"""Saved games replayed on the scripted double, with the test's clock."""

from collections.abc import Sequence
from contextlib import closing

import pytest

from game.rules.circle_of_life import GAME
from game.store import Record, Result
from game.store.record import RESIGNED, checked
from game.table.inputs import Asked, Command
from game.table.phases import Phase
from game.table.scene import Cue
from game.web.replay import Pace, Replay
from game.web.show import MOVE_S
from hal import profile as profiles
from hal.lights import DARK
from tests.helpers.boards.shown_board import ShownBoard

MOVES = ("e5", "e4", "e6", "d1")


def shown(moves: Sequence[str] = MOVES) -> Record:
    return checked(Record(GAME.name, {}, ("Anna", "Beat"), moves=tuple(moves)))


class Show(ShownBoard):
    """A replay on a board."""

    def __init__(self, record: Record, mode: str = "touch") -> None:
        super().__init__(profiles.built_in(), "mock", mode)
        self.replay = Replay(GAME, self.device, self.watcher, record=record)
        self.step = self.replay.step
        self.step(self.now)

    @property
    def where(self) -> tuple[int, Pace]:
        return len(self.watcher.newest.state.history), self.replay.pace

    @property
    def pieces(self) -> dict[str, str]:
        return GAME.pieces(self.watcher.newest.state.position)

    @property
    def prompts(self) -> list[str]:
        return [message.key for message in self.watcher.newest.scene.prompt]


@pytest.fixture
def show():
    with closing(Show(shown())) as show:
        yield show


def test_game_is_shown_move_by_move_and_its_end_stays(show):
    assert show.where == (0, Pace.RUNNING)
    assert show.pieces == {}
    for ply, pieces in enumerate(
        ({"e5": "1"}, {"e4": "2", "e5": "1"}, {"e5": "1", "e6": "1"}), start=1
    ):
        show.run(MOVE_S + 0.01)
        assert show.where == (ply, Pace.RUNNING)
        assert show.pieces == pieces
        assert show.prompts[-1] == "replay.running"
    show.run(0.1)
    # What is eaten pulses before it is gone.
    scene = show.watcher.newest.scene
    assert (scene.cells["e4"].cue, scene.cells["e6"].cue) == (Cue.REMOVE, Cue.PLACED)
    assert scene.score == (1, 0)
    show.run(MOVE_S)
    assert show.where == (4, Pace.ENDED)
    seen = len(show.watcher.snapshots)
    show.run(5 * MOVE_S)
    assert len(show.watcher.snapshots) == seen
    assert show.prompts[-1] == "replay.ended"
    # All that stands is lit, and nothing asks to be touched.
    scene = show.watcher.newest.scene
    assert {cell: (lamp.cue, lamp.side) for cell, lamp in scene.cells.items()} == {
        "d1": (Cue.PLACED, 2),
        "e5": (Cue.STANDS, 1),
        "e6": (Cue.STANDS, 1),
    }
    lit = {cell: show.watcher.frames[-1][show.profile.pixels[cell]] != DARK for cell in MOVES}
    assert lit == {"e5": True, "e4": False, "e6": True, "d1": True}
    show.tap("new_game")
    assert show.where == (0, Pace.RUNNING)


def test_touches_take_backs_and_pages_lead_to_any_move_and_pause_or_go_on(show):
    show.run(MOVE_S)
    show.tap("h3")
    assert show.where == (1, Pace.PAUSED)
    assert show.prompts == ["circle_of_life.placed", "replay.paused"]
    show.run(5 * MOVE_S)
    assert show.where == (1, Pace.PAUSED)
    show.tap("a1")
    assert show.where == (1, Pace.RUNNING)
    show.run(3 * MOVE_S + 0.1)
    assert show.where == (4, Pace.ENDED)
    for ply in (3, 2):
        show.tap("take_back")
        assert show.where == (ply, Pace.PAUSED)
    assert show.pieces == {"e4": "2", "e5": "1"}
    for ply in (1, 0, 0):
        show.tap("take_back")
        assert show.where == (ply, Pace.PAUSED)
    for ply, where in ((2, (2, Pace.PAUSED)), (4, (4, Pace.ENDED)), (-1, (0, Pace.PAUSED))):
        show.replay.seek(ply)
        show.run(2 * MOVE_S)
        assert show.where == where
    show.replay.seek(3)
    show.run(0.1)
    # What the move ate is gone.
    assert show.pieces == {"e5": "1", "e6": "1"}
    assert show.watcher.newest.state.standing == show.pieces
    show.replay.give(Asked(Command.CONFIRM))
    show.run(MOVE_S)
    assert show.where == (4, Pace.ENDED)


def test_resignation_and_a_set_up_start_are_shown():
    start = GAME.text(GAME.from_json({"pieces": {"a1": "2", "i5": "1"}, "to_move": 2}, {}))
    record = Record(GAME.name, position=start, moves=("e5",), result=Result(1, RESIGNED))
    with closing(Show(checked(record))) as show:
        assert show.pieces == {"a1": "2", "i5": "1"}
        show.run(MOVE_S)
        assert show.watcher.newest.state.phase is Phase.TAP
        show.run(MOVE_S)
        assert show.where == (1, Pace.ENDED)
        assert show.watcher.newest.state.phase is Phase.OVER
        assert show.watcher.newest.scene.cells["i5"].cue is Cue.WIN
        assert show.prompts[-2:] == ["table.resigned", "replay.ended"]
        show.tap("take_back")
        assert show.where == (1, Pace.PAUSED)
        assert show.watcher.newest.state.outcome is None
        show.replay.seek(1)
        show.run(0.1)
        assert show.where == (1, Pace.ENDED)


def test_game_without_a_move_is_at_its_end_at_once():
    with closing(Show(shown(()))) as show:
        assert show.where == (0, Pace.ENDED)
        for spot in ("a1", "take_back", "new_game"):
            show.tap(spot)
            assert show.where == (0, Pace.ENDED)


def test_stone_set_on_a_board_that_feels_stones_pauses():
    with closing(Show(shown(), mode="presence")) as show:
        show.run(0.5)
        for cell, pace in (("c3", Pace.PAUSED), ("c3", Pace.PAUSED), ("c4", Pace.RUNNING)):
            show.backend.press("hand", cell)
            show.run(0.6)
            assert show.replay.pace is pace
