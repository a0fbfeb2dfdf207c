"""Checks of what drives the pixels: SPI with its buffer and clock, or PWM and PCM with theirs.

Owns what each way needs of which Pi. Must not know how pixels are coded (`hal.drivers.ws2812`).
"""

from collections.abc import Iterator

from game.app.doctor.checks_system import older
from game.app.doctor.findings import Finding, failure, ok, warning
from game.app.doctor.host import Host
from game.app.doctor.model import Family
from hal.drivers.pixel_link import SOCKET
from hal.drivers.spi import BUFFER_FILE, buffer_bytes, buffer_for, find_node
from hal.drivers.ws2812 import transfer_bytes
from hal.profile import Profile, Strip

_SPI_INSTEAD = 'hang the strip on GPIO10 and write driver = "spi", pin = 10 in the profile'
_AUDIO = "snd_bcm2835"
_WS281X = "rpi-ws281x"
# Clocks of the core in MHz where config.txt says nothing (its documentation, "Overclocking").
_OLD_TOP, _OLD_STILL = 400, 250
_FOUR_TOP, _FOUR_LEAST = 500, 200


def check_pixels(host: Host, profile: Profile) -> Iterator[Finding]:
    """Check the way to the pixels that the profile takes."""
    strip = profile.strip
    if strip.driver == "spi":
        yield from _check_spi(host, strip)
    elif host.model.family is Family.FIVE:
        yield failure(
            "pixels",
            f"driver {strip.driver} does not work on a Raspberry Pi 5: its pins hang on another"
            f" chip, which {_WS281X} does not know",
            _SPI_INSTEAD,
        )
    else:
        yield from _check_ws281x(host, strip)


def _check_spi(host: Host, strip: Strip) -> Iterator[Finding]:
    node = find_node(strip.pin, host.system.root)
    family = host.model.family
    if node is None:
        yield failure("spi", f"no SPI device drives GPIO{strip.pin}", _make_spi(host, strip))
    elif strip.pin == 20 and node.name == "spidev1.0" and family is not Family.FIVE:
        # "Shallow FIFOs and no DMA support": jgarff/rpi_ws281x pull request 400.
        four = family is Family.FOUR
        yield warning(
            "spi",
            f"/dev/{node.name} leaves gaps between the bytes on this Pi, so colours may be wrong",
            host.in_config("dtoverlay=spi6-1cs") if four else _SPI_INSTEAD,
        )
    else:
        yield ok("spi", f"/dev/{node.name} drives GPIO{strip.pin}")
    if host.system.exists(f"/{BUFFER_FILE}"):
        yield _check_buffer(host, strip)
    yield from _check_clock(host)


def _make_spi(host: Host, strip: Strip) -> str:
    if strip.pin == 10:
        if host.boot.on("spi"):
            return f"restart the Pi: {host.config_path} asks for it already"
        return (
            "sudo raspi-config nonint do_spi 0"
            f" (it writes `dtparam=spi=on` to {host.config_path}), then restart the Pi"
        )
    match host.model.family:
        case Family.FIVE:
            return host.in_config("dtoverlay=spi1-1cs")
        case Family.FOUR:
            return host.in_config("dtoverlay=spi6-1cs")
        case _:
            return _SPI_INSTEAD


def _check_buffer(host: Host, strip: Strip) -> Finding:
    needed, has = transfer_bytes(strip.pixels, strip.order), buffer_bytes(host.system.root)
    text = f"{strip.pixels} pixels take {needed} bytes in one transfer, the kernel's buffer has"
    if needed <= has:
        return ok("spi buffer", f"{text} {has}")
    path = host.system.boot_file("cmdline.txt")
    option = f"spidev.bufsiz={buffer_for(needed)}"
    if option in (host.system.text(path) or "").split():
        return failure(
            "spi buffer", f"{text} {has}", f"restart the Pi: {path} asks for {option} already"
        )
    return failure(
        "spi buffer",
        f"{text} only {has}",
        f"add {option} to the end of the one line of {path}, then restart the Pi",
    )


def _check_clock(host: Host) -> Iterator[Finding]:
    """Check that the core's clock stands still where SPI's is made of it: not so on a Pi 5."""
    boot = host.boot
    top = boot.number("core_freq") or boot.number("gpu_freq")
    match host.model.family:
        case Family.ZERO_2 | Family.THREE:
            top, least, still = top or _OLD_TOP, _OLD_STILL, (top == _OLD_STILL)
            lines = [f"core_freq={_OLD_STILL}"]
        case Family.FOUR:
            top = top or _FOUR_TOP
            least = boot.number("core_freq_min") or boot.number("gpu_freq_min") or _FOUR_LEAST
            still = least >= top or boot.number("force_turbo") == 1
            lines = [f"core_freq={_FOUR_TOP}", f"core_freq_min={_FOUR_TOP}"]
        case _:
            return
    if still:
        yield ok("core clock", f"fixed at {top} MHz")
    else:
        yield warning(
            "core clock",
            f"goes between {least} and {top} MHz, and SPI's with it, so colours may be wrong",
            host.in_config(*lines),
        )


def _check_ws281x(host: Host, strip: Strip) -> Iterator[Finding]:
    process = host.system.process
    installed = process.packages.get(_WS281X)
    if installed is None:
        yield failure(
            _WS281X,
            f"not installed: driver {strip.driver} needs it",
            "sudo apt install gcc python3-dev, then " + host.install(f"{_WS281X}>=5"),
        )
    elif older(installed, "5"):
        yield failure(
            _WS281X,
            f"{installed} does not know the newer Pis: allowed is 5.0.0 or later",
            host.install(f"{_WS281X}>=5"),
        )
    else:
        yield ok(_WS281X, installed)
    if process.uid == 0:
        yield ok("root", f"driver {strip.driver} needs it, and has it")
    elif host.system.exists(str(SOCKET)):
        yield ok("root", f"driver {strip.driver} needs it, and {SOCKET} leads to who has it")
    else:
        yield failure(
            "root",
            f"driver {strip.driver} needs root, and this is {process.user}",
            "sudo lifeboard service install --pwm, then sudo systemctl enable --now"
            f" lifeboard-pixels.socket; or start lifeboard with sudo, or {_SPI_INSTEAD}",
        )
    yield _check_pwm(host) if strip.driver == "pwm" else _check_pcm(host)


def _check_pwm(host: Host) -> Finding:
    asked, barred = host.boot.on("audio"), host.system.blacklisted(_AUDIO)
    remedy = (
        f"write `dtparam=audio=off` in {host.config_path} in the place of `dtparam=audio=on`, then"
        f" restart the Pi; or {_SPI_INSTEAD}"
    )
    if host.system.exists(f"/sys/module/{_AUDIO}"):
        return failure("audio", f"{_AUDIO} is loaded, and uses the PWM that drives pixels", remedy)
    if asked and not barred:
        return failure(
            "audio", "audio=on will take the PWM that drives pixels at the next start", remedy
        )
    return ok("audio", "leaves the PWM to the pixels")


def _check_pcm(host: Host) -> Finding:
    if host.boot.on("i2s"):
        return failure(
            "audio",
            "i2s=on uses the PCM that drives pixels",
            f"take `dtparam=i2s=on` out of {host.config_path}, then restart the Pi;"
            f" or {_SPI_INSTEAD}",
        )
    return ok("audio", "leaves the PCM to the pixels")
