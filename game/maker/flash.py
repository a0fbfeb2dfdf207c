"""`lifeboard flash`: brings the firmware onto the Raspberry Pi Pico under a board."""

import errno
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from game.common import AppError
from game.maker.doctor import INSTALL
from hal.backends.coprocessor.client import PROTOCOL, VERSION, Ident
from hal.backends.coprocessor.flash import BYTECODE, PicoFiles, PicoPort, PicoSystem
from hal.backends.coprocessor.port import FoundPort, find_ports
from hal.base.errors import LinkFault

OLDEST = (1, 24)
"""The oldest MicroPython that has all that the firmware needs."""

_say = partial(print, flush=True)


@dataclass(frozen=True, slots=True)
class FlashTools:
    """The functions that find and change a Pico."""

    find: Callable[[], tuple[FoundPort, ...]] = find_ports
    port: Callable[[str], PicoPort] = PicoPort
    files: Callable[[str], PicoFiles] = PicoFiles


def run_flash(port: str | None, check: bool, yes: bool, tools: FlashTools | None = None) -> int:
    """Copy the firmware to a Pico, or only compare it; return 0 if it is there, else 1."""
    tools = tools or FlashTools()
    pico = tools.port(port or _only_one(tools))
    ident = _identify(pico, check)
    there = "no firmware answers" if ident is None else f"{_who(ident)} runs"
    if check:
        right = ident is not None and _who(ident) == _OURS
        end = ", which is right" if right else f"; `lifeboard flash` brings {_OURS}"
        _say(f"{there} on {pico.device}{end}")
        return int(not right)
    if ident is not None:
        _say(f"{there} on {pico.device}; it is stopped")
        pico.stop()
    files = tools.files(pico.device)
    system = files.look()
    try:
        _check_system(system, pico.device, yes)
    except AppError:
        files.restart()
        raise
    _say(f"copying {_OURS}, which takes some seconds")
    files.copy(system.names)
    files.restart()
    return _await(pico, files, f"MicroPython {_dotted(system.version)}, {system.machine}")


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
    raise AppError(
        "no Pico with MicroPython is plugged in: plug its USB cable in, one that carries data; a"
        f" new Pico: {INSTALL}"
    )


def _identify(pico: PicoPort, check: bool) -> Ident | None:
    """Ask for the firmware's identity; None for MicroPython's prompt.

    With `check` nothing is interrupted, and None means that no firmware answers. Raises LinkFault,
    or AppError when nothing answers or another program has the port.
    """
    try:
        ident = pico.ident()
        if ident is not None or check or pico.prompts():
            return ident
    except LinkFault as error:
        if getattr(error.__cause__, "errno", None) not in (errno.EAGAIN, errno.EBUSY):
            raise
        raise AppError(
            f"another program has {pico.device}: end it; if it is the service, `sudo lifeboard"
            " service flash` lets that rest meanwhile"
        ) from error
    raise AppError(
        f"neither our firmware nor MicroPython's prompt answers on {pico.device}. If that is the"
        f" Pico: {INSTALL}; if the program on it still blocks the prompt, copy"
        " https://datasheets.raspberrypi.com/soft/flash_nuke.uf2 first, which deletes all"
    )


def _check_system(system: PicoSystem, device: str, yes: bool) -> None:
    """Raise AppError for a device that is no Pico with MicroPython, or has another program."""
    if (
        system.name != "micropython"
        or system.version[:2] < OLDEST
        or system.bytecode != BYTECODE
        or system.platform != "rp2"
    ):
        raise AppError(
            f"{device} is {system.machine} with {system.name} {_dotted(system.version)}: the"
            f" firmware needs a Pico with MicroPython {_dotted(OLDEST)} or later, which takes"
            f" modules of version {BYTECODE}; --serial chooses another port. For a Pico: {INSTALL}"
        )
    if system.foreign and not yes:
        raise AppError(f"{device} has a main.py that is not lifeboard's: --yes replaces it")


def _await(pico: PicoPort, files: PicoFiles, system: str) -> int:
    """Wait for the firmware that was copied; raises AppError with its error if it does not run."""
    ident = pico.started()
    if ident is None:
        if pico.prompts() and (failure := files.look().failure.decode().strip()):
            raise AppError(f"{_OURS} is on the Pico and fails there: {failure.splitlines()[-1]}")
        raise AppError(
            f"{_OURS} is on the Pico, but does not answer: unplug it and plug it in again;"
            " `lifeboard flash --check` tells whether it answers then"
        )
    if _who(ident) != _OURS:
        raise AppError(f"{_who(ident)} answers on {pico.device}, and not {_OURS}, which was copied")
    _say(f"{_OURS} runs on {pico.device} ({system})")
    return 0


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _who(ident: Ident) -> str:
    return f"firmware {_dotted(ident.version)} (protocol {ident.protocol})"


_OURS = _who(Ident(0, PROTOCOL, VERSION, b"", False, ""))
