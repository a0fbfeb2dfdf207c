"""Checks of what drives a strip on a PWM or PCM pin: the library or the kernel, root, and audio."""

from game.maker.doctor.boot import add_to_config
from game.maker.doctor.check import Check, Target
from game.maker.doctor.findings import Finding, failure, ok
from game.maker.doctor.model import Family
from hal.drivers.ws281x import SOCKET
from hal.drivers.ws281x_helper import INSTEAD, LEDS, overlay
from hal.profile.pin_map import SPI_DRIVER

_PACKAGE = "rpi-ws281x"
_GROUP = "lifeboard"


def by_spi(target: Target) -> bool:
    """Tell whether the profile's strip hangs on an SPI pin."""
    return target.profile.strip.driver == SPI_DRIVER


def _by_library(target: Target) -> bool:
    return not by_spi(target) and target.family is not Family.FIVE


def _package(target: Target) -> Finding:
    if target.system.process.ws281x:
        return ok("installed")
    return failure(
        f"not installed: driver {target.profile.strip.driver} needs it",
        "sudo apt install gcc python3-dev, then `make clean` and `make play`, which compiles it",
    )


def _kernel(target: Target) -> Finding:
    strip = target.profile.strip
    if target.system.exists(str(LEDS)):
        return ok(f"{LEDS} drives the strip")
    return failure(
        f"nothing drives GPIO{strip.pin}: on a Raspberry Pi 5 {_PACKAGE} does not, the kernel can",
        f"{add_to_config(overlay(strip.pin, strip.pixels, len(strip.order)))}; or {INSTEAD}",
    )


def _root(target: Target) -> Finding:
    process, driver = target.system.process, target.profile.strip.driver
    if process.uid == 0:
        return ok(f"driver {driver} needs it, and has it")
    if target.system.exists(str(SOCKET)) and _GROUP in process.groups:
        return ok(f"driver {driver} has it by {SOCKET}")
    return failure(
        f"driver {driver} needs it, and this is {process.user}",
        f"put sudo before the command, or let the service play (make service); or {INSTEAD}",
    )


def _audio(target: Target) -> Finding:
    if target.config.parameters.get("audio") != "on":
        return ok("leaves PWM to the strip")
    return failure(
        "it is switched on, and uses the PWM that drives the strip",
        "write `dtparam=audio=off` instead of `dtparam=audio=on` in /boot/firmware/config.txt, then"
        f" restart the Pi; or {INSTEAD}",
    )


WS281X = (
    Check(_PACKAGE, _package, _by_library),
    Check("leds", _kernel, lambda it: not by_spi(it) and it.family is Family.FIVE),
    Check("root", _root, lambda it: not by_spi(it)),
    Check("audio", _audio, lambda it: _by_library(it) and it.profile.strip.driver == "pwm"),
)
