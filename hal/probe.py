"""Find the sensor chips and the multiplexers that answer on I2C buses, and disturb none.

Owns the probing: chips are only read, and nothing is written but the channel of a multiplexer. Must
not know profiles: whether a chip ought to be where it is found is for others to say.
"""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from hal.wiring import FIRST_ADDRESS, FIRST_MUX, LAST_ADDRESS, LAST_MUX, MUX_CHANNELS

_NOBODY = (errno.EREMOTEIO, errno.ENXIO)  # how adapters say that an address was not acknowledged
_KERNEL = errno.EBUSY  # how Linux says that a driver inside it has taken the address

_NO_CHANNEL = b"\x00"
_FILTER = 0x2B  # eleven registers of the baseline filter, MPR121 data sheet, section 5.5
_SIX_BITS = (0, 1, 4, 5, 8)  # those of them that have six bits only
_SETTINGS = 0x5B  # debounce, charge current, charge time


@dataclass(frozen=True, slots=True)
class FoundChip:
    """Name the place of a chip that answers; `recognised` when it does so as an MPR121."""

    bus: int
    mux: int | None
    channel: int | None
    address: int
    recognised: bool = True

    @property
    def place(self) -> str:
        """Say where the chip is, for people, as `hal.wiring.Chip` does."""
        behind = "" if self.mux is None else f"multiplexer 0x{self.mux:X} channel {self.channel}, "
        return f"bus {self.bus}, {behind}address 0x{self.address:X}"


@dataclass(frozen=True, slots=True)
class FoundMux:
    """Name a multiplexer that answers."""

    bus: int
    address: int


@dataclass(frozen=True, slots=True)
class BusTrouble:
    """Say what keeps a bus, or one channel of a multiplexer on it, from being searched."""

    bus: int
    detail: str


@dataclass(frozen=True, slots=True)
class Search:
    """Hold what a search has found, in the order of the places."""

    chips: tuple[FoundChip, ...]
    muxes: tuple[FoundMux, ...]
    troubles: tuple[BusTrouble, ...]


class Buses(Protocol):
    """Hold the I2C buses of a computer."""

    def bus(self, number: int) -> Any:
        """Give a bus as `adafruit_bus_device` uses one; raise BackendError when there is none."""
        ...

    def buses(self) -> tuple[int, ...]:
        """List the numbers of the buses that there are."""
        ...


def find_chips(bus_numbers: Iterable[int], open_bus: Callable[[int], Any]) -> Search:
    """Search buses, and all channels of their multiplexers, for sensor chips.

    `open_bus` gives what `adafruit_bus_device` uses. A bus that fails is a trouble in the answer.
    A chip that is seen without a multiplexer is seen through each of its channels too, and is told
    once. Every multiplexer is left with no channel. Nobody else may use one meanwhile.
    """
    found = Search((), (), ())
    for number in bus_numbers:
        try:
            bus = open_bus(number)
            with _locked(bus):
                here = _search(number, bus)
        except OSError as error:
            here = Search((), (), (BusTrouble(number, _reason(error)),))
        found = Search(
            found.chips + here.chips, found.muxes + here.muxes, found.troubles + here.troubles
        )
    return found


def _search(number: int, bus: Any) -> Search:
    places = range(FIRST_MUX, LAST_MUX + 1)
    answering = [address for address in places if _answers(bus, address, kernel=False)]
    muxes = [address for address in answering if _is_mux(bus, address)]
    if len(answering) == len(places) and not muxes:
        # A bus made of pins takes a low SDA for the acknowledgement of any address.
        raise OSError(errno.EIO, "every address answers: SDA is held low")
    direct = [
        FoundChip(number, None, None, address, _recognised(bus, address))
        for address in range(FIRST_ADDRESS, LAST_ADDRESS + 1)
        if _answers(bus, address)
    ]
    hidden = sorted(set(range(FIRST_ADDRESS, LAST_ADDRESS + 1)) - {each.address for each in direct})
    chips, troubles = list(direct), []
    for mux in muxes:
        for channel in range(MUX_CHANNELS):
            try:
                with _selected(bus, mux, channel):
                    chips += [
                        FoundChip(number, mux, channel, address, _recognised(bus, address))
                        for address in hidden
                        if _answers(bus, address)
                    ]
            except OSError as error:
                where = f"multiplexer 0x{mux:X} channel {channel}"
                troubles.append(BusTrouble(number, f"{where}: {_reason(error)}"))
                if error.errno == errno.ETIMEDOUT:
                    # Its wires are joined to the bus now, and no multiplexer hears anything.
                    return Search(tuple(chips), _found(number, muxes), tuple(troubles))
    return Search(tuple(chips), _found(number, muxes), tuple(troubles))


def _found(number: int, muxes: Iterable[int]) -> tuple[FoundMux, ...]:
    return tuple(FoundMux(number, mux) for mux in muxes)


@contextmanager
def _locked(bus: Any) -> Iterator[None]:
    if not bus.try_lock():
        raise OSError(errno.EBUSY, "is in use")
    try:
        yield
    finally:
        bus.unlock()


@contextmanager
def _selected(bus: Any, mux: int, channel: int) -> Iterator[None]:
    try:
        bus.writeto(mux, bytes([1 << channel]))
        yield
    except OSError:
        # The first error says more than one that comes of it.
        with suppress(OSError):
            bus.writeto(mux, _NO_CHANNEL)
        raise
    bus.writeto(mux, _NO_CHANNEL)


def _answers(bus: Any, address: int, *, kernel: bool = True) -> bool:
    """Tell whether anything answers at an address; raise OSError when the bus itself fails.

    One byte is read: not every adapter can write none. Without `kernel` an address that a driver
    of the kernel has taken counts as one that does not answer, else as a failure.
    """
    try:
        bus.readfrom_into(address, bytearray(1))
    except OSError as error:
        if error.errno in _NOBODY or (error.errno == _KERNEL and not kernel):
            return False
        if error.errno == _KERNEL:
            taken = f"address 0x{address:X} is taken by a driver of the kernel"
            raise OSError(_KERNEL, taken) from error
        raise
    return True


def _is_mux(bus: Any, address: int) -> bool:
    """Tell whether what answers is a TCA9548A, and leave it with no channel.

    It is the chip that gives back the byte that it was written last (its data sheet, section
    8.6.2). Other chips at these addresses take such small numbers as the choice of a register.
    """
    for mask in (1, 2, 0):
        given = bytearray(1)
        try:
            bus.writeto(address, bytes([mask]))
            bus.readfrom_into(address, given)
        except OSError as error:
            if error.errno in _NOBODY:
                return False
            with suppress(OSError):
                bus.writeto(address, _NO_CHANNEL)
            raise
        if given[0] != mask:
            return False
    return True


def _recognised(bus: Any, address: int) -> bool:
    """Tell an MPR121, in whatever state it is, from other sensors, which may use its addresses.

    Its filter and debounce registers have bits that are always 0, and its charge current and time
    are never 0, neither after a reset nor when set up.
    """
    filters, settings = bytearray(11), bytearray(3)
    try:
        bus.writeto_then_readfrom(address, bytes([_FILTER]), filters)
        bus.writeto_then_readfrom(address, bytes([_SETTINGS]), settings)
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
