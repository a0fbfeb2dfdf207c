"""A TCA9548A: one I2C address that joins up to eight further pairs of wires to its own.

Emulates, after the TI data sheet TCA9548A (SCPS207), the control register, its bits and its value
after power-up. Must not know what hangs on its channels. Its address, 0x70 to 0x77 by its pins, is
where it is attached.
"""

from collections.abc import Sequence

from hal.sim.wires import Wires

CHANNELS = 8


class EmulatedTca9548a:
    """Emulate one multiplexer. Chips are attached to `channels`."""

    def __init__(self) -> None:
        self.channels = tuple(Wires() for _ in range(CHANNELS))
        self._control = 0  # "power-up default: no channel selected"

    @property
    def control(self) -> int:
        """Give the control register: bit n joins channel n."""
        return self._control

    @property
    def connected(self) -> Sequence[Wires]:
        """Give the wires of the channels that are selected; several may be."""
        if not self._control:
            return ()
        return [wires for n, wires in enumerate(self.channels) if self._control >> n & 1]

    def power_cycle(self) -> None:
        """Take its power away and give it back; its reset pin does the same."""
        self._control = 0

    def write(self, data: bytes) -> None:
        """Take the bytes of one write: "if multiple bytes are received, it saves the last"."""
        # A channel "becomes active after a stop condition": what is written here is not heard on
        # the channels that it joins, because who hears a transfer is found as it begins.
        if data:
            self._control = data[-1]

    def read(self, count: int) -> bytes:
        """Give the control register, as often as asked."""
        return bytes([self._control]) * count
