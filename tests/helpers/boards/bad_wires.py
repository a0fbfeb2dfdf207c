"""Emulated chips that do not answer, or not what they should, until they are healed."""

import errno
from collections.abc import Callable
from weakref import WeakKeyDictionary

from hal.sim.bus import EmulatedI2CBus, I2cCable, I2cChip

Garbler = Callable[[bytes], bytes]
_GOOD: WeakKeyDictionary[I2cCable, dict[int, I2cChip]] = WeakKeyDictionary()
"""The chips as they were, by their wires and addresses."""


class _Garbled:
    def __init__(self, chip: I2cChip, garbler: Garbler) -> None:
        self.write = chip.write
        self._chip = chip
        self._garbler = garbler

    def read(self, count: int) -> bytes:
        return self._garbler(self._chip.read(count))


def silence(wires: I2cCable, address: int) -> None:
    """Make the chip at an address stop answering."""
    _GOOD.setdefault(wires, {})[address] = wires.detach(address)


def garble(wires: I2cCable, address: int, answer: bytes | Garbler = b"\xff") -> None:
    """Replace the answers of the chip at an address.

    By bytes that are repeated (all ones is what a floating wire reads as), or by a function of
    the real answer.
    """
    silence(wires, address)

    def repeated(said: bytes) -> bytes:
        return (answer * len(said))[: len(said)] if isinstance(answer, bytes) else b""

    garbler = answer if callable(answer) else repeated
    wires.attach(address, _Garbled(_GOOD[wires][address], garbler))


def heal(wires: I2cCable, address: int) -> None:
    """Make the chip at an address answer normally again."""
    if wires.find(address) is not None:
        wires.detach(address)
    wires.attach(address, _GOOD[wires].pop(address))


def fail(
    bus: EmulatedI2CBus,
    times: int = 1,
    error: int = errno.EREMOTEIO,
    *,
    address: int | None = None,
) -> None:
    """Make the next transfers of a bus fail, optionally those to one address only.

    `error` is Linux's number: 121 when a byte was not acknowledged, 5 for any other failure.
    """
    whole, left = bus._transfer, times

    def transfer(to: int, data: bytes | None, count: int | None) -> bytes:
        nonlocal left
        if left and address in (None, to):
            left -= 1
            raise OSError(error, f"the transfer to address 0x{to:X} failed")
        return whole(to, data, count)

    bus._transfer = transfer  # type: ignore[method-assign]
