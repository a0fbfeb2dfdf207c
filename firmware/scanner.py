"""The chips of a wiring under watch: what they say, which are well, when each is read.

Owns set-up, reading, and giving a chip up. Pure over `firmware.hardware`. Must not know sessions
nor messages; what a touch means, and when a chip is to be tried again, the host decides.

Registers are those of NXP's data sheet MPR121, revision 4, section 5.
"""

from firmware.hardware import Hardware, I2CBus, Input
from firmware.messages import ASLEEP, HELD, RESET, SILENT, WATCHED

ROUNDS = 3
"""So often in a row chips are read because their line is low."""
STUCK_MS = 20
"""How often chips are read while something holds their line low for ever."""

EIO = 5
ETIMEDOUT = 110
"""Numbers of errors, as Linux has them."""

_TOUCHES = 0x00
_MEASURES = 0x04
_CONFIG = 0x5D
_CONFIG_AFTER_RESET = 0x24
_MODE = 0x5E
_RESET = 0x80
_RESET_WORD = b"\x63"
_ELECTRODES = 12


class Chip:
    """Hold what is known of one chip. `touched` is its whole register, `odd` has a bit a pad."""

    def __init__(self, bus: I2CBus, address: int) -> None:
        self.bus = bus
        self.address = address
        self.health = ASLEEP
        self.touched = 0
        self.odd = 0
        self.mode = 0


