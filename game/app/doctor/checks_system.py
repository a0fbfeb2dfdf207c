"""Checks of the computer itself: model, system, Python, libraries, groups, supply, disk, service.

Owns what these must be for a board to work. Must not read but through `System`.
"""

import re
from collections.abc import Iterator, Sequence

from game.app.doctor.findings import Finding, failure, ok, warning
from game.app.doctor.host import Host
from game.app.doctor.model import Family
from hal.profile import Profile

_PYTHON = (3, 11)
_SERVICE = "lifeboard"
_FULL_BYTES, _SHORT_BYTES = 50_000_000, 500_000_000
_SLOW_SYNC_MS = 100.0
_SUPPLY = (
    "use the official supply (5.1 V; 2.5 A for a Zero 2 W or 3, 3 A for a 4, 5 A for a 5) with its"
    " own short cable, and feed the pixels from a supply of theirs, not from the Pi's pins"
)


def check_system(host: Host) -> Iterator[Finding]:
    """Check model, operating system, boot file and Python."""
    if host.model.family is Family.OTHER:
        yield warning(
            "model",
            f"{host.model.name} is not one that lifeboard is made for",
            "use a Raspberry Pi Zero 2 W, 3, 4 or 5",
        )
    else:
        yield ok("model", host.model.name)
    yield _check_os(host)
    if not host.boot_readable:
        yield warning(
            "config",
            f"{host.config_path} cannot be read, so what follows takes it for empty",
            "mount the boot partition: sudo mount /boot/firmware",
        )
    yield _check_python(host)


def check_any_system(host: Host) -> Iterator[Finding]:
    """Check operating system and Python of a computer that need not be a Pi."""
    yield ok("machine", host.model.name)
    yield _check_os(host)
    yield _check_python(host)


def check_libraries(host: Host, profile: Profile) -> Iterator[Finding]:
    """Check the libraries that drive chips and pins, and their versions known to be broken."""
    five = host.model.family is Family.FIVE
    drivers = ["adafruit-circuitpython-mpr121", "adafruit-extended-bus"]
    if any(chip.mux is not None for chip in profile.chips):
        drivers.append("adafruit-circuitpython-tca9548a")
    for name in drivers:
        yield check_library(host, name, "the sensor chips cannot be read without it")
    # Up to 2.0.1 it looks for the pins on gpiochip4, where no kernel of a Pi 5 since 6.6.45 has
    # them (gpiozero issue 1166).
    yield check_library(
        host,
        "gpiozero",
        "keys and the interrupt line cannot be read without it",
        least="2.0.1.post3" if five else "",
        why="it does not find the pins of a Raspberry Pi 5",
    )
    # The other one on PyPI, 0.0.0.2, is pure Python and so lacks the compiled part.
    yield check_library(host, "lgpio", "gpiozero cannot reach the pins without it", take="0.2.2")


def check_groups(host: Host, wanted: Sequence[str]) -> Iterator[Finding]:
    """Check that the user is in the groups to which the system gives the devices."""
    process = host.system.process
    listed = host.system.groups_in_file()
    lacking = [group for group in wanted if group not in process.groups]
    names = ", ".join(lacking)
    if process.uid == 0:
        yield ok("groups", f"{process.user} needs none")
    elif not lacking:
        yield ok("groups", f"{process.user} is in {', '.join(wanted)}")
    elif unknown := [group for group in lacking if group not in listed]:
        yield failure(
            "groups",
            f"this system has no group {', '.join(unknown)}, so only root can open the devices",
            "install Raspberry Pi OS, which has them",
        )
    elif all(listed[group] for group in lacking):
        yield failure(
            "groups",
            f"{process.user} has joined {names}, but logged in before that",
            "log out and in again, or restart the Pi",
        )
    else:
        missing = ",".join(group for group in lacking if not listed[group])
        yield failure(
            "groups",
            f"{process.user} is not in {names}",
            f"sudo usermod -aG {missing} {process.user}, then log out and in again",
        )


def check_supply(host: Host) -> Iterator[Finding]:
    """Check the Pi's supply: firmware that finds less than 4.63 V slows the Pi down."""
    voltage = host.system.voltage()
    if voltage is None:
        yield warning(
            "supply",
            "nothing here tells whether its voltage is too low",
            "sudo apt install raspi-utils, and sudo usermod -aG video"
            f" {host.system.process.user}, so that `vcgencmd get_throttled` answers",
        )
    elif voltage.low:
        yield failure("supply", "its voltage is too low now", _SUPPLY)
    elif voltage.has_been:
        yield warning("supply", "its voltage has been too low since the Pi started", _SUPPLY)
    else:
        since = "now" if voltage.has_been is None else "now and since the Pi started"
        yield ok("supply", f"its voltage is good {since}")


