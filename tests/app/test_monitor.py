"""Monitoring a simulated board: tables, cells on the page, traces."""

from pathlib import Path

import pytest

from game.app.workshop import instrument as instruments
from game.app.workshop.instrument import ToolOptions
from game.app.workshop.monitor import INTERVAL_S, Monitor, MonitorOptions, monitor
from game.app.workshop.reading_table import table
from game.app.workshop.workshop import Sheet
from hal.drivers.mpr121_registers import Reading
from hal.measuring.charge import Charge
from hal.measuring.replay import Replay, tunings
from hal.measuring.trace import TraceError, TraceReader, TraceWriter
from hal.memory import BoardMemory, Tuning
from hal.profile import Electrode
from tests.helpers.boards.tool_rig import CELLS, Rig, small_board


def pads(count: int) -> dict[str, Electrode]:
    names = [f"{'abcdefghijklm'[at // 9]}{at % 9 + 1}" for at in range(count)]
    return {name: Electrode("ABCDEFGH"[at // 12], at % 12) for at, name in enumerate(names)}


def idle(rig: Rig, sheet: Sheet) -> None:
    return None


def test_monitor_shows_every_cell_ten_times_a_second_until_its_time_is_over():
    rig = Rig(idle)
    assert Monitor(rig.instrument, seconds=2.0).run() == 0
    assert len(rig.workshop.sheets) == pytest.approx(2.0 / INTERVAL_S, abs=2)
    sheet = rig.workshop.sheets[-1]
    assert list(sheet.cells) == [*CELLS, "new_game"]
    assert {note.state for note in sheet.cells.values()} == {"plain"}
    assert all(200 < int(note.text) < 350 for note in sheet.cells.values())


@pytest.mark.parametrize("way", ["action", "signal"])
def test_monitor_ends_when_it_is_told(way: str):
    def ending(rig: Rig, sheet: Sheet) -> str | None:
        if len(rig.workshop.sheets) < 5:
            return None
        rig.stop = way == "signal"
        return "stop" if way == "action" else None

    rig = Rig(ending)
    assert Monitor(rig.instrument).run() == 0
    assert len(rig.workshop.sheets) == 5


@pytest.mark.parametrize(("live", "tables"), [(True, 30), (False, 3)])
def test_table_comes_live_on_a_terminal_and_once_a_second_on_a_pipe(live: bool, tables: int):
    rig = Rig(idle, live=live)
    Monitor(rig.instrument, seconds=3.0).run()
    shown = [sheet.table for sheet in rig.workshop.sheets if sheet.table]
    assert len(shown) == pytest.approx(tables, abs=2)
    assert shown[0][0] == "Monitor small  http://127.0.0.1:1/"
    assert shown[0][1] == "Readings of all cells. (q Enter: stop)"
    assert "a1" in shown[0][3]


def test_silent_chip_is_shown_and_told():
    def cutting(rig: Rig, sheet: Sheet) -> None:
        for chip in rig.board.body.chips.values():
            chip.write = chip.read = refuse

    def refuse(*_: object) -> bytes:
        raise OSError(121, "Remote I/O error")

    rig = Rig(cutting)
    Monitor(rig.instrument, seconds=2.0).run()
    sheet = rig.workshop.sheets[-1]
    assert {note.state for note in sheet.cells.values()} == {"dead"}
    assert "Trouble: sensor chip A" in sheet.message


def test_recording_is_a_trace_with_the_charges_that_were_used(tmp_path: Path):
    def tapping(rig: Rig, sheet: Sheet) -> None:
        rig.touch("a2" if 8 <= len(rig.workshop.sheets) < 14 else "")

    own = small_board().cells["b2"]
    memory = BoardMemory()
    memory.tune({own: Tuning(charge_ua=30)})
    rig = Rig(tapping, memory=memory)
    with TraceWriter(tmp_path / "a.jsonl.gz") as writer:
        Monitor(rig.instrument, writer, 3.0).run()
    with TraceReader(tmp_path / "a.jsonl.gz") as reader:
        samples = list(reader)
        header = reader.header
    assert (header.board, header.interval_s) == ("small", INTERVAL_S)
    assert [each.spot for each in header.electrodes] == [*CELLS, "new_game"]
    charges = {each.electrode: each.charge for each in header.electrodes}
    assert charges[own] == Charge(30, 0.5)
    assert charges[rig.spots["a1"]] == Charge(16, 0.5)
    assert samples[-1].time_s == pytest.approx(3.0, abs=0.2)
    touched = [sample.readings[rig.spots["a2"]].touched for sample in samples]
    assert sum(touched) == pytest.approx(6, abs=2)
    assert rig.workshop.said == [f"Samples in {tmp_path / 'a.jsonl.gz'}: {len(samples)}."]


@pytest.mark.parametrize("automatic", [False, True])
def test_recording_is_felt_again_by_another_board(tmp_path: Path, automatic: bool):
    def tapping(rig: Rig, sheet: Sheet) -> None:
        at = len(rig.workshop.sheets)
        at -= next((n for n, s in enumerate(rig.workshop.sheets) if "begins" not in s.message), at)
        rig.touch("a2" if 8 <= at < 14 else "b1" if 18 <= at < 22 else "")

    rig = Rig(tapping, automatic=automatic)
    with TraceWriter(tmp_path / "a.jsonl") as writer:
        Monitor(rig.instrument, writer, 3.0).run()
    again = Rig(idle, automatic=automatic)
    seen: list[frozenset[str]] = []
    with TraceReader(tmp_path / "a.jsonl") as reader:
        replay = Replay(reader.header, reader, again.clock.now + 0.2)
        replay.prepare(again.board.body.chips)
        again.board.tune(tunings(reader.header), again.clock.now)
        while not replay.ended:
            again.clock.now += 0.05
            replay.advance(again.clock.now, again.board.body.chips)
            touched = again.board.sense(again.clock.now).cells
            if seen[-1:] != [touched]:
                seen.append(touched)
    assert seen == [frozenset(), {"a2"}, frozenset(), {"b1"}, frozenset()]


def test_recording_of_chips_that_never_answer_ends_and_leaves_no_file(tmp_path: Path):
    def refuse(*_: object) -> bytes:
        raise OSError(121, "Remote I/O error")

    rig = Rig(idle, automatic=True)
    for chip in rig.board.body.chips.values():
        chip.write = chip.read = refuse  # type: ignore[method-assign,assignment]
    with TraceWriter(tmp_path / "a.jsonl") as writer:
        assert Monitor(rig.instrument, writer, 1.0).run() == 0
    assert rig.workshop.said[-1].startswith("Nothing is recorded")
    assert list(tmp_path.iterdir()) == []


def test_recording_into_a_file_that_is_there_is_refused_before_the_board_is_opened(
    tmp_path: Path, capsys
):
    (tmp_path / "a.jsonl").write_text("mine")
    options = MonitorOptions(
        ToolOptions("sim", None, 0, False, tmp_path), tmp_path / "a.jsonl", 1.0
    )
    with pytest.raises(TraceError, match="is there already"):
        monitor(options)
    assert (tmp_path / "a.jsonl").read_text() == "mine"
    assert capsys.readouterr().out == ""


def test_page_gets_bar_raw_baseline_difference_and_state_of_every_cell():
    rig = Rig(lambda rig, sheet: rig.touch("b1"))
    rig.instrument.settings.tune({rig.spots["a1"]: Tuning(touch_threshold=40)})
    Monitor(rig.instrument, seconds=1.0).run()
    sheet = rig.workshop.sheets[-1]
    assert sheet.cells["b1"].level > 0.5
    # The bar is half full where the cell's own threshold lies.
    assert sheet.cells["a1"].level == pytest.approx(max(0, int(sheet.cells["a1"].values[2])) / 80)
    assert sheet.columns == ("raw", "baseline", "difference", "state")
    for cell, note in sheet.cells.items():
        assert note.state == ("touched" if cell == "b1" else "plain")
        raw, baseline, difference, state = note.values
        assert int(baseline) - int(raw) == int(difference)
        assert state == ("touched" if cell == "b1" else "free")


def test_monitor_changes_nothing_that_the_board_remembers(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setattr(instruments.loop, "stop_on_signals", lambda stop: None)
    monkeypatch.setattr("sys.stdin", None)
    options = MonitorOptions(ToolOptions("sim", None, 0, False, tmp_path), None, 0.0)
    assert monitor(options) == 0
    assert "raw base diff" in capsys.readouterr().out
    assert list(tmp_path.glob("*.json*")) == []


# The table


@pytest.mark.parametrize(("count", "form"), [(61, "raw base diff"), (88, "raw diff")])
def test_table_of_a_whole_board_fits_a_terminal(count: int, form: str):
    spots = pads(count)
    lines = table(spots, {each: Reading(612, 1000, True) for each in spots.values()}, 80, 21)
    assert len(lines) <= 21
    assert max(map(len, lines)) <= 80
    assert form in lines[0]
    assert sum(line.count("#") for line in lines) == count


def test_table_goes_down_its_columns_and_marks_touches_and_silence():
    spots = {"a1": Electrode("A", 0), "a2": Electrode("A", 1), "new_game": Electrode("B", 3)}
    readings = {spots["a1"]: Reading(612, 608, False), spots["a2"]: Reading(560, 608, True)}
    assert table(spots, readings, 30, 20) == [
        "        raw base diff",
        "a1      612  608   -4",
        "a2      560  608   48#",
        "new_ga      silent",
    ]


def test_table_that_cannot_fit_says_how_many_are_missing():
    spots = pads(61)
    lines = table(spots, {each: Reading(612, 608, False) for each in spots.values()}, 40, 10)
    assert len(lines) == 10
    assert lines[-1] == "... and 45 more; a larger window shows them."
