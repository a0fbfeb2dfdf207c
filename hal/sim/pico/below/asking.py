"""What an emulated Pico asks of the emulation around it: the numbers, and the layout of the bytes.

One file for both sides: `link.py` and its users read it in MicroPython, `hal.sim.pico` on the host.
So it is plain Python and imports nothing. Must not know what is done when something is asked.
"""

# Kinds of requests.
WAIT = 1
OPEN_BUS = 2
TRANSFER = 3
SCAN = 4
PIN = 5
STATE_MACHINE = 6
ACTIVE = 7
RUN = 8
RESET = 9
WATCHDOG = 10

# Why a Pico starts anew.
POWER_ON = 0
BY_PROGRAM = 1
BY_WATCHDOG = 2
SOFT = 3
TO_BOOTLOADER = 4

REQUEST = "<BBHIqq"
"""Kind, small, size of what follows, number, the time there, another time or number."""
ANSWER = "<qqIHHII"
"""The time, until when, low pins, error, whether output has no room, size of input, size of data.

Input and data follow.
"""

# What follows some requests, or answers them.
BUS = "<BBII"
"""Data pin, clock pin, frequency in Hz, time-out in us."""
PROGRAM = "<12BI"
"""Side-set pins, whether they are optional, the first; pins of OUT, the first; those of SET, the
first; wrap target, wrap, autopull, bits to pull, whether to shift right; frequency in Hz. The words
of the program follow.
"""
FED = "<qI"
"""When the last word is in the FIFO, in us, and how many words wait there."""
