"""Numbered messages over a line that loses and spoils frames: each arrives once, and in order.

Owns numbers, acknowledgements, repetition, the beat of a silent line, and how long it may be
silent. Pure; time comes in as `now`, in whole milliseconds that only grow. Both sides run this
file. Must not know bytes (`firmware.wire`) nor what a message means (`firmware.messages`).

An acknowledgement is cumulative: it names the newest message up to which all have arrived. What is
not acknowledged in time is sent again, from the oldest on. A message that comes a second time, or
before an older one, is dropped and acknowledged as ever. So a lost or repeated frame does no harm.
"""

from firmware.wire import Frame

WINDOW = 4
"""So many messages may be on their way at once."""
MOST_WAITING = 24
"""So many messages may wait, those on their way included."""
FIRST_REPEAT_MS = 50
LAST_REPEAT_MS = 400
"""How long to wait for an acknowledgement: each time that none comes, twice as long."""
BEAT_MS = 1000
"""How often the host asks whether anybody is there, on a line that is silent."""
SILENCE_MS = 3500
"""A side that has heard nothing for so long holds that the other one is gone."""

ACK = 1
"""The kind of a frame that carries nothing but its acknowledgement."""
PING = 2
"""The kind of a frame that asks for one."""


class Channel:
    """Send and receive the messages of one session. `beat_ms` of 0 never asks, only answers."""

    def __init__(self, session: int, now: int, beat_ms: int = 0) -> None:
        self.session = session
        self._beat_ms = beat_ms
        self._heard_ms = now
        self._said_ms = now
        # Messages as (number, kind, payload): first those on their way, then those that wait.
        self._messages: list[tuple[int, int, bytes]] = []
        self._sent = 0
        self._newest = 0
        self._received = 0
        self._owes = False
        self._repeat_ms = FIRST_REPEAT_MS
        self._repeat_due_ms = 0

    @property
    def full(self) -> bool:
        """Tell whether no further message may be sent now."""
        return len(self._messages) >= MOST_WAITING

    @property
    def waiting(self) -> int:
        """Count the messages that are not acknowledged yet."""
        return len(self._messages)

    def send(self, kind: int, payload: bytes) -> int:
        """Take a message to send and give its number, 1 to 255; raise OSError while `full`."""
        if self.full:
            raise OSError(f"{self.waiting} messages wait: allowed are {MOST_WAITING}")
        self._newest = _after(self._newest)
        self._messages.append((self._newest, kind, payload))
        return self._newest

    def acknowledged(self, number: int) -> bool:
        """Tell whether the other side has a message, one of the last that were sent."""
        return all(each[0] != number for each in self._messages)

    def take(self, frame: Frame, now: int) -> bool:
        """Take a frame that came; tell whether it holds a message that is new.

        Frames of other sessions are none of this channel's.
        """
        if frame.session != self.session:
            return False
        self._heard_ms = now
        self._forget(frame.ack, now)
        if frame.number == 0:
            self._owes = self._owes or frame.kind == PING
            return False
        self._owes = True
        if frame.number != _after(self._received):
            return False
        self._received = frame.number
        return True

    def frames(self, now: int) -> list[Frame]:
        """Give the frames to write now."""
        if self._sent and now >= self._repeat_due_ms:
            self._sent = 0
            self._repeat_ms = min(2 * self._repeat_ms, LAST_REPEAT_MS)
        frames = []
        while self._sent < min(WINDOW, len(self._messages)):
            number, kind, payload = self._messages[self._sent]
            if self._sent == 0:
                self._repeat_due_ms = now + self._repeat_ms
            self._sent += 1
            frames.append(Frame(kind, self.session, number, self._received, payload))
        if not frames:
            if self._beat_ms and now - self._said_ms >= self._beat_ms:
                frames.append(Frame(PING, self.session, 0, self._received, b""))
            elif self._owes:
                frames.append(Frame(ACK, self.session, 0, self._received, b""))
        if frames:
            self._owes = False
            self._said_ms = now
        return frames

    def due(self) -> int:
        """Give the time at which `frames` next has something to give by itself."""
        if self._sent < min(WINDOW, len(self._messages)) or self._owes:
            return self._said_ms
        due = self._heard_ms + SILENCE_MS
        if self._sent:
            due = min(due, self._repeat_due_ms)
        if self._beat_ms:
            due = min(due, self._said_ms + self._beat_ms)
        return due

    def silent(self, now: int) -> bool:
        """Tell whether the other side has not been heard for so long that it is gone."""
        return now - self._heard_ms >= SILENCE_MS

    def _forget(self, ack: int, now: int) -> None:
        """Forget the messages up to the one that is acknowledged, if it is on its way."""
        numbers = [each[0] for each in self._messages[: self._sent]]
        if ack in numbers:
            count = numbers.index(ack) + 1
            self._messages = self._messages[count:]
            self._sent -= count
            self._repeat_ms = FIRST_REPEAT_MS
            self._repeat_due_ms = now + self._repeat_ms


def _after(number: int) -> int:
    """Give the next number; 0 is for frames that have none."""
    return number % 255 + 1
