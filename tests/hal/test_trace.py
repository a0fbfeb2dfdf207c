"""Traces: what is written to a file, and when nothing is."""

from pathlib import Path

import pytest

from hal.drivers.reading import Reading
from hal.measuring.charge import Charge
from hal.measuring.trace import TraceError, TraceWriter
from hal.profile import Electrode
from tests.helpers.boards.trace import read_trace

PADS = (Electrode("A", 0), Electrode("B", 11))
HEADER = (
    "hexagon-61",
    0.1,
    dict(zip(("e5", "resign"), PADS, strict=True)),
    lambda _: Charge(16, 0.5),
)
FREE, TOUCHED = Reading(612, 608, False), Reading(560, 608, True)
LINES = [
    {
        "format": "lifeboard-trace",
        "version": 1,
        "board": "hexagon-61",
        "interval_s": 0.1,
        "electrodes": [
            {"chip": "A", "electrode": 0, "spot": "e5", "charge_ua": 16, "charge_us": 0.5},
            {"chip": "B", "electrode": 11, "spot": "resign", "charge_ua": 16, "charge_us": 0.5},
        ],
    },
    {"t": 0.0, "raw": [612, 560], "baseline": [608, 608], "touched": [1]},
    {"t": 0.1, "raw": [612, None], "baseline": [608, None], "touched": []},
]


@pytest.mark.parametrize("name", ["board.jsonl", "board.jsonl.gz"])
def test_trace_has_a_header_and_a_line_a_sample(tmp_path: Path, name: str):
    path = tmp_path / name
    with TraceWriter(path) as writer:
        writer.begin(*HEADER)
        assert writer.add({PADS[0]: FREE, PADS[1]: TOUCHED}, 17.5)
        assert writer.add({PADS[0]: FREE}, 17.6004)
    assert read_trace(path) == LINES
    assert (path.read_bytes()[:2] == b"\x1f\x8b") is name.endswith("gz")


def test_trace_never_overwrites_a_file(tmp_path: Path):
    path = tmp_path / "board.jsonl"
    path.write_text("mine")
    with pytest.raises(TraceError, match="is there already"):
        TraceWriter(path)
    assert path.read_text() == "mine"
    with pytest.raises(TraceError, match="cannot be written"):
        TraceWriter(tmp_path / "nowhere" / "board.jsonl")


def test_trace_that_never_began_leaves_no_file(tmp_path: Path):
    with TraceWriter(tmp_path / "board.jsonl") as writer:
        assert (tmp_path / "board.jsonl").exists()
        with pytest.raises(ValueError, match="before it has begun"):
            writer.add({}, 1.0)
    assert list(tmp_path.iterdir()) == []


def test_trace_is_bounded(tmp_path: Path):
    path = tmp_path / "board.jsonl"
    with TraceWriter(path, most=2) as writer:
        writer.begin(*HEADER)
        assert [writer.add({}, at) for at in (1.0, 2.0, 3.0)] == [True, True, False]
    assert len(read_trace(path)) == 1 + 2
