"""A PIO state machine of the RP2040: what its program makes of the words in its FIFO.

Executes instructions as the data sheet (sections 3.2 and 3.4) says: JMP, OUT, PULL, MOV and SET,
side-set, delays, wrap and autopull. Its output is the level of one pin, clock by clock. Must not
know what hangs on the pin. Time comes in as seconds.
"""

from dataclasses import dataclass
from math import ceil

SYSTEM_HZ = 125_000_000
_WORD = 0xFFFFFFFF
_MOST_CLOCKS = 1_000_000


class PioError(Exception):
    """Report a program that is not emulated, or that runs without ever asking for a word."""


@dataclass(frozen=True, slots=True)
class PinGroup:
    """Name the pins that an instruction drives: from `base` on, `count` of them."""

    base: int
    count: int


@dataclass(frozen=True, slots=True)
class Program:
    """Hold a program and the settings of the state machine that runs it."""

    words: tuple[int, ...]
    sides: PinGroup
    optional: bool
    outs: PinGroup
    sets: PinGroup
    wrap_target: int
    wrap: int
    autopull: bool
    pull_bits: int
    shift_right: bool
    depth: int = 4

    @property
    def side_bits(self) -> int:
        """Give how many bits of each instruction are side-set, the enabling one included."""
        return self.sides.count + self.optional


@dataclass(frozen=True, slots=True)
class _State:
    """Hold all that what comes next depends on. `shifted` counts the bits that left the OSR."""

    at: int = 0
    x: int = 0
    y: int = 0
    osr: int = 0
    shifted: int = 32
    level: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """Say what feeding words did: levels of the pin, a character a clock, and when each was pulled.

    `pulls` are clocks from the beginning of the run.
    """

    levels: str
    pulls: tuple[int, ...]


def clock_hz(wanted_hz: float) -> float:
    """Give the clock that the divider of 16.8 bits makes of the wanted one."""
    return SYSTEM_HZ / (round(SYSTEM_HZ / wanted_hz * 256) / 256)


class StateMachine:
    """Run a program; `pin` is the one whose level is wanted."""

    def __init__(self, program: Program, pin: int) -> None:
        self.program = program
        self._pin = pin
        self._bits = program.pull_bits or 32
        self._known: dict[tuple[_State, int | None], tuple[str, int, _State]] = {}
        self._state = _State()
        self._state = self._go(None)[2]

    @property
    def level(self) -> int:
        """Give the level of the pin while the machine waits for a word."""
        return self._state.level

    def restart(self) -> None:
        """Begin the program anew."""
        self._state = _State(level=self._state.level)
        self._state = self._go(None)[2]

    def feed(self, words: tuple[int, ...]) -> Run:
        """Run until all words are used up; each is there when it is wanted."""
        levels, pulls, clocks = [], [], 0
        for word in words:
            heard, pulled, self._state = self._go(word)
            levels.append(heard)
            pulls.append(clocks + pulled)
            clocks += len(heard)
        return Run("".join(levels), tuple(pulls))

    def _go(self, word: int | None) -> tuple[str, int, _State]:
        """Run with one word until the next one is missing: levels, when it was taken, the end."""
        known = self._known.get((self._state, word))
        if known is None:
            known = self._known[self._state, word] = _Steps(
                self.program, self._bits, self._pin, self._state, word
            ).run()
        return known


