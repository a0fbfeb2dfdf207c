"""Checks of the pins: whether an overlay of config.txt takes one that the board needs."""

from collections.abc import Iterator

from game.maker.doctor.boot import CONFIG
from game.maker.doctor.check import Check, Target
from game.maker.doctor.findings import Finding, ok, warning
from hal.profile import Pin

# The overlays that take one pin: its parameter and its default (README of the kernel's overlays).
_TAKING = {
    "w1-gpio": ("gpiopin", 4),
    "dht11": ("gpiopin", 4),
    "gpio-fan": ("gpiopin", 12),
    "gpio-ir": ("gpio_pin", 18),
    "gpio-shutdown": ("gpio_pin", 3),
}


def _pins(target: Target) -> Iterator[Finding]:
    profile = target.profile
    uses = {key.number: f"key {n}" for n, key in profile.keys.items() if isinstance(key, Pin)}
    uses[profile.interrupt_pin] = "the interrupt line"
    free = True
    for overlay, given in target.config.overlays:
        parameter, default = _TAKING.get(overlay, ("", 0))
        taken = given.get(parameter, str(default))
        use = uses.get(int(taken)) if parameter and taken.isdigit() else None
        if use is not None:
            free = False
            yield warning(
                f"dtoverlay={overlay} takes GPIO{taken}, which is {use}",
                f"take it out of {CONFIG}, or give it a free pin with `{parameter}=`, then restart"
                " the Pi",
            )
    if free:
        yield ok("no overlay takes one of the board's")


PINS = Check("pins", _pins)
