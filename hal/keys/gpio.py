"""Keys and the interrupt line on GPIO pins, through gpiozero.

Debounced in `hal.sensing.touch`: gpiozero's mock pins ignore its bounce time.
"""

from collections.abc import Callable, Mapping

from gpiozero import DigitalInputDevice
from gpiozero.pins import Factory


class Keys:
    """Keys that connect their pin to ground. `on_change` is called at each change."""

    def __init__(
        self, pins: Mapping[str, int], factory: Factory, on_change: Callable[[], None]
    ) -> None:
        # gpiozero's Button is this device plus a thread for holding, which we do ourselves.
        self._devices = {
            key: DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
            for key, pin in pins.items()
        }
        for device in self._devices.values():
            device.when_activated = on_change
            device.when_deactivated = on_change

    def pressed(self) -> frozenset[str]:
        """Return the keys that are down now."""
        return frozenset(key for key, device in self._devices.items() if device.is_active)

    def close(self) -> None:
        for device in self._devices.values():
            device.close()


class InterruptLine:
    """The open-drain line that all sensor chips share. `on_low` is called when it falls."""

    def __init__(self, pin: int, factory: Factory, on_low: Callable[[], None]) -> None:
        self._device = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
        self._on_low = on_low
        self._fell = False
        self._device.when_activated = self._fall

    @property
    def low(self) -> bool:
        """Tell whether any chip pulls the line, or has done so since this was last asked."""
        if self._fell:
            # In this order a fall on another thread is never lost.
            self._fell = False
            return True
        return bool(self._device.is_active)

    def _fall(self) -> None:
        self._fell = True
        self._on_low()

    def close(self) -> None:
        self._device.close()
