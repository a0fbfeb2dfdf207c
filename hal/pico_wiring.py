"""The wiring of a Raspberry Pi Pico: its serial port, and the pins of its I2C controllers.

Owns the section [pico] of a profile file. What hangs on the Pico is said where it is said for any
board (`hal.wiring`). Must not know how one speaks to a Pico.
"""

from types import MappingProxyType

from hal.toml_reader import Section
from hal.wiring import BusPins, Pico, Used

AUTO_PORT = "auto"
"""The port that is found by the USB id of a Pico."""

# RP2040 data sheet, section 1.4.3: the pins that an I2C controller can have, of those that a Pico
# brings to its edge.
SDA_PINS = {0: (0, 4, 8, 12, 16, 20), 1: (2, 6, 10, 14, 18, 26)}
SCL_PINS = {0: (1, 5, 9, 13, 17, 21), 1: (3, 7, 11, 15, 19, 27)}

_PORT_RULE = f'"{AUTO_PORT}", or a device or an URL of pyserial, on one line'
_BUSES_RULE = "0 and 1, or one of them: { sda = ..., scl = ... }"


def read_pico(section: Section, used: Used) -> Pico:
    """Read [pico], and reserve the pins of its buses."""
    port = section.text("port", rule=_PORT_RULE)
    if not port.isprintable():
        raise section.fault("port", repr(port), _PORT_RULE)
    wired = section.section("buses", f"a table of {_BUSES_RULE}")
    section.done()
    buses = {
        number: _pins(wired.section(str(number), "{ sda = ..., scl = ... }"), number, used)
        for number in SDA_PINS
        if wired.has(str(number))
    }
    wired.done()
    if not buses:
        raise wired.misfit("no bus", _BUSES_RULE)
    return Pico(port, MappingProxyType(buses))


def _pins(table: Section, number: int, used: Used) -> BusPins:
    sda = table.choice("sda", SDA_PINS[number])
    used.pins.take(table, "sda", sda, f"SDA of I2C bus {number}")
    scl = table.choice("scl", SCL_PINS[number])
    used.pins.take(table, "scl", scl, f"SCL of I2C bus {number}")
    table.done()
    return BusPins(sda, scl)
