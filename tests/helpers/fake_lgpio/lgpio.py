"""The calls of lgpio 0.2.2 that gpiozero makes, over pins that `drive` moves and `HOLDERS` take.

Like lgpio it makes a pipe in the working folder while it is imported, and opens it by that name.
"""

import os

RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128

HOLDERS: dict[int, str] = {}
"""Who has a pin, as the kernel names it."""
_LEVELS: dict[int, int] = {}
_MODES: dict[int, int] = {}
_CALLBACKS: dict = {}

os.mkfifo(".lgd-nfy0")
os.close(os.open(".lgd-nfy0", os.O_RDWR | os.O_NONBLOCK))


class error(Exception):
    def __init__(self, value: str) -> None:
        self.value = value


class _Callback:
    def __init__(self, gpio: int) -> None:
        self.cancel = lambda: _CALLBACKS.pop(gpio, None)


def drive(gpio: int, level: int) -> None:
    """Move a pin, as a finger or a chip does."""
    moved = _LEVELS.get(gpio, 1) != level
    _LEVELS[gpio] = level
    if moved and gpio in _CALLBACKS:
        _CALLBACKS[gpio](0, gpio, level, 0)


def gpiochip_open(chip: int) -> int:
    return chip


def gpiochip_close(handle: int) -> None:
    _MODES.clear()


def gpio_claim_input(handle: int, gpio: int, flags: int = 0) -> None:
    if gpio in HOLDERS:
        raise error("GPIO busy")
    _MODES[gpio] = flags


gpio_claim_output = gpio_claim_input


def gpio_claim_alert(handle: int, gpio: int, edges: int, flags: int = 0) -> None:
    gpio_claim_input(handle, gpio, flags)


def gpio_free(handle: int, gpio: int) -> None:
    del _MODES[gpio]


def gpio_get_mode(handle: int, gpio: int) -> int:
    return _MODES[gpio]


def gpio_get_line_info(handle: int, gpio: int) -> list:
    return [0, gpio, 1, f"GPIO{gpio}", HOLDERS.get(gpio, "")]


def gpio_read(handle: int, gpio: int) -> int:
    return _LEVELS.get(gpio, 1)


def gpio_set_debounce_micros(handle: int, gpio: int, micros: int) -> None:
    pass


def callback(handle: int, gpio: int, edge: int, func) -> _Callback:
    _CALLBACKS[gpio] = func
    return _Callback(gpio)
