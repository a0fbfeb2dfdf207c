"""What the doctor says of whole systems, as a maker reads it."""

from collections.abc import Callable

import pytest

from game.maker.doctor import diagnose, report
from hal.profile import built_in
from tests.helpers.boards.doctor_trees import CONFIG, HEALTHY, Computer, Wired, build, wrong

HEXAGON = built_in()
STEADY_4 = "core_freq=500\ncore_freq_min=500\n"
STEADY_3 = "core_freq=250\n"


def model(name: str) -> Callable[[Computer], Computer]:
    return lambda pi: pi.write("proc/device-tree/model", f"Raspberry Pi {name}\0")


def setting(old: str, new: str) -> Callable[[Computer], Computer]:
    return lambda pi: pi.swap(CONFIG, old, new)


def in_section(section: str, lines: str) -> Callable[[Computer], Computer]:
    """Move lines from where they hold for every Pi to a section."""
    return lambda pi: pi.swap(CONFIG, f"[all]\n{lines}", f"[{section}]\n{lines}[all]\n")


def revision(code: int) -> Callable[[Computer], Computer]:
    return lambda pi: pi.write("proc/device-tree/system/linux,revision", code.to_bytes(4, "big"))


def without_groups(pi: Computer) -> Computer:
    for old in ("995:maker", "994:maker", "993:maker"):
        pi = pi.swap("etc/group", old, old.partition(":")[0] + ":")
    return pi.run_by(groups=frozenset({"maker"}))


def fresh(pi: Computer) -> Computer:
    """As it is installed: no bus, no SPI, no line of the guide."""
    pi = pi.remove("dev/i2c-1", "dev/i2c-3", "dev/spidev0.0", "dev/spidev0.1")
    pi = pi.remove("sys/bus/i2c/devices/i2c-1/of_node/clock-frequency")
    return pi.write(CONFIG, "#dtparam=i2c_arm=on\n#dtparam=spi=on\ndtparam=audio=on\n[all]\n")


RESTART = "to /boot/firmware/config.txt, then restart the Pi"
MOVES = "WARNING  core clock: goes between {} MHz, and SPI's with it, so colours may be wrong"
TOO_FAST = "; bus 1 then runs at up to {} kHz: the chips take no more than 400"
TAKEN = [
    "WARNING  pins: dtoverlay=w1-gpio takes GPIO4, which is the interrupt line",
    "-> take it out of /boot/firmware/config.txt, or give it a free pin with `gpiopin=`, then"
    " restart the Pi",
]

SYSTEMS: dict[str, tuple[str, list[Callable[[Computer], Computer]], list[str]]] = {
    "Compute Module 3": ("3", [model("Compute Module 3 Rev 1.0"), in_section("cm3", STEADY_3)], []),
    "Compute Module 4": ("4", [model("Compute Module 4 Rev 1.1"), in_section("cm4", STEADY_4)], []),
    "Pi 4 by its board type": (
        "4", [revision(0xC03114), in_section("board-type=0x11", STEADY_4)], [],
    ),
    "Pi 4 with the settings of a Pi 400": (
        "4",
        [in_section("pi400", STEADY_4)],
        [
            MOVES.format("200 and 500") + TOO_FAST.format(1000),
            f"-> add `core_freq=500` and `core_freq_min=500` {RESTART}",
        ],
    ),
    "Pi 3 as it comes": (
        "3",
        [setting(STEADY_3, "")],
        [
            MOVES.format("250 and 400") + TOO_FAST.format(640),
            f"-> add `core_freq=250` {RESTART}",
        ],
    ),
    "Pi 4 with a slow bus": (
        "4",
        [
            setting(STEADY_4, ""),
            setting(",i2c_arm_baudrate=400000", ""),
            lambda pi: pi.remove("sys/bus/i2c/devices/i2c-1/of_node/clock-frequency"),
        ],
        [
            "WARNING  bus 1 speed: 100 kHz: 400 reads faster",
            f"-> add `dtparam=i2c_arm_baudrate=400000` {RESTART}",
            MOVES.format("200 and 500"),
            f"-> add `core_freq=500` and `core_freq_min=500` {RESTART}",
        ],
    ),
    "Pi 5 with 1-wire": ("5", [setting("[all]\n", "[all]\ndtoverlay=w1-gpio\n")], TAKEN),
    "Compute Module 5 with 1-wire": (
        "5",
        [
            model("Compute Module 5 Rev 1.0"),
            setting("[cm5]\n", "[cm5]\ndtoverlay=w1-gpio,pullup=1\n"),
        ],
        TAKEN,
    ),
    "Pi 5 with 1-wire on another pin": (
        "5", [setting("[all]\n", "[all]\ndtoverlay=w1-gpio\ndtparam=gpiopin=26\n")], [],
    ),
    "Pi 4 that a button of the system switches off": (
        "4",
        [setting("[all]\n", "[all]\ndtoverlay=gpio-shutdown,gpio_pin=6\n")],
        [
            "WARNING  pins: dtoverlay=gpio-shutdown takes GPIO6, which is key shutdown",
            "-> take it out of /boot/firmware/config.txt, or give it a free pin with `gpio_pin=`,"
            " then restart the Pi",
        ],
    ),
    "Zero 2 W of a user without groups": (
        "Zero 2 W",
        [without_groups],
        [
            "FAILURE  groups: maker is not in gpio, i2c, spi",
            "-> sudo usermod -aG gpio,i2c,spi maker, then log out and in again",
        ],
    ),
    "Pi 5 without sound": ("5", [setting("audio=on", "audio=off")], []),
    "Pi 5 as it is installed": (
        "5",
        [fresh],
        [
            "FAILURE  bus 1: /dev/i2c-1 is not there",
            "-> sudo raspi-config nonint do_i2c 0 (it writes `dtparam=i2c_arm=on` to"
            " /boot/firmware/config.txt), then restart the Pi",
            "FAILURE  bus 3: /dev/i2c-3 is not there",
            f"-> add `dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=23,i2c_gpio_scl=24` {RESTART}",
            *(
                line
                for number, name in enumerate("ABCDEF")
                for line in (
                    f"FAILURE  chip {name}: does not answer at bus {1 + 2 * (number // 3)},"
                    f" address 0x{0x5A + number % 3:X}",
                    f"-> repair bus {1 + 2 * (number // 3)} first, as said above",
                )
            ),
            "FAILURE  spi: no SPI device drives GPIO10",
            "-> sudo raspi-config nonint do_spi 0 (it writes `dtparam=spi=on` to"
            " /boot/firmware/config.txt), then restart the Pi",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS)
def test_doctor_says_of_a_system_what_is_wrong_and_what_mends_it(system, tmp_path):
    pi, changes, said = SYSTEMS[system]
    computer = HEALTHY[pi]
    for change in changes:
        computer = change(computer)
    wired = Wired(HEXAGON, lambda wired: computer.has("dev/i2c-1") or wired.wires.clear())
    findings = diagnose(HEXAGON, build(computer, tmp_path), wired)
    lines = [line.strip() for line in report((*wrong(findings), *findings[:2])).splitlines()]
    assert lines[:-3] == said
