"""`lifeboard doctor`: finds what keeps a board from working, and says how to repair it.

Checks the computer, on a Raspberry Pi also chips and strip, and a board on a Pico.
"""

import platform
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from game.common import data_folder
from game.maker.system import (
    Family,
    Finding,
    Severity,
    System,
    Target,
    add_to_config,
    failure,
    ok,
    warning,
)
from game.play import choose_board
from hal.backends.coprocessor.platform import search_chips
from hal.backends.registry import COPROCESSOR, PI
from hal.base.errors import BackendError
from hal.drivers.i2c_search import Buses, BusSearch, find_chips
from hal.drivers.spi import buffer_bytes, buffer_for, find_node, transfer_bytes
from hal.drivers.ws281x import SOCKET
from hal.drivers.ws281x_helper import INSTEAD, LEDS, overlay
from hal.profile import HEADER_BUS, SPI_DRIVER, Chip, Profile

_ADDR = {0x5A: "ground", 0x5B: "3.3 V", 0x5C: "SDA", 0x5D: "SCL"}
_SIGNALS = "power, ground, SDA and SCL"
_END = "end it (the service: sudo systemctl stop lifeboard), then run doctor again"

# The core clock that must be fixed, up to the Pi 4, since the clock of SPI follows it.
_OLD_CLOCK = ("core_freq=250",)
_CLOCKS = {
    Family.ZERO_2: _OLD_CLOCK,
    Family.THREE: _OLD_CLOCK,
    Family.FOUR: ("core_freq=500", "core_freq_min=500"),
}
_SHORT_BYTES = 500_000_000
_LOW_VOLTAGE = 1 << 16 | 1  # bits of `vcgencmd get_throttled`: since the start, and now
_SUPPLY = (
    "use the official supply (5.1 V; 2.5 A for a Zero 2 W or 3, 3 A for a 4, 5 A for a 5) with its"
    " own short cable, and feed the pixels from a supply of theirs, not from the Pi's pins"
)

_ANSWER_S = 6.0  # a Pico answers some seconds after its cable is plugged in
INSTALL = (
    "unplug it, hold its BOOTSEL button while you plug it in, and a drive RPI-RP2 appears, or"
    " RP2350 for a Pico 2; copy the .uf2 file of https://micropython.org/download/RPI_PICO/ (a"
    " Pico 2: RPI_PICO2/) onto it, and call `lifeboard flash`"
)
"""What brings MicroPython onto a Pico."""

Checks = Sequence[Callable[[Target], Iterator[Finding]]]


def run_doctor(board: str | None, data: Path | None, serial: str | None = None) -> int:
    """Examine this computer, print what was found and return the exit status."""
    from hal.backends.pi import RaspberryPi

    profile = choose_board(board, PI if serial is None else COPROCESSOR, serial)
    findings = diagnose(profile, System(data or data_folder()), RaspberryPi())
    print(report(findings))
    return int(any(finding.level is Severity.FAILURE for finding in findings))


def diagnose(profile: Profile, system: System, buses: Buses | None) -> tuple[Finding, ...]:
    """Examine a computer for a board; `buses` are the I2C buses of a Pi."""
    wanted = _PI if system.family else _COMPUTER
    if profile.pico is not None:
        wanted = _PICO
    target = Target(system, profile, buses)
    return tuple(finding for check in wanted for finding in check(target))


def report(findings: Sequence[Finding]) -> str:
    """Write one line a finding, the remedy under it, and a count."""
    lines = []
    for finding in findings:
        level = finding.level if finding.level is Severity.OK else finding.level.upper()
        lines.append(f"{level:<9}{finding.name}: {finding.text}")
        if finding.remedy:
            lines.append(f"{'':<9}-> {finding.remedy}")
    count = Counter(finding.level for finding in findings)
    lines.append(", ".join(f"{level}: {count[level]}" for level in Severity))
    return "\n".join(lines)


def computer(target: Target) -> Iterator[Finding]:
    """Say what computer this is, and check that lifeboard is made for it if it is a Pi."""
    system, name = target.system, "computer"
    text = f"{system.machine}, Linux {platform.release()}, Python {platform.python_version()}"
    if system.family is Family.OTHER and target.profile.pico is None:
        yield warning(name, text, "use a Raspberry Pi Zero 2 W, 3, 4 or 5")
    elif system.family is None and target.profile.pico is None:
        yield ok(name, f"{text}; it is no Raspberry Pi: `lifeboard play` simulates the board")
    else:
        yield ok(name, text)


