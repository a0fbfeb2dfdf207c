"""Checks of the computer itself; of a Raspberry Pi also its buses, the chips on them, its pins, and
what drives the strip.
"""

from collections.abc import Collection, Iterator

from game.maker.doctor.check import Finding, Severity, Target, failure, ok, warning
from game.maker.doctor.pi import CONFIG, SWITCH_ON, Family, add_to_config
from hal.drivers.i2c import LOAD_I2C_DEV
from hal.drivers.i2c_search import BusSearch, find_chips
from hal.drivers.spi import BUFFER_FILE, buffer_bytes, buffer_for, find_node, transfer_bytes
from hal.drivers.ws281x import SOCKET
from hal.drivers.ws281x_helper import INSTEAD, LEDS, overlay
from hal.profile import FIRST_MUX, HEADER_BUS, Chip, Pin, Profile

_FAST_HZ = 400_000  # the most that touch chips and a TCA9548A take (their data sheets)
_ADDR = {0x5A: "ground", 0x5B: "3.3 V", 0x5C: "SDA", 0x5D: "SCL"}
_SIGNALS = "power, ground, SDA and SCL"
END = "end it (the service: sudo systemctl stop lifeboard), then run doctor again"

# The overlays that take one pin: its parameter and its default (README of the kernel's overlays).
_TAKING = {
    "w1-gpio": ("gpiopin", 4),
    "dht11": ("gpiopin", 4),
    "gpio-fan": ("gpiopin", 12),
    "gpio-ir": ("gpio_pin", 18),
    "gpio-shutdown": ("gpio_pin", 3),
}
# The overlays that bring an SPI device for GPIO20.
_OVERLAYS = {Family.FIVE: "dtoverlay=spi1-1cs", Family.FOUR: "dtoverlay=spi6-1cs"}
# Clocks of the core in MHz where config.txt says nothing (its documentation, "Overclocking").
_OLD_MAX, _OLD_FIXED = 400, 250
_FOUR_MAX, _FOUR_MIN = 500, 200

_FULL_BYTES, _SHORT_BYTES = 50_000_000, 500_000_000
_SLOW_SYNC_MS = 100.0
_LOW_NOW, _LOW_SINCE_START = 1, 1 << 16  # bits of `vcgencmd get_throttled`
_SUPPLY = (
    "use the official supply (5.1 V; 2.5 A for a Zero 2 W or 3, 3 A for a 4, 5 A for a 5) with its"
    " own short cable, and feed the pixels from a supply of theirs, not from the Pi's pins"
)


def machine(target: Target) -> Finding:
    return ok(target.model.name)


def system(target: Target) -> Finding:
    return ok(f"{target.system.os_name}, {target.system.process.bits}-bit")


def python(target: Target) -> Finding:
    return ok(target.system.process.python)


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


def computer_player(target: Target) -> Finding:
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


def disk(target: Target) -> Finding:
    """Check the room on the disk with the games."""
    free = target.system.free(target.system.data_disk)
    space = f"{free / 1e6:.0f} MB free for {target.system.data}"
    if free >= _SHORT_BYTES:
        return ok(space)
    level = Severity.FAILURE if free < _FULL_BYTES else Severity.WARNING
    return Finding(level, f"only {space}", "delete files, or take a larger card or disk")


