"""A PIO state machine of the RP2040: the output of its program for words in its FIFO.

Executes, as the data sheet (sections 3.2 and 3.4) says, what the firmware's program needs: JMP, OUT
and NOP, side-set of one pin, delays, wrap and autopull. Its output is the level of that pin, clock
by clock. Must not know what is connected to the pin.
"""

from dataclasses import dataclass
from math import ceil

SYSTEM_HZ = 125_000_000
_WORD = 0xFFFFFFFF
_MOST_CLOCKS = 1_000_000
_NOP = 0xA042  # mov(y, y)


class PioError(Exception):
    """Report a program that is not emulated, or that runs without ever pulling a word."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program and the settings of its state machine, with autopull."""

    words: tuple[int, ...]
    side_pin: int
    wrap_target: int
    wrap: int
    pull_bits: int
    shift_right: bool
    depth: int = 4


@dataclass(frozen=True, slots=True)
class _State:
    """All that the next step depends on. `shifted` counts the bits that left the OSR."""

    at: int = 0
    x: int = 0
    y: int = 0
    osr: int = 0
    shifted: int = 32
    level: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """The result of feeding words: levels of the pin, a character a clock, and when each was
    pulled.

    `pulls` are clocks from the beginning of the run.
    """

    levels: str
    pulls: tuple[int, ...]


def clock_hz(wanted_hz: float) -> float:
    """Return the real clock, with a divider of 16.8 bits, for the wanted one."""
    return SYSTEM_HZ / (round(SYSTEM_HZ / wanted_hz * 256) / 256)


class StateMachine:
    """Run a program; `pin` is the observed one."""

    def __init__(self, program: Program, pin: int) -> None:
        self.program = program
        self._pin = pin
        self._bits = program.pull_bits or 32
        self._known: dict[tuple[_State, int | None], tuple[str, int, _State]] = {}
        self._state = _State()
        self._state = self._go(None)[2]

    @property
    def level(self) -> int:
        """The level of the pin while the machine waits for a word."""
        return self._state.level

    def feed(self, words: tuple[int, ...]) -> Run:
        """Run until all words are used up; each is available when it is needed."""
        levels, pulls, clocks = [], [], 0
        for word in words:
            heard, pulled, self._state = self._go(word)
            levels.append(heard)
            pulls.append(clocks + pulled)
            clocks += len(heard)
        return Run("".join(levels), tuple(pulls))

    def _go(self, word: int | None) -> tuple[str, int, _State]:
        """Run with one word until the next one is needed: levels, when it was pulled, the end."""
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
        self._drives = program.side_pin == pin
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
        """Drive the side-set pin; return the delay, in the remaining bits."""
        if self._drives:
            self._level = word >> 12 & 1
        return word >> 8 & 15

    def _execute(self, word: int) -> bool:
        """Execute an instruction; return False when it waits for a word."""
        program = self._program
        self._next = program.wrap_target if self._at == program.wrap else self._at + 1
        kind, first, last = word >> 13, word >> 5 & 7, word & 31
        if kind == 0:
            if self._holds(first):
                self._next = last
        elif kind == 3:
            return self._out(first, last or 32)
        elif word & 0xE0FF != _NOP:
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
        if self._shifted >= self._bits and not self._load():
            return False
        if self._program.shift_right:
            value = self._osr & (1 << count) - 1
            self._osr >>= count
        else:
            value = self._osr >> 32 - count
            self._osr = self._osr << count & _WORD
        self._shifted = min(32, self._shifted + count)
        if target == 1:
            self._x = value
        elif target == 2:
            self._y = value
        elif target != 3:
            raise PioError(f"OUT to target {target} is not emulated")
        # The OSR is filled again at once, so that the next OUT need not wait (section 3.5.4).
        if self._shifted >= self._bits:
            self._load()
        return True

    def _load(self) -> bool:
        """Pull the word, if it is there."""
        if self._word is None:
            return False
        self._osr, self._shifted, self._word = self._word, 0, None
        self._pulled = len(self._levels)
        return True


def whole_bytes(levels: str) -> tuple[bytes, str]:
    """Pack levels into bytes, most significant bit first; return the remainder too."""
    whole = len(levels) // 8 * 8
    packed = int(levels[:whole] or "0", 2).to_bytes(ceil(whole / 8), "big")
    return packed, levels[whole:]
