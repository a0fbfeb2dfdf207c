"""The computers that a board can hang on: the pins of a Pi's header and a Pico's edge, and sockets.

Owns where a pin of a profile is found on the computer itself, and what else is there. Must not know
what is wired to it, nor how it lies under a board.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hal.profile import BusPins, Profile
from hal.profile.geometry import Point
from hal.profile.pin_map import BUS_PINS
from hardware.kit.drawing import Box

FOAM_MM = 3
"""Of the tape below a computer or breakout: joints and the card's holder stand up at its back."""

# Raspberry Pi documentation, "GPIO and the 40-pin header": BCM number to pin.
_PI_PINS = {
    **{0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32},
    **{13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16},
    **{24: 18, 25: 22, 26: 37, 27: 13},
}
# Raspberry Pi Pico Datasheet, section 2.1: every fifth pin of the edge is ground, up to GP21.
_PICO_PINS = {gp: gp + 1 + (gp + 2) // 4 for gp in range(22)} | {22: 29, 26: 31, 27: 32, 28: 34}


@dataclass(frozen=True, slots=True)
class Socket:
    """Where something goes into a computer: `at` is on its edge, measured from its middle.

    `wide_mm` is the width of the opening. `plug_mm` says how wide what goes in is and how far it
    stands out, with room for fingers; None where nothing needs to go in.
    """

    name: str
    at: Point
    wide_mm: float
    plug_mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer as a maker sees it: pins by the profile's numbers, and those of power and ground.

    `width_mm` and `height_mm` are what it takes under the board. `pulled_up` has the buses that
    bring resistors of their own, of `pull_up_ohm`. `diode` is the pin that the strip's supply may
    feed through a diode, if there is one. `sockets`, `pin_rows` and `pin_1` are as one sees them
    who looks at the parts, measured from the middle, x to the right and y up.
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
    sockets: tuple[Socket, ...]
    pin_rows: tuple[Box, ...]
    pin_1: Point

    def signal_pin(self, number: int) -> str:
        """Name a pin by both its numbers: "GPIO17 (11)"."""
        return f"{self.prefix}{number} ({self.pins[number]})"

    def power_pin(self, pin: int) -> str:
        """Name a pin of 3.3 V, 5 V or ground: "ground (6)"."""
        if pin == self.diode:
            return f"VSYS ({pin})"
        kind = "3.3 V" if pin in self.pins_3v3 else "5 V" if pin in self.pins_5v else "ground"
        return f"{kind} ({pin})"


# Raspberry Pi 4 mechanical drawings: of 85 x 56 mm the middle of the power socket (11.2 mm from the
# card's end), that of the card (28 mm) and that of the header (32.5 and 52.5 mm); 3 and 5 differ by
# 1 mm at most. A Zero 2 W has header and card at the same end, and its power socket at 54 mm: 26 mm
# of that plug lie where a larger one has its board. Moulded plugs are up to 12.4 x 6.5 mm (USB
# Type-C specification) or 10.6 x 8.5 mm (Micro-USB specification). Neither says how long: 30 mm is
# room for a straight one with its cable. A card is 15 x 11 mm (SD Association).
_USB_PLUG_MM, _CARD_MM = (14.0, 30.0), (14.0, 15.0)
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
    sockets=(
        Socket("power", Point(11.2 - 42.5, -28.0), 9.0, _USB_PLUG_MM),
        Socket("card", Point(-42.5, 0.0), 12.0, _CARD_MM),
        Socket("USB", Point(42.5, 0.0), 50.0),
    ),
    pin_rows=(Box(-35.4, 21.9, 15.4, 27.1),),
    pin_1=Point(-34.1, 23.2),
)
# Raspberry Pi Pico Datasheet, section 2.1: pins 2.54 mm apart in two rows 17.78 mm apart.
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
    sockets=(Socket("USB", Point(0.0, 25.5), 8.0, _USB_PLUG_MM),),
    pin_rows=(Box(-10.2, -25.4, -7.6, 25.4), Box(7.6, -25.4, 10.2, 25.4)),
    pin_1=Point(-8.9, 24.1),
)


def computer_of(profile: Profile) -> Computer:
    """Give the computer that a board hangs on."""
    return RASPBERRY_PI if profile.pico is None else PICO


def bus_pins(profile: Profile, bus: int) -> BusPins | None:
    """Give the pins of a bus; None where only the computer's own settings say which they are."""
    if profile.pico is not None:
        return profile.pico.buses[bus]
    return BusPins(*BUS_PINS[bus]) if bus in BUS_PINS else None