class _Steps:
    """Execute instructions from a state on, with at most one word to pull."""

    def __init__(
        self, program: Program, bits: int, pin: int, state: _State, word: int | None
    ) -> None:
        self._program = program
        self._bits = bits
        self._pin = pin
        self._word = word
        self._levels: list[str] = []
        self._pulled = 0
        self._at = state.at
        self._next = state.at
        self._x, self._y = state.x, state.y
        self._osr, self._shifted = state.osr, state.shifted
        self._level = state.level

    def run(self) -> tuple[str, int, _State]:
        """Run until a word is missing."""
        while len(self._levels) < _MOST_CLOCKS:
            word = self._program.words[self._at]
            delay = self._side_set(word)
            if not self._execute(word):
                state = _State(self._at, self._x, self._y, self._osr, self._shifted, self._level)
                return "".join(self._levels), self._pulled, state
            self._levels += str(self._level) * (1 + delay)
            self._at = self._next
        raise PioError(f"the program runs for {_MOST_CLOCKS} clocks without asking for a word")

    def _side_set(self, word: int) -> int:
        """Drive the side-set pins; give the delay, which has the bits that they leave."""
        field = word >> 8 & 31
        bits = self._program.side_bits
        delay_bits = 5 - bits
        sides = field >> delay_bits
        enabled = not self._program.optional or sides >> bits - 1
        if self._program.sides.count and enabled:
            self._drive(self._program.sides, sides & (1 << self._program.sides.count) - 1)
        return field & (1 << delay_bits) - 1

    def _drive(self, pins: PinGroup, value: int) -> None:
        place = self._pin - pins.base
        if 0 <= place < pins.count:
            self._level = value >> place & 1

    def _execute(self, word: int) -> bool:
        """Do an instruction; False when it waits for a word."""
        program = self._program
        self._next = program.wrap_target if self._at == program.wrap else self._at + 1
        kind, first, last = word >> 13, word >> 5 & 7, word & 31
        if kind == 0:
            if self._holds(first):
                self._next = last
        elif kind == 3:
            return self._out(first, last or 32)
        elif kind == 4 and word & 0x80:
            return self._pull(if_empty=bool(word & 0x40), block=bool(word & 0x20))
        elif kind == 5:
            self._move(first, last >> 3, last & 7)
        elif kind == 7:
            self._set(first, last)
        else:
            raise PioError(f"instruction 0x{word:04X} is not emulated")
        return True

    def _holds(self, condition: int) -> bool:
        x, y = self._x, self._y
        if condition == 2:
            self._x = x - 1 & _WORD
        elif condition == 4:
            self._y = y - 1 & _WORD
        elif condition == 6:
            raise PioError("JMP PIN is not emulated")
        full = self._shifted < self._bits
        return (True, x == 0, x != 0, y == 0, y != 0, x != y, False, full)[condition]

    def _out(self, target: int, count: int) -> bool:
        if self._program.autopull and self._shifted >= self._bits and not self._load():
            return False
        if self._program.shift_right:
            value = self._osr & (1 << count) - 1
            self._osr >>= count
        else:
            value = self._osr >> 32 - count
            self._osr = self._osr << count & _WORD
        self._shifted = min(32, self._shifted + count)
        if target == 5:
            self._next = value & 31
        elif not self._put(target, value, self._program.outs) and target not in (3, 4):
            raise PioError(f"OUT to target {target} is not emulated")
        # The OSR is filled again at once, so that the next OUT need not wait (section 3.5.4).
        if self._program.autopull and self._shifted >= self._bits:
            self._load()
        return True

    def _pull(self, *, if_empty: bool, block: bool) -> bool:
        if if_empty and self._shifted < self._bits:
            return True
        if self._load():
            return True
        if not block:
            self._osr, self._shifted = self._x, 0
        return not block

    def _load(self) -> bool:
        """Pull the word, if it is there."""
        if self._word is None:
            return False
        self._osr, self._shifted, self._word = self._word, 0, None
        self._pulled = len(self._levels)
        return True

    def _move(self, target: int, operation: int, source: int) -> None:
        values = {1: self._x, 2: self._y, 3: 0, 7: self._osr}
        if source not in values:
            raise PioError(f"MOV from source {source} is not emulated")
        value = values[source]
        if operation == 1:
            value = ~value & _WORD
        elif operation == 2:
            value = int(f"{value:032b}"[::-1], 2)
        if target == 5:
            self._next = value & 31
        elif target == 7:
            self._osr, self._shifted = value, 0
        elif not self._put(target, value, self._program.outs):
            raise PioError(f"MOV to target {target} is not emulated")

    def _set(self, target: int, value: int) -> None:
        if not self._put(target, value, self._program.sets) and target != 4:
            raise PioError(f"SET of target {target} is not emulated")

    def _put(self, target: int, value: int, pins: PinGroup) -> bool:
        """Put a value into pins, X or Y, which OUT, MOV and SET number alike; False for others."""
        if target == 0:
            self._drive(pins, value)
        elif target == 1:
            self._x = value
        elif target == 2:
            self._y = value
        return target <= 2


def whole_bytes(levels: str) -> tuple[bytes, str]:
    """Pack levels into bytes, the first one highest; give what is left over too."""
    whole = len(levels) // 8 * 8
    packed = int(levels[:whole] or "0", 2).to_bytes(ceil(whole / 8), "big")
    return packed, levels[whole:]
