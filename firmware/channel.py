"""Numbered messages over a line that loses and spoils frames: each arrives once, and in order.

Owns numbers, acknowledgements, repetition, the beat of a silent line, and how long it may be
silent. Pure; time comes in as `now`, in whole milliseconds that only grow. Both sides run this
file. Must not know bytes (`firmware.framing`) nor what a message means (`firmware.messages`).

An acknowledgement is cumulative: it names the newest message up to which all have arrived. What is
not acknowledged in time is sent again, from the oldest on. A message that comes a second time, or
before an older one, is dropped and acknowledged as ever. So a lost or repeated frame does no harm.

How long to wait for an acknowledgement follows from how long the last ones took, and doubles with
each repetition: a side that is slow for a while is not buried in what it has not read yet.

On a rough line long frames never arrive whole. So what was repeated in vain is sent in small
pieces, again and again: the other side keeps those that it has until none is missing. And for a
while every frame is written as for a rough line (`Frame.rough`).
"""

from firmware.framing import MOST_PAYLOAD, Frame

WINDOW = 4
"""Limits the messages that are sent and not acknowledged."""
MOST_WAITING = 24
"""Limits the messages that wait, those on their way included."""
FIRST_REPEAT_MS = 50
"""How long to wait at least for an acknowledgement."""
ROUGH_REPEAT_MS = 100
"""How long at most on a rough line, if the other side is not slower than that."""
LAST_REPEAT_MS = 400
"""How long at most in any case: some repetitions must fit before a silence."""
WHOLE_TRIES = 3
"""How often a message is sent whole before it is sent in pieces on a rough line."""
PIECE_BYTES = 16
"""The length of a piece; the last one of a message may be shorter."""
LEAST_PIECES = 8
"""Pieces sent at a time: those of a short message are repeated."""
ROUGH_MS = 10_000
"""How long a line counts as rough after it has spoilt a frame, for either side."""
ANSWERS = 3
"""How often an acknowledgement or a heartbeat is sent on a rough line."""
BEAT_MS = 1000
"""Silence after which the host sends a PING."""
SILENCE_MS = 3500
"""Silence after which a side takes the other one for gone."""

ACK = 1
"""The kind of a frame that carries nothing but its acknowledgement."""
PING = 2
"""The kind of a frame that asks for one."""
ROUGH = 0x80
"""Added to a kind: the line is rough. The frame of a message holds only a piece of it."""

_MOST_PIECES = (MOST_PAYLOAD + PIECE_BYTES - 1) // PIECE_BYTES