def lgpio(target: Target) -> Iterator[Finding]:
    """Check that this Python reaches the pins."""
    if target.system.process.lgpio:
        yield ok("lgpio", "installed")
        return
    yield failure(
        "lgpio",
        "this Python does not have it, and gpiozero cannot reach the pins without it",
        "sudo apt install python3-lgpio; if it is there already, this Python is not the system's:"
        " `make clean`, then `make play`",
    )


def groups(target: Target) -> Iterator[Finding]:
    """Check that the user is in the groups of the devices."""
    # Raspberry Pi OS gives the devices to these groups.
    wanted = ["gpio", "i2c", *(["spi"] if target.profile.strip.driver == SPI_DRIVER else [])]
    process = target.system.process
    lacking = [group for group in wanted if group not in process.groups]
    if process.uid == 0 or not lacking:
        yield ok("groups", f"{process.user} may use the devices")
        return
    yield failure(
        "groups",
        f"{process.user} is not in {', '.join(lacking)}",
        f"sudo usermod -aG {','.join(lacking)} {process.user}, then log out and in again",
    )


def supply(target: Target) -> Iterator[Finding]:
    """Check the voltage of a Pi's supply, where the Pi measures it."""
    answer = target.system.run(["vcgencmd", "get_throttled"])
    bits = answer.removeprefix("throttled=0x")
    if bits == answer:
        return
    # Below 4.63 V the firmware slows the Pi down.
    if int(bits, 16) & _LOW_VOLTAGE:
        yield warning("supply", "its voltage has been too low since the Pi started", _SUPPLY)
    else:
        yield ok("supply", "its voltage has been good since the Pi started")


def disk(target: Target) -> Iterator[Finding]:
    """Check the room on the disk with the games."""
    free = target.system.free(target.system.data_disk)
    space = f"{free / 1e6:.0f} MB free for {target.system.data}"
    if free >= _SHORT_BYTES:
        yield ok("disk", space)
    else:
        yield warning("disk", f"only {space}", "delete files, or take a larger card or disk")


def service(target: Target) -> Iterator[Finding]:
    """Check the service, if it is installed."""
    state = target.system.run(["systemctl", "is-active", "lifeboard"])
    if state == "failed":
        yield failure(
            "service",
            "it has failed",
            "read why with journalctl -u lifeboard -n 50, then sudo systemctl restart lifeboard",
        )
    elif state:
        yield ok("service", state)


def chips(target: Target) -> Iterator[Finding]:
    """Search the buses for the chips of the profile, and for others."""
    if target.system.in_use():
        yield warning("chips", "not looked for, since a lifeboard that runs uses them", _END)
        return
    if target.buses is None:
        return
    profile = target.profile
    # Not the buses of displays and cameras.
    wanted = {HEADER_BUS, *(chip.bus for chip in profile.chips)}
    there = [bus for bus in sorted(wanted) if target.system.exists(f"/dev/i2c-{bus}")]
    for bus in sorted(wanted.difference(there)):
        wires = f"dtoverlay=i2c-gpio,bus={bus},i2c_gpio_sda=23,i2c_gpio_scl=24"
        remedy = f"{add_to_config(wires)}, with the pins of its SDA and SCL"
        if bus == HEADER_BUS:
            remedy = "sudo raspi-config nonint do_i2c 0, then restart the Pi"
        yield failure(f"bus {bus}", f"/dev/i2c-{bus} is not there", remedy)
    search = find_chips(there, target.buses.bus)
    for trouble in search.troubles:
        yield failure(
            f"bus {trouble.bus}",
            trouble.detail,
            "take its chips off one by one until it works, and check"
            f" {_SIGNALS} of the one that blocks it",
        )
    muxes = {(chip.bus, chip.mux) for chip in profile.chips if chip.mux is not None}
    for mux in (Chip("", *place) for place in sorted(muxes)):
        if mux not in search.muxes:
            yield failure(
                f"multiplexer 0x{mux.address:X}",
                f"does not answer on bus {mux.bus}",
                f"check its {_SIGNALS}, and the pins of its address; RST goes to 3.3 V",
            )
    yield from chip_findings(profile, search)


def chip_findings(profile: Profile, search: BusSearch) -> Iterator[Finding]:
    """Compare the chips of a profile with those found."""
    found = {chip.place for chip in search.chips}
    for chip in profile.chips:
        if chip.place in found:
            yield ok(f"chip {chip.name}", f"answers at {chip.place}")
            continue
        yield failure(
            f"chip {chip.name}",
            f"does not answer at {chip.place}",
            f"check its {_SIGNALS}, and that its ADDR goes to {_ADDR[chip.address]}, which makes"
            f" 0x{chip.address:X}",
        )
    for place in sorted(found - {chip.place for chip in profile.chips}):
        yield warning(
            "chips",
            f"one at {place} answers that the profile does not name",
            "name it in [chips] of the profile, or take it off the bus",
        )


