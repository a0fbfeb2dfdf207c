"""A Pico as the platform of a board: its chips, keys, interrupt line and strip."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import firmware.messages as messages
from firmware.framing import MOST_PAYLOAD
from firmware.messages import Bus, Wiring
from hal.backends.backend import Clock, IsLow
from hal.backends.coprocessor.chip import Playback, RemoteChip
from hal.backends.coprocessor.client import Client, over_port
from hal.backends.coprocessor.port import Port
from hal.base.errors import BackendError, LinkFault
from hal.drivers.i2c_search import BusSearch
from hal.drivers.mpr121_registers import SATURATED_COUNTS, SHORTED_COUNTS
from hal.lights import IDLE_MA, Frame, check_length, levels
from hal.profile import Chip, Pico, Pin, Profile, Strip

CLOCK_KHZ = 400
"""The clock of the I2C buses: the fastest that an MPR121 allows (data sheet, section 5.1)."""
MOST_GLOW = 24
"""The highest level of breathing pixels while no host is connected, 0 to 255 a colour."""
MOST_RUN = 255
JOINED_GAP = 16
"""Up to this many unchanged levels between two changed ones are sent with them: a Pico takes as
long to begin another run."""
MOST_UNDER_WAY = 2
"""While this many messages are in flight, the newest frame waits and replaces older ones."""
_RUN_BYTES = 3
_CLOSE_S = 0.5


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
        self.playback = Playback()
        client.on_report = self.playback.add
        self._chips: list[RemoteChip] = []
        self._on_change: Callable[[], None] = lambda: None
        self._strip: RemotePixels | None = None

    def wire(self) -> BusSearch:
        """Configure the Pico, as is necessary after each greeting, and return the chips it finds.

        Earlier reports are dropped. Raises LinkFault when the line is down, and BackendError when
        the Pico refuses the wiring.
        """
        self.playback.clear()
        wiring = messages.pack_wiring(wiring_of(self._profile, self._pico))
        try:
            answer = self._client.call(messages.WIRING, wiring)
            _, found = messages.unpack_found(answer.payload)
        except ValueError as error:
            raise BackendError(
                f"the Pico cannot follow board {self._profile.name}: {error}"
            ) from error
        return BusSearch([Chip("", bus, address) for bus, address in found])

    def advance(self, now: float) -> None:
        """Apply the Pico's reports when they are due, and send a waiting frame."""
        if self.playback.advance(now):
            self._on_change()
        if self._strip is not None:
            # The next `show` reports a strip that cannot be reached.
            with suppress(LinkFault):
                self._strip.attend()

    def buses(self) -> tuple[int, ...]:
        return tuple(sorted(self._pico.buses))

    def chip(self, chip: Chip) -> RemoteChip:
        """Return the driver of a chip of the profile."""
        index = self._profile.chips.index(chip)
        remote = RemoteChip(chip, index, self._client, self.playback)
        self._chips.append(remote)
        return remote

    def key(self, pin: int, on_change: Callable[[], None]) -> IsLow:
        bit = _key_pins(self._profile).index(pin)

        def is_low() -> bool:
            report = self.playback.current
            return report is not None and bool(report.state.keys >> bit & 1)

        return is_low

    def line(self, pin: int, on_low: Callable[[], None]) -> IsLow:
        """Return the interrupt line: low here until all chips have read the present report."""
        self._on_change = on_low
        return lambda: any(chip.unread for chip in self._chips)

    def pixels(self, strip: Strip) -> "RemotePixels":
        self._strip = RemotePixels(self._client, strip)
        return self._strip

    def close(self) -> None:
        """Do nothing: the Pico keeps its pins."""


@dataclass(slots=True)
class RemotePixels:
    """Show frames on the strip of a Pico."""

    _client: Client
    _strip: Strip
    _wanted: bytes | None = None
    _sent: bytes | None = None  # None if the levels of the strip are unknown
    _epoch: tuple[int, int] | None = None

    def show(self, frame: Frame) -> None:
        """Take a whole frame of final levels; raise LinkFault while the line is down."""
        check_length(frame, self._strip.pixels)
        self._wanted = levels(frame, self._strip.order)
        self.attend()

    def attend(self) -> None:
        """Send the waiting frame, if the Pico has caught up."""
        if self._wanted is None:
            return
        # A strip shows other levels after a new session, and after an update that was refused.
        epoch = self._client.sessions, self._client.refusals
        if self._epoch != epoch:
            self._epoch, self._sent = epoch, None
        if self._wanted == self._sent or self._client.waiting >= MOST_UNDER_WAY:
            return
        old, clear = self._sent or bytes(len(self._wanted)), self._sent is None
        # Unknown until all updates are on their way.
        self._sent = None
        for payload in updates(old, self._wanted, clear=clear):
            self._client.post(messages.PIXELS, payload)
        self._sent = self._wanted

    def close(self) -> None:
        """Switch the lights off; raise LinkFault when the Pico cannot be reached."""
        self._wanted = None
        self._client.post(messages.PIXELS, messages.pack_pixels([], show=True, clear=True))
        self._client.flush(_CLOSE_S)


def search_chips(port: Port, profile: Profile, clock: Clock, timeout_s: float) -> BusSearch:
    """Let the Pico at a port search the buses of a profile; close the port. Raises BackendError."""
    client = over_port(port, clock)
    try:
        client.open(timeout_s)
        found = PicoPlatform(profile, client).wire()
        client.post(messages.BYE, b"")
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


def updates(old: bytes, new: bytes, *, clear: bool) -> list[bytes]:
    """Encode changed levels as payloads of PIXELS, in order; the last one makes the strip show."""
    batches: list[list[tuple[int, bytes]]] = [[]]
    room = MOST_PAYLOAD - 1
    for offset, run in _runs(old, new):
        if room < _RUN_BYTES + len(run):
            batches.append([])
            room = MOST_PAYLOAD - 1
        batches[-1].append((offset, run))
        room -= _RUN_BYTES + len(run)
    last = len(batches) - 1
    return [
        messages.pack_pixels(batch, show=at == last, clear=clear and at == 0)
        for at, batch in enumerate(batches)
    ]


def _runs(old: bytes, new: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the runs that differ; runs that lie close together are joined."""
    first = last = -1
    for at in [at for at, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]:
        if first >= 0 and (at - last > JOINED_GAP or at - first >= MOST_RUN):
            yield first, new[first : last + 1]
            first = -1
        first, last = at if first < 0 else first, at
    if first >= 0:
        yield first, new[first : last + 1]
