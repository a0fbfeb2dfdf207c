"""The strip at a Pico: sends the changed levels of frames, in few runs."""

from collections.abc import Iterator

from firmware.framing import MOST_PAYLOAD
from firmware.messages import PIXELS, pack_pixels
from hal.backends.coprocessor.client import Client
from hal.base.errors import LightsFault, LinkFault
from hal.drivers.ws2812 import levels
from hal.lights import Frame, check_length
from hal.profile import Strip

MOST_RUN = 255
JOINED_GAP = 16
"""At most this many unchanged levels between changed ones are sent too: for a Pico about this many
levels take as long as one more run."""
MOST_UNDER_WAY = 2
"""Limits the updates in flight; beyond it the newest frame waits, and older ones are dropped."""
_RUN_BYTES = 3
_CLOSE_S = 0.5


class RemotePixels:
    """Show frames on the strip of a Pico."""

    def __init__(self, client: Client, strip: Strip) -> None:
        self._client = client
        self._strip = strip
        self._wanted: bytes | None = None
        self._sent: bytes | None = None
        self._session = -1
        self._under_way: list[int] = []
        self._refusals = client.refusals

    def show(self, frame: Frame) -> None:
        """Take a whole frame of final levels; raise LightsFault while the line is down."""
        check_length(frame, self._strip.pixels)
        self._wanted = levels(frame, self._strip.order)
        self.attend()

    def attend(self) -> None:
        """Send the waiting frame, if the Pico has caught up."""
        if self._wanted is None:
            return
        if self._session != self._client.sessions:
            # The strip shows levels of another session.
            self._session, self._sent, self._under_way = self._client.sessions, None, []
        if self._refusals != self._client.refusals:
            # The Pico refused an update, so the strip does not show what was sent.
            self._refusals, self._sent = self._client.refusals, None
        self._under_way = [each for each in self._under_way if not self._client.has(each)]
        if self._wanted == self._sent or len(self._under_way) >= MOST_UNDER_WAY:
            return
        old = self._sent or bytes(len(self._wanted))
        clear = self._sent is None
        try:
            for payload in updates(old, self._wanted, clear=clear):
                number = self._client.post(PIXELS, payload)
        except LinkFault as error:
            # It is unknown how much of the update has arrived.
            self._session = -1
            raise LightsFault(f"the strip cannot be reached: {error}") from error
        self._under_way.append(number)
        self._sent = self._wanted

    def close(self) -> None:
        """Switch the lights off; raise LightsFault when the Pico cannot be reached."""
        self._wanted = None
        try:
            self._client.post(PIXELS, pack_pixels([], show=True, clear=True))
            self._client.flush(_CLOSE_S)
        except LinkFault as error:
            raise LightsFault(f"the strip cannot be reached: {error}") from error


def updates(old: bytes, new: bytes, *, clear: bool) -> list[bytes]:
    """Encode the changes from old to new levels as payloads of PIXELS, in order.

    Both have a byte per colour of a pixel. The last payload makes the strip show them.
    """
    batches: list[list[tuple[int, bytes]]] = [[]]
    room = MOST_PAYLOAD - 1
    for offset, run in _runs(old, new):
        while run:
            if room <= _RUN_BYTES:
                batches.append([])
                room = MOST_PAYLOAD - 1
            size = min(MOST_RUN, room - _RUN_BYTES)
            part, run = run[:size], run[size:]
            batches[-1].append((offset, part))
            offset += len(part)
            room -= _RUN_BYTES + len(part)
    last = len(batches) - 1
    return [
        pack_pixels(batch, show=at == last, clear=clear and at == 0)
        for at, batch in enumerate(batches)
    ]


def _runs(old: bytes, new: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the runs that differ; runs that lie close together are joined."""
    changed = [at for at, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    if not changed:
        return
    first = last = changed[0]
    for at in changed[1:]:
        if at - last > JOINED_GAP:
            yield first, new[first : last + 1]
            first = at
        last = at
    yield first, new[first : last + 1]
