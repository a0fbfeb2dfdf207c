"""The watched chips of a wiring: their state, health and schedule of reads.

Pure over `firmware.hardware`. The host decides what a touch means, and when to retry a chip.

Registers are those of NXP's data sheet MPR121, revision 4, section 5.
"""

import struct

from firmware.hardware import Hardware, I2CBus, Input
from firmware.messages import ASLEEP, HELD, RESET, SILENT, WATCHED, ChipState

ROUNDS = 3  # how many times in a row chips are read because their line is low
STUCK_MS = 20  # the interval of reads while something holds the chips' line low permanently

QUIET_MS = 30
"""How long after a touch chips are not checked, since its light comes first; at most one poll."""

EIO, ETIMEDOUT = 5, 110  # error numbers of Linux

_TOUCHES = 0x00
_MEASURES = 0x04
_CONFIG = 0x5D
_CONFIG_AFTER_RESET = 0x24
_MODE = 0x5E
_RESET = 0x80
_RESET_WORD = b"\x63"
_ELECTRODES = 12
_COUNTS = "<12H"


class Chip(ChipState):
    """The state of one chip."""

    def __init__(self, bus: I2CBus, address: int) -> None:
        super().__init__(ASLEEP, 0, 0)
        self.bus = bus
        self.address = address
        self.mode = 0


