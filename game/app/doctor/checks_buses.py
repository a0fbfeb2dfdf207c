"""Checks of the buses and pins that the kernel offers, and of the chips on them.

Owns how each is made or wired. Must not know how a chip is probed (`hal.probe`).
"""

from collections.abc import Iterator

from game.app.doctor.checks_system import at_work
from game.app.doctor.findings import Finding, failure, ok, warning
from game.app.doctor.host import Host
from hal.probe import Buses, FoundChip, FoundMux, Search, find_chips
from hal.profile import FIRST_MUX, Chip, Profile

_HEADER_BUS = 1
_FAST_HZ = 400_000  # the most that an MPR121 and a TCA9548A take (their data sheets)
_FIRST_KERNEL_BUS = 10  # from here on the kernel numbers displays, cameras and multiplexers
_ADDR = {0x5A: "ground", 0x5B: "3.3 V", 0x5C: "SDA", 0x5D: "SCL"}
_SIGNALS = "power, ground, SDA and SCL"


def check_buses(host: Host, profile: Profile) -> Iterator[Finding]:
    """Check that each bus of the profile is there, how fast it is, and the device of the pins."""
    there = host.system.numbered("/dev/i2c-")
    for bus in _wanted(profile):
        if bus in there:
            yield ok(f"bus {bus}", f"/dev/i2c-{bus} is there")
            yield from _speed(host, bus)
        else:
            yield failure(f"bus {bus}", f"/dev/i2c-{bus} is not there", _make_bus(host, bus))
    if host.system.numbered("/dev/gpiochip"):
        yield ok("pins", "/dev/gpiochip* is there")
    else:
        yield failure(
            "pins",
            "there is no /dev/gpiochip*, so keys and the interrupt line cannot be read",
            "update the kernel: sudo apt full-upgrade, then restart the Pi",
        )


def check_chips(host: Host, profile: Profile, machine: Buses | None) -> Iterator[Finding]:
    """Look for every chip of the profile, and for chips that it does not name."""
    if at_work(host):
        yield warning(
            "chips",
            "not looked for, since a lifeboard that runs would be disturbed",
            "end it (the service: sudo systemctl stop lifeboard), then run doctor again",
        )
        return
    if machine is None:
        yield warning(
            "chips",
            "not looked for, since the buses cannot be opened from here",
            "mend the failures above, then run doctor again",
        )
        return
    there = machine.buses()
    wanted = _wanted(profile)
    search = find_chips([bus for bus in _searched(host, wanted) if bus in there], machine.bus)
    for trouble in search.troubles:
        yield failure(
            f"bus {trouble.bus}",
            trouble.detail,
            f"take the chips off bus {trouble.bus} one by one until it works; check"
            f" {_SIGNALS} of the one that blocks it",
        )
    for mux in _muxes(profile):
        yield from _check_mux(mux, there, search)
    for chip in profile.chips:
        yield check_chip(chip, there, search)
    for stray in _strays(host, profile, search):
        yield unexpected(stray)


def _wanted(profile: Profile) -> list[int]:
    return sorted({chip.bus for chip in profile.chips})


def _searched(host: Host, wanted: list[int]) -> list[int]:
    """List the buses that a chip may have been put on: not those of displays and cameras."""
    made = (each.parameters.get("bus", "") for each in host.boot.overlays_named("i2c-gpio"))
    return sorted({_HEADER_BUS, *wanted, *(int(bus) for bus in made if bus.isdigit())})


def _speed(host: Host, bus: int) -> Iterator[Finding]:
    """Check the clock of a bus that has one: the ones made of pins do not."""
    clock_hz = host.system.i2c_hz(bus)
    asked = host.boot.parameters.get("i2c_arm_baudrate", "") if bus == _HEADER_BUS else ""
    if clock_hz is None:
        if bus != _HEADER_BUS:
            return
        clock_hz = int(asked) if asked.isdigit() else 100_000
    name, text = f"bus {bus} speed", f"{clock_hz / 1000:.0f} kHz"
    if clock_hz == _FAST_HZ:
        yield ok(name, text)
    elif bus != _HEADER_BUS:
        yield ok(name, f"{text}; {_FAST_HZ // 1000} kHz is the most that the chips take")
    elif asked == str(_FAST_HZ):
        yield warning(name, f"{text}, but {host.config_path} asks for 400 kHz", "restart the Pi")
    else:
        why = "the chips take no more than 400" if clock_hz > _FAST_HZ else "400 reads faster"
        yield warning(
            name, f"{text}: {why}", host.in_config(f"dtparam=i2c_arm_baudrate={_FAST_HZ}")
        )


