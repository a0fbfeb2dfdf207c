"""The independent reader, on a small board that KiCad 9 has plotted, and on what is broken of it.

The board has two electrodes on F.Cu, a chip of three pins and a header of one on B.Cu, ground on
F.Cu and In1.Cu, and a hole without copper in the electrode a1. The track of a1 lies on B.Cu alone,
that of a2 goes by In2.Cu.
"""

from pathlib import Path

import pytest

from tests.helpers.reader import At, joined

DRAWN = Path(__file__).with_name("two_electrodes")
ELECTRODES = {"a1": ("F.Cu", -6.0, 2.0), "a2": ("F.Cu", 6.0, 2.0), "": ("F.Cu", 0.0, 0.0)}
PINS = {"a1": ("B.Cu", -2.0, 6.0), "a2": ("B.Cu", 2.0, 6.0), "": ("B.Cu", 0.0, 6.0)}
"""Where electrodes and their pins are; "" is ground."""
LOWEST, DRILLS = "two-B_Cu.gbr", "two-PTH.drl"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    for path in DRAWN.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def change(path: Path, *swaps: tuple[str, str]) -> None:
    """Replace whole lines, all at once."""
    lines = path.read_text().splitlines()
    swapped = dict(swaps)
    assert set(swapped) <= set(lines), swaps
    path.write_text("\n".join(swapped.get(line, line) for line in lines) + "\n")


def wrong(at: At) -> dict[str, tuple[int | None, int | None]]:
    """Give the electrodes that are not at their own pin, or not at theirs alone, with both nets."""
    nets = {name: (at(*ELECTRODES[name]), at(*PINS[name])) for name in ELECTRODES}
    found = [net for pair in nets.values() for net in set(pair)]
    return {
        name: pair
        for name, pair in nets.items()
        if pair[0] is None or pair[0] != pair[1] or found.count(pair[0]) > 1
    }


def test_reader_finds_every_electrode_at_its_pin_and_no_short(board: Path) -> None:
    at = joined(board)
    assert wrong(at) == {}
    assert at("In2.Cu", 6.5, 3.0) == at(*PINS["a2"])
    assert {at("In1.Cu", -10, 10), at("F.Cu", 0, -7.7), at("B.Cu", 0.7, -7)} == {at(*PINS[""])}


def test_reader_finds_a_cut_track(board: Path) -> None:
    change(board / LOWEST, ("X-5000000Y-6000000D01*", "X-5000000Y-6000000D02*"))
    at = joined(board)
    assert set(wrong(at)) == {"a1"}
    assert at("B.Cu", -3.0, 6.0) == at(*PINS["a1"])


def test_reader_finds_a_track_that_is_cut_by_copper_drawn_clear(board: Path) -> None:
    change(board / LOWEST, ("M02*", "%LPC*%\nD12*\nX-4000000Y-6000000D03*\nM02*"))
    assert set(wrong(joined(board))) == {"a1"}


@pytest.mark.parametrize("hole", ["X8.0Y-3.0", "X2.0Y-3.0"])
def test_reader_finds_a_missing_drill(board: Path, hole: str) -> None:
    drills = board / DRILLS
    drills.write_text(drills.read_text().replace(f"{hole}\n", ""))
    assert set(wrong(joined(board))) == {"a2"}


def test_reader_takes_a_slot_for_all_that_it_cuts(board: Path) -> None:
    # A plated one that reaches from the electrode's own track to that of the other.
    change(board / DRILLS, ("X-8.0Y-3.0", "X-8.0Y-3.0\nX-5.0Y-6.0G85X2.0Y-4.5"))
    at = joined(board)
    assert at(*ELECTRODES["a1"]) == at(*ELECTRODES["a2"]) == at(*PINS[""])


def test_reader_finds_a_hole_without_plating_that_cuts_a_track(board: Path) -> None:
    bare = board / "two-NPTH.drl"
    change(bare, ("X-8.0Y0.0", "X-4.0Y-6.0"))
    assert set(wrong(joined(board))) == {"a1"}


def test_reader_finds_a_short(board: Path) -> None:
    change(board / LOWEST, ("M02*", "X-2000000Y-6000000D02*\nX0Y-6000000D01*\nM02*"))
    assert set(wrong(joined(board))) == {"a1", ""}


def test_reader_refuses_a_folder_without_drills(board: Path) -> None:
    (board / DRILLS).unlink()
    with pytest.raises(ValueError, match="4 layers of copper and 0 holes"):
        joined(board)
