"""Messages to the host, in order, sent as the channel has room for them."""

from firmware.channel import Channel
from firmware.messages import STATE, ChipState, State, pack_state

MOST_STATES = 32
"""Limits the states that wait for room in the channel; the oldest is dropped."""


class Outbox:
    """Queue the messages of one session."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, bytes]] = []
        self._states = 0
        self._merged = 0

    def answer(self, kind: int, payload: bytes) -> None:
        """Queue a message that must arrive."""
        self._waiting.append((kind, payload))

    def report(self, now: int, keys: int, chips: list[ChipState]) -> None:
        """Queue the state at `now`, with the chips' present values."""
        if self._states >= MOST_STATES:
            self._drop_oldest()
        state = State(now & 0xFFFFFFFF, self._merged, keys, chips)
        self._waiting.append((STATE, pack_state(state)))
        self._states += 1

    def flush(self, channel: Channel) -> None:
        """Send as many messages as there is room for."""
        while self._waiting and not channel.full:
            kind, payload = self._waiting.pop(0)
            if kind == STATE:
                self._states -= 1
            channel.send(kind, payload)

    def _drop_oldest(self) -> None:
        for at in range(len(self._waiting)):
            if self._waiting[at][0] == STATE:
                self._waiting.pop(at)
                self._states -= 1
                self._merged = (self._merged + 1) & 255
                return
