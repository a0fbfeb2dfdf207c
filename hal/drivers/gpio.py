"""Keys and the interrupt line on GPIO pins, through gpiozero; debounced in `hal.sensing.touch`."""

from collections.abc import Callable

from gpiozero import DigitalInputDevice
from gpiozero.pins import Factory


class Key:
    """A button between a pin and ground. `on_change` is called at each change."""

    def __init__(self, pin: int, factory: Factory, on_change: Callable[[], None]) -> None:
        # gpiozero's Button is this device plus a thread that detects holds, which we do ourselves.
        self._device = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
        self._device.when_activated = self._device.when_deactivated = on_change

    @property
    def low(self) -> bool:
        return bool(self._device.is_active)

    def close(self) -> None:
        self._device.close()


class InterruptLine(Key):
    """The open-drain line that all sensor chips share. `on_low` is called when it falls."""

    def __init__(self, pin: int, factory: Factory, on_low: Callable[[], None]) -> None:
        super().__init__(pin, factory, self._fall)
        self._device.when_deactivated = None
        self._on_low = on_low
        self._fell = False

    @property
    def low(self) -> bool:
        """Return whether a chip pulls the line, or has pulled it since the last call."""
        if self._fell:
            # This order never loses a falling edge that another thread reports.
            self._fell = False
            return True
        return super().low

    def _fall(self) -> None:
        self._fell = True
        self._on_low()
