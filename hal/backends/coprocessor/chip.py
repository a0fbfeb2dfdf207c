"""A Pico's touch chips: set up by the host, read by the Pico, whose reports are replayed."""

import errno
from collections import deque
from dataclasses import dataclass
from math import inf

import firmware.messages as messages
from firmware.messages import State
from hal.backends.coprocessor.client import Client, Report
from hal.base.errors import SensorFault
from hal.drivers.mpr121_registers import Blocks, ChipDriver

LOOK_S = 60.0
"""How often a chip is fully measured while no electrode is odd: this keeps an idle line quiet."""
ANSWER_S = 1.0  # how long to wait for an answer; the line needs a hundredth of it
NEWS_S = 2.0
"""How long a chip is measured at each poll after its set-up, or after an electrode became odd."""
SHARE = 0.9
"""A state is shown for at least this share of its duration; the rest lets a late host catch up."""
SEEN_S = 0.1
"""No state needs to be shown for longer: debouncing accepts a touch or a release sooner."""
MOST_WAITING = 32  # limits the waiting states, so that a flickering cell cannot cause a long delay
_WRAP_MS = 1 << 32

_HEALTH = {
    messages.SILENT: (errno.EREMOTEIO, "does not answer"),
    messages.HELD: (errno.ETIMEDOUT, "does not answer: its bus is held"),
    messages.RESET: (errno.EIO, "has lost its settings"),
}


class Playback:
    """Replays the Pico's states at the pace at which they were measured.

    A host that polls late still sees each for nearly its time, so that no short touch is lost.
    `current` is the present one; None before the first report.
    """

    def __init__(self) -> None:
        self.current: Report | None = None
        self._waiting: deque[Report] = deque(maxlen=MOST_WAITING)
        self._shown_s = self._looked_s = -inf

    def add(self, report: Report) -> None:
        """Add a state that has arrived."""
        self._waiting.append(report)

    def advance(self, now: float) -> bool:
        """Show the next state if it is due; return whether it was due."""
        looked_s, self._looked_s = self._looked_s, now
        # After a delay the host sees the present state once more before the next one.
        if now < self.due() or looked_s < self._seen_s():
            return False
        self.current, self._shown_s = self._waiting.popleft(), now
        return True

    def due(self) -> float:
        """Return when `advance` is next due; infinity for never."""
        return self._seen_s() if self._waiting else inf

    def clear(self) -> None:
        """Forget everything, as when the line was down."""
        self.current = None
        self._waiting.clear()
        self._shown_s = -inf

    def _seen_s(self) -> float:
        """Return until when the present state must be shown."""
        if self.current is None or not self._waiting:
            return -inf
        lasted_ms: int = (self._waiting[0].state.time_ms - self.current.state.time_ms) % _WRAP_MS
        return self._shown_s + min(SHARE * lasted_ms / 1000, SEEN_S)


@dataclass(eq=False)
class RemoteChip(ChipDriver):
    """Drive the chip at `_index` of the wiring."""

    _index: int
    _client: Client
    _playback: Playback
    _last_read: Report | None = None
    _session: int = 0
    _set_up_place: int = 0  # reports from before the set-up say nothing about the chip
    _odd: int = 0
    _news_s: float = -inf
    _look_due_s: float = -inf

    def _set_up(self, blocks: Blocks, mode: int) -> None:
        payload = messages.pack_set_up(self._index, mode, blocks)
        place, error, _ = self._ask(messages.SET_UP, payload)
        if error:
            raise self._fault(error, "cannot be set up")
        self._session = self._client.sessions
        self._set_up_place = place
        self._news_s = inf

    @property
    def unread(self) -> bool:
        """Return whether the present report was not read here yet."""
        return self._last_read is not self._playback.current

    def _status(self) -> int:
        self._last_read = self._playback.current
        state = self._state()
        return 0 if state is None else int(state.chips[self._index].touched)

    def check(self) -> None:
        self._state()

    def suspect(self, now: float) -> bool:
        """Return whether the chip has changed recently, or was last measured long ago."""
        state = self._state()
        odd = 0 if state is None else state.chips[self._index].odd
        if odd != self._odd or self._news_s == inf:
            self._odd, self._news_s = odd, now + NEWS_S
        suspect = now < self._news_s or now >= self._look_due_s
        if suspect:
            self._look_due_s = now + LOOK_S
        return suspect

    def __str__(self) -> str:
        return f"sensor chip {self.chip.name} (Pico, {self.chip.place})"

    def _state(self) -> State | None:
        """Return the last state reported since the chip was set up; None if there is none yet."""
        if self._client.fault is not None:
            raise SensorFault(f"{self} cannot be reached: {self._client.fault}")
        if self._session != self._client.sessions:
            raise SensorFault(f"{self} is not set up")
        report = self._playback.current
        if report is None or report.place < self._set_up_place:
            return None
        state = report.state
        health = state.chips[self._index].health
        if health in _HEALTH:
            number, why = _HEALTH[health]
            raise self._fault(number, why)
        return state if health == messages.WATCHED else None

    def _read(self, register: int, count: int) -> bytes:
        payload = messages.pack_read(self._index, register, count)
        _, error, data = self._ask(messages.READ, payload)
        if error or len(data) != count:
            raise self._fault(error or errno.EIO, "cannot be read")
        return data

    def _ask(self, kind: int, payload: bytes) -> tuple[int, int, bytes]:
        """Return the place of the answer, and the error's number and the bytes in it."""
        try:
            answer = self._client.call(kind, payload, ANSWER_S)
            _, number, data = messages.unpack_result(answer.payload)
        except (OSError, ValueError) as error:
            raise SensorFault(f"{self} cannot be reached: {error}") from error
        return answer.place, number, data

    def _fault(self, number: int, why: str) -> SensorFault:
        """Make a fault with the kernel's error number, like a fault of a bus on the host."""
        fault = SensorFault(f"{self} {why}")
        fault.__cause__ = OSError(number, why)
        return fault
