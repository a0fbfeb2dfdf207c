"""Mishaps of a board that hangs on a Pico: its cable, its power, its processor, its chips.

Owns what happens to them, when, and how long it lasts; nothing of it lasts for ever. Must not know
hands, nor what the host makes of it. Chance is a seeded generator.
"""

import heapq
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import count
from math import inf
from random import Random

from hal.sim.pico.backend import EmulatedCoprocessor

MEAN_S = 30.0
"""Mishaps are as far apart as this on average."""
LONGEST_OUT_S = 12.0
"""So long a cable is out at most: nobody plays on with a board that pauses for minutes."""
_SHORT_S = (0.02, 1.0)
_LONG_S = (1.0, LONGEST_OUT_S)
_NOISE_BYTES = 200
_MOST_NOISES = 20


class LinkMishaps:
    """Let things happen to a Pico and what hangs on it. `due` is when `act` has something to do."""

    def __init__(
        self,
        board: EmulatedCoprocessor,
        rng: Random,
        mean_s: float = MEAN_S,
        *,
        clock: Callable[[], float],
        tell: Callable[[str], None],
        counts: Counter[str],
    ) -> None:
        self._board = board
        self._pico = board.pico
        self._rng = rng
        self._mean_s = mean_s
        self._clock = clock
        self._tell = tell
        self._counts = counts
        self._numbers = count()
        # What is still to happen, the end of each mishap included.
        self._coming: list[tuple[float, int, Callable[[], None]]] = []
        self._out: set[str] = set()
        self._next_s = inf
        self._draw_next()
        self._ways: dict[str, Callable[[], None]] = {
            "cable": self._pull_cable,
            "power": self._cut_power,
            "twice": self._pull_twice,
            "watchdog": self._hang,
            "noise": self._make_noise,
            "chip": self._pull_chip,
        }

    @property
    def due(self) -> float:
        """Give when something happens next; infinity for never."""
        return min(self._next_s, self._coming[0][0] if self._coming else inf)

    def act(self) -> None:
        """Let happen what is due."""
        now = self._clock()
        while self._coming and self._coming[0][0] <= now:
            heapq.heappop(self._coming)[2]()
        if self._next_s <= now:
            self._draw_next()
            self.let_happen(self._rng.choice(list(self._ways)))

    def let_happen(self, what: str) -> None:
        """Let one mishap happen now, unless the cable is out or what it hits is gone already."""
        if self._pico.plugged and self._pico.running:
            self._counts[f"link.{what}"] += 1
            self._ways[what]()

    def calm(self) -> None:
        """Mend what is broken at once, and let nothing more happen."""
        self._next_s = inf
        while self._coming:
            heapq.heappop(self._coming)[2]()

    def _draw_next(self) -> None:
        if self._mean_s < inf:
            self._next_s = self._clock() + self._rng.expovariate(1 / self._mean_s)

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        heapq.heappush(self._coming, (self._clock() + seconds, next(self._numbers), what))

    def _out_s(self) -> float:
        return self._rng.uniform(*self._rng.choice((_SHORT_S, _LONG_S)))

    def _pull_cable(self) -> None:
        """Pull the cable of a Pico that has power of its own."""
        out_s = self._out_s()
        self._tell(f"the Pico's cable is pulled for {out_s:.2f} s")
        self._pico.unplug(power=False)
        self._later(out_s, self._plug)

    def _cut_power(self) -> None:
        """Pull the cable by which the Pico, the chips and perhaps the strip have their power."""
        out_s, lit = self._out_s(), self._rng.random() < 0.5
        self._tell(f"the Pico has no power for {out_s:.2f} s{', nor has the strip' * (not lit)}")
        self._pico.unplug(power=True)
        if not lit:
            self._board.machine.unplug_strip()
        self._later(out_s, self._restore_power)

    def _pull_twice(self) -> None:
        """Pull a cable that is plugged in by halves: it comes, goes, and comes within a second."""
        first_s, on_s, second_s = (self._rng.uniform(0.01, 0.33) for _ in range(3))
        self._tell(f"the Pico's cable is out, in and out in {first_s + on_s + second_s:.2f} s")
        power = self._rng.random() < 0.5
        self._pico.unplug(power=power)
        self._later(first_s, self._plug)
        self._later(first_s + on_s, lambda: self._pico.unplug(power=power))
        self._later(first_s + on_s + second_s, self._plug)

    def _hang(self) -> None:
        self._tell("the Pico's firmware hangs")
        self._pico.hang()

    def _make_noise(self) -> None:
        """Let garbage come on the line, for a second or so, at both ends."""
        self._tell("there is noise on the Pico's line")
        for _ in range(self._rng.randint(1, _MOST_NOISES)):
            to_pico, to_host = (
                self._rng.randbytes(self._rng.randint(0, _NOISE_BYTES)) for _ in "io"
            )
            self._later(
                self._rng.uniform(0.0, 1.0),
                partial(self._pico.noise, to_pico, to_host),
            )

    def _pull_chip(self) -> None:
        """Unplug one of the touch chips."""
        chip = self._rng.choice(self._board.profile.chips)
        if chip.name in self._out:
            return
        out_s = self._out_s()
        self._tell(f"chip {chip.name} is unplugged for {out_s:.2f} s")
        self._out.add(chip.name)
        wires = self._board.machine.wires(chip)
        wires.detach(chip.address)
        self._later(out_s, lambda: self._plug_chip(chip.name))

    def _plug_chip(self, name: str) -> None:
        chip = next(chip for chip in self._board.profile.chips if chip.name == name)
        emulated = self._board.body.chips[name]
        emulated.power_cycle()
        self._board.machine.wires(chip).attach(chip.address, emulated)
        self._out.discard(name)

    def _plug(self) -> None:
        self._pico.plug()

    def _restore_power(self) -> None:
        for chip in self._board.body.chips.values():
            chip.power_cycle()
        self._board.machine.plug_strip()
        self._pico.plug()