def check_disk(host: Host) -> Iterator[Finding]:
    """Check the disk of the data folder: every move is written before its light shows."""
    system, folder = host.system, host.system.data_disk
    free = system.free(folder)
    space = f"{free / 1e6:.0f} MB free for {system.data}"
    if free < _FULL_BYTES:
        yield failure("disk", f"only {space}", "delete files, or take a larger card")
        return
    if free < _SHORT_BYTES:
        yield warning("disk", f"only {space}", "delete files, or take a larger card")
    else:
        yield ok("disk", space)
    try:
        speed = system.speed()
    except OSError as error:
        user = system.process.user
        own = f"sudo chown -R {user}" if folder == system.data else f"sudo install -d -o {user}"
        yield failure(
            "disk speed",
            f"{folder} cannot be written: {error.strerror or error}",
            f"{own} {system.data}, or choose another folder with --data; restart the Pi if its"
            " card has become read-only",
        )
        return
    text = f"{speed.sync_ms:.0f} ms for a move to be safe, {speed.mb_per_s:.0f} MB/s"
    if speed.sync_ms > _SLOW_SYNC_MS:
        yield warning(
            "disk speed",
            f"{text}: lights will lag behind fingers",
            "take a card of class A1 or A2, and end what else writes to it",
        )
    else:
        yield ok("disk speed", text)


def check_service(host: Host) -> Iterator[Finding]:
    """Check the service that starts lifeboard with the Pi, if it is installed."""
    run = host.system.run
    enabled = run(["systemctl", "is-enabled", _SERVICE])
    # Older ones say on standard error only that there is none.
    if not enabled or enabled == "not-found":
        yield ok("service", "not installed")
        return
    active = run(["systemctl", "is-active", _SERVICE]) or "unknown"
    if active == "failed":
        yield failure(
            "service",
            "it has failed",
            f"read why with journalctl -u {_SERVICE} -n 50, then sudo systemctl restart {_SERVICE}",
        )
    elif enabled == "masked":
        yield warning("service", "it is masked", f"sudo systemctl unmask {_SERVICE}")
    elif enabled == "disabled":
        yield warning(
            "service",
            f"{active}, but it does not start with the Pi",
            f"sudo systemctl enable {_SERVICE}",
        )
    else:
        yield ok("service", f"{enabled}, {active}")


def check_library(
    host: Host, name: str, without: str, *, least: str = "", why: str = "", take: str = ""
) -> Finding:
    """Check a library that is needed, from version `least` on; `take` is what to install."""
    installed = host.system.process.packages.get(name)
    wanted = least or take
    remedy = host.install(f"{name}>={wanted}" if wanted else name)
    if installed is None:
        return failure(name, f"not installed: {without}", remedy)
    if least and older(installed, least):
        text = f"{installed} is broken here: {why}; allowed is {least} or later"
        return failure(name, text, remedy)
    return ok(name, installed)


def groups_of(profile: Profile) -> tuple[str, ...]:
    """Name the groups to which Raspberry Pi OS gives the devices that a board needs."""
    return ("gpio", "i2c", "spi") if profile.strip.driver == "spi" else ("gpio", "i2c")


def at_work(host: Host) -> bool:
    """Tell whether a lifeboard runs, which has its board for itself."""
    active = host.system.run(["systemctl", "is-active", _SERVICE])
    return host.system.playing() or active in ("active", "activating")


def _check_os(host: Host) -> Finding:
    return ok("system", f"{host.system.os_name}, {host.system.process.bits}-bit")


def _check_python(host: Host) -> Finding:
    python = ".".join(map(str, host.system.process.python))
    if host.system.process.python >= _PYTHON:
        return ok("python", python)
    return failure(
        "python",
        f"{python} is too old: allowed is 3.11 or later",
        "install the current Raspberry Pi OS, which brings a newer Python",
    )


def older(version: str, than: str) -> bool:
    """Compare two versions of the forms "2.0.1" and "2.0.1.post3"."""
    return _parts(version) < _parts(than)


def _parts(version: str) -> tuple[tuple[int, ...], int]:
    release, _, post = version.partition(".post")
    numbers = [int(part) for part in re.findall(r"\d+", release)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers), int(post) if post.isdigit() else 0