def disk_speed(target: Target) -> Iterator[Finding]:
    """Check how fast the disk is: every move is written before its light shows."""
    system, folder, user = target.system, target.system.data_disk, target.system.process.user
    if system.free(folder) < _FULL_BYTES:
        return
    try:
        sync_ms = system.sync_ms()
    except OSError as error:
        own = f"sudo chown -R {user}" if folder == system.data else f"sudo install -d -o {user}"
        yield failure(
            f"{folder} cannot be written: {error.strerror or error}",
            f"{own} {system.data}, or choose another folder with --data; restart the"
            " computer if its disk or card has become read-only",
        )
        return
    text = f"{sync_ms:.0f} ms to save a move"
    if sync_ms <= _SLOW_SYNC_MS:
        yield ok(text)
    else:
        yield warning(
            f"{text}: lights will lag behind fingers",
            "end what else writes to it, and take a card of class A1 or A2 if it is one",
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


def buses(target: Target) -> Iterator[Finding]:
    """Check that the kernel offers the buses of the profile."""
    for bus in _wanted(target.profile):
        if not target.system.exists(f"/dev/i2c-{bus}"):
            yield failure(f"/dev/i2c-{bus} is not there", _make_bus(target, bus), f"bus {bus}")
            continue
        yield ok(f"/dev/i2c-{bus} is there", f"bus {bus}")
        # The other buses are bit-banged on pins, and have no clock that could be set.
        if bus == HEADER_BUS:
            clock_hz = _bus_hz(target)
            text, name = f"{clock_hz / 1000:.0f} kHz", f"bus {HEADER_BUS} speed"
            why = "the chips take no more than 400" if clock_hz > _FAST_HZ else "400 reads faster"
            remedy = add_to_config(f"dtparam=i2c_arm_baudrate={_FAST_HZ}")
            fits = clock_hz == _FAST_HZ
            yield ok(text, name) if fits else warning(f"{text}: {why}", remedy, name)


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


def chips(target: Target) -> Iterator[Finding]:
    """Search the buses for the chips of the profile, and for others."""
    if target.in_use():
        yield warning("not looked for, since a lifeboard that runs would be disturbed", END)
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
    for mux in (Chip("", *place) for place in sorted(muxes)):
        if mux.bus in there:
            yield _mux(mux, search)
    yield from chip_findings(profile, there, search)


def _wanted(profile: Profile) -> list[int]:
    return sorted({chip.bus for chip in profile.chips})


def _mux(mux: Chip, search: BusSearch) -> Finding:
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
    found, strangers = ({each.place for each in e} for e in (search.chips, search.strangers))
    for chip in profile.chips:
        name = f"chip {chip.name}"
        if chip.place not in found | strangers:
            remedy = f"check its {_SIGNALS}"
            if chip.channel is not None:
                remedy += f" (SD{chip.channel} and SC{chip.channel})"
            remedy += f", and that its ADDR goes to {_ADDR[chip.address]},"
            remedy += f" which makes 0x{chip.address:X}"
            if chip.bus not in there or any(each.bus == chip.bus for each in search.troubles):
                remedy = f"repair bus {chip.bus} first, as said above"
            elif chip.mux is not None and Chip("", chip.bus, chip.mux) not in search.muxes:
                remedy = f"repair multiplexer 0x{chip.mux:X} first, as said above"
            yield failure(f"does not answer at {chip.place}", remedy, name)
        elif chip.place in found:
            yield ok(f"answers at {chip.place}", name)
        else:
            yield warning(
                f"what answers at {chip.place} does not do so as an MPR121",
                "check which board has this address; power it off and on if it is an MPR121",
                name,
            )
    named = {chip.place for chip in profile.chips}
    for each in search.chips:
        if each.place not in named:
            yield warning(
                f"one at {each.place} answers that the profile does not name",
                "name it in [chips] of the profile, or take it off the bus",
                "chips",
            )


def pins(target: Target) -> Iterator[Finding]:
    """Look for overlays that take a pin of the board."""
    profile = target.profile
    uses = {key.number: f"key {n}" for n, key in profile.keys.items() if isinstance(key, Pin)}
    uses[profile.interrupt_pin] = "the interrupt line"
    found = False
    for name, given in target.config.overlays:
        parameter, default = _TAKING.get(name, ("", 0))
        taken = given.get(parameter, str(default))
        if use := parameter and taken.isdigit() and uses.get(int(taken)):
            found = True
            yield warning(
                f"dtoverlay={name} takes GPIO{taken}, which is {use}",
                f"take it out of {CONFIG}, or give it a free pin with `{parameter}=`, then restart"
                " the Pi",
            )
    if not found:
        yield ok("no overlay takes one of the board's")


def rpi_ws281x(target: Target) -> Finding:
    """Check that this Python has the library for PWM and PCM."""
    if target.system.process.ws281x:
        return ok("installed", "rpi-ws281x")
    return failure(
        f"not installed: driver {target.profile.strip.driver} needs it",
        "sudo apt install gcc python3-dev, then `make clean` and `make play`, which compiles it",
        "rpi-ws281x",
    )


def leds(target: Target) -> Finding:
    """Check that the kernel of a Pi 5 drives a strip that is not on SPI."""
    strip = target.profile.strip
    if target.system.exists(str(LEDS)):
        return ok(f"{LEDS} drives the strip")
    return failure(
        f"nothing drives GPIO{strip.pin}: on a Raspberry Pi 5 rpi-ws281x does not, the kernel can",
        f"{add_to_config(overlay(strip.pin, strip.pixels, len(strip.order)))}; or {INSTEAD}",
    )


def root(target: Target) -> Finding:
    """Check that this process may drive a strip that is not on SPI, itself or by the helper."""
    process, driver = target.system.process, target.profile.strip.driver
    if process.uid == 0:
        return ok(f"driver {driver} needs it, and has it")
    if target.system.exists(str(SOCKET)) and "lifeboard" in process.groups:
        return ok(f"driver {driver} has it by {SOCKET}")
    return failure(
        f"driver {driver} needs it, and this is {process.user}",
        f"put sudo before the command, or let the service play (make service); or {INSTEAD}",
    )


def audio(target: Target) -> Iterator[Finding]:
    """Check that audio leaves PWM to the strip."""
    if target.profile.strip.driver != "pwm":
        return
    if target.config.parameters.get("audio") != "on":
        yield ok("leaves PWM to the strip")
        return
    yield failure(
        "it is switched on, and uses the PWM that drives the strip",
        "write `dtparam=audio=off` instead of `dtparam=audio=on` in /boot/firmware/config.txt, then"
        f" restart the Pi; or {INSTEAD}",
    )


def spi(target: Target) -> Finding:
    """Check that a suitable SPI device drives the strip's pin."""
    pin, family = target.profile.strip.pin, target.model.family
    node = find_node(pin, target.system.root)
    overlay = _OVERLAYS.get(family)
    remedy = add_to_config(overlay) if overlay else INSTEAD
    if node is None:
        remedy = SWITCH_ON.format("spi", "spi") if pin == 10 else remedy
        return failure(f"no SPI device drives GPIO{pin}", remedy)
    if node.name == "spidev1.0" and family is not Family.FIVE:
        # "Shallow FIFOs and no DMA support": jgarff/rpi_ws281x pull request 400.
        return warning(
            f"/dev/{node.name} leaves gaps between the bytes on this Pi, so colours may be wrong",
            remedy,
        )
    return ok(f"/dev/{node.name} drives GPIO{pin}")


def spi_buffer(target: Target) -> Iterator[Finding]:
    """Check that a frame fits the kernel's buffer."""
    if not target.system.exists(f"/{BUFFER_FILE}"):
        return
    strip = target.profile.strip
    needed, has = transfer_bytes(strip.pixels, strip.order), buffer_bytes(target.system.root)
    text = f"{strip.pixels} pixels take {needed} bytes in one transfer, the kernel's buffer has"
    if needed <= has:
        yield ok(f"{text} {has}")
        return
    yield failure(
        f"{text} only {has}",
        f"add spidev.bufsiz={buffer_for(needed)} to the end of the one line of"
        " /boot/firmware/cmdline.txt, then restart the Pi",
    )


def core_clock(target: Target) -> Finding:
    """Check that the core clock is fixed: up to the Pi 4 the clocks of SPI and bus 1 follow it."""
    config = target.config
    highest = config.number("core_freq")
    if target.model.family is Family.FOUR:
        highest = highest or _FOUR_MAX
        lowest = config.number("core_freq_min") or _FOUR_MIN
        fixed = lowest >= highest or config.number("force_turbo") == 1
        lines = [f"core_freq={_FOUR_MAX}", f"core_freq_min={_FOUR_MAX}"]
    else:
        highest, lowest, fixed = highest or _OLD_MAX, _OLD_FIXED, highest == _OLD_FIXED
        lines = [f"core_freq={_OLD_FIXED}"]
    if fixed:
        return ok(f"fixed at {highest} MHz")
    text = f"goes between {lowest} and {highest} MHz, and SPI's with it, so colours may be wrong"
    bus_khz = _bus_hz(target) * highest // lowest // 1000
    if HEADER_BUS in _wanted(target.profile) and bus_khz > _FAST_HZ // 1000:
        text += f"; bus 1 then runs at up to {bus_khz} kHz: the chips take no more than 400"
    return warning(text, add_to_config(*lines))
