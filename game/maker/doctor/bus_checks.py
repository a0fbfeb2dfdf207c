"""Checks of the I2C buses that the kernel offers, and of the chips on them.

Must not know how a chip is probed (`hal.drivers.i2c_search`).
"""

from collections.abc import Collection, Iterator

from game.maker.doctor.check import Check, Finding, Target, failure, ok, warning
from game.maker.doctor.pi import SWITCH_ON, add_to_config
from hal.drivers.i2c import LOAD_I2C_DEV
from hal.drivers.i2c_search import BusSearch, FoundMux, find_chips
from hal.profile import FIRST_MUX, HEADER_BUS, Profile

_FAST_HZ = 400_000  # the most that touch chips and a TCA9548A take (their data sheets)
_ADDR = {0x5A: "ground", 0x5B: "3.3 V", 0x5C: "SDA", 0x5D: "SCL"}
_SIGNALS = "power, ground, SDA and SCL"


def _buses(target: Target) -> Iterator[Finding]:
    there = target.system.numbered("/dev/i2c-")
    for bus in _wanted(target.profile):
        if bus not in there:
            yield failure(f"/dev/i2c-{bus} is not there", _make_bus(target, bus), f"bus {bus}")
            continue
        yield ok(f"/dev/i2c-{bus} is there", f"bus {bus}")
        if bus == HEADER_BUS:
            yield _speed(target)


def _speed(target: Target) -> Finding:
    # The other buses are bit-banged on pins, and have no clock that could be set.
    clock_hz = _bus_hz(target)
    text, name = f"{clock_hz / 1000:.0f} kHz", f"bus {HEADER_BUS} speed"
    if clock_hz == _FAST_HZ:
        return ok(text, name)
    why = "the chips take no more than 400" if clock_hz > _FAST_HZ else "400 reads faster"
    remedy = add_to_config(f"dtparam=i2c_arm_baudrate={_FAST_HZ}")
    return warning(f"{text}: {why}", remedy, name)


def on_core_clock(target: Target, lowest: int, highest: int) -> str:
    """Return a note if bus 1 is too fast for the chips at the highest core clock.

    Up to the Pi 4 its clock is derived from the core clock, with a divider set at the start.
    """
    fastest_hz = _bus_hz(target) * highest // lowest
    if HEADER_BUS not in _wanted(target.profile) or fastest_hz <= _FAST_HZ:
        return ""
    return f"; bus 1 then runs at up to {fastest_hz // 1000} kHz: the chips take no more than 400"


def _bus_hz(target: Target) -> int:
    asked = target.config.parameters.get("i2c_arm_baudrate", "")
    return target.system.i2c_hz(HEADER_BUS) or (int(asked) if asked.isdigit() else 100_000)


def _make_bus(target: Target, bus: int) -> str:
    if target.system.exists(f"/sys/bus/i2c/devices/i2c-{bus}"):
        return LOAD_I2C_DEV
    if bus == HEADER_BUS:
        return SWITCH_ON.format("i2c", "i2c_arm")
    pins = (23, 24) if bus == 3 else ("SDA", "SCL")
    line = f"dtoverlay=i2c-gpio,bus={bus},i2c_gpio_sda={pins[0]},i2c_gpio_scl={pins[1]}"
    free = "" if bus == 3 else ", with two free pins for SDA and SCL"
    return add_to_config(line) + free


def _chips(target: Target) -> Iterator[Finding]:
    if target.in_use():
        yield warning(
            "not looked for, since a lifeboard that runs would be disturbed",
            "end it (the service: sudo systemctl stop lifeboard), then run doctor again",
        )
        return
    if target.buses is None:
        return
    there, profile = target.buses.buses(), target.profile
    # Not the buses of displays and cameras.
    searched = {HEADER_BUS, *_wanted(profile)}
    search = find_chips(sorted(searched & set(there)), target.buses.bus)
    for trouble in search.troubles:
        yield failure(
            trouble.detail,
            f"take the chips off bus {trouble.bus} one by one until it works; check {_SIGNALS} of"
            " the one that blocks it",
            f"bus {trouble.bus}",
        )
    muxes = {(chip.bus, chip.mux) for chip in profile.chips if chip.mux is not None}
    for mux in (FoundMux(*place) for place in sorted(muxes)):
        if mux.bus in there:
            yield _mux(mux, search)
    yield from chip_findings(profile, there, search)


def _wanted(profile: Profile) -> list[int]:
    return sorted({chip.bus for chip in profile.chips})


def _mux(mux: FoundMux, search: BusSearch) -> Finding:
    name = f"multiplexer 0x{mux.address:X}"
    if mux in search.muxes:
        return ok(f"answers on bus {mux.bus}", name)
    pins = mux.address - FIRST_MUX
    wires = [f"A{pin} to {'3.3 V' if pins >> pin & 1 else 'ground'}" for pin in range(3)]
    return failure(
        f"does not answer on bus {mux.bus}",
        f"check its {_SIGNALS}; for this address {', '.join(wires)}; RST to 3.3 V",
        name,
    )


def chip_findings(profile: Profile, there: Collection[int], search: BusSearch) -> Iterator[Finding]:
    """Compare the chips of a profile with those found on the buses that are there."""
    found = {each.place: each for each in search.chips}
    for chip in profile.chips:
        name = f"chip {chip.name}"
        if chip.place not in found:
            remedy = f"check its {_SIGNALS}"
            if chip.channel is not None:
                remedy += f" (SD{chip.channel} and SC{chip.channel})"
            remedy += f", and that its ADDR goes to {_ADDR[chip.address]},"
            remedy += f" which makes 0x{chip.address:X}"
            if chip.bus not in there or any(each.bus == chip.bus for each in search.troubles):
                remedy = f"repair bus {chip.bus} first, as said above"
            elif chip.mux is not None and FoundMux(chip.bus, chip.mux) not in search.muxes:
                remedy = f"repair multiplexer 0x{chip.mux:X} first, as said above"
            yield failure(f"does not answer at {chip.place}", remedy, name)
        elif found[chip.place].recognised:
            yield ok(f"answers at {chip.place}", name)
        else:
            yield warning(
                f"what answers at {chip.place} does not do so as an MPR121",
                "check which board has this address; power it off and on if it is an MPR121",
                name,
            )
    named = {chip.place for chip in profile.chips}
    for each in search.chips:
        if each.recognised and each.place not in named:
            yield warning(
                f"one at {each.place} answers that the profile does not name",
                "name it in [chips] of the profile, or take it off the bus",
                "chips",
            )


BUSES = Check("buses", _buses)
CHIPS = Check("chips", _chips)
