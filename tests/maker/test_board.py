"""`lifeboard board check` and `show`, and monitoring a simulated board."""

import re
from pathlib import Path
from unittest.mock import Mock

import pytest

import hal
from game.maker import ToolOptions, check_board, run_monitor, show_board
from game.maker import board as measured_boards
from game.maker.board import INTERVAL_S, watch
from game.maker.display import ToolScreen
from hal.profile import Tuning, built_in, built_in_names
from tests.helpers.boards.tool_rig import Rig
from tests.helpers.boards.true_board import CELLS

HEXAGON = built_in("hexagon-61")


def changed(file: Path, *changes: tuple[str, str]) -> str:
    """Write the hexagon's file with changes, and name it."""
    text = Path(hal.__file__).with_name("boards").joinpath("hexagon-61.toml").read_text()
    for written, instead in changes:
        assert written in text
        text = text.replace(written, instead, 1)
    file.write_text(text)
    return str(file)


def test_board_tools_tell_counts_and_what_is_spare_or_missing(tmp_path):
    line = (
        "ok: hexagon-61: 61 cells (0 without a pixel) on 6 chips (9 electrodes to spare),"
        " 117 pixels (0 unused), 8 keys, touch sensing"
    )
    assert check_board("hexagon-61") == line
    shown = show_board("hexagon-61")
    assert line in shown.splitlines()
    assert re.search(r"(?m)^E +bus 3, address 0x5B$", shown)
    dark = (f", pixel = {HEXAGON.pixels['a3']} }}", " }"), ('mode = "touch"', 'mode = "presence"')
    name = changed(tmp_path / "dark.toml", *dark)
    assert "(1 without a pixel)" in check_board(name)
    assert check_board(name).endswith("(1 unused), 8 keys, presence sensing")
    assert re.search(rf"(?m)^a3 +{HEXAGON.cells['a3']} +none$", show_board(name))


@pytest.mark.parametrize("name", built_in_names())
def test_show_lists_every_cell_with_its_electrode_and_pixel(name):
    profile, lines = built_in(name), [line.split() for line in show_board(name).splitlines()]
    for cell, pad in profile.cells.items():
        assert [cell, str(pad), str(profile.pixels[cell])] in lines


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
    # The terminal gets a table of two lines each second.
    lines = [line for line in rig.display.said if line]
    assert len(lines) == pytest.approx(4, abs=2)
    assert re.fullmatch(r"a1( +-?\d+){3} +a2( +-?\d+){3} +b1( +-?\d+){3} #", lines[-2])


def test_silent_chip_is_shown_and_told():
    def cut(rig: Rig, screen: ToolScreen) -> None:
        for chip in rig.board.body.chips.values():
            chip.write = chip.read = Mock(side_effect=OSError(121, "Remote I/O error"))

    rig = Rig(cut)
    watch(rig.measured, 2.0)
    screen = rig.display.screens[-1]
    assert {(note.text, note.state) for note in screen.cells.values()} == {("?", "dead")}
    assert "Trouble: sensor chip A" in screen.message
    assert "silent" in rig.display.said[-2]


def test_monitor_changes_nothing_that_the_board_remembers(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(measured_boards, "stop_on_signals", lambda stop: None)
    monkeypatch.setattr("sys.stdin", None)
    assert run_monitor(ToolOptions("sim", None, 0, False, tmp_path), seconds=0.0) == 0
    assert "Raw reading, baseline, difference" in capsys.readouterr().out
    assert list(tmp_path.glob("*.json*")) == []