class Scanner:
    """Read chips when their line is low, and every `poll_ms`. `line` is None where there is none.

    `watching` tells whether any chip is watched. `changed` is set whenever anything about a chip
    has changed; who has seen it clears it.
    """

    def __init__(
        self, chips: list[Chip], line: Input | None, poll_ms: int, low: int, high: int
    ) -> None:
        self.chips = chips
        self.watching = False
        self.changed = False
        self._line = line
        self._poll_ms = poll_ms
        self._low = low
        self._high = high
        self._poll_due_ms = 0
        self._line_due_ms = 0
        self._rounds = 0
        # Each chip is measured once a poll, but not all at once: touches wait meanwhile.
        self._measure_ms = max(1, poll_ms // max(1, len(chips)))
        self._measure_due_ms = 0
        self._turn = 0
        self._two = bytearray(2)
        self._one = bytearray(1)
        self._measures = bytearray(2 * _ELECTRODES)

    def sleep(self) -> None:
        """Watch nothing until it is set up again."""
        for chip in self.chips:
            self._leave(chip, ASLEEP)

    def set_up(
        self, hardware: Hardware, number: int, mode: int, blocks: list[tuple[int, bytes]]
    ) -> int:
        """Reset a chip, write its registers, and watch it; give 0 or the number of the error.

        Raises ValueError for a chip that there is none of.
        """
        chip = self._chip(number)
        self._leave(chip, ASLEEP)
        error = _write(chip, hardware, mode, blocks)
        if error == ETIMEDOUT:
            # A chip that was cut off in the middle of an answer holds its bus until it has clocked
            # out the rest.
            chip.bus.recover()
            error = _write(chip, hardware, mode, blocks)
        chip.mode = mode
        self._leave(chip, WATCHED if error == 0 else _health(error))
        return error

    def read(self, number: int, register: int, count: int) -> tuple[int, bytes]:
        """Read registers of a chip, watched or not; give 0 or the number of the error, and them.

        Raises ValueError for a chip that there is none of.
        """
        chip = self._chip(number)
        values = bytearray(count)
        try:
            chip.bus.read(chip.address, register, values)
        except OSError as error:
            return _number(error), b""
        return 0, bytes(values)

    def step(self, now: int) -> None:
        """Read what is due. The line is followed by one round a call, so that each is told."""
        low = self._line is not None and self._line.low()
        if not low:
            self._rounds = 0
        poll = now >= self._poll_due_ms
        if poll or (low and (self._rounds < ROUNDS or now >= self._line_due_ms)):
            if low:
                # A chip that pulls the line again while another still holds it makes no new edge,
                # which is why the line's level is followed.
                self._rounds = min(self._rounds + 1, ROUNDS)
                self._line_due_ms = now + STUCK_MS
            for chip in self.chips:
                if chip.health == WATCHED:
                    self._attempt(chip, _TOUCHES)
        if poll:
            self._poll_due_ms = now + self._poll_ms
            for chip in self.chips:
                if chip.health == WATCHED:
                    self._attempt(chip, _MODE)
        if now >= self._measure_due_ms and self.watching:
            self._measure_due_ms = now + self._measure_ms
            self._turn = (self._turn + 1) % len(self.chips)
            if self.chips[self._turn].health == WATCHED:
                self._attempt(self.chips[self._turn], _MEASURES)

    def patience(self, longest_ms: int) -> int:
        """Tell how long `step` can wait: not at all while the line is low for a new reason."""
        if self.watching and self._rounds < ROUNDS and self._line is not None and self._line.low():
            return 0
        return longest_ms

    def _attempt(self, chip: Chip, register: int) -> None:
        """Look at a chip; one failure may be a spark, a second at once is a fault."""
        health = self._look(chip, register)
        if health != WATCHED:
            health = self._look(chip, register)
        if health != WATCHED:
            self._leave(chip, health)

    def _look(self, chip: Chip, register: int) -> int:
        """Read what is at a register, and give the health that follows from that."""
        try:
            if register == _TOUCHES:
                return self._refresh(chip)
            if register == _MODE:
                return self._check(chip)
            return self._measure(chip)
        except OSError as error:
            return _health(_number(error))

    def _refresh(self, chip: Chip) -> int:
        touched = self._read_touched(chip)
        if touched != chip.touched:
            # One flipped bit would stay until the next poll, and so make a touch that nobody made.
            if self._read_touched(chip) != touched:
                return SILENT
            chip.touched = touched
            self.changed = True
        return WATCHED

    def _check(self, chip: Chip) -> int:
        chip.bus.read(chip.address, _MODE, self._one)
        return WATCHED if self._one[0] == chip.mode else RESET

    def _measure(self, chip: Chip) -> int:
        measures = self._measures
        chip.bus.read(chip.address, _MEASURES, measures)
        odd = 0
        some = False
        for number in range(_ELECTRODES):
            counts = measures[2 * number] | measures[2 * number + 1] << 8
            some = some or counts != 0
            if counts <= self._low or counts >= self._high:
                odd |= 1 << number
        # In its first moments a chip has no results yet, and says 0 for all.
        if some and odd != chip.odd:
            chip.odd = odd
            self.changed = True
        return WATCHED

    def _read_touched(self, chip: Chip) -> int:
        two = self._two
        chip.bus.read(chip.address, _TOUCHES, two)
        return two[0] | two[1] << 8

    def _leave(self, chip: Chip, health: int) -> None:
        """Give a chip its health, and forget what it said."""
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
    """Reset a chip and write its registers; give 0 or the number of the error."""
    one = bytearray(1)
    bus, address = chip.bus, chip.address
    try:
        bus.write(address, _RESET, _RESET_WORD)
        bus.read(address, _CONFIG, one)
        if one[0] != _CONFIG_AFTER_RESET:
            # The data sheet does not say how long a reset takes; drivers wait so long.
            hardware.pause(1)
            bus.read(address, _CONFIG, one)
            if one[0] != _CONFIG_AFTER_RESET:
                return EIO
        for register, values in blocks:
            bus.write(address, register, values)
        bus.read(address, _MODE, one)
    except OSError as error:
        return _number(error)
    return 0 if one[0] == mode else EIO


def _number(error: OSError) -> int:
    """Give the number of an error as it goes over the wire: all but a time-out are one."""
    return ETIMEDOUT if error.args and error.args[0] == ETIMEDOUT else EIO


def _health(number: int) -> int:
    return HELD if number == ETIMEDOUT else SILENT
