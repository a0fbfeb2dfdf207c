"""An emulated Pico that is quick: its firmware runs in this Python, turn by turn.

What MicroPython's modules make of the firmware is for `tests.helpers.rp2040`.
"""

import errno
from pathlib import Path

from firmware.framing import MARK, MOST_LINE
from firmware.hardware import Hardware, I2CBus, Input, PixelStrip
from firmware.run import Loop
from hal.backends.backend import Clock
from hal.drivers.spi import CLOCK_HZ, LATCH_US
from hal.profile import Profile
from hal.profile.profile import BusPins
from hal.sim.body import Body
from tests.helpers.pico.parts import PicoBus
from tests.helpers.pico.pico import IDENTITY, Cause, Pico

SYSTEM = "MicroPython 1.28.0, an emulated Pico"
WATCHDOG_S = 8.0
HELD_S = 0.012
"""How long a transfer waits on a bus that is held."""
TURN_S = 0.0001
_CLOCKS_A_LEVEL = 32
_RECOVERY_CLOCKS = 9
_WIRING = "wiring.bin"


class _Blocked(BaseException):
    """The firmware waits for the rest of a line that has not come."""


class _Stopped(BaseException):
    """The firmware has ended itself, for MicroPython's prompt."""


class EmulatedPico(Pico):
    """A Pico that runs the firmware of this checkout. `flash` is the folder with its files."""

    def __init__(self, profile: Profile, body: Body, clock: Clock, *, flash: Path) -> None:
        super().__init__(profile, body, clock)
        flash.mkdir(parents=True, exist_ok=True)
        self.flash = flash
        self.time_s = clock()
        self.until_s = self.time_s
        self._bite_s: float | None = None
        self._hung = self._blocked = False
        self._loop: Loop | None = None
        self._boot(Cause.POWER_ON)

    def hang(self) -> None:
        self.settle()
        self._hung = True

    def close(self) -> None:
        self._loop = None
        self._powered = False
        self.usb.vanish()

    def pass_time(self, seconds: float) -> None:
        self.time_s += seconds
        self._advance_body(self.time_s)

    def wait(self, seconds: float) -> None:
        """Let time pass for a wait that ends when the host may have sent something."""
        self.pass_time(max(0.0, min(seconds, self.until_s - self.time_s)))

    def line(self) -> bytes:
        """Take a line of what has come from the host."""
        came = self.usb.to_pico
        end = min(came.find(MARK) + 1 or MOST_LINE, MOST_LINE)
        if len(came) < end:
            raise _Blocked
        line = bytes(came[:end])
        del came[:end]
        return line

    def feed(self) -> None:
        self._bite_s = self.time_s + WATCHDOG_S

    def _boot(self, cause: Cause) -> None:
        self.boots.append(cause)
        self._bite_s = None
        self._hung = self._blocked = False
        self.platform.led = False
        if self._cabled:
            self.usb.appear()
        self._loop = Loop(QuickHardware(self, cause is Cause.WATCHDOG))

    def _power_off(self) -> None:
        self._loop = self._bite_s = None

    def _live(self, now: float) -> None:
        self.until_s = now
        while self._loop is not None and self.time_s < now:
            if self._bite_s is not None and self.time_s >= self._bite_s:
                self.usb.vanish()
                self._boot(Cause.WATCHDOG)
            elif self._hung or (self._blocked and MARK not in self.usb.to_pico):
                self.time_s = (
                    now if self._bite_s is None else max(self.time_s, min(now, self._bite_s))
                )
            else:
                self._turn(self._loop)
        self.time_s = max(self.time_s, now)

    def _turn(self, loop: Loop) -> None:
        self._blocked = False
        try:
            loop.turn()
        except _Blocked:
            self._blocked = True
        except _Stopped:
            self._loop = None
            self.usb.vanish()
            self.usb.appear()
        self.time_s += TURN_S


