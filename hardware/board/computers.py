"""The computers that a board connects to, and the pin of each signal."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Computer:
    """A computer: `lines` has the GPIO number of each signal.

    `pins` has the pin of the header or edge for each GPIO number; `buses` the numbers of the I2C
    buses on the lines A and B.
    """

    lines: Mapping[str, int]
    pins: Mapping[int, int]
    buses: Mapping[str, int]
    supply: tuple[int, ...]
    grounds: tuple[int, ...]

    def nets(self, nets: set[str]) -> dict[str, str]:
        """Return the net of each pin that connects to supply, ground or one of these nets."""
        own = {str(self.pins[n]): line for line, n in self.lines.items() if line in nets}
        fixed = dict.fromkeys(self.supply, "+3V3") | dict.fromkeys(self.grounds, "GND")
        return own | {str(pin): net for pin, net in fixed.items()}


# Raspberry Pi documentation, "GPIO and the 40-pin header". Bus 3 is made by the overlay i2c-gpio.
# No board has both the key confirm and a button choice2.
PI = Computer(
    lines={
        **{"SDA_A": 2, "SCL_A": 3, "SDA_B": 23, "SCL_B": 24, "IRQ": 4, "DATA": 10},
        **{"KEY_new_game": 17, "KEY_take_back": 27, "KEY_resign": 22, "KEY_cell": 5},
        **{"KEY_shutdown": 6, "KEY_hint": 25, "KEY_confirm": 26},
        **{"KEY_choice1": 13, "KEY_choice2": 26},
    },
    pins={
        **{2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 10: 19, 13: 33, 17: 11},
        **{22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13},
    },
    buses={"A": 1, "B": 3},
    supply=(1, 17),
    grounds=(6, 9, 14, 20, 25, 30, 34, 39),
)
# Raspberry Pi Pico data sheet, section 2.1.
PICO = Computer(
    lines={
        **{"SDA_A": 4, "SCL_A": 5, "SDA_B": 6, "SCL_B": 7, "IRQ": 8, "DATA": 2},
        **{"KEY_new_game": 10, "KEY_take_back": 11, "KEY_resign": 12, "KEY_cell": 13},
        **{"KEY_shutdown": 14, "KEY_hint": 15, "KEY_confirm": 18},
        **{"KEY_choice1": 16, "KEY_choice2": 17},
    },
    pins={
        **{2: 4, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 10: 14, 11: 15},
        **{12: 16, 13: 17, 14: 19, 15: 20, 16: 21, 17: 22, 18: 24},
    },
    buses={"A": 0, "B": 1},
    supply=(36,),
    grounds=(3, 8, 13, 18, 23, 28, 33, 38),
)
PICO_VSYS = 39
