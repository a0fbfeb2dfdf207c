"""The link from the emulated Pico to the emulation around it: time, pins, buses, input.

Owns the virtual clock of this Pico, in microseconds since it booted, and its requests. Runs in
MicroPython. Must not know which module of a Pico makes a request.

`until` is how far the clock may run by itself: up to then nothing changes that could be seen from
here. All that takes longer is requested, and answered when the emulation has arrived there.
"""

import struct

from link_format import ANSWER, BY_WATCHDOG, REQUEST, RESET, WAIT, WATCHDOG

now_us = 0
until_us = 0
low = 0
"""A bit a pin: something outside holds it low."""
full = 0
"""Whether the host reads nothing, and there is no room for a byte more."""
watchdog_us = 0
"""The watchdog's time-out; 0 while there is none."""
_bites_us = 1 << 62
_line = None
_asked = bytearray(struct.calcsize(REQUEST))
_said = bytearray(struct.calcsize(ANSWER))
_input = b""
_at = 0
interrupt = -1
"""The byte that interrupts the program; -1 for none."""


def open_line(number):
    """Take the file descriptor that the emulation has passed on."""
    global _line
    _line = open(number, "r+b")  # noqa: SIM115


def ask(kind, small=0, number=0, other=0, payload=b""):
    """Make a request and return the data of the answer; raise OSError, or KeyboardInterrupt."""
    global now_us, until_us, low, full
    tell(kind, small, number, other, payload)
    if _line.readinto(_said) != len(_said):
        _leave()
    now_us, until_us, low, error, full, came, size = struct.unpack(ANSWER, _said)
    stopped = _take(_line.read(came)) if came else False
    data = _line.read(size) if size else b""
    if now_us >= _bites_us:
        reset(BY_WATCHDOG)
    if stopped:
        raise KeyboardInterrupt
    if error:
        raise OSError(error)
    return data


def tell(kind, small=0, number=0, other=0, payload=b""):
    """Make a request without an answer."""
    struct.pack_into(REQUEST, _asked, 0, kind, small, len(payload), number, now_us, other)
    _line.write(_asked)
    if payload:
        # Not copied: a Pico lacks the memory for that.
        _line.write(payload)


def spend(us):
    """Let the time pass that a call takes."""
    global now_us
    if now_us + us <= until_us and now_us + us < _bites_us:
        now_us += us
    else:
        _pass(now_us + us, False)


def wait(end_us, for_input):
    """Let time pass up to `end_us`, -1 for ever, or until there is input; tell whether there is."""
    while not (for_input and _at < len(_input)) and (end_us < 0 or now_us < end_us):
        _pass(end_us, for_input)
    return _at < len(_input)


def _pass(end_us, for_input):
    """Let time pass up to `end_us`, or a part of it."""
    global now_us
    limit = _bites_us if end_us < 0 or end_us > _bites_us else end_us
    if limit <= until_us:
        now_us = limit
        if now_us >= _bites_us:
            reset(BY_WATCHDOG)
    else:
        ask(WAIT, for_input, interrupt & 0xFFFF, limit)


def has_input():
    """Tell whether there is unread input."""
    return _at < len(_input)


def read(most, line):
    """Wait for input, and read at most a number of bytes, of a `line` up to its end."""
    global _input, _at
    wait(-1, True)
    end = min(len(_input), _at + most)
    if line:
        found = _input.find(b"\n", _at, end)
        if found >= 0:
            end = found + 1
    data = _input[_at:end]
    _at = end
    if _at == len(_input):
        _input, _at = b"", 0
    return data


def watch(timeout_us):
    """Start the watchdog, with its time-out."""
    global watchdog_us
    watchdog_us = timeout_us
    tell(WATCHDOG, 0, 0, timeout_us)
    feed()


def feed():
    """Feed the watchdog."""
    global _bites_us
    if watchdog_us:
        _bites_us = now_us + watchdog_us


def reset(cause, raw=False):
    """End this process; the emulation starts another one, at the `raw` prompt or the other."""
    tell(RESET, cause, raw)
    # The emulation ends this process: it cannot be delayed here.
    while _line.read(1):
        pass
    _leave()


def _leave():
    """End this process at once, past all handlers: the emulation is gone."""
    import ffi

    ffi.open(None).func("v", "_exit", "i")(0)


def _take(data):
    """Store input; tell whether it had an interrupt, which is not input itself."""
    global _input, _at
    stopped = False
    if interrupt >= 0 and bytes([interrupt]) in data:
        # As in MicroPython, input before it is dropped.
        data = data[data.rfind(bytes([interrupt])) + 1 :]
        _input, _at = b"", 0
        stopped = True
    _input = _input[_at:] + data
    _at = 0
    return stopped