class QuickHardware(Hardware):
    """What the firmware finds below it."""

    identity = IDENTITY
    system = SYSTEM

    def __init__(self, pico: EmulatedPico, restarted: bool) -> None:
        self._pico = pico
        self._began_s = pico.time_s
        self.restarted = restarted

    def now(self) -> int:
        return int((self._pico.time_s - self._began_s) * 1000 + 0.001)

    def pause(self, time_ms: int) -> None:
        self._pico.pass_time(time_ms / 1000)

    def wait(self, timeout_ms: int) -> bool:
        if not self._pico.usb.to_pico:
            self._pico.wait(timeout_ms / 1000)
        return bool(self._pico.usb.to_pico)

    def read_line(self) -> bytes:
        return self._pico.line()

    def write(self, data: bytes) -> None:
        if self._pico.usb.opened and not self._pico.usb.deaf:
            self._pico.usb.to_host += data

    def feed(self) -> None:
        self._pico.feed()

    def stop(self) -> None:
        self._pico.boots.append(Cause.PROGRAM)
        raise _Stopped

    def led(self, on: bool) -> None:
        self._pico.platform.led = on

    def recall(self) -> bytes | None:
        file = self._pico.flash / _WIRING
        return file.read_bytes() if file.exists() else None

    def remember(self, data: bytes) -> None:
        (self._pico.flash / _WIRING).write_bytes(data)

    def open_bus(self, number: int, data: int, clock: int, clock_khz: int) -> I2CBus:
        bus = self._pico.platform.bus(number) if number in self._pico.platform.buses() else None
        wired = bus is not None and bus.pins == BusPins(data, clock)
        return _QuickBus(self._pico, bus if wired else None)

    def open_input(self, pin: int) -> Input:
        return _QuickInput(self._pico, pin)

    def open_strip(self, pin: int, levels: int) -> PixelStrip:
        return _QuickStrip(self._pico, pin, levels)


class _QuickBus(I2CBus):
    """A controller on some pins: only on the right ones it reaches the chips."""

    def __init__(self, pico: EmulatedPico, bus: PicoBus | None) -> None:
        self._pico = pico
        self._bus = bus
        self.recover()

    def read(self, address: int, register: int, buffer: bytearray) -> None:
        buffer[:] = self._transfer(address, bytes([register]), len(buffer))

    def write(self, address: int, register: int, data: bytes) -> None:
        self._transfer(address, bytes([register, *data]), None)

    def recover(self) -> None:
        if self._bus is not None and self._bus.stuck:
            for _ in range(_RECOVERY_CLOCKS):
                self._bus.clocked()

    def _transfer(self, address: int, data: bytes, count: int | None) -> bytes:
        """Do it; the errors are MicroPython's: 5 for no acknowledge, 110 for a held bus."""
        bus = self._bus
        if bus is None:
            raise OSError(errno.EIO)
        if bus.low:
            self._pico.pass_time(HELD_S)
            raise OSError(errno.ETIMEDOUT)
        busy_s = bus.busy_s
        try:
            return bus._transfer(address, data, count)
        except OSError:
            raise OSError(errno.EIO) from None
        finally:
            self._pico.pass_time(bus.busy_s - busy_s)


class _QuickInput(Input):
    def __init__(self, pico: EmulatedPico, pin: int) -> None:
        self._pico = pico
        self._pin = pin

    def low(self) -> bool:
        return bool(self._pico.platform.low >> self._pin & 1)


class _QuickStrip(PixelStrip):
    def __init__(self, pico: EmulatedPico, pin: int, levels: int) -> None:
        self._pico = pico
        self._wired = pin == pico.platform.strip_pin
        self._lasts_s = levels * _CLOCKS_A_LEVEL / CLOCK_HZ + LATCH_US / 1e6
        self._done_s = 0.0

    def busy(self) -> bool:
        return self._pico.time_s < self._done_s

    def send(self, levels: bytearray) -> None:
        self._done_s = self._pico.time_s + self._lasts_s
        if self._wired:
            self._pico.platform.show(bytes(levels))
