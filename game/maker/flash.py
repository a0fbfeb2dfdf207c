"""`lifeboard flash`: brings the firmware onto the Raspberry Pi Pico under a board."""

import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

from game.common import AppError
from game.maker.doctor.pico_checks import INSTALL, missing_pico
from game.maker.doctor.system import System
from hal.backends.coprocessor.client import PROTOCOL, VERSION, Ident
from hal.backends.coprocessor.flash import PicoSystem, Remote, firmware_files
from hal.backends.coprocessor.pico_port import FindPorts, PicoPort
from hal.backends.coprocessor.port import find_ports
from hal.base.errors import LinkFault

OLDEST = (1, 24)
"""The oldest MicroPython that has all that the firmware needs."""

_STILL_S = 1.0
_say = partial(print, flush=True)
_ERASE = (
    "if the program on it still blocks the prompt, copy"
    " https://datasheets.raspberrypi.com/soft/flash_nuke.uf2 first, which deletes all"
)


@dataclass(frozen=True, slots=True)
class FlashTools:
    """The functions that find and change a Pico. `ask` is None when there is no terminal."""

    find: FindPorts = find_ports
    products: Callable[[], frozenset[int]] = lambda: System(Path()).usb_products()
    pico: Callable[[str], PicoPort] = PicoPort
    remote: Callable[[str], Remote] = Remote
    ask: Callable[[str], str] | None = None


def run_flash(port: str | None, check: bool, yes: bool, tools: FlashTools | None = None) -> int:
    """Copy the firmware to a Pico, or only compare it; return 0 if it is there, else 1."""
    tools = tools or FlashTools(ask=input if sys.stdin.isatty() else None)
    pico = tools.pico(port or _only_one(tools))
    ident = _identify(pico, check)
    if check:
        return _compare(pico, ident)
    if ident is not None:
        _say(f"{_who(ident)} runs on {pico.device}; it is stopped")
        pico.stop()
    with _restored(pico, tools):
        remote = tools.remote(pico.device)
        system = remote.look()
        _check_system(system, pico.device)
        wanted = firmware_files(system.mpy)
        if system.has(wanted):
            _say("its files are those of this lifeboard already")
        else:
            if system.foreign and not yes:
                _ask_to_replace(tools, pico.device)
            _say(f"copying {_OURS}:")
            numbers = count(1)
            remote.copy(wanted, lambda name: _say(f"  {next(numbers):2} of {len(wanted)}  {name}"))
    return _start(pico, tools, system)


def _only_one(tools: FlashTools) -> str:
    """Find the one Pico that is plugged in; raises AppError for none and for several."""
    found = tools.find()
    if len(found) == 1:
        return found[0].device
    if found:
        names = ", ".join(f"{each.device} ({each.serial_number})" for each in found)
        raise AppError(
            f"{len(found)} Picos are plugged in: {names}; say which with --serial, such as"
            f" `--serial {found[0].device}`"
        )
    raise AppError(": ".join(missing_pico(tools.products())))


def _identify(pico: PicoPort, check: bool) -> Ident | None:
    """Ask for the firmware's identity; None for MicroPython's prompt.

    With `check` nothing is interrupted, and None means that no firmware answers. Raises LinkFault,
    or AppError when nothing answers or another program has the port.
    """

    def ask() -> Ident | None:
        ident = pico.ident()
        if ident is None and not check and not pico.prompts():
            raise AppError(
                f"neither our firmware nor MicroPython's prompt answers on {pico.device}. If that"
                f" is the Pico: {INSTALL}; {_ERASE}"
            )
        return ident

    try:
        # A Pico that restarts disconnects; then everything is asked again, since another program
        # may run on it.
        return pico.awaited(ask)
    except LinkFault as error:
        if getattr(error.__cause__, "errno", None) not in (errno.EAGAIN, errno.EBUSY):
            raise
        raise AppError(
            f"another program has {pico.device}: end it; if it is the service, `sudo lifeboard"
            " service flash` lets that rest meanwhile"
        ) from error


def _compare(pico: PicoPort, ident: Ident | None) -> int:
    """Report whether the firmware is that of this lifeboard, and change nothing."""
    there = "no firmware answers" if ident is None else f"{_who(ident)} runs"
    right = ident is not None and _who(ident) == _OURS
    end = ", which is right" if right else f"; `lifeboard flash` brings {_OURS}"
    _say(f"{there} on {pico.device}{end}")
    return int(not right)


@contextmanager
def _restored(pico: PicoPort, tools: FlashTools) -> Iterator[None]:
    """Restart the Pico's former program if an error leaves it without the new firmware."""
    try:
        yield
    except BaseException:
        with suppress(LinkFault):
            # If it was unplugged, it restarts by itself.
            if pico.prompts(_STILL_S):
                tools.remote(pico.device).restart()
        raise


def _check_system(system: PicoSystem, device: str) -> None:
    runs = f"{device} runs {system.name} {'.'.join(map(str, system.version))}"
    needs = f"{runs}, and the firmware needs MicroPython {'.'.join(map(str, OLDEST))} or later"
    if system.name != "micropython" or (system.rp2 and system.version[:2] < OLDEST):
        raise AppError(f"{needs}: {INSTALL}")
    if not system.rp2:
        raise AppError(
            f"{device} is no Pico, but {system.machine}: the firmware runs on an RP2040 or"
            " RP2350; --serial chooses another port"
        )
    if "RP2350" in system.machine:
        _say(f"this is {system.machine}: the firmware knows it, but has not been tried on one yet")


def _ask_to_replace(tools: FlashTools, device: str) -> None:
    """Ask whether another program may be replaced; raises AppError if not."""
    what = f"{device} has a main.py that is not lifeboard's"
    if tools.ask is None:
        raise AppError(f"{what}: --yes replaces it")
    answer = ""
    with suppress(EOFError):
        answer = tools.ask(f"{what}. Replace it? [y/N] ")
    if answer.strip().lower() not in ("y", "yes"):
        raise AppError("nothing was changed")


def _start(pico: PicoPort, tools: FlashTools, system: PicoSystem) -> int:
    tools.remote(pico.device).restart()
    try:
        ident = pico.started()
    except LinkFault as error:
        raise AppError(_silent(pico, tools, str(error))) from error
    if _who(ident) != _OURS:
        raise AppError(f"{_who(ident)} answers on {pico.device}, and not {_OURS}, which was copied")
    on = f"MicroPython {'.'.join(map(str, system.version))}, {system.machine}"
    _say(f"{_who(ident)} runs on {pico.device} ({on})")
    return 0


def _silent(pico: PicoPort, tools: FlashTools, why: str) -> str:
    """Report that a copied firmware does not answer, with its own error message."""
    with suppress(LinkFault):
        if pico.prompts() and (failure := tools.remote(pico.device).look().failure):
            return f"{_OURS} is on the Pico and fails there: {failure}"
    return (
        f"{_OURS} is on the Pico, but does not answer ({why}): unplug it and plug it in again;"
        " `lifeboard flash --check` tells whether it answers then"
    )


def _who(ident: Ident) -> str:
    return f"firmware {'.'.join(map(str, ident.version))} (protocol {ident.protocol})"


_OURS = _who(Ident(0, PROTOCOL, VERSION, b"", False, ""))
