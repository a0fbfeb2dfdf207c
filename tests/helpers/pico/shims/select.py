"""`select` of an emulated Pico: waiting for input from USB, in virtual time."""

import console
import link

POLLIN = 1
POLLOUT = 4
POLLERR = 8
POLLHUP = 16

_CALL_US = 1


class _Poll:
    def __init__(self):
        self._wanted = []

    def register(self, stream, events=POLLIN | POLLOUT):
        if stream not in console.STREAMS:
            raise OSError(22)
        self._wanted = [each for each in self._wanted if each[0] is not stream]
        self._wanted.append((stream, events))

    def modify(self, stream, events):
        if all(each[0] is not stream for each in self._wanted):
            raise OSError(2)
        self.register(stream, events)

    def unregister(self, stream):
        self._wanted = [each for each in self._wanted if each[0] is not stream]

    def poll(self, timeout_ms=-1):
        link.spend(_CALL_US)
        ready = self._ready()
        if ready or timeout_ms == 0:
            return ready
        end_us = -1 if timeout_ms < 0 else link.now_us + timeout_ms * 1000
        link.wait(end_us, any(events & POLLIN for _, events in self._wanted))
        return self._ready()

    def ipoll(self, timeout_ms=-1, flags=0):
        return iter(self.poll(timeout_ms))

    def _ready(self):
        there = (0 if link.full else POLLOUT) | (POLLIN if link.has_input() else 0)
        return [(stream, events & there) for stream, events in self._wanted if events & there]


def poll():
    """Make a poll object."""
    return _Poll()
