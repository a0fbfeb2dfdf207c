"""Put an emulated kernel under the published I2C code, in place of the real one."""

from types import SimpleNamespace

import adafruit_extended_bus
from Adafruit_PureIO import smbus

import hal.drivers.i2c


def install(monkeypatch, kernel):
    """Let all that opens /dev/i2c-* open the kernel's emulated files, for one test."""
    monkeypatch.setattr(smbus, "open", kernel.open, raising=False)
    monkeypatch.setattr(smbus, "ioctl", kernel.ioctl)
    monkeypatch.setattr(adafruit_extended_bus, "path", SimpleNamespace(exists=kernel.exists))
    monkeypatch.setattr(hal.drivers.i2c, "open", kernel.open, raising=False)
    monkeypatch.setattr("fcntl.ioctl", kernel.ioctl)
