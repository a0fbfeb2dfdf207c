"""Numbered messages over a line that may lose frames: each arrives once, and in order.

Pure; time comes in as `now`, in whole milliseconds that only grow. Both sides run this file.

An acknowledgement is cumulative: it names the newest message up to which all have arrived. Messages
not acknowledged in time are sent again, from the oldest on. A repeated message, or one before its
turn, is dropped and acknowledged as far as all have arrived. USB itself loses nothing; a side that
does not read in time does.
"""

from firmware.framing import Frame

WINDOW = 4  # limits the messages that are sent and not acknowledged
MOST_WAITING = 24  # limits the queued messages, those in flight included
RESEND_MS = 100  # how long to wait for an acknowledgement
BEAT_MS = 1000  # silence after which the host sends a PING, then one more each second
SILENCE_MS = 3500  # silence after which a side counts as gone

ACK = 1  # the kind of a frame that carries nothing but its acknowledgement
PING = 2  # the kind of a frame that asks for an ACK


class Channel:
    """Send and receive one session's messages until it is `silent`; `beat_ms` 0: without PING."""

    def __init__(self, session: int, now: int, beat_ms: int = 0) -> None:
        self.session = session
        self._beat_ms = beat_ms
        self._heard_ms = now
        self._asked_ms = now
        # Messages as (number, kind, payload): first those sent, then those that wait.
        self._messages: list[tuple[int, int, bytes]] = []
        self._sent = 0
        self._resend_ms = now
        self._newest = 0
        self._received = 0
        self._owes = False

    @property
    def full(self) -> bool:
        """Return whether the queue is full: callers should then hold new messages back."""
        return len(self._messages) >= MOST_WAITING

    @property
    def waiting(self) -> int:
        """Count the messages that are not acknowledged yet."""
        return len(self._messages)

    def send(self, kind: int, payload: bytes) -> int:
        """Take a message to send and return its number, 1 to 255."""
        # 0 is for frames without a number.
        self._newest = self._newest % 255 + 1
        self._messages.append((self._newest, kind, payload))
        return self._newest

    def take(self, frame: Frame, now: int) -> bool:
        """Take a received frame; return whether it is a new message of this session."""
        if frame.session != self.session or self.silent(now):
            return False
        self._heard_ms = now
        for at in range(self._sent):
            if self._messages[at][0] == frame.ack:
                self._messages = self._messages[at + 1 :]
                self._sent -= at + 1
                self._resend_ms = now + RESEND_MS
                break
        if frame.number or frame.kind == PING:
            self._owes = True
        if frame.number != self._received % 255 + 1:
            return False
        self._received = frame.number
        return True

    def hear(self, now: int) -> None:
        """Note a sign of life: a repeat of the greeting that began this session."""
        if not self.silent(now):
            self._heard_ms = now

    def frames(self, now: int) -> list[Frame]:
        """Return the frames to write now."""
        if self.silent(now):
            return []
        if self._sent and now >= self._resend_ms:
            self._sent = 0
        send = []
        if self._may_send:
            if self._sent == 0:
                self._resend_ms = now + RESEND_MS
            send = self._messages[self._sent : WINDOW]
            self._sent += len(send)
        elif self._beat_ms and now >= self._ask_due_ms:
            self._asked_ms = now
            send = [(0, PING, b"")]
        elif self._owes:
            send = [(0, ACK, b"")]
        # Every frame has an acknowledgement.
        self._owes = False
        return [Frame(kind, self.session, n, self._received, each) for n, kind, each in send]

    def due(self) -> int:
        """Return the time at which `frames` is next due, or `silent` begins."""
        if self._owes or self._may_send:
            return self._heard_ms
        due = self._heard_ms + SILENCE_MS
        if self._sent:
            due = min(due, self._resend_ms)
        if self._beat_ms:
            due = min(due, self._ask_due_ms)
        return due

    def silent(self, now: int) -> bool:
        """Return whether the other side has been silent for so long that it counts as gone."""
        return now - self._heard_ms >= SILENCE_MS

    @property
    def _may_send(self) -> bool:
        return self._sent < min(WINDOW, len(self._messages))

    @property
    def _ask_due_ms(self) -> int:
        return max(self._heard_ms, self._asked_ms) + self._beat_ms
