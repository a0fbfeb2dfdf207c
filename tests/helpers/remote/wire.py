"""A direct line between two emulated boards, in virtual time: the channel's own code above it.

A websocket brings all in order or breaks: this one delays, doubles what comes after the proofs, and
breaks. The end that is cut off notices it at once; the other one up to 40 seconds later, when pings
are not answered, and a second line may be open before that.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from random import Random

from game.remote.chain import Keys
from game.remote.direct import RETRY_S, Admit, DirectChannel, WrongCode

KEYS = Keys("room", b"k" * 32)
NOTICED_S = 40.0
PROOFS = 3
"""Messages until both ends have proved that they know the code."""
TICKS, TICK_S = 6, 0.06
"""How often the ends are polled in a turn, and the time that each poll takes."""


class End:
    """One end of a line; its messages arrive at `other`."""

    def __init__(self, wire: "Wire", side: int) -> None:
        self.wire, self.side, self.other = wire, side, self
        self.arrived = deque[tuple[float, bytes]]()
        self.breaks_at: float | None = None

    async def send(self, payload: bytes) -> None:
        self.check()
        wire, other = self.wire, self.other
        last = other.arrived[-1][0] if other.arrived else 0.0
        due = max(last, wire.now + wire.chance.random() * wire.delay_s)
        wire.sent += 1
        doubled = wire.sent > PROOFS and wire.chance.random() < wire.doubled
        other.arrived += [(due, payload)] * (1 + doubled)

    async def receive(self) -> bytes:
        while not (self.arrived and self.arrived[0][0] <= self.wire.now):
            self.check()
            await asyncio.sleep(TICK_S / 2)
        self.check()
        return self.arrived.popleft()[1]

    def check(self) -> None:
        if self.breaks_at is not None and self.breaks_at <= self.wire.now:
            raise ConnectionError("the line is broken")


async def nothing_found(_: str) -> list[tuple[str, int, bool]]:
    """Take the place of `direct.find`, where no board is in the network."""
    return []


class _Loop(asyncio.SelectorEventLoop):
    time: Callable[[], float]


class Wire:
    """The line, which side 2 reopens after a while; `channel` is that of a board's program."""

    persistent = False

    def __init__(self, seed: int = 1, doubled: float = 0.0, delay_s: float = 0.0) -> None:
        self.chance = Random(seed)
        self.doubled, self.delay_s = doubled, delay_s
        self.cut = {1: False, 2: False}
        self.now, self._clock, self.sent = 0.0, 0.0, 0
        self.channels: dict[int, DirectChannel] = {}
        self.ends: list[End] = []
        self.loop = _Loop()
        self.loop.time = lambda: self._clock
        self._serving: asyncio.Future[None] | None = None
        self._dialing = self.loop.create_task(self._dial())

    def channel(self, side: int, wake: Callable[[], None]) -> DirectChannel:
        self.channels[side] = DirectChannel(KEYS, wake)
        return self.channels[side]

    def run(self) -> None:
        """Deliver what is due."""
        self._clock = max(self._clock, self.now)
        for _ in range(TICKS):
            self._clock += TICK_S
            self.loop.call_soon(self.loop.stop)
            self.loop.run_forever()

    def set_cut(self, side: int, cut: bool) -> None:
        """Cut a side off, or let it be reached again."""
        self.cut[side] = cut
        if cut:
            for end in self.ends:
                mine = end.side == side
                self._end(end, 0.0 if mine else self.chance.random() * NOTICED_S)

    def interrupt(self) -> None:
        """Break the line at both ends."""
        for end in self.ends:
            self._end(end, 0.0)

    def mend(self) -> None:
        self.doubled = self.delay_s = 0.0
        self.cut = {1: False, 2: False}

    def close(self) -> None:
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.run()
        self.loop.close()

    def _end(self, end: End, after_s: float) -> None:
        at = self.now + after_s
        end.breaks_at = at if end.breaks_at is None else min(end.breaks_at, at)

    async def _dial(self) -> None:
        while True:
            if len(self.channels) == 2 and not any(self.cut.values()):
                one, two = self.ends = [End(self, 1), End(self, 2)]
                one.other, two.other = two, one
                self.sent = 0
                self._serving = asyncio.ensure_future(_quietly(self.channels[1].admit, one))
                await _quietly(self.channels[2].enter, two)
                for end in (one, two):
                    self._end(end, NOTICED_S)
            await asyncio.sleep(RETRY_S)


async def _quietly(talk: Admit, end: End) -> None:
    with suppress(ConnectionError, TimeoutError, WrongCode):
        await talk(end.send, end.receive)
