"""Mishaps of a board that hangs on a Pico: its cable, power, processor and chips.

Owns what happens, when, and how long it lasts; each is mended again. Must not know hands, nor what
the host makes of it. Chance is a seeded generator.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from math import inf
from random import Random

from game.common import AppError
from tests.helpers.pico.backend import EmulatedCoprocessor

MEAN_S = 30.0
"""Average time between mishaps."""
LONGEST_OUT_S = 12.0
"""Longest time without a cable; players do not wait for minutes."""


class PicoMishaps:
    """The mishaps of a Pico, each a generator that yields the seconds until it goes on."""

    def __init__(
        self,
        board: EmulatedCoprocessor,
        rng: Random,
        clock: Callable[[], float],
        log: Callable[[str], None],
        counts: Counter[str],
    ) -> None:
        self._board, self._rng, self._clock, self._log = board, rng, clock, log
        self._counts, self._numbers = counts, count()
        self._pico = board.pico
        self._coming: list[tuple[float, int, Iterator[float]]] = []
        self._unplugged_chips: set[str] = set()
        self._draw_next()
        self._kinds = {
            "cable": self._pull_cable,
            "power": self._cut_power,
            "twice": self._pull_twice,
            "watchdog": self._hang,
            "chip": self._unplug_chip,
        }

    @property
    def due(self) -> float:
        """When `act` has something to do."""
        return min(self._next_s, self._coming[0][0] if self._coming else inf)

    def act(self) -> None:
        """Do what is due; no new mishap while the cable is out or the firmware is down."""
        now = self._clock()
        while self._coming and self._coming[0][0] <= now:
            self._go_on(heapq.heappop(self._coming)[2])
        if self._next_s <= now:
            self._draw_next()
            kind = self._rng.choice(list(self._kinds))
            if self._pico.plugged and self._pico.running:
                self._counts[f"link.{kind}"] += 1
                self._go_on(self._kinds[kind]())

    def calm(self) -> None:
        self._next_s = inf
        while self._coming:
            self._go_on(heapq.heappop(self._coming)[2])

    def check(self) -> None:
        pixels = enumerate(zip(self._board.latched(), self._board.lit(), strict=True))
        if wrong := [str(n) for n, (shown, sent) in pixels if shown != sent]:
            raise AppError(f"pixels {', '.join(wrong)} show what was not sent")

    def _draw_next(self) -> None:
        self._next_s = self._clock() + self._rng.expovariate(1 / MEAN_S)

    def _go_on(self, mishap: Iterator[float]) -> None:
        if (seconds := next(mishap, None)) is not None:
            heapq.heappush(self._coming, (self._clock() + seconds, next(self._numbers), mishap))

    def _out_s(self) -> float:
        return self._rng.uniform(*self._rng.choice(((0.02, 1.0), (1.0, LONGEST_OUT_S))))

    def _pull_cable(self) -> Iterator[float]:
        out_s = self._out_s()
        self._log(f"the Pico's cable is pulled for {out_s:.2f} s")
        self._pico.unplug(power=False)
        yield out_s
        self._pico.plug()

    def _cut_power(self) -> Iterator[float]:
        """Cut the power of the Pico, the chips and perhaps the strip."""
        out_s, lit = self._out_s(), self._rng.random() < 0.5
        self._log(f"no power for {out_s:.2f} s: Pico{'' if lit else ' and strip'}")
        self._pico.unplug(power=True)
        if not lit:
            self._board.platform.unplug_strip()
        yield out_s
        for chip in self._board.body.chips.values():
            chip.power_cycle()
        self._board.platform.plug_strip()
        self._pico.plug()

    def _pull_twice(self) -> Iterator[float]:
        """Plug a cable badly: it is out, in, and out again within a second."""
        first_s, on_s, second_s = (self._rng.uniform(0.01, 0.33) for _ in range(3))
        power = self._rng.random() < 0.5
        self._log(f"the Pico's cable is out, in and out in {first_s + on_s + second_s:.2f} s")
        self._pico.unplug(power=power)
        yield first_s
        self._pico.plug()
        yield on_s
        self._pico.unplug(power=power)
        yield second_s
        self._pico.plug()

    def _hang(self) -> Iterator[float]:
        self._log("the Pico's firmware hangs")
        self._pico.hang()
        yield from ()

    def _unplug_chip(self) -> Iterator[float]:
        chip = self._rng.choice(self._board.profile.chips)
        if chip.name in self._unplugged_chips:
            return
        out_s, bus = self._out_s(), self._board.platform.cable(chip)
        self._log(f"chip {chip.name} is unplugged for {out_s:.2f} s")
        self._unplugged_chips.add(chip.name)
        bus.detach(chip.address)
        yield out_s
        emulated = self._board.body.chips[chip.name]
        emulated.power_cycle()
        bus.attach(chip.address, emulated)
        self._unplugged_chips.discard(chip.name)
