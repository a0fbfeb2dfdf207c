"""Traces: what is written is read again, nonsense is refused, and emulated chips feel it again."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from hal.drivers.mpr121_registers import Reading
from hal.measuring.charge import Charge
from hal.measuring.replay import Replay
from hal.measuring.trace import Header, Sample, Traced, TraceError, TraceReader, TraceWriter
from hal.profile import Electrode
from hal.sim import EmulatedMpr121

CHARGE = Charge(16, 0.5)
PADS = (Electrode("A", 0), Electrode("B", 11))
HEADER = Header("hexagon-61", 0.1, (Traced(PADS[0], "e5", CHARGE), Traced(PADS[1], "", CHARGE)))
FREE, TOUCHED = Reading(612, 608, False), Reading(560, 608, True)
GOOD = [
    {
        "format": "lifeboard-trace",
        "version": 1,
        "board": "hexagon-61",
        "interval_s": 0.1,
        "electrodes": [
            {"chip": "A", "electrode": 0, "spot": "e5", "charge_ua": 16, "charge_us": 0.5},
            {"chip": "B", "electrode": 11, "spot": "", "charge_ua": 16, "charge_us": 0.5},
        ],
    },
    {"t": 0.0, "raw": [612, 560], "baseline": [608, 608], "touched": [1]},
    {"t": 0.1, "raw": [611, None], "baseline": [608, None], "touched": []},
]


def read(path: Path) -> tuple[Header, list[Sample]]:
    with TraceReader(path) as reader:
        return reader.header, list(reader)


def fault(path: Path) -> str:
    with pytest.raises(TraceError) as caught:
        read(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def written(folder: Path, *lines: object) -> Path:
    path = folder / "made.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("name", ["board.jsonl", "board.jsonl.gz"])
def test_trace_is_read_as_it_was_written(tmp_path: Path, name: str):
    path = tmp_path / name
    with TraceWriter(path) as writer:
        writer.begin(HEADER)
        assert writer.add({PADS[0]: FREE, PADS[1]: TOUCHED}, 17.5)
        assert writer.add({PADS[0]: TOUCHED}, 17.6004)
    header, samples = read(path)
    assert header == HEADER
    assert samples == [
        Sample(0.0, {PADS[0]: FREE, PADS[1]: TOUCHED}),
        Sample(0.1, {PADS[0]: TOUCHED}),
    ]
    assert (path.read_bytes()[:2] == b"\x1f\x8b") is name.endswith("gz")


def test_trace_never_overwrites_a_file(tmp_path: Path):
    path = tmp_path / "board.jsonl"
    path.write_text("mine")
    with pytest.raises(TraceError, match="is there already"):
        TraceWriter(path)
    assert path.read_text() == "mine"
    with pytest.raises(TraceError, match="cannot be written"):
        TraceWriter(tmp_path / "nowhere" / "board.jsonl")
    with pytest.raises(TraceError, match="cannot be read: No such file"):
        TraceReader(tmp_path / "other.jsonl")


def test_trace_that_never_began_leaves_no_file(tmp_path: Path):
    with TraceWriter(tmp_path / "board.jsonl") as writer:
        assert (tmp_path / "board.jsonl").exists()
        with pytest.raises(ValueError, match="before it has begun"):
            writer.add({}, 1.0)
    assert list(tmp_path.iterdir()) == []


def test_trace_is_bounded(tmp_path: Path):
    path = tmp_path / "board.jsonl"
    with TraceWriter(path, most=2) as writer:
        writer.begin(HEADER)
        assert [writer.add({}, at) for at in (1.0, 2.0, 3.0)] == [True, True, False]
    assert len(read(path)[1]) == 2


@pytest.mark.parametrize(
    ("line", "change", "answer"),
    [
        (0, {"format": "other"}, "line 1: is no header of a lifeboard-trace, version 1"),
        (0, {"version": 2}, "line 1: is no header"),
        (0, {"board": 3}, "line 1: board = 3: allowed is a text"),
        (0, {"interval_s": float("nan")}, "line 1: interval_s = nan: allowed"),
        (0, {"electrodes": []}, "line 1: electrodes: allowed is a list that is not empty"),
        (0, {"more": 1}, "line 1: more is unknown: allowed are board"),
        (1, {"t": 10**400}, "line 2: t = 1000"),
        (1, {"t": 0.2}, "line 3: t = 0.1: allowed is 0.2 or later"),
        (1, {"raw": [612]}, "line 2: raw: allowed is a list of 2"),
        (1, {"raw": [612, 1024]}, "line 2: raw = 1024: allowed is a whole number from 0 to 1023"),
        (1, {"raw": [612, None]}, "line 2: place 1: allowed are two readings, or none"),
        (1, {"touched": [2]}, "line 2: touched = 2: allowed is a whole number from 0 to 1"),
        (2, {"touched": [1]}, "line 3: place 1: allowed are two readings, or none"),
    ],
)
def test_wrong_lines_are_named(tmp_path: Path, line: int, change: dict[str, Any], answer: str):
    lines: list[Any] = list(GOOD)
    lines[line] = lines[line] | change
    assert answer in fault(written(tmp_path, *lines))


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        ({"electrode": 12}, "electrode = 12: allowed is a whole number from 0 to 11"),
        ({"charge_ua": 0}, "charge current is 0 uA; allowed: 1 - 63"),
        ({"charge_us": 0.7}, "charge time is 0.7 us; allowed: 0.5, 1"),
        ({"chip": 1}, "chip and spot: allowed are texts"),
        ({"chip": "B", "electrode": 11}, "electrodes: allowed is each electrode once"),
    ],
)
def test_wrong_electrodes_are_named(tmp_path: Path, change: dict[str, Any], answer: str):
    first, second = GOOD[0]["electrodes"]  # type: ignore[misc]
    header = {**GOOD[0], "electrodes": [{**first, **change}, second]}
    assert f"line 1: {answer}" in fault(written(tmp_path, header))


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (b"", "line 1: is no header"),
        (b"[1]\n", "line 1: is no JSON object"),
        (b"{\n", "line 1: is no JSON"),
        (b"[" * 50_000 + b"\n", "line 1: is no JSON"),
        (b"{}", "line 1: is cut off, or longer than 65536 characters"),
        (b" " * 70_000 + b"\n", "line 1: is cut off, or longer"),
        (b"\xff\xfe\n", "line 1: is no text"),
    ],
)
def test_files_that_are_no_traces_are_refused(tmp_path: Path, content: bytes, answer: str):
    path = tmp_path / "made.jsonl"
    path.write_bytes(content)
    assert answer in fault(path)


@pytest.mark.parametrize("damage", ["cut", "plain"])
def test_packed_files_that_are_damaged_are_refused(tmp_path: Path, damage: str):
    whole = gzip.compress("".join(json.dumps(line) + "\n" for line in GOOD).encode())
    path = tmp_path / "made.jsonl.gz"
    path.write_bytes(whole[:-20] if damage == "cut" else b"{}\n")
    assert "the file is cut off or damaged" in fault(path)


STEP_S = 0.02
FINGERS = [(0.3, 0, 1.6), (0.7, 0, 0.0), (1.0, 3, 1.2), (1.1, 5, 1.6), (1.6, 3, 0.0), (1.9, 5, 0.0)]


class Board:
    """One emulated chip as a trace sees it."""

    def __init__(self, seed: int) -> None:
        self.chip = EmulatedMpr121(0.0, seed=seed)

    def set_up(self) -> None:
        """Start with long filters, so that noise stays below a count, and thresholds 12 and 6."""
        self.chip.write(bytes([0x5E, 0x00]))
        self.chip.write(bytes([0x2B, 1, 1, 0, 0, 1, 1, 255, 2, 0, 0, 0]))
        self.chip.write(bytes([0x41, *([12, 6] * 12)]))
        self.chip.write(bytes([0x5B, 0x00, 0xD0, 0x30]))
        self.chip.write(bytes([0x5E, 0xCF]))

    def readings(self) -> dict[Electrode, Reading]:
        status = int.from_bytes(self._read(0x00, 2), "little")
        data, baselines = self._read(0x04, 24), self._read(0x1E, 12)
        return {
            Electrode("A", at): Reading(
                int.from_bytes(data[2 * at : 2 * at + 2], "little"),
                baselines[at] << 2,
                bool(status >> at & 1),
            )
            for at in range(12)
        }

    def _read(self, register: int, count: int) -> bytes:
        self.chip.write(bytes([register]))
        return self.chip.read(count)


def touches(samples: list[dict[Electrode, Reading]]) -> list[frozenset[int]]:
    """List the sets of touched electrodes, one after the other, without repetitions."""
    seen: list[frozenset[int]] = []
    for readings in samples:
        now = frozenset(each.electrode for each, reading in readings.items() if reading.touched)
        if seen[-1:] != [now]:
            seen.append(now)
    return seen


def record(path: Path) -> list[dict[Electrode, Reading]]:
    board = Board(seed=3)
    for electrode in range(12):
        board.chip.load(electrode, 9.0 + electrode / 10)
    board.set_up()
    board.chip.advance(0.1)
    header = Header(
        "made", STEP_S, tuple(Traced(Electrode("A", at), "", CHARGE) for at in range(12))
    )
    seen = []
    moves = list(FINGERS)
    with TraceWriter(path) as writer:
        writer.begin(header)
        for step in range(120):
            now = 0.2 + step * STEP_S
            while moves and moves[0][0] <= now:
                _, electrode, finger_pf = moves.pop(0)
                board.chip.load(electrode, 9.0 + electrode / 10 + finger_pf)
            board.chip.advance(now)
            seen.append(board.readings())
            writer.add(seen[-1], now)
    return seen


def replay(path: Path, start_s: float = 50.0) -> list[dict[Electrode, Reading]]:
    board = Board(seed=99)
    seen = []
    with TraceReader(path) as trace:
        again = Replay(trace.header, trace, start_s)
        again.prepare({"A": board.chip})
        board.chip.advance(start_s - 0.1)
        board.set_up()
        board.chip.advance(start_s - 0.01)
        step = 0
        while not again.ended:
            again.advance(start_s + step * STEP_S + STEP_S * 0.99, {"A": board.chip})
            seen.append(board.readings())
            step += 1
    return seen


def test_replayed_trace_is_felt_again(tmp_path: Path):
    recorded = record(tmp_path / "board.jsonl.gz")
    replayed = replay(tmp_path / "board.jsonl.gz")
    assert touches(recorded) == [frozenset(each) for each in ((), {0}, (), {3}, {3, 5}, {5}, ())], (
        "the recording itself"
    )
    assert touches(replayed) == touches(recorded)
    assert len(replayed) == len(recorded)
    for before, after in zip(recorded, replayed, strict=True):
        for electrode, reading in before.items():
            assert abs(after[electrode].raw - reading.raw) <= 1
