"""Calibrating a simulated board with emulated fingers: what is asked, shown and saved."""

from contextlib import closing
from dataclasses import replace
from math import inf
from unittest.mock import Mock

import pytest

from game.common import AppError
from game.maker import ToolOptions, run_calibrate
from game.maker import board as measured_boards
from game.maker.calibrate import Calibration, advice, margin_table
from game.maker.display import ToolScreen
from hal.measuring import Charge, Margin
from hal.measuring.margins import LARGEST, Noise
from hal.profile import BoardMemory, Electrode, Tuning
from hal.sim.body import CUT_PF
from tests.helpers.boards.pico_tools import measured, small
from tests.helpers.boards.tool_rig import Rig, obey
from tests.helpers.boards.true_board import CELLS


@pytest.mark.parametrize("automatic", [False, True])
def test_calibration_asks_for_each_cell_and_keeps_what_it_finds(tmp_path, automatic):
    memory = BoardMemory(tmp_path / "board.json")
    rig = Rig(obey, memory=memory, automatic=automatic)
    assert Calibration(rig.measured, quick=False).run() == 0
    saved = BoardMemory(tmp_path / "board.json")
    for spot, electrode in rig.spots.items():
        tuning = saved.tunings[electrode]
        assert 520 < saved.baselines[electrode] < 690, spot
        assert 0 < tuning.release_threshold < tuning.touch_threshold
        assert 20 < tuning.touch_threshold < 80
        assert tuning.charge_ua is not None
    assert rig.display.screens[-1].message.startswith("5 of 5 are good. Kept in ")
    assert rig.display.said[0].split()[:4] == ["cell", "pad", "baseline", "noise"]
    assert rig.display.said[1].startswith("a1")
    assert "good" in rig.display.said[1]


def test_calibrated_board_feels_fingers_beside_stones_and_no_stone_alone():
    calibrated = Rig(obey)
    Calibration(calibrated.measured, quick=False).run()
    rig = Rig(obey, memory=calibrated.memory)

    def sensed() -> frozenset[str]:
        for _ in range(40):
            rig.clock.now += 0.01
            found = rig.board.sense(rig.clock.now).cells
        return found

    for cell in 5 * CELLS:
        rig.board.body.put(cell)
        assert sensed() == set()
        rig.board.body.lay(cell)
        assert sensed() == {cell}
        rig.board.body.lift(cell)
        assert sensed() == set()
        rig.board.body.take(cell)


def test_touched_board_is_not_measured_and_the_cell_is_named():
    def clumsy(rig: Rig, screen: ToolScreen) -> str | None:
        if rig.display.messages == ["Take everything off the board, keep hands away, and go on."]:
            rig.board.press("elbow", "b1")
            rig.clock.now += 0.1
            return "go" if screen.cells["b1"].state == "touched" else None
        if screen.message.startswith("b1: something is there, or was."):
            assert screen.cells["b1"].state == "touched"
            return "stop"
        raise AssertionError(screen.message)

    rig = Rig(clumsy)
    assert Calibration(rig.measured, quick=False).run() == 1


@pytest.mark.parametrize("way", ["action", "signal"])
def test_stop_changes_nothing(tmp_path, way):
    memory = BoardMemory(tmp_path / "board.json")
    memory.tune({Electrode("A", 0): Tuning(touch_threshold=33)})
    memory.save()
    before = (tmp_path / "board.json").read_bytes()

    def leaving(rig: Rig, screen: ToolScreen) -> str | None:
        if "b1" not in screen.cells or screen.cells["b1"].state != "asked":
            return obey(rig, screen)
        rig.stop = way == "signal"
        return "stop" if way == "action" else None

    rig = Rig(leaving, memory=memory)
    assert Calibration(rig.measured, quick=False).run() == 1
    assert rig.display.said == ["Stopped: nothing is changed."]
    rig.board.close()
    assert (tmp_path / "board.json").read_bytes() == before
    assert memory.baselines == {}


