"""The ready-made kits are those that the profiles make today."""

from pathlib import Path

import pytest

from game.app.kit.command import make_files
from hal.profile import built_in
from tests.helpers.kits.shipped_kits import BOARDS, FOLDER, kept, shipped, unpacked

LARGEST = 400_000
"""What is kept of one board, in bytes: these files are in everybody's checkout."""


def stale(board: str, files: dict[str, bytes]) -> list[str]:
    """Name what is kept of a board's kit and differs from what is made of it now."""
    old, new = unpacked(shipped(board)), unpacked(kept(files))
    return sorted(name for name in old | new if old.get(name) != new.get(name))


@pytest.mark.timeout(400)
@pytest.mark.parametrize("board", BOARDS)
def test_kit_that_ships_is_current(board: str):
    files = make_files(built_in(board))
    assert stale(board, files) == [], "call `make kits`"
    # And the comparison would notice.
    changed = {**files, "parts-foil.csv": files["parts-foil.csv"] + b"one more,1\r\n"}
    assert stale(board, changed) == ["parts-foil.csv"]
    del changed["figures.csv"]
    assert stale(board, changed) == ["figures.csv", "parts-foil.csv"]


@pytest.mark.parametrize("board", BOARDS)
def test_kit_that_ships_is_small(board: str):
    assert 0 < sum(map(len, shipped(board).values())) < LARGEST


def test_kits_that_ship_are_those_of_the_four_boards():
    assert {path.name for path in FOLDER.iterdir()} == {*BOARDS, "README.md"}
    text = Path(FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"]({board}/)" in text for board in BOARDS)
