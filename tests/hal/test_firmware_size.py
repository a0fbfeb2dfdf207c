"""The firmware fits a Pico: MicroPython compiles it, it is small, and compiled as it stands."""

from hal.backends.coprocessor.flash import BYTECODE, COMPILED
from tests.tools.compile_firmware import compiled_firmware

MOST_BYTES = 60_000
PORTABLE = 0
"""The third byte of a module without code of any processor."""


def test_firmware_is_compiled_as_it_stands_and_small():
    saved = {path.name: path.read_bytes() for path in COMPILED.iterdir()}
    assert saved == compiled_firmware(), "`make firmware` compiles it anew"
    assert sum(map(len, saved.values())) < MOST_BYTES
    assert {content[2] for content in saved.values()} == {PORTABLE}
    assert {content[1] for content in saved.values()} == {BYTECODE}
