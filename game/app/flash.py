"""`lifeboard flash`: brings the firmware onto the Raspberry Pi Pico under a board.

Owns what people are asked and told, which Pico is meant, and what may be replaced. How files come
onto a Pico stands in `hal.coprocessor.flash`.
"""

import errno
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from game.app.doctor.system import System as Computer
from game.app.errors import AppError
from hal.coprocessor.client import PROTOCOL, VERSION, Ident
from hal.coprocessor.flash import Remote, System, firmware_files
from hal.coprocessor.pico_port import FindPorts, PicoPort
from hal.coprocessor.port import BOOTSEL, VENDOR, find_ports
from hal.errors import LinkFault

OLDEST = (1, 24)
"""The oldest MicroPython that has all that the firmware needs."""

_STILL_S = 1.0

# What waits for a system: its drive, and the last word of the page that has one for it.
_WAITING = {BOOTSEL: ("RPI-RP2", "RPI_PICO"), 0x000F: ("RP2350", "RPI_PICO2")}
_PAGE = "MicroPython for it is the .uf2 file at https://micropython.org/download/"
_GET = f"{_PAGE}RPI_PICO"
_COPY = "copy that file onto it, and call `lifeboard flash` again"
_HOLD = "unplug it, hold its BOOTSEL button while you plug it in, and a drive RPI-RP2 appears"
_WIPE = (
    "a program that lets nobody in survives that: then copy"
    " https://datasheets.raspberrypi.com/soft/flash_nuke.uf2 first, which deletes all"
)


@dataclass(frozen=True, slots=True)
class FlashOptions:
    """What the command line says."""

    port: str | None
    check: bool
    yes: bool


def plugged_in() -> frozenset[int]:
    """List the USB products of Raspberry Pi's that are plugged in, as far as Linux tells."""
    return frozenset(each.product for each in Computer(Path()).usb_devices())


@dataclass(frozen=True, slots=True)
class Bench:
    """Give what a Pico is reached through. `ask` is None where nobody sits at a terminal."""

    find: FindPorts = find_ports
    products: Callable[[], frozenset[int]] = plugged_in
    pico: Callable[[str], PicoPort] = PicoPort
    remote: Callable[[str], Remote] = Remote
    ask: Callable[[str], str] | None = None


def flash(options: FlashOptions, bench: Bench | None = None) -> int:
    """Bring the firmware onto a Pico, or only compare; give 0 when it is there, else 1.

    Raises AppError or LinkFault, which say what to do.
    """
    bench = bench or Bench(ask=input if sys.stdin.isatty() else None)
    pico = bench.pico(options.port or _only_one(bench))
    ident = _asked(pico, options)
    if options.check:
        return _compare(pico, ident)
    if ident is not None:
        _say(f"{_who(ident)} runs on {pico.device}; it is stopped")
        pico.stop()
    with _going_on(pico, bench):
        remote = bench.remote(pico.device)
        system = remote.look()
        _check_system(system, pico.device)
        wanted = firmware_files()
        if system.has(wanted):
            _say("its files are those of this lifeboard already")
        else:
            if system.foreign and not _may_replace(options, bench, pico.device):
                return 1
            _copy(remote, wanted)
    return _start(pico, bench, system)


def _only_one(bench: Bench) -> str:
    """Find the one Pico that is plugged in; raises AppError for none and for several."""
    found = bench.find()
    if len(found) == 1:
        return found[0].device
    if found:
        names = ", ".join(f"{each.device} ({each.serial_number})" for each in found)
        raise AppError(
            f"{len(found)} Picos are plugged in: {names}; say which with --serial, such as"
            f" `--serial {found[0].device}`"
        )
    others = bench.products()
    for product, (drive, page) in _WAITING.items():
        if product in others:
            raise AppError(
                f"a Pico is plugged in that waits for MicroPython, as the drive {drive}:"
                f" {_PAGE}{page}; {_COPY}. If it has MicroPython already, plug it in anew without"
                " the button BOOTSEL"
            )
    if others:
        names = ", ".join(f"{VENDOR:04x}:{each:04x}" for each in sorted(others))
        raise AppError(
            f"no Pico with MicroPython is plugged in, but something else of Raspberry Pi's"
            f" ({names}). If that is the Pico: {_HOLD}. {_GET}; {_COPY}"
        )
    raise AppError(
        "no Pico with MicroPython is plugged in. Plug its USB cable in, one that carries data: many"
        f" only charge. If the Pico is new, it has no MicroPython yet: {_HOLD}. {_GET}; {_COPY}"
    )


