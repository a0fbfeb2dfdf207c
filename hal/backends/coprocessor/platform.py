"""A Pico as the platform of a board: its chips, keys, interrupt line and strip."""

from collections.abc import Callable
from contextlib import suppress

from firmware.messages import BYE, WIRING, Bus, Wiring, pack_wiring, unpack_found
from hal.backends.backend import Clock
from hal.backends.coprocessor.chip import RemoteChip
from hal.backends.coprocessor.client import Client, over_port
from hal.backends.coprocessor.pixels import RemotePixels
from hal.backends.coprocessor.playback import Playback
from hal.backends.coprocessor.port import Port
from hal.base.errors import BackendError, LightsFault
from hal.drivers.i2c_search import BusSearch, FoundChip
from hal.drivers.reading import SATURATED_COUNTS, SHORTED_COUNTS
from hal.lights import IDLE_MA, Pixels
from hal.profile import Chip, Pico, Pin, Profile, Strip

CLOCK_KHZ = 400
"""The clock of the I2C buses: the fastest that an MPR121 allows (data sheet, section 5.1)."""
MOST_GLOW = 24
"""The highest level of breathing pixels while no host is connected, 0 to 255 a colour."""


class PicoPlatform:
    """Open the chips, pins and pixels of a profile on the Pico of a client."""

    def __init__(self, profile: Profile, client: Client) -> None:
        if profile.pico is None:
            raise BackendError(
                f"board {profile.name} is not wired to a Pico: allowed is a profile with [pico];"
                " `--backend pi` plays a board that is wired to a Raspberry Pi"
            )
        self._profile = profile
        self._pico = profile.pico
        self._client = client
        self._playback = Playback()
        self._chips: list[RemoteChip] = []
        self._on_change: Callable[[], None] = lambda: None
        self._found: tuple[tuple[int, int], ...] = ()
        self._strip: RemotePixels | None = None

    def wire(self) -> None:
        """Configure the Pico, as is necessary after each greeting, and drop earlier reports.

        Raises LinkFault when the line is down, and BackendError when the Pico refuses the wiring.
        """
        self._playback.clear()
        wiring = pack_wiring(wiring_of(self._profile, self._pico))
        try:
            answer = self._client.call(WIRING, wiring)
            self._found = tuple(unpack_found(answer.payload)[1])
        except ValueError as error:
            raise BackendError(
                f"the Pico cannot follow board {self._profile.name}: {error}"
            ) from error

    def advance(self, now: float) -> None:
        """Apply the Pico's reports when they are due, and send a waiting frame."""
        self._playback.add(self._client.states())
        if self._playback.advance(now):
            for chip in self._chips:
                chip.unread = True
            self._on_change()
        if self._strip is not None:
            # The next `show` reports a strip that cannot be reached.
            with suppress(LightsFault):
                self._strip.attend()

    def due(self) -> float:
        return self._playback.due()

    def buses(self) -> tuple[int, ...]:
        return tuple(sorted(self._pico.buses))

    def search(self) -> BusSearch:
        """Let the Pico search its buses; raise BackendError when it refuses the wiring."""
        self.wire()
        found = (FoundChip(bus, None, None, address) for bus, address in self._found)
        return BusSearch(tuple(found), (), ())

    def chip(self, chip: Chip) -> RemoteChip:
        """Return the driver of a chip of the profile."""
        index = self._profile.chips.index(chip)
        remote = RemoteChip(chip, index, self._client, self._playback)
        self._chips.append(remote)
        return remote

    def key(self, pin: int, on_change: Callable[[], None]) -> "_Key":
        return _Key(_key_pins(self._profile).index(pin), self._playback)

    def line(self, pin: int, on_low: Callable[[], None]) -> "_Line":
        """Return the interrupt line: here it is low while the Pico has unread reports of chips."""
        self._on_change = on_low
        return _Line(self._chips)

    def pixels(self, strip: Strip) -> Pixels:
        self._strip = RemotePixels(self._client, strip)
        return self._strip


class _Key:
    """A key that the Pico reports; `bit` is its bit in a report."""

    def __init__(self, bit: int, playback: Playback) -> None:
        self._bit = bit
        self._playback = playback

    @property
    def low(self) -> bool:
        report = self._playback.current
        return report is not None and bool(report.state.keys >> self._bit & 1)

    def close(self) -> None:
        """Do nothing: the Pico keeps its pins."""


class _Line:
    """Stand in for the open-drain line: it is low until each chip's report has been read."""

    def __init__(self, chips: list[RemoteChip]) -> None:
        self._chips = chips

    @property
    def low(self) -> bool:
        return any(chip.unread for chip in self._chips)

    def close(self) -> None:
        """Do nothing: the Pico keeps its pins."""


def search_chips(port: Port, profile: Profile, clock: Clock, timeout_s: float) -> BusSearch:
    """Greet the Pico at a port, and let it search the buses of a profile for chips.

    Closes the port. Raises LinkFault when the Pico does not answer, and BackendError when it
    refuses this wiring.
    """
    client = over_port(port, clock)
    try:
        client.open(timeout_s)
        found = PicoPlatform(profile, client).search()
        client.post(BYE, b"")
        client.flush(timeout_s)
    finally:
        client.close()
    return found


def wiring_of(profile: Profile, pico: Pico) -> Wiring:
    """Describe a board's wiring for the Pico."""
    colours = len(profile.strip.order)
    return Wiring(
        buses=[
            Bus(number, pins.sda, pins.scl, CLOCK_KHZ)
            for number, pins in sorted(pico.buses.items())
        ],
        chips=[(chip.bus, chip.address) for chip in profile.chips],
        interrupt=profile.interrupt_pin,
        keys=_key_pins(profile),
        strip=profile.strip.pin,
        levels=profile.strip.pixels * colours,
        colours=colours,
        glow=_glow(profile),
        poll_ms=profile.sensing.poll_ms,
        low=SHORTED_COUNTS,
        high=SATURATED_COUNTS,
    )


def _key_pins(profile: Profile) -> list[int]:
    return [key.number for key in profile.keys.values() if isinstance(key, Pin)]


def _glow(profile: Profile) -> int:
    """Return a level within the budget for all pixels: the Pico knows no current limit."""
    power, strip = profile.power, profile.strip
    wanted_ma = strip.pixels * len(strip.order) * power.channel_ma
    allowed_ma = power.budget_ma - strip.pixels * IDLE_MA
    return max(0, min(MOST_GLOW, int(allowed_ma / wanted_ma * 255)))