def test_quick_calibration_keeps_baselines_and_leaves_the_settings(tmp_path):
    memory = BoardMemory(tmp_path / "board.json")
    own = Tuning(touch_threshold=25, release_threshold=12, charge_ua=20, charge_us=0.5)
    rig = Rig(obey, memory=memory)
    memory.tune({rig.spots["a1"]: own})
    assert Calibration(rig.measured, quick=True).run() == 0
    saved = BoardMemory(tmp_path / "board.json")
    assert saved.tunings == {rig.spots["a1"]: own}
    assert set(saved.baselines) == set(rig.spots.values())
    assert rig.display.screens[-1].message.startswith("5 baselines are measured. Kept in")
    assert rig.display.said[0].split()[:4] == ["cell", "pad", "baseline", "noise"]


def test_broken_wires_are_named_and_overwrite_nothing():
    rig = Rig(obey)
    cut, shorted = rig.spots["a2"], rig.spots["b2"]
    rig.memory.remember({cut: 555})
    rig.board.body.damage("a2", CUT_PF)
    rig.board.body.damage("b2", inf)
    assert Calibration(rig.measured, quick=False).run() == 0
    assert rig.memory.baselines[cut] == 555
    assert cut not in rig.memory.tunings
    assert shorted not in rig.memory.tunings
    last = rig.display.screens[-1]
    assert last.message.startswith("3 of 5 are good. a2, b2: no charge fits it: look for a broken")
    assert last.cells["a2"].state == "dead"


def test_results_that_cannot_be_kept_are_shown_first(tmp_path, monkeypatch):
    rig = Rig(obey, memory=BoardMemory(tmp_path / "board.json"))
    full = OSError(28, "No space left on device", "board.json.new")
    monkeypatch.setattr(rig.memory, "save", Mock(side_effect=full))
    with pytest.raises(AppError, match=r"board\.json cannot be written: No space .*--data"):
        Calibration(rig.measured, quick=False).run()
    assert any(line.startswith("a1") and "good" in line for line in rig.display.said)


def test_calibration_goes_on_when_the_pico_was_unplugged_in_the_middle(tmp_path):
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
    assert any("is not plugged in" in message for message in rig.display.messages)
    assert rig.display.messages[-1].startswith("5 of 5 are good. Kept in ")


def margin(**changes) -> Margin:
    what = {
        "noise": Noise(600.0, 0.5, 2),
        "charge": Charge(39, 0.5),
        "change": 45.5,
    } | changes
    return Margin("e5", Electrode("A", 3), **what)


def test_table_has_one_line_a_cell():
    _, touched, skipped = margin_table([margin(), margin(change=None)]).splitlines()
    assert " ".join(touched.split()) == "e5 A.3 600 3.0 45.5 15.2 12 10 39 uA x 0.5 us good"
    assert skipped.split()[4:8] == ["-", "-", "-", "-"]
    assert max(map(len, (touched, skipped))) <= 80


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"change": 5.0}, "a touch changes it by less than 12"),
        ({"noise": Noise(600, 3.0, 15)}, "better supply and ground"),
        ({"noise": Noise(0, 0, 0), "charge": LARGEST}, "a short to ground"),
        ({"change": None}, "not touched"),
    ],
)
def test_each_wrong_cell_gets_its_advice(changes, words):
    (line,) = advice([margin(), margin(**changes)])
    assert line.startswith("e5: ")
    assert words in line


def test_quick_calibration_of_the_whole_board_from_a_pipe(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(measured_boards, "stop_on_signals", lambda stop: None)
    options = ToolOptions("mock", None, 0, False, tmp_path)
    with pytest.raises(AppError, match="backend 'mock' cannot measure the electrodes"):
        run_calibrate(options, quick=True)
    (tmp_path / "typed").write_text("\n")
    with (tmp_path / "typed").open() as typed:
        monkeypatch.setattr("sys.stdin", typed)
        assert run_calibrate(replace(options, backend="sim"), quick=True) == 0
    # Those of all cells, and of the two pads for choices.
    assert "63 baselines are measured" in capsys.readouterr().out
    (file,) = tmp_path.glob("board-sim-*.json")
    assert len(BoardMemory(file).baselines) == 63