def strip(target: Target) -> Iterator[Finding]:
    """Check what drives the strip."""
    system, strip = target.system, target.profile.strip
    process, pin = system.process, f"GPIO{strip.pin}"
    # On a Pi 5 the kernel drives a strip that is not on SPI; elsewhere rpi-ws281x does.
    by_kernel = system.family is Family.FIVE
    if strip.driver == SPI_DRIVER:
        yield _spi(target)
    elif by_kernel and not system.exists(str(LEDS)):
        add = add_to_config(overlay(strip.pin, strip.pixels, len(strip.order)))
        yield failure("strip", f"nothing drives {pin}: the kernel can", f"{add}; or {INSTEAD}")
    elif not by_kernel and not process.ws281x:
        yield failure(
            "strip",
            f"driver {strip.driver} needs rpi-ws281x, which is not installed",
            "sudo apt install gcc python3-dev, then `make clean` and `make play`",
        )
    elif not by_kernel and strip.driver == "pwm" and system.config.get("audio") == "on":
        yield failure(
            "strip",
            "audio is switched on, and uses the PWM that drives the strip",
            "write `dtparam=audio=off` instead of `dtparam=audio=on` in /boot/firmware/config.txt,"
            f" then restart the Pi; or {INSTEAD}",
        )
    elif process.uid and not (system.exists(str(SOCKET)) and "lifeboard" in process.groups):
        yield failure(
            "strip",
            f"driver {strip.driver} needs root, and this is {process.user}",
            f"put sudo before the command, or let the service play (make service); or {INSTEAD}",
        )
    else:
        yield ok("strip", f"driver {strip.driver} drives {pin}")


def _spi(target: Target) -> Finding:
    """Check that an SPI device drives the strip's pin, and that a frame fits its buffer."""
    strip, root = target.profile.strip, target.system.root
    node = find_node(strip.pin, root)
    if node is None:
        remedy = "sudo raspi-config nonint do_spi 0, then restart the Pi"
        if strip.pin != 10:
            remedy = INSTEAD
        return failure("strip", f"no SPI device drives GPIO{strip.pin}", remedy)
    needed, has = transfer_bytes(strip.pixels, strip.order), buffer_bytes(root)
    if needed > has:
        return failure(
            "strip",
            f"{strip.pixels} pixels take {needed} bytes in one transfer, the kernel's buffer has"
            f" only {has}",
            f"add spidev.bufsiz={buffer_for(needed)} to the end of the one line of"
            " /boot/firmware/cmdline.txt, then restart the Pi",
        )
    return ok("strip", f"/dev/{node.name} drives GPIO{strip.pin}")


def core_clock(target: Target) -> Iterator[Finding]:
    """Check that the core clock is fixed."""
    system, wanted = target.system, _CLOCKS.get(target.system.family or Family.OTHER)
    if target.profile.strip.driver != SPI_DRIVER or wanted is None:
        return
    config = {f"{name}={value}" for name, value in system.config.items()}
    if config.issuperset(wanted):
        yield ok("core clock", "fixed")
    else:
        yield warning(
            "core clock",
            "it moves, and the clock of SPI with it, so that colours may be wrong",
            add_to_config(*wanted),
        )


def pico(target: Target) -> Iterator[Finding]:
    """Let the firmware look for the chips of the board."""
    system, profile = target.system, target.profile
    if profile.pico is None:
        return
    if system.in_use():
        yield warning("pico", "not asked, since a lifeboard that runs uses its port", _END)
        return
    try:
        search = search_chips(system.open_port(profile.pico.port), profile, system.clock, _ANSWER_S)
    except BackendError as error:
        yield failure(
            "pico",
            str(error),
            "plug its USB cable in anew, one that carries data, and end other programs that use it,"
            " such as mpremote or Thonny; if that does not help: lifeboard flash",
        )
        return
    yield ok("pico", f"its firmware answers at {profile.pico.port}")
    for bus in sorted({chip.bus for chip in profile.chips} - {chip.bus for chip in search.chips}):
        wires = profile.pico.buses[bus]
        yield warning(
            f"bus {bus}",
            "no chip answers on it",
            f"check that SDA goes to GP{wires.sda} and SCL to GP{wires.scl} (not numbers of the"
            " Pico's edge), that both are pulled up to 3.3 V, and the chips' power and ground",
        )
    yield from chip_findings(profile, search)


_REST: Checks = (supply, disk, service)
_PI: Checks = (computer, lgpio, groups, chips, strip, core_clock, *_REST)
# A board on a Pico needs none of the computer's own buses and pins.
_PICO: Checks = (computer, pico, *_REST)
# On other computers only a simulated board can be checked.
_COMPUTER: Checks = (computer, disk)