class Channel:
    """Send and receive the messages of one session. A `beat_ms` of 0 never asks, only answers.

    A session that has been `silent` once is over: nothing is taken any more, and nothing sent.
    """

    def __init__(self, session: int, now: int, beat_ms: int = 0) -> None:
        self.session = session
        self._beat_ms = beat_ms
        self._heard_ms = now
        self._asked_ms = now
        # PINGs sent since the other side was heard.
        self._asked = 0
        # Messages as (number, kind, payload): first those sent, then those that wait.
        self._messages: list[tuple[int, int, bytes]] = []
        self._sent = 0
        # How often the oldest message was sent without acknowledgement, the last time in pieces.
        self._tries = 0
        self._in_pieces = False
        # Twice the time that the last acknowledgement took, and how long to wait for the next one.
        self._pace_ms = self._wait_ms = FIRST_REPEAT_MS
        # Since when it is waited for.
        self._began_ms = self._repeat_due_ms = now
        self._newest = 0
        self._received = 0
        # The received pieces of the message after `_received`.
        self._pieces: list[bytes | None] = []
        self._owes = 0
        # A line is rough that has spoilt a frame, on the way here or on the way there.
        self._rough_until_ms = self._tell_due_ms = now
        self._tells = False

    @property
    def full(self) -> bool:
        """Tell whether no further message may be sent now."""
        return len(self._messages) >= MOST_WAITING

    @property
    def waiting(self) -> int:
        """Count the messages that are not acknowledged yet."""
        return len(self._messages)

    def send(self, kind: int, payload: bytes) -> int:
        """Take a message to send and give its number, 1 to 255.

        Raises OSError while `full`, ValueError for a payload that is too long or a kind that is
        the channel's own.
        """
        if self.full:
            raise OSError(f"{self.waiting} messages wait: allowed are {MOST_WAITING}")
        if not PING < kind < ROUGH:
            raise ValueError(f"kind {kind}: allowed is {PING + 1} to {ROUGH - 1}")
        if len(payload) > MOST_PAYLOAD:
            raise ValueError(f"payload of {len(payload)} bytes: allowed is {MOST_PAYLOAD}")
        # 0 is for frames without a number.
        self._newest = self._newest % 255 + 1
        self._messages.append((self._newest, kind, payload))
        return self._newest

    def acknowledged(self, number: int) -> bool:
        """Tell whether the other side has a message, one of the last that were sent."""
        return all(each[0] != number for each in self._messages)

    def take(self, frame: Frame, now: int) -> bool:
        """Take a received frame; tell whether it holds a new message.

        If so, its kind and payload are the message's, also where the last missing piece came with
        it. Frames of other sessions are ignored.
        """
        if frame.session != self.session or now - self._heard_ms >= SILENCE_MS:
            return False
        self._heard_ms = now
        if self._sent:
            self._forget(frame.ack, now)
        rough = frame.kind >= ROUGH
        if rough:
            frame.kind -= ROUGH
            self._rough_until_ms = now + ROUGH_MS
        if frame.kind != PING:
            self._asked = 0
        elif not self._asked:
            # It has got no frame, and so may have heard nothing for long: ask until it answers.
            self._asked, self._asked_ms = 1, now
        number = frame.number
        if number or frame.kind == PING:
            owes = ANSWERS if rough else 1
            if self._owes < owes:
                self._owes = owes
        if number != self._received % 255 + 1:
            return False
        if rough:
            payload = self._join(frame.payload)
            if payload is None:
                return False
            frame.payload = payload
        if self._pieces:
            self._pieces = []
        self._received = number
        return True

    def hear(self, now: int) -> None:
        """Note a sign of life: a frame, or a greeting that began this session."""
        if not self.silent(now):
            self._heard_ms = now
            self._asked = 0

    def spoil(self, now: int) -> None:
        """Take what was no frame; the other side is told, since it must send in another way."""
        self._rough_until_ms = now + ROUGH_MS
        # Not each time: that may be spoilt too, and be answered likewise.
        if now >= self._tell_due_ms:
            self._tell_due_ms = now + ROUGH_REPEAT_MS
            self._tells = True

    def frames(self, now: int) -> list[Frame]:
        """Return the frames to write now."""
        if now - self._heard_ms >= SILENCE_MS:
            return []
        frames: list[Frame] = []
        rough = now < self._rough_until_ms
        if self._sent and now >= self._repeat_due_ms:
            self._tries += 1
            longest_ms = max(ROUGH_REPEAT_MS, self._pace_ms) if rough else LAST_REPEAT_MS
            self._await(now, min(2 * self._wait_ms, longest_ms))
            self._in_pieces = rough and self._tries >= WHOLE_TRIES
            if self._in_pieces:
                self._cut(frames)
            else:
                for at in range(self._sent):
                    frames.append(self._whole(at))
        if self._may_send:
            sent = self._sent
            if sent == 0:
                self._await(now, self._wait_ms)
            self._sent = min(1 if self._tries else WINDOW, len(self._messages))
            for at in range(sent, self._sent):
                frames.append(self._whole(at))
        if self._beat_ms and now >= self._ask_due_ms:
            # A message asks for an answer like a PING.
            if not frames:
                kind = PING | ROUGH if self._asked else PING
                for _ in range(ANSWERS if self._asked else 1):
                    frames.append(Frame(kind, self.session, 0, self._received, b""))
            self._asked += 1
            self._asked_ms = now
        if self._tells:
            self._tells = False
            frames.append(Frame(PING | ROUGH, self.session, 0, self._received, b""))
        while len(frames) < self._owes:
            frames.append(Frame(ACK, self.session, 0, self._received, b""))
        self._owes = 0
        if rough or self._tries > 1 or self._asked > 1:
            for frame in frames:
                frame.rough = True
        return frames

    def due(self) -> int:
        """Return the time at which `frames` is next due, or `silent` begins."""
        if self._owes or self._tells or self._may_send:
            return self._heard_ms
        due = self._heard_ms + SILENCE_MS
        if self._sent:
            due = min(due, self._repeat_due_ms)
        if self._beat_ms:
            due = min(due, self._ask_due_ms)
        return due

    def silent(self, now: int) -> bool:
        """Tell whether the other side has been silent for too long, and so is gone."""
        return now - self._heard_ms >= SILENCE_MS

    @property
    def _may_send(self) -> bool:
        """Tell whether there is an unsent message that may be sent."""
        sent = self._sent
        return sent < (1 if self._tries else WINDOW) and sent < len(self._messages)

    @property
    def _ask_due_ms(self) -> int:
        if self._asked:
            return self._asked_ms + ROUGH_REPEAT_MS
        return self._heard_ms + self._beat_ms

    def _whole(self, at: int) -> Frame:
        number, kind, payload = self._messages[at]
        return Frame(kind, self.session, number, self._received, payload)

    def _cut(self, frames: list[Frame]) -> None:
        """Add the pieces of the oldest message: index, count, and bytes."""
        number, kind, payload = self._messages[0]
        count = max(1, (len(payload) + PIECE_BYTES - 1) // PIECE_BYTES)
        for turn in range(max(count, LEAST_PIECES)):
            index = turn % count
            piece = payload[index * PIECE_BYTES : (index + 1) * PIECE_BYTES]
            part = bytes([index, count]) + piece
            frames.append(Frame(kind | ROUGH, self.session, number, self._received, part))

    def _join(self, part: bytes) -> bytes | None:
        """Store a piece of the next message; return the message once it is complete."""
        if len(part) < 2 or not part[0] < part[1] <= _MOST_PIECES or len(part) > 2 + PIECE_BYTES:
            return None
        if len(self._pieces) != part[1]:
            self._pieces = [None] * part[1]
        self._pieces[part[0]] = part[2:]
        payload = b""
        for piece in self._pieces:
            if piece is None:
                return None
            payload += piece
        return payload

    def _forget(self, ack: int, now: int) -> None:
        """Forget the messages up to the acknowledged one, if it was sent."""
        for at in range(self._sent):
            if self._messages[at][0] == ack:
                self._messages = self._messages[at + 1 :]
                if self._tries == 0:
                    # It answers nothing but the first sending, so it says how quick they are.
                    self._pace_ms = 2 * (now - self._began_ms)
                    self._wait_ms = max(FIRST_REPEAT_MS, min(self._pace_ms, LAST_REPEAT_MS))
                self._sent -= at + 1
                self._await(now, self._wait_ms)
                if self._in_pieces:
                    # The others are sent whole once, and in pieces right after a failure.
                    self._in_pieces = False
                    self._tries = WHOLE_TRIES - (2 if self._sent else 1)
                    self._repeat_due_ms = now
                else:
                    self._tries = 0
                return

    def _await(self, now: int, wait_ms: int) -> None:
        """Wait for an acknowledgement from now on."""
        self._began_ms = now
        self._wait_ms = wait_ms
        self._repeat_due_ms = now + wait_ms
