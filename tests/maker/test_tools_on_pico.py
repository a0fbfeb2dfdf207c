"""The makers' tools through the link: the firmware on an emulated Pico."""

from contextlib import closing
from pathlib import Path

from game.maker.calibrate import Calibration
from game.maker.display import ToolScreen
from game.maker.monitor import Monitor
from tests.helpers.boards.pico_tools import measured, small
from tests.helpers.boards.tool_rig import Rig, obey


def test_calibration_goes_on_when_the_pico_was_unplugged_in_the_middle(tmp_path: Path) -> None:
    board = small(("a1", "a2", "i4", "i5"))
    pulled = []

    def clumsy(rig: Rig, screen: ToolScreen) -> str | None:
        pico = rig.board.pico
        if screen.message.startswith("Touch i4") and not pulled:
            pico.unplug()
            pulled.append(rig.clock.now)
        elif not pico.plugged and "Trouble" in screen.message and rig.clock.now > pulled[0] + 2.0:
            pico.plug()
        return obey(rig, screen)

    rig = measured(clumsy, board, board, tmp_path)
    with closing(rig.board):
        assert Calibration(rig.measured, quick=False).run() == 0
    assert any("Trouble: " in message for message in rig.display.messages)
    assert rig.display.messages[-1].startswith("5 of 5 are good. Kept in ")


def test_monitor_on_a_pico_shows_every_cell_and_says_when_it_is_gone(
    tmp_path: Path,
) -> None:
    board = small(("a1", "a2", "i5"))

    def then(rig: Rig, screen: ToolScreen) -> None:
        rig.touch("a2" if rig.clock.now > 102.0 else "")
        if rig.clock.now > 103.5 and rig.board.pico.plugged:
            rig.board.pico.unplug()

    rig = measured(then, board, board, tmp_path)
    with closing(rig.board):
        assert Monitor(rig.measured, seconds=4.0).run() == 0
    assert rig.display.screens[0].cells.keys() == {"a1", "a2", "i5", "take_back"}
    assert any(screen.cells["a2"].state == "touched" for screen in rig.display.screens)
    assert "is not plugged in" in rig.display.messages[-1]
    assert all(note.text == "?" for note in rig.display.screens[-1].cells.values())
