"""The maker's tools on chips of the second kind, CY8CMBR3116, which choose their own charges."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from game.common.errors import AppError
from game.maker.calibrate import Calibration
from game.maker.display import ToolScreen
from game.maker.learn import blank, check, named
from game.maker.monitor import Monitor
from hal.drivers.i2c_search import BusSearch, FoundChip
from hal.learning.learner import Learner
from hal.measuring.trace import TraceWriter
from hal.profile import Electrode, Profile, built_in, writer
from hal.profile.memory import BoardMemory
from hal.profile.pin_map import CY8CMBR3116
from tests.helpers.boards.tool_rig import CELLS, Rig
from tests.helpers.programs.running import Lifeboard, Talk


def small_board() -> Profile:
    whole = built_in("hexagon-61-cy8")
    return replace(
        whole,
        name="small",
        chips=whole.chips[:1],
        cells=MappingProxyType({cell: Electrode("A", n) for n, cell in enumerate(CELLS)}),
        keys=MappingProxyType({"new_game": Electrode("A", 11)}),
    )


def willing(rig: Rig, screen: ToolScreen) -> str | None:
    if "go" in [action.name for action in screen.actions]:
        return "go"
    rig.touch(next((cell for cell, note in screen.cells.items() if note.state == "asked"), ""))
    return None


def test_calibration_finds_thresholds_without_charges_and_the_chip_saves_them_once(tmp_path: Path):
    memory = BoardMemory(tmp_path / "board.json")
    rig = Rig(willing, profile=small_board(), memory=memory)
    assert Calibration(rig.measured, quick=False).run() == 0
    assert rig.display.screens[-1].message.startswith("5 of 5 are good. Kept in ")
    assert not any("charge" in message for message in rig.display.messages)
    for electrode in rig.spots.values():
        tuning = memory.tunings[electrode]
        # A finger of 1.6 pF is 400 counts, of which 58 % are a touch.
        assert tuning.touch_threshold == pytest.approx(232, abs=6)
        assert (tuning.charge_ua, tuning.charge_us) == (None, None)
    # Nothing was saved in the chip meanwhile but the settings of the profile.
    assert [chip.saves for chip in rig.board.body.chips.values()] == [1]
    played = Rig(willing, profile=small_board(), memory=memory)
    for spot in ("", *CELLS, "new_game", ""):
        played.touch(spot)
        for _ in range(20 if spot else 100):
            played.clock.now += 0.02
            sensed = played.board.sense(played.clock.now)
        assert sensed.cells | sensed.keys == ({spot} if spot else set())


def test_monitor_records_differences_and_no_charges(tmp_path: Path):
    def pressing(rig: Rig, screen: ToolScreen) -> None:
        rig.touch("a2" if len(rig.display.screens) > 25 else "")

    rig = Rig(pressing, profile=small_board())
    with TraceWriter(tmp_path / "a.jsonl") as trace:
        Monitor(rig.measured, trace, 4.0).run()
    header, *samples = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
    assert {each["charge_ua"] for each in header["electrodes"]} == {None}
    last = samples[-1]
    falls = [base - raw for base, raw in zip(last["baseline"], last["raw"], strict=True)]
    assert falls[1] == pytest.approx(400, abs=10)
    assert max(falls[:1] + falls[2:]) <= 8


def test_learn_refuses_chips_of_another_kind_than_the_template():
    found = (FoundChip(1, 0x70, n, 0x37, kind=CY8CMBR3116) for n in range(6))
    chips = named(BusSearch(tuple(found), (), ()))
    template = built_in("hexagon-61-cy8")
    check(Learner(template, chips), template, 117)
    assert blank(template, chips, 117).measuring.touch_threshold == 62
    with pytest.raises(AppError, match=r"chip A .* is a cy8cmbr3116, and board hexagon-61 has mpr"):
        check(Learner(built_in(), chips), built_in(), 117)


def test_simulated_board_is_played(tmp_path: Path):
    board = tmp_path / "board.toml"
    writer.save(built_in("hexagon-61-cy8"), board)
    with Lifeboard(tmp_path, "--backend", "sim", "--board", str(board)) as program:
        with program.page() as socket:
            talk = Talk(socket)
            talk.until(lambda it: it.state and it.lights)
            while not talk.told_moves:
                # A chip that starts feels nothing for a second.
                talk.tap("e5")
                with suppress(TimeoutError):
                    talk.until(lambda it: it.told_moves, timeout_s=0.5)
        status, errors = program.stop()
    assert (status, errors) == (0, "")