def _asked(pico: PicoPort, options: FlashOptions) -> Ident | None:
    """Find out who is there: our firmware, or None for MicroPython's prompt.

    With --check nothing is interrupted, and None means that no firmware answers. Raises AppError
    where nobody does, and while another program has the port, or LinkFault.
    """

    def ask() -> Ident | None:
        ident = pico.ident()
        if ident is None and not options.check and not pico.prompts():
            raise AppError(_nobody(pico.device))
        return ident

    try:
        # One that was told to start anew a moment ago, as by a call that was refused, goes away
        # meanwhile. Then all is asked again: another program may run on it.
        return pico.awaited(ask)
    except LinkFault as error:
        if getattr(error.__cause__, "errno", None) not in (errno.EAGAIN, errno.EBUSY):
            raise
        raise AppError(
            f"another program has {pico.device}: end it; if it is the service, `sudo lifeboard"
            " service flash` lets that rest meanwhile"
        ) from error


def _compare(pico: PicoPort, ident: Ident | None) -> int:
    """Say whether the firmware is the one of this lifeboard, and change nothing."""
    if ident is None:
        _say(f"no firmware answers on {pico.device}; `lifeboard flash` brings {_OURS}")
        return 1
    if _is_ours(ident):
        _say(f"{_who(ident)} runs on {pico.device}, which is right")
        return 0
    _say(f"{_who(ident)} runs on {pico.device}; `lifeboard flash` brings {_OURS}")
    return 1


@contextmanager
def _going_on(pico: PicoPort, bench: Bench) -> Iterator[None]:
    """Let the Pico go on with what it had, when it does not get what it should."""
    try:
        yield
    except BaseException:
        with suppress(LinkFault):
            # Where the plug was pulled it goes on by itself.
            if pico.prompts(_STILL_S):
                bench.remote(pico.device).restart()
        raise


def _check_system(system: System, device: str) -> None:
    """Raise AppError for a system on which the firmware cannot run."""
    version = ".".join(map(str, system.version))
    if system.name != "micropython":
        raise AppError(
            f"{device} runs {system.name} {version}, and the firmware needs MicroPython: {_HOLD}."
            f" {_GET}; {_COPY}"
        )
    if not system.rp2:
        raise AppError(
            f"{device} is no Pico, but {system.machine}: the firmware runs on an RP2040; --serial"
            " chooses another port"
        )
    if system.version[:2] < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise AppError(
            f"{device} runs MicroPython {version}, and the firmware needs {oldest} or later:"
            f" {_HOLD}. {_GET}; {_COPY}"
        )
    if "RP2350" in system.machine:
        _say(f"this is {system.machine}: nobody has tried the firmware on that one yet")


def _may_replace(options: FlashOptions, bench: Bench, device: str) -> bool:
    """Tell whether somebody else's program may go; raises AppError where nobody can be asked."""
    if options.yes:
        return True
    what = f"{device} has a main.py that is not lifeboard's"
    if bench.ask is None:
        raise AppError(f"{what}: --yes replaces it")
    answer = ""
    with suppress(EOFError):
        answer = bench.ask(f"{what}. Replace it? [y/N] ")
    if answer.strip().lower() in ("y", "yes"):
        return True
    _say("nothing was changed")
    bench.remote(device).restart()
    return False


def _copy(remote: Remote, wanted: Mapping[str, bytes]) -> None:
    begun = 0

    def told(name: str) -> None:
        nonlocal begun
        begun += 1
        _say(f"  {begun:2} of {len(wanted)}  {name}")

    _say(f"copying {_OURS}:")
    remote.copy(wanted, told)


def _start(pico: PicoPort, bench: Bench, system: System) -> int:
    """Start the firmware, and see that it is ours."""
    bench.remote(pico.device).restart()
    try:
        ident = pico.started()
    except LinkFault as error:
        raise AppError(_silent(pico, bench, str(error))) from error
    if not _is_ours(ident):
        raise AppError(f"{_who(ident)} answers on {pico.device}, and not {_OURS}, which was copied")
    on = f"MicroPython {'.'.join(map(str, system.version))}, {system.machine}"
    _say(f"{_who(ident)} runs on {pico.device} ({on})")
    return 0


def _silent(pico: PicoPort, bench: Bench, why: str) -> str:
    """Say that a firmware was copied and does not answer, and what it said itself."""
    with suppress(LinkFault):
        if pico.prompts() and (failure := bench.remote(pico.device).failure()):
            return f"{_OURS} is on the Pico and fails there: {failure}"
    return (
        f"{_OURS} is on the Pico, but does not answer ({why}): unplug it and plug it in again;"
        " `lifeboard flash --check` tells whether it answers then"
    )


def _is_ours(ident: Ident) -> bool:
    return ident.version == VERSION and ident.protocol == PROTOCOL


def _nobody(device: str) -> str:
    return (
        f"neither our firmware nor MicroPython's prompt answers on {device}. If that is the Pico:"
        f" {_HOLD}. {_GET}; {_COPY}; {_WIPE}"
    )


def _name(version: tuple[int, ...], protocol: int) -> str:
    return f"firmware {'.'.join(map(str, version))} (protocol {protocol})"


_OURS = _name(VERSION, PROTOCOL)


def _who(ident: Ident) -> str:
    return _name(ident.version, ident.protocol)


def _say(text: str) -> None:
    print(text, flush=True)
