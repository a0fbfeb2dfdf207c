"""A device that computes frames only when its layers change, for long games in virtual time."""

from collections.abc import Sequence
from math import inf

from hal.backends.device import Device
from hal.lights import Layer


class StillDevice(Device):
    """A device whose rhythms stand still."""

    def paint(self, layers: Sequence[Layer], now: float) -> bool:
        changed = super().paint(layers, now)
        self._change_due_s = inf
        return changed
