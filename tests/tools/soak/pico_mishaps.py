"""Mishaps of a board that hangs on a Pico: its cable, power, processor and chips.

Owns what happens, when, and how long it lasts; each is mended again. Must not know hands, nor what
the host makes of it. Chance is a seeded generator.
"""

import heapq
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from math import inf
from random import Random

from game.common import AppError
from tests.helpers.pico.backend import EmulatedCoprocessor

MEAN_S = 30.0
"""Average time between mishaps."""
LONGEST_OUT_S = 12.0
"""Longest time without a cable; players do not wait for minutes."""


@dataclass(eq=False)
class PicoMishaps:
    """The mishaps of a Pico, on average `mean_s` apart; infinity for none.

    `due` is when `act` has something to do.
    """

    board: EmulatedCoprocessor
    rng: Random
    mean_s: float
    clock: Callable[[], float]
    log: Callable[[str], None]
    counts: Counter[str]

    def __post_init__(self) -> None:
        self._pico = self.board.pico
        self._numbers = count()
        # What is still to happen, such as the end of a mishap.
        self._coming: list[tuple[float, int, Callable[[], None]]] = []
        self._unplugged_chips: set[str] = set()
        self._next_s = inf
        self._draw_next()
        self._kinds: dict[str, Callable[[], None]] = {
            "cable": self._pull_cable,
            "power": self._cut_power,
            "twice": self._pull_twice,
            "watchdog": self._hang,
            "chip": self._unplug_chip,
        }

    @property
    def due(self) -> float:
        return min(self._next_s, self._coming[0][0] if self._coming else inf)

    def act(self) -> None:
        """Do what is due; no new mishap while the cable is out or the firmware is down."""
        now = self.clock()
        while self._coming and self._coming[0][0] <= now:
            heapq.heappop(self._coming)[2]()
        if self._next_s <= now:
            self._draw_next()
            kind = self.rng.choice(list(self._kinds))
            if self._pico.plugged and self._pico.running:
                self.counts[f"link.{kind}"] += 1
                self._kinds[kind]()

    def calm(self) -> None:
        self._next_s = inf
        while self._coming:
            heapq.heappop(self._coming)[2]()

    def check(self) -> None:
        pixels = enumerate(zip(self.board.latched(), self.board.lit(), strict=True))
        if wrong := [str(n) for n, (shown, sent) in pixels if shown != sent]:
            raise AppError(f"pixels {', '.join(wrong)} show what was not sent")

    def _draw_next(self) -> None:
        if self.mean_s < inf:
            self._next_s = self.clock() + self.rng.expovariate(1 / self.mean_s)

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        heapq.heappush(self._coming, (self.clock() + seconds, next(self._numbers), what))

    def _out_s(self) -> float:
        return self.rng.uniform(*self.rng.choice(((0.02, 1.0), (1.0, LONGEST_OUT_S))))

    def _pull_cable(self) -> None:
        out_s = self._out_s()
        self.log(f"the Pico's cable is pulled for {out_s:.2f} s")
        self._pico.unplug(power=False)
        self._later(out_s, self._pico.plug)

    def _cut_power(self) -> None:
        """Cut the power of the Pico, the chips and perhaps the strip."""
        out_s, lit = self._out_s(), self.rng.random() < 0.5
        self.log(f"no power for {out_s:.2f} s: Pico{'' if lit else ' and strip'}")
        self._pico.unplug(power=True)
        if not lit:
            self.board.platform.unplug_strip()
        self._later(out_s, self._restore_power)

    def _restore_power(self) -> None:
        for chip in self.board.body.chips.values():
            chip.power_cycle()
        self.board.platform.plug_strip()
        self._pico.plug()

    def _pull_twice(self) -> None:
        """Plug a cable badly: it is out, in, and out again within a second."""
        first_s, on_s, second_s = (self.rng.uniform(0.01, 0.33) for _ in range(3))
        power = self.rng.random() < 0.5
        self.log(f"the Pico's cable is out, in and out in {first_s + on_s + second_s:.2f} s")
        self._pico.unplug(power=power)
        self._later(first_s, self._pico.plug)
        self._later(first_s + on_s, lambda: self._pico.unplug(power=power))
        self._later(first_s + on_s + second_s, self._pico.plug)

    def _hang(self) -> None:
        self.log("the Pico's firmware hangs")
        self._pico.hang()

    def _unplug_chip(self) -> None:
        chip = self.rng.choice(self.board.profile.chips)
        if chip.name in self._unplugged_chips:
            return
        out_s, bus = self._out_s(), self.board.platform.cable(chip)
        self.log(f"chip {chip.name} is unplugged for {out_s:.2f} s")
        self._unplugged_chips.add(chip.name)
        bus.detach(chip.address)

        def plug() -> None:
            emulated = self.board.body.chips[chip.name]
            emulated.power_cycle()
            bus.attach(chip.address, emulated)
            self._unplugged_chips.discard(chip.name)

        self._later(out_s, plug)