def _make_bus(host: Host, bus: int) -> str:
    made = [each.parameters.get("bus") for each in host.boot.overlays_named("i2c-gpio")]
    if bus == _HEADER_BUS:
        if host.boot.on("i2c_arm"):
            return "sudo modprobe i2c-dev; restart the Pi if it is still not there"
        return (
            "sudo raspi-config nonint do_i2c 0"
            f" (it writes `dtparam=i2c_arm=on` to {host.config_path}), then restart the Pi"
        )
    if str(bus) in made:
        return f"restart the Pi: {host.config_path} asks for it already"
    if bus == 0:
        return host.in_config("dtparam=i2c_vc=on")
    if bus >= _FIRST_KERNEL_BUS:
        # `base` numbers a multiplexer's channels (raspberrypi/linux pull request 6038).
        return host.in_config(f"dtoverlay=i2c-mux,pca9548,addr=0x70,base={bus}") + (
            f" (bus {bus} is then its channel 0)"
        )
    pins = (23, 24) if bus == 3 else ("SDA", "SCL")
    line = f"dtoverlay=i2c-gpio,bus={bus},i2c_gpio_sda={pins[0]},i2c_gpio_scl={pins[1]}"
    free = "" if bus == 3 else ", with two free pins for SDA and SCL"
    return host.in_config(line) + free


def _muxes(profile: Profile) -> list[FoundMux]:
    places = {(chip.bus, chip.mux) for chip in profile.chips if chip.mux is not None}
    return [FoundMux(bus, mux) for bus, mux in sorted(places)]


def _check_mux(mux: FoundMux, there: tuple[int, ...], search: Search) -> Iterator[Finding]:
    name = f"multiplexer 0x{mux.address:X}"
    if mux in search.muxes:
        yield ok(name, f"answers on bus {mux.bus}")
    elif mux.bus in there:
        pins = mux.address - FIRST_MUX
        wires = [f"A{pin} to {'3.3 V' if pins >> pin & 1 else 'ground'}" for pin in range(3)]
        yield failure(
            name,
            f"does not answer on bus {mux.bus}",
            f"check its {_SIGNALS}; for this address {', '.join(wires)}; RST to 3.3 V",
        )


def check_chip(chip: Chip, there: tuple[int, ...], search: Search) -> Finding:
    """Tell whether a chip was found by a search of the buses that are there."""
    name = f"chip {chip.name}"
    found = next((each for each in search.chips if _same(each, chip)), None)
    if found is not None and found.recognised:
        return ok(name, f"answers at {chip.place}")
    if found is not None:
        return warning(
            name,
            f"what answers at {chip.place} does not do so as an MPR121",
            "check which board has this address; power it off and on if it is an MPR121",
        )
    if chip.bus not in there:
        remedy = f"make bus {chip.bus} first, as said above"
    elif any(each.bus == chip.bus for each in search.troubles):
        remedy = f"mend bus {chip.bus} first, as said above"
    elif chip.mux is not None and FoundMux(chip.bus, chip.mux) not in search.muxes:
        remedy = f"mend multiplexer 0x{chip.mux:X} first, as said above"
    else:
        behind = "" if chip.channel is None else f" (SD{chip.channel} and SC{chip.channel})"
        remedy = (
            f"check its {_SIGNALS}{behind}, and that its ADDR goes to {_ADDR[chip.address]},"
            f" which makes 0x{chip.address:X}"
        )
    return failure(name, f"does not answer at {chip.place}", remedy)


def unexpected(found: FoundChip) -> Finding:
    """Tell of a chip that the profile does not name."""
    return warning(
        "chips",
        f"one at {found.place} answers that the profile does not name",
        "name it in [chips] of the profile, or take it off the bus",
    )


def is_named(found: FoundChip, profile: Profile) -> bool:
    """Tell whether the profile has a chip in that place."""
    return any(_same(found, chip) for chip in profile.chips)


def _same(found: FoundChip, chip: Chip) -> bool:
    place = (found.bus, found.mux, found.channel, found.address)
    return place == (chip.bus, chip.mux, chip.channel, chip.address)


def _strays(host: Host, profile: Profile, search: Search) -> Iterator[FoundChip]:
    for found in search.chips:
        # A channel that the kernel has made a bus shows what is on the bus before it, too.
        before = host.system.text(f"/sys/bus/i2c/devices/i2c-{found.bus}/name") or ""
        parent = before.removeprefix("i2c-").partition("-mux")[0]
        shown = any(
            (str(each.bus), each.mux, each.address) == (parent, None, found.address)
            for each in search.chips
        )
        if found.recognised and not shown and not is_named(found, profile):
            yield found
