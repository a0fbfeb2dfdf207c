"""Emulated chips that do not answer, or not what they should, until they are healed."""

from collections.abc import Callable
from weakref import WeakKeyDictionary

from hal.sim.cable import I2cCable, I2cChip

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
    """Let the chip at an address answer nothing."""
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
    """Let the chip at an address answer as it did."""
    if wires.find(address) is not None:
        wires.detach(address)
    wires.attach(address, _GOOD[wires].pop(address))
