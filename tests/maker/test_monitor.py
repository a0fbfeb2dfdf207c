"""Monitoring a simulated board: tables, and cells on the page."""

from contextlib import closing

import pytest

from game.maker import ToolOptions, run_monitor
from game.maker import measured_board as measured_boards
from game.maker.display import ToolScreen
from game.maker.monitor import INTERVAL_S, Monitor, table
from hal.drivers.mpr121_registers import Reading
from hal.profile import Electrode, Tuning
from tests.helpers.boards.pico_tools import measured, small
from tests.helpers.boards.tool_rig import Rig
from tests.helpers.boards.true_board import CELLS


def pads(count: int) -> dict[str, Electrode]:
    names = [f"{'abcdefghijklm'[at // 9]}{at % 9 + 1}" for at in range(count)]
    return {name: Electrode("ABCDEFGH"[at // 12], at % 12) for at, name in enumerate(names)}


def idle(rig: Rig, screen: ToolScreen) -> None:
    return None


def test_monitor_shows_every_cell_ten_times_a_second_until_its_time_is_over():
    rig = Rig(idle)
    assert Monitor(rig.measured, seconds=2.0).run() == 0
    assert len(rig.display.screens) == pytest.approx(2.0 / INTERVAL_S, abs=2)
    screen = rig.display.screens[-1]
    assert list(screen.cells) == [*CELLS, "ring"]
    assert {note.state for note in screen.cells.values()} == {"plain"}
    assert all(200 < int(note.text) < 350 for note in screen.cells.values())
    shown = [screen.table for screen in rig.display.screens if screen.table]
    assert len(shown) == pytest.approx(2, abs=1)
    assert shown[0][0] == "Monitor small  http://127.0.0.1:1/"
    assert shown[0][1] == "Readings of all cells. (q Enter: stop)"
    assert "a1" in shown[0][3]


def test_silent_chip_is_shown_and_told():
    def cutting(rig: Rig, screen: ToolScreen) -> None:
        for chip in rig.board.body.chips.values():
            chip.write = chip.read = refuse

    def refuse(*_: object) -> bytes:
        raise OSError(121, "Remote I/O error")

    rig = Rig(cutting)
    Monitor(rig.measured, seconds=2.0).run()
    screen = rig.display.screens[-1]
    assert {note.state for note in screen.cells.values()} == {"dead"}
    assert "Trouble: sensor chip A" in screen.message


def test_page_gets_bar_raw_baseline_difference_and_state_of_every_cell():
    rig = Rig(lambda rig, screen: rig.touch("b1"))
    rig.measured.settings.tune({rig.spots["a1"]: Tuning(touch_threshold=40)})
    Monitor(rig.measured, seconds=1.0).run()
    screen = rig.display.screens[-1]
    assert screen.cells["b1"].level > 0.5
    # The bar is half full where the cell's own threshold lies.
    assert screen.cells["a1"].level == pytest.approx(max(0, int(screen.cells["a1"].values[2])) / 80)
    assert screen.columns == ("raw", "baseline", "difference", "state")
    for cell, note in screen.cells.items():
        assert note.state == ("touched" if cell == "b1" else "plain")
        raw, baseline, difference, state = note.values
        assert int(baseline) - int(raw) == int(difference)
        assert state == ("touched" if cell == "b1" else "free")


def test_monitor_changes_nothing_that_the_board_remembers(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(measured_boards, "stop_on_signals", lambda stop: None)
    monkeypatch.setattr("sys.stdin", None)
    assert run_monitor(ToolOptions("sim", None, 0, False, tmp_path), seconds=0.0) == 0
    assert "raw base diff" in capsys.readouterr().out
    assert list(tmp_path.glob("*.json*")) == []


def test_monitor_on_a_pico_shows_every_cell_and_says_when_it_is_gone(tmp_path):
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


# The table


def test_table_that_cannot_fit_says_how_many_are_missing():
    spots = pads(61)
    lines = table(spots, {each: Reading(612, 608, False) for each in spots.values()}, 40, 10)
    assert len(lines) == 10
    assert lines[-1] == "... and 45 more; a larger window shows them."
