"""Monitoring a simulated board: tables, and cells on the page."""

from unittest.mock import Mock

import pytest

from game.maker import ToolOptions, run_monitor
from game.maker import measured_board as measured_boards
from game.maker.display import ToolScreen
from game.maker.monitor import INTERVAL_S, table, watch
from hal.drivers.mpr121_registers import Reading
from hal.profile import Tuning, built_in
from tests.helpers.boards.tool_rig import Rig
from tests.helpers.boards.true_board import CELLS


def test_monitor_shows_every_cell_ten_times_a_second_until_its_time_is_over():
    rig = Rig(lambda rig, screen: rig.touch("b1"))
    rig.measured.settings.tune({rig.spots["a1"]: Tuning(touch_threshold=40)})
    watch(rig.measured, 2.0)
    assert len(rig.display.screens) == pytest.approx(2.0 / INTERVAL_S, abs=2)
    screen = rig.display.screens[-1]
    assert list(screen.cells) == [*CELLS, "ring"]
    assert screen.cells["b1"].level > 0.5
    # The bar is half full where the cell's own threshold lies.
    assert screen.cells["a1"].level == pytest.approx(max(0, int(screen.cells["a1"].values[2])) / 80)
    assert screen.columns == ("raw", "baseline", "difference", "state")
    for cell, note in screen.cells.items():
        assert note.state == ("touched" if cell == "b1" else "plain")
        raw, baseline, difference, state = note.values
        assert 150 < int(raw) == int(note.text) < 350
        assert int(baseline) - int(raw) == int(difference)
        assert state == ("touched" if cell == "b1" else "free")
    shown = [screen.table for screen in rig.display.screens if screen.table]
    assert len(shown) == pytest.approx(2, abs=1)
    assert shown[0][0] == "Monitor small  http://127.0.0.1:1/"
    assert shown[0][1] == "Readings of all cells. (q Enter: stop)"
    assert "a1" in shown[0][3]


def test_silent_chip_is_shown_and_told():
    def cut(rig: Rig, screen: ToolScreen) -> None:
        for chip in rig.board.body.chips.values():
            chip.write = chip.read = Mock(side_effect=OSError(121, "Remote I/O error"))

    rig = Rig(cut)
    watch(rig.measured, 2.0)
    screen = rig.display.screens[-1]
    assert {(note.text, note.state) for note in screen.cells.values()} == {("?", "dead")}
    assert "Trouble: sensor chip A" in screen.message


def test_monitor_changes_nothing_that_the_board_remembers(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(measured_boards, "stop_on_signals", lambda stop: None)
    monkeypatch.setattr("sys.stdin", None)
    assert run_monitor(ToolOptions("sim", None, 0, False, tmp_path), seconds=0.0) == 0
    assert "raw base diff" in capsys.readouterr().out
    assert list(tmp_path.glob("*.json*")) == []


def test_table_that_cannot_fit_says_how_many_are_missing():
    spots = built_in("hexagon-61").cells
    lines = table(spots, {each: Reading(612, 608, False) for each in spots.values()}, 40, 10)
    assert len(lines) == 10
    assert lines[-1] == "... and 45 more; a larger window shows them."
