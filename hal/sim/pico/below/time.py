"""`time` of an emulated Pico: its virtual clock, and waiting in it."""

import link
from utime import gmtime, localtime, mktime  # noqa: F401

_PERIOD = 1 << 30
_CALL_US = 1  # a loop that only looks at the clock must come to an end too
first_us = 0
"""What the counters said at boot."""


def ticks_us():
    """Give microseconds, modulo 2**30."""
    link.spend(_CALL_US)
    return first_us + link.now_us & _PERIOD - 1


def ticks_ms():
    """Give milliseconds, modulo 2**30."""
    link.spend(_CALL_US)
    return (first_us + link.now_us) // 1000 & _PERIOD - 1


def ticks_cpu():
    """Give the finest counter that there is."""
    return ticks_us()


def ticks_add(ticks, delta):
    """Add to a counter's value."""
    return ticks + delta & _PERIOD - 1


def ticks_diff(end, start):
    """Give how far a counter's value is after another one, from -2**29 on."""
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
    """Give seconds since the start: this clock was never set."""
    return link.now_us // 1_000_000


def time_ns():
    """Give nanoseconds since the start."""
    return link.now_us * 1000
