"""`machine` of an emulated Pico: pins, I2C controllers, watchdog, reset."""

import struct

import link
import link_format

PWRON_RESET = 1
WDT_RESET = 3

cause = link_format.POWER_ON
identity = b"\0" * 8
"""The identity of this Pico, set at boot."""

_LED = 25
_LAST_PIN = 29
_LONGEST_WATCHDOG_MS = 8388
# RP2040 data sheet, section 2.19.2: the pins of both controllers, data and clock.
_DATA = (0, 4, 8, 12, 16, 20, 24, 28), (2, 6, 10, 14, 18, 22, 26)
_CLOCK = (1, 5, 9, 13, 17, 21, 25, 29), (3, 7, 11, 15, 19, 23, 27)

_pins = {}


class Pin:
    """A pin; an input without a pull-up reads 0 while nothing holds it."""

    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    ALT = 3
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __new__(cls, name, *arguments, **named):
        number = _LED if name == "LED" else name.number if isinstance(name, Pin) else name
        if not isinstance(number, int) or not 0 <= number <= _LAST_PIN:
            raise ValueError("invalid pin")
        if number not in _pins:
            pin = super().__new__(cls)
            pin.number = number
            pin._mode, pin._pull, pin._level = cls.IN, None, 0
            _pins[number] = pin
        return _pins[number]

    def __init__(self, name, mode=-1, pull=-1, *, value=None, alt=0):
        self.init(mode, pull, value=value)

    def init(self, mode=-1, pull=-1, *, value=None, alt=0):
        if mode != -1:
            self._mode = mode
        if pull != -1:
            self._pull = pull
        if value is not None:
            self._level = 1 if value else 0
        if self._mode == self.OUT:
            link.tell(link_format.PIN, self._level, self.number)

    def value(self, level=None):
        if level is None:
            if self._mode == self.OUT:
                return self._level
            if link.now_us > link.until_us:
                link.wait(link.now_us + 1, False)
            if self._mode == self.OPEN_DRAIN:
                # Such pins are on wires with pull-ups of their own.
                return int(self._level and not link.low >> self.number & 1)
            return int(self._pull == self.PULL_UP and not link.low >> self.number & 1)
        self._level = 1 if level else 0
        if self._mode == self.OUT:
            link.tell(link_format.PIN, self._level, self.number)
        return None

    def __call__(self, level=None):
        return self.value(level)

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    def high(self):
        self.value(1)

    def low(self):
        self.value(0)

    def toggle(self):
        self.value(not self._level)

    def __repr__(self):
        return f"Pin(GPIO{self.number})"


class _Memory:
    """The emulated registers: why the watchdog has reset the chip."""

    _REASON = 0x40058008  # RP2040 data sheet, section 4.7.6: bit 0 TIMER, bit 1 FORCE

    def __getitem__(self, address):
        if address != self._REASON:
            raise NotImplementedError(f"register 0x{address:X} is not emulated")
        return {link_format.BY_WATCHDOG: 1, link_format.BY_PROGRAM: 2}.get(cause, 0)


mem32 = _Memory()


class I2C:
    """One of the two controllers."""

    def __init__(self, id, *, scl=None, sda=None, freq=400_000, timeout=50_000):
        if id not in (0, 1):
            raise ValueError(f"I2C({id}) doesn't exist")
        scl = Pin((9, 7)[id] if scl is None else scl)
        sda = Pin((8, 6)[id] if sda is None else sda)
        if scl.number not in _CLOCK[id]:
            raise ValueError("bad SCL pin")
        if sda.number not in _DATA[id]:
            raise ValueError("bad SDA pin")
        self._id = id
        pins = struct.pack(link_format.BUS, sda.number, scl.number, freq, timeout)
        link.tell(link_format.OPEN_BUS, id, 0, 0, pins)

    def scan(self):
        return list(link.ask(link_format.SCAN, self._id))

    def writeto(self, addr, buf, stop=True):
        link.ask(link_format.TRANSFER, self._id, addr, -1, bytes(buf))
        return len(buf)

    def readfrom(self, addr, nbytes, stop=True):
        return link.ask(link_format.TRANSFER, self._id, addr, nbytes)

    def readfrom_into(self, addr, buf, stop=True):
        buf[:] = self.readfrom(addr, len(buf))

    def readfrom_mem(self, addr, memaddr, nbytes, *, addrsize=8):
        return link.ask(link_format.TRANSFER, self._id, addr, nbytes, bytes([memaddr]))

    def readfrom_mem_into(self, addr, memaddr, buf, *, addrsize=8):
        buf[:] = self.readfrom_mem(addr, memaddr, len(buf))

    def writeto_mem(self, addr, memaddr, buf, *, addrsize=8):
        link.ask(link_format.TRANSFER, self._id, addr, -1, bytes([memaddr]) + bytes(buf))


class WDT:
    """The watchdog, which cannot be stopped."""

    def __init__(self, id=0, timeout=5000):
        if id != 0:
            raise ValueError(f"WDT({id}) doesn't exist")
        if not 1 <= timeout <= _LONGEST_WATCHDOG_MS:
            raise ValueError(f"timeout exceeds {_LONGEST_WATCHDOG_MS}")
        link.watch(timeout * 1000)

    def feed(self):
        link.feed()


def unique_id():
    """Return the 8 bytes of this Pico."""
    return identity


def reset_cause():
    """Return why it started: on an RP2040 a reset by program counts as the watchdog's too."""
    return PWRON_RESET if cause == link_format.POWER_ON else WDT_RESET


def reset():
    """Restart, as after power-up."""
    link.reset(link_format.BY_PROGRAM)


def soft_reset():
    """End the program as its last line would."""
    raise SystemExit


def bootloader(timeout_ms=0):
    """Wait for new MicroPython, as a USB drive."""
    link.reset(link_format.TO_BOOTLOADER)


def freq(hz=None):
    """Return the clock of the processor."""
    return 125_000_000


def idle():
    """Do nothing."""
    link.spend(1)
