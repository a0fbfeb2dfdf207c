"""Checks of a board on a Raspberry Pi Pico: its port, its firmware, and the chips on its buses."""

import errno
from collections.abc import Collection, Iterator

from game.maker.doctor.check import Finding, Severity, Target, failure, ok, warning
from game.maker.doctor.pi_checks import END, chip_findings
from game.maker.doctor.system import System
from hal.backends.coprocessor.client import PROTOCOL, VERSION, Ident
from hal.backends.coprocessor.flash import PicoPort
from hal.backends.coprocessor.platform import search_chips
from hal.backends.coprocessor.port import (
    AUTO,
    BOOTSEL_RP2040,
    BOOTSEL_RP2350,
    MICROPYTHON,
    NAME,
    VENDOR,
)
from hal.base.errors import BackendError, LinkFault
from hal.profile import Pico

_ANSWER_S = 3.0  # a Pico answers some seconds after its cable is plugged in
_PROMPT_S = 1.0
_FLASH = "lifeboard flash"
_REPLUG = "unplug the Pico's USB cable and plug it in, then run doctor again"
_IN_PICO = "under [pico] of the board's file"

# The drives of Picos that wait for MicroPython, and the names of the pages with a file for each
# (github.com/raspberrypi/usb-pid).
_DRIVES = {BOOTSEL_RP2040: ("RPI-RP2", "RPI_PICO/"), BOOTSEL_RP2350: ("RP2350", "RPI_PICO2/")}
_HOLD = (
    "unplug it, hold its BOOTSEL button while you plug it in, and a drive RPI-RP2 appears, or"
    " RP2350 for a Pico 2"
)
_COPY = (
    "copy the .uf2 file of https://micropython.org/download/{} onto it, and call `lifeboard flash`"
)
INSTALL = f"{_HOLD}; {_COPY.format('RPI_PICO/ (a Pico 2: RPI_PICO2/)')}"
"""What brings MicroPython onto a Pico."""


def missing_pico(products: Collection[int]) -> tuple[str, str]:
    """Return why no Pico with MicroPython is found among the USB products, and a remedy."""
    for product, (drive, page) in _DRIVES.items():
        if product in products:
            return (
                f"a Pico is plugged in that waits for MicroPython, as the drive {drive}",
                f"{_COPY.format(page)}; if it has MicroPython already, plug it in again without the"
                " button BOOTSEL",
            )
    if products:
        names = ", ".join(f"{VENDOR:04x}:{each:04x}" for each in sorted(products))
        return (
            f"no Pico with MicroPython is plugged in, but another device of Raspberry Pi ({names})",
            f"if that is the Pico: {INSTALL}",
        )
    return (
        "no Pico is plugged in",
        "plug its USB cable in, one that carries data: many only charge; for a new Pico:"
        f" {INSTALL}",
    )


def pico(target: Target) -> Iterator[Finding]:
    """Yield how to examine a plugged-in Pico; nothing if there is none."""
    if MICROPYTHON in target.system.usb_products():
        yield ok(
            "a Pico is plugged in: `lifeboard doctor --board hexagon-61-pico`, or any board with"
            " [pico], examines it"
        )


def port(target: Target) -> Iterator[Finding]:
    """Check port, firmware and chips, each only if the ones before it work."""
    pico = target.profile.pico
    if pico is None:
        return
    there = _port(target.system, pico.port)
    yield there
    if there.level is Severity.FAILURE:
        return
    if target.in_use():
        yield warning("not asked, since a lifeboard that runs uses its port", END, "firmware")
        return
    system = target.system
    opened = PicoPort(pico.port, system.clock, system.open_port)
    try:
        ident = opened.ident(_ANSWER_S)
        prompts = ident is None and opened.prompts(_PROMPT_S)
    except LinkFault as fault:
        yield _unreached(fault, system.process.user)
        return
    if prompts:
        yield failure("the Pico has MicroPython, but not the firmware", _FLASH, "firmware")
    elif ident is None:
        yield failure(
            "no answer: what runs on the Pico is another program, or a firmware that stands still",
            f"{_REPLUG}; if that does not help: {_FLASH}",
            "firmware",
        )
    else:
        yield from _firmware(ident)
        yield from _chips(target, pico, ident)


