"""The USB cable of an emulated Pico: bytes both ways, while it is plugged in and open."""

from hal.base.errors import LinkFault


class UsbCable:
    """A serial port as both ends see it.

    `connection` counts how often it has appeared. `opened` tells whether a program of the host has
    it open; while `deaf` is set, the host has, and takes nothing.
    """

    def __init__(self) -> None:
        self.connection = 0
        self.plugged = False
        self.opened = False
        self.deaf = False
        self.to_pico = bytearray()
        self.to_host = bytearray()

    def appear(self) -> None:
        """Let the host see the port."""
        if not self.plugged:
            self.plugged = True
            self.connection += 1

    def vanish(self) -> None:
        """Remove the port, with all data in transit."""
        self.plugged = self.opened = False
        self.to_pico.clear()
        self.to_host.clear()


class CablePort:
    """The host's end of a cable; raises LinkFault where there is none, and once it was pulled."""

    def __init__(self, cable: UsbCable) -> None:
        if not cable.plugged:
            raise LinkFault("the emulated Pico is not plugged in")
        self._cable = cable
        self._connection = cable.connection
        self._closed = False
        cable.opened = True
        # What came before was for another program.
        cable.to_host.clear()

    @property
    def there(self) -> bool:
        """Whether the port that was opened is still there."""
        return self._cable.plugged and self._cable.connection == self._connection

    @property
    def waiting(self) -> bool:
        """Whether there is something to read, or the port is gone."""
        return not self._closed and (not self.there or bool(self._cable.to_host))

    def read(self) -> bytes:
        self._check()
        data = bytes(self._cable.to_host)
        self._cable.to_host.clear()
        return data

    def write(self, data: bytes) -> None:
        self._check()
        self._cable.to_pico += data

    def close(self) -> None:
        if self.there and not self._closed:
            self._cable.opened = False
        self._closed = True

    def _check(self) -> None:
        if not self.there:
            raise LinkFault("the emulated Pico is gone: it was unplugged")
