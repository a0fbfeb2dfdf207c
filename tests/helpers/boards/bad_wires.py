"""Emulated chips that do not answer, or not what they should, until they are healed."""

import errno
from collections.abc import Callable
from types import SimpleNamespace
from weakref import WeakKeyDictionary

from hal.sim.platform import EmulatedI2CBus, I2cCable, I2cChip

Garbler = Callable[[bytes], bytes]
_GOOD: WeakKeyDictionary[I2cCable, dict[int, I2cChip]] = WeakKeyDictionary()
"""The chips as they were, by their wires and addresses."""


def silence(wires: I2cCable, address: int) -> None:
    """Make the chip at an address stop answering."""
    _GOOD.setdefault(wires, {})[address] = wires.detach(address)


def garble(wires: I2cCable, address: int, answer: bytes | Garbler = b"\xff") -> None:
    """Replace the answers of a chip by a byte, all ones as of a floating wire, or a function."""
    silence(wires, address)
    chip = _GOOD[wires][address]

    def read(count: int) -> bytes:
        said = chip.read(count)
        return answer(said) if callable(answer) else answer * len(said)

    wires.attach(address, SimpleNamespace(write=chip.write, read=read))


def heal(wires: I2cCable, address: int) -> None:
    """Make the chip at an address answer normally again."""
    if wires.find(address) is not None:
        wires.detach(address)
    wires.attach(address, _GOOD[wires].pop(address))


def fail(
    bus: EmulatedI2CBus, times: int = 1, error: int = errno.EREMOTEIO, *, address: int | None = None
) -> None:
    """Make the next transfers, maybe to one address only, fail with Linux's number of an error."""
    whole, left = bus._transfer, times

    def transfer(to: int, data: bytes | None, count: int | None) -> bytes:
        nonlocal left
        if left and address in (None, to):
            left -= 1
            raise OSError(error, f"the transfer to address 0x{to:X} failed")
        return whole(to, data, count)

    bus._transfer = transfer  # type: ignore[method-assign]
