"""Checks of what drives the pixels: SPI, its buffer and the clock of the core.

Must not know how pixels are coded (`hal.drivers.ws2812`).
"""

from game.maker.doctor.boot import SWITCH_ON, add_to_config
from game.maker.doctor.bus_checks import on_core_clock
from game.maker.doctor.check import Check, Target
from game.maker.doctor.findings import Finding, failure, ok, warning
from game.maker.doctor.model import Family
from game.maker.doctor.ws281x_checks import by_spi
from hal.drivers.spi import BUFFER_FILE, buffer_bytes, buffer_for, find_node
from hal.drivers.ws2812 import transfer_bytes

_SPI_INSTEAD = 'hang the strip on GPIO10 and write driver = "spi", pin = 10 in the profile'
# The overlays that bring an SPI device for GPIO20.
_OVERLAYS = {Family.FIVE: "dtoverlay=spi1-1cs", Family.FOUR: "dtoverlay=spi6-1cs"}
# Clocks of the core in MHz where config.txt says nothing (its documentation, "Overclocking").
_OLD_MAX, _OLD_FIXED = 400, 250
_FOUR_MAX, _FOUR_MIN = 500, 200


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
    # SPI's clock is made of it up to the Pi 4.
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


PIXELS = (
    Check("spi", _spi, by_spi),
    Check("spi buffer", _buffer, lambda it: by_spi(it) and it.system.exists(f"/{BUFFER_FILE}")),
    Check(
        "core clock",
        _core_clock,
        lambda it: by_spi(it) and it.family in (Family.ZERO_2, Family.THREE, Family.FOUR),
    ),
)
