"""The pins of the computers that a board can hang on: the Pi's header and the edge of a Pico.

Owns where a pin of a profile is found on the computer itself, and what else is there. Must not know
what is wired to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hal.profile import BusPins, Profile
from hal.wiring import BUS_PINS

# Raspberry Pi documentation, "GPIO and the 40-pin header": BCM number to pin.
_PI_PINS = {
    **{0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32},
    **{13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16},
    **{24: 18, 25: 22, 26: 37, 27: 13},
}
# Raspberry Pi Pico Datasheet, section 2.1: every fifth pin of the edge is ground, up to GP21.
_PICO_PINS = {gp: gp + 1 + (gp + 2) // 4 for gp in range(22)} | {22: 29, 26: 31, 27: 32, 28: 34}


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer as a maker sees it: pins by the profile's numbers, and those of power and ground.

    `width_mm` and `height_mm` are what it takes under the board. `pulled_up` has the buses that
    bring resistors of their own, of `pull_up_ohm`. `diode` is the pin that the strip's supply may
    feed through a diode, if there is one.
    """

    name: str
    prefix: str
    pins: Mapping[int, int]
    pins_3v3: tuple[int, ...]
    pins_5v: tuple[int, ...]
    grounds: tuple[int, ...]
    width_mm: float
    height_mm: float
    pulled_up: tuple[int, ...]
    pull_up_ohm: int
    diode: int | None

    def signal_pin(self, number: int) -> str:
        """Name a pin by both its numbers: "GPIO17 (11)"."""
        return f"{self.prefix}{number} ({self.pins[number]})"

    def power_pin(self, pin: int) -> str:
        """Name a pin of 3.3 V, 5 V or ground: "ground (6)"."""
        if pin == self.diode:
            return f"VSYS ({pin})"
        kind = "3.3 V" if pin in self.pins_3v3 else "5 V" if pin in self.pins_5v else "ground"
        return f"{kind} ({pin})"


RASPBERRY_PI = Computer(
    name="Raspberry Pi",
    prefix="GPIO",
    pins=MappingProxyType(_PI_PINS),
    pins_3v3=(1, 17),
    pins_5v=(2, 4),
    grounds=(6, 9, 14, 20, 25, 30, 34, 39),
    width_mm=85,
    height_mm=56,
    pulled_up=(1,),
    pull_up_ohm=1800,
    diode=None,
)
PICO = Computer(
    name="Raspberry Pi Pico",
    prefix="GP",
    pins=MappingProxyType(_PICO_PINS),
    pins_3v3=(36,),
    pins_5v=(40,),
    grounds=(3, 8, 13, 18, 23, 28, 38),
    width_mm=21,
    height_mm=51,
    pulled_up=(),
    pull_up_ohm=0,
    diode=39,
)


def computer_of(profile: Profile) -> Computer:
    """Give the computer that a board hangs on."""
    return RASPBERRY_PI if profile.pico is None else PICO


def bus_pins(profile: Profile, bus: int) -> BusPins | None:
    """Give the pins of a bus; None where only the computer's own settings say which they are."""
    if profile.pico is not None:
        return profile.pico.buses[bus]
    return BusPins(*BUS_PINS[bus]) if bus in BUS_PINS else None
