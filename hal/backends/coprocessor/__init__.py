"""A Raspberry Pi Pico under the board: the host's end of its line, and the firmware on it."""
