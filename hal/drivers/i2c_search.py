"""Finds sensor chips and multiplexers on I2C buses. Apart from register numbers, it writes only to
addresses that read like a multiplexer, to select a channel.
"""

import errno
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Protocol

from hal.drivers.mpr121_registers import BASELINE_FILTER, DEBOUNCE
from hal.profile import FIRST_ADDRESS, FIRST_MUX, LAST_ADDRESS, LAST_MUX, MUX_CHANNELS, Chip

_NO_ANSWER = (errno.EREMOTEIO, errno.ENXIO, errno.EBUSY)
"""An address was not acknowledged, or a driver of the kernel has it."""
_NO_CHANNEL = b"\x00"
_BYTES_OF_MUX = 8  # enough for the registers of another chip to differ
_SIX_BITS = (0, 1, 4, 5, 8)  # the registers of the baseline filter with only six bits


@dataclass(frozen=True, slots=True)
class BusTrouble:
    """Why a bus, or one channel of a multiplexer on it, cannot be searched."""

    bus: int
    detail: str


@dataclass(slots=True)
class BusSearch:
    """The results of a search, in the order of the places; `strangers` do not read like an MPR121.

    The chips found have no names; multiplexers are listed as chips too.
    """

    chips: list[Chip] = field(default_factory=list)
    strangers: list[Chip] = field(default_factory=list)
    muxes: list[Chip] = field(default_factory=list)
    troubles: list[BusTrouble] = field(default_factory=list)


class Buses(Protocol):
    """The I2C buses of a computer."""

    def bus(self, number: int) -> Any:
        """Return a bus as `adafruit_bus_device` uses one; raise BackendError when there is none."""

    def buses(self) -> tuple[int, ...]:
        """List the numbers of the buses."""


def find_chips(bus_numbers: Iterable[int], open_bus: Callable[[int], Any]) -> BusSearch:
    """Search buses, as `adafruit_bus_device` uses them, and all channels of their multiplexers.

    A bus that fails is a trouble in the result. A chip in front of a multiplexer is listed once.
    Every multiplexer is left with no channel. No other program may use a bus meanwhile.
    """
    found = BusSearch()
    for number in bus_numbers:
        try:
            bus = open_bus(number)
            if not bus.try_lock():
                raise OSError(errno.EBUSY, "is in use")
            try:
                _search(number, bus, found)
            finally:
                bus.unlock()
        except OSError as error:
            found.troubles.append(BusTrouble(number, _reason(error)))
    return found


def _search(number: int, bus: Any, found: BusSearch) -> None:
    places = range(FIRST_MUX, LAST_MUX + 1)
    answering = [address for address in places if _answers(bus, address)]
    muxes = [address for address in answering if _is_mux(bus, address)]
    if len(answering) == len(places) and not muxes:
        # On a bit-banged bus a low SDA looks like an acknowledgement of every address.
        raise OSError(errno.EIO, "every address answers: SDA is held low")
    addresses = range(FIRST_ADDRESS, LAST_ADDRESS + 1)
    direct = [each for each in addresses if _answers(bus, each)]
    for each in direct:
        _add(found, bus, Chip("", number, each))
    found.muxes += [Chip("", number, mux) for mux in muxes]
    hidden = [each for each in addresses if each not in direct]
    for mux, channel in product(muxes, range(MUX_CHANNELS)):
        try:
            bus.writeto(mux, bytes([1 << channel]))
            for each in [each for each in hidden if _answers(bus, each)]:
                _add(found, bus, Chip("", number, each, mux, channel))
        except OSError as error:
            where = f"multiplexer 0x{mux:X} channel {channel}"
            found.troubles.append(BusTrouble(number, f"{where}: {_reason(error)}"))
            if error.errno == errno.ETIMEDOUT:
                # The channel stays connected, so other multiplexers cannot be searched.
                return
        bus.writeto(mux, _NO_CHANNEL)


def _answers(bus: Any, address: int) -> bool:
    """Return whether one byte can be read, by us and not by a driver of the kernel."""
    try:
        bus.readfrom_into(address, bytearray(1))
    except OSError as error:
        if error.errno in _NO_ANSWER:
            return False
        raise
    return True


def _is_mux(bus: Any, address: int) -> bool:
    """Return whether the chip is a TCA9548A, and leave it with no channel.

    A TCA9548A answers every read with the byte that was written last (data sheet, section 8.6.2),
    so a chip whose bytes differ is not written to. To other chips at these addresses, such a small
    number only selects a register.
    """
    for mask in (None, 1, 2, 0):
        given = bytearray(_BYTES_OF_MUX)
        if mask is not None:
            bus.writeto(address, bytes([mask]))
        bus.readfrom_into(address, given)
        if set(given) != {given[0] if mask is None else mask}:
            return False
    return True


def _add(found: BusSearch, bus: Any, chip: Chip) -> None:
    (found.chips if _recognised(bus, chip.address) else found.strangers).append(chip)


def _recognised(bus: Any, address: int) -> bool:
    """Return whether a chip is an MPR121, in any state: other sensors may use its addresses.

    Its filter and debounce registers have bits that are always 0, and its charge current and time
    are never 0, neither after a reset nor when set up.
    """
    filters, settings = bytearray(11), bytearray(3)
    try:
        bus.writeto_then_readfrom(address, bytes([BASELINE_FILTER]), filters)
        bus.writeto_then_readfrom(address, bytes([DEBOUNCE]), settings)
    except OSError:
        return False
    debounce, current, time = settings
    plausible = all(filters[place] < 0x40 for place in _SIX_BITS) and not debounce & 0x88
    return plausible and current & 0x3F != 0 and time >> 5 != 0


def _reason(error: OSError) -> str:
    if error.errno == errno.ETIMEDOUT:
        return "the bus hangs: SDA or SCL is held low, or has no pull-up"
    if error.errno and not error.strerror:
        return os.strerror(error.errno)
    return error.strerror or str(error)
