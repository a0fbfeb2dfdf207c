"""Checks of the pins: overlays that take one, and what drives the strip: SPI, PWM or PCM.

Must not know how pixels are coded (`hal.drivers.ws2812`).
"""

from collections.abc import Iterator

from game.maker.doctor.bus_checks import on_core_clock
from game.maker.doctor.check import Check, Finding, Target, failure, ok, warning
from game.maker.doctor.pi import CONFIG, SWITCH_ON, Family, add_to_config
from hal.drivers.spi import BUFFER_FILE, buffer_bytes, buffer_for, find_node
from hal.drivers.ws281x import SOCKET
from hal.drivers.ws281x_helper import INSTEAD, LEDS, overlay
from hal.drivers.ws2812 import transfer_bytes
from hal.profile import SPI_DRIVER, Pin

# The overlays that take one pin: its parameter and its default (README of the kernel's overlays).
_TAKING = {
    "w1-gpio": ("gpiopin", 4),
    "dht11": ("gpiopin", 4),
    "gpio-fan": ("gpiopin", 12),
    "gpio-ir": ("gpio_pin", 18),
    "gpio-shutdown": ("gpio_pin", 3),
}
_SPI_INSTEAD = 'hang the strip on GPIO10 and write driver = "spi", pin = 10 in the profile'
# The overlays that bring an SPI device for GPIO20.
_OVERLAYS = {Family.FIVE: "dtoverlay=spi1-1cs", Family.FOUR: "dtoverlay=spi6-1cs"}
# Clocks of the core in MHz where config.txt says nothing (its documentation, "Overclocking").
_OLD_MAX, _OLD_FIXED = 400, 250
_FOUR_MAX, _FOUR_MIN = 500, 200
_PACKAGE = "rpi-ws281x"
_GROUP = "lifeboard"


def _pins(target: Target) -> Iterator[Finding]:
    profile = target.profile
    uses = {key.number: f"key {n}" for n, key in profile.keys.items() if isinstance(key, Pin)}
    uses[profile.interrupt_pin] = "the interrupt line"
    free = True
    for name, given in target.config.overlays:
        parameter, default = _TAKING.get(name, ("", 0))
        taken = given.get(parameter, str(default))
        use = uses.get(int(taken)) if parameter and taken.isdigit() else None
        if use is not None:
            free = False
            yield warning(
                f"dtoverlay={name} takes GPIO{taken}, which is {use}",
                f"take it out of {CONFIG}, or give it a free pin with `{parameter}=`, then restart"
                " the Pi",
            )
    if free:
        yield ok("no overlay takes one of the board's")


def by_spi(target: Target) -> bool:
    """Return whether the profile's strip is connected to an SPI pin."""
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


def _spi(target: Target) -> Finding:
    pin = target.profile.strip.pin
    node = find_node(pin, target.system.root)
    overlay = _OVERLAYS.get(target.family)
    remedy = add_to_config(overlay) if overlay else _SPI_INSTEAD
    if node is None:
        remedy = SWITCH_ON.format("spi", "spi") if pin == 10 else remedy
        return failure(f"no SPI device drives GPIO{pin}", remedy)
    if node.name == "spidev1.0" and target.family is not Family.FIVE:
        # "Shallow FIFOs and no DMA support": jgarff/rpi_ws281x pull request 400.
        return warning(
            f"/dev/{node.name} leaves gaps between the bytes on this Pi, so colours may be wrong",
            remedy,
        )
    return ok(f"/dev/{node.name} drives GPIO{pin}")


def _buffer(target: Target) -> Finding:
    strip = target.profile.strip
    needed, has = transfer_bytes(strip.pixels, strip.order), buffer_bytes(target.system.root)
    text = f"{strip.pixels} pixels take {needed} bytes in one transfer, the kernel's buffer has"
    if needed <= has:
        return ok(f"{text} {has}")
    return failure(
        f"{text} only {has}",
        f"add spidev.bufsiz={buffer_for(needed)} to the end of the one line of"
        " /boot/firmware/cmdline.txt, then restart the Pi",
    )


def _core_clock(target: Target) -> Finding:
    # Up to the Pi 4 SPI's clock is derived from the core clock.
    config = target.config
    highest = config.number("core_freq")
    if target.family is Family.FOUR:
        highest = highest or _FOUR_MAX
        lowest = config.number("core_freq_min") or _FOUR_MIN
        fixed = lowest >= highest or config.number("force_turbo") == 1
        lines = [f"core_freq={_FOUR_MAX}", f"core_freq_min={_FOUR_MAX}"]
    else:
        highest, lowest, fixed = highest or _OLD_MAX, _OLD_FIXED, highest == _OLD_FIXED
        lines = [f"core_freq={_OLD_FIXED}"]
    if fixed:
        return ok(f"fixed at {highest} MHz")
    return warning(
        f"goes between {lowest} and {highest} MHz, and SPI's with it, so colours may be wrong"
        + on_core_clock(target, lowest, highest),
        add_to_config(*lines),
    )


PINS = (
    Check("pins", _pins),
    Check("spi", _spi, by_spi),
    Check("spi buffer", _buffer, lambda it: by_spi(it) and it.system.exists(f"/{BUFFER_FILE}")),
    Check(
        "core clock",
        _core_clock,
        lambda it: by_spi(it) and it.family in (Family.ZERO_2, Family.THREE, Family.FOUR),
    ),
    Check(_PACKAGE, _package, _by_library),
    Check("leds", _kernel, lambda it: not by_spi(it) and it.family is Family.FIVE),
    Check("root", _root, lambda it: not by_spi(it)),
    Check("audio", _audio, lambda it: _by_library(it) and it.profile.strip.driver == "pwm"),
)