def _port(system: System, port: str) -> Finding:
    """Look for the port without opening it."""
    ports = system.ports()
    if "://" in port:
        return ok(f"{port}, which only opening it can tell more of")
    if port != AUTO and (system.exists(port) or any(each.device == port for each in ports)):
        return ok(f"{port} is there")
    if not ports and not (port == AUTO and system.exists(str(NAME))):
        return failure(*missing_pico(system.usb_products()))
    if port != AUTO:
        places = " and ".join(each.device for each in ports)
        return failure(
            f"{port} is not there, and there is a Pico at {places}",
            f'write port = "{AUTO}" {_IN_PICO}, which finds it wherever it is plugged in',
        )
    named = system.exists(str(NAME))
    if len(ports) <= 1:
        return ok(f"{NAME} is there" if named else f"a Pico is at {ports[0].device}")
    places = ", ".join(f"{each.device} ({each.serial_number})" for each in ports)
    by_serial = f"{NAME}-{ports[0].serial_number}"
    one = by_serial if system.exists(by_serial) else ports[0].device
    return Finding(
        Severity.WARNING if named else Severity.FAILURE,
        f"{len(ports)} Picos are plugged in: {places}"
        + (f"; {NAME} is one of them, by chance" if named else ""),
        f'unplug the others, or write port = "{one}" {_IN_PICO}, or another of them',
    )


def _unreached(fault: LinkFault, user: str) -> Finding:
    """Explain why a port cannot be opened, or is gone."""
    number = getattr(fault.__cause__, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return failure(
            str(fault),
            f"sudo usermod -aG dialout {user}, then log out and in again; if {user} is in it: make"
            " service, whose device rules give the port to that group",
        )
    if number in (errno.EBUSY, errno.EAGAIN):
        return failure(
            "another program has it open",
            "end that program, such as mpremote, Thonny or a lifeboard that plays; the service:"
            " sudo systemctl stop lifeboard",
        )
    return failure(
        f"the Pico went away while it was asked: {fault}",
        "take another USB cable, or another socket, without a hub in between",
    )


def _firmware(ident: Ident) -> Iterator[Finding]:
    there, ours = (".".join(map(str, each)) for each in (ident.version, VERSION))
    if ident.protocol != PROTOCOL:
        text = f"{there} speaks protocol {ident.protocol}: allowed is {PROTOCOL}"
        yield failure(text, _FLASH, "firmware")
    elif ident.version != VERSION:
        yield warning(f"{there} is not the one of this lifeboard, {ours}", _FLASH, "firmware")
    else:
        yield ok(f"{there}, on {ident.system}", "firmware")
    if ident.watchdog:
        yield warning(
            "the watchdog has restarted the Pico, since its firmware stood still",
            "unplug the Pico and plug it in; if this comes again, look at its supply and the wires"
            f" of its buses, and bring the firmware anew: {_FLASH}",
            "watchdog",
        )


def _chips(target: Target, pico: Pico, ident: Ident) -> Iterator[Finding]:
    system, profile = target.system, target.profile
    if ident.protocol != PROTOCOL:
        yield warning("not looked for", "repair the failures above, then run doctor again", "chips")
        return
    try:
        search = search_chips(system.open_port(pico.port), profile, system.clock, _ANSWER_S)
    except LinkFault as fault:
        yield failure(str(fault), _REPLUG, "chips")
        return
    except BackendError as error:
        remedy = f"correct the board's file, or bring the firmware anew: {_FLASH}"
        yield failure(str(error), remedy, "wiring")
        return
    for number, wires in sorted(pico.buses.items()):
        pins, name = f"SDA on GP{wires.sda}, SCL on GP{wires.scl}", f"bus {number}"
        wanted = any(chip.bus == number for chip in profile.chips)
        if wanted and not any(found.bus == number for found in search.chips):
            yield failure(
                f"no chip answers on it ({pins})",
                "check that these pins go to the chips (GP numbers are not those of the Pico's"
                " edge), that both are pulled up to 3.3 V, and the chips' power and ground",
                name,
            )
        else:
            yield ok(pins, name)
    yield from chip_findings(profile, pico.buses, search)
