"""`sys` and `micropython` of an emulated Pico, where the Unix port's would differ.

Owns its standard input and output, which are its USB serial port. Output is written at once through
this process's own, so that `print` takes the same way.
"""

import io
import sys as _sys

import link
import micropython as _micropython

_EVER = 1 << 30
_WRITE_US = 500_000
"""How long MicroPython waits for room before output is lost (MICROPY_HW_USB_CDC_TX_TIMEOUT of its
shared/tinyusb)."""


class _Buffer:
    """The byte stream."""

    def read(self, count=-1):
        """Read a number of bytes, and wait for them, as on a Pico."""
        parts = []
        while count:
            part = link.read(count if count > 0 else _EVER, False)
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def readinto(self, buffer, count=-1):
        data = self.read(len(buffer) if count < 0 else min(count, len(buffer)))
        buffer[: len(data)] = data
        return len(data)

    def readline(self, most=-1):
        """Read up to a newline or a number of bytes, and wait for them, as on a Pico."""
        parts = []
        while most and not (parts and parts[-1].endswith(b"\n")):
            part = link.read(most if most > 0 else _EVER, True)
            parts.append(part)
            most -= len(part)
        return b"".join(parts)

    def write(self, data):
        """Write, and wait for room as long as a Pico does; return how many bytes were written."""
        end_us = link.now_us + _WRITE_US
        while link.full:
            if link.now_us >= end_us:
                return 0
            link.wait(min(end_us, link.now_us + 1000), False)
        return _sys.stdout.buffer.write(data)


class _Stream(io.IOBase):
    """Text with the line ends of serial lines."""

    def __init__(self, buffer):
        self.buffer = buffer

    def read(self, count=-1):
        return self.buffer.read(count).decode()

    def readline(self, most=-1):
        return self.buffer.readline(most).decode()

    def write(self, text):
        data = text.encode() if isinstance(text, str) else bytes(text)
        self.buffer.write(data.replace(b"\n", b"\r\n"))
        return len(text)


class _System:
    def __init__(self):
        self.platform = "rp2"
        self.stdin = _Stream(_Buffer())
        self.stdout = self.stderr = _Stream(_Buffer())
        self.implementation = _Implementation()

    def __getattr__(self, name):
        return getattr(_sys, name)


class _Implementation:
    name = "micropython"
    version = _sys.implementation.version
    _machine = "Raspberry Pi Pico with RP2040"
    _mpy = _sys.implementation._mpy

    def __getitem__(self, place):
        return (self.name, self.version, self._machine, self._mpy)[place]


class _MicroPython:
    def __getattr__(self, name):
        return getattr(_micropython, name)

    def kbd_intr(self, byte):
        link.interrupt = byte


SYSTEM = _System()
MICROPYTHON = _MicroPython()
STREAMS = (
    SYSTEM.stdin,
    SYSTEM.stdout,
    SYSTEM.stdin.buffer,
    SYSTEM.stdout.buffer,
)