class Scanner:
    """Reads chips when their line is low, and every `poll_ms`. `line` is None where there is none.

    `watching` tells whether any chip is watched. `changed` is set whenever anything about a chip
    has changed; the reader clears it.
    """

    def __init__(
        self, chips: list[Chip], line: Input | None, poll_ms: int, low: int, high: int
    ) -> None:
        self.chips = chips
        self.watching = False
        self.changed = False
        self._line = line
        self._low = low
        self._high = high
        self._line_due_ms = 0
        self._rounds = 0
        self._poll_ms = poll_ms
        self._poll_began_ms = 0
        self._slot_due_ms = 0
        self._slot = 0
        self._two = bytearray(2)
        self._one = bytearray(1)
        self._measures = bytearray(2 * _ELECTRODES)

    def sleep(self) -> None:
        """Watch nothing until the next set-up."""
        for chip in self.chips:
            self._leave(chip, ASLEEP)

    def set_up(
        self, hardware: Hardware, number: int, mode: int, blocks: list[tuple[int, bytes]]
    ) -> int:
        """Reset a chip, write its registers, and watch it; return 0 or the error number."""
        chip = self._chip(number)
        self._leave(chip, ASLEEP)
        error = _write(chip, hardware, mode, blocks)
        if error == ETIMEDOUT:
            # A chip that was interrupted in an answer holds its bus until the rest of the answer is
            # clocked out.
            chip.bus.recover()
            error = _write(chip, hardware, mode, blocks)
        chip.mode = mode
        self._rounds = 0
        self._leave(chip, WATCHED if error == 0 else _health(error))
        return error

    def read(self, number: int, register: int, count: int) -> tuple[int, bytes]:
        """Read registers of a chip, watched or not; return 0 or the error number, and bytes."""
        chip = self._chip(number)
        values = bytearray(count)
        try:
            chip.bus.read(chip.address, register, values)
        except OSError as error:
            return error_number(error), b""
        return 0, bytes(values)

    def step(self, now: int) -> None:
        """Read what is due, at most one round of chips a call, so that each change is reported."""
        if not self.watching:
            return
        if self._line is None or not self._line.low():
            self._rounds = 0
        elif self._rounds < ROUNDS or now >= self._line_due_ms:
            # A chip that pulls the line while another chip holds it makes no new edge, so this
            # reads the line's level.
            self._rounds = min(self._rounds + 1, ROUNDS)
            self._line_due_ms = now + STUCK_MS
            if self._read_touches(self._line):
                # Report this before anything else is read.
                quiet_ms = min(now + QUIET_MS, self._poll_began_ms + self._poll_ms)
                self._slot_due_ms = max(self._slot_due_ms, quiet_ms)
                return
        if now >= self._slot_due_ms:
            self._look_after(now)

    def patience(self, longest_ms: int) -> int:
        """Return how long `step` can wait: 0 while the line is low and rounds are left."""
        if self.watching and self._rounds < ROUNDS and self._line is not None and self._line.low():
            return 0
        return longest_ms

    def _read_touches(self, line: Input) -> bool:
        """Read chips until a changed one releases the line; return whether any has changed.

        A touch waits for this, so it has few calls.
        """
        fresh = False
        for chip in self.chips:
            if chip.health == WATCHED:
                before = chip.touched
                try:
                    health = self._refresh(chip)
                except OSError as error:
                    health = _health(error_number(error))
                if health != WATCHED:
                    self._attempt(chip, _TOUCHES, 1)
                if chip.touched != before:
                    fresh = True
                    if not line.low():
                        break
        return fresh

    def _look_after(self, now: int) -> None:
        """Check the chips whose turn it is: not all at once, since touches wait during a check.

        Each has two slots in a poll: one for touches and reset, one for measurements.
        """
        slots = 2 * len(self.chips)
        while now >= self._slot_due_ms:
            chip = self.chips[self._slot // 2]
            if self._slot % 2:
                self._attempt(chip, _MEASURES)
            else:
                self._attempt(chip, _TOUCHES)
                self._attempt(chip, _MODE)
            self._slot += 1
            if self._slot == slots:
                self._slot = 0
                # A missed poll is skipped.
                self._poll_began_ms = max(self._poll_began_ms + self._poll_ms, now + 1)
            self._slot_due_ms = self._poll_began_ms + self._slot * self._poll_ms // slots

    def _attempt(self, chip: Chip, register: int, tries: int = 2) -> None:
        """Check a chip, if it is watched; one failure may be a glitch, a second is a fault."""
        if chip.health != WATCHED:
            return
        health = SILENT
        for _ in range(tries):
            try:
                if register == _TOUCHES:
                    health = self._refresh(chip)
                elif register == _MODE:
                    chip.bus.read(chip.address, _MODE, self._one)
                    health = WATCHED if self._one[0] == chip.mode else RESET
                else:
                    health = self._measure(chip)
            except OSError as error:
                health = _health(error_number(error))
            if health == WATCHED:
                return
        self._leave(chip, health)

    def _refresh(self, chip: Chip) -> int:
        bus, two = chip.bus, self._two
        bus.read(chip.address, _TOUCHES, two)
        touched = two[0] | two[1] << 8
        if touched == chip.touched:
            return WATCHED
        # Read twice: a flipped bit would stay until the next poll, and so be a false touch.
        bus.read(chip.address, _TOUCHES, two)
        if touched != two[0] | two[1] << 8:
            return SILENT
        chip.touched = touched
        self.changed = True
        return WATCHED

    def _measure(self, chip: Chip) -> int:
        chip.bus.read(chip.address, _MEASURES, self._measures)
        measures = struct.unpack(_COUNTS, self._measures)
        odd = 0
        if min(measures) <= self._low or max(measures) >= self._high:
            for number, counts in enumerate(measures):
                if counts <= self._low or counts >= self._high:
                    odd |= 1 << number
        # Right after its start a chip has no results yet, and reads 0 for all.
        if odd != chip.odd and max(measures):
            chip.odd = odd
            self.changed = True
        return WATCHED

    def _leave(self, chip: Chip, health: int) -> None:
        if chip.health != health or chip.touched or chip.odd:
            self.changed = True
        chip.health = health
        chip.touched = chip.odd = 0
        self.watching = any(each.health == WATCHED for each in self.chips)

    def _chip(self, number: int) -> Chip:
        if number >= len(self.chips):
            raise ValueError(f"chip {number}: there are {len(self.chips)}, counted from 0")
        return self.chips[number]


def _write(chip: Chip, hardware: Hardware, mode: int, blocks: list[tuple[int, bytes]]) -> int:
    """Reset a chip and write its registers; return 0 or the error number."""
    one = bytearray(1)
    bus, address = chip.bus, chip.address
    try:
        bus.write(address, _RESET, _RESET_WORD)
        bus.read(address, _CONFIG, one)
        if one[0] != _CONFIG_AFTER_RESET:
            # The data sheet does not say how long a reset takes; drivers wait this long.
            hardware.pause(1)
            bus.read(address, _CONFIG, one)
            if one[0] != _CONFIG_AFTER_RESET:
                return EIO
        for register, values in blocks:
            bus.write(address, register, values)
        bus.read(address, _MODE, one)
    except OSError as error:
        return error_number(error)
    return 0 if one[0] == mode else EIO


def error_number(error: OSError) -> int:
    """Return an error's number for the host: ETIMEDOUT, or EIO for all others."""
    return ETIMEDOUT if error.args and error.args[0] == ETIMEDOUT else EIO


def _health(number: int) -> int:
    return HELD if number == ETIMEDOUT else SILENT
