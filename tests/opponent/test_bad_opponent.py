"""A game on an emulated board against engines that fail in its middle: nothing is lost."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from game.engine.levels import find_level
from game.opponent.computer import Computer
from game.opponent.engine_process import GRACE_S, PAUSES_S
from game.rules.circle_of_life import GAME
from game.table.entries import EntryKind
from game.table.inputs import SetOpponents
from game.table.scene import Cue
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.programs.odd_rig import Rig, wait_for_end

LEVEL = "1"
ONE_MOVE_S = find_level(LEVEL).seconds + GRACE_S


class Evening(Rig):
    """A person, a board and an odd engine, which is blue."""

    def __init__(self, folder: Path, *behaviours: str) -> None:
        super().__init__(folder)
        self.computer = Computer(GAME, self.bell.set, command=self.command(*behaviours))
        self.room = EmulatedGame(
            built_in(), folder, computer=self.computer, levels=("random", LEVEL)
        )
        self.room.session.give(SetOpponents(("", LEVEL)))
        self.room.run(0.1)

    def close(self) -> None:
        self.computer.close()
        self.room.close()
        for pid in self.pids:
            wait_for_end(pid)

    def wait(self, condition: Callable[[], object]) -> None:
        """Let the loop run whenever the engine rings, until something is so."""

        def so() -> object:
            self.room.run(0.05)
            return condition()

        self.until(so)

    def wait_for_move(self, cell: str) -> None:
        self.wait(lambda: self.room.cue(cell) is Cue.PROPOSED)

    @property
    def played(self) -> list[str]:
        return [each.text for each in self.room.table.state.history]

    @property
    def trouble(self) -> str:
        stumped = self.room.table.state.engine.unavailable
        return stumped.key if stumped else ""


@pytest.fixture
def evening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Evening]:
    with closing(Evening(tmp_path, f"later {request.param}", "fine from c3")) as evening:
        yield evening


@pytest.mark.parametrize(
    ("evening", "trouble"),
    [
        ("dies", "opponent.died"),
        ("hangs", "opponent.silent"),
        ("floods", "opponent.nonsense"),
        ("plays off the board", "opponent.nonsense"),
    ],
    indirect=["evening"],
)
def test_engine_that_fails_in_a_game_leaves_the_board_playable(evening: Evening, trouble: str):
    room = evening.room
    room.tap("e5")
    evening.wait_for_move("a1")
    room.tap("a1")
    room.tap("i5")
    if trouble == "opponent.silent":
        assert room.cue("b5") is None
        room.run(ONE_MOVE_S + 0.1)
    evening.wait(lambda: evening.trouble)
    assert evening.trouble == trouble
    # People may set its stone wherever it can stand, and go on.
    assert room.cue("b5") is Cue.LEGAL
    room.tap("b5")
    room.tap("g1")
    assert evening.played == ["e5", "a1", "i5", "b5", "g1"]
    # Soon there is another one, which knows where the game stands.
    room.run(PAUSES_S[0])
    evening.wait_for_move("c3")
    assert evening.trouble == ""
    assert evening.heard[-4] == f"position fen {room.text}"
    room.tap("c3")
    moves = [entry.text for entry in room.kept if entry.kind is EntryKind.MOVE]
    assert moves == evening.played == ["e5", "a1", "i5", "b5", "g1", "c3"]


@pytest.mark.parametrize("evening", ["hangs"], indirect=True)
def test_move_taken_back_from_a_hung_engine_is_no_longer_waited_for(evening: Evening):
    room = evening.room
    room.tap("e5")
    evening.wait_for_move("a1")
    room.tap("a1")
    room.tap("i5")
    room.tap("take_back")
    assert evening.played == ["e5", "a1"]
    room.run(2 * ONE_MOVE_S)
    assert evening.trouble == ""
    for _ in range(3):
        if removed := [cell for cell in GAME.board.cells if room.cue(cell) is Cue.REMOVE]:
            room.tap(removed[0])
    room.tap("h2")
    room.run(PAUSES_S[0])
    evening.wait_for_move("c3")
    assert evening.played == ["e5", "a1", "h2"]
