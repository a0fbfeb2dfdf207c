"""One CY8CMBR3116 touch chip on an I2C bus of this computer.

Owns the transfers, and when settings are saved in the chip. Must not know whether the bus is real
or emulated, when the chip is read, nor the cell of an electrode.

New settings are in force only when they are saved in the chip's flash and it has started anew
(data sheet 001-85330 *Q, p. 20): 0.22 s, then up to 0.9 s until its first scan. Meanwhile, and
while it sleeps between two scans, it acknowledges nothing (p. 32). Unchecked: how many attempts
wake it; the Zephyr driver has seen three at most.
"""

import errno
from collections.abc import Callable, Mapping
from typing import Any

from adafruit_bus_device.i2c_device import I2CDevice  # type: ignore[import-untyped]

from hal.base.errors import SensorFault, Unanswered
from hal.drivers import cy8cmbr3116_registers as registers
from hal.drivers.reading import Reading, touched_of
from hal.profile import Chip, Measuring
from hal.profile.memory import Tuning

ATTEMPTS = 10
"""How often a transfer is tried at once: 25 us each at 400 kHz."""
NOT_ACKNOWLEDGED = (errno.EREMOTEIO, errno.ENXIO)
MOST_WAITS = 100
"""How often a chip that saves or starts is asked whether it has done so, 20 ms apart."""
MOST_SAVES = 3
"""How often a program saves settings: a chip that loses them must not wear out its flash."""
_SAME_SCAN_TRIES = 3


class CapSenseChip:
    """One chip. See `hal.drivers.platform.ChipDriver`.

    `reach` returns the bus object of the chip, and may raise OSError.
    """

    def __init__(self, chip: Chip, reach: Callable[[Chip], Any]) -> None:
        self.chip = chip
        self.automatic = False
        self._reach = reach
        self._device: Any = None
        self._crc = b""
        self._ordered: int | None = None
        self._waits = self._saves = 0

    def set_up(
        self, measuring: Measuring, tunings: Mapping[int, Tuning], baselines: Mapping[int, int]
    ) -> None:
        """Give the chip its settings, and let it learn its electrodes unless it has `baselines`.

        It keeps its own ones, which cannot be written. Raises Unanswered while the chip saves or
        starts; then it is to be asked again.
        """
        try:
            ordered = self._ordered
            if ordered is not None:
                self._await()
            if ordered == registers.SAVE:
                self._order(registers.RESET)
            self._configure(measuring, tunings, learn=ordered is None and not baselines)
        except Unanswered:
            raise
        except SensorFault:
            self._ordered = None
            raise

    def touched(self) -> frozenset[int]:
        """Read which electrodes are touched, in one transfer."""
        said = self._read(*registers.TOUCHES)
        return touched_of(said[0] | said[1] << 8, self)

    def check(self) -> None:
        said = bytes(self._read(*registers.CRC))
        if said != self._crc:
            raise SensorFault(
                f"{self} has lost its settings: their CRC is {said.hex()},"
                f" allowed is {self._crc.hex()}"
            )

    def suspect(self, now: float) -> bool:
        """Return True: only measuring shows what is wrong with an electrode."""
        return True

    def readings(self, touched: frozenset[int], *, wait: bool = True) -> tuple[Reading, ...]:
        """Read the measurements of all twelve electrodes; `touched` is known already."""
        for _ in range(_SAME_SCAN_TRIES):
            said = self._read(*registers.MEASURES)
            if registers.steady(said):
                return registers.readings_of(said, touched, self)
        raise SensorFault(f"{self} gives halves of two scans")

    def charges(self) -> dict[int, Tuning]:
        """Return nothing: the chip does not tell its charges."""
        return {}

    def __str__(self) -> str:
        return f"sensor chip {self.chip.name} ({self.chip.place})"

    def _configure(
        self, measuring: Measuring, tunings: Mapping[int, Tuning], *, learn: bool
    ) -> None:
        """Compare the settings with the wanted ones; save those only if they differ."""
        family = self._read(*registers.FAMILY_ID)[0]
        if family != registers.FAMILY:
            raise SensorFault(f"{self} says family {family}: allowed is {registers.FAMILY}")
        held = bytes(self._read(*registers.SETTINGS))
        wanted = registers.settings(held, measuring, tunings)
        if wanted != held:
            if self._saves >= MOST_SAVES:
                raise SensorFault(f"{self} does not keep its settings, saved {self._saves} times")
            self._saves += 1
            self._write(registers.SETTINGS[0], wanted)
            self._order(registers.SAVE)
        elif learn:
            self._order(registers.RESET)
        self._crc = wanted[-2:]

    def _order(self, command: int) -> None:
        """Give a command, and raise Unanswered: it takes its time."""
        self._write(registers.COMMAND, bytes([command]))
        self._ordered, self._waits = command, 0
        raise Unanswered(f"{self} is starting")

    def _await(self) -> None:
        """Find out that the command is carried out; raise Unanswered while it is not."""
        try:
            pending, *_, error = self._read(*registers.COMMAND_STATE)
        except SensorFault as fault:
            cause = fault.__cause__
            silent = isinstance(cause, OSError) and cause.errno in NOT_ACKNOWLEDGED
            if not silent or self._waits >= MOST_WAITS:
                raise
            pending, error = 1, 0
        if error:
            raise SensorFault(f"{self} refuses its settings: error {error}")
        if pending:
            self._waits += 1
            if self._waits > MOST_WAITS:
                raise SensorFault(f"{self} does not carry out command {self._ordered}")
            raise Unanswered(f"{self} is starting")
        self._ordered = None

    def _read(self, register: int, count: int) -> bytearray:
        answer = bytearray(count)
        self._transfer(lambda device: device.write_then_readinto(bytes([register]), answer))
        return answer

    def _write(self, register: int, values: bytes) -> None:
        self._transfer(lambda device: device.write(bytes([register]) + values))

    def _transfer(self, act: Callable[[Any], None]) -> None:
        """Do a transfer, again while the chip wakes up."""
        try:
            if self._device is None:
                bus = self._reach(self.chip)
                self._device = I2CDevice(bus, self.chip.address, probe=False)
            with self._device as device:
                for _ in range(ATTEMPTS - 1):
                    try:
                        return act(device)
                    except OSError as error:
                        if error.errno not in NOT_ACKNOWLEDGED:
                            raise
                act(device)
        except OSError as error:
            raise SensorFault(f"{self} does not answer: {error}") from error
