"""The hexagon of 61 cells with CY8CMBR3116: each chip on a channel of one multiplexer."""

from dataclasses import replace

from hal import Profile, built_in
from hal.profile import Chip
from hal.profile.pin_map import CY8_ADDRESS, CY8CMBR3116

STARTED_S = 1.5
"""After this time a chip that had to save its settings has made its first scan."""


def cy8_board() -> Profile:
    whole = built_in("hexagon-61-mux")
    return replace(
        whole,
        name="hexagon-61-cy8",
        chips=tuple(
            Chip(chip.name, 1, CY8_ADDRESS, 0x70, channel, CY8CMBR3116)
            for channel, chip in enumerate(whole.chips)
        ),
        measuring=replace(
            whole.measuring, touch_threshold=100, release_threshold=60, automatic=False
        ),
    )
