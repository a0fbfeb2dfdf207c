"""lgpio 0.2.2 as far as gpiozero calls it: all pins are high, but those that `HOLDERS` have.

Like lgpio it makes a pipe in the working folder while it is imported, and opens it by that name.
"""

import os
from unittest.mock import MagicMock

HOLDERS: dict[int, str] = {}
"""Who has a pin, as the kernel names it."""

os.mkfifo(".lgd-nfy0")
os.close(os.open(".lgd-nfy0", os.O_RDWR | os.O_NONBLOCK))


class error(Exception):
    def __init__(self, value: str) -> None:
        self.value = value


def gpio_claim_input(handle: int, gpio: int, flags: int = 0) -> None:
    if gpio in HOLDERS:
        raise error("GPIO busy")


def gpio_get_line_info(handle: int, gpio: int) -> list:
    return [0, gpio, 1, f"GPIO{gpio}", HOLDERS.get(gpio, "")]


def gpio_read(handle: int, gpio: int) -> int:
    return 1


def __getattr__(name: str):
    return 1 if name.isupper() else MagicMock(return_value=0)
