"""The simulated board. Only the board's thread runs the emulation; others queue finger moves."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf
from random import Random
from types import MappingProxyType

from hal.backends.backend import Clock, UnlearnedBoard
from hal.backends.i2c import I2cBackend
from hal.base.events import Sensed
from hal.lights import Frame
from hal.profile import ELECTRODES, BoardMemory, Electrode, Key, Pin, Profile
from hal.sim.body import Body, VirtualHands
from hal.sim.platform import EmulatedPlatform

POWERED_S = 0.1
"""How long the chips have had power when the board is ready: long enough to learn the baselines of
an empty board, even if a finger comes down at once."""


class EmulatedBoard(I2cBackend):
    """Offer virtual fingers; a subclass sets `body` and `hands`, and advances both."""

    body: Body
    hands: VirtualHands

    @property
    def step_s(self) -> float | None:
        """How soon the emulation must be stepped again, in seconds; None if there is no limit."""
        return _least(self.body.step_s, self.hands.step_s)

    def due(self, now: float) -> float:
        return min(super().due(now), now + (self.step_s or inf))

    def wait(self, timeout_s: float | None) -> None:
        super().wait(_least(timeout_s, self.step_s))

    def place_stones(self, cells: frozenset[str], gone: frozenset[str] = frozenset()) -> None:
        if self.body.sets_stones:
            for cell in cells:
                self.body.put(cell)
            for cell in gone:
                self.body.take(cell)

    def press(self, pointer: str, spot: str) -> None:
        self.hands.press(pointer, spot)

    def lift(self, pointer: str) -> None:
        self.hands.lift(pointer)

    def lift_all(self, prefix: str) -> None:
        self.hands.lift_all(prefix)


class SimBackend(EmulatedBoard):
    """A board that is emulated below its drivers; `stones` are the cells that begin with one."""

    def __init__(
        self,
        profile: Profile,
        *,
        clock: Clock = time.monotonic,
        seed: int = 0,
        memory: BoardMemory | None = None,
        stones: Iterable[str] = (),
    ) -> None:
        now = clock()
        self.body = Body(profile, now - POWERED_S, seed=seed, stones=stones)
        self.platform = EmulatedPlatform(profile, self.body)
        super().__init__(profile, self.platform, clock=clock, memory=memory)
        self.body.advance(now)
        self.hands = VirtualHands(
            frozenset({*profile.cells, *profile.keys}), clock, self._woken.set
        )

    @classmethod
    def unlearned(cls, template: Profile, seed: int | None = None) -> UnlearnedBoard:
        """Emulate a board wired like the template, or at random with a `seed`."""
        true = replace(template, sensing=replace(template.sensing, mode="touch"))
        if seed is not None:
            true = scrambled(true, Random(seed))
        board = cls(true, seed=seed or 0)
        spots = {pixel: spot for spot, pixel in true.pixels.items()}
        return UnlearnedBoard(board.platform.search, lambda _: board, true.chips, spots, board)

    def sense(self, now: float) -> Sensed:
        """Advance the emulation to `now`, then read chips and keys through their drivers."""
        self.body.advance(now, self.hands.advance(now))
        return super().sense(now)

    def lit(self) -> Frame:
        return self.platform.latched()


def _least(*times_s: float | None) -> float | None:
    return min((each for each in times_s if each is not None), default=None)


def scrambled(profile: Profile, chance: Random) -> Profile:
    """Rewire the same parts: chips swap places, electrodes and pixels are shuffled, pins stay."""
    places = list(profile.chips)
    chance.shuffle(places)
    names = [chip.name for chip in profile.chips]
    pads = [Electrode(name, number) for name in names for number in range(ELECTRODES)]
    chance.shuffle(pads)
    pixels = list(range(profile.pixel_count))
    chance.shuffle(pixels)
    cells = {cell: pads.pop() for cell in profile.cells}
    keys: Mapping[str, Key] = {
        name: key if isinstance(key, Pin) else pads.pop() for name, key in profile.keys.items()
    }
    return replace(
        profile,
        chips=tuple(replace(each, name=n) for n, each in zip(names, places, strict=True)),
        cells=MappingProxyType(cells),
        keys=MappingProxyType(dict(keys)),
        pixels=MappingProxyType({spot: pixels.pop() for spot in profile.pixels}),
    )
