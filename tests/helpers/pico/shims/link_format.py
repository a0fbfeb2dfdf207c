"""The link between an emulated Pico and the emulation around it: request numbers and byte layouts.

One file for both sides: `link.py` and its users read it in MicroPython, `tests.helpers.pico` on the
host. So it is plain Python and imports nothing. Must not know what a request does.
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

# Why a Pico starts.
POWER_ON = 0
BY_PROGRAM = 1
BY_WATCHDOG = 2
SOFT = 3
TO_BOOTLOADER = 4

REQUEST = "<BBHIqq"
"""Kind, a small number, size of the data, number, the Pico's time, another time or number."""
ANSWER = "<qqIHHII"
"""The time, until when, low pins, error, whether output has no room, size of input, size of data.

Input and data follow.
"""

# Data of some requests and answers.
BUS = "<BBII"
"""Data pin, clock pin, frequency in Hz, time-out in us."""
PROGRAM = "<5BI"
"""Side-set pin, wrap target, wrap, bits to pull, whether to shift right; frequency in Hz. The words
of the program follow.
"""
FED = "<q"
"""When the last word is in the FIFO, in us."""
