"""The firmware fits a Pico: MicroPython compiles it, it is small, and compiled as it stands."""

from pathlib import Path

from hal.backends.coprocessor.flash import COMPILED, firmware_files
from tests.tools.compile_firmware import FIRMWARE, compiled_firmware

MOST_BYTES = 60_000
BYTECODE = 0
"""The third byte of a module without code of any processor."""


def test_firmware_is_compiled_as_it_stands_and_small():
    saved = {path.name: path.read_bytes() for path in (FIRMWARE / COMPILED).iterdir()}
    assert saved == compiled_firmware(), "`make firmware` compiles it anew"
    assert sum(map(len, saved.values())) < MOST_BYTES
    assert {content[2] for content in saved.values()} == {BYTECODE}


def test_firmware_is_copied_compiled_to_a_micropython_that_takes_it():
    [version] = {path.read_bytes()[1] for path in (FIRMWARE / COMPILED).iterdir()}
    assert {Path(name).suffix for name in firmware_files(version) if name != "main.py"} == {".mpy"}
    assert {Path(name).suffix for name in firmware_files(version + 1)} == {".py"}
