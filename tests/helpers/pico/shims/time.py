"""`time` of an emulated Pico: its virtual clock, and waiting in it."""

import link
from utime import gmtime, localtime, mktime  # noqa: F401

_PERIOD = 1 << 30
_CALL_US = 1  # a loop that only reads the clock must end too
first_us = 0
"""The counters' values at boot."""


def ticks_us():
    """Return microseconds, modulo 2**30."""
    link.spend(_CALL_US)
    return first_us + link.now_us & _PERIOD - 1


def ticks_ms():
    """Return milliseconds, modulo 2**30."""
    link.spend(_CALL_US)
    return (first_us + link.now_us) // 1000 & _PERIOD - 1


def ticks_cpu():
    """Return the finest counter available."""
    return ticks_us()


def ticks_add(ticks, delta):
    """Add to a counter's value."""
    return ticks + delta & _PERIOD - 1


def ticks_diff(end, start):
    """Return the signed difference of two counter values, from -2**29 on."""
    return (end - start + _PERIOD // 2 & _PERIOD - 1) - _PERIOD // 2


def sleep(seconds):
    """Wait."""
    sleep_us(int(seconds * 1_000_000))


def sleep_ms(ms):
    """Wait."""
    sleep_us(ms * 1000)


def sleep_us(us):
    """Wait."""
    link.wait(link.now_us + max(0, us), False)


def time():
    """Return seconds since the start: this clock was never set."""
    return link.now_us // 1_000_000


def time_ns():
    """Return nanoseconds since the start."""
    return link.now_us * 1000
