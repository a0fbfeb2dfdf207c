"""Checks of a board that hangs on a Raspberry Pi Pico: its port, its firmware, and its chips.

Owns what can stand between this computer and the chips there. Must not know what is said on the
line (`hal.coprocessor`).
"""

import errno
from collections.abc import Iterator

from game.app.doctor.checks_buses import check_chip, is_named, unexpected
from game.app.doctor.checks_system import at_work, check_groups, check_library
from game.app.doctor.findings import Finding, Level, failure, ok, warning
from game.app.doctor.host import Host
from game.app.doctor.overheard import Overheard
from game.app.doctor.system import System
from hal.coprocessor.client import PROTOCOL, VERSION, Ident, ask_ident
from hal.coprocessor.machine import search_chips
from hal.coprocessor.port import AUTO, BOOTSEL, MICROPYTHON, NAME, Port
from hal.errors import BackendError, LinkFault
from hal.probe import Search
from hal.profile import Pico, Profile

ANSWER_S = 3.0
"""How long it may take until a Pico says who it is: some seconds after its cable is plugged in."""

_GROUP = "dialout"
_FLASH = "lifeboard flash"
_IN_PICO = "under [pico] of the board's file"
# The products of Raspberry Pi's USB number that a Pico can be with something else on it
# (github.com/raspberrypi/usb-pid), and the drive that a Pico shows which waits for a system.
_DRIVES = {BOOTSEL: "RPI-RP2", 0x000F: "RP2350"}
_OTHERS = {
    0x0009: "a program made with the Pico SDK",
    0x000A: "a program made with the Pico SDK",
    0x000B: "CircuitPython",
}
_LATER = "mend the failures above, then run doctor again"


def check_link(host: Host, profile: Profile) -> Iterator[Finding]:
    """Check the whole way to the chips of a board that hangs on a Pico."""
    pico = profile.pico
    if pico is None:
        return
    library = check_library(host, "pyserial", "the Pico cannot be spoken with without it")
    yield library
    if library.level is not Level.OK:
        yield warning("pico", "not looked for", _LATER)
        return
    found = _check_port(host.system, pico.port)
    yield found
    if found.level is Level.FAILURE:
        return
    if at_work(host):
        yield warning(
            "firmware",
            "not asked who it is, since a lifeboard that runs has its port",
            "end it (the service: sudo systemctl stop lifeboard), then run doctor again",
        )
        return
    yield from _check_line(host, profile, pico)


def hint(system: System) -> str:
    """Say how a Pico is examined that is plugged in; nothing when there is none."""
    if not any(each.product == MICROPYTHON for each in system.usb_devices()):
        return ""
    return (
        "a Pico is plugged in: `lifeboard doctor --board hexagon-61-pico`, or any board with"
        " [pico], examines it"
    )


def _check_port(system: System, port: str) -> Finding:
    """Look for the port without opening it."""
    ports = system.ports()
    named = system.exists(str(NAME))
    if "://" in port:
        return ok("port", f"{port}, which only opening it can tell more of")
    if port != AUTO:
        # Not every system has its ports among its files.
        if system.exists(port) or any(each.device == port for each in ports):
            return ok("port", f"{port} is there")
        if not ports:
            return _nobody(system)
        places = " and ".join(each.device for each in ports)
        return failure(
            "port",
            f"{port} is not there, and there is a Pico at {places}",
            f'write port = "{AUTO}" {_IN_PICO}, which finds it wherever it is plugged in',
        )
    if len(ports) > 1:
        return _several(system, named)
    if named:
        return ok("port", f"{NAME} is there")
    if not ports:
        return _nobody(system)
    return ok("port", f"a Pico is at {ports[0].device}")


def _several(system: System, named: bool) -> Finding:
    ports = system.ports()
    places = ", ".join(f"{each.device} ({each.serial_number})" for each in ports)
    by_serial = f"{NAME}-{ports[0].serial_number}"
    one = by_serial if system.exists(by_serial) else ports[0].device
    text = f"{len(ports)} Picos are plugged in: {places}"
    remedy = f'take the others off, or write port = "{one}" {_IN_PICO}, or whichever it is'
    if named:
        return warning("port", f"{text}; {NAME} is one of them, by chance", remedy)
    return failure("port", f"{text}; nothing tells which has the board", remedy)


def _nobody(system: System) -> Finding:
    """Say why no Pico has a port: there is none, or it has something else than MicroPython."""
    there = {each.product for each in system.usb_devices()}
    for product, drive in _DRIVES.items():
        if product in there:
            return failure(
                "port",
                f"a Pico is there in BOOTSEL mode, as the drive {drive}: it waits for MicroPython",
                f"{_FLASH}, which says what to copy to that drive and then brings the firmware; if"
                " it has MicroPython already, unplug it and plug it in with BOOTSEL let go",
            )
    for product, what in _OTHERS.items():
        if product in there:
            return failure(
                "port",
                f"a Pico is there, but what is on it is {what}, not MicroPython",
                f"hold its button BOOTSEL while you plug it in, then {_FLASH}, which says what to"
                " copy to it",
            )
    return failure(
        "port",
        "no Pico is plugged in",
        "plug its USB cable in, one that carries data and not only power; a new Pico is plugged in"
        f" with its button BOOTSEL held, then {_FLASH}",
    )


