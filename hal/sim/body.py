"""The emulated board's body: electrodes, fingers and stones on them, an interrupt line."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from math import inf

from hal.profile import Electrode, Profile
from hal.sim.chip import EmulatedMpr121
from hal.sim.hands import Move

# An electrode of about 20 mm with its trace, and what a finger or a conductive stone adds through
# 1.5 mm of acrylic. With the common settings (16 uA, 0.5 us) that is about 275 counts, and a fall
# of about 40.
_ELECTRODE_PF = (8.5, 9.5)
_TOUCH_PF = 1.6
# With a stone that does not conduct, shares of _TOUCH_PF: of the stone alone, and of a hand beside
# it, from one fingertip to two that grasp it (hardware/design.md, least and most of all boards).
_STONE_ALONE = (0.02, 0.18)
_BESIDE_STONE = (0.31, 0.79)
_CUT_PF = 0.1  # at a chip's pin when its wire is broken
_STARTED_S = 1.0  # how long the chips have had power when a program opens the board


class Body:
    """The chips of a board, and what touches them. Stones conduct if it `sets_stones`.

    Then a finger that comes down on a cell sets one there, or takes it; else stones hardly load
    their cells, and weaken touches. A hand laid down with `lay` sets no stone.
    """

    def __init__(
        self, profile: Profile, now: float, *, seed: int, stones: Iterable[str] = ()
    ) -> None:
        self.stones = set(stones)
        self.sets_stones = profile.sensing.mode == "presence"
        self._pads = dict(profile.cells)
        self._pads.update((n, key) for n, key in profile.keys.items() if isinstance(key, Electrode))
        self._cells = profile.cells.keys()
        self.on_line: Callable[[bool], None] = lambda low: None
        self.on_key: Callable[[str, bool], None] = lambda key, down: None
        self._low = False
        self._fingers: Counter[str] = Counter()
        self._flesh: Counter[str] = Counter()
        self._broken_pf: dict[str, float] = {}
        self._chance = chance = random.Random(seed)
        self.chips = {
            chip.name: EmulatedMpr121(
                now - _STARTED_S, seed=chance.getrandbits(32), on_interrupt=self._update_line
            )
            for chip in profile.chips
        }
        self._empty_pf = {spot: chance.uniform(*_ELECTRODE_PF) for spot in self._pads}
        self._alone = {cell: chance.uniform(*_STONE_ALONE) for cell in self._cells}
        self._touch_share = dict.fromkeys(self._pads, 1.0)
        for spot in self._pads:
            self._load(spot)
        self._pass(now)

    @property
    def step_s(self) -> float | None:
        steps = [chip.step_s for chip in self.chips.values()]
        return min((step for step in steps if step is not None), default=None)

    def advance(self, now: float, moves: Iterable[Move] = ()) -> None:
        """Advance to `now`, in seconds, and apply the finger moves made until then."""
        for move in moves:
            self._pass(move.time_s)
            self._fingers[move.spot] += 1 if move.down else -1
            if not self.sets_stones or move.spot not in self._cells:
                self._touch(move.spot)
            elif move.down:
                self.stones ^= {move.spot}
                self._load(move.spot)
        self._pass(now)

    def put(self, cell: str) -> None:
        """Set a stone on a cell, now."""
        self.stones.add(cell)
        self._load(cell)

    def take(self, cell: str) -> None:
        """Take the stone of a cell away, now."""
        self.stones.discard(cell)
        self._load(cell)

    def lay(self, spot: str) -> None:
        """Lay a fingertip or part of a hand on a cell or key, now. Several may rest there."""
        self._flesh[spot] += 1
        self._touch(spot)

    def lift(self, spot: str) -> None:
        """Lift a fingertip or part of a hand off a cell or key, now."""
        self._flesh[spot] -= 1
        self._touch(spot)

    def short(self, spot: str) -> None:
        """Short the wire of a cell or pad to ground, until `mend`."""
        self._broken_pf[spot] = inf
        self._load(spot)

    def cut(self, spot: str) -> None:
        """Break the wire of a cell or pad, until `mend`."""
        self._broken_pf[spot] = _CUT_PF
        self._load(spot)

    def mend(self, spot: str) -> None:
        """Repair the wire of a cell or pad."""
        del self._broken_pf[spot]
        self._load(spot)

    def _touch(self, spot: str) -> None:
        if spot in self._pads:
            beside = spot in self.stones and not self.sets_stones
            self._touch_share[spot] = self._chance.uniform(*_BESIDE_STONE) if beside else 1.0
            self._load(spot)
        else:
            self.on_key(spot, self._fingers[spot] + self._flesh[spot] > 0)

    def _pass(self, now: float) -> None:
        for chip in self.chips.values():
            chip.advance(now)

    def _load(self, spot: str) -> None:
        pad = self._pads[spot]
        finger = self._fingers[spot] > 0 and not (self.sets_stones and spot in self._cells)
        share = self._touch_share[spot] if finger or self._flesh[spot] > 0 else 0.0
        if spot in self.stones:
            share = 1.0 if self.sets_stones else share + self._alone[spot]
        load_pf = self._empty_pf[spot] + share * _TOUCH_PF
        self.chips[pad.chip].load(pad.electrode, self._broken_pf.get(spot, load_pf))

    def _update_line(self) -> None:
        low = any(chip.interrupt for chip in self.chips.values())
        if low != self._low:
            self._low = low
            self.on_line(low)
