"""The profile of a board that is made from its plan."""

from collections import Counter
from textwrap import fill
from types import MappingProxyType
from typing import Literal

from hal.lights import Power
from hal.profile import (
    FIRST_ADDRESS,
    BusPins,
    Chip,
    Electrode,
    Key,
    Measuring,
    Pico,
    Pin,
    Profile,
    Sensing,
    Strip,
    writer,
)
from hardware.board.computers import PI, PICO
from hardware.board.plan import Plan

ComputerName = Literal["pi", "pico"]

SENSING = Sensing("touch", 12, 30, 700, 3, 250, 300)
MEASURING = Measuring(12, 10, 0, 0, True, 16, 0.5, 6, 4, 1)
"""The two thresholds are near each other: a glass stone adds up to 10 counts that remain."""
POWER = Power(brightness=0.6, gamma=2.2, budget_ma=2500, channel_ma=12)
"""A WS2812B-2020 draws 12 mA a channel (its sheet); the fuses and USB-C's 3 A allow the budget."""
_BUSES = (
    "Bus 1 is on GPIO2 (SDA) and GPIO3 (SCL). Bus 3 is made by the line dtoverlay=i2c-gpio,bus=3 in"
    " config.txt, on GPIO23 (SDA) and GPIO24 (SCL)."
)
_WIDTH = 100


def profile_of(plan: Plan, computer: ComputerName) -> str:
    """Return the text of a board's profile for a Pi or a Pico.

    Raises ValueError if the board has no place for that computer.
    """
    if computer not in plan.connectors:
        raise ValueError(f'board "{plan.name}" has no place for a {computer}')
    own = PI if computer == "pi" else PICO
    letters = [chr(ord("A") + number) for number in range(len(plan.chips))]
    pads = {pad: Electrode(letters[chip], n) for pad, (chip, n) in plan.electrodes.items()}
    pixels = {each: number for number, each in enumerate(plan.pixels)}
    keys: dict[str, Key] = {
        key: Pin(number)
        for line, number in own.lines.items()
        if (key := line.removeprefix("KEY_")) in plan.keys and key not in pads
    }
    keys |= {key: pads[key] for key in plan.keys if key in pads}
    pico = None
    if computer == "pico":
        buses = {
            number: BusPins(own.lines[f"SDA_{bus}"], own.lines[f"SCL_{bus}"])
            for bus, number in own.buses.items()
            if bus in {plan.bus(chip) for chip in range(len(plan.chips))}
        }
        pico = Pico("auto", MappingProxyType(buses))
    driver = "spi" if computer == "pi" else "pio"
    profile = Profile(
        name=plan.name + ("-pico" if computer == "pico" else ""),
        title=plan.title + (", on a Pico" if computer == "pico" else ""),
        sensing=SENSING,
        measuring=MEASURING,
        chips=tuple(
            Chip(letter, own.buses[plan.bus(number)], FIRST_ADDRESS + plan.place_on_bus(number))
            for number, letter in enumerate(letters)
        ),
        interrupt_pin=own.lines["IRQ"],
        cells={cell: pads[cell] for cell in plan.cells},
        pixels=pixels,
        strip=Strip(driver, own.lines["DATA"], len(pixels), "GRB"),
        keys=keys,
        power=POWER,
        night=None,
        lights=Counter(light.partition(".")[0] for light in plan.lights),
        pico=pico,
    )
    two_buses = any(plan.bus(number) == "B" for number in range(len(plan.chips)))
    notes = [_BUSES] if two_buses and not pico else []
    text = writer.write(profile, notes).replace("written by `lifeboard learn`", "from its plan")
    return "\n".join(map(_wrapped, text.split("\n")))


def _wrapped(line: str) -> str:
    if len(line) <= _WIDTH:
        return line
    if line.startswith("#"):
        return fill(line, _WIDTH, subsequent_indent="# ", break_on_hyphens=False)
    start, _, numbers = line.removesuffix("]").partition("[")
    body = fill(numbers + ",", _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return f"{start}[\n{body}\n]"
