"""One pair of I2C wires with emulated chips on it, and whether a chip holds it."""

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Protocol, runtime_checkable

MUX_CHANNELS = 8


class I2cChip(Protocol):
    """A chip at one I2C address."""

    def write(self, data: bytes) -> None:
        """Take what the host writes between start and stop."""

    def read(self, count: int) -> bytes:
        """Return as many bytes as the host reads."""


@runtime_checkable
class I2cSwitch(I2cChip, Protocol):
    """A chip that connects further cables to its own."""

    @property
    def connected(self) -> Sequence["I2cCable"]:
        """The wires that are connected now."""


class I2cCable:
    """The chips of one pair of wires, each at its address."""

    def __init__(self) -> None:
        self._chips: dict[int, I2cChip] = {}
        self._switches: dict[int, I2cSwitch] = {}
        self._held = False

    def attach(self, address: int, chip: I2cChip) -> None:
        """Attach a chip to the wires, at an address that is free there."""
        self._chips[address] = chip
        if isinstance(chip, I2cSwitch):
            self._switches[address] = chip

    def detach(self, address: int) -> I2cChip:
        """Detach a chip from the wires, as a broken wire does, and return it."""
        self._switches.pop(address, None)
        return self._chips.pop(address)

    def hold(self) -> None:
        """Make a hanging chip hold the data wire low, until `release`."""
        self._held = True

    def release(self) -> None:
        self._held = False

    @property
    def held(self) -> bool:
        """Whether the data wire is held low, here or on wires that are connected to these."""
        return self._held or any(
            wires.held for switch in self._switches.values() for wires in switch.connected
        )

    def find(self, address: int) -> I2cChip | None:
        """Return the chips that acknowledge an address, as one chip; None if there are none.

        All of them take every write, and their answers are combined as by open drains: a zero of
        any chip wins.
        """
        if not self._switches:
            return self._chips.get(address)
        answering = self._find_all(address)
        return _Joined(answering) if len(answering) > 1 else next(iter(answering), None)

    def _find_all(self, address: int) -> list[I2cChip]:
        found: list[I2cChip] = []
        if (chip := self._chips.get(address)) is not None:
            found.append(chip)
        for switch in self._switches.values():
            for wires in switch.connected:
                found += wires._find_all(address)
        return found


class EmulatedTca9548a:
    """A multiplexer: a chip that connects up to eight further cables to its own.

    After the TI data sheet TCA9548A (SCPS207). Chips are attached to `channels`.
    """

    def __init__(self) -> None:
        self.channels = tuple(I2cCable() for _ in range(MUX_CHANNELS))
        self.control = 0  # "power-up default: no channel selected"

    @property
    def connected(self) -> Sequence[I2cCable]:
        if not self.control:
            return ()
        return [wires for n, wires in enumerate(self.channels) if self.control >> n & 1]

    def write(self, data: bytes) -> None:
        """Take the bytes of one write: "if multiple bytes are received, it saves the last"."""
        # A channel "becomes active after a stop condition": this write does not reach the channels
        # that it connects, because the receivers were found when the transfer began.
        if data:
            self.control = data[-1]

    def read(self, count: int) -> bytes:
        return bytes([self.control]) * count


class _Joined:
    """Chips that answer at once."""

    def __init__(self, chips: Sequence[I2cChip]) -> None:
        self._chips = chips

    def write(self, data: bytes) -> None:
        for chip in self._chips:
            chip.write(data)

    def read(self, count: int) -> bytes:
        said = (chip.read(count) for chip in self._chips)
        return bytes(reduce(and_, octets) for octets in zip(*said, strict=True))
