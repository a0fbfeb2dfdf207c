"""Serial ports: finding the Pico's port, opening any port, and detecting that a port is gone."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hal.base.errors import LinkFault

AUTO = "auto"
NAME = Path("/dev/lifeboard")
"""The device name that our udev rules give to a Pico; it is preferred to others."""
VENDOR = 0x2E8A
MICROPYTHON = 0x0005
"""The USB product of a Pico that runs MicroPython (its ports/rp2/mpconfigport.h)."""

_BAUD = 115_200  # USB has none, but a real serial line would
_WRITE_S = 1.0
_READ_S = 0.5


@dataclass(frozen=True, slots=True)
class FoundPort:
    """Name a serial port of a Pico."""

    device: str
    serial_number: str


class Port(Protocol):
    """Carry bytes both ways."""

    def read(self) -> bytes:
        """Return the bytes received so far, maybe none; raise LinkFault when the port is gone."""

    def write(self, data: bytes) -> None:
        """Write bytes; raise LinkFault when they cannot be written."""

    def wait(self, timeout_s: float) -> None:
        """Sleep until bytes have come, or the time-out."""

    def close(self) -> None:
        """Close the port; calling it again does nothing."""


class SerialPort:
    """Read a pyserial port on a thread of its own, which calls `on_input`."""

    def __init__(self, serial: Any, on_input: Callable[[], None]) -> None:
        self._serial = serial
        self._on_input = on_input
        self._came = threading.Condition()
        self._bytes = bytearray()
        self._gone = ""
        self._closed = False
        self._thread = threading.Thread(target=self._listen, name="serial port", daemon=True)
        self._thread.start()

    def read(self) -> bytes:
        with self._came:
            data = bytes(self._bytes)
            self._bytes.clear()
            if not data and self._gone:
                raise LinkFault(self._gone)
        return data

    def write(self, data: bytes) -> None:
        try:
            self._serial.write(data)
        except OSError as error:
            raise LinkFault(f"{self._serial.port} takes no bytes: {error}") from error

    def wait(self, timeout_s: float) -> None:
        with self._came:
            self._came.wait_for(lambda: self._bytes or self._gone, timeout_s)

    def close(self) -> None:
        self._closed = True
        with suppress(OSError, AttributeError):
            self._serial.cancel_read()
        self._thread.join()
        with suppress(OSError):
            self._serial.close()

    def _listen(self) -> None:
        try:
            while not self._closed:
                if data := self._serial.read(1):
                    self._take(data + self._serial.read(self._serial.in_waiting))
        except Exception as error:
            # pyserial raises many kinds of exceptions when its port vanishes, and its own message
            # for a pulled cable is a long guess.
            pulled = "readiness to read" in str(error)
            why = "it was unplugged" if pulled else str(error)
            self._take(b"", f"{self._serial.port} is gone: {why}")

    def _take(self, data: bytes, gone: str = "") -> None:
        with self._came:
            self._bytes += data
            self._gone = gone
            self._came.notify_all()
        self._on_input()


def open_port(url: str, on_input: Callable[[], None] = lambda: None) -> SerialPort:
    """Open "auto" (a Pico's), a device, or any URL that pyserial understands; raises LinkFault."""
    import serial

    where = url
    try:
        where = _found() if url == AUTO else url
        opened = serial.serial_for_url(
            where, baudrate=_BAUD, timeout=_READ_S, write_timeout=_WRITE_S, exclusive=True
        )
    except LinkFault:
        raise
    except Exception as error:
        # pyserial raises many kinds of exceptions when the port vanishes during this, termios.error
        # and TypeError among them.
        raise LinkFault(f"serial port {where} cannot be opened: {_reason(error)}") from error
    return SerialPort(opened, on_input)


def find_ports() -> tuple[FoundPort, ...]:
    """List the serial ports of Picos that run MicroPython."""
    from serial.tools.list_ports import comports

    found = [each for each in comports() if (each.vid, each.pid) == (VENDOR, MICROPYTHON)]
    found.sort(key=lambda each: each.device)
    return tuple(FoundPort(each.device, each.serial_number or "") for each in found)


def _found() -> str:
    if NAME.exists():
        return str(NAME)
    found = find_ports()
    if not found:
        raise LinkFault(
            "no Pico is plugged in: plug its USB cable in, or say where it is with --serial, or"
            " with port in [pico] of the board's file; a new one needs `lifeboard flash` first"
        )
    if len(found) > 1:
        names = ", ".join(f"{each.device} ({each.serial_number})" for each in found)
        raise LinkFault(
            f"{len(found)} Picos are plugged in: {names}; say which with --serial, or with port in"
            " [pico] of the board's file"
        )
    return found[0].device


def _reason(error: Exception) -> str:
    """Explain why a port cannot be opened, and how to fix that."""
    number = getattr(error, "errno", None)
    text = str(error)
    if number == 13 or "Permission denied" in text:
        return "this user may not: allowed is group dialout; `sudo usermod -aG dialout $USER`"
    if number == 11 or "exclusively lock" in text:
        return "another program has it: end that one, or `sudo systemctl stop lifeboard`"
    if number == 2:
        return "it is not there: plug the Pico's USB cable in"
    return text
