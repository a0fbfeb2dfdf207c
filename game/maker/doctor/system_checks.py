"""Checks of the computer itself: model, system, lgpio, groups, supply, disk and service."""

from collections.abc import Iterator

from game.maker.doctor.check import Finding, Severity, Target, failure, ok, warning
from game.maker.doctor.pi import Family

_FULL_BYTES, _SHORT_BYTES = 50_000_000, 500_000_000
_SLOW_SYNC_MS = 100.0
_LOW_NOW, _LOW_SINCE_START = 1, 1 << 16  # bits of `vcgencmd get_throttled`
_SUPPLY = (
    "use the official supply (5.1 V; 2.5 A for a Zero 2 W or 3, 3 A for a 4, 5 A for a 5) with its"
    " own short cable, and feed the pixels from a supply of theirs, not from the Pi's pins"
)


def model(target: Target) -> Finding:
    """Check that this Pi is one that lifeboard is made for."""
    if target.model.family is not Family.OTHER:
        return ok(target.model.name)
    return warning(
        f"{target.model.name} is not one that lifeboard is made for",
        "use a Raspberry Pi Zero 2 W, 3, 4 or 5",
    )


def lgpio(target: Target) -> Finding:
    """Check that this Python reaches the pins."""
    if target.system.process.lgpio:
        return ok("installed")
    return failure(
        "this Python does not have it, and gpiozero cannot reach the pins without it",
        "sudo apt install python3-lgpio; if it is there already, this Python is not the system's:"
        " `make clean`, then `make play`",
    )


def engine(target: Target) -> Finding:
    """Check that the search of the computer player is compiled."""
    if target.system.process.compiled:
        return ok("compiled")
    return warning(
        "plain Python: the strongest levels see less far",
        "install a C compiler (on Debian: sudo apt install gcc python3-dev), then `make play`",
    )


def groups(target: Target) -> Finding:
    """Check that the user is in the groups of the devices."""
    # Raspberry Pi OS gives the devices to these groups.
    wanted = ["gpio", "i2c", *(["spi"] if target.profile.strip.driver == "spi" else [])]
    process = target.system.process
    lacking = [group for group in wanted if group not in process.groups]
    if process.uid == 0:
        return ok(f"{process.user} needs none")
    if not lacking:
        return ok(f"{process.user} is in {', '.join(wanted)}")
    names, listed = ", ".join(lacking), target.system.groups_in_file()
    if missing := ",".join(group for group in lacking if group not in listed):
        return failure(
            f"{process.user} is not in {names}",
            f"sudo usermod -aG {missing} {process.user}, then log out and in again",
        )
    return failure(
        f"{process.user} has joined {names}, but logged in before that",
        "log out and in again, or restart the Pi",
    )


def supply(target: Target) -> Iterator[Finding]:
    """Check the voltage of a Pi's supply."""
    if target.system.model is None:
        return
    bits = target.system.throttled()
    if bits is None:
        yield warning(
            "nothing here tells whether its voltage is too low",
            "sudo apt install raspi-utils, and sudo usermod -aG video"
            f" {target.system.process.user}, so that `vcgencmd get_throttled` answers",
        )
    # Below 4.63 V the firmware slows the Pi down.
    elif bits & _LOW_NOW:
        yield failure("its voltage is too low now", _SUPPLY)
    elif bits & _LOW_SINCE_START:
        yield warning("its voltage has been too low since the Pi started", _SUPPLY)
    else:
        yield ok("its voltage is good now and since the Pi started")


def disk(target: Target) -> Iterator[Finding]:
    """Check room and speed of the disk with the games."""
    system, folder = target.system, target.system.data_disk
    free = system.free(folder)
    space = f"{free / 1e6:.0f} MB free for {system.data}"
    if free >= _SHORT_BYTES:
        yield ok(space)
    else:
        level = Severity.FAILURE if free < _FULL_BYTES else Severity.WARNING
        yield Finding("disk", level, f"only {space}", "delete files, or take a larger card or disk")
    if free >= _FULL_BYTES:
        yield _disk_speed(target)


def _disk_speed(target: Target) -> Finding:
    # Every move is written before its light shows.
    system, folder, user = target.system, target.system.data_disk, target.system.process.user
    try:
        sync_ms = system.sync_ms()
    except OSError as error:
        own = f"sudo chown -R {user}" if folder == system.data else f"sudo install -d -o {user}"
        return failure(
            f"{folder} cannot be written: {error.strerror or error}",
            f"{own} {system.data}, or choose another folder with --data; restart the"
            " computer if its disk or card has become read-only",
            "disk speed",
        )
    text = f"{sync_ms:.0f} ms to save a move"
    if sync_ms <= _SLOW_SYNC_MS:
        return ok(text, "disk speed")
    return warning(
        f"{text}: lights will lag behind fingers",
        "end what else writes to it, and take a card of class A1 or A2 if it is one",
        "disk speed",
    )


def service(target: Target) -> Finding:
    """Check the service, if it is installed."""
    enabled = target.system.run(["systemctl", "is-enabled", "lifeboard"])
    # Older ones print nothing for a service that is not there.
    if not enabled or enabled == "not-found":
        return ok("not installed")
    active = target.system.run(["systemctl", "is-active", "lifeboard"]) or "unknown"
    if active == "failed":
        return failure(
            "it has failed",
            "read why with journalctl -u lifeboard -n 50, then sudo systemctl restart lifeboard",
        )
    if enabled == "disabled":
        return warning(
            f"{active}, but it does not start with the Pi", "sudo systemctl enable lifeboard"
        )
    limited = "memory" in (target.system.text("/sys/fs/cgroup/cgroup.controllers") or "").split()
    limits = "" if limited else "; its limits of memory do nothing on this kernel"
    return ok(f"{enabled}, {active}{limits}")
