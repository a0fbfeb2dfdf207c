"""The text of a small board, and profiles read from texts."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hal.base.errors import ProfileError
from hal.profile import Profile, load

SMALL = """
name = "small"
title = "A board of two cells"

[sensing]
mode = "touch"
press_ms = 20
release_ms = 30
hold_ms = 700
palm_cells = 3
poll_ms = 250
settle_ms = 300

[measuring]
touch_threshold = 12
release_threshold = 6
touch_debounce = 1
release_debounce = 2
charge_ua = 16
charge_us = 0.5
first_filter = 10
second_filter = 6
interval_ms = 4
automatic = true

[chips]
A = { bus = 1, address = 0x5A }
B = { bus = 1, address = 0x5B }

[interrupt]
pin = 4

[strip]
driver = "spi"
pin = 10
pixels = 4
order = "GRB"

[power]
brightness = 0.5
gamma = 2.2
budget_ma = 100

[keys]
new_game = { pin = 17 }
resign = { chip = "A", electrode = 9 }

[cells]
a1 = { chip = "A", electrode = 0, pixel = 0 }
a2 = { chip = "B", electrode = 11, pixel = 1 }

[lights]
turn1 = [2]
"""


PICO = """
[pico]
port = "auto"
[pico.buses]
0 = { sda = 4, scl = 5 }
1 = { sda = 6, scl = 7 }
"""


def on_pico(text: str) -> str:
    """Hang the small board on a Pico."""
    for written, instead in (
        ("A = { bus = 1", "A = { bus = 0"),
        ('"spi"\npin = 10', '"pio"\npin = 2'),
        ("[interrupt]\npin = 4", "[interrupt]\npin = 8"),
        ("[chips]", PICO + "\n[chips]"),
    ):
        assert text.count(written) == 1
        text = text.replace(written, instead)
    return text


SMALL_ON_PICO = on_pico(SMALL)


def load_text(text: str) -> Profile:
    """Load a text as the file of a board."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "board.toml"
        path.write_text(text, encoding="utf-8")
        return load(path)


def assert_refused(text: str, message: str) -> None:
    """Load a text that is wrong, and find the file and a message in what is said."""
    with pytest.raises(ProfileError, match=message) as refused:
        load_text(text)
    assert "board.toml: " in str(refused.value)