def _check_line(host: Host, profile: Profile, pico: Pico) -> Iterator[Finding]:
    """Open the port and ask who is there, then for the chips."""
    try:
        port = Overheard(host.system.open_port(pico.port, lambda: None))
    except LinkFault as fault:
        yield from _check_refused(host, fault)
        return
    try:
        yield from _check_firmware(host.system, profile, pico, port)
    finally:
        port.close()


def _check_refused(host: Host, fault: LinkFault) -> Iterator[Finding]:
    """Say why a port that is there cannot be opened."""
    number = getattr(fault.__cause__, "errno", None) or fault.errno
    if number in (errno.EACCES, errno.EPERM):
        groups = tuple(check_groups(host, [_GROUP]))
        yield from groups
        if any(each.level is Level.FAILURE for each in groups):
            return
        # It belongs to another group here, or to nobody.
        remedy = "sudo lifeboard service install, whose device rules give it to the group dialout"
        yield failure("port", str(fault), remedy)
    elif number in (errno.EBUSY, errno.EAGAIN):
        yield failure(
            "port",
            "another program has it open",
            "end that program, such as mpremote, Thonny or a lifeboard that plays; the service:"
            " sudo systemctl stop lifeboard",
        )
    else:
        yield failure(
            "port", str(fault), "unplug the Pico's USB cable and plug it in, then run doctor again"
        )


def _check_firmware(
    system: System, profile: Profile, pico: Pico, port: Overheard
) -> Iterator[Finding]:
    """Ask who is there, and look for the chips if it is our firmware."""
    try:
        ident = ask_ident(port, system.clock, ANSWER_S)
    except LinkFault as fault:
        yield _silent(system, port, fault)
        return
    version = _check_version(ident)
    yield version
    if ident.watchdog:
        yield warning(
            "watchdog",
            "the Pico's last start was its watchdog's doing: its firmware had stood still",
            "unplug the Pico and plug it in; if this comes again, look at its supply and the wires"
            f" of its buses, and bring the firmware anew: {_FLASH}",
        )
    if version.level is Level.FAILURE:
        yield warning("chips", "not looked for", _LATER)
        return
    yield from _check_chips(system, profile, pico, port)


def _silent(system: System, port: Overheard, fault: LinkFault) -> Finding:
    """Tell MicroPython without our firmware from a Pico that says nothing at all."""
    try:
        banner = port.prompt(system.clock)
    except LinkFault:
        return failure(
            "port",
            f"the Pico went away while it was asked: {fault}",
            "take another USB cable, or another socket, without a hub in between",
        )
    if banner:
        return failure("firmware", f"the Pico has none of ours: {banner} answers", _FLASH)
    return failure(
        "firmware",
        "nobody answers: what runs on the Pico is no firmware of ours, or it stands still",
        f"unplug the Pico and plug it in, then run doctor again; if that does not help: {_FLASH}",
    )


def _check_version(ident: Ident) -> Finding:
    there, ours = (".".join(map(str, each)) for each in (ident.version, VERSION))
    if ident.protocol != PROTOCOL:
        return failure(
            "firmware",
            f"{there} speaks protocol {ident.protocol}: allowed is {PROTOCOL}",
            _FLASH,
        )
    if ident.version != VERSION:
        return warning("firmware", f"{there} is not the one of this lifeboard, {ours}", _FLASH)
    return ok("firmware", f"{there}, on {ident.system}")


def _check_chips(system: System, profile: Profile, pico: Pico, port: Port) -> Iterator[Finding]:
    """Tell the Pico what hangs where, and compare what it finds."""
    try:
        search = search_chips(port, profile, system.clock, ANSWER_S)
    except LinkFault as fault:
        yield failure("chips", str(fault), "unplug the Pico and plug it in, then run doctor again")
        return
    except BackendError as error:
        yield failure(
            "wiring",
            str(error),
            f"correct the board's file, or bring the firmware anew: {_FLASH}",
        )
        return
    for number in sorted(pico.buses):
        yield _check_bus(number, profile, pico, search)
    for chip in profile.chips:
        yield check_chip(chip, tuple(pico.buses), search)
    for found in search.chips:
        if not is_named(found, profile):
            yield unexpected(found)


def _check_bus(number: int, profile: Profile, pico: Pico, search: Search) -> Finding:
    """Tell whether anybody answers on a bus: else it is the bus that is wired wrongly."""
    wires = pico.buses[number]
    pins = f"SDA on GP{wires.sda}, SCL on GP{wires.scl}"
    wanted = sum(chip.bus == number for chip in profile.chips)
    if wanted and not any(found.bus == number for found in search.chips):
        return failure(
            f"bus {number}",
            f"nobody answers on it ({pins})",
            "check that these pins go to the chips (GP numbers are not those of the Pico's edge),"
            " that both are pulled up to 3.3 V, and that the chips have power and ground",
        )
    return ok(f"bus {number}", pins)
