"""The emulated board's body: electrodes under cells, fingers on them, one interrupt wire.

Owns which electrode a finger loads, by how much, and the wired-AND of the chips' interrupts. Must
not know drivers or threads.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable

from hal.profile import Profile
from hal.sim.chip import EmulatedMpr121
from hal.sim.hands import Move

# An electrode of about 20 mm with its trace, and what a finger adds through 1.5 mm of acrylic.
# With the driver's settings (16 uA, 0.5 us) that is about 275 counts, and a fall of about 40.
_ELECTRODE_PF = (8.5, 9.5)
_FINGER_PF = 1.6


class Body:
    """Hold the chips of a board. `on_line` hears the interrupt wire, `on_key` the keys.

    `emulated_s` is the time that letting time pass took here.
    """

    def __init__(
        self,
        profile: Profile,
        now: float,
        *,
        seed: int,
        on_line: Callable[[bool], None],
        on_key: Callable[[str, bool], None],
    ) -> None:
        self.emulated_s = 0.0
        self._profile = profile
        self._on_line = on_line
        self._on_key = on_key
        self._low = False
        self._fingers: Counter[str] = Counter()
        chance = random.Random(seed)
        self.chips = {
            chip.name: EmulatedMpr121(
                now, seed=chance.getrandbits(32), on_interrupt=self._update_line
            )
            for chip in profile.chips
        }
        self._empty_pf = {cell: chance.uniform(*_ELECTRODE_PF) for cell in profile.cells}
        for cell in profile.cells:
            self._load(cell)

    @property
    def step_s(self) -> float | None:
        """Give how soon time should pass again; None while nothing can happen by itself."""
        steps = [chip.step_s for chip in self.chips.values()]
        return min((step for step in steps if step is not None), default=None)

    def advance(self, now: float, moves: Iterable[Move] = ()) -> None:
        """Let time pass up to `now`, in seconds, with the moves that fingers made meanwhile."""
        began = time.perf_counter()
        for move in moves:
            self._pass(move.time_s)
            self._fingers[move.spot] += 1 if move.down else -1
            if move.spot in self._profile.cells:
                self._load(move.spot)
            else:
                self._on_key(move.spot, self._fingers[move.spot] > 0)
        self._pass(now)
        self.emulated_s += time.perf_counter() - began

    def _pass(self, now: float) -> None:
        for chip in self.chips.values():
            chip.advance(now)

    def _load(self, cell: str) -> None:
        electrode = self._profile.cells[cell]
        finger_pf = _FINGER_PF if self._fingers[cell] > 0 else 0.0
        self.chips[electrode.chip].load(electrode.electrode, self._empty_pf[cell] + finger_pf)

    def _update_line(self) -> None:
        low = any(chip.interrupt for chip in self.chips.values())
        if low != self._low:
            self._low = low
            self._on_line(low)
